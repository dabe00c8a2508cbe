/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.c - the jobs that commands name */

#include "cmd/job.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

/* Behind "_": 0 with *ret_task, which is -1 for all tasks that wait. */
static int read_task(const char *text, int64_t *ret_task)
{
	*ret_task = -1;
	if (*text == '[')
		return 0;
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

const char *maui_cmd_job_label(json_object *job)
{
	return maui_cmd_text(job, "label");
}
