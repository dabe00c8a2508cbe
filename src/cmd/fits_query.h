/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_query.h - the question that showbf and maui fits ask: whose job, and what it requests */
#ifndef MAUI_CMD_FITS_QUERY_H
#define MAUI_CMD_FITS_QUERY_H

#include "cmd/query.h"
#include "verbs/fits.h"

/* A question, and what it leads to; zeroed it asks for nothing. */
struct maui_fits_ask {
	struct maui_fits_args args;
	struct maui_fits_memory memory; /* of args, when the job names some */
	char user[256], group[256];     /* of the caller */
	char *gres, *gpus;              /* lists that options were put together to */
};

/* Names the user, who is the caller if `user` is NULL, and the user's group unless `group` is
 * given. Both are borrowed. */
void maui_fits_set_caller(struct maui_fits_ask *ask, const char *user, const char *group);

/* Asks for what is free: a struct maui_fits, the caller's to finish. `user`: of -u, NULL without.
 * Returns an exit status; the error is said, also if nobody has this name. */
int maui_fits_ask_for(const struct maui_cmd_common *common, const char *user,
		      const struct maui_fits_args *args, struct maui_cmd_answer *ret);
void maui_fits_ask_finish(struct maui_fits_ask *ask);

/* A count from `least` on; otherwise -1, and *ret is not set. */
int maui_fits_read_count(const char *text, int64_t least, int64_t *ret);
/* sbatch's "3" or "2-4". -1: neither. */
int maui_fits_read_nodes(const char *text, int64_t *ret_least, int64_t *ret_most);
/* Slurm's "4000", "16G", or 0: MB, rounded up. -1: none of these. */
int maui_fits_read_memory(const char *text, int64_t *ret_mb);

/* Options of sbatch that shape a job, as maui fits takes them; argv[0] is overwritten, the others
 * are borrowed. Returns an exit status; what is wrong is said. The caller finishes *ret. */
int maui_fits_read_job(const char *tool, int argc, char **argv, struct maui_fits_ask *ret);

/* Limits and reservations may look at the account: prints the one that counted, if the question
 * named none. */
void maui_fits_print_account(const struct maui_fits *fits);

#endif
