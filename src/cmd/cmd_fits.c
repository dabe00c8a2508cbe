/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_fits.c - maui fits: what a user of Slurm could run right now, in plain words
 *
 * Rules: CMD-40, CMD-41.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/moment.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: maui fits [-N NODES] [-n TASKS] [-c CPUS] [-t TIME] [OPTION...]\n"
	"\n"
	"Says what you could run right now. With a number of nodes, tasks or GPUs: whether such a\n"
	"job starts at once, and if not, when, and what would help. Options are those of sbatch.\n"
	"\n"
	"  -N, --nodes NODES           -p, --partition PARTITION,...\n"
	"  -n, --ntasks TASKS          -A, --account ACCOUNT\n"
	"  -c, --cpus-per-task CPUS    -q, --qos QOS\n"
	"  -t, --time TIME             -C, --constraint FEATURES\n"
	"      --mem MEMORY                --reservation NAME\n"
	"      --mem-per-cpu MEMORY    -u, --user USER   another user's job\n"
	"      --gres GRES                 --json        one JSON object\n"
	"  -G, --gpus [TYPE:]COUNT         --gpus-per-node [TYPE:]COUNT\n"
	"      --exclusive\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such user, partition or generic resource.\n";

enum { MEM = MAUI_OPT_OWN, MEM_PER_CPU, EXCLUSIVE, RESERVATION, GRES, GPUS_PER_NODE };

struct options {
	struct maui_cmd_common common;
	struct maui_fits_ask *ask;
	const char *user, *gres, *gpus_per_node, *gpus;
};

static int read_count(struct options *o, char letter, int64_t *ret)
{
	if (maui_fits_read_count(optarg, 1, ret))
		return maui_cmd_misuse(&o->common, "-%c %s: not a number above 0", letter, optarg);
	return MAUI_EXIT_OK;
}

/* "3", or "2-4" */
static int read_nodes(struct options *o)
{
	if (maui_fits_read_nodes(optarg, &o->ask->args.nodes, &o->ask->args.nodes_max))
		return maui_cmd_misuse(&o->common, "-N %s: neither a number above 0 nor a range",
				       optarg);
	return MAUI_EXIT_OK;
}

static int read_memory(struct options *o, int64_t *ret_mb)
{
	if (maui_fits_read_memory(optarg, ret_mb))
		return maui_cmd_misuse(&o->common, "%s: not an amount of memory", optarg);
	o->ask->args.memory = &o->ask->memory;
	return MAUI_EXIT_OK;
}

static int read_time(struct options *o)
{
	struct maui_fits_args *args = &o->ask->args;

	if (maui_duration_parse_slurm(optarg, &args->limit))
		return maui_cmd_misuse(&o->common, "-t %s: not a time limit", optarg);
	args->least = args->limit == MAUI_NEVER ? 0 : args->limit;
	return MAUI_EXIT_OK;
}

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
static int join_gres(struct options *o)
{
	struct maui_strbuf node = { 0 }, job = { 0 };
	struct maui_query_error error;

	add_gpus(&node, "gpu:", o->gpus_per_node);
	add_gpus(&node, "", o->gres);
	add_gpus(&job, "gpu:", o->gpus);
	o->ask->args.gres = o->ask->gres = node.text;
	o->ask->args.gpus = o->ask->gpus = job.text;
	if (!node.failed && !job.failed)
		return MAUI_EXIT_OK;
	maui_query_fail(&error, MAUI_QUERY_ERROR, "out of memory");
	return maui_cmd_failed(&o->common, &error);
}

/* Where the text of the option goes; NULL: it has none. */
static const char **text_of(struct options *o, int option)
{
	struct maui_fits_args *args = &o->ask->args;

	switch (option) {
	case 'p':
		return &args->partition;
	case 'A':
		return &args->account;
	case 'q':
		return &args->qos;
	case 'C':
		return &args->features;
	case RESERVATION:
		return &args->reservation;
	case GRES:
		return &o->gres;
	case GPUS_PER_NODE:
		return &o->gpus_per_node;
	case 'G':
		return &o->gpus;
	case 'u':
		return &o->user;
	}
	return NULL;
}

static int option_given(struct options *o, int option)
{
	struct maui_fits_ask *ask = o->ask;
	const char **text = text_of(o, option);

	if (text) {
		*text = optarg;
		return MAUI_EXIT_OK;
	}
	switch (option) {
	case 'N':
		return read_nodes(o);
	case 'n':
		return read_count(o, 'n', &ask->args.tasks);
	case 'c':
		return read_count(o, 'c', &ask->args.cpus_per_task);
	case 't':
		return read_time(o);
	case MEM:
		return read_memory(o, &ask->memory.mem);
	case MEM_PER_CPU:
		return read_memory(o, &ask->memory.mem_per_cpu);
	case EXCLUSIVE:
		ask->args.whole_nodes = true;
		return MAUI_EXIT_OK;
	default:
		return maui_cmd_common_option(&o->common, option);
	}
}

static const char *many(int64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_until(const struct maui_fits_window *window, int64_t now_s)
{
	char moment[MAUI_MOMENT_SIZE], length[MAUI_DURATION_SIZE];

	if (window->end == MAUI_NEVER)
		printf(" without an end\n");
	else
		printf(" until %s (%s)\n",
		       maui_moment_plain(window->end, now_s, moment, sizeof(moment)),
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
		       many(window->nodes), window->procs, many(window->procs));
		print_until(window, now_s);
	}
	for (size_t i = 0; i < partition->windows_count; i++) {
		const struct maui_fits_window *window = &partition->windows[i];

		if (!says_more(partition, window))
			continue;
		printf("  %" PRId64 " processor%s on %" PRId64
		       " node%s, partly used ones included,",
		       window->procs, many(window->procs), window->nodes, many(window->nodes));
		print_until(window, now_s);
		any = true;
	}
	return any;
}

static void print_free(const struct maui_fits_partition *partition, int64_t now_s)
{
	if (!partition->up) {
		printf("  the partition starts no jobs now\n");
		return;
	}
	if (!print_windows(partition, now_s))
		printf("  nothing is free for you now; with -n or -N it says why\n");
	maui_cmd_show_gres(partition->gres, partition->gres_count, "  not in use: ", "");
	if (*partition->obstacle)
		printf("  %s\n", partition->obstacle);
	if (*partition->limit)
		printf("  your limit: %s\n", partition->limit);
}

static void print_help_of(const struct maui_fits_shape *shape)
{
	char span[MAUI_DURATION_SIZE];

	if (shape->starts_with_limit != MAUI_NEVER)
		printf("  with a time limit of at most %s it would start now\n",
		       maui_duration_as_maui(shape->starts_with_limit, span, sizeof(span)));
	if (shape->starts_on_nodes > 0 && shape->starts_on_nodes != MAUI_NEVER)
		printf("  on %" PRId64 " node%s it would start now\n", shape->starts_on_nodes,
		       many(shape->starts_on_nodes));
}

/* Of a job that names no limit: the one that it gets. */
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
		printf("%s: yes, the job starts at once%s%s%s\n", partition->name,
		       theirs ? ", if Slurm's reservation " : "", theirs ? theirs : "",
		       theirs ? " admits you" : "");
		print_limit(shape);
		return;
	}
	printf("%s: no", partition->name);
	if (shape->earliest > fits->time && shape->earliest != MAUI_NEVER) {
		printf(", earliest %s",
		       maui_moment_plain(shape->earliest, fits->time, moment, sizeof(moment)));
		print_assumption(shape);
	}
	printf("\n");
	print_limit(shape);
	for (size_t i = 0; i < shape->reasons_count; i++)
		printf("  %s\n", shape->reasons[i]);
	print_help_of(shape);
}

static bool is_default(const struct maui_fits *fits, const char *name)
{
	for (size_t i = 0; i < fits->partitions_count; i++)
		if (strcmp(fits->partitions[i].name, name) == 0)
			return fits->partitions[i].is_default;
	return false;
}

/* `default_only`: not those of other partitions. */
static void print_reservations(const struct maui_fits *fits, bool default_only)
{
	for (size_t i = 0; i < fits->reservations_count; i++) {
		const struct maui_fits_reservation *rsv = &fits->reservations[i];
		char moment[MAUI_MOMENT_SIZE];

		if (default_only && *rsv->partition && !is_default(fits, rsv->partition))
			continue;
		printf("reservation %s admits you: %" PRId64 " node%s, from %s", rsv->name,
		       rsv->nodes, many(rsv->nodes),
		       maui_moment_plain(rsv->start, fits->time, moment, sizeof(moment)));
		if (rsv->end != MAUI_NEVER)
			printf(" to %s",
			       maui_moment_plain(rsv->end, fits->time, moment, sizeof(moment)));
		if (rsv->used_procs > 0)
			printf("; jobs use %" PRId64 " of its %" PRId64 " processors",
			       rsv->used_procs, rsv->procs);
		printf("\n");
	}
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

/* A job of a shape that names no partition goes to the default one. */
static void print_answer(const struct maui_fits *fits, const struct maui_fits_args *asked)
{
	bool default_only = is_shaped(asked) && !asked->partition && has_default(fits);

	for (size_t i = 0; i < fits->partitions_count; i++) {
		const struct maui_fits_partition *partition = &fits->partitions[i];

		if (default_only && !partition->is_default)
			continue;
		if (partition->shape) {
			print_shape(fits, partition);
			continue;
		}
		printf("Partition %s:\n", partition->name);
		print_free(partition, fits->time);
	}
	print_reservations(fits, default_only);
	maui_fits_print_account(fits);
	if (fits->slurm_reservation)
		printf("not checked: whether Slurm's reservation %s admits you\n",
		       fits->slurm_reservation);
	if (*fits->no_starts)
		printf("no job is started at present: %s\n", fits->no_starts);
}

static int parse(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		MAUI_COMMON_OPTIONS,
		{ "nodes", required_argument, NULL, 'N' },
		{ "ntasks", required_argument, NULL, 'n' },
		{ "cpus-per-task", required_argument, NULL, 'c' },
		{ "time", required_argument, NULL, 't' },
		{ "mem", required_argument, NULL, MEM },
		{ "mem-per-cpu", required_argument, NULL, MEM_PER_CPU },
		{ "exclusive", no_argument, NULL, EXCLUSIVE },
		{ "gres", required_argument, NULL, GRES },
		{ "gpus", required_argument, NULL, 'G' },
		{ "gpus-per-node", required_argument, NULL, GPUS_PER_NODE },
		{ "partition", required_argument, NULL, 'p' },
		{ "constraint", required_argument, NULL, 'C' },
		{ "qos", required_argument, NULL, 'q' },
		{ "account", required_argument, NULL, 'A' },
		{ "reservation", required_argument, NULL, RESERVATION },
		{ "user", required_argument, NULL, 'u' },
		{ 0 },
	};
	int option, rc;

	maui_cmd_begin(&o->common, argc, argv);
	while ((option = getopt_long(argc, argv, "A:c:C:G:hVn:N:p:q:t:u:", longs, NULL)) != -1) {
		rc = option_given(o, option);
		if (rc != MAUI_EXIT_OK || o->common.done)
			return rc;
	}
	if (optind < argc)
		return maui_cmd_misuse(&o->common, "'%s' is no option", argv[optind]);
	return join_gres(o);
}

int maui_fits_read_job(const char *tool, int argc, char **argv, struct maui_fits_ask *ret)
{
	struct options o = { .common = { .tool = tool, .usage = usage }, .ask = ret };
	int rc = parse(argc, argv, &o);

	if (rc != MAUI_EXIT_OK || o.common.done)
		return rc != MAUI_EXIT_OK ? rc : MAUI_EXIT_USAGE;
	if (!is_shaped(&ret->args))
		return maui_cmd_misuse(&o.common, "-N, -n or -G is missing: how large is the job?");
	maui_fits_set_caller(ret, o.user, NULL);
	return MAUI_EXIT_OK;
}

/* Returns an exit status. */
static int run(struct options *o)
{
	struct maui_cmd_answer answer;
	int rc;

	maui_fits_set_caller(o->ask, o->user, NULL);
	rc = maui_fits_ask_for(&o->common, o->user, &o->ask->args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (o->common.json)
		maui_cmd_answer_print_json(&o->common, &answer);
	else
		print_answer(answer.record, &o->ask->args);
	maui_cmd_answer_finish(&answer);
	return MAUI_EXIT_OK;
}

int maui_cmd_fits(int argc, char **argv)
{
	struct maui_fits_ask ask = { 0 };
	struct options o = { .common = { .tool = "maui fits", .usage = usage }, .ask = &ask };
	int rc = parse(argc, argv, &o);

	if (rc == MAUI_EXIT_OK && !o.common.done)
		rc = run(&o);
	maui_fits_ask_finish(&ask);
	return rc;
}
