/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - reads requests about jobs */

#include "admin/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "model/snapshot.h"

static int read_action(const char *word, enum maui_job_action *ret, struct maui_query_error *error)
{
	for (int a = 0; word && a < MAUI_JOB_ACTION_COUNT; a++) {
		if (strcmp(maui_changejob_actions[a], word) == 0) {
			*ret = (enum maui_job_action)a;
			return 0;
		}
	}
	return maui_query_fail(error, MAUI_QUERY_BAD, "no such action: '%.64s'", word ? word : "");
}

/* Maui's range: 1 to 1000, 0 clears; relative to a billion either way. */
static int read_priority(const struct maui_changejob_priority *args, struct maui_job_request *ret,
			 struct maui_query_error *error)
{
	const struct maui_changejob_priority none = { .priority = MAUI_CHANGEJOB_NONE };
	int64_t low, high;

	if (!args)
		args = &none;
	low = args->relative ? -(int64_t)MAUI_PRIORITY_MAX : 0;
	high = args->relative ? (int64_t)MAUI_PRIORITY_MAX : MAUI_SYSPRIO_MAX;
	if (args->priority < low || args->priority > high)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "the priority is a number from %" PRId64 " to %" PRId64, low,
				       high);
	ret->priority = (int32_t)args->priority;
	ret->relative = args->relative;
	return 0;
}

static void read_run(const struct maui_changejob_run *args, struct maui_job_request *ret)
{
	ret->run = MAUI_RUN_FIRST;
	if (!args)
		return;
	if (args->force || args->anywhere)
		ret->run |= MAUI_RUN_FORCE;
	if (args->anywhere)
		ret->run |= MAUI_RUN_ANYWHERE;
	ret->hosts = args->hosts;
}

int maui_job_request_read(const struct maui_changejob_args *args, const struct maui_rights *who,
			  struct maui_job_request *ret, struct maui_query_error *error)
{
	*ret = (struct maui_job_request){ .name = { args->job, args->task, args->component } };
	if (read_action(args->action, &ret->action, error))
		return -1;
	if (ret->name.id <= 0 || ret->name.id > UINT32_MAX || ret->name.task < -1 ||
	    ret->name.task > UINT32_MAX || ret->name.component < -1 ||
	    ret->name.component > UINT32_MAX)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no job is named");
	if (ret->action != MAUI_JOB_PRIORITY && ret->action != MAUI_JOB_RUN)
		return 0;
	if (!who->jobs)
		return maui_query_denied(error,
					 "%s needs ADMIN1 or ADMIN2 of maui.cfg, or "
					 "an operator of Slurm",
					 ret->action == MAUI_JOB_RUN ? "runjob" : "setspri");
	if (ret->action == MAUI_JOB_PRIORITY)
		return read_priority(args->priority, ret, error);
	read_run(args->run, ret);
	return 0;
}

const char *maui_job_request_label(const struct maui_job_request *request, char *buf, size_t size)
{
	if (request->name.component >= 0)
		snprintf(buf, size, "%" PRId64 "+%" PRId64, request->name.id,
			 request->name.component);
	else if (request->name.task < 0)
		snprintf(buf, size, "%" PRId64, request->name.id);
	else
		snprintf(buf, size, "%" PRId64 "_%" PRId64, request->name.id, request->name.task);
	return buf;
}

struct maui_changejob *maui_job_answer(const struct maui_job_request *request,
				       struct maui_arena *arena)
{
	struct maui_changejob *ret = maui_arena_alloc(arena, sizeof(*ret));
	char label[MAUI_JOB_LABEL_SIZE];

	if (!ret)
		return NULL;
	*ret = (struct maui_changejob){
		.job = maui_arena_strdup(arena,
					 maui_job_request_label(request, label, sizeof(label))),
		.action = maui_changejob_actions[request->action],
		.runs = request->runs,
	};
	return ret->job ? ret : NULL;
}
