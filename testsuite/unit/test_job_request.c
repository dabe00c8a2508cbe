/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_request.c - requests about jobs: what they say, and who may send them
 *
 * Rules: CMD-45, CMD-47, CMD-52.
 */
#include "admin/jobs.h"

#include <json-c/json_tokener.h>
#include <string.h>

#include "answers/answer.h"
#include "model/snapshot.h"
#include "rows.h"

struct row {
	const char *args;
	bool jobs; /* the user may change jobs */
	enum maui_query_code code;
	enum maui_job_action action;
	int32_t priority;
	unsigned run;
};

static const struct row rows[] = {
	{ "{\"action\": \"hold\", \"job\": 17}", false, MAUI_QUERY_DONE, MAUI_JOB_HOLD, 0, 0 },
	{ "{\"action\": \"cancel\", \"job\": 17, \"task\": 3}", false, MAUI_QUERY_DONE,
	  MAUI_JOB_CANCEL, 0, 0 },
	{ "{\"action\": \"priority\", \"job\": 17, \"priority\": 1000}", true, MAUI_QUERY_DONE,
	  MAUI_JOB_PRIORITY, 1000, 0 },
	{ "{\"action\": \"priority\", \"job\": 17, \"priority\": -5, \"relative\": true}", true,
	  MAUI_QUERY_DONE, MAUI_JOB_PRIORITY, -5, 0 },
	{ "{\"action\": \"priority\", \"job\": 17, \"priority\": 5}", false, MAUI_QUERY_DENIED, 0,
	  0, 0 },
	{ "{\"action\": \"priority\", \"job\": 17, \"priority\": 1001}", true, MAUI_QUERY_BAD, 0, 0,
	  0 },
	{ "{\"action\": \"priority\", \"job\": 17, \"priority\": -1}", true, MAUI_QUERY_BAD, 0, 0,
	  0 },
	{ "{\"action\": \"priority\", \"job\": 17}", true, MAUI_QUERY_BAD, 0, 0, 0 },
	{ "{\"action\": \"priority\", \"job\": 17, \"priority\": \"5\"}", true, MAUI_QUERY_BAD, 0,
	  0, 0 },
	{ "{\"action\": \"run\", \"job\": 17}", true, MAUI_QUERY_DONE, MAUI_JOB_RUN, 0,
	  MAUI_RUN_FIRST },
	{ "{\"action\": \"run\", \"job\": 17, \"anywhere\": true, \"hosts\": \"n1\"}", true,
	  MAUI_QUERY_DONE, MAUI_JOB_RUN, 0, MAUI_RUN_FIRST | MAUI_RUN_FORCE | MAUI_RUN_ANYWHERE },
	{ "{\"action\": \"run\", \"job\": 17}", false, MAUI_QUERY_DENIED, 0, 0, 0 },
	{ "{\"action\": \"run\", \"job\": 17, \"hosts\": 3}", true, MAUI_QUERY_BAD, 0, 0, 0 },
	{ "{\"action\": \"explode\", \"job\": 17}", true, MAUI_QUERY_BAD, 0, 0, 0 },
	{ "{\"job\": 17}", true, MAUI_QUERY_BAD, 0, 0, 0 },
	{ "{\"action\": \"hold\"}", true, MAUI_QUERY_BAD, 0, 0, 0 },
	{ "{\"action\": \"hold\", \"job\": 4294967296}", true, MAUI_QUERY_BAD, 0, 0, 0 },
	{ "{\"action\": \"hold\", \"job\": 17, \"task\": -2}", true, MAUI_QUERY_BAD, 0, 0, 0 },
};

TEST_ROWS(job_request, read, rows, row)
{
	json_object *object = json_tokener_parse(row->args);
	const struct maui_rights who = { .uid = 1000, .name = "ann", .jobs = row->jobs };
	struct maui_query_error error = { 0 };
	struct maui_job_request request;
	struct maui_arena arena = { 0 };
	const void *args;
	int rc = maui_answer_args(&maui_verb_changejob, object, &arena, &args, &error);

	if (rc == 0)
		rc = maui_job_request_read(args, &who, &request, &error);

	cr_assert((rc == 0) == (row->code == MAUI_QUERY_DONE), "%s: %s", row->args, error.err.text);
	if (rc == 0)
		cr_expect(request.name.id == 17 && request.action == row->action &&
				  request.priority == row->priority && request.run == row->run,
			  "%s", row->args);
	else
		cr_expect(error.code == row->code, "%s: %d %s", row->args, error.code,
			  error.err.text);
	maui_arena_finish(&arena);
	json_object_put(object);
}

Test(job_request, reply)
{
	const struct maui_job_request task = { .action = MAUI_JOB_CANCEL, .name = { 17, 3, -1 } };
	const struct maui_job_request job = { .action = MAUI_JOB_RUN, .name = { 17, -1, -1 } };
	struct maui_query_error error = { 0 };
	struct maui_arena arena = { 0 };
	json_object *answer =
		maui_answer_json(&maui_verb_changejob, maui_job_answer(&task, &arena), &error);

	cr_expect_str_eq(json_object_get_string(answer),
			 "{\"job\":\"17_3\",\"action\":\"cancel\"}");
	json_object_put(answer);
	answer = maui_answer_json(&maui_verb_changejob, maui_job_answer(&job, &arena), &error);
	cr_expect_str_eq(json_object_get_string(answer), "{\"job\":\"17\",\"action\":\"run\"}");
	json_object_put(answer);
	maui_arena_finish(&arena);
}
