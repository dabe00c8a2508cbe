/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_metrics.c - maui metrics: figures as Prometheus reads them, text format 0.0.4
 *
 * In: the families of the answer. Out: their text on stdout, or a file that is replaced as a whole,
 * so that node_exporter never reads half of it.
 *
 * Rules: CMD-48.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/need.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "verbs/metrics.h"

struct options {
	const char *output; /* NULL: stdout */
};

static const struct maui_option options[] = {
	MAUI_TEXT('o', "output", "FILE", options, output,
		  "into a file, which is replaced as a whole: FILE.prom in the textfile directory "
		  "of node_exporter"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui metrics [-o FILE] [--json]",
	.about = "Prints figures of the scheduler, the queue and the machine for Prometheus (text "
		 "format 0.0.4). Counters count since slurmctld started.",
	.options = options,
	.json = "one JSON object on stdout",
	.notes = MAUI_EXITS ", 4 not permitted.",
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

static int print_metrics(const struct maui_tool_common *common, const void *opts,
			 const void *record)
{
	const struct options *o = opts;
	const struct maui_metrics *metrics = record;
	struct maui_strbuf out = { 0 };
	int rc = MAUI_EXIT_OK;

	for (size_t i = 0; i < metrics->families_count; i++)
		add_family(&out, &metrics->families[i]);
	if (out.failed)
		maui_out_of_memory();
	if (o->output && strcmp(o->output, "-") != 0)
		rc = maui_cmd_write_file(common, o->output, out.text, out.length);
	else
		fwrite(out.text, 1, out.length, stdout);
	maui_strbuf_finish(&out);
	return rc;
}

static int run_metrics(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui metrics", .command = &command };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	return common.done ? rc :
			     maui_cmd_show(&common, &maui_verb_metrics, NULL, print_metrics, &o);
}

MAUI_SUBCOMMAND(metrics, "figures for Prometheus");
