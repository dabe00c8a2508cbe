/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time_limit.c - the time limit of a job that names none */

#include "policy/time_limit.h"

#include "config/config.h"
#include "model/snapshot.h"

static int64_t of_class(const struct maui_config *config, const char *class)
{
	return maui_config_cred(config, MAUI_CRED_CLASS, class)->default_walltime_s;
}

int64_t maui_time_limit_of(const struct maui_config *config, const char *class, bool named,
			   int64_t slurm_s)
{
	if (!named && of_class(config, class) > 0)
		return of_class(config, class);
	return slurm_s > 0 ? slurm_s : config->default_walltime_s;
}

struct maui_time_limit maui_time_limit_in(const struct maui_config *config,
					  const struct maui_partition *partition, int64_t asked_s)
{
	bool named = asked_s > 0, given = named && asked_s != MAUI_NEVER;
	int64_t usual_s =
		partition->default_limit_s ? partition->default_limit_s : partition->max_limit_s;
	int64_t slurm_s = given ? asked_s : named ? 0 : usual_s;
	struct maui_time_limit limit = { .seconds = maui_time_limit_of(config, partition->name,
								       named, slurm_s) };

	if (given)
		return limit;
	if (!named && of_class(config, partition->name) > 0)
		limit.from = "DEFAULT.WCLIMIT";
	else if (slurm_s > 0)
		limit.from = partition->default_limit_s ? "DefaultTime" : "MaxTime";
	else
		limit.from = "SYSTEMDEFAULTJOBWALLTIME";
	return limit;
}
