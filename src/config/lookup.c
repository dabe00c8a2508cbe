/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lookup.c - how policies look up values in a configuration
 *
 * Rules: CFG-4.
 */

#include "config/config.h"

#include <string.h>

const struct maui_cred_config *maui_config_cred(const struct maui_config *config,
						enum maui_cred_kind kind, const char *name)
{
	return maui_creds_find(&config->creds[kind], kind, name);
}

unsigned maui_config_named(const struct maui_config *config, const char *const *cred)
{
	unsigned named = 0;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (cred[k] && *cred[k] &&
		    maui_config_cred(config, (enum maui_cred_kind)k, cred[k]) !=
			    &config->creds[k].unnamed)
			named |= 1u << k;
	return named;
}

bool maui_config_is_preemptor(const struct maui_planning_config *planning, uint64_t qos_flags)
{
	return planning->backfill_policy == MAUI_BACKFILL_PREEMPT ||
	       (qos_flags >> MAUI_QOS_PREEMPTOR & 1);
}

bool maui_config_preempts(const struct maui_config *config)
{
	const struct maui_creds *qos = &config->creds[MAUI_CRED_QOS];
	bool preempts = maui_config_is_preemptor(&config->planning, 0);

	for (size_t i = 0; i < qos->count; i++)
		preempts |= maui_config_is_preemptor(&config->planning, qos->list[i].flags);
	for (size_t i = 0; i < config->rsv_count; i++)
		preempts |= maui_rsv_has(&config->rsvs[i], MAUI_RSV_OWNERPREEMPT);
	return preempts;
}

static const struct maui_partition_config *find_partition(const struct maui_config *config,
							  const char *name)
{
	for (size_t i = 0; name && i < config->partition_count; i++)
		if (strcmp(config->partitions[i].name, name) == 0)
			return &config->partitions[i];
	return NULL;
}

const struct maui_planning_config *maui_config_planning(const struct maui_config *config,
							const char *partition)
{
	const struct maui_partition_config *own = find_partition(config, partition);

	return own ? &own->planning : &config->planning;
}

const struct maui_priority_config *maui_config_priority(const struct maui_config *config,
							const char *partition)
{
	const struct maui_partition_config *own = find_partition(config, partition);

	return own ? &own->priority : &config->priority;
}
