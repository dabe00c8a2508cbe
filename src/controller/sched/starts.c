/* SPDX-License-Identifier: GPL-2.0-or-later */
/* starts.c - starts the jobs of a plan, and records in the snapshot what really happened */

#include "slurm/compat.h"

#include "controller/sched/private.h"
#include "policy/quantities.h"

#include "slurm/publish/jobs.h"

/* How long a job is not tried in a reservation whose nodes cannot serve it. */
enum { UNFIT_RESERVATION_S = 300 };

/* How long after a job's next try the partition in which Slurm found no nodes has no turn. */
enum { OTHERS_TURN_S = 4 };

/* The time limit of the start order, in Slurm's minutes: for a job with --time-min, or when
 * CLASSCFG's DEFAULT.WCLIMIT applies. 0: the job keeps its limit (start.h). */
static uint32_t limit_minutes(const struct maui_iteration *it, const struct maui_start *start)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_idle *idle = &s->idle[start->job];
	const struct maui_captured_job *captured =
		maui_hashtable_find_id(&it->by_id, (uint32_t)idle->id);
	const char *name = s->partitions[idle->rows[start->row].partition].name;
	const struct maui_cred_config *class =
		maui_config_cred(it->c->config, MAUI_CRED_CLASS, name);

	if (!captured ||
	    (!captured->own_limit && idle->limit_min_s <= 0 && class->default_walltime_s <= 0))
		return 0;
	if (start->limit_s / 60 >= INFINITE)
		return 0;
	return start->limit_s < 60 ? 1 : (uint32_t)(start->limit_s / 60);
}

struct place_arrays {
	uint32_t *nodes, *procs;
	uint32_t *kept; /* NULL: none anywhere */
};

/* The nodes of a start, the processors on each, and the cores to leave idle. -1: no memory. */
static int make_place_arrays(struct maui_iteration *it, const struct maui_start *start,
			     struct place_arrays *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	uint32_t count = start->place_count;
	uint32_t *all = maui_arena_alloc(&it->arena, (3u * count + 1u) * sizeof(*all));

	if (!all)
		return -1;
	*ret = (struct place_arrays){ .nodes = all, .procs = all + count };
	for (uint32_t i = 0; i < count; i++) {
		const struct maui_place *place = &start->places[i];

		all[i] = s->nodes[place->node].id;
		all[count + i] = (uint32_t)place->procs;
		all[2 * count + i] = (uint32_t)place->kept;
		if (place->kept > 0)
			ret->kept = all + 2 * count;
	}
	return 0;
}

/* Nodes come back after the answer "at no moment", and jobs end before the moment that Slurm has
 * named. It is asked again about once a minute for each job, and once a second for all of them;
 * when no job runs any more, at the next try. */
static bool may_ask_again(struct maui_iteration *it, const struct maui_slurm_answer *answer)
{
	bool outdated = answer->offered.nodes && answer->offered.ends != it->ends;

	if (!(answer->offered.offer.no_moment || outdated) ||
	    (answer->tries % 4 != 0 && !(outdated && it->cluster.active_count == 0)) ||
	    it->sched->asked_again_s == it->cluster.now_s)
		return false;
	it->sched->asked_again_s = it->cluster.now_s;
	return true;
}

/* Slurm's own test of when a job can start takes up to two seconds on a large machine. So it is
 * asked for the jobs that go first, after one refusal, two, four ..., while no offer is open, and
 * about an open one as may_ask_again() says. */
static bool wants_offer(struct maui_iteration *it, const struct maui_start *start)
{
	const struct maui_slurm_answer *answer =
		maui_slurm_answers_find(&it->sched->answers, it->waiting[start->job].fingerprint);

	if (!start->slurm_chooses || start->out_of_order || !answer || answer->tries == 0)
		return false;
	if (answer->offered.nodes && answer->offered.offer.start_s > it->cluster.now_s)
		return may_ask_again(it, answer);
	return answer->tries >= 2 * answer->offered.asked_at || may_ask_again(it, answer);
}

int maui_sched_make_order(struct maui_iteration *it, const struct maui_start *start,
			  struct maui_start_order *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_waiting *waiting = &it->waiting[start->job];
	const struct maui_idle *idle = &s->idle[start->job];
	struct place_arrays arrays;

	if (make_place_arrays(it, start, &arrays))
		return -1;
	*ret = (struct maui_start_order){
		.job_id = waiting->job_id,
		.array_job_id = waiting->array_job_id,
		.submit_s = waiting->submit_s,
		.fingerprint = waiting->fingerprint,
		.partition = s->partitions[idle->rows[start->row].partition].name,
		.qos = idle->rows[start->row].qos,
		.nodes = arrays.nodes,
		.node_count = start->place_count,
		.procs = arrays.procs,
		.kept = arrays.kept,
		.limit_min = limit_minutes(it, start),
		.backfilled = start->out_of_order,
		.het = idle->het_id != 0,
		.together = start->together,
		.slurm_chooses = start->slurm_chooses,
		.want_offer = wants_offer(it, start),
	};
	return 0;
}

/* All start orders, in the order of the plan. NULL without memory. */
static struct maui_start_order *make_orders(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_start_order *orders =
		maui_arena_alloc(&it->arena, (d->start_count + 1u) * sizeof(*orders));

	for (uint32_t i = 0; orders && i < d->start_count; i++)
		if (maui_sched_make_order(it, &d->starts[i], &orders[i]))
			return NULL;
	return orders;
}

/* Clears the counts of the job's wait from the history of a started job. */
static void note_start(struct maui_iteration *it, const struct maui_start *start,
		       const struct maui_start_order *order)
{
	struct maui_job_history_key key = { .job_id = order->started_id,
					    .array_job_id = order->array_job_id,
					    .submit_s = order->submit_s };
	const struct maui_idle *idle = &it->cluster.snapshot->idle[start->job];
	const struct maui_request *request =
		&it->cluster.snapshot->requests[maui_idle_request(idle, 0)];
	struct maui_controller *c = it->c;
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_get(&c->histories, &key, it->cluster.now_s);
	if (history) {
		history->bypassed = history->bypass;
		history->backfilled = start->out_of_order;
		history->bypass = history->busy = history->changed = 0;
		maui_defer_forget(&history->defer);
		history->soft_violation = start->soft_violation;
		history->preemptible = start->preemptible;
		history->asked_tasks = maui_request_task_count(request);
		history->asked_procs = idle->procs;
	}
	slurm_mutex_unlock(&c->lock);
	/* that the job may be preempted is known nowhere else */
	it->save |= it->may_preempt && (start->preemptible || start->soft_violation);
}

/* Holds a job that was deferred DEFERCOUNT times: its user or an administrator has to look. */
static void hold_job(const struct maui_iteration *it, const struct maui_start_order *order)
{
	char text[64];

	snprintf(text, sizeof(text), "deferred %lld" MAUI_HOLD_MARK,
		 (long long)it->c->config->defer_count);
	if (maui_publish_hold(order->job_id, order->submit_s,
			      it->c->config->reason_style == MAUI_REASONS_SLURM ? NULL : text))
		info("slurm-maui: JobId=%u held: its start was refused and it was %s",
		     order->job_id, text);
}

/* Logs a job whose start order was out of date twice although the job had not changed. Such a job
 * would never start. */
static void note_change(struct maui_iteration *it, const struct maui_start_order *order)
{
	struct maui_controller *c = it->c;
	struct maui_job_history *history;
	bool again = false;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, order->job_id);
	if (history && history->changed_from != order->fingerprint) {
		history->changed_from = order->fingerprint;
		history->changed = 0;
	}
	if (history)
		again = ++history->changed == 2;
	slurm_mutex_unlock(&c->lock);
	if (again)
		verbose("slurm-maui: JobId=%u is planned again and again, but not started: %s",
			order->job_id, order->why);
}

/* After how long a job is tried again that Slurm has refused so many times: a second, then two, and
 * so on; a second in another partition. The first time that a limit of its association or QOS
 * refuses it, a start just before has reached the limit: the next cycle sees that, and another QOS
 * of the job may have room. */
static int64_t pause_s(const struct maui_start_order *order, unsigned refusals)
{
	if (order->partition_closed)
		return 1;
	return order->code == ESLURM_ACCOUNTING_POLICY && refusals == 0 ?
		       0 :
		       maui_refusal_backoff_s(refusals);
}

/* Notes a refusal that is not about the nodes. The job is tried again after a pause, and when a job
 * has ended. A fault of the job itself counts as a failed start (DEFERSTARTCOUNT). */
static void note_refusal(struct maui_iteration *it, const struct maui_start_order *order)
{
	enum maui_defer_outcome outcome = MAUI_DEFER_RETRY;
	int64_t now_s = it->cluster.now_s;
	struct maui_controller *c = it->c;
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, order->job_id);
	if (history && !order->nodes_refused) {
		history->retry_s = now_s + pause_s(order, history->busy);
		history->refused_s = now_s;
		history->retry_ends = it->ends;
		history->busy++;
		maui_sched_wake(it->sched, history->retry_s);
		if (order->failed)
			outcome = maui_defer_refused(c->config, &history->defer, now_s);
		if (outcome == MAUI_DEFER_HOLD)
			maui_defer_forget(&history->defer);
	}
	slurm_mutex_unlock(&c->lock);
	if (outcome == MAUI_DEFER_ASIDE)
		info("slurm-maui: JobId=%u deferred for %lld s: %s", order->job_id,
		     (long long)c->config->defer_time_s, slurm_strerror(order->code));
	if (outcome == MAUI_DEFER_HOLD)
		hold_job(it, order);
}

/* Remembers what commands show of a started job: a task of an array has an id of its own now.
 * Without memory they show less of it until the next cycle. */
static void remember_started(struct maui_iteration *it, const struct maui_start_order *order)
{
	const struct maui_captured_job *captured =
		maui_hashtable_find_id(&it->by_id, order->job_id);
	struct maui_captured_job *started =
		captured ? maui_arena_alloc(&it->arena, sizeof(*started)) : NULL;

	if (!started)
		return;
	*started = *captured;
	started->job_id = order->started_id;
	started->array_task = order->started_task;
	started->state = MAUI_CAPTURED_ACTIVE;
	maui_hashtable_set_id(&it->started_by_id, order->started_id, started);
}

/* Reads which nodes Slurm has chosen. Where that is not possible the cycle ends, and the next one
 * begins at once. */
static int read_choice(struct maui_iteration *it, const struct maui_start_order *order,
		       struct maui_active *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	int64_t *sum = maui_arena_alloc(&it->arena, s->amount_count * sizeof(*sum));
	struct maui_quantities holds;
	struct maui_active held;
	int got = sum ? maui_cluster_read_started(&it->cluster, order->started_id, &held) : -1;

	if (got > 0) {
		ret->pieces = held.pieces;
		ret->piece_count = held.piece_count;
		ret->procs = held.procs;
		for (uint32_t i = 0; i < held.piece_count; i++)
			for (unsigned d = 0; d < s->amount_count; d++)
				sum[d] += held.pieces[i].amounts[d];
		sum[MAUI_AMOUNT_PROCS] = held.procs;
		maui_quantities_make(it->captured->config, s, sum, held.piece_count, &holds);
		ret->job.nodes = ret->job.procs = 0; /* those of all nodes that it could have */
		maui_job_raise(&ret->job, &holds);
		return 0;
	}
	it->dropped = true;
	maui_sched_wake(it->sched, it->cluster.now_s);
	return -1;
}

/* Makes a started job active in the snapshot for the next plan of this cycle. */
static int activate_job(struct maui_iteration *it, const struct maui_start *start,
			const struct maui_start_order *order)
{
	struct maui_snapshot *s = it->cluster.snapshot;
	struct maui_active active = { .id = order->started_id,
				      .start_s = order->start_s,
				      .job = s->idle[start->job].job };

	active.job.nodes = start->place_count;
	active.job.active = true;
	remember_started(it, order);
	if (start->slurm_chooses && read_choice(it, order, &active))
		return -1;
	return maui_snapshot_launch(s, start, &active) < 0 ? -1 : 0;
}

void maui_sched_drop_gone(struct maui_iteration *it)
{
	struct maui_snapshot *s = it->cluster.snapshot;
	uint32_t *gone = maui_arena_alloc(&it->arena, (s->idle_count + 1u) * sizeof(*gone));
	uint32_t count = 0, kept = 0;

	if (!gone)
		return;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		if (s->idle[i].copies == 0)
			gone[count++] = i;
		else
			it->waiting[kept++] = it->waiting[i];
	}
	maui_snapshot_drop_idle(s, gone, count);
}

void maui_sched_slurm_answers(struct maui_iteration *it)
{
	int64_t next_s;

	it->answers_view = (struct maui_answers_view){ .snapshot = it->cluster.snapshot,
						       .waiting = it->waiting,
						       .arena = &it->arena,
						       .now_s = it->cluster.now_s,
						       .ends = it->ends,
						       .table = it->cluster.table };
	next_s = maui_slurm_answers_review(&it->sched->answers, &it->answers_view);
	if (next_s)
		maui_sched_wake(it->sched, next_s);
	maui_slurm_answers_apply(&it->sched->answers, &it->answers_view);
	maui_refused_preemptions_review(&it->sched->refused_preemptions, &it->answers_view);
	maui_refused_preemptions_apply(&it->sched->refused_preemptions, &it->answers_view);
}

/* The job is tried again then, in a partition in which Slurm has found no nodes a little later, so
 * that the other ones of the job have their turn. */
static void note_busy(struct maui_iteration *it, uint32_t job, const char *partition,
		      int64_t again_s)
{
	maui_sched_wake(it->sched, again_s);
	if (it->cluster.snapshot->idle[job].row_count > 1)
		maui_slurm_answers_close(&it->sched->answers, it->waiting[job].fingerprint,
					 MAUI_CLOSED_TURN, partition, it->cluster.now_s,
					 again_s + OTHERS_TURN_S);
}

/* Slurm did not take the planned nodes, or found none among all that it might have taken. */
static void note_answer(struct maui_iteration *it, const struct maui_start *start,
			const struct maui_start_order *order)
{
	uint64_t fingerprint = it->waiting[start->job].fingerprint;
	const struct maui_slurm_offer offer = { order->offer_s, order->offer, order->offer_count,
						order->no_moment, order->doubtful };

	maui_sched_give_back(it, start);
	if (order->unfit &&
	    maui_slurm_answers_unfit(&it->sched->answers, fingerprint, it->cluster.now_s))
		return; /* no try: it is not to ask for nodes */
	if (!start->slurm_chooses)
		maui_slurm_answers_asks(&it->sched->answers, fingerprint);
	else
		note_busy(it, start->job, order->partition,
			  maui_slurm_answers_busy(&it->sched->answers, fingerprint,
						  it->cluster.now_s, it->ends, order->partition,
						  order->want_offer ? &offer : NULL,
						  order->network));
}

/* The job and all like it are not tried again in this iteration, on any nodes. */
static void refuse_all_like(struct maui_iteration *it, uint32_t job)
{
	struct maui_snapshot *s = it->cluster.snapshot;

	for (uint32_t i = 0; i < s->idle_count; i++)
		if (it->waiting[i].fingerprint == it->waiting[job].fingerprint)
			s->idle[i].refused = true;
}

/* Closes a partition or reservation to jobs like this one. `ever_s`: until when, if it can never
 * serve them. */
static void close_to_job(struct maui_iteration *it, uint32_t job, enum maui_start_closed closed,
			 enum maui_closed_kind kind, const char *name, int64_t ever_s)
{
	int64_t now_s = it->cluster.now_s;

	if (closed == MAUI_START_OPEN)
		return;
	maui_slurm_answers_close(
		&it->sched->answers, it->waiting[job].fingerprint, kind, name, now_s,
		closed == MAUI_START_CLOSED_EVER ? ever_s : now_s + MAUI_ANSWER_RETRY_MAX_S);
}

/* Closes the partition and the reservation in which the job was refused, if it may start in others.
 * A reservation may get other nodes. */
static void note_closed(struct maui_iteration *it, uint32_t job,
			const struct maui_start_order *order)
{
	close_to_job(it, job, order->partition_closed, MAUI_CLOSED_PARTITION, order->partition,
		     MAUI_NEVER);
	close_to_job(it, job, order->reservation_closed, MAUI_CLOSED_RESERVATION,
		     order->reservation, it->cluster.now_s + UNFIT_RESERVATION_S);
}

/* Puts what happened into the snapshot. false: the plan ends here. */
static bool take_results(struct maui_iteration *it, const struct maui_start_order *orders)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_snapshot *s = it->cluster.snapshot;

	for (uint32_t i = 0; i < d->start_count; i++) {
		struct maui_idle *idle = &s->idle[d->starts[i].job];

		switch (orders[i].outcome) {
		case MAUI_START_DONE:
			if (activate_job(it, &d->starts[i], &orders[i]))
				return false;
			if (idle->copies > 0) /* else its array has changed meanwhile */
				idle->copies--;
			break;
		case MAUI_START_REFUSED:
			if (orders[i].nodes_refused)
				note_answer(it, &d->starts[i], &orders[i]);
			else
				refuse_all_like(it, d->starts[i].job);
			note_closed(it, d->starts[i].job, &orders[i]);
			break;
		case MAUI_START_CHANGED:
			idle->copies = 0;
			break;
		case MAUI_START_NOT_TRIED:
			break;
		}
	}
	maui_sched_drop_gone(it);
	maui_slurm_answers_apply(&it->sched->answers, &it->answers_view);
	return true;
}

bool maui_sched_start(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_start_order *orders = make_orders(it);
	struct maui_start_site site = maui_sched_site(it);
	struct maui_start_result result;

	it->orders = NULL;
	if (!orders)
		return false;
	if (it->testing)
		maui_sched_test(it, orders, d->start_count);
	if (it->testing || d->start_count == 0)
		return false;
	maui_start_jobs(&site, orders, d->start_count, &result);
	it->wrote = true;
	it->started += result.done;
	it->refused += result.refused;
	it->changed += result.changed;
	maui_hold_add(&it->writes, &result.writes);
	for (uint32_t i = 0; i < d->start_count; i++) {
		maui_sched_note_run(it, &orders[i]);
		if (orders[i].outcome == MAUI_START_REFUSED) {
			note_refusal(it, &orders[i]);
			maui_sched_note_refused_try(it, &d->starts[i]);
		}
		if (orders[i].outcome == MAUI_START_CHANGED)
			note_change(it, &orders[i]);
		if (orders[i].outcome != MAUI_START_DONE)
			continue;
		maui_sched_preemptor_started(it->sched, orders[i].job_id);
		it->backfilled += orders[i].backfilled;
		note_start(it, &d->starts[i], &orders[i]);
		maui_slurm_answers_started(&it->sched->answers,
					   it->waiting[d->starts[i].job].fingerprint);
	}
	maui_sched_drop_started(it, orders);
	it->dropped |= result.table_changed || result.moved || it->c->stop;
	if (result.moved) /* the next cycle begins at once */
		maui_sched_wake(it->sched, it->cluster.now_s);
	if (it->dropped || (result.refused == 0 && result.changed == 0 && !d->incomplete)) {
		it->orders = orders;
		return false;
	}
	return take_results(it, orders);
}

bool maui_sched_take_starts(struct maui_iteration *it)
{
	const struct maui_start_order *orders = it->orders;

	it->orders = NULL;
	return !orders || take_results(it, orders);
}

int maui_sched_started(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;

	for (uint32_t i = 0; it->orders && i < d->start_count; i++)
		if (it->orders[i].outcome == MAUI_START_DONE &&
		    activate_job(it, &d->starts[i], &it->orders[i]))
			return -1;
	it->orders = NULL;
	return 0;
}
