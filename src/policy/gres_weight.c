/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres_weight.c - how much generic resources count: GRESCFG WEIGHT; what a request counts */

#include "policy/gres_weight.h"

#include <string.h>

#include "base/limits.h"
#include "model/gres.h"

void maui_gres_weigh(const struct maui_config *config, const struct maui_snapshot *s, unsigned d,
		     double count, struct maui_job *job)
{
	const char *full = maui_gres_name(s, d), *type;
	char name[MAUI_NAME_MAX + 1];
	size_t length;

	if (!full || count == 0)
		return;
	length = strcspn(full, ":");
	if (length >= sizeof(name))
		return;
	memcpy(name, full, length);
	name[length] = '\0';
	type = full[length] ? full + length + 1 : NULL;
	if (!type && strcmp(name, "gpu") == 0)
		job->gpus += count;
	job->gres += count * maui_config_gres_weight(config, name, type);
	if (type) /* what its name has counted already */
		job->gres -= count * maui_config_gres_weight(config, name, NULL);
}

/* What the request asks for, on so many nodes, of the snapshot's amount `d`. */
static double asked_for(const struct maui_request *r, unsigned d, double nodes)
{
	return (r->per_node ? (double)r->per_node[d] * nodes : 0) +
	       (r->per_task ? (double)r->per_task[d] * (double)maui_request_task_count(r) : 0);
}

void maui_request_count(const struct maui_config *config, const struct maui_snapshot *s,
			const struct maui_request *r, int64_t procs, int64_t nodes, int64_t limit_s,
			struct maui_job *ret)
{
	const double on_nodes = (double)nodes;

	*ret = (struct maui_job){ .procs = (double)procs,
				  .nodes = on_nodes,
				  .walltime_s = (double)limit_s };
	if (r->per_node && s->amount_count > MAUI_AMOUNT_MEM)
		ret->mem_mb += (double)r->per_node[MAUI_AMOUNT_MEM] * on_nodes;
	if (r->per_proc && s->amount_count > MAUI_AMOUNT_MEM)
		ret->mem_mb += (double)r->per_proc[MAUI_AMOUNT_MEM] * (double)procs;
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		maui_gres_weigh(config, s, d, asked_for(r, d, on_nodes), ret);
}
