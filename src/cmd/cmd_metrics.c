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

#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "verbs/metrics.h"

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

static void add_sample(struct maui_strbuf *out, const char *name,
		       const struct maui_metric_sample *sample)
{
	maui_strbuf_addf(out, "%s%s", name, sample->suffix);
	for (size_t i = 0; i < sample->labels_count; i++) {
		maui_strbuf_addf(out, "%s%s=\"", i == 0 ? "{" : ",", sample->labels[i].key);
		add_escaped(out, sample->labels[i].value, true);
		add_text(out, "\"");
	}
	maui_strbuf_addf(out, "%s %.15g\n", sample->labels_count > 0 ? "}" : "", sample->value);
}

static void add_family(struct maui_strbuf *out, const struct maui_metric_family *family)
{
	maui_strbuf_addf(out, "# HELP %s ", family->name);
	add_escaped(out, family->help, false);
	maui_strbuf_addf(out, "\n# TYPE %s %s\n", family->name, family->type);
	for (size_t i = 0; i < family->samples_count; i++)
		add_sample(out, family->name, &family->samples[i]);
}

static int print_metrics(const struct options *options, const struct maui_metrics *metrics)
{
	struct maui_strbuf out = { 0 };
	int rc = MAUI_EXIT_OK;

	for (size_t i = 0; i < metrics->families_count; i++)
		add_family(&out, &metrics->families[i]);
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
	struct maui_cmd_answer answer;

	if (rc != MAUI_EXIT_OK || options.common.done)
		return rc;
	rc = maui_cmd_ask_verb(&options.common, &maui_verb_metrics, NULL, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (options.common.json)
		maui_cmd_answer_print_json(&options.common, &answer);
	else
		rc = print_metrics(&options, answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}
