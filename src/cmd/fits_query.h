/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_query.h - the question that showbf and maui fits ask: whose job, and what it requests */
#ifndef MAUI_CMD_FITS_QUERY_H
#define MAUI_CMD_FITS_QUERY_H

#include <json-c/json.h>

#include "cmd/query.h"

/* Names the user, who is the caller if `user` is NULL, and the user's group unless `group` is
 * given. */
void maui_fits_add_caller(json_object *args, const char *user, const char *group);

/* Asks; takes args over. `user`: of -u, NULL without. NULL: an error is printed, *ret_status is the
 * exit status; so, too, if nobody has this name. */
json_object *maui_fits_ask_for(const struct maui_cmd_common *common, const char *user,
			       json_object *args, int *ret_status);
/* NULL: not added. */
void maui_fits_add_text(json_object *args, const char *key, const char *text);
/* A count from `least` on; otherwise -1, and *ret is not set. */
int maui_fits_read_count(const char *text, int64_t least, int64_t *ret);
/* sbatch's "3" or "2-4". -1: neither. */
int maui_fits_read_nodes(const char *text, int64_t *ret_least, int64_t *ret_most);
/* Slurm's "30" (minutes), "30:00", "2:30:00", "1-12", "1-12:30:00", UNLIMITED. -1: none of
 * these. */
int maui_fits_read_time(const char *text, int64_t *ret_s);
/* Slurm's "4000", "16G", or 0: MB, rounded up. -1: none of these. */
int maui_fits_read_memory(const char *text, int64_t *ret_mb);

/* Options of sbatch that shape a job, as maui fits takes them, into `args`; argv[0] is overwritten.
 * Returns an exit status; errors are printed. */
int maui_fits_job_args(const char *tool, int argc, char **argv, json_object *args);

/* Limits and reservations may look at the account: prints the one that counted in the answer of
 * `fits`, if the question named none. */
void maui_fits_print_account(json_object *result);

/* "14:30", "Tue 14:30", "22 Nov 14:30". */
const char *maui_fits_moment(int64_t when_s, int64_t now_s, char *buf, size_t size);

#endif
