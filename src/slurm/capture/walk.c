/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk.c - walks over a job's nodes and finds its cores on each */

#include "slurm/capture/walk.h"

static bool any_in(bitstr_t *bitmap, int64_t from, int64_t end)
{
	return bit_set_count_range(bitmap, (int32_t)from, (int32_t)end) > 0;
}

/* Ranges of twice the length each time until one has a bit, then the half that has the first. */
int64_t maui_cluster_next_bit(bitstr_t *bitmap, int64_t from, int64_t end)
{
	int64_t length = 1, to = from + 1;

	while (from < end && !any_in(bitmap, from, to)) {
		length *= 2;
		from = to;
		to = from + length < end ? from + length : end;
	}
	while (from < end && to - from > 1) {
		int64_t middle = from + (to - from) / 2;

		if (any_in(bitmap, from, middle))
			to = middle;
		else
			from = middle;
	}
	return from < end ? from : -1;
}

bool maui_cluster_has(const void *array, size_t elements, size_t size)
{
	return array && xsize((void *)array) / size >= elements;
}

static void next_cores(const job_resources_t *res, struct maui_cluster_step *step)
{
	size_t runs = step->run + (size_t)1;

	step->from += step->cores;
	step->cores = 0;
	if (!res->core_bitmap ||
	    !maui_cluster_has(res->sock_core_rep_count, runs, sizeof(*res->sock_core_rep_count)) ||
	    !maui_cluster_has(res->sockets_per_node, runs, sizeof(*res->sockets_per_node)) ||
	    !maui_cluster_has(res->cores_per_socket, runs, sizeof(*res->cores_per_socket)))
		return;
	if (step->left == 0)
		step->left = res->sock_core_rep_count[step->run];
	step->cores = (int64_t)res->sockets_per_node[step->run] * res->cores_per_socket[step->run];
	if (step->left > 0 && --step->left == 0)
		step->run++;
}

bool maui_cluster_walk(const job_resources_t *res, struct maui_cluster_step *step)
{
	if (step->count >= res->nhosts)
		return false;
	/* many a job has one node only: that one is found a word at a time */
	step->index = step->count == 0 ? bit_ffs(res->node_bitmap) :
					 maui_cluster_next_bit(res->node_bitmap, step->index + 1,
							       bit_size(res->node_bitmap));
	if (step->index < 0)
		return false;
	step->place = step->count++;
	next_cores(res, step);
	return true;
}
