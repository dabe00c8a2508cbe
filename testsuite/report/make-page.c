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

#include "report/blocks.h"
#include "report/page.h"

static int write_blocks(int argc, char **argv)
{
	struct maui_blocks_options options = { .width = (unsigned)atoi(argv[2]) };
	json_object *report = json_object_from_file(argv[argc - 1]);
	char *text;

	options.ascii = argc > 4 && strcmp(argv[3], "-a") == 0;
	text = maui_blocks_make(report, &options);
	if (text)
		printf("%s", text);
	free(text);
	json_object_put(report);
	return text ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct maui_page_run runs[2] = { 0 };
	struct maui_page page = { .runs = runs };
	size_t length;
	char *text;

	if (argc > 3 && strcmp(argv[1], "-g") == 0)
		return write_blocks(argc, argv);
	for (int i = 1; i < argc && page.run_count < 2; i++) {
		runs[page.run_count].report = json_object_from_file(argv[i]);
		if (!runs[page.run_count].report) {
			fprintf(stderr, "make-page: %s\n", json_util_get_last_err());
			return EXIT_FAILURE;
		}
		page.run_count++;
	}
	text = maui_page_make(&page, &length);
	if (!text)
		return EXIT_FAILURE;
	fwrite(text, 1, length, stdout);
	free(text);
	for (size_t i = 0; i < page.run_count; i++)
		json_object_put(runs[i].report);
	return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
