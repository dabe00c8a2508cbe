/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_accrual.c - cases of the feature "accrual": the queue time after some iterations
 *
 * Rules: PRIO-10.
 */

#include "golden.h"

#include "policy/accrual.h"

static int64_t iterate(struct golden_case *c, enum maui_accrual policy, json_object *iteration,
		       int64_t stamp, int64_t before)
{
	struct maui_accrual_state state = {
		.held = golden_get_bool(iteration, "held", false),
		.dependent = golden_get_bool(iteration, "dependent", false),
		.limit = golden_get_bool(iteration, "limit", false),
		.class_disabled = golden_get_bool(iteration, "class_disabled", false),
		.rejected = golden_get_bool(iteration, "rejected", false),
		.fs_capped = golden_get_bool(iteration, "fs_capped", false),
		.active_limit = golden_get_bool(iteration, "active_limit", false),
	};

	golden_check_known(c, iteration, "inputs.iterations[]",
			   "now held dependent limit class_disabled rejected fs_capped "
			   "active_limit");
	return maui_accrual_stamp(policy, &state, stamp, before,
				  golden_get_int(iteration, "now", 0));
}

void golden_run_accrual(struct golden_case *c)
{
	json_object *iterations = golden_get(c->inputs, "iterations");
	int64_t stamp = golden_get_int(c->inputs, "submit", 0), before = stamp;
	struct maui_config *config = golden_config(c);

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs", "submit iterations start now");
	golden_check_known(c, c->expected, "expected", "effqtime");
	for (size_t i = 0; iterations && i < json_object_array_length(iterations); i++) {
		json_object *iteration = json_object_array_get_idx(iterations, i);

		stamp = iterate(c, maui_accrual_policy(config), iteration, stamp, before);
		before = golden_get_int(iteration, "now", 0);
	}
	golden_expect_int(c, c->expected, "effqtime",
			  maui_accrual_queue_time(stamp, golden_get_int(c->inputs, "start", 0),
						  golden_get_int(c->inputs, "now", 0)));
	maui_config_unref(config);
}
