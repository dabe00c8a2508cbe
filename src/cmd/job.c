/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.c - the jobs that commands name */

#include "cmd/job.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "cmd/cmd.h"
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

/* What a label names: a job, a component of a het job, a task of an array, or a list of tasks. */
struct label {
	int64_t id;
	int64_t component;  /* -1: none */
	int64_t task;       /* -1: not one task */
	int64_t list_count; /* tasks of the list; 0: not a list */
	bool cut;           /* squeue left out the end of the list: "[1,3,5,...]" */
	bool gaps;          /* showq counts fewer waiting tasks than the list has: "[1-5]x3" */
};

static bool is_cut(const char *text)
{
	return strncmp(text, "...", 3) == 0;
}

static int add_job(struct maui_cmd_jobs *jobs, const struct label *label, int64_t task)
{
	if (jobs->count >= MAUI_CMD_JOBS_MAX)
		return -1;
	jobs->list = maui_need_more(jobs->list, jobs->count, &jobs->alloc, sizeof(*jobs->list));
	jobs->list[jobs->count++] = (struct maui_job_args){ .job = label->id,
							    .task = task,
							    .component = label->component };
	return 0;
}

/* "3", "1-3" or "7-9:2" at *at, which moves behind it. Adds the tasks to `jobs` (may be NULL). */
static int read_range(const char **at, struct label *label, struct maui_cmd_jobs *jobs)
{
	int64_t first = read_number(at), last = first, step = 1;

	if (**at == '-' && !is_cut(*at + 1)) {
		(*at)++;
		last = read_number(at);
		if (**at == ':' && !is_cut(*at + 1)) {
			(*at)++;
			step = read_number(at);
		}
	}
	if (first < 0 || last < first || step < 1)
		return -1;
	label->list_count += (last - first) / step + 1;
	for (int64_t task = first; jobs && task <= last; task += step)
		if (add_job(jobs, label, task))
			return -1;
	return 0;
}

/* The number behind `mark` at *at, which moves behind it; `otherwise` without the mark. */
static int64_t read_behind(const char **at, char mark, int64_t otherwise)
{
	if (**at != mark)
		return otherwise;
	(*at)++;
	return read_number(at);
}

/* What squeue and showq write behind the tasks of a list: "...%2]x3", or parts of it. */
static int read_list_end(const char *at, struct label *label)
{
	int64_t count;

	if (*at == '-' || *at == ':')
		at++; /* squeue cuts anywhere */
	label->cut = is_cut(at);
	if (label->cut)
		at += 3;
	else if (at[-1] == '-' || at[-1] == ':')
		return -1;
	if (read_behind(&at, '%', 0) < 0 || *at++ != ']')
		return -1;
	count = read_behind(&at, 'x', label->list_count);
	if (count < 1)
		return -1;
	label->gaps = count != label->list_count;
	return *at == '\0' ? 0 : -1;
}

/* "[1-3,5,7-9:2%4]x6" */
static int read_list(const char *at, struct label *label, struct maui_cmd_jobs *jobs)
{
	do {
		at++;
		if (label->list_count > 0 && is_cut(at))
			break;
		if (read_range(&at, label, jobs))
			return -1;
	} while (*at == ',');
	return read_list_end(at, label);
}

/* Adds the tasks of a list to `jobs` (may be NULL). -1: not a label, or `jobs` is full. */
static int read_label(const char *text, struct label *ret, struct maui_cmd_jobs *jobs)
{
	*ret = (struct label){ .id = read_number(&text), .task = -1, .component = -1 };
	if (ret->id <= 0)
		return -1;
	if (*text == '+') { /* Slurm has no het jobs in arrays */
		text++;
		ret->component = read_number(&text);
		return *text == '\0' && ret->component >= 0 ? 0 : -1;
	}
	if (text[0] == '_' && text[1] == '[')
		return read_list(text + 1, ret, jobs);
	if (*text == '_') {
		text++;
		ret->task = read_number(&text);
		if (ret->task < 0)
			return -1;
	}
	return *text == '\0' ? 0 : -1;
}

int maui_cmd_job_args(const char *text, struct maui_job_args *ret)
{
	struct label label;

	if (read_label(text, &label, NULL))
		return -1;
	*ret = (struct maui_job_args){ .job = label.id,
				       .task = label.task,
				       .component = label.component };
	return 0;
}

int maui_cmd_read_jobs(const struct maui_tool_common *common, const char *text,
		       struct maui_cmd_jobs *jobs)
{
	struct label label;
	int rc = read_label(text, &label, jobs);

	if (rc == 0 && label.list_count == 0)
		rc = add_job(jobs, &label, label.task);
	if (rc != 0)
		return jobs->count >= MAUI_CMD_JOBS_MAX ?
			       maui_tool_misuse(common, "more than %d jobs", MAUI_CMD_JOBS_MAX) :
			       maui_tool_misuse(common, "%s: not the number of a job", text);
	if (label.cut)
		return maui_tool_misuse(common,
					"%s: the end of the list is missing: name the tasks", text);
	if (label.gaps)
		return maui_tool_misuse(
			common,
			"%s: the list has other tasks than those that wait, and they "
			"may run: name the tasks (squeue -r lists them)",
			text);
	return MAUI_EXIT_OK;
}

void maui_cmd_jobs_finish(struct maui_cmd_jobs *jobs)
{
	free(jobs->list);
	*jobs = (struct maui_cmd_jobs){ 0 };
}
