/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept.c - what is kept of a waiting job between two cycles, and what a change touches
 *
 * Rules: BF-17.
 */

#include "slurm/compat.h"

#include "slurm/eligible/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "slurm/capture/jobs.h"
#include "slurm/request/request.h"

/* Facts that touch all jobs. */
struct facts {
	uint64_t table; /* hash of Slurm's stamps of partitions, node table, slurm.conf */
	uint64_t site;  /* hash of what requests are made of */
};

struct maui_kept {
	struct facts facts;
	int64_t full_s;                 /* when all jobs were checked */
	uint64_t cycle;                 /* counts cycles */
	struct maui_snapshot *snapshot; /* a reference: requests of kept jobs are its */
	int64_t *requests; /* of each of its requests the index in the next snapshot; -1: none */
	struct maui_hashtable by_id;
	struct maui_arena arena; /* of the jobs; emptied whenever all are checked */
	bool usable, compares;
	bool in_doubt; /* another change may have the stamps of these facts */
};

struct maui_kept *maui_kept_create(void)
{
	struct maui_kept *kept = calloc(1, sizeof(*kept));

	if (kept)
		kept->compares = getenv("MAUI_COMPARE_KEPT") != NULL;
	return kept;
}

static void forget(struct maui_kept *kept)
{
	maui_hashtable_clear(&kept->by_id);
	maui_arena_finish(&kept->arena);
	maui_snapshot_destroy(kept->snapshot);
	kept->snapshot = NULL;
	free(kept->requests);
	kept->requests = NULL;
}

void maui_kept_destroy(struct maui_kept *kept)
{
	if (!kept)
		return;
	forget(kept);
	maui_hashtable_finish(&kept->by_id);
	free(kept);
}

/* ---- facts that touch all jobs ---- */

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return maui_hash_mix(hash, text ? maui_hash_text(text, 0) : 1);
}

static uint64_t mix_real(uint64_t hash, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return maui_hash_mix(hash, bits);
}

/* What a request is made of, apart from the job's record and its partition. A job that asks for
 * nodes or features by name is not kept, so of the nodes only their sizes count. */
static uint64_t hash_site(const struct maui_cluster *cluster, const struct maui_request_site *site)
{
	const struct maui_snapshot *s = cluster->snapshot;
	const struct maui_cluster_rules *rules = &cluster->rules;
	uint64_t hash = maui_hash_mix(0, (uint64_t)site->node_count << 32 | s->node_count);

	hash = maui_hash_mix(hash, (uint64_t)site->threads << 32 | site->sockets);
	hash = maui_hash_mix(hash, (uint64_t)site->memory);
	hash = maui_hash_mix(hash, (uint64_t)site->node_procs);
	hash = maui_hash_mix(hash, (uint64_t)site->procs);
	hash = maui_hash_mix(hash, (uint64_t)site->mixed << 1 | site->keeps_gres);
	hash = mix_real(mix_real(mix_real(hash, s->totals.procs), s->totals.mem_mb),
			s->totals.gres);
	for (unsigned d = 0; d < cluster->amount_count; d++)
		hash = mix_text(hash, cluster->amounts[d]);
	for (uint32_t i = 0; i < s->partition_count; i++)
		hash = maui_hash_mix(mix_text(hash, s->partitions[i].name),
				     s->partitions[i].cap_amount);
	hash = maui_hash_mix(hash, (uint64_t)s->switch_count << 32 | rules->block_size);
	hash = maui_hash_mix(hash, rules->def_mem);
	return maui_hash_mix(hash, (uint64_t)rules->linear | (uint64_t)rules->cores << 1 |
					   (uint64_t)rules->memory << 2 |
					   (uint64_t)rules->one_task_per_core << 3 |
					   (uint64_t)rules->blocks << 4 |
					   (uint64_t)rules->fewest_nodes << 5 |
					   (uint64_t)rules->preemption << 8);
}

static struct facts read_facts(const struct maui_cluster *cluster,
			       const struct maui_request_site *site)
{
	return (struct facts){ .table = cluster->table, .site = hash_site(cluster, site) };
}

static bool are_same(const struct facts *a, const struct facts *b)
{
	return a->table == b->table && a->site == b->site;
}

/* A stamp has whole seconds: in the second in which it was read it may hide a later change. */
static bool may_hide_a_change(int64_t read_s)
{
	return last_part_update >= read_s || slurm_conf.last_update >= read_s;
}

static int is_magnetic(void *x, void *arg)
{
	const slurmctld_resv_t *resv_ptr = x;

	(void)arg;
	return (resv_ptr->flags & RESERVE_FLAG_MAGNETIC) != 0;
}

/* Whether the checks of jobs look only at what this file knows: not at limits and QOS of
 * associations, which every job that starts or ends moves, nor at the free nodes of magnetic
 * reservations, nor at who may preempt whom. */
static bool is_usable(const struct maui_cluster *cluster)
{
	return !(accounting_enforce & (ACCOUNTING_ENFORCE_LIMITS | ACCOUNTING_ENFORCE_QOS)) &&
	       cluster->rules.preemption == MAUI_CLUSTER_PREEMPTS_NOT &&
	       !(resv_list && list_find_first(resv_list, is_magnetic, NULL));
}

void maui_kept_begin(struct maui_kept *kept, const struct maui_cluster *cluster,
		     const struct maui_request_site *site, int64_t full_every_s)
{
	struct facts facts = read_facts(cluster, site);
	int64_t now_s = time(NULL);
	bool due = now_s >= kept->full_s + full_every_s || now_s < kept->full_s;

	kept->cycle++;
	free(kept->requests); /* of a cycle that failed */
	kept->requests = NULL;
	kept->usable = is_usable(cluster);
	if (!kept->usable || due || !are_same(&facts, &kept->facts) || kept->in_doubt) {
		forget(kept);
		kept->full_s = now_s;
	}
	kept->facts = facts;
	kept->in_doubt = may_hide_a_change(now_s);
}

bool maui_kept_is_usable(const struct maui_kept *kept)
{
	return kept->usable;
}

/* ---- the job's own record ---- */

/* Whether the checks look at nothing but the record and its partition: no clock, no other job, no
 * reservation, no list of users, no node. */
static bool is_plain(const job_record_t *job_ptr)
{
	const maui_compat_details_t *details = job_ptr->details;
	const part_record_t *part_ptr = job_ptr->part_ptr;

	return IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr) && !IS_JOB_REVOKED(job_ptr) &&
	       details && part_ptr && !job_ptr->part_ptr_list && job_ptr->priority != 0 &&
	       details->begin_time <= time(NULL) && details->begin_time != 0 &&
	       (job_ptr->deadline == 0 || job_ptr->deadline == NO_VAL) && !job_ptr->array_recs &&
	       job_ptr->restart_cnt == 0 && job_ptr->array_job_id == 0 && !job_ptr->het_job_id &&
	       !details->depend_list && !job_ptr->burst_buffer && !job_ptr->resv_name &&
	       !job_ptr->resv_list && !job_ptr->licenses && job_ptr->req_switch == 0 &&
	       !details->features && !details->prefer && !details->req_nodes &&
	       !details->exc_nodes && !details->prolog_running && !job_ptr->gres_list_req &&
	       !(job_ptr->step_list && list_count(job_ptr->step_list)) &&
	       maui_compat_qos_count(job_ptr) == 1 && !part_ptr->allow_groups &&
	       !part_ptr->allow_accounts && !part_ptr->deny_accounts;
}

/* The reason; 0 for those of jobs that only wait, between which cycles change. */
static uint32_t lasting_reason(const job_record_t *job_ptr)
{
	return job_ptr->state_reason == WAIT_PRIORITY || job_ptr->state_reason == WAIT_RESOURCES ?
		       WAIT_NO_REASON :
		       job_ptr->state_reason;
}

/* Limits and sizes that slurmctld itself changes; what users set is in the fingerprint. */
static uint64_t mix_sizes(uint64_t hash, const maui_compat_details_t *details)
{
	hash = maui_hash_mix(hash, (uint64_t)details->min_cpus << 32 | details->max_cpus);
	hash = maui_hash_mix(hash, (uint64_t)details->pn_min_cpus << 32 | details->cpus_per_task);
	hash = maui_hash_mix(hash, details->pn_min_memory);
	return maui_hash_mix(hash, (uint64_t)details->nice << 1 | details->requeue);
}

uint64_t maui_kept_record(const void *record)
{
	const job_record_t *job_ptr = record;
	uint64_t hash;

	if (!is_plain(job_ptr))
		return 0;
	hash = mix_sizes(maui_capture_fingerprint(job_ptr), job_ptr->details);
	hash = maui_hash_mix(hash, (uint64_t)job_ptr->job_state << 32 | lasting_reason(job_ptr));
	hash = maui_hash_mix(hash, job_ptr->priority);
	hash = maui_hash_mix(hash, (uint64_t)job_ptr->group_id << 2 |
					   (uint64_t)job_ptr->direct_set_prio << 1 |
					   (uint64_t)(job_ptr->batch_flag != 0));
	hash = maui_hash_mix(hash, (uint64_t)job_ptr->details->submit_time);
	hash = maui_hash_mix(hash, (uintptr_t)job_ptr->part_ptr);
	hash = maui_hash_mix(hash, (uintptr_t)job_ptr->assoc_ptr);
	hash = maui_hash_mix(hash, (uintptr_t)job_ptr->qos_ptr);
	hash = mix_text(mix_text(hash, job_ptr->name), job_ptr->admin_comment);
	hash = mix_text(hash, maui_compat_qos_text(job_ptr));
	hash = maui_hash_mix(hash, maui_compat_is_expedited(job_ptr));
	return hash | 1;
}

/* ---- kept jobs ---- */

bool maui_kept_has_any(const struct maui_kept *kept)
{
	return kept->snapshot != NULL;
}

struct maui_kept_job *maui_kept_find(struct maui_kept *kept, const void *record)
{
	const job_record_t *job_ptr = record;
	struct maui_kept_job *job;

	if (!kept->snapshot)
		return NULL;
	job = maui_hashtable_find_id(&kept->by_id, job_ptr->job_id);
	/* one that the last cycle did not use has a request of an earlier snapshot */
	if (!job || job->cycle + 1 != kept->cycle || job->record != maui_kept_record(job_ptr))
		return NULL;
	job->slurm_reason = maui_compat_reason_name(job_ptr->state_reason);
	job->shown = maui_capture_shown(job_ptr);
	return job;
}

static int64_t translate(struct maui_kept *kept, uint32_t request, struct maui_snapshot *snapshot)
{
	struct maui_request r;
	int64_t least;

	if (kept->requests[request] >= 0)
		return kept->requests[request];
	r = kept->snapshot->requests[request];
	if (r.least_request > 0) {
		least = translate(kept, r.least_request - 1, snapshot);
		if (least < 0)
			return -1;
		r.least_request = (uint32_t)least + 1;
	}
	kept->requests[request] = maui_snapshot_request(snapshot, &r);
	return kept->requests[request];
}

int64_t maui_kept_request(struct maui_kept *kept, const struct maui_kept_job *job,
			  struct maui_snapshot *snapshot)
{
	uint32_t count = kept->snapshot->request_count;

	if (!kept->requests) {
		kept->requests = malloc((count + 1u) * sizeof(*kept->requests));
		for (uint32_t i = 0; kept->requests && i < count; i++)
			kept->requests[i] = -1;
	}
	return kept->requests ? translate(kept, job->pending.idle.request, snapshot) : -1;
}

static bool copy_text(struct maui_kept *kept, const char **text)
{
	const char *copy = maui_arena_strdup(&kept->arena, *text);
	bool copied = copy || !*text;

	*text = copy;
	return copied;
}

/* Copies what the captured job points to. A plain job has one partition and no conditions. */
static bool copy_captured(struct maui_kept *kept, struct maui_captured_job *job)
{
	struct maui_captured_part *part = maui_arena_alloc(&kept->arena, sizeof(*part));

	if (!part || job->part_count != 1)
		return false;
	*part = job->parts[0];
	job->parts = part;
	job->conditions = (struct maui_job_conditions){ .slurm_reason = NULL };
	return copy_text(kept, &part->name) && copy_text(kept, &job->name) &&
	       copy_text(kept, &job->account) && copy_text(kept, &job->qos) &&
	       copy_text(kept, &job->qos_text) && copy_text(kept, &job->advres);
}

/* The job stays what it is in this cycle. Without memory it is not kept. */
static void keep(struct maui_kept *kept, const struct maui_pending *pending,
		 const struct maui_captured_job *captured)
{
	struct maui_kept_job *job = maui_arena_alloc(&kept->arena, sizeof(*job));

	if (!job)
		return;
	*job = (struct maui_kept_job){ .record = pending->record,
				       .cycle = kept->cycle,
				       .pending = *pending,
				       .row = pending->rows[0],
				       .captured = *captured };
	job->pending.rows = NULL;
	job->pending.idle.rows = NULL;
	if (copy_captured(kept, &job->captured))
		maui_hashtable_set_id(&kept->by_id, pending->job_id, job);
}

void maui_kept_end(struct maui_kept *kept, struct maui_snapshot *snapshot,
		   const struct maui_eligible *eligible, const struct maui_captured_jobs *jobs)
{
	free(kept->requests);
	kept->requests = NULL;
	maui_snapshot_destroy(kept->snapshot);
	kept->snapshot = NULL;
	if (!kept->usable)
		return;
	kept->snapshot = maui_snapshot_ref(snapshot);
	for (uint32_t i = 0; i < eligible->count; i++) {
		const struct maui_pending *pending = &eligible->jobs[i];

		if (pending->kept) { /* found unchanged, or compared and equal */
			pending->kept->cycle = kept->cycle;
			pending->kept->pending.idle.request = pending->idle.request;
		} else if (pending->record) {
			keep(kept, pending, &jobs->jobs[pending->captured]);
		}
	}
}

struct maui_kept_job *maui_kept_of(const struct maui_kept *kept, uint32_t job_id)
{
	struct maui_kept_job *job =
		kept->snapshot ? maui_hashtable_find_id(&kept->by_id, job_id) : NULL;

	return job && job->cycle == kept->cycle ? job : NULL;
}

/* ---- the mode that compares ---- */

bool maui_kept_compares(const struct maui_kept *kept)
{
	return kept->compares;
}

static bool same_text(const char *a, const char *b)
{
	return !a == !b && (!a || strcmp(a, b) == 0);
}

/* What differs, by name; NULL: nothing. */
static const char *compare_pending(const struct maui_kept_job *job, int64_t request,
				   const struct maui_pending *p)
{
	const struct maui_pending *k = &job->pending;
	const struct maui_row *row = p->rows;

#define DIFFERS(a, b, what)          \
	do {                         \
		if ((a) != (b))      \
			return what; \
	} while (0)
#define SAME(what) DIFFERS(k->what, p->what, #what)
	DIFFERS(p->idle.row_count, 1, "row_count");
	DIFFERS(request, (int64_t)p->idle.request, "request");
	DIFFERS(job->row.partition, row->partition, "partition");
	DIFFERS(job->row.kind, row->kind, "kind");
	DIFFERS(job->row.own_request, row->own_request, "own_request");
	DIFFERS(job->row.qos, row->qos, "qos");
	DIFFERS(job->row.priority, row->priority, "priority");
	SAME(task_count);
	SAME(user_id);
	SAME(submit_s);
	SAME(fingerprint);
	SAME(restarts);
	SAME(most_s);
	SAME(idle.copies);
	SAME(idle.limit_s);
	SAME(idle.limit_min_s);
	SAME(idle.start_by_s);
	SAME(idle.nice);
	SAME(idle.procs);
	SAME(idle.run);
	SAME(idle.in_reservation);
	SAME(idle.no_reservation);
	SAME(idle.blocked);
#undef SAME
	return NULL;
}

static const char *compare_captured(const struct maui_captured_job *k,
				    const struct maui_captured_job *c)
{
#define SAME(what)      DIFFERS(k->what, c->what, #what)
#define SAME_TEXT(what) DIFFERS(same_text(k->what, c->what), true, #what)
	SAME(state);
	SAME(group_id);
	SAME(held);
	SAME(dependent);
	SAME(direct);
	SAME(restarted);
	SAME(own_limit);
	SAME(requeueable);
	SAME(priority);
	SAME(nice);
	SAME(submit_s);
	SAME(start_s);
	SAME(part_count);
	SAME_TEXT(parts->name);
	SAME(parts->job_factor);
	SAME(parts->walltime_s);
	SAME(parts->up);
	SAME_TEXT(name);
	SAME_TEXT(account);
	SAME_TEXT(qos);
	SAME_TEXT(qos_text);
	SAME_TEXT(advres);
	SAME(conditions.dependency_count);
	SAME(conditions.begin_s);
	SAME(conditions.run_max);
#define SAME_QUANTITY(name, what) SAME(name);
	MAUI_JOB_QUANTITIES(SAME_QUANTITY)
#undef SAME_QUANTITY
#undef SAME_TEXT
#undef SAME
#undef DIFFERS
	return NULL;
}

void maui_kept_compare(const struct maui_kept_job *job, int64_t request,
		       const struct maui_pending *pending, const struct maui_captured_job *captured)
{
	const char *differs = compare_pending(job, request, pending);

	if (!differs)
		differs = compare_captured(&job->captured, captured);
	if (differs)
		fatal("slurm-maui: what is kept of JobId=%u is no longer so: %s", pending->job_id,
		      differs);
}
