/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_priority.c - cases of the feature "priority"
 *
 * Rules: PRIO-1, PRIO-2, PRIO-3, PRIO-4, PRIO-5, PRIO-6, PRIO-7, PRIO-8, PRIO-9, PRIO-11,
 * PRIO-12, PRIO-13.
 */

#include "golden.h"

#include <string.h>
#include <strings.h>

#include "policy/fairshare.h"
#include "policy/priority.h"

static void read_job(struct golden_case *c, const struct maui_config *config, struct maui_job *job)
{
	json_object *in = golden_get(c->inputs, "job");
	json_object *use = golden_get(c->inputs, "user_usage");
	const char *state = golden_get_text(in, "state");

	golden_read_job(config, in, job);
	job->queue_time_s = golden_get_number(in, "effqtime", 0);
	job->bypass = golden_get_number(in, "bypass", 0);
	job->active = state && strcasecmp(state, "running") == 0;
	job->soft_violation = golden_get_bool(in, "spviolation", false);
	job->class_fallback = golden_get_number(in, "class_priority", 0);
	job->system_priority = (int32_t)golden_get_int(in, "sysprio", 0);
	job->system_priority_relative = (int32_t)golden_get_int(in, "sysprio_relative", 0);
	job->user_procs = golden_get_number(use, "procs", 0);
	job->user_jobs = golden_get_number(use, "jobs", 0);
}

/* A credential without a percentage has the sub value 0. */
static void read_fs_percent(struct golden_case *c, const struct maui_config *config,
			    const struct maui_priority_creds *creds, struct maui_job *job)
{
	json_object *percent = golden_get(c->inputs, "fs_percent");

	if (!percent)
		return;
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		const char *kind = maui_cred_name((enum maui_cred_kind)k);

		if (golden_get(percent, kind))
			job->fs_delta[k] =
				maui_fairshare_delta(config, creds->cred[k]->fstarget,
						     golden_get_number(percent, kind, 0));
	}
}

static void check_fields(struct golden_case *c)
{
	golden_check_known(c, c->inputs, "inputs", "job system fs_percent user_usage");
	golden_check_known(c, golden_get(c->inputs, "job"), "inputs.job",
			   GOLDEN_JOB " effqtime bypass state spviolation class_priority sysprio "
				      "sysprio_relative");
	golden_check_known(c, golden_get(c->inputs, "fs_percent"), "inputs.fs_percent",
			   "user group account qos class");
	golden_check_known(c, golden_get(c->inputs, "user_usage"), "inputs.user_usage",
			   "procs jobs");
	golden_check_known(c, c->expected, "expected", "factors components raw priority rejected");
	golden_check_known(c, golden_get(c->expected, "components"), "expected.components",
			   "serv targ cred fs res usage");
}

/* Exactly the factors with a weight are listed. */
static void compare_factors(struct golden_case *c, const struct maui_priority *got)
{
	json_object *factors = golden_get(c->expected, "factors");
	int listed = 0;

	if (!factors)
		return;
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		const char *name = maui_factor_name((enum maui_factor)f);
		bool expected = json_object_object_get_ex(factors, name, NULL);

		listed += expected;
		if (expected != (got->weight[f] != 0))
			golden_fault(c, "factors: %s has %s weight, expected %s", name,
				     expected ? "no" : "a", expected ? "one" : "none");
		else
			golden_expect_number(c, factors, name, got->factor[f]);
	}
	if (listed != json_object_object_length(factors))
		golden_fault(c, "factors: unknown names among %s",
			     json_object_to_json_string(factors));
}

static void compare(struct golden_case *c, const struct maui_priority *got)
{
	static const char *const names[MAUI_COMP_COUNT] = {
		[MAUI_COMP_SERV] = "serv", [MAUI_COMP_TARG] = "targ", [MAUI_COMP_CRED] = "cred",
		[MAUI_COMP_FS] = "fs",     [MAUI_COMP_RES] = "res",   [MAUI_COMP_USAGE] = "usage",
	};
	json_object *components = golden_get(c->expected, "components");

	compare_factors(c, got);
	for (int comp = 0; components && comp < MAUI_COMP_COUNT; comp++)
		golden_expect_number(c, components, names[comp], got->component[comp]);
	golden_expect_number(c, c->expected, "raw", got->raw);
	golden_expect_number(c, c->expected, "priority", got->value);
	golden_expect_bool(c, c->expected, "rejected", got->rejected);
}

void golden_run_priority(struct golden_case *c)
{
	struct maui_config *config = golden_config(c);
	struct maui_priority_creds creds;
	struct maui_priority got;
	struct maui_totals totals;
	struct maui_job job = { 0 };

	if (!config)
		return;
	check_fields(c);
	golden_read_totals(c, config, &totals);
	read_job(c, config, &job);
	maui_priority_resolve(config, job.cred, &creds);
	read_fs_percent(c, config, &creds, &job);
	maui_priority_compute(config, &totals, &creds, &job, &got);
	compare(c, &got);
	maui_config_unref(config);
}
