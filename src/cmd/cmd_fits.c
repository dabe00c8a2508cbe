/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_fits.c - maui fits: what a user of Slurm could run right now, in plain words
 *
 * Rules: CMD-40, CMD-41.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
	const char *user, *gres, *gpus_per_node, *gpus;
	json_object *args;
	bool shaped, partition;
};

static int add_count(struct options *o, const char *key, char letter)
{
	int64_t count;

	if (maui_fits_read_count(optarg, 1, &count))
		return maui_cmd_misuse(&o->common, "-%c %s: not a number above 0", letter, optarg);
	json_object_object_add(o->args, key, json_object_new_int64(count));
	o->shaped |= letter == 'n';
	return MAUI_EXIT_OK;
}

/* "3", or "2-4" */
static int add_nodes(struct options *o)
{
	int64_t least, most;

	if (maui_fits_read_nodes(optarg, &least, &most))
		return maui_cmd_misuse(&o->common, "-N %s: neither a number above 0 nor a range",
				       optarg);
	json_object_object_add(o->args, "nodes", json_object_new_int64(least));
	json_object_object_add(o->args, "nodes_max", json_object_new_int64(most));
	o->shaped = true;
	return MAUI_EXIT_OK;
}

static int add_memory(struct options *o, const char *key)
{
	int64_t mb;

	if (maui_fits_read_memory(optarg, &mb))
		return maui_cmd_misuse(&o->common, "%s: not an amount of memory", optarg);
	json_object_object_add(o->args, key, json_object_new_int64(mb));
	return MAUI_EXIT_OK;
}

static int add_time(struct options *o)
{
	int64_t limit_s;

	if (maui_fits_read_time(optarg, &limit_s))
		return maui_cmd_misuse(&o->common, "-t %s: not a time limit", optarg);
	json_object_object_add(o->args, "limit", json_object_new_int64(limit_s));
	if (limit_s != MAUI_NEVER)
		json_object_object_add(o->args, "least", json_object_new_int64(limit_s));
	return MAUI_EXIT_OK;
}

static int add_text(struct options *o, const char *key)
{
	maui_fits_add_text(o->args, key, optarg);
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
static void add_gres(struct options *o)
{
	struct maui_strbuf node = { 0 }, job = { 0 };

	add_gpus(&node, "gpu:", o->gpus_per_node);
	add_gpus(&node, "", o->gres);
	add_gpus(&job, "gpu:", o->gpus);
	maui_fits_add_text(o->args, "gres", node.text);
	maui_fits_add_text(o->args, "gpus", job.text);
	maui_strbuf_finish(&node);
	maui_strbuf_finish(&job);
}

static int option_given(struct options *o, int option)
{
	switch (option) {
	case 'N':
		return add_nodes(o);
	case 'n':
		return add_count(o, "tasks", 'n');
	case 'c':
		return add_count(o, "cpus_per_task", 'c');
	case 't':
		return add_time(o);
	case MEM:
		return add_memory(o, "mem");
	case MEM_PER_CPU:
		return add_memory(o, "mem_per_cpu");
	case EXCLUSIVE:
		json_object_object_add(o->args, "whole_nodes", json_object_new_boolean(1));
		return MAUI_EXIT_OK;
	case 'p':
		o->partition = true;
		return add_text(o, "partition");
	case 'A':
		return add_text(o, "account");
	case 'q':
		return add_text(o, "qos");
	case 'C':
		return add_text(o, "features");
	case RESERVATION:
		return add_text(o, "reservation");
	case GRES:
		o->gres = optarg;
		return MAUI_EXIT_OK;
	case GPUS_PER_NODE:
		o->gpus_per_node = optarg;
		return MAUI_EXIT_OK;
	case 'G':
		o->gpus = optarg;
		o->shaped = true;
		return MAUI_EXIT_OK;
	case 'u':
		o->user = optarg;
		return MAUI_EXIT_OK;
	default:
		return maui_cmd_common_option(&o->common, option);
	}
}

/* "2 h 05 m", "3 d 4 h", "45 m", "30 s" */
static const char *length_text(int64_t seconds, char *buf, size_t size)
{
	int64_t minutes = seconds / 60, hours = minutes / 60;

	if (hours >= 48)
		snprintf(buf, size, "%" PRId64 " d %" PRId64 " h", hours / 24, hours % 24);
	else if (hours > 0)
		snprintf(buf, size, "%" PRId64 " h %02" PRId64 " m", hours, minutes % 60);
	else if (minutes > 0)
		snprintf(buf, size, "%" PRId64 " m", minutes);
	else
		snprintf(buf, size, "%" PRId64 " s", seconds);
	return buf;
}

static const char *many(int64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_until(json_object *window, int64_t now_s)
{
	int64_t end_s = maui_cmd_number(window, "end", MAUI_NEVER);
	char moment[MAUI_CMD_TIME_SIZE], length[MAUI_CMD_TIME_SIZE];

	if (end_s == MAUI_NEVER)
		printf(" without an end\n");
	else
		printf(" until %s (%s)\n", maui_fits_moment(end_s, now_s, moment, sizeof(moment)),
		       length_text(end_s - now_s, length, sizeof(length)));
}

/* Windows of single processors that have more than the whole nodes of at least that length. */
static bool says_more(json_object *partition, json_object *window)
{
	int64_t seconds = maui_cmd_number(window, "seconds", MAUI_NEVER);

	for (size_t i = 0; i < maui_cmd_length(partition, "whole_nodes"); i++) {
		json_object *whole = maui_cmd_element(partition, "whole_nodes", i);

		if (maui_cmd_number(whole, "seconds", MAUI_NEVER) >= seconds)
			return maui_cmd_number(whole, "procs", 0) <
			       maui_cmd_number(window, "procs", 0);
	}
	return true;
}

static void print_free(json_object *partition, int64_t now_s)
{
	bool any = false;

	if (!json_object_get_boolean(json_object_object_get(partition, "up"))) {
		printf("  the partition starts no jobs now\n");
		return;
	}
	for (size_t i = 0; i < maui_cmd_length(partition, "whole_nodes"); i++) {
		json_object *window = maui_cmd_element(partition, "whole_nodes", i);
		int64_t nodes = maui_cmd_number(window, "nodes", 0);
		int64_t procs = maui_cmd_number(window, "procs", 0);

		printf("  %" PRId64 " node%s (%" PRId64 " processor%s)", nodes, many(nodes), procs,
		       many(procs));
		print_until(window, now_s);
		any = true;
	}
	for (size_t i = 0; i < maui_cmd_length(partition, "windows"); i++) {
		json_object *window = maui_cmd_element(partition, "windows", i);
		int64_t nodes = maui_cmd_number(window, "nodes", 0);
		int64_t procs = maui_cmd_number(window, "procs", 0);

		if (!says_more(partition, window))
			continue;
		printf("  %" PRId64 " processor%s on %" PRId64
		       " node%s, partly used ones included,",
		       procs, many(procs), nodes, many(nodes));
		print_until(window, now_s);
		any = true;
	}
	if (!any)
		printf("  nothing is free for you now; with -n or -N it says why\n");
	maui_cmd_print_gres(partition, "  not in use: ", "");
	if (*maui_cmd_text(partition, "obstacle"))
		printf("  %s\n", maui_cmd_text(partition, "obstacle"));
	if (*maui_cmd_text(partition, "limit"))
		printf("  your limit: %s\n", maui_cmd_text(partition, "limit"));
}

static void print_help_of(json_object *shape)
{
	int64_t shorter_s = maui_cmd_number(shape, "starts_with_limit", MAUI_NEVER);
	int64_t nodes = maui_cmd_number(shape, "starts_on_nodes", 0);
	char span[MAUI_CMD_TIME_SIZE];

	if (shorter_s != MAUI_NEVER)
		printf("  with a time limit of at most %s it would start now\n",
		       maui_cmd_span(shorter_s, span, sizeof(span)));
	if (nodes > 0)
		printf("  on %" PRId64 " node%s it would start now\n", nodes, many(nodes));
}

/* Of a job that names no limit: the one that it gets. */
static void print_limit(json_object *shape)
{
	char span[MAUI_CMD_TIME_SIZE];

	if (*maui_cmd_text(shape, "limit_from"))
		printf("  planned with a time limit of %s (%s)\n",
		       maui_cmd_span(maui_cmd_number(shape, "limit", 0), span, sizeof(span)),
		       maui_cmd_text(shape, "limit_from"));
}

/* What the earliest start assumes. */
static void print_assumption(json_object *shape)
{
	const char *job = maui_cmd_text(shape, "ahead_job");
	int64_t priority = maui_cmd_number(shape, "ahead_priority", -1);

	if (json_object_get_boolean(json_object_object_get(shape, "limited")))
		printf(" if the jobs that use up your limit run to their time limits");
	else if (priority < 0)
		printf(" if the jobs planned now keep their places");
	else if (*job)
		printf(", could start earlier with a priority above job %s (%" PRId64 ")", job,
		       priority);
	else
		printf(", could start earlier with a priority above %" PRId64, priority);
}

static void print_shape(json_object *result, json_object *partition, json_object *shape,
			int64_t now_s)
{
	const char *theirs = maui_cmd_text(result, "slurm_reservation");
	int64_t earliest_s = maui_cmd_number(shape, "earliest", MAUI_NEVER);
	char moment[MAUI_CMD_TIME_SIZE];

	if (json_object_get_boolean(json_object_object_get(shape, "starts_now"))) {
		printf("%s: yes, the job starts at once%s%s%s\n", maui_cmd_text(partition, "name"),
		       *theirs ? ", if Slurm's reservation " : "", theirs,
		       *theirs ? " admits you" : "");
		print_limit(shape);
		return;
	}
	printf("%s: no", maui_cmd_text(partition, "name"));
	if (earliest_s > now_s && earliest_s != MAUI_NEVER) {
		printf(", earliest %s",
		       maui_fits_moment(earliest_s, now_s, moment, sizeof(moment)));
		print_assumption(shape);
	}
	printf("\n");
	print_limit(shape);
	for (size_t i = 0; i < maui_cmd_length(shape, "reasons"); i++)
		printf("  %s\n", json_object_get_string(maui_cmd_element(shape, "reasons", i)));
	print_help_of(shape);
}

static bool is_default(json_object *result, const char *name)
{
	for (size_t i = 0; i < maui_cmd_length(result, "partitions"); i++) {
		json_object *partition = maui_cmd_element(result, "partitions", i);

		if (strcmp(maui_cmd_text(partition, "name"), name) == 0)
			return json_object_get_boolean(
				json_object_object_get(partition, "default"));
	}
	return false;
}

/* `default_only`: not those of other partitions. */
static void print_reservations(json_object *result, bool default_only, int64_t now_s)
{
	for (size_t i = 0; i < maui_cmd_length(result, "reservations"); i++) {
		json_object *rsv = maui_cmd_element(result, "reservations", i);
		const char *partition = maui_cmd_text(rsv, "partition");
		int64_t used = maui_cmd_number(rsv, "used_procs", 0);
		int64_t nodes = maui_cmd_number(rsv, "nodes", 0);
		int64_t end_s = maui_cmd_number(rsv, "end", MAUI_NEVER);
		char start[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE];

		if (default_only && *partition && !is_default(result, partition))
			continue;
		printf("reservation %s admits you: %" PRId64 " node%s, from %s",
		       maui_cmd_text(rsv, "name"), nodes, many(nodes),
		       maui_fits_moment(maui_cmd_number(rsv, "start", 0), now_s, start,
					sizeof(start)));
		if (end_s != MAUI_NEVER)
			printf(" to %s", maui_fits_moment(end_s, now_s, end, sizeof(end)));
		if (used > 0)
			printf("; jobs use %" PRId64 " of its %" PRId64 " processors", used,
			       maui_cmd_number(rsv, "procs", 0));
		printf("\n");
	}
}

static bool has_default(json_object *result)
{
	for (size_t i = 0; i < maui_cmd_length(result, "partitions"); i++)
		if (json_object_get_boolean(json_object_object_get(
			    maui_cmd_element(result, "partitions", i), "default")))
			return true;
	return false;
}

/* A job of a shape that names no partition goes to the default one. */
static void print_answer(json_object *result, const struct options *o)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	bool default_only = o->shaped && !o->partition && has_default(result);

	for (size_t i = 0; i < maui_cmd_length(result, "partitions"); i++) {
		json_object *partition = maui_cmd_element(result, "partitions", i), *shape;

		if (default_only &&
		    !json_object_get_boolean(json_object_object_get(partition, "default")))
			continue;
		if (json_object_object_get_ex(partition, "shape", &shape)) {
			print_shape(result, partition, shape, now_s);
			continue;
		}
		printf("Partition %s:\n", maui_cmd_text(partition, "name"));
		print_free(partition, now_s);
	}
	print_reservations(result, default_only, now_s);
	maui_fits_print_account(result);
	if (*maui_cmd_text(result, "slurm_reservation"))
		printf("not checked: whether Slurm's reservation %s admits you\n",
		       maui_cmd_text(result, "slurm_reservation"));
	if (*maui_cmd_text(result, "no_starts"))
		printf("no job is started at present: %s\n", maui_cmd_text(result, "no_starts"));
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
	add_gres(o);
	return MAUI_EXIT_OK;
}

int maui_fits_job_args(const char *tool, int argc, char **argv, json_object *args)
{
	struct options o = { .common = { .tool = tool, .usage = usage }, .args = args };
	int rc = parse(argc, argv, &o);

	if (rc != MAUI_EXIT_OK || o.common.done)
		return rc != MAUI_EXIT_OK ? rc : MAUI_EXIT_USAGE;
	if (!o.shaped)
		return maui_cmd_misuse(&o.common, "-N, -n or -G is missing: how large is the job?");
	maui_fits_add_caller(args, o.user, NULL);
	return MAUI_EXIT_OK;
}

int maui_cmd_fits(int argc, char **argv)
{
	struct options o = { .common = { .tool = "maui fits", .usage = usage },
			     .args = json_object_new_object() };
	json_object *result;
	int rc = parse(argc, argv, &o);

	if (rc != MAUI_EXIT_OK || o.common.done) {
		json_object_put(o.args);
		return rc;
	}
	maui_fits_add_caller(o.args, o.user, NULL);
	result = maui_fits_ask_for(&o.common, o.user, o.args, &rc);
	if (!result)
		return rc;
	if (o.common.json) {
		maui_cmd_print_json(&o.common, result);
		return MAUI_EXIT_OK;
	}
	print_answer(result, &o);
	json_object_put(result);
	return MAUI_EXIT_OK;
}
