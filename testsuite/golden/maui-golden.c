/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui-golden.c - runs files of golden cases
 *
 * Exit status: 0 all passed, 1 a case failed, 2 usage, a file that cannot be read, or no case at
 * all. A feature without a function is skipped by name.
 */

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"

struct run {
	const char *only, *feature, *blank;
	bool verbose;
	unsigned passed, failed, skipped;
	json_object *skipped_ids; /* feature -> [id]; keeps the order of first appearance */
	json_object *seen;        /* ids as keys: each must be unique */
};

static int usage(void)
{
	fputs("usage: maui-golden [-v] [--only ID] [--feature F] [--blank NAME] FILE...\n"
	      "       maui-golden --list-honoured\n"
	      "  --blank NAME     parse each configuration as if NAME (or FAMILY.ATTRIBUTE) stood\n"
	      "                   nowhere in it: a case that tests NAME must fail then\n"
	      "  --list-honoured  honoured parameters, each with the case that tests it\n",
	      stderr);
	return 2;
}

static bool is_wanted(const struct run *run, json_object *test)
{
	const char *feature = golden_get_text(test, "feature");

	if (run->only && strcmp(run->only, golden_id(test)) != 0)
		return false;
	return !run->feature || (feature && strcmp(run->feature, feature) == 0);
}

static void skip(struct run *run, json_object *test)
{
	const char *feature = golden_get_text(test, "feature");
	json_object *ids;

	feature = feature ? feature : "?";
	ids = golden_get(run->skipped_ids, feature);
	if (!ids) {
		ids = json_object_new_array();
		json_object_object_add(run->skipped_ids, feature, ids);
	}
	json_object_array_add(ids, json_object_new_string(golden_id(test)));
	run->skipped++;
}

/* What SIGTERM, which ends a test that takes too long, says of it. */
static char running[256];

static void say_which(int signal)
{
	(void)signal;
	if (write(STDOUT_FILENO, running, strlen(running)) < 0)
		_exit(2);
	_exit(1);
}

static void run_case(struct run *run, const struct golden_file *file, json_object *test)
{
	const char *id = golden_id(test);

	if (!is_wanted(run, test))
		return;
	snprintf(running, sizeof(running), "%s: was running when the test was ended\n", id);
	if (json_object_object_get_ex(run->seen, id, NULL)) {
		printf("%s: stands twice\n", id);
		run->failed++;
	} else if (!golden_feature_of(test)) {
		skip(run, test);
	} else if (golden_run(file, test, run->blank, stdout)) {
		run->passed++;
	} else {
		run->failed++;
	}
	json_object_object_add(run->seen, id, NULL);
}

static int run_file(struct run *run, const char *path)
{
	struct golden_file file;

	if (golden_file_open(&file, path))
		return -1;
	for (size_t i = 0; i < json_object_array_length(file.cases); i++)
		run_case(run, &file, json_object_array_get_idx(file.cases, i));
	golden_file_close(&file);
	return 0;
}

static void print_skipped(const struct run *run)
{
	if (run->skipped == 0)
		return;
	fputs("skipped:", stdout);
	json_object_object_foreach(run->skipped_ids, feature, ids)
		printf(" %s %zu", feature, json_object_array_length(ids));
	putchar('\n');
	if (!run->verbose)
		return;
	json_object_object_foreach(run->skipped_ids, name, list)
	{
		(void)name;
		for (size_t i = 0; i < json_object_array_length(list); i++)
			printf("  %s\n",
			       json_object_get_string(json_object_array_get_idx(list, i)));
	}
}

static int run_files(struct run *run, char **paths)
{
	int rc = 0;

	run->skipped_ids = json_object_new_object();
	run->seen = json_object_new_object();
	for (; *paths && rc == 0; paths++)
		rc = run_file(run, *paths);
	print_skipped(run);
	printf("%u passed, %u failed, %u skipped\n", run->passed, run->failed, run->skipped);
	json_object_put(run->skipped_ids);
	json_object_put(run->seen);
	if (rc == 0 && run->passed + run->failed + run->skipped == 0) {
		fputs("maui-golden: no such case\n", stderr);
		rc = -1;
	}
	return rc ? 2 : run->failed > 0;
}

static void list_one(const char *name, const char *test, void *data)
{
	(void)data;
	printf("%s\t%s\n", name, test);
}

static int list_honoured(void)
{
	golden_each_honoured(list_one, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "only", required_argument, NULL, 'o' },
		{ "feature", required_argument, NULL, 'f' },
		{ "blank", required_argument, NULL, 'b' },
		{ "list-honoured", no_argument, NULL, 'l' },
		{ "verbose", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	struct run run = { 0 };
	int option;

	while ((option = getopt_long(argc, argv, "v", options, NULL)) != -1) {
		if (option == 'o')
			run.only = optarg;
		else if (option == 'f')
			run.feature = optarg;
		else if (option == 'b')
			run.blank = optarg;
		else if (option == 'v')
			run.verbose = true;
		else
			return option == 'l' ? list_honoured() : usage();
	}
	signal(SIGTERM, say_which);
	return optind < argc ? run_files(&run, argv + optind) : usage();
}
