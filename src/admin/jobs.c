/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - reads requests about jobs */

#include "admin/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/object.h"
#include "base/limits.h"
#include "model/snapshot.h"

static const char *const actions[MAUI_JOB_ACTION_COUNT] = {
	[MAUI_JOB_HOLD] = "hold",
	[MAUI_JOB_HOLD_USER] = "hold-user",
	[MAUI_JOB_RELEASE] = "release",
	[MAUI_JOB_RELEASE_ADMIN] = "release-admin",
	[MAUI_JOB_RELEASE_USER] = "release-user",
	[MAUI_JOB_CANCEL] = "cancel",
	[MAUI_JOB_PRIORITY] = "priority",
	[MAUI_JOB_RUN] = "run",
};

static int read_action(json_object *args, enum maui_job_action *ret, struct maui_query_error *error)
{
	const char *word;

	if (maui_message_text(args, "action", &word, error))
		return -1;
	for (int a = 0; word && a < MAUI_JOB_ACTION_COUNT; a++) {
		if (strcmp(actions[a], word) == 0) {
			*ret = (enum maui_job_action)a;
			return 0;
		}
	}
	return maui_query_fail(error, MAUI_QUERY_BAD, "no such action: '%.64s'", word ? word : "");
}

/* Maui's range: 1 to 1000, 0 clears; relative to a billion either way. */
static int read_priority(json_object *args, struct maui_job_request *ret,
			 struct maui_query_error *error)
{
	int64_t priority, low, high;
	int relative;

	if (maui_message_number(args, "priority", INT64_MIN, &priority, error) ||
	    maui_message_bool(args, "relative", &relative, error))
		return -1;
	low = relative ? -(int64_t)MAUI_PRIORITY_MAX : 0;
	high = relative ? (int64_t)MAUI_PRIORITY_MAX : MAUI_SYSPRIO_MAX;
	if (priority < low || priority > high)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "the priority is a number from %" PRId64 " to %" PRId64, low,
				       high);
	ret->priority = (int32_t)priority;
	ret->relative = relative;
	return 0;
}

static int read_run(json_object *args, struct maui_job_request *ret, struct maui_query_error *error)
{
	int force, anywhere;

	if (maui_message_bool(args, "force", &force, error) ||
	    maui_message_bool(args, "anywhere", &anywhere, error) ||
	    maui_message_text(args, "hosts", &ret->hosts, error))
		return -1;
	ret->run = MAUI_RUN_FIRST;
	if (force || anywhere)
		ret->run |= MAUI_RUN_FORCE;
	if (anywhere)
		ret->run |= MAUI_RUN_ANYWHERE;
	return 0;
}

int maui_job_request_read(json_object *args, const struct maui_rights *who,
			  struct maui_job_request *ret, struct maui_query_error *error)
{
	*ret = (struct maui_job_request){ 0 };
	if (read_action(args, &ret->action, error) ||
	    maui_message_number(args, "job", 0, &ret->name.id, error) ||
	    maui_message_number(args, "task", -1, &ret->name.task, error))
		return -1;
	if (ret->name.id <= 0 || ret->name.id > UINT32_MAX || ret->name.task < -1 ||
	    ret->name.task > UINT32_MAX)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no job is named");
	if (ret->action != MAUI_JOB_PRIORITY && ret->action != MAUI_JOB_RUN)
		return 0;
	if (!who->jobs)
		return maui_query_fail(error, MAUI_QUERY_DENIED,
				       "not permitted: %s needs ADMIN1 or ADMIN2 of maui.cfg, or "
				       "an operator of Slurm",
				       ret->action == MAUI_JOB_RUN ? "runjob" : "setspri");
	return ret->action == MAUI_JOB_PRIORITY ? read_priority(args, ret, error) :
						  read_run(args, ret, error);
}

const char *maui_job_request_label(const struct maui_job_request *request, char *buf, size_t size)
{
	if (request->name.task < 0)
		snprintf(buf, size, "%" PRId64, request->name.id);
	else
		snprintf(buf, size, "%" PRId64 "_%" PRId64, request->name.id, request->name.task);
	return buf;
}

const char *maui_job_action_text(enum maui_job_action action)
{
	return actions[action];
}

json_object *maui_job_reply(const struct maui_job_request *request)
{
	struct maui_object o = maui_object_make();
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_text(&o, "job", maui_job_request_label(request, label, sizeof(label)));
	maui_object_put_text(&o, "action", maui_job_action_text(request->action));
	if (request->runs)
		maui_object_put(&o, "runs", json_object_new_boolean(true));
	return maui_object_finish(&o);
}
