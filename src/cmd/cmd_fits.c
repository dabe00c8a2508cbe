/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_fits.c - maui fits: what a user of Slurm could run right now, in plain words
 *
 * Rules: CMD-40, CMD-41.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/moment.h"
#include "base/need.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/query.h"
#include "explain/advice.h"
#include "explain/text.h"
#include "model/when.h"

#define LIMIT_MOST (MAUI_TIME_INFINITY / 60) /* minutes */

/* "3", or "2-4" */
static int read_nodes(struct maui_tool_common *common, void *options,
		      const struct maui_option *option, const char *text)
{
	struct maui_fits_args *args = &((struct maui_fits_ask *)options)->args;

	(void)option;
	if (maui_fits_read_nodes(text, &args->nodes, &args->nodes_max))
		return maui_tool_misuse(common,
					"-N %s: neither a whole number from 1 to %d nor a range of "
					"two, as 2-4",
					text, MAUI_OPTION_COUNT_MOST);
	return MAUI_EXIT_OK;
}

static int read_memory(struct maui_tool_common *common, void *options,
		       const struct maui_option *option, const char *text)
{
	struct maui_fits_ask *ask = options;

	ask->args.memory = &ask->memory;
	return maui_fits_read_memory(common, option, text, maui_option_int(options, option));
}

static int read_time(struct maui_tool_common *common, void *options,
		     const struct maui_option *option, const char *text)
{
	struct maui_fits_args *args = &((struct maui_fits_ask *)options)->args;

	(void)option;
	if (maui_duration_parse_slurm(text, &args->limit) ||
	    (args->limit > LIMIT_MOST * 60 && args->limit != MAUI_NEVER))
		return maui_tool_misuse(common,
					"-t %s: not a time limit of 1 second to %" PRId64
					" minutes, nor UNLIMITED",
					text, LIMIT_MOST);
	args->least = args->limit == MAUI_NEVER ? 0 : args->limit;
	return MAUI_EXIT_OK;
}

static const struct maui_option options[] = {
	MAUI_READ('N', "nodes", "NODES", NULL, read_nodes, "so many nodes: 3, 2-4"),
	MAUI_COUNT('n', "ntasks", "TASKS", maui_fits_ask, args.tasks, "so many tasks"),
	MAUI_COUNT('c', "cpus-per-task", "CPUS", maui_fits_ask, args.cpus_per_task,
		   "processors of a task"),
	MAUI_READ('t', "time", "TIME", NULL, read_time, "time limit"),
	MAUI_READ_INT(0, "mem", "MEMORY", maui_fits_ask, memory.mem, read_memory,
		      "memory of a node: 4000, 16G"),
	MAUI_READ_INT(0, "mem-per-cpu", "MEMORY", maui_fits_ask, memory.mem_per_cpu, read_memory,
		      "memory of a processor"),
	MAUI_TEXT(0, "gres", "GRES", maui_fits_ask, gres, "generic resources of a node"),
	MAUI_TEXT('G', "gpus", "[TYPE:]COUNT", maui_fits_ask, gpus, "GPUs of the job"),
	MAUI_TEXT(0, "gpus-per-node", "[TYPE:]COUNT", maui_fits_ask, gpus_per_node,
		  "GPUs of a node"),
	MAUI_FLAG(0, "exclusive", maui_fits_ask, args.whole_nodes, "whole nodes"),
	MAUI_TEXT('p', "partition", "PARTITION,...", maui_fits_ask, args.partition,
		  "in one of these"),
	MAUI_TEXT('C', "constraint", "FEATURES", maui_fits_ask, args.features,
		  "on nodes with these features"),
	MAUI_TEXT('A', "account", "ACCOUNT", maui_fits_ask, args.account, "as of this account"),
	MAUI_TEXT('q', "qos", "QOS", maui_fits_ask, args.qos, "with this QOS"),
	MAUI_TEXT(0, "reservation", "NAME", maui_fits_ask, args.reservation, "in this reservation"),
	MAUI_TEXT('u', "user", "USER", maui_fits_ask, user, "another user's job"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui fits [-N NODES] [-n TASKS] [-c CPUS] [-t TIME] [OPTION...]",
	.about = "Says what you could run right now. With a number of nodes, tasks or GPUs: "
		 "whether such a job starts at once, and if not, when, and what would help. "
		 "Options are those of sbatch.",
	.options = options,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such user, partition, account, QOS, feature, "
			    "reservation or generic resource.",
};

/* "a100:1,h100:1" with `name` before each: "gpu:a100:1,gpu:h100:1", behind what is there. */
static void add_gpus(struct maui_strbuf *text, const char *name, const char *list)
{
	while (list) {
		size_t length = strcspn(list, ",");

		maui_strbuf_addf(text, "%s%s%.*s", text->length ? "," : "", name, (int)length,
				 list);
		list = list[length] ? list + length + 1 : NULL;
	}
}

/* What is asked for on each node and, by --gpus, in all. Of --gpus-per-node and --gres the latter
 * holds where both name the same, as in sbatch. */
static void join_gres(struct maui_fits_ask *ask)
{
	struct maui_strbuf node = { 0 }, job = { 0 };

	add_gpus(&node, "gpu:", ask->gpus_per_node);
	add_gpus(&node, "", ask->gres);
	add_gpus(&job, "gpu:", ask->gpus);
	ask->args.gres = ask->node_gres = node.text;
	ask->args.gpus = ask->job_gpus = job.text;
	if (node.failed || job.failed)
		maui_out_of_memory();
}

static void print_until(const struct maui_fits_partition *partition,
			const struct maui_fits_window *window, int64_t now_s)
{
	char moment[MAUI_MOMENT_SIZE], length[MAUI_DURATION_SIZE];

	if (window->end == MAUI_NEVER)
		printf(" without an end\n");
	else if (window->seconds == partition->max_time)
		printf(" for a job of at most %s (MaxTime)\n",
		       maui_duration_plain(window->seconds, length, sizeof(length)));
	else
		printf(" until %s (%s)\n",
		       maui_moment_plain(window->end, MAUI_NOT_AFTER, now_s, moment,
					 sizeof(moment)),
		       maui_duration_plain(window->end - now_s, length, sizeof(length)));
}

/* Windows of single processors that have more than the whole nodes of at least that length. */
static bool says_more(const struct maui_fits_partition *partition,
		      const struct maui_fits_window *window)
{
	for (size_t i = 0; i < partition->whole_nodes_count; i++)
		if (partition->whole_nodes[i].seconds >= window->seconds)
			return partition->whole_nodes[i].procs < window->procs;
	return true;
}

/* False: nothing is free. */
static bool print_windows(const struct maui_fits_partition *partition, int64_t now_s)
{
	bool any = partition->whole_nodes_count > 0;

	for (size_t i = 0; i < partition->whole_nodes_count; i++) {
		const struct maui_fits_window *window = &partition->whole_nodes[i];

		printf("  %" PRId64 " node%s (%" PRId64 " processor%s)", window->nodes,
		       maui_plural(window->nodes), window->procs, maui_plural(window->procs));
		print_until(partition, window, now_s);
	}
	for (size_t i = 0; i < partition->windows_count; i++) {
		const struct maui_fits_window *window = &partition->windows[i];

		if (!says_more(partition, window))
			continue;
		printf("  %" PRId64 " processor%s on %" PRId64
		       " node%s, partly used ones included,",
		       window->procs, maui_plural(window->procs), window->nodes,
		       maui_plural(window->nodes));
		print_until(partition, window, now_s);
		any = true;
	}
	return any;
}

static void print_free(const struct maui_fits_partition *partition, int64_t now_s)
{
	if (!partition->up || *partition->kept_out_by) {
		printf("  %s\n", partition->obstacle);
		return;
	}
	if (!print_windows(partition, now_s) && !*partition->obstacle)
		printf("  nothing is free for you now; with -n or -N it says why\n");
	maui_cmd_show_gres(partition->gres, partition->gres_count, "  held by no job: ", "");
	if (*partition->obstacle)
		printf("  %s\n", partition->obstacle);
	if (*partition->limit)
		printf("  your limit: %s\n", partition->limit);
}

/* The default time limit of a job that names none. */
static void print_limit(const struct maui_fits_shape *shape)
{
	char span[MAUI_DURATION_SIZE];

	if (*shape->limit_from)
		printf("  planned with a time limit of %s (%s)\n",
		       maui_duration_as_maui(shape->limit, span, sizeof(span)), shape->limit_from);
}

/* What the earliest start assumes. */
static void print_assumption(const struct maui_fits_shape *shape)
{
	int64_t priority = shape->ahead_priority;

	if (shape->limited)
		printf(" if the jobs that use up your limit run to their time limits");
	else if (priority == MAUI_NEVER)
		printf(" if the jobs planned now keep their places");
	else if (*shape->ahead_job)
		printf(", could start earlier with a priority above job %s (%" PRId64 ")",
		       shape->ahead_job, priority);
	else
		printf(", could start earlier with a priority above %" PRId64, priority);
}

static void print_shape(const struct maui_fits *fits, const struct maui_fits_partition *partition)
{
	const struct maui_fits_shape *shape = partition->shape;
	const char *theirs = fits->slurm_reservation;
	char moment[MAUI_MOMENT_SIZE];

	if (shape->starts_now) {
		printf("%s: yes, the job starts at once%s%s%s%s\n", partition->name,
		       maui_advice_if_slurm(shape->asks_slurm),
		       theirs ? ", if Slurm's reservation " : "", theirs ? theirs : "",
		       theirs ? " admits you" : "");
		print_limit(shape);
		return;
	}
	printf("%s: no", partition->name);
	if (shape->earliest > fits->time && shape->earliest != MAUI_NEVER) {
		printf(", earliest %s", maui_moment_plain(shape->earliest, MAUI_NOT_BEFORE,
							  fits->time, moment, sizeof(moment)));
		print_assumption(shape);
	}
	printf("\n");
	print_limit(shape);
	for (size_t i = 0; i < shape->reasons_count; i++)
		printf("  %s\n", shape->reasons[i]);
	if (shape->preempts)
		printf("  not looked at: jobs that it may preempt\n");
	for (size_t i = 0; i < shape->would_help_count; i++)
		printf("  %s\n", shape->would_help[i]);
}

static bool has_default(const struct maui_fits *fits)
{
	for (size_t i = 0; i < fits->partitions_count; i++)
		if (fits->partitions[i].is_default)
			return true;
	return false;
}

static bool is_shaped(const struct maui_fits_args *args)
{
	return args->nodes > 0 || args->tasks > 0 || args->gpus;
}

/* Whether the partition, which nobody asked for by name, is for others: it has one line. */
static bool is_left_out(const struct maui_fits_args *asked, const struct maui_fits *fits,
			const struct maui_fits_partition *partition)
{
	return *partition->kept_out_by && !asked->partition && fits->partitions_count > 1 &&
	       !(is_shaped(asked) && partition->is_default);
}

static void print_left_out(const struct maui_fits_args *asked, const struct maui_fits *fits)
{
	bool shaped = is_shaped(asked) && has_default(fits);
	const char *before = "not open to you: ";

	for (size_t i = 0; i < fits->partitions_count && !shaped; i++) {
		const struct maui_fits_partition *partition = &fits->partitions[i];

		if (!is_left_out(asked, fits, partition))
			continue;
		printf("%s%s (%s)", before, partition->name, partition->kept_out_by);
		before = ", ";
	}
	if (*before == ',')
		printf("\n");
}

/* A job of a shape that names no partition goes to the default one. */
static bool is_printed(const struct maui_fits_args *asked, const struct maui_fits *fits,
		       const struct maui_fits_partition *partition)
{
	bool default_only = is_shaped(asked) && !asked->partition && has_default(fits);

	return !(default_only && !partition->is_default) && !is_left_out(asked, fits, partition);
}

static bool serves_in(const struct maui_fits_reservation *rsv, const char *partition)
{
	for (size_t i = 0; i < rsv->partitions_count; i++)
		if (strcmp(rsv->partitions[i], partition) == 0)
			return true;
	return false;
}

/* The printed partitions in which the reservation could serve the job, if these are not all that
 * are printed: " in partition a,b". Returns whether there are any. */
static bool name_partitions(const struct maui_fits_args *asked, const struct maui_fits *fits,
			    const struct maui_fits_reservation *rsv, struct maui_strbuf *ret)
{
	size_t printed = 0, serving = 0;

	for (size_t i = 0; i < fits->partitions_count; i++) {
		const struct maui_fits_partition *partition = &fits->partitions[i];

		if (!is_printed(asked, fits, partition))
			continue;
		printed++;
		if (!serves_in(rsv, partition->name))
			continue;
		maui_strbuf_addf(ret, "%s%s", serving ? "," : " in partition ", partition->name);
		serving++;
	}
	if (serving == printed)
		maui_strbuf_clear(ret);
	return serving > 0;
}

static void print_reservation(const struct maui_fits *fits, const struct maui_fits_reservation *rsv,
			      const char *where)
{
	char moment[MAUI_MOMENT_SIZE], span[MAUI_DURATION_SIZE];

	printf("reservation %s admits you%s", rsv->name, where);
	if (rsv->longest != MAUI_NEVER)
		printf(" for jobs of at most %s",
		       maui_duration_as_maui(rsv->longest, span, sizeof(span)));
	printf(": %" PRId64 " node%s, from %s", rsv->nodes, maui_plural(rsv->nodes),
	       maui_moment_plain(rsv->start, MAUI_NOT_BEFORE, fits->time, moment, sizeof(moment)));
	if (rsv->end != MAUI_NEVER)
		printf(" to %s", maui_moment_plain(rsv->end, MAUI_NOT_AFTER, fits->time, moment,
						   sizeof(moment)));
	if (rsv->used_procs > 0)
		printf("; jobs use %" PRId64 " of its %" PRId64 " processors", rsv->used_procs,
		       rsv->procs);
	printf("\n");
}

static void print_reservations(const struct maui_fits_args *asked, const struct maui_fits *fits)
{
	struct maui_strbuf where = { 0 };

	for (size_t i = 0; i < fits->reservations_count; i++) {
		maui_strbuf_clear(&where);
		if (name_partitions(asked, fits, &fits->reservations[i], &where))
			print_reservation(fits, &fits->reservations[i],
					  where.text ? where.text : "");
	}
	maui_strbuf_finish(&where);
}

static int print_answer(const struct maui_tool_common *common, const void *ask, const void *record)
{
	const struct maui_fits_args *asked = &((const struct maui_fits_ask *)ask)->args;
	const struct maui_fits *fits = record;
	char text[MAUI_NO_STARTS_SIZE];

	(void)common;
	for (size_t i = 0; i < fits->partitions_count; i++) {
		const struct maui_fits_partition *partition = &fits->partitions[i];

		if (!is_printed(asked, fits, partition))
			continue;
		if (partition->shape) {
			print_shape(fits, partition);
			continue;
		}
		printf("Partition %s:\n", partition->name);
		print_free(partition, fits->time);
	}
	print_left_out(asked, fits);
	print_reservations(asked, fits);
	maui_fits_print_account(fits);
	if (fits->slurm_reservation)
		printf("not checked: whether Slurm's reservation %s admits you\n",
		       fits->slurm_reservation);
	if (*fits->no_starts)
		printf("%s\n", maui_explain_no_starts(fits->no_starts, text, sizeof(text)));
	return MAUI_EXIT_OK;
}

static int read_line(struct maui_tool_common *common, int argc, char **argv,
		     struct maui_fits_ask *ask)
{
	int rc = maui_cmd_read(common, ask, argc, argv);

	if (!common->done)
		join_gres(ask);
	return rc;
}

int maui_fits_read_job(const char *tool, int argc, char **argv, struct maui_fits_ask *ret)
{
	struct maui_tool_common common = { .tool = tool, .command = &command };
	int rc = read_line(&common, argc, argv, ret);

	if (rc != MAUI_EXIT_OK || common.done)
		return rc != MAUI_EXIT_OK ? rc : MAUI_EXIT_USAGE;
	if (!is_shaped(&ret->args))
		return maui_tool_misuse(&common, "-N, -n or -G is missing: how large is the job?");
	maui_fits_set_caller(ret);
	return MAUI_EXIT_OK;
}

static int run_fits(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui fits", .command = &command };
	struct maui_fits_ask ask = { 0 };
	int rc = read_line(&common, argc, argv, &ask);

	if (rc == MAUI_EXIT_OK && !common.done)
		rc = maui_fits_show(&common, &ask, print_answer, &ask);
	maui_fits_ask_finish(&ask);
	return rc;
}

MAUI_SUBCOMMAND(fits, "say what you could run right now");
