/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantities.c - what a job asks for, or gets, as limits and priorities count it */

#include "policy/quantities.h"

#include <string.h>

#include "model/gres.h"

/* Adds `count` of a generic resource; one of a type is in the amount of its name as well. */
static void add_gres(const struct maui_config *config, const char *full, double count,
		     struct maui_quantities *sum)
{
	const char *colon = strchr(full, ':');

	if (strcmp(full, "gpu") == 0)
		sum->gpus += count;
	sum->gres += count * maui_config_gres_weight(config, full, colon ? colon + 1 : NULL);
	if (colon) /* what its name has counted already */
		sum->gres -= count * maui_config_gres_weight(config, full, NULL);
}

/* Adds `count` of the snapshot's amount `d`; some amounts count for nothing. */
static void add_amount(const struct maui_config *config, const struct maui_snapshot *s, unsigned d,
		       double count, struct maui_quantities *sum)
{
	const char *gres = maui_gres_name(s, d);

	if (d == MAUI_AMOUNT_PROCS)
		sum->procs += count;
	else if (d == MAUI_AMOUNT_MEM)
		sum->mem_mb += count;
	else if (gres && count > 0)
		add_gres(config, gres, count, sum);
}

void maui_quantities_make(const struct maui_config *config, const struct maui_snapshot *s,
			  const int64_t *amounts, int64_t nodes, struct maui_quantities *ret)
{
	*ret = (struct maui_quantities){ .nodes = (double)nodes };
	for (unsigned d = 0; d < s->amount_count; d++)
		add_amount(config, s, d, (double)amounts[d], ret);
}

void maui_quantities_least(const struct maui_config *config, const struct maui_shape *shape,
			   const struct maui_shape_supply *supply, struct maui_quantities *ret)
{
	int64_t nodes = maui_shape_supply_fewest(shape, supply);

	*ret = (struct maui_quantities){ .nodes = (double)nodes };
	for (unsigned d = 0; nodes > 0 && d < shape->snapshot->amount_count; d++)
		add_amount(config, shape->snapshot, d, maui_shape_least(shape, supply, nodes, d),
			   ret);
}

static double amount(const int64_t *amounts, unsigned d)
{
	return amounts ? (double)amounts[d] : 0;
}

void maui_quantities_ask(const struct maui_config *config, const struct maui_snapshot *s,
			 const struct maui_request *r, int64_t procs, int64_t nodes,
			 int64_t limit_s, struct maui_job *ret)
{
	struct maui_quantities sum = { .procs = (double)procs, .nodes = (double)nodes };
	double tasks = (double)maui_request_task_count(r);

	for (unsigned d = MAUI_AMOUNT_MEM; d < s->amount_count; d++) {
		double asked = amount(r->per_job, d);

		if (asked == 0)
			asked = amount(r->per_node, d) * sum.nodes +
				amount(r->per_task, d) * tasks + amount(r->per_proc, d) * sum.procs;
		add_amount(config, s, d, asked, &sum);
	}
	*ret = (struct maui_job){ .walltime_s = (double)limit_s };
	maui_job_raise(ret, &sum);
}
