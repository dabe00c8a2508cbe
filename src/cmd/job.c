/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.c - the jobs that commands name */

#include "cmd/job.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/query.h"

/* A number at *at, which moves behind it. -1: none, or too large. */
static int64_t read_number(const char **at)
{
	char *end;
	long long number;

	if (!isdigit((unsigned char)**at))
		return -1;
	number = strtoll(*at, &end, 10);
	*at = end;
	return number < UINT32_MAX ? number : -1;
}

/* The end of a list of tasks: "]", or "]x3", behind which showq counts them. */
static bool is_end(const char *text)
{
	size_t digits = text[0] == ']' && text[1] == 'x' ? strspn(text + 2, "0123456789") : 0;

	return strcmp(text, "]") == 0 || (digits > 0 && text[2 + digits] == '\0');
}

/* "[1-6%2]", as squeue writes the tasks that wait; "..." where it has cut them. */
static bool is_task_list(const char *text)
{
	size_t length = strspn(text + 1, "0123456789,-:%.");

	return length > 0 && isdigit((unsigned char)text[1]) && is_end(text + 1 + length);
}

/* Behind "_": 0 with *ret_task, which is -1 for all tasks that wait. */
static int read_task(const char *text, int64_t *ret_task)
{
	*ret_task = -1;
	if (*text == '[')
		return is_task_list(text) ? 0 : -1;
	*ret_task = read_number(&text);
	return *ret_task >= 0 && *text == '\0' ? 0 : -1;
}

json_object *maui_cmd_job_args(const char *text)
{
	int64_t id = read_number(&text), task = -1;
	json_object *args;

	if (id <= 0 || (*text != '\0' && *text != '_') ||
	    (*text == '_' && read_task(text + 1, &task)))
		return NULL;
	args = json_object_new_object();
	json_object_object_add(args, "job", json_object_new_int64(id));
	if (task >= 0)
		json_object_object_add(args, "task", json_object_new_int64(task));
	return args;
}

static void add_task(json_object *jobs, int64_t id, int64_t task)
{
	json_object *args = json_object_new_object();

	json_object_object_add(args, "job", json_object_new_int64(id));
	json_object_object_add(args, "task", json_object_new_int64(task));
	json_object_array_add(jobs, args);
}

/* "3", "1-3" or "7-9:2" at *at, which moves behind it. */
static int read_range(const char **at, int64_t id, json_object *jobs)
{
	int64_t first = read_number(at), last = first, step = 1;

	if (**at == '-') {
		(*at)++;
		last = read_number(at);
		if (**at == ':') {
			(*at)++;
			step = read_number(at);
		}
	}
	if (first < 0 || last < first || step < 1)
		return -1;
	for (int64_t task = first; task <= last; task += step) {
		if (json_object_array_length(jobs) >= MAUI_CMD_JOBS_MAX)
			return -1;
		add_task(jobs, id, task);
	}
	return 0;
}

int maui_cmd_job_list(const char *text, json_object *jobs)
{
	const char *at = text;
	int64_t id = read_number(&at);
	json_object *args;

	if (id > 0 && at[0] == '_' && at[1] == '[') {
		do {
			at += *at == ',' ? 1 : 2;
			if (read_range(&at, id, jobs))
				return -1;
		} while (*at == ',');
		return strcmp(at, "]") == 0 ? 0 : -1;
	}
	args = maui_cmd_job_args(text);
	if (args)
		json_object_array_add(jobs, args);
	return args ? 0 : -1;
}

const char *maui_cmd_job_label(json_object *job)
{
	return maui_cmd_text(job, "label");
}
