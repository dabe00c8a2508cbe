/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.c - the options of a job that maui fits asks about */

#include "verbs/fits.h"

#include "model/options.h"

void maui_fits_options(const struct maui_fits_args *args, struct maui_job_options *ret)
{
	*ret = (struct maui_job_options){
		.nodes = args->nodes,
		.nodes_max = args->nodes_max,
		.tasks = args->tasks,
		.cpus_per_task = args->cpus_per_task,
		.whole_nodes = args->whole_nodes,
		.memory_named = args->memory != NULL,
		.mem = args->memory ? args->memory->mem : 0,
		.mem_per_cpu = args->memory ? args->memory->mem_per_cpu : 0,
		.features = args->features,
	};
}
