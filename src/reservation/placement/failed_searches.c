/* SPDX-License-Identifier: GPL-2.0-or-later */
/* failed_searches.c - searches that found too little:
 * until something is given back a like one finds
 * nothing, or, where nothing was put, no more
 */

#include <string.h>

#include "reservation/placement/private.h"

static struct maui_standing_question *find(const struct maui_standing_placer *p,
					   const struct maui_standing_question *q)
{
	for (size_t i = 0; i < p->vain_count; i++) {
		struct maui_standing_question *v = &p->vain[i];

		if (v->set == q->set && v->from == q->from && v->until == q->until &&
		    v->jobs == q->jobs && v->rsvs == q->rsvs && v->whole == q->whole &&
		    v->alone == q->alone && v->by_user == q->by_user &&
		    v->task.procs == q->task.procs && v->task.mem_mb == q->task.mem_mb &&
		    v->task.disk_mb == q->task.disk_mb)
			return v;
	}
	return NULL;
}

int64_t maui_standing_vain(const struct maui_standing_placer *p,
			   const struct maui_standing_question *q)
{
	const struct maui_standing_question *v = find(p, q);

	return v ? v->most : MAUI_NEVER;
}

int maui_standing_note_vain(struct maui_standing_placer *p, const struct maui_standing_question *q)
{
	struct maui_standing_question *v = find(p, q);

	if (v) {
		*v = *q;
		return 0;
	}
	if (p->vain_count == p->vain_alloc) {
		size_t alloc = p->vain_alloc ? p->vain_alloc * 2 : 16;
		struct maui_standing_question *grown =
			maui_arena_alloc(p->arena, alloc * sizeof(*grown));

		if (!grown)
			return -1;
		if (p->vain_count > 0)
			memcpy(grown, p->vain, p->vain_count * sizeof(*grown));
		p->vain = grown;
		p->vain_alloc = alloc;
	}
	p->vain[p->vain_count++] = *q;
	return 0;
}
