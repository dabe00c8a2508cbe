/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.c - what showq and maui queue have in common: whose jobs, and rows of values */

#include "cmd/queue_ask.h"

#include <getopt.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"

static const char *key_of(int option)
{
	switch (option) {
	case 'u':
		return "user";
	case 'g':
		return "group";
	case 'a':
		return "account";
	case 'q':
		return "qos";
	case 'c':
	case 'p':
		return "class";
	}
	return NULL;
}

static bool *flag_of(struct maui_queue_ask *ask, int option)
{
	switch (option) {
	case 'r':
		return &ask->running;
	case 'i':
		return &ask->idle;
	case 'b':
		return &ask->blocked;
	}
	return NULL;
}

static int take_option(struct maui_queue_ask *ask, int option)
{
	const char *key = key_of(option);
	bool *flag = flag_of(ask, option);

	if (flag)
		*flag = true;
	else if (key)
		json_object_object_add(ask->args, key, json_object_new_string(optarg));
	else
		return maui_cmd_common_option(&ask->common, option);
	return MAUI_EXIT_OK;
}

int maui_queue_options(struct maui_queue_ask *ask, int argc, char **argv)
{
	static const struct option longs[] = {
		MAUI_TABLE_OPTIONS,
		MAUI_COMMON_OPTIONS,
		{ 0 },
	};
	int option, rc = MAUI_EXIT_OK;

	maui_cmd_begin(&ask->common, argc, argv);
	ask->args = json_object_new_object();
	while (!ask->common.done && rc == MAUI_EXIT_OK &&
	       (option = getopt_long(argc, argv, "hribu:g:a:q:c:p:o:", longs, NULL)) != -1)
		rc = take_option(ask, option);
	if (!ask->common.done && rc == MAUI_EXIT_OK && optind < argc)
		rc = maui_cmd_misuse(&ask->common, "'%s': no name is expected here", argv[optind]);
	else if (!ask->common.done && rc == MAUI_EXIT_OK &&
		 ask->running + ask->idle + ask->blocked > 1)
		rc = maui_cmd_misuse(&ask->common, "one of -r, -i, -b at a time");
	if (ask->common.done || rc != MAUI_EXIT_OK) {
		ask->common.done = true;
		json_object_put(ask->args);
	}
	return rc;
}

json_object *maui_queue_ask(struct maui_queue_ask *ask, bool wide, int *ret_status)
{
	const char *block = ask->running ? "active" :
			    ask->idle    ? "idle" :
			    ask->blocked ? "blocked" :
					   NULL;

	if (block)
		json_object_object_add(ask->args, "block", json_object_new_string(block));
	if (wide || ask->common.json)
		json_object_object_add(ask->args, "wide", json_object_new_boolean(1));
	return maui_cmd_ask(&ask->common, MAUI_VERB_QUEUE, ask->args, ret_status);
}

struct maui_queue_rows maui_queue_rows(json_object *result, const char *rows, const char *columns)
{
	struct maui_queue_rows ret = { 0 };

	json_object_object_get_ex(result, rows, &ret.rows);
	json_object_object_get_ex(result, columns, &ret.columns);
	ret.count = maui_cmd_length(result, rows);
	return ret;
}

size_t maui_queue_column(const struct maui_queue_rows *rows, const char *name)
{
	size_t count = json_object_is_type(rows->columns, json_type_array) ?
			       json_object_array_length(rows->columns) :
			       0;

	for (size_t i = 0; i < count; i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(rows->columns, i)),
			   name) == 0)
			return i;
	return SIZE_MAX;
}

/* NULL: null, or not there. */
static json_object *value(const struct maui_queue_rows *rows, size_t row, size_t column)
{
	json_object *values = row < rows->count ? json_object_array_get_idx(rows->rows, row) : NULL;

	return json_object_is_type(values, json_type_array) &&
			       column < json_object_array_length(values) ?
		       json_object_array_get_idx(values, column) :
		       NULL;
}

const char *maui_queue_text(const struct maui_queue_rows *rows, size_t row, size_t column)
{
	json_object *found = value(rows, row, column);

	return json_object_is_type(found, json_type_string) ? json_object_get_string(found) : "";
}

int64_t maui_queue_number(const struct maui_queue_rows *rows, size_t row, size_t column)
{
	json_object *found = value(rows, row, column);

	return found ? json_object_get_int64(found) : MAUI_NEVER;
}

double maui_queue_ratio(const struct maui_queue_rows *rows, size_t row, size_t column)
{
	json_object *found = value(rows, row, column);

	return found ? json_object_get_double(found) : 0;
}
