/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - generic resources, and how many of them no job has */

#include "answers/gres.h"

#include <stdlib.h>

#include "model/gres.h"
#include "plan/finished.h"

int64_t *maui_gres_sums(const struct maui_snapshot *s)
{
	int64_t *total = calloc(2 * (size_t)s->amount_count + 1, sizeof(*total)), *held;

	if (!total)
		return NULL;
	held = total + s->amount_count;
	for (uint32_t n = 0; n < s->node_count; n++)
		for (unsigned d = 0; d < s->amount_count; d++)
			if (s->nodes[n].have[d] < MAUI_GRES_UNCOUNTED)
				total[d] += s->nodes[n].have[d];
	for (uint32_t a = 0; a < s->active_count; a++)
		for (uint32_t i = 0; i < s->active[a].piece_count; i++)
			for (unsigned d = 0; d < s->amount_count; d++)
				held[d] += s->active[a].pieces[i].amounts[d];
	return total;
}

int maui_gres_list(const struct maui_question *q, const int64_t *total, const int64_t *used,
		   const struct maui_gres **ret, size_t *ret_count)
{
	const struct maui_snapshot *s = q->document->plan->snapshot;
	struct maui_gres *list = maui_question_alloc(q, s->amount_count, sizeof(*list));
	size_t count = 0;

	if (!list)
		return -1;
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (maui_gres_name(s, d) && total[d] > 0 && total[d] < MAUI_GRES_UNCOUNTED)
			list[count++] = (struct maui_gres){
				.name = maui_gres_name(s, d),
				.total = total[d],
				.unused = total[d] > used[d] ? total[d] - used[d] : 0,
			};
	*ret = list;
	*ret_count = count;
	return 0;
}

int maui_gres_list_all(const struct maui_question *q, const struct maui_gres **ret,
		       size_t *ret_count)
{
	const struct maui_document *p = q->document;
	int64_t *total;
	int rc;

	*ret = NULL;
	*ret_count = 0;
	if (!p->plan || maui_document_hides_nodes(p, q->uid))
		return 0;
	total = maui_gres_sums(p->plan->snapshot);
	if (!total) {
		maui_question_no_memory(q);
		return -1;
	}
	rc = maui_gres_list(q, total, total + p->plan->snapshot->amount_count, ret, ret_count);
	free(total);
	return rc;
}
