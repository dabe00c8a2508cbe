/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_dump.h - a plan's decisions as text, for property tests to compare */
#ifndef MAUI_TESTSUITE_PROP_DUMP_H
#define MAUI_TESTSUITE_PROP_DUMP_H

#include "base/strbuf.h"
#include "plan/plan.h"
#include "prop_cluster.h"

static inline void prop_dump_places(struct maui_strbuf *out, const struct maui_snapshot *s,
				    const struct maui_place *places, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		maui_strbuf_addf(out, " %u:%u-%d", s->nodes[places[i].node].id, places[i].tasks,
				 (int)places[i].kept);
		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			maui_strbuf_addf(out, ",%d", (int)places[i].amounts[d]);
	}
	maui_strbuf_addf(out, "\n");
}

static inline void prop_dump_verdict(struct maui_strbuf *out, uint64_t id,
				     const struct maui_verdict *v)
{
	maui_strbuf_addf(out, "job %d %u rank %u bypass %u started %u at %lld %d%d%d%d:", (int)id,
			 v->published, v->rank, v->bypass, v->started, (long long)v->estimate_s,
			 v->no_accrual, v->rejected, v->fs_capped, v->active_limit);
	for (const struct maui_block *b = v->blocks; b; b = b->next)
		maui_strbuf_addf(out, " %s", maui_reason_text(b->reason));
	maui_strbuf_addf(out, "\n");
}

static inline void prop_dump_instance(struct maui_strbuf *out, const struct maui_snapshot *s,
				      const struct maui_rsv_instance *i)
{
	maui_strbuf_addf(out, "instance %u.%u %lld-%lld missing %d on", i->rsv, i->ordinal,
			 (long long)i->start_s, (long long)i->end_s, (int)i->missing);
	for (uint32_t p = 0; p < i->place_count; p++)
		maui_strbuf_addf(out, " %u:%d", s->nodes[i->places[p].node].id,
				 (int)i->places[p].tasks);
	maui_strbuf_addf(out, "\n");
}

/* Names jobs and nodes by ids, because indices hold for one snapshot only. */
static inline void prop_dump(struct maui_strbuf *out, const struct maui_snapshot *s,
			     const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];

		maui_strbuf_addf(out, "start %d.%u.%u for %d %d%d%d on",
				 (int)s->idle[start->job].id, start->copy, start->row,
				 (int)start->limit_s, start->backfilled, start->out_of_order,
				 start->preemptible);
		prop_dump_places(out, s, start->places, start->place_count);
	}
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];

		maui_strbuf_addf(out, "reserve %d.%u.%u %lld-%lld on", (int)s->idle[r->job].id,
				 r->copy, r->row, (long long)r->start_s, (long long)r->end_s);
		prop_dump_places(out, s, r->places, r->place_count);
	}
	for (uint32_t i = 0; i < d->preemption_count; i++)
		maui_strbuf_addf(out, "preempt %d for %d\n",
				 (int)s->active[d->preemptions[i].active].id,
				 (int)s->idle[d->preemptions[i].job].id);
	for (uint32_t i = 0; i < d->resume_count; i++)
		maui_strbuf_addf(out, "resume %d\n", (int)s->active[d->resumes[i]].id);
	for (uint32_t i = 0; i < d->instance_count; i++)
		prop_dump_instance(out, s, &d->instances[i]);
	for (uint32_t i = 0; i < d->window_count; i++)
		maui_strbuf_addf(out, "window %lld %d %u\n", (long long)d->windows[i].length_s,
				 (int)d->windows[i].procs, d->windows[i].nodes);
	for (uint64_t id = 1; id <= PROP_IDLE; id++)
		for (uint32_t j = 0; j < s->idle_count; j++)
			if (s->idle[j].id == id)
				prop_dump_verdict(out, id, &d->verdicts[j]);
	maui_strbuf_addf(out, "next %lld\n", (long long)d->next_s);
}

#endif
