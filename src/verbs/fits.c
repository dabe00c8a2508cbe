/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.c - the verb "fits" */

#include "verbs/fits.h"

#include "model/options.h"

MAUI_RECORD_TYPE(maui_fits_memory, MAUI_FITS_MEMORY_FIELDS);
MAUI_RECORD_TYPE(maui_fits_args, MAUI_FITS_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_fits_window, MAUI_FITS_WINDOW_FIELDS);
MAUI_RECORD_TYPE(maui_fits_shape, MAUI_FITS_SHAPE_FIELDS);
MAUI_RECORD_TYPE(maui_fits_graph, MAUI_FITS_GRAPH_FIELDS);
MAUI_RECORD_TYPE(maui_fits_partition, MAUI_FITS_PARTITION_FIELDS);
MAUI_RECORD_TYPE(maui_fits_reservation, MAUI_FITS_RESERVATION_FIELDS);
MAUI_RECORD_TYPE(maui_fits_known, MAUI_FITS_KNOWN_FIELDS);
MAUI_RECORD_TYPE(maui_fits, MAUI_FITS_FIELDS);

MAUI_VERB(fits, ALL, &maui_fits_args_type, &maui_fits_type,
	  "what is free for a user, and when a job of a certain shape could start");

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
