/* SPDX-License-Identifier: GPL-2.0-or-later */
/* publish_jobs.c - writes reasons and start estimates of waiting jobs, which squeue shows, and
 * marks the nodes of job reservations, which sinfo shows
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "base/hash.h"
#include "controller/query.h"
#include "explain/outlook.h"
#include "explain/text.h"
#include "slurm/hold.h"
#include "slurm/publish/jobs.h"
#include "slurm/eligible/kept.h"
#include "slurm/publish/nodes.h"
#include "slurm/publish/reason.h"

enum { ROUND_S = 60 /* estimates that move with the clock are written once a minute */ };

/* What is kept of a notice for the next cycle. */
struct written {
	struct maui_kept_job *kept; /* NULL: its job is not kept */
	uint64_t hash;
};

struct publication {
	struct maui_iteration *it;
	const struct maui_plan *plan;
	const struct maui_decisions *decisions;
	struct maui_explainer *explainer;
	struct maui_job_notice *notices;
	struct written *written;                  /* of each notice */
	const struct maui_reservation **reserved; /* of each idle job; NULL: none */
};

static bool index_reservations(struct publication *t)
{
	const struct maui_decisions *d = t->decisions;

	t->reserved = maui_arena_alloc(
		&t->it->arena, (d->verdict_count + 1u) * sizeof(const struct maui_reservation *));
	if (!t->reserved)
		return false;
	for (uint32_t i = d->reservation_count; i-- > 0;)
		t->reserved[d->reservations[i].job] = &d->reservations[i];
	return true;
}

/* An overdue start moves on with the clock: the plan expects an overdue end within a second. */
static int64_t round_estimate(int64_t start_s, int64_t now_s)
{
	if (start_s == MAUI_NEVER)
		return 0;
	return start_s <= now_s + 1 ? (now_s / ROUND_S + 1) * ROUND_S : start_s;
}

static void publish_nodes(struct publication *t, const struct maui_reservation *r,
			  struct maui_job_notice *notice)
{
	const struct maui_snapshot *s = t->it->cluster.snapshot;
	uint32_t *nodes = maui_arena_alloc(&t->it->arena, (r->place_count + 1u) * sizeof(*nodes));

	if (!nodes)
		return;
	for (uint32_t i = 0; i < r->place_count; i++)
		nodes[i] = s->nodes[r->places[i].node].id;
	notice->nodes = nodes;
	notice->node_count = r->place_count;
}

/* Whether the log does not have these reasons of the job yet. */
static bool reasons_are_new(struct maui_controller *c, uint32_t job_id, const char *text)
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

/* With DebugFlags=Backfill, logs every reason of the job, a line each, when the reasons have
 * changed. For jobs behind the first hundred of a partition the log has the reason of squeue.
 * Without conf READ, as Slurm itself reads these flags: at worst some lines are missing. */
static void log_reasons(struct publication *t, uint32_t job,
			const struct maui_explanation *short_one)
{
	uint32_t job_id = t->it->waiting[job].job_id;
	struct maui_explanation whole = *short_one;
	struct maui_strbuf all = { 0 };
	char *rest = NULL;

	if (!(slurm_conf.debug_flags & DEBUG_FLAG_BACKFILL))
		return;
	if (short_one->looked && maui_explain_job(t->explainer, job, &whole))
		return;
	if (maui_explain_all(&whole, &all) == 0 && maui_explain_outlook(&whole, &all) == 0 &&
	    all.text && reasons_are_new(t->it->c, job_id, all.text))
		for (char *line = strtok_r(all.text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			info("slurm-maui: JobId=%u waits: %s", job_id, line);
	maui_strbuf_finish(&all);
}

/* The line for squeue; NULL: Slurm's own word alone. */
static const char *line_for_squeue(struct publication *t, const char *line)
{
	if (!*line || t->it->c->config->reason_style == MAUI_REASONS_SLURM)
		return NULL;
	return maui_arena_strdup(&t->it->arena, line);
}

/* Whether Slurm has found no nodes for the job because of their places in the network. */
static bool is_refused_by_network(const struct maui_iteration *it, uint32_t job,
				  const struct maui_explanation *e)
{
	const struct maui_slurm_answer *answer =
		maui_explain_kind(e) == MAUI_REASON_BUSY ?
			maui_slurm_answers_find(&it->sched->answers, it->waiting[job].fingerprint) :
			NULL;

	return answer && answer->tries > 0 && answer->network;
}

static void make_notice(struct publication *t, uint32_t job, struct maui_job_notice *notice)
{
	struct maui_iteration *it = t->it;
	const struct maui_slurm_facts facts = { .no_starts =
							maui_health_no_starts(&it->sched->health) };
	const struct maui_verdict *verdict = &t->decisions->verdicts[job];
	const struct maui_waiting *waiting = &it->waiting[job];
	const struct maui_reservation *r = t->reserved[job];
	char line[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;

	*notice = (struct maui_job_notice){ .job_id = waiting->job_id,
					    .submit_s = waiting->submit_s };
	if (!verdict->blocks) { /* the job would start, but this cycle saw too many refusals */
		notice->reason = verdict->started > 0 ? MAUI_REASON_PRIORITY : MAUI_REASON_NONE;
		e = maui_explain_recorded(t->plan, job);
		e.facts = it->testing ? &facts : NULL;
		notice->text = line_for_squeue(t, maui_explain_first(&e, line, sizeof(line)));
		return;
	}
	if (maui_explain_short(t->explainer, job, &e))
		return;
	notice->reason = maui_explain_kind(&e);
	if (notice->reason == MAUI_REASON_DEFERRED ||
	    /* the text of other reasons would change every second; StartTime shows the moment */
	    notice->reason == MAUI_REASON_ACCESS)
		e.now_s = it->cluster.now_s;
	if (notice->reason == MAUI_REASON_LIMIT)
		notice->violation = verdict->blocks->violation;
	maui_explain_first(&e, line, sizeof(line));
	notice->text = line_for_squeue(t, line);
	notice->network = maui_explain_network_alone(&e) || is_refused_by_network(it, job, &e);
	notice->start_s = round_estimate(r ? r->start_s : verdict->estimate_s, it->cluster.now_s);
	if (r)
		publish_nodes(t, r, notice);
	log_reasons(t, job, &e);
}

/* Everything that is written to the record. */
static uint64_t hash_notice(const struct maui_job_notice *notice)
{
	uint32_t code = maui_publish_reason(notice->reason, notice->violation);
	uint64_t hash = maui_hash_mix(code, notice->network);

	hash = maui_hash_mix(hash, notice->text ? maui_hash_text(notice->text, 0) : 1);
	hash = maui_hash_mix(maui_hash_mix(hash, notice->reason), (uint64_t)notice->start_s);
	for (uint32_t i = 0; i < notice->node_count; i++)
		hash = maui_hash_mix(hash, notice->nodes[i]);
	return hash | 1;
}

/* Whether the record has the notice already: it is the last one, and squeue shows of the job what
 * it showed after that. */
static bool is_written(struct publication *t, struct maui_job_notice *notice, struct written *ret)
{
	struct maui_kept *kept = t->it->sched->kept;
	struct maui_kept_job *job = maui_kept_of(kept, notice->job_id);
	bool written;

	*ret = (struct written){ .kept = job };
	if (!job)
		return false;
	ret->hash = hash_notice(notice);
	written = job->notice_hash == ret->hash && job->notice_shown &&
		  job->notice_shown == job->shown;
	notice->shown = job->shown;
	notice->compared = written && maui_kept_compares(kept);
	return written && !notice->compared;
}

/* Keeps which notices were written. */
static void keep_written(const struct publication *t, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct maui_kept_job *job = t->written[i].kept;

		if (!job)
			continue;
		job->notice_hash = t->notices[i].seen ? t->written[i].hash : 0;
		job->notice_shown = t->notices[i].seen ? t->notices[i].shown : 0;
	}
}

static size_t list_notices(struct publication *t)
{
	const struct maui_decisions *d = t->decisions;
	size_t count = 0;

	for (uint32_t i = 0; i < d->verdict_count; i++) {
		if (d->verdicts[i].started > 0 && !d->verdicts[i].blocks && t->it->refused == 0 &&
		    !t->it->testing)
			continue;
		make_notice(t, i, &t->notices[count]);
		if (!is_written(t, &t->notices[count], &t->written[count]))
			count++;
	}
	return count;
}

/* What is taken back when the plugin is unloaded. */
static void note_written(struct maui_controller *c, const struct maui_job_notice *notices,
			 size_t count)
{
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	for (size_t i = 0; i < count; i++) {
		history = notices[i].seen ?
				  maui_job_histories_find(&c->histories, notices[i].job_id) :
				  NULL;
		if (!history)
			continue;
		history->reason_hash = notices[i].reason_hash;
		history->estimated = notices[i].estimated;
	}
	slurm_mutex_unlock(&c->lock);
}

void maui_sched_publish_jobs(struct maui_iteration *it, const struct maui_plan *plan)
{
	struct publication t = { .it = it, .plan = plan, .decisions = &plan->decisions };
	struct maui_hold_times writes = { 0 };
	size_t count;

	t.notices = maui_arena_alloc(&it->arena,
				     (plan->decisions.verdict_count + 1u) * sizeof(*t.notices));
	t.written = maui_arena_alloc(&it->arena,
				     (plan->decisions.verdict_count + 1u) * sizeof(*t.written));
	if (!t.notices || !t.written || !index_reservations(&t))
		return;
	t.explainer = maui_explainer_create(plan);
	if (!t.explainer)
		return;
	if (maui_controller_private_data(it->c) & PRIVATE_DATA_RESERVATIONS)
		maui_explainer_hide_reservations(t.explainer);
	count = list_notices(&t);
	maui_sched_phase(it, MAUI_PHASE_REASONS);
	if (maui_publish_jobs(t.notices, count, it->cluster.table, &writes) > 0)
		it->wrote = true;
	note_written(it->c, t.notices, count);
	keep_written(&t, count);
	maui_explainer_destroy(t.explainer);
	maui_hold_add(&it->writes, &writes);
}

/* The nodes of all job reservations, some more than once. *ret_count 0: none, or no memory. */
static const uint32_t *list_reserved_nodes(struct maui_iteration *it,
					   const struct maui_decisions *d, size_t *ret_count)
{
	size_t count = 0;
	uint32_t *nodes;

	*ret_count = 0;
	for (uint32_t i = 0; i < d->reservation_count; i++)
		count += d->reservations[i].place_count;
	nodes = maui_arena_alloc(&it->arena, (count + 1) * sizeof(*nodes));
	if (!nodes)
		return NULL;
	for (uint32_t i = 0; i < d->reservation_count; i++)
		for (uint32_t j = 0; j < d->reservations[i].place_count; j++)
			nodes[(*ret_count)++] =
				it->cluster.snapshot->nodes[d->reservations[i].places[j].node].id;
	return nodes;
}

void maui_sched_publish_nodes(struct maui_iteration *it, const struct maui_plan *plan)
{
	struct maui_hold_times writes = { 0 };
	const uint32_t *nodes;
	size_t count = 0;

	nodes = it->testing ? NULL : list_reserved_nodes(it, &plan->decisions, &count);
	if (maui_publish_planned(nodes, count, it->cluster.table, &writes))
		it->wrote = true;
	maui_hold_add(&it->writes, &writes);
}
