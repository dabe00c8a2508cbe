/* SPDX-License-Identifier: GPL-2.0-or-later */
/* publish_jobs.c - what squeue shows of jobs that did not start */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "base/hash.h"
#include "explain/text.h"
#include "slurm/hold.h"
#include "slurm/publish/jobs.h"

enum {
	CENSUS_MAX_US = 20000, /* counting nodes by reason is a luxury: the first jobs get it */
	KEEPERS_MAX = 3,       /* reservations that a reason names */
	ROUND_S = 60,          /* what moves by seconds with the clock is not written every
				  second */
};

struct telling {
	struct maui_iteration *it;
	struct maui_job_notice *tells;
	const struct maui_reservation **reserved; /* of each idle job; NULL: none */
	int64_t began_us;
	uint32_t counts[MAUI_REASON_COUNT];
};

static bool index_reservations(struct telling *t)
{
	const struct maui_decisions *d = &t->it->sched->decisions;

	t->reserved = maui_arena_alloc(
		&t->it->arena, (d->verdict_count + 1u) * sizeof(const struct maui_reservation *));
	if (!t->reserved)
		return false;
	for (uint32_t i = d->reservation_count; i-- > 0;)
		t->reserved[d->reservations[i].job] = &d->reservations[i];
	return true;
}

/* Where nodes are the reason, how many and why; NULL: not asked. */
static const uint32_t *count_nodes(struct telling *t, uint32_t job)
{
	const struct maui_verdict *verdict = &t->it->sched->decisions.verdicts[job];
	const struct maui_block *block = verdict->blocks;

	if (!block || maui_hold_clock_us() - t->began_us > CENSUS_MAX_US)
		return NULL;
	if (block->reason != MAUI_REASON_RESOURCES && block->reason != MAUI_REASON_RESERVED &&
	    block->reason != MAUI_REASON_NEVER_FITS && block->reason != MAUI_REASON_NODES_DOWN)
		return NULL;
	return maui_plan_census(t->it->sched->planner, job, 0, t->counts) ? NULL : t->counts;
}

/* "maint, demo": reservations that keep nodes from it. NULL: none. */
static const char *name_keepers(struct telling *t, uint32_t job, const uint32_t *counts)
{
	struct maui_strbuf names = { 0 };
	const char *list[KEEPERS_MAX], *text = NULL;
	uint32_t count;

	if (!counts || counts[MAUI_REASON_NODE_CLAIMED] == 0)
		return NULL;
	count = maui_plan_keepers(t->it->sched->planner, job, 0, list, KEEPERS_MAX);
	for (uint32_t i = 0; i < count; i++)
		maui_strbuf_addf(&names, "%s%s", i ? ", " : "", list[i]);
	if (names.length > 0 && !names.failed)
		text = maui_arena_strdup(&t->it->arena, names.text);
	maui_strbuf_finish(&names);
	return text;
}

/* A start that is overdue moves on with the clock. */
static int64_t round_estimate(int64_t start_s, int64_t now_s)
{
	if (start_s == MAUI_NEVER)
		return 0;
	return start_s < now_s + ROUND_S ? (now_s / ROUND_S + 2) * ROUND_S : start_s;
}

static void tell_nodes(struct telling *t, const struct maui_reservation *r,
		       struct maui_job_notice *tell)
{
	const struct maui_snapshot *s = t->it->cluster.snapshot;
	uint32_t *nodes = maui_arena_alloc(&t->it->arena, (r->place_count + 1u) * sizeof(*nodes));

	if (!nodes)
		return;
	for (uint32_t i = 0; i < r->place_count; i++)
		nodes[i] = s->nodes[r->places[i].node].id;
	tell->nodes = nodes;
	tell->node_count = r->place_count;
}

/* Whether the log has had these reasons of the job already. */
static bool is_news(struct maui_controller *c, uint32_t job_id, const char *text)
{
	uint64_t hash = maui_hash_text(text, 0);
	struct maui_job_history *history;
	bool news = false;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	if (history) {
		news = history->reasons != hash;
		history->reasons = hash;
	}
	slurm_mutex_unlock(&c->lock);
	return news;
}

/* DebugFlags=Backfill: every reason, a line each, when they are others than last time.
 * Without conf READ, as all of Slurm looks at these flags: at worst some lines are missing. */
static void log_reasons(struct telling *t, uint32_t job, const struct maui_explain_nodes *nodes)
{
	const struct maui_verdict *verdict = &t->it->sched->decisions.verdicts[job];
	uint32_t job_id = t->it->waiting[job].job_id;
	struct maui_strbuf all = { 0 };
	char *rest = NULL;

	if (!(slurm_conf.debug_flags & DEBUG_FLAG_BACKFILL))
		return;
	if (maui_explain_all(verdict, nodes, &all) == 0 && all.text &&
	    is_news(t->it->c, job_id, all.text))
		for (char *line = strtok_r(all.text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			info("slurm-maui: JobId=%u waits: %s", job_id, line);
	maui_strbuf_finish(&all);
}

static void tell_one(struct telling *t, uint32_t job, struct maui_job_notice *tell)
{
	struct maui_iteration *it = t->it;
	const struct maui_verdict *verdict = &it->sched->decisions.verdicts[job];
	const struct maui_waiting *waiting = &it->waiting[job];
	const struct maui_reservation *r = t->reserved[job];
	struct maui_explain_nodes nodes = { .counts = count_nodes(t, job) };
	char line[MAUI_EXPLAIN_LINE_SIZE];

	*tell = (struct maui_job_notice){ .job_id = waiting->job_id,
					  .submit_s = waiting->submit_s };
	if (!verdict->blocks) { /* it would start, but this iteration has had enough of refusals */
		tell->reason = verdict->started > 0 ? MAUI_REASON_PRIORITY : MAUI_REASON_NONE;
		if (it->testing && verdict->started > 0)
			tell->text = "would start now: SERVERMODE TEST, nothing is started";
		return;
	}
	if (nodes.counts)
		nodes.wanted = maui_plan_nodes(it->sched->planner, job, 0);
	nodes.reserved_by = name_keepers(t, job, nodes.counts);
	nodes.kept_out =
		nodes.reserved_by && maui_plan_kept_out(it->sched->planner, job, 0, nodes.wanted);
	tell->reason = maui_explain_kind(verdict, &nodes);
	if (tell->reason == MAUI_REASON_DEFERRED ||
	    tell->reason == MAUI_REASON_ACCESS) /* others move with the clock: see StartTime */
		nodes.now_s = it->cluster.now_s;
	if (tell->reason == MAUI_REASON_LIMIT)
		tell->violation = verdict->blocks->violation;
	maui_explain_first(verdict, &nodes, line, sizeof(line));
	log_reasons(t, job, &nodes);
	tell->text = *line ? maui_arena_strdup(&it->arena, line) : NULL;
	tell->start_s = round_estimate(r ? r->start_s : verdict->estimate_s, it->cluster.now_s);
	if (r)
		tell_nodes(t, r, tell);
}

void maui_sched_publish_jobs(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct telling t = { .it = it, .began_us = maui_hold_clock_us() };
	struct maui_hold_times writes = { 0 };
	size_t count = 0;

	if (!maui_controller_schedules(it->c) || !index_reservations(&t))
		return;
	t.tells = maui_arena_alloc(&it->arena, (d->verdict_count + 1u) * sizeof(*t.tells));
	if (!t.tells)
		return;
	for (uint32_t i = 0; i < d->verdict_count; i++)
		if (d->verdicts[i].started == 0 || d->verdicts[i].blocks || it->refused > 0 ||
		    it->testing)
			tell_one(&t, i, &t.tells[count++]);
	if (maui_publish_jobs(t.tells, count, it->cluster.table, &writes) > 0)
		it->wrote = true;
	maui_hold_add(&it->writes, &writes);
}
