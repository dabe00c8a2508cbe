/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_job.c - jobs and machines of cases: what limits and priorities count */

#include "golden.h"

#include <string.h>

/* GPUs without a type, and "gres": {"gpu:a100": count}, by their weights. */
static double weigh_gres(const struct maui_config *config, json_object *object)
{
	json_object *named = golden_get(object, "gres");
	double sum =
		golden_get_number(object, "gpu", 0) * maui_config_gres_weight(config, "gpu", NULL);

	if (!json_object_is_type(named, json_type_object))
		return sum;
	json_object_object_foreach(named, full, count)
	{
		const char *colon = strchr(full, ':');

		sum += json_object_get_double(count) *
		       maui_config_gres_weight(config, full, colon ? colon + 1 : NULL);
	}
	return sum;
}

static bool is_number(json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

void golden_read_job(const struct maui_config *config, json_object *in, struct maui_job *ret)
{
	double tasks = golden_get_number(in, "tasks", 1);

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		ret->cred[k] = golden_get_text(in, maui_cred_name((enum maui_cred_kind)k));
	ret->procs = tasks * golden_get_number(in, "procs_per_task", 1);
	ret->mem_mb = tasks * golden_get_number(in, "mem", 0);
	ret->swap_mb = tasks * golden_get_number(in, "swap", 0);
	ret->disk_mb = tasks * golden_get_number(in, "disk", 0);
	ret->gpus = tasks * golden_get_number(in, "gpu", 0);
	ret->gres = tasks * weigh_gres(config, in);
#define READ(name, what)                      \
	if (is_number(golden_get(in, #name))) \
		ret->name = golden_get_number(in, #name, 0);
	MAUI_JOB_QUANTITIES(READ)
	ret->walltime_s = golden_get_number(in, "wclimit", 0);
	ret->elapsed_s = golden_get_number(in, "elapsed", 0);
}

void golden_read_totals(struct golden_case *c, const struct maui_config *config,
			struct maui_totals *ret)
{
	json_object *system = golden_get(c->inputs, "system");

	golden_check_known(c, system, "inputs.system", "procs mem swap disk gpu gres");
	ret->procs = golden_get_number(system, "procs", 0);
	ret->mem_mb = golden_get_number(system, "mem", 0);
	ret->swap_mb = golden_get_number(system, "swap", 0);
	ret->disk_mb = golden_get_number(system, "disk", 0);
	ret->gres = weigh_gres(config, system);
}
