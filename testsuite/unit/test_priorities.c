/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_priorities.c - what diagnose -p is told, of a saved plan
 *
 * Rules: CMD-9, CMD-30.
 */

#include "answers/answer.h"

#include <math.h>
#include <string.h>

#include "diagnosed.h"
#include "plan/finished.h"
#include "verbs/priorities.h"

TestSuite(priorities, .init = begin_diagnosed, .fini = end_diagnosed);

/* The answer; NULL with error. */
static json_object *ask_document(const struct maui_document *document, int64_t id, uid_t uid,
				 struct maui_query_error *error)
{
	const struct maui_priorities_args args = { .job = id };

	return ask_verb(&maui_verb_priorities, maui_answer_priorities, document, uid, &args, error);
}

static json_object *ask(int64_t id, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *result = ask_document(p, id, uid, &error);

	cr_assert(result, "%s", error.err.text);
	return result;
}

static size_t count_jobs(uid_t uid)
{
	json_object *result = ask(0, uid);
	size_t count = json_object_array_length(member(result, "jobs"));

	json_object_put(result);
	return count;
}

/* The name of a value of the jobs' rows. */
static const char *column_name(json_object *result, size_t column)
{
	return json_object_get_string(
		json_object_array_get_idx(member(result, "job_columns"), column));
}

static size_t count_columns(json_object *result)
{
	return json_object_array_length(member(result, "job_columns"));
}

/* A job's value. */
static json_object *cell(json_object *result, size_t row, const char *column)
{
	json_object *values = json_object_array_get_idx(member(result, "jobs"), row);

	cr_assert(json_object_array_length(values) == count_columns(result));
	for (size_t i = 0; i < count_columns(result); i++)
		if (strcmp(column_name(result, i), column) == 0)
			return json_object_array_get_idx(values, i);
	cr_assert_fail("no column %s", column);
	return NULL;
}

/* The sum of a list of a job's numbers. */
static double sum(json_object *result, size_t row, const char *column)
{
	json_object *numbers = cell(result, row, column);
	double total = 0;

	for (size_t i = 0; i < json_object_array_length(numbers); i++)
		total += json_object_get_double(json_object_array_get_idx(numbers, i));
	return total;
}

/* A job's number by the name of the weight that stands at the same place. */
static double at_weight(json_object *result, size_t row, const char *column, const char *weights,
			const char *wanted)
{
	size_t i = 0;

	json_object_object_foreach(member(result, weights), name, weight)
	{
		(void)weight;
		if (strcmp(name, wanted) == 0)
			return json_object_get_double(
				json_object_array_get_idx(cell(result, row, column), i));
		i++;
	}
	cr_assert_fail("no %s", wanted);
	return 0;
}

Test(priorities, each_job_is_calculated_as_the_cycle_ranked_it)
{
	const struct maui_plan *plan = p->plan;

	for (uint32_t j = 0; j < plan->snapshot->idle_count; j++) {
		struct maui_priority priority;

		if (plan->snapshot->idle[j].priority_given)
			continue;
		maui_plan_job_priority(plan, j, &priority);
		cr_expect(priority.value == plan->decisions.verdicts[j].priority,
			  "job %u: %.17g, ranked by %.17g", (unsigned)plan->snapshot->idle[j].id,
			  priority.value, plan->decisions.verdicts[j].priority);
	}
}

Test(priorities, contributions_sum_to_the_priority)
{
	json_object *result = ask(0, 0), *jobs = member(result, "jobs");

	cr_assert(json_object_array_length(jobs) > 0);
	for (size_t i = 0; i < json_object_array_length(jobs); i++) {
		double components = sum(result, i, "components");
		int64_t priority = json_object_get_int64(cell(result, i, "priority"));

		cr_expect(fabs(components - sum(result, i, "contributions")) < 1e-9);
		if (json_object_get_int64(cell(result, i, "system_priority")) == 0 &&
		    !json_object_get_boolean(cell(result, i, "given")))
			cr_expect((int64_t)fmax(components, 1) == priority, "%g, %lld", components,
				  (long long)priority);
	}
	json_object_put(result);
}

Test(priorities, jobs_are_in_the_order_of_the_queue)
{
	static const int64_t order[] = { 203, 207, 204, 201, 202, 205 };
	json_object *result = ask(0, 0), *jobs = member(result, "jobs");

	cr_assert(json_object_array_length(jobs) == sizeof(order) / sizeof(order[0]));
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		cr_expect(json_object_get_int64(cell(result, i, "id")) == order[i]);
	json_object_put(result);
}

Test(priorities, only_factors_with_a_weight_are_shown)
{
	json_object *result = ask(0, 0), *weights = member(result, "factor_weights"), *none;

	cr_expect(json_object_object_length(weights) == 5);
	cr_expect(json_object_get_double(member(weights, "FSUSER")) == 5);
	cr_expect(!json_object_object_get_ex(weights, "GROUP", &none));
	cr_expect(json_object_array_length(cell(result, 0, "components")) == 3);
	cr_expect(json_object_array_length(cell(result, 0, "values")) == 5);
	cr_expect(json_object_array_length(cell(result, 0, "contributions")) == 5);
	cr_expect(!json_object_object_get_ex(member(result, "component_weights"), "RES", &none));
	json_object_put(result);
}

Test(priorities, fairshare_is_that_of_the_cycle)
{
	json_object *result = ask(201, 0);

	/* ann has used 75 % and her target is 25 */
	cr_expect(at_weight(result, 0, "values", "factor_weights", "FSUSER") == -50);
	cr_expect(at_weight(result, 0, "components", "component_weights", "FS") == -250);
	json_object_put(result);
}

Test(priorities, a_blocked_job_is_shown_when_it_is_named)
{
	json_object *result = ask(206, 0);

	cr_expect(json_object_array_length(member(result, "jobs")) == 1);
	json_object_put(result);
}

Test(priorities, private_data_hides_the_jobs_of_others)
{
	struct maui_query_error error = { 0 };
	size_t all = count_jobs(DIAGNOSE_ANN);

	p->privacy.hide_jobs = true;
	cr_expect(count_jobs(0) == all && count_jobs(DIAGNOSE_ADMIN) == all);
	cr_expect(count_jobs(DIAGNOSE_ANN) == 2);
	cr_expect(count_jobs(4711) == 0);
	cr_expect(!ask_document(p, 203, DIAGNOSE_ANN, &error));
	cr_expect(error.code == MAUI_QUERY_NOT_FOUND);
}

Test(priorities, before_the_first_plan_the_answer_is_to_try_again)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(!ask_document(none, 0, 0, &error));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}
