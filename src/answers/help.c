/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - what would let a waiting job start now: a shorter time limit, fewer nodes, another
 * partition, a reservation; and which jobs use up the limit that keeps it
 *
 * Each is tried on the finished plan, with the command that does it; MAUI_HELP_* bound the tries.
 */

#include "answers/help.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/find_job.h"
#include "base/duration.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "explain/offer.h"
#include "explain/text.h"
#include "plan/finished.h"

struct help {
	const struct maui_question *q;
	const struct maui_document *p;
	struct maui_explainer *x;
	const struct maui_idle *idle;
	const struct maui_row *row;
	struct maui_job_help *list;
	size_t count;
	bool failed;
};

/* `command` NULL: none. */
static void add_item(struct help *h, const char *text, const char *command)
{
	struct maui_job_help *item = &h->list[h->count++];

	item->text = maui_question_copy(h->q, text);
	item->command = maui_question_copy(h->q, command);
	h->failed |= !item->text || (command && !item->command);
}

/* How many items there may be. */
static size_t most_items(const struct maui_explanation *e)
{
	size_t most = 1 + 2 + 2 * MAUI_HELP_TRIES; /* an idle limit; less; elsewhere */

	for (const struct maui_block *block = e->verdict->blocks; block; block = block->next)
		most += block->reason == MAUI_REASON_LIMIT;
	return most;
}

/* The question whether the job as it is would start. The job keeps its limits; those of another
 * partition are not looked at. */
static struct maui_offer_question question_of(const struct help *h)
{
	const struct maui_snapshot *s = h->p->plan->snapshot;
	uint32_t row = (uint32_t)(h->row - h->idle->rows);
	struct maui_offer_question q = { .partition = h->row->partition,
					 .request = &s->requests[maui_idle_request(h->idle, row)],
					 .limit_s = h->idle->limit_s,
					 .advres = h->idle->advres };

	memcpy(q.cred, s->creds[h->row->creds].cred, sizeof(q.cred));
	return q;
}

/* ---- limits ---- */

static bool has_cred(const struct maui_document_rsv *row, int kind, const char *name)
{
	return row->cred[kind] && name && strcmp(row->cred[kind], name) == 0;
}

/* Whether the active job counts against the limit, of one credential or of a pair. */
static bool uses_limit(const struct maui_document_rsv *row, const struct maui_violation *v)
{
	return row->type == MAUI_DOCUMENT_JOB && row->state != 'I' &&
	       has_cred(row, v->cred, v->name) &&
	       (v->second >= MAUI_CRED_COUNT || !v->second_name ||
		has_cred(row, v->second, v->second_name));
}

/* Names the first jobs, and counts all. */
static void name_job(struct maui_strbuf *text, uint32_t *count, const char *label)
{
	if ((*count)++ < MAUI_HELP_JOBS)
		maui_strbuf_addf(text, "%s %s", *count > 1 ? "," : "", label);
}

static uint32_t name_active(const struct help *h, const struct maui_violation *v,
			    struct maui_strbuf *text)
{
	char label[MAUI_JOB_LABEL_SIZE];
	uint32_t count = 0;

	for (size_t i = 0; i < h->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &h->p->rsvs[i];

		if (uses_limit(row, v) && maui_document_shows(h->p, row, h->q->uid))
			name_job(text, &count, maui_active_label(row, label));
	}
	return count;
}

/* Whether the waiting job counts against the idle limit (THR-8). */
static bool waits_under(const struct help *h, uint32_t index, const struct maui_violation *v)
{
	const struct maui_plan *plan = h->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const char *const *cred =
		plan->snapshot->creds[idle->rows[plan->jobs[index].row].creds].cred;
	const char *second =
		v->second < MAUI_CRED_COUNT && v->second_name ? cred[v->second] : v->second_name;

	return plan->jobs[index].queued && !plan->decisions.verdicts[index].no_accrual &&
	       h->p->idle[index].waiting > 0 && cred[v->cred] && v->name &&
	       strcmp(cred[v->cred], v->name) == 0 &&
	       (!v->second_name || (second && strcmp(second, v->second_name) == 0));
}

static uint32_t name_waiting(const struct help *h, const struct maui_violation *v,
			     struct maui_strbuf *text)
{
	const struct maui_plan *plan = h->p->plan;
	char label[MAUI_JOB_LABEL_SIZE];
	uint32_t count = 0;

	for (uint32_t j = plan->first_job; j != UINT32_MAX; j = plan->jobs[j].next)
		if (waits_under(h, j, v) && maui_document_shows_idle(h->p, j, h->q->uid))
			name_job(text, &count, maui_waiting_label(h->p, j, label));
	return count;
}

/* "in use by 11, 12 and 3 more": jobs with the credential that the asker may see; active ones, of
 * an idle limit waiting ones. */
static void add_users_of(struct help *h, const struct maui_violation *v)
{
	bool idle = v->kind == MAUI_VIOLATION_IDLE;
	struct maui_strbuf text = { 0 };
	char limit[MAUI_VIOLATION_SIZE];
	uint32_t count;

	if ((v->kind != MAUI_VIOLATION_ACTIVE && !idle) || v->cred >= MAUI_CRED_COUNT)
		return;
	maui_strbuf_addf(&text, "%s: in use by%s", maui_violation_format(v, limit, sizeof(limit)),
			 idle ? " waiting jobs" : "");
	count = idle ? name_waiting(h, v, &text) : name_active(h, v, &text);
	if (count > MAUI_HELP_JOBS)
		maui_strbuf_addf(&text, " and %" PRIu32 " more", count - MAUI_HELP_JOBS);
	h->failed |= text.failed;
	if (count > 0 && !text.failed)
		add_item(h, text.text, NULL);
	maui_strbuf_finish(&text);
}

static void add_limits(struct help *h, const struct maui_explanation *e)
{
	for (const struct maui_block *block = e->verdict->blocks; block; block = block->next)
		if (block->reason == MAUI_REASON_LIMIT && block->violation)
			add_users_of(h, block->violation);
	if (e->verdict->idle_limit)
		add_users_of(h, e->verdict->idle_limit);
}

/* ---- another request ---- */

static const char *if_slurm(const struct help *h)
{
	return maui_explain_if_slurm(question_of(h).request->asks_slurm);
}

/* Slurm takes whole minutes. */
static void add_shorter(struct help *h, int64_t longest_s)
{
	char text[128], command[96], limit[MAUI_DURATION_SIZE];
	int64_t minutes = longest_s == MAUI_NEVER ? 0 : longest_s / 60;

	if (minutes == 0)
		return;
	maui_duration_format(minutes * 60, limit, sizeof(limit));
	snprintf(text, sizeof(text), "with a time limit of at most %s it would start now%s", limit,
		 if_slurm(h));
	snprintf(command, sizeof(command), "scontrol update jobid=%" PRIu64 " timelimit=%" PRId64,
		 h->idle->id, minutes);
	add_item(h, text, command);
}

/* Tasks and processors become fewer as well: they are in proportion to the nodes. The number of
 * nodes must be the user's: MinNodes of a partition and shares of --gpus cannot be had for less. */
static void add_fewer_nodes(struct help *h)
{
	struct maui_offer_question q = question_of(h);
	const struct maui_request *r = q.request;
	char text[128], command[160];
	uint32_t nodes;
	int64_t tasks;

	if (r->nodes_min < 2 || r->required_count > 0 || !r->nodes_named || r->per_job ||
	    h->idle->het_id) /* Slurm changes no component's size */
		return;
	if (maui_explain_fewer_nodes(h->x, &q, &nodes)) {
		h->failed = true;
		return;
	}
	if (nodes == 0)
		return;
	tasks = r->tasks > r->nodes_min ? (int64_t)(r->tasks * nodes / r->nodes_min) : nodes;
	snprintf(text, sizeof(text),
		 "on %" PRIu32 " node%s instead of %" PRIu32 " it would start now%s", nodes,
		 nodes == 1 ? "" : "s", r->nodes_min, if_slurm(h));
	snprintf(command, sizeof(command),
		 "scontrol update jobid=%" PRIu64 " numnodes=%" PRIu32 " numtasks=%" PRId64
		 " numcpus=%" PRId64,
		 h->idle->id, nodes, tasks, tasks * r->procs_per_task);
	add_item(h, text, command);
}

static bool is_named(const struct maui_idle *idle, uint32_t partition)
{
	for (uint32_t r = 0; r < idle->row_count; r++)
		if (idle->rows[r].partition == partition)
			return true;
	return false;
}

static bool may_run_in(const struct help *h, uint32_t partition)
{
	const struct maui_partition *other = &h->p->plan->snapshot->partitions[partition];

	return !is_named(h->idle, partition) && !other->down &&
	       (other->max_limit_s == 0 || h->idle->limit_s <= other->max_limit_s);
}

static void add_partitions(struct help *h)
{
	const struct maui_snapshot *s = h->p->plan->snapshot;
	char text[MAUI_NAME_MAX + 128], command[MAUI_NAME_MAX + 96];
	uint32_t tries = 0;

	for (uint32_t i = 0; i < s->partition_count && tries < MAUI_HELP_TRIES; i++) {
		struct maui_offer_question q = question_of(h);
		const char *name = s->partitions[i].name;
		bool now = false;

		if (!may_run_in(h, i))
			continue;
		tries++;
		q.partition = i;
		q.cred[MAUI_CRED_CLASS] = name;
		h->failed |= maui_explain_starts_now(h->x, &q, &now) != 0;
		if (!now)
			continue;
		snprintf(text, sizeof(text),
			 "in partition %s it would start now, if you may use it%s", name,
			 if_slurm(h));
		snprintf(command, sizeof(command), "scontrol update jobid=%" PRIu64 " partition=%s",
			 h->idle->id, name);
		add_item(h, text, command);
	}
}

/* Reservations that the job does not name, have begun, and are visible to the asker. */
static void add_reservations(struct help *h)
{
	char text[MAUI_NAME_MAX + 128], command[MAUI_NAME_MAX + 96];
	uint32_t tries = 0, count = h->p->plan->standing ? h->p->plan->standing->count : 0;

	for (size_t i = 0; !h->idle->advres && i < h->p->rsv_count && tries < MAUI_HELP_TRIES;
	     i++) {
		const struct maui_document_rsv *row = &h->p->rsvs[i];
		struct maui_offer_question q = question_of(h);
		const char *name;
		bool now = false;

		if (row->rsv >= count || row->node_count == 0 || row->start_s > h->p->plan->now_s ||
		    !maui_document_shows(h->p, row, h->q->uid))
			continue;
		tries++;
		q.advres = name = h->p->plan->standing->list[row->rsv]->name;
		h->failed |= maui_explain_starts_now(h->x, &q, &now) != 0;
		if (!now)
			continue;
		snprintf(text, sizeof(text), "in reservation %s it would start now%s", name,
			 if_slurm(h));
		snprintf(command, sizeof(command),
			 "scontrol update jobid=%" PRIu64 " reservation=%s", h->idle->id, name);
		add_item(h, text, command);
	}
}

const struct maui_job_help *maui_help_list(const struct maui_question *q, uint32_t index,
					   struct maui_explainer *x,
					   const struct maui_explanation *e, size_t *ret_count)
{
	const struct maui_plan *plan = q->document->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	struct help h = { .q = q,
			  .p = q->document,
			  .x = x,
			  .idle = idle,
			  .row = &idle->rows[plan->jobs[index].row],
			  .list = maui_question_alloc(q, most_items(e), sizeof(*h.list)) };
	int64_t longest_s = e->longest_s;

	if (!h.list)
		return NULL;
	add_limits(&h, e); /* before the explanation goes */
	if (plan->jobs[index].waits && e->verdict->blocks) {
		if (idle->busy_until_s <= plan->now_s) { /* else what is free does not help */
			add_shorter(&h, longest_s);
			add_fewer_nodes(&h);
		}
		add_partitions(&h);
		add_reservations(&h);
	}
	*ret_count = h.count;
	return h.failed ? maui_question_no_memory(q) : h.list;
}
