/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos.c - the QOS of the cluster, which maui.cfg gives their meaning */

#include "world.h"

enum { KINDS = 3 };

static slurmdb_qos_rec_t kinds[KINDS] = {
	{ .id = 1, .name = "low" },
	{ .id = 2, .name = "normal" },
	{ .id = 3, .name = "high" },
};

void world_qos_ask(job_record_t *job_ptr)
{
	slurmdb_qos_rec_t *qos = &kinds[world_random(KINDS)];

	if (!world.plan.qos)
		return;
	job_ptr->qos_ptr = qos;
	job_ptr->qos_id = qos->id;
}
