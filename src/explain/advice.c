/* SPDX-License-Identifier: GPL-2.0-or-later */
/* advice.c - what would let a waiting job start now: a shorter time limit, fewer nodes, another
 * partition, a reservation
 *
 * Each is tried on the finished plan (hypothetical_job.c); MAUI_HELP_* bound the tries.
 */

#include "explain/advice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/words.h"
#include "explain/private.h"
#include "explain/text.h"
#include "explain/violation_text.h"
#include "explain/text_private.h"
#include "plan/finished.h"

/* ---- in words ---- */

const char *maui_advice_if_slurm(bool asks_slurm)
{
	return asks_slurm ? ", if Slurm finds a place for it" : "";
}

char *maui_advice_text(const struct maui_advice *advice, char *buf, size_t size)
{
	const char *if_slurm = maui_advice_if_slurm(advice->asks_slurm);
	char limit[MAUI_DURATION_SIZE];

	switch (advice->kind) {
	case MAUI_ADVICE_TIME_LIMIT:
		maui_duration_format(advice->limit_s, limit, sizeof(limit));
		snprintf(buf, size, "with a time limit of at most %s it would start now%s", limit,
			 if_slurm);
		break;
	case MAUI_ADVICE_NODES:
		snprintf(buf, size,
			 "on %" PRIu32 " node%s instead of %" PRIu32 " it would start now%s",
			 advice->nodes, maui_plural(advice->nodes), advice->instead_of, if_slurm);
		break;
	case MAUI_ADVICE_PARTITION:
		snprintf(buf, size, "in partition %s it would start now, if you may use it%s",
			 advice->name, if_slurm);
		break;
	case MAUI_ADVICE_RESERVATION:
		snprintf(buf, size, "in reservation %s it would start now%s", advice->name,
			 if_slurm);
		break;
	}
	return buf;
}

char *maui_advice_command(const struct maui_advice *advice, uint64_t job_id, char *buf, size_t size)
{
	int length = snprintf(buf, size, "scontrol update jobid=%" PRIu64, job_id);

	buf += length;
	size -= (size_t)length;
	switch (advice->kind) {
	case MAUI_ADVICE_TIME_LIMIT:
		snprintf(buf, size, " timelimit=%" PRId64, advice->limit_s / 60);
		break;
	case MAUI_ADVICE_NODES:
		snprintf(buf, size, " numnodes=%" PRIu32 " numtasks=%" PRId64 " numcpus=%" PRId64,
			 advice->nodes, advice->tasks, advice->procs);
		break;
	case MAUI_ADVICE_PARTITION:
		snprintf(buf, size, " partition=%s", advice->name);
		break;
	case MAUI_ADVICE_RESERVATION:
		snprintf(buf, size, " reservation=%s", advice->name);
		break;
	}
	return buf - length;
}

void maui_advice_limit_users(const struct maui_violation *violation, const char *const *jobs,
			     size_t count, struct maui_strbuf *ret)
{
	char limit[MAUI_VIOLATION_SIZE];

	maui_strbuf_addf(ret, "%s: in use by%s",
			 maui_violation_format(violation, limit, sizeof(limit)),
			 violation->kind == MAUI_VIOLATION_IDLE ? " waiting jobs" : "");
	for (size_t i = 0; i < count && i < MAUI_HELP_JOBS; i++)
		maui_strbuf_addf(ret, "%s %s", i > 0 ? "," : "", jobs[i]);
	if (count > MAUI_HELP_JOBS)
		maui_strbuf_addf(ret, " and %zu more", count - MAUI_HELP_JOBS);
}

/* ---- what would let it start now ---- */

static struct maui_advice advise_limit(int64_t longest_s, bool asks_slurm)
{
	return (struct maui_advice){ .kind = MAUI_ADVICE_TIME_LIMIT,
				     .asks_slurm = asks_slurm,
				     .limit_s = longest_s - longest_s % 60 };
}

bool maui_advice_limit(const struct maui_explanation *e, struct maui_advice *ret)
{
	*ret = advise_limit(e->longest_s, e->asks_slurm);
	return e->verdict->blocks && e->longest_s >= 60 && e->longest_s != MAUI_NEVER;
}

/* A waiting job whose request is changed in one respect after the other. */
struct attempt {
	struct maui_explainer *x;
	const struct maui_plan *plan;
	const struct maui_idle *idle;
	const struct maui_row *row;
	uint32_t uid; /* of the job's user */
	struct maui_advice_list *ret;
	bool failed;
};

/* The question whether the job as it is would start. The job keeps its limits; those of another
 * partition are not looked at. */
static struct maui_offer_question question_of(const struct attempt *t)
{
	const struct maui_snapshot *s = t->plan->snapshot;
	uint32_t row = (uint32_t)(t->row - t->idle->rows);
	struct maui_offer_question q = { .partition = t->row->partition,
					 .request = &s->requests[maui_idle_request(t->idle, row)],
					 .limit_s = t->idle->limit_s,
					 .advres = t->idle->advres };

	memcpy(q.cred, s->creds[t->row->creds].cred, sizeof(q.cred));
	q.uid_known = true;
	q.uid = t->uid;
	/* Slurm let the job have its group, so the user is in it. If Slurm's list of that group lacks
	 * the user, it is the primary one */
	q.primary_group = q.cred[MAUI_CRED_GROUP];
	q.names_a_reservation = t->idle->advres || t->idle->in_reservation;
	return q;
}

static void add(struct maui_advice_list *list, struct maui_advice advice)
{
	list->list[list->count++] = advice;
}

/* Tasks and processors become fewer as well: they are in proportion to the nodes. */
static struct maui_advice advise_nodes(const struct maui_request *r, uint32_t nodes)
{
	int64_t tasks =
		r->tasks > r->nodes_min ? (int64_t)(r->tasks * nodes / r->nodes_min) : nodes;

	return (struct maui_advice){ .kind = MAUI_ADVICE_NODES,
				     .asks_slurm = r->asks_slurm,
				     .nodes = nodes,
				     .instead_of = r->nodes_min,
				     .tasks = tasks,
				     .procs = tasks * r->procs_per_task };
}

/* The number of nodes must be the user's: MinNodes of a partition and shares of --gpus cannot be
 * had for less. */
static void try_fewer_nodes(struct attempt *t)
{
	struct maui_offer_question q = question_of(t);
	const struct maui_request *r = q.request;
	uint32_t nodes;

	if (r->nodes_min < 2 || r->required_count > 0 || !r->nodes_named || r->per_job ||
	    t->idle->het_id) /* Slurm changes no component's size */
		return;
	if (maui_explain_fewer_nodes(t->x, &q, &nodes))
		t->failed = true;
	else if (nodes > 0)
		add(t->ret, advise_nodes(r, nodes));
}

/* Adds the advice if the job of the question would start. */
static void try_question(struct attempt *t, const struct maui_offer_question *q,
			 enum maui_advice_kind kind, const char *name)
{
	bool now = false;

	t->failed |= maui_explain_starts_now(t->x, q, &now) != 0;
	if (now)
		add(t->ret, (struct maui_advice){ .kind = kind,
						  .asks_slurm = q->request->asks_slurm,
						  .name = name });
}

static bool is_named(const struct maui_idle *idle, uint32_t partition)
{
	for (uint32_t r = 0; r < idle->row_count; r++)
		if (idle->rows[r].partition == partition)
			return true;
	return false;
}

/* Of q: the job in the other partition. */
static bool may_run_in(const struct attempt *t, const struct maui_offer_question *q)
{
	const struct maui_partition *other = &t->plan->snapshot->partitions[q->partition];

	return !is_named(t->idle, q->partition) && !other->down &&
	       (other->max_limit_s == 0 || t->idle->limit_s <= other->max_limit_s) &&
	       maui_explain_closed(t->x, q).rule == MAUI_ADMISSION_OPEN;
}

static void try_partitions(struct attempt *t)
{
	const struct maui_snapshot *s = t->plan->snapshot;
	uint32_t tries = 0;

	for (uint32_t i = 0; i < s->partition_count && tries < MAUI_HELP_TRIES; i++) {
		struct maui_offer_question q = question_of(t);

		q.partition = i;
		q.cred[MAUI_CRED_CLASS] = s->partitions[i].name;
		if (t->x->hides_partitions || !may_run_in(t, &q))
			continue;
		tries++;
		try_question(t, &q, MAUI_ADVICE_PARTITION, s->partitions[i].name);
	}
}

static void try_reservations(struct attempt *t, const uint32_t *rsvs, size_t count)
{
	for (size_t i = 0; i < count && i < MAUI_HELP_TRIES; i++) {
		struct maui_offer_question q = question_of(t);

		q.advres = t->plan->standing->list[rsvs[i]]->name;
		try_question(t, &q, MAUI_ADVICE_RESERVATION, q.advres);
	}
}

int maui_advice_of_job(struct maui_explainer *x, uint32_t job, uint32_t uid,
		       const struct maui_explanation *e, const uint32_t *rsvs, size_t rsv_count,
		       struct maui_advice_list *ret)
{
	const struct maui_plan *plan = x->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[job];
	struct attempt t = { .x = x,
			     .plan = plan,
			     .idle = idle,
			     .row = maui_plan_row(plan, job),
			     .uid = uid,
			     .ret = ret };
	struct maui_advice limit;

	ret->count = 0;
	if (!plan->jobs[job].waits || !e->verdict->blocks ||
	    e->verdict->blocks->reason == MAUI_REASON_LIMIT) /* which holds elsewhere, too */
		return 0;
	if (idle->busy_until_s <= plan->now_s) { /* else what is free does not help */
		if (maui_advice_limit(e, &limit))
			add(ret, limit);
		try_fewer_nodes(&t);
	}
	try_partitions(&t);
	if (!idle->advres)
		try_reservations(&t, rsvs, rsv_count);
	return t.failed ? -1 : 0;
}

void maui_advice_of_hypothetical(const struct maui_offer_question *question,
				 const struct maui_would_start *would, struct maui_advice_list *ret)
{
	ret->count = 0;
	if (would->longest_s >= 60)
		add(ret, advise_limit(would->longest_s, question->request->asks_slurm));
	if (would->fewer_nodes > 0)
		add(ret, advise_nodes(question->request, would->fewer_nodes));
}
