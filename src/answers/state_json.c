/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_json.c - the machine at a glance: the scheduler, the largest active jobs, the nodes */

#include "answers/state_json.h"

#include <stdlib.h>

#include "answers/config_json.h"
#include "answers/find_job.h"
#include "answers/gres_json.h"
#include "answers/json_rows.h"
#include "answers/node_use.h"
#include "answers/object.h"
#include "base/limits.h"
#include "cycle/health.h"
#include "plan/finished.h"

struct state {
	const struct maui_document *p;
	uid_t uid;
	const struct maui_document_rsv *
		*jobs; /* active, that the user may see; the largest first */
	size_t job_count;
	struct maui_node_use *uses; /* of each node; NULL: the user may not see nodes */
	uint32_t *job_of;           /* index of `jobs` of a node's only job; UINT32_MAX: none */
	int64_t used_procs;
};

/* ---- the scheduler ---- */

static void put_seconds(struct maui_object *o, const char *key, int64_t us)
{
	maui_object_put(o, key, maui_json_decimal((double)us / 1e6, "%.6f"));
}

static void put_cycles(struct maui_object *o, const struct maui_health *h)
{
	maui_object_put_number(o, "since", h->since_s);
	maui_object_put_number(o, "cycles", (int64_t)h->cycles);
	maui_object_put_number(o, "failed_cycles", (int64_t)h->failed);
	put_seconds(o, "last_cycle", h->last.took_us);
	put_seconds(o, "last_plan", h->last.plan_us);
	put_seconds(o, "longest_cycle", (int64_t)h->longest_us);
	put_seconds(o, "last_read_hold", h->last.holds[MAUI_HEALTH_READ].longest_us);
	put_seconds(o, "last_write_hold", h->last.holds[MAUI_HEALTH_WRITE].longest_us);
	put_seconds(o, "longest_read_hold", h->holds[MAUI_HEALTH_READ].longest_us);
	put_seconds(o, "longest_write_hold", h->holds[MAUI_HEALTH_WRITE].longest_us);
	maui_object_put_number(o, "started", (int64_t)h->started);
	maui_object_put_number(o, "backfilled", (int64_t)h->backfilled);
	maui_object_put_number(o, "refused", (int64_t)h->refused);
	maui_object_put_number(o, "preempted", (int64_t)h->preempted);
}

static void put_scheduler(struct maui_object *o, const struct maui_document *p)
{
	static const char *const modes[] = {
		[MAUI_SERVER_NORMAL] = "NORMAL",
		[MAUI_SERVER_TEST] = "TEST",
		[MAUI_SERVER_SIMULATION] = "SIMULATION",
	};
	struct maui_object s = maui_object_make();

	maui_object_put_text(&s, "server_mode", modes[p->plan->config->server_mode]);
	maui_object_put_number(&s, "poll_interval", p->plan->config->poll_interval_s);
	if (p->health) {
		maui_object_put(&s, "starts_jobs", json_object_new_boolean(p->health->starts));
		maui_object_put_text(&s, "no_starts", maui_document_no_starts(p));
		put_cycles(&s, p->health);
	}
	maui_object_put(o, "scheduler", maui_object_finish(&s));
}

/* ---- jobs ---- */

static int by_size(const void *a, const void *b)
{
	const struct maui_document_rsv *one = *(const struct maui_document_rsv *const *)a;
	const struct maui_document_rsv *two = *(const struct maui_document_rsv *const *)b;

	if (one->procs != two->procs)
		return one->procs > two->procs ? -1 : 1;
	return one->job_id < two->job_id ? -1 : one->job_id > two->job_id;
}

static int find_jobs(struct state *s)
{
	s->jobs = malloc((s->p->rsv_count + 1) * sizeof(*s->jobs));
	if (!s->jobs)
		return -1;
	for (size_t i = 0; i < s->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &s->p->rsvs[i];

		if (!maui_document_is_active(row) || !maui_document_shows(s->p, row, s->uid))
			continue;
		s->jobs[s->job_count++] = row;
		s->used_procs += row->state == 'Z' ? 0 : row->procs;
	}
	if (s->job_count > 0)
		qsort(s->jobs, s->job_count, sizeof(*s->jobs), by_size);
	return 0;
}

static json_object *job_json(const struct maui_document_rsv *row)
{
	struct maui_object o = maui_object_make();
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_text(&o, "job", maui_active_label(row, label));
	maui_object_put_text(&o, "state", maui_active_state(row));
	maui_object_put_text(&o, "user", row->cred[MAUI_CRED_USER]);
	maui_object_put_text(&o, "group", row->cred[MAUI_CRED_GROUP]);
	maui_object_put_number(&o, "procs", row->procs);
	maui_object_put_number(&o, "start", row->start_s);
	maui_object_put_time(&o, "end", row->end_s);
	return maui_object_finish(&o);
}

static void put_jobs(struct maui_object *o, const struct state *s)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < s->job_count && i < MAUI_STATE_MAX_JOBS; i++) {
		json_object *one = job_json(s->jobs[i]);

		if (!one || json_object_array_add(list, one) != 0) {
			json_object_put(one);
			o->failed = true;
		}
	}
	maui_object_put(o, "jobs", list);
	maui_object_put_number(o, "active_jobs", (int64_t)s->job_count);
	maui_object_put_number(o, "active_procs", s->used_procs);
	maui_gres_put_all(o, s->p, s->uid);
}

/* ---- nodes ---- */

static int find_nodes(struct state *s)
{
	uint32_t count = s->p->plan->snapshot->node_count;

	if (maui_document_hides_nodes(s->p, s->uid))
		return 0;
	s->uses = maui_node_use_list(s->p, s->uid);
	s->job_of = malloc((count + 1u) * sizeof(*s->job_of));
	if (!s->uses || !s->job_of)
		return -1;
	for (uint32_t n = 0; n < count; n++)
		s->job_of[n] = UINT32_MAX;
	for (uint32_t i = 0; i < s->job_count; i++)
		for (uint32_t k = 0; k < s->jobs[i]->node_count; k++) {
			uint32_t node = s->jobs[i]->nodes[k].node;

			if (node < count && s->uses[node].jobs == 1)
				s->job_of[node] = i;
		}
	return 0;
}

/* Rows: name, state, index of `jobs` of its only job, number of jobs, whether it is reserved. */
static void put_nodes(struct maui_object *o, const struct state *s)
{
	const struct maui_snapshot *snapshot = s->p->plan->snapshot;
	struct maui_json_rows rows = { 0 };

	if (!s->uses) {
		maui_object_put_null(o, "nodes");
		return;
	}
	for (uint32_t i = 0; i < snapshot->node_count && i < MAUI_QUERY_MAX_NODES; i++) {
		const struct maui_node_use *use = &s->uses[i];
		enum maui_node_state state = maui_node_state(s->p->plan, i, use);

		maui_json_rows_begin(&rows);
		maui_json_rows_text(&rows, snapshot->nodes[i].name);
		maui_json_rows_text(&rows, maui_node_state_name(state));
		maui_json_rows_time(&rows,
				    s->job_of[i] < MAUI_STATE_MAX_JOBS ? s->job_of[i] : MAUI_NEVER);
		maui_json_rows_number(&rows, use->jobs);
		maui_json_rows_number(&rows, use->reserved);
		maui_json_rows_end(&rows);
	}
	maui_object_put(o, "nodes", maui_json_rows_finish(&rows));
}

static void put_totals(struct maui_object *o, const struct state *s)
{
	const struct maui_snapshot *snapshot = s->p->plan->snapshot;
	int64_t procs = 0, active = 0;

	for (uint32_t i = 0; i < snapshot->node_count; i++) {
		procs += snapshot->nodes[i].have[MAUI_AMOUNT_PROCS];
		active += s->uses && s->uses[i].jobs > 0;
	}
	maui_object_put_number(o, "procs", procs);
	maui_object_put_number(o, "node_count", snapshot->node_count);
	if (s->uses)
		maui_object_put_number(o, "active_nodes", active);
	else
		maui_object_put_null(o, "active_nodes");
}

json_object *maui_state_json(const struct maui_document *p, uid_t uid,
			     struct maui_query_error *error)
{
	struct state s = { .p = p, .uid = uid };
	struct maui_object o;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	o = maui_object_make();
	o.failed |= find_jobs(&s) || find_nodes(&s);
	if (!o.failed) {
		maui_object_put_text(&o, "cluster", p->cluster);
		maui_object_put_number(&o, "time", p->now_s);
		put_scheduler(&o, p);
		put_jobs(&o, &s);
		put_totals(&o, &s);
		put_nodes(&o, &s);
		maui_object_put(&o, "problems", maui_state_problems(p, s.uses, uid));
		maui_config_put_refused(&o, p, uid);
	}
	free(s.jobs);
	free(s.uses);
	free(s.job_of);
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
