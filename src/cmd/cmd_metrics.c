/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_metrics.c - maui metrics: figures as Prometheus reads them, text format 0.0.4
 *
 * In: the families of the answer. Out: their text on stdout, or a file that is replaced as a whole,
 * so that node_exporter never reads half of it.
 *
 * Rules: CMD-48.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/verbs.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/query.h"

static const char usage[] =
	"usage: maui metrics [-o FILE] [--json]\n"
	"\n"
	"Prints figures of the scheduler, the queue and the machine for Prometheus (text format\n"
	"0.0.4). Counters count since slurmctld started.\n"
	"\n"
	"  -o, --output FILE    into a file, which is replaced as a whole: FILE.prom in the textfile\n"
	"                       directory of node_exporter\n"
	"  --json               one JSON object on stdout\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted.\n";

struct options {
	struct maui_cmd_common common;
	const char *output; /* NULL: stdout */
};

static void add_text(struct maui_strbuf *out, const char *text)
{
	maui_strbuf_add(out, text, strlen(text));
}

/* A text of a label or of help, without its end. */
static void add_escaped(struct maui_strbuf *out, const char *text, bool quotes)
{
	for (; *text; text++) {
		if (*text == '\n')
			add_text(out, "\\n");
		else if (*text == '\\' || (quotes && *text == '"'))
			maui_strbuf_addf(out, "\\%c", *text);
		else
			maui_strbuf_add(out, text, 1);
	}
}

static void add_labels(struct maui_strbuf *out, json_object *labels)
{
	const char *separator = "{";

	if (!labels || json_object_object_length(labels) == 0)
		return;
	json_object_object_foreach(labels, name, value)
	{
		maui_strbuf_addf(out, "%s%s=\"", separator, name);
		add_escaped(out, value ? json_object_get_string(value) : "", true);
		add_text(out, "\"");
		separator = ",";
	}
	add_text(out, "}");
}

static void add_family(struct maui_strbuf *out, json_object *family)
{
	const char *name = maui_cmd_text(family, "name");

	maui_strbuf_addf(out, "# HELP %s ", name);
	add_escaped(out, maui_cmd_text(family, "help"), false);
	maui_strbuf_addf(out, "\n# TYPE %s %s\n", name, maui_cmd_text(family, "type"));
	for (size_t i = 0; i < maui_cmd_length(family, "samples"); i++) {
		json_object *sample = maui_cmd_element(family, "samples", i), *labels = NULL;

		json_object_object_get_ex(sample, "labels", &labels);
		maui_strbuf_addf(out, "%s%s", name, maui_cmd_text(sample, "suffix"));
		add_labels(out, labels);
		maui_strbuf_addf(out, " %.15g\n", maui_cmd_double(sample, "value"));
	}
}

static int print_metrics(const struct options *options, json_object *result)
{
	struct maui_strbuf out = { 0 };
	int rc = MAUI_EXIT_OK;

	for (size_t i = 0; i < maui_cmd_length(result, "families"); i++)
		add_family(&out, maui_cmd_element(result, "families", i));
	if (out.failed || !out.text) {
		fprintf(stderr, "%s: error: out of memory\n", options->common.tool);
		rc = MAUI_EXIT_ERROR;
	} else if (options->output) {
		rc = maui_cmd_write_file(&options->common, options->output, out.text, out.length);
	} else {
		fwrite(out.text, 1, out.length, stdout);
	}
	maui_strbuf_finish(&out);
	return rc;
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		MAUI_COMMON_OPTIONS,
		{ 0 },
	};
	int option, rc = MAUI_EXIT_OK;

	maui_cmd_begin(&options->common, argc, argv);
	while ((option = getopt_long(argc, argv, "hVo:", longs, NULL)) != -1) {
		if (option == 'o')
			options->output = strcmp(optarg, "-") == 0 ? NULL : optarg;
		else
			rc = maui_cmd_common_option(&options->common, option);
		if (rc != MAUI_EXIT_OK || options->common.done)
			return rc;
	}
	if (optind < argc)
		return maui_cmd_misuse(&options->common, "unexpected argument '%s'", argv[optind]);
	return MAUI_EXIT_OK;
}

int maui_cmd_metrics(int argc, char **argv)
{
	struct options options = { .common = { .tool = "maui metrics", .usage = usage } };
	int rc = parse(argc, argv, &options);
	json_object *result;

	if (rc != MAUI_EXIT_OK || options.common.done)
		return rc;
	result = maui_cmd_ask(&options.common, MAUI_VERB_METRICS, NULL, &rc);
	if (!result)
		return rc;
	if (options.common.json) {
		maui_cmd_print_json(&options.common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_metrics(&options, result);
	json_object_put(result);
	return rc;
}
