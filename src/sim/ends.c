/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ends.c - a binary heap by time, then by job */

#include "sim/ends.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/need.h"
#include "model/when.h"

static bool is_before(const struct maui_sim_end *a, const struct maui_sim_end *b)
{
	return a->at != b->at ? a->at < b->at : a->job < b->job;
}

void maui_sim_ends_add(struct maui_sim_ends *ends, int64_t at, uint64_t job)
{
	const struct maui_sim_end added = { at, job };
	struct maui_sim_end *heap =
		maui_need_more(ends->heap, ends->count, &ends->alloc, sizeof(*heap));
	size_t i = ends->count;

	ends->heap = heap;
	ends->count++;
	for (; i > 0 && is_before(&added, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = added;
}

int64_t maui_sim_ends_next(const struct maui_sim_ends *ends)
{
	return ends->count > 0 ? ends->heap[0].at : MAUI_NEVER;
}

uint64_t maui_sim_ends_take(struct maui_sim_ends *ends)
{
	struct maui_sim_end *heap = ends->heap, last = heap[--ends->count];
	uint64_t job = heap[0].job;
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < ends->count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (child >= ends->count || !is_before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return job;
}

void maui_sim_ends_finish(struct maui_sim_ends *ends)
{
	free(ends->heap);
	*ends = (struct maui_sim_ends){ 0 };
}
