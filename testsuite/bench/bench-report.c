/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-report.c - how long a report takes: the answer, its JSON text, and the page
 *
 * A full cluster of 1,000 and of 10,000 nodes with as many waiting jobs (mix.h), as bench-plan has
 * it; then the same with four more jobs on each node, all with ends of their own, so that no two
 * nodes are equal. Prints for each step the processor time, and the bytes of the answer and of the
 * page. Always succeeds: a figure of another machine is no test.
 * bench-report [PREFIX]: also writes the pages, PREFIX-1.html and so on.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/document_publish.h"
#include "answers/report.h"
#include "bench.h"
#include "mix_document.h"
#include "plan/finished.h"
#include "record/read.h"
#include "report/page.h"

static const char config_text[] = "RESERVATIONDEPTH 10\nQUEUETIMEWEIGHT 1\n";

static const char *output; /* a file for each page; NULL: none */

static void keep(const char *page, size_t length)
{
	static int number;
	char path[4096];
	FILE *file;

	if (!output)
		return;
	snprintf(path, sizeof(path), "%s-%d.html", output, ++number);
	file = fopen(path, "w");
	if (!file || fwrite(page, 1, length, file) != length || fclose(file))
		bench_die("cannot write the page");
}

/* Jobs that make each node different from all others. */
static void add_small(struct maui_document *p, uint32_t nodes)
{
	for (uint32_t i = 0; i < 4 * nodes; i++) {
		const struct maui_document_node node = { i % nodes, 1, 1 };
		char name[32];

		snprintf(name, sizeof(name), "%u", 1000000 + i);
		maui_document_add(p, &(struct maui_document_rsv){
					     .name = name,
					     .state = MAUI_JOB_RUNNING,
					     .cred = { [MAUI_CRED_USER] = "u1" },
					     .end_s = BENCH_NOW + 600 + (int64_t)i * 7919 % 86400,
					     .nodes = &node,
					     .node_count = 1,
					     .procs = 1 });
	}
}

/* What a client understands of the text. */
static const struct maui_report *understand(struct maui_arena *arena, json_object *json)
{
	const struct maui_record_reader reader = { .arena = arena };
	struct maui_report *report = maui_arena_alloc(arena, sizeof(*report));

	if (!report || maui_record_read(&reader, &maui_report_type, json, report))
		bench_die("no memory");
	return report;
}

static void measure(const struct maui_document *p, uint32_t nodes)
{
	const struct maui_query_call call = { .published = (void *)p };
	struct maui_query_error error;
	double start = bench_cpu_ms(), answered, written, read;
	json_object *report = maui_answer(&maui_verb_report, maui_answer_report, &call, &error);
	struct maui_arena arena = { 0 };
	json_object *again;
	const char *text;
	struct maui_page_run run;
	size_t length, text_length;
	char *page;

	if (!report)
		bench_die(error.err.text);
	answered = bench_cpu_ms();
	text = json_object_to_json_string_length(report, JSON_C_TO_STRING_PLAIN, &text_length);
	written = bench_cpu_ms();
	again = json_tokener_parse(text);
	run = (struct maui_page_run){ .report = understand(&arena, again) };
	read = bench_cpu_ms();
	page = maui_page_make(&(struct maui_page){ .runs = &run, .run_count = 1 }, &length);
	printf("%u nodes, %zu jobs and reservations, %u wait: "
	       "answer %.0f ms, JSON %.0f + %.0f ms, page %.0f ms; %.2f MB, page %.2f MB\n",
	       nodes, p->rsv_count, p->plan->snapshot->idle_count, answered - start,
	       written - answered, read - written, bench_cpu_ms() - read, (double)text_length / 1e6,
	       (double)length / 1e6);
	keep(page, length);
	free(page);
	maui_arena_finish(&arena);
	json_object_put(again);
	json_object_put(report);
}

static void run(uint32_t nodes, uint32_t jobs)
{
	struct maui_document *p = bench_mix_document(config_text, nodes, jobs, jobs, 0);

	measure(p, nodes);
	add_small(p, nodes);
	measure(p, nodes);
	maui_document_unref(p);
}

int main(int argc, char **argv)
{
	output = argc > 1 ? argv[1] : NULL;
	run(1000, 1000);
	run(10000, 10000);
	return 0;
}
