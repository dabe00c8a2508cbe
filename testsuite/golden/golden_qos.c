/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_qos.c - cases of the feature "qos": what job_submit/maui makes of each job's request
 *
 * Rules: THR-13.
 */

#include "golden.h"

#include "policy/qos.h"

static void run_job(struct golden_case *c, const struct maui_config *config, json_object *job,
		    json_object *expected)
{
	const char *requested = golden_get_text(job, "requested");
	const char *cred[MAUI_CRED_COUNT] = { NULL };
	bool refused;

	golden_check_known(c, job, "inputs.jobs[]", "user group account class requested");
	golden_check_known(c, expected, "expected.results[]", "qos refused");
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (k != MAUI_CRED_QOS)
			cred[k] = golden_get_text(job, maui_cred_name((enum maui_cred_kind)k));
	refused = requested && !maui_qos_allowed(config, cred, requested);
	if (!requested)
		requested = maui_qos_default(config, cred);
	golden_expect_bool(c, expected, "refused", refused);
	golden_expect_text(c, expected, "qos", refused ? NULL : requested);
}

void golden_run_qos(struct golden_case *c)
{
	json_object *jobs = golden_get(c->inputs, "jobs");
	json_object *results = golden_get(c->expected, "results");
	struct maui_config *config = golden_config(c);
	size_t count;

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs", "jobs");
	golden_check_known(c, c->expected, "expected", "results");
	count = jobs ? json_object_array_length(jobs) : 0;
	if (count == 0 || !results || json_object_array_length(results) != count)
		golden_fault(c, "inputs.jobs and expected.results: not as many, or none");
	else
		for (size_t i = 0; i < count; i++)
			run_job(c, config, json_object_array_get_idx(jobs, i),
				json_object_array_get_idx(results, i));
	maui_config_unref(config);
}
