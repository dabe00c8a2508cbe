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
	/* as options have them; of user and group NULL: the caller's */
	const char *user, *group, *gres, *gpus_per_node, *gpus;
	bool no_user, no_group; /* the name service has none of this name */
	char own_user[256], own_group[256], primary_group[256];
	char *node_gres, *job_gpus; /* of args: lists that options were put together to */
};

/* Names the user and the group of args. A caller whose ids have no name counts by number. */
void maui_fits_set_caller(struct maui_fits_ask *ask);

/* Asks for what is free, and prints it: a struct maui_fits. If there is no such user or group,
 * prints an error. Returns an exit status. */
int maui_fits_show(const struct maui_tool_common *common, struct maui_fits_ask *ask,
		   maui_cmd_print_fn print, const void *options);
void maui_fits_ask_finish(struct maui_fits_ask *ask);

/* sbatch's "3" or "2-4". -1: neither. */
int maui_fits_read_nodes(const char *text, int64_t *ret_least, int64_t *ret_most);
/* Slurm's "4000", "16G", or 0: MB, rounded up. An exit status. */
int maui_fits_read_memory(const struct maui_tool_common *common, const struct maui_option *option,
			  const char *text, int64_t *ret_mb);

/* Options of sbatch that shape a job, as maui fits takes them; argv[0] is overwritten, the others
 * are borrowed. Returns an exit status; prints errors. The caller finishes *ret. */
int maui_fits_read_job(const char *tool, int argc, char **argv, struct maui_fits_ask *ret);

/* Limits and reservations may look at the account: prints the one that counted, if the question
 * named none. */
void maui_fits_print_account(const struct maui_fits *fits);

#endif
