/* SPDX-License-Identifier: GPL-2.0-or-later */
/* make-page.c - writes the page of saved answers, without a server
 *
 *	make-page ANSWER.json [ANSWER.json]     two: side by side
 *	make-page -g COLUMNS [-a] ANSWER.json   as block characters; -a: ASCII
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/read.h"
#include "chart/blocks.h"
#include "report/page.h"

static struct maui_arena arena;

/* What a client understands of the file; exits if that is no JSON. */
static const struct maui_report *read_report(const char *path, json_object **ret_json)
{
	const struct maui_record_reader reader = { .arena = &arena };
	struct maui_report *report = maui_arena_alloc(&arena, sizeof(*report));

	*ret_json = json_object_from_file(path);
	if (!*ret_json) {
		fprintf(stderr, "make-page: %s\n", json_util_get_last_err());
		exit(EXIT_FAILURE);
	}
	if (!report || maui_record_read(&reader, &maui_report_type, *ret_json, report))
		exit(EXIT_FAILURE);
	return report;
}

static int write_blocks(int argc, char **argv)
{
	struct maui_blocks_options options = { .width = (unsigned)atoi(argv[2]) };
	json_object *json;
	const struct maui_report *report = read_report(argv[argc - 1], &json);
	char *text;

	options.ascii = argc > 4 && strcmp(argv[3], "-a") == 0;
	text = maui_blocks_make(report, &options);
	if (text)
		printf("%s", text);
	free(text);
	json_object_put(json);
	return text ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int write_page(int argc, char **argv)
{
	struct maui_page_run runs[2] = { 0 };
	struct maui_page page = { .runs = runs };
	json_object *json[2];
	size_t length;
	char *text;

	for (int i = 1; i < argc && page.run_count < 2; i++, page.run_count++)
		runs[page.run_count].report = read_report(argv[i], &json[page.run_count]);
	text = maui_page_make(&page, &length);
	if (!text)
		return EXIT_FAILURE;
	fwrite(text, 1, length, stdout);
	free(text);
	for (size_t i = 0; i < page.run_count; i++)
		json_object_put(json[i]);
	return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int rc = argc > 3 && strcmp(argv[1], "-g") == 0 ? write_blocks(argc, argv) :
							  write_page(argc, argv);

	maui_arena_finish(&arena);
	return rc;
}
