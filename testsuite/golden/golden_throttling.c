/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_throttling.c - cases of the feature "throttling": one job against the active ones, the
 * selection of idle jobs, outstanding use, the moment from which a job may start
 *
 * Rules: THR-1, THR-2, THR-3, THR-4, THR-5, THR-6, THR-8, THR-9, THR-10, THR-11.
 */

#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "explain/violation_text.h"
#include "policy/priority.h"
#include "policy/throttle/throttle.h"

#define NOW INT64_C(1729916252)

/* A case with its throttle. */
struct run {
	struct golden_case *c;
	const struct maui_config *config;
	struct maui_throttle *throttle;
	struct maui_totals totals;
};

struct job {
	const char *name;
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	int64_t end_s;
};

static void suspend(const struct run *run, struct maui_job *job, struct job *ret)
{
	job->procs = 0;
	maui_demand_suspend(&ret->demand, maui_priority_pe(job, &run->totals));
	ret->end_s = MAUI_THROTTLE_NEVER;
}

/* false after a fault. */
static bool read_job(struct run *run, json_object *object, bool active, struct job *ret)
{
	struct maui_job job = { .active = active };

	golden_check_known(run->c, object, "job", GOLDEN_JOB " name suspended held reserved");
	golden_read_job(run->config, object, &job);
	ret->name = golden_get_text(object, "name");
	ret->end_s = NOW + (int64_t)(job.walltime_s - job.elapsed_s);
	maui_demand_make(&job, maui_priority_pe(&job, &run->totals), &ret->demand);
	if (golden_get_bool(object, "suspended", false))
		suspend(run, &job, ret);
	ret->set = maui_throttle_resolve(run->throttle, job.cred);
	if (!ret->set || !ret->name)
		golden_fault(run->c, "a job without a name, or no memory");
	return ret->set && ret->name;
}

static bool add_running(struct run *run)
{
	json_object *running = golden_get(run->c->inputs, "running");

	for (size_t i = 0; running && i < json_object_array_length(running); i++) {
		struct job job;

		if (!read_job(run, json_object_array_get_idx(running, i), true, &job))
			return false;
		if (maui_throttle_add(run->throttle, job.set, &job.demand, job.end_s)) {
			golden_fault(run->c, "no memory");
			return false;
		}
	}
	return true;
}

/* ---- one job ---- */

static bool is_text(json_object *value, const char *text)
{
	const char *have = value ? json_object_get_string(value) : NULL;

	return have && text ? strcmp(have, text) == 0 : have == text;
}

/* Whether an expected violation names the same limit: the numbers are compared apart. */
static bool names_it(json_object *expected, const struct maui_violation *v)
{
	json_object *second = golden_get(expected, "second");

	if (second &&
	    (!v->second_name || json_object_array_length(second) != 2 ||
	     !is_text(json_object_array_get_idx(second, 0), maui_limited_name(v->second)) ||
	     !is_text(json_object_array_get_idx(second, 1), v->second_name)))
		return false;
	return (second != NULL) == (v->second_name != NULL) &&
	       is_text(golden_get(expected, "cred"), maui_limited_name(v->cred)) &&
	       is_text(golden_get(expected, "name"), v->name) &&
	       is_text(golden_get(expected, "limit"), v->limit);
}

static void compare_violation(struct golden_case *c, const char *what, json_object *list,
			      const struct maui_violation *v)
{
	char line[MAUI_VIOLATION_SIZE];

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *expected = json_object_array_get_idx(list, i);

		if (!names_it(expected, v))
			continue;
		golden_check_known(c, expected, what,
				   "cred name second limit value in_use requested");
		golden_expect_number(c, expected, "value", v->value);
		golden_expect_number(c, expected, "in_use", v->in_use);
		golden_expect_number(c, expected, "requested", v->requested);
		return;
	}
	golden_fault(c, "%s: not expected: %s", what, maui_violation_format(v, line, sizeof(line)));
}

static void run_level(struct run *run, const struct job *job, enum maui_limit_level level)
{
	static const char *const names[][3] = { { "soft", "violations_soft", "line_soft" },
						{ "hard", "violations_hard", "line_hard" } };
	struct golden_case *c = run->c;
	json_object *expected = golden_get(c->expected, names[level][1]);
	size_t most = maui_throttle_limit_count(job->set), count;
	struct maui_violation *list = calloc(most + 1, sizeof(*list));
	char line[MAUI_VIOLATION_SIZE];

	count = maui_throttle_violations(job->set, &job->demand, level, MAUI_THROTTLE_START, list,
					 most);
	golden_expect_bool(c, c->expected, names[level][0],
			   maui_throttle_allows(job->set, &job->demand, level));
	if ((count == 0) != maui_throttle_allows(job->set, &job->demand, level))
		golden_fault(c, "%s: not what its violations say", names[level][0]);
	if (expected && json_object_array_length(expected) != count)
		golden_fault(c, "%s: expected %zu, got %zu", names[level][1],
			     json_object_array_length(expected), count);
	for (size_t i = 0; expected && i < count; i++)
		compare_violation(c, names[level][1], expected, &list[i]);
	golden_expect_text(c, c->expected, names[level][2],
			   count ? maui_violation_format(&list[0], line, sizeof(line)) : NULL);
	free(list);
}

static void expect_when(struct run *run, const struct job *job, enum maui_limit_level level,
			const char *name)
{
	int64_t when = maui_throttle_when(run->throttle, job->set, &job->demand, level, NOW);

	golden_expect_number(run->c, run->c->expected, name,
			     when == MAUI_THROTTLE_NEVER ? -1 : (double)(when - NOW));
}

static void run_check(struct run *run)
{
	struct job job;

	golden_check_known(run->c, run->c->inputs, "inputs", "job running system");
	golden_check_known(
		run->c, run->c->expected, "expected",
		"soft hard violations_soft violations_hard line_soft line_hard when_soft "
		"when_hard");
	if (!add_running(run) || !read_job(run, golden_get(run->c->inputs, "job"), false, &job))
		return;
	run_level(run, &job, MAUI_LIMIT_SOFT);
	run_level(run, &job, MAUI_LIMIT_HARD);
	expect_when(run, &job, MAUI_LIMIT_SOFT, "when_soft");
	expect_when(run, &job, MAUI_LIMIT_HARD, "when_hard");
}

/* ---- idle jobs ---- */

static void compare_blocked(struct golden_case *c, const char *name, const struct maui_violation *v)
{
	json_object *expected = golden_get(golden_get(c->expected, "blocked"), name);
	char line[MAUI_VIOLATION_SIZE];

	maui_violation_format(v, line, sizeof(line));
	if (!expected || json_object_array_length(expected) != 4)
		golden_fault(c, "%s: blocked by %s", name, line);
	else if (!is_text(json_object_array_get_idx(expected, 0), maui_limited_name(v->cred)) ||
		 !is_text(json_object_array_get_idx(expected, 1), v->name) ||
		 !is_text(json_object_array_get_idx(expected, 2), v->limit) ||
		 json_object_get_double(json_object_array_get_idx(expected, 3)) != v->value)
		golden_fault(c, "%s: expected %s, got %s", name,
			     json_object_to_json_string(expected), line);
}

static void compare_selection(struct golden_case *c, const struct job *jobs,
			      const struct maui_throttle_idle *idle, size_t count)
{
	json_object *eligible = golden_get(c->expected, "eligible");
	json_object *blocked = golden_get(c->expected, "blocked");
	size_t accepted = 0, refused = 0;

	for (size_t i = 0; i < count; i++) {
		if (idle[i].verdict == MAUI_THROTTLE_BLOCKED) {
			compare_blocked(c, jobs[i].name, &idle[i].violation);
			refused++;
		} else if (idle[i].verdict == MAUI_THROTTLE_ELIGIBLE &&
			   (!eligible || !is_text(json_object_array_get_idx(eligible, accepted++),
						  jobs[i].name))) {
			golden_fault(c, "eligible: %s is number %zu", jobs[i].name, accepted);
		}
	}
	if (!eligible || json_object_array_length(eligible) != accepted)
		golden_fault(c, "eligible: got %zu", accepted);
	if (!blocked || (size_t)json_object_object_length(blocked) != refused)
		golden_fault(c, "blocked: got %zu", refused);
}

static void run_select(struct run *run)
{
	json_object *list = golden_get(run->c->inputs, "idle_in_priority_order");
	size_t count = list ? json_object_array_length(list) : 0;
	struct job *jobs = calloc(count + 1, sizeof(*jobs));
	struct maui_throttle_idle *idle = calloc(count + 1, sizeof(*idle));
	bool good = jobs && idle && add_running(run);

	golden_check_known(run->c, run->c->inputs, "inputs",
			   "mode idle_in_priority_order running system");
	golden_check_known(run->c, run->c->expected, "expected", "eligible blocked");
	for (size_t i = 0; good && i < count; i++) {
		json_object *object = json_object_array_get_idx(list, i);

		good = read_job(run, object, false, &jobs[i]);
		idle[i] = (struct maui_throttle_idle){
			.set = jobs[i].set,
			.demand = jobs[i].demand,
			.passed_over = golden_get_bool(object, "held", false),
			.reserved = golden_get_bool(object, "reserved", false)
		};
	}
	if (good) {
		maui_throttle_select(run->throttle, idle, count);
		compare_selection(run->c, jobs, idle, count);
	}
	free(jobs);
	free(idle);
}

/* ---- outstanding use ---- */

static void run_usage(struct run *run)
{
	struct golden_case *c = run->c;

	golden_check_known(c, c->inputs, "inputs", "mode running system");
	golden_check_known(c, c->expected, "expected", "outstanding_ps outstanding_wc");
	if (!add_running(run))
		return;
	golden_expect_number(
		c, c->expected, "outstanding_ps",
		maui_throttle_used(run->throttle, MAUI_LIMITED_SYSTEM, NULL, MAUI_RESOURCE_PS));
	golden_expect_number(
		c, c->expected, "outstanding_wc",
		maui_throttle_used(run->throttle, MAUI_LIMITED_SYSTEM, NULL, MAUI_RESOURCE_WC));
}

void golden_run_throttling(struct golden_case *c)
{
	const char *mode = golden_get_text(c->inputs, "mode");
	struct maui_config *config = golden_config(c);
	struct run run = { .c = c, .config = config };

	if (!config)
		return;
	golden_read_totals(c, config, &run.totals);
	run.throttle = maui_throttle_create(config);
	if (!run.throttle)
		golden_fault(c, "no memory");
	else if (!mode)
		run_check(&run);
	else if (strcmp(mode, "idle_select") == 0)
		run_select(&run);
	else if (strcmp(mode, "usage") == 0)
		run_usage(&run);
	else
		golden_fault(c, "inputs.mode: the runner does not know %s", mode);
	maui_throttle_destroy(run.throttle);
	maui_config_unref(config);
}
