/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.c - answers "metrics": the families of `maui metrics`
 *
 * Counters count since slurmctld started. Bounded: credentials are those with the largest usage
 * (base/limits.h), everything else is a number for the whole machine. What PrivateData hides from
 * the user is neither listed nor counted.
 *
 * Rules: CMD-9, CMD-48.
 */

#include "maui_config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "answers/answer.h"
#include "answers/find_job.h"
#include "answers/gres.h"
#include "answers/metric_families.h"
#include "answers/metric_parts.h"
#include "answers/node_use.h"
#include "answers/own_creds.h"
#include "answers/partition_shares.h"
#include "answers/queue_sums.h"
#include "answers/rsv_walk.h"
#include "base/limits.h"
#include "config/status.h"
#include "cycle/health.h"
#include "explain/shares.h"
#include "model/gres.h"
#include "plan/finished.h"
#include "state/utilisation.h"

/* ---- processors, nodes and generic resources, of all and of each partition ---- */

static void add_processors(struct maui_metric_families *f, const struct maui_document *p)
{
	static const struct {
		enum maui_load load;
		const char *state;
	} states[] = { { MAUI_LOAD_USED, "used" },
		       { MAUI_LOAD_RESERVED, "reserved" },
		       { MAUI_LOAD_IDLE, "idle" },
		       { MAUI_LOAD_DOWN, "down" } };
	const struct maui_utilisation *u = p->utilisation;

	if (!u || u->last_s == 0)
		return;
	maui_metric_begin(
		f, "processors", "gauge",
		"Processors by state; reserved: idle under a reservation that has begun.");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		maui_metric_by(f, "state", states[i].state, u->last[states[i].load]);
	maui_metric_gauge(f, "configured_processors", "Processors of all nodes.",
			  u->last[MAUI_LOAD_PROCS]);
}

static void add_nodes(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	static const char *const names[MAUI_NODE_STATES] = {
		[MAUI_NODE_IDLE] = "idle",       [MAUI_NODE_RUNNING] = "running",
		[MAUI_NODE_BUSY] = "busy",       [MAUI_NODE_DRAINING] = "draining",
		[MAUI_NODE_DRAINED] = "drained", [MAUI_NODE_DOWN] = "down",
		[MAUI_NODE_UNKNOWN] = "unknown",
	};
	uint32_t counts[MAUI_NODE_STATES] = { 0 };
	struct maui_node_use *uses;

	if (maui_document_hides_nodes(p, uid))
		return;
	uses = maui_node_use_list(p, uid);
	f->failed |= !uses;
	for (uint32_t i = 0; uses && i < p->plan->snapshot->node_count; i++)
		counts[maui_node_state(p->plan, i, &uses[i])]++;
	free(uses);
	maui_metric_begin(f, "nodes", "gauge", "Nodes by state.");
	for (int i = 0; i < MAUI_NODE_STATES; i++)
		maui_metric_by(f, "state", names[i], counts[i]);
}

static void put_gres(struct maui_metric_families *f, const struct maui_snapshot *s,
		     const int64_t *total, const int64_t *amounts)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (maui_gres_name(s, d) && total[d] > 0)
			maui_metric_by(f, "gres", maui_gres_name(s, d), (double)amounts[d]);
}

static bool has_gres(const struct maui_snapshot *s)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (maui_gres_name(s, d))
			return true;
	return false;
}

/* Generic resources by name and type, as in --gres: what nodes have, and what jobs hold. */
static void add_gres(struct maui_metric_families *f, const struct maui_document *p)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	int64_t *total = has_gres(s) ? maui_gres_sums(s) : NULL;

	f->failed |= has_gres(s) && !total;
	if (!total)
		return;
	maui_metric_begin(f, "gres", "gauge", "Generic resources of all nodes, such as GPUs.");
	put_gres(f, s, total, total);
	maui_metric_begin(f, "gres_allocated", "gauge", "Generic resources that jobs hold.");
	put_gres(f, s, total, total + s->amount_count);
	free(total);
}

/* ---- by partition ---- */

static void put_share(struct maui_metric_families *f, const struct maui_partition_share *row)
{
	const struct {
		const char *state;
		int64_t amount;
	} list[] = { { "used", row->used },
		     { "reserved", row->reserved },
		     { "idle", row->idle },
		     { "down", row->down } };

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		maui_metric_add(f, NULL,
				(const char *const[]){ "partition", row->partition, "state",
						       list[i].state, row->gres ? "gres" : NULL,
						       row->gres, NULL },
				(double)list[i].amount);
}

static void add_partitions(struct maui_metric_families *f)
{
	const struct maui_partition_share *rows;
	size_t count, i;

	if (maui_partition_shares(f->question, &rows, &count)) {
		f->failed = true;
		return;
	}
	if (count == 0)
		return;
	maui_metric_begin(f, "partition_processors", "gauge",
			  "Processors of the partition's nodes by state.");
	for (i = 0; i < count && !rows[i].gres; i++)
		put_share(f, &rows[i]);
	if (i == count)
		return;
	maui_metric_begin(f, "partition_gres", "gauge",
			  "Generic resources of the partition's nodes by state.");
	for (; i < count; i++)
		put_share(f, &rows[i]);
}

static void add_machine(struct maui_metric_families *families)
{
	const struct maui_question *q = families->question;

	add_processors(families, q->document);
	add_nodes(families, q->document, q->uid);
	add_gres(families, q->document);
	add_partitions(families);
}

/* ---- the scheduler ---- */

static double seconds(uint64_t us)
{
	return (double)us / 1e6;
}

static void add_mode(struct maui_metric_families *f, const struct maui_document *p)
{
	static const char *const modes[] = {
		[MAUI_SERVER_NORMAL] = "normal",
		[MAUI_SERVER_TEST] = "test",
		[MAUI_SERVER_SIMULATION] = "simulation",
	};
	const struct maui_health *h = p->health;

	maui_metric_begin(f, "server_mode", "gauge", "SERVERMODE of maui.cfg: 1 for the one set.");
	for (int i = 0; i <= MAUI_SERVER_SIMULATION; i++)
		maui_metric_by(f, "mode", modes[i], p->plan->config->server_mode == i);
	maui_metric_gauge(f, "starts_jobs",
			  "1: cycles start jobs. 0: SERVERMODE, the crash guard, another scheduler "
			  "or slurmctld keeps them from it.",
			  h->starts);
	maui_metric_gauge(f, "crash_guard_active",
			  "1: slurmctld died twice inside a plan, and nothing is started for now.",
			  h->guarded);
}

/* How many cycles took at most so long. */
static void add_buckets(struct maui_metric_families *f, const struct maui_health *h)
{
	uint64_t count = 0;
	const char *text;

	for (int i = 0; i < MAUI_HEALTH_BUCKETS; i++) {
		count += h->buckets[i];
		text = maui_question_printf(f->question, "%g", maui_health_bounds_s[i]);
		f->failed |= !text;
		maui_metric_add(f, "_bucket", (const char *const[]){ "le", text, NULL },
				(double)count);
	}
	maui_metric_add(f, "_bucket", (const char *const[]){ "le", "+Inf", NULL },
			(double)h->cycles);
}

static void add_cycle_times(struct maui_metric_families *f, const struct maui_health *h)
{
	maui_metric_begin(f, "cycle_duration_seconds", "histogram",
			  "Duration of scheduling cycles.");
	add_buckets(f, h);
	maui_metric_add(f, "_sum", NULL, seconds(h->took_us));
	maui_metric_add(f, "_count", NULL, (double)h->cycles);
	maui_metric_gauge(f, "last_cycle_duration_seconds", "Duration of the last cycle.",
			  seconds((uint64_t)h->last.took_us));
	maui_metric_gauge(f, "longest_cycle_duration_seconds",
			  "Duration of the longest cycle since slurmctld started.",
			  seconds(h->longest_us));
	maui_metric_counter(f, "failed_cycles_total",
			    "Cycles that made no plan, for example because slurmctld's tables "
			    "changed meanwhile.",
			    (double)h->failed);
	maui_metric_begin(f, "plan_duration_seconds", "summary",
			  "Time of planning, several plans a cycle when Slurm refuses starts.");
	maui_metric_add(f, "_sum", NULL, seconds(h->plan_us));
	maui_metric_add(f, "_count", NULL, (double)h->plans);
	maui_metric_gauge(f, "last_plan_duration_seconds", "Time of planning in the last cycle.",
			  seconds((uint64_t)h->last.plan_us));
}

static void add_holds(struct maui_metric_families *f, const struct maui_health *h)
{
	static const char *const locks[MAUI_HEALTH_LOCKS] = {
		[MAUI_HEALTH_READ] = "read", [MAUI_HEALTH_WRITE] = "write"
	};

	maui_metric_begin(f, "lock_hold_seconds", "summary",
			  "How long cycles held slurmctld's locks.");
	for (int i = 0; i < MAUI_HEALTH_LOCKS; i++) {
		const char *const labels[] = { "lock", locks[i], NULL };

		maui_metric_add(f, "_sum", labels, seconds(h->holds[i].sum_us));
		maui_metric_add(f, "_count", labels, (double)h->holds[i].count);
	}
	maui_metric_begin(f, "last_cycle_longest_lock_hold_seconds", "gauge",
			  "Longest hold of slurmctld's locks in the last cycle.");
	for (int i = 0; i < MAUI_HEALTH_LOCKS; i++)
		maui_metric_by(f, "lock", locks[i], seconds(h->last.holds[i].longest_us));
	maui_metric_begin(f, "longest_lock_hold_seconds", "gauge",
			  "Longest hold of slurmctld's locks since slurmctld started.");
	for (int i = 0; i < MAUI_HEALTH_LOCKS; i++)
		maui_metric_by(f, "lock", locks[i], seconds(h->holds[i].longest_us));
}

static void add_starts(struct maui_metric_families *f, const struct maui_health *h)
{
	maui_metric_counter(f, "jobs_started_total", "Jobs started.", (double)h->started);
	maui_metric_counter(f, "jobs_backfilled_total",
			    "Jobs started while a job of higher priority stayed idle.",
			    (double)h->backfilled);
	maui_metric_counter(f, "jobs_preempted_total", "Jobs preempted.", (double)h->preempted);
	maui_metric_counter(f, "starts_refused_total", "Planned starts that Slurm refused.",
			    (double)h->refused);
}

static void add_config(struct maui_metric_families *f, const struct maui_document *p)
{
	const struct maui_config_status *config = p->config;

	if (!config)
		return;
	maui_metric_gauge(f, "config_in_force",
			  "1: maui.cfg on the disk is in force. 0: slurmctld refused it, or it was "
			  "changed or removed and not read again.",
			  !config->refused_s && !config->unread);
	maui_metric_gauge(f, "config_read_timestamp_seconds",
			  "When the configuration in force was read.", (double)config->read_s);
	maui_metric_gauge(f, "config_warnings", "Warnings about the configuration in force.",
			  (double)maui_document_count_warnings(p));
}

static void add_scheduler(struct maui_metric_families *f, const struct maui_document *p)
{
	const char *const info[] = { "cluster",       p->cluster,       "version", MAUI_VERSION,
				     "slurm_version", p->slurm_version, NULL };

	maui_metric_begin(f, "info", "gauge", "1; what runs.");
	maui_metric_add(f, NULL, info, 1);
	maui_metric_gauge(f, "plan_timestamp_seconds", "When the last plan was made.",
			  (double)p->now_s);
	add_config(f, p);
	if (!p->health)
		return;
	maui_metric_gauge(f, "start_timestamp_seconds", "When the counters began.",
			  (double)p->health->since_s);
	add_mode(f, p);
	add_cycle_times(f, p->health);
	add_holds(f, p->health);
	add_starts(f, p->health);
}

/* ---- the queue and the machine ---- */

static void add_queue(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	const struct maui_queue_sums sums = maui_queue_sums(p, uid);

	maui_metric_begin(f, "jobs", "gauge", "Jobs by state; each task of an array is one.");
	for (int i = 0; i < MAUI_QUEUE_STATES; i++)
		maui_metric_by(f, "state", maui_queue_state_name((enum maui_queue_state)i),
			       (double)sums.states[i].jobs);
	maui_metric_begin(f, "job_processors", "gauge",
			  "Processors that jobs have or request, by the state of the job.");
	for (int i = 0; i < MAUI_QUEUE_STATES; i++)
		maui_metric_by(f, "state", maui_queue_state_name((enum maui_queue_state)i),
			       (double)sums.states[i].procs);
	maui_metric_begin(f, "waiting_jobs", "gauge", "Waiting jobs by their first reason.");
	for (int i = 0; i < MAUI_REASON_COUNT; i++)
		if (sums.reasons[i].jobs > 0)
			maui_metric_by(f, "reason", maui_reason_text((enum maui_reason)i),
				       (double)sums.reasons[i].jobs);
}

/* ---- reservations ---- */

/* Of one kind, begun or planned. */
enum { COUNT, PROCS, USED, FIGURES };
struct reservation_sum {
	double figures[FIGURES];
};

static void put_reservations(struct maui_metric_families *f, const char *name, const char *help,
			     const struct reservation_sum *sums, int figure)
{
	static const char *const kinds[MAUI_DOCUMENT_TYPE_COUNT] = {
		[MAUI_DOCUMENT_JOB] = "job",     [MAUI_DOCUMENT_SYSTEM] = "system",
		[MAUI_DOCUMENT_USER] = "user",   [MAUI_DOCUMENT_STANDING] = "standing",
		[MAUI_DOCUMENT_SLURM] = "slurm",
	};

	maui_metric_begin(f, name, "gauge", help);
	for (size_t i = 0; i < 2 * (size_t)MAUI_DOCUMENT_TYPE_COUNT; i++) {
		if (figure == USED && i / 2 == MAUI_DOCUMENT_SLURM) /* not known */
			continue;
		const char *const labels[] = { "kind", kinds[i / 2], "state",
					       i % 2 ? "begun" : "planned", NULL };

		maui_metric_add(f, NULL, labels, sums[i].figures[figure]);
	}
}

/* Those of waiting jobs, of setres, of maui.cfg and Slurm's own. */
static void add_reservations(struct maui_metric_families *f, const struct maui_document *p,
			     uid_t uid)
{
	struct reservation_sum sums[2 * MAUI_DOCUMENT_TYPE_COUNT] = { 0 };
	struct maui_rsv_walk walk = { .document = p, .uid = uid };
	const struct maui_document_rsv *row;

	while ((row = maui_rsv_walk_next(&walk))) {
		struct reservation_sum *sum = &sums[2 * row->type + (row->start_s <= p->now_s)];

		if (maui_document_is_active(row))
			continue;
		sum->figures[COUNT]++;
		sum->figures[PROCS] += (double)row->procs;
		sum->figures[USED] += (double)row->used_procs;
	}
	f->failed |= walk.failed;
	maui_rsv_walk_finish(&walk);
	put_reservations(
		f, "reservations",
		"Reservations by kind: of waiting jobs, of setres (system: no job gets in), "
		"standing, Slurm's own.",
		sums, COUNT);
	put_reservations(f, "reservation_processors", "Processors of reservations.", sums, PROCS);
	put_reservations(f, "reservation_used_processors",
			 "Processors of reservations that jobs use.", sums, USED);
}

/* ---- fairshare ---- */

static bool shows_usage(enum maui_cred_kind kind, const char *name, void *own)
{
	return maui_own_creds_shows(own, kind, name);
}

static void add_usage(struct maui_metric_families *f, const struct maui_shares *shares)
{
	maui_metric_begin(f, "fairshare_usage_ratio", "gauge",
			  "Share of all usage in the fairshare windows, by their weights.");
	for (size_t i = 0; i < shares->count; i++) {
		const struct maui_fs_share *row = &shares->list[i];
		const char *const labels[] = { "kind", maui_cred_name(row->kind), "name", row->name,
					       NULL };

		if (maui_metric_takes(row->name))
			maui_metric_add(f, NULL, labels, row->percent / 100);
	}
	maui_metric_gauge(f, "fairshare_usage_processor_seconds",
			  "All usage in the fairshare windows, by their weights.", shares->total);
}

static void add_targets(struct maui_metric_families *f, const struct maui_shares *shares)
{
	maui_metric_begin(
		f, "fairshare_target_ratio", "gauge",
		"Fairshare target: FSTARGET of maui.cfg, without caps in processor-seconds.");
	for (size_t i = 0; i < shares->count; i++) {
		const struct maui_fs_share *row = &shares->list[i];
		const char *labels[] = {
			"kind", maui_cred_name(row->kind), "name", row->name, "type", NULL, NULL
		};

		if (row->target.kind == MAUI_FS_TARGET_NONE ||
		    row->target.kind == MAUI_FS_CAP_ABSOLUTE || !maui_metric_takes(row->name))
			continue;
		labels[5] = row->target.kind == MAUI_FS_CAP_RELATIVE ?
				    "cap" : /* the only kind of cap here */
				    maui_fs_target_words[row->target.kind].word;
		maui_metric_add(f, NULL, labels, row->target.value / 100);
	}
}

static void add_fairshare(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	struct maui_own_creds own;
	const struct maui_share_filter filter = { .kind = MAUI_CRED_COUNT,
						  .shows = shows_usage,
						  .arg = &own,
						  .most = MAUI_REPORT_MAX_SHARES };
	struct maui_shares shares;

	if (!p->usage)
		return;
	if (maui_own_creds_find_usage(p, uid, &own)) {
		f->failed = true;
		return;
	}
	if (maui_shares_list(p->usage, p->plan, &filter, &shares)) {
		f->failed = true;
	} else {
		add_usage(f, &shares);
		add_targets(f, &shares);
		maui_metric_gauge(f, "fairshare_left_out",
				  "Credentials that are not listed, as their usage is small.",
				  (double)shares.left_out);
		maui_shares_finish(&shares);
	}
	maui_own_creds_finish(&own);
}

/* Returns a struct maui_metrics; NULL with the error: no plan yet, no memory. */
const void *maui_answer_metrics(const struct maui_question *q, const void *args)
{
	const struct maui_document *p = q->document;
	struct maui_metric_families families = { .question = q };
	struct maui_metrics *metrics;

	(void)args;
	if (!maui_question_has_plan(q))
		return NULL;
	add_scheduler(&families, p);
	add_queue(&families, p, q->uid);
	add_machine(&families);
	add_reservations(&families, p, q->uid);
	add_fairshare(&families, p, q->uid);
	maui_metrics_waits(&families);
	if (families.failed)
		return maui_question_no_memory(q);
	metrics = maui_question_alloc(q, 1, sizeof(*metrics));
	if (metrics)
		*metrics = (struct maui_metrics){ .cluster = p->cluster,
						  .time = p->now_s,
						  .families = families.list,
						  .families_count = families.count };
	return metrics;
}
