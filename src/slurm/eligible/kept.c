/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept.c - what is kept of a waiting job between two cycles, and what a change touches
 *
 * Rules: BF-17.
 */

#include "slurm/compat.h"

#include "slurm/eligible/kept.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "cycle/kept_facts.h"
#include "slurm/capture/jobs.h"
#include "slurm/eligible/magnetic.h"
#include "slurm/hold.h"
#include "slurm/request/request.h"

enum { CLOCKS_APART_US = 100000 };

struct maui_kept {
	struct maui_kept_facts facts;
	uint64_t cycle;                 /* counts cycles */
	int64_t now_s;                  /* of this one's copy */
	struct maui_snapshot *snapshot; /* a reference: requests of kept jobs are its */
	int64_t *requests; /* of each of its requests the index in the next snapshot; -1: none */
	struct maui_hashtable by_id;
	struct maui_arena arena; /* of the jobs; emptied whenever all are checked */
	bool usable, compares;
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
	uint64_t hash = maui_hash_mix(0, (uint64_t)site->node_count << 32 | s->node_count);

	hash = maui_hash_mix(hash, (uint64_t)site->threads << 32 | site->sockets);
	hash = maui_hash_mix(hash, (uint64_t)site->memory);
	hash = maui_hash_mix(hash, (uint64_t)site->node_procs);
	hash = maui_hash_mix(hash, (uint64_t)site->procs);
	hash = maui_hash_mix(hash, (uint64_t)site->mixed << 1 | site->keeps_gres);
	hash = mix_real(mix_real(mix_real(hash, s->totals.procs), s->totals.mem_mb),
			s->totals.gres);
	for (unsigned d = 0; d < cluster->amount_count; d++)
		hash = maui_hash_mix_text(hash, cluster->amounts[d]);
	for (uint32_t i = 0; i < s->partition_count; i++)
		hash = maui_hash_mix(maui_hash_mix_text(hash, s->partitions[i].name),
				     s->partitions[i].cap_amount);
	hash = maui_hash_mix(hash, s->switch_count);
	return maui_hash_struct(hash, &cluster->rules, sizeof(cluster->rules));
}

/* Whether the checks of jobs look only at what is known here and in kept_limits.c.
 *
 * - A magnetic reservation attracts each job that it admits and that fits into it now. Slurm's
 *   answer depends on its free nodes, which each start, end and drain changes. A list of the jobs
 *   that it may attract would be a second copy of Slurm's rules.
 * - With PreemptType the answers are about pairs: which running jobs the waiting one may preempt,
 *   by QOS, partition, reservation and PreemptExemptTime. They change with every job that starts
 *   or ends, and with time. */
static bool is_usable(const struct maui_cluster *cluster)
{
	return cluster->rules.preemption == MAUI_CLUSTER_PREEMPTS_NOT && !maui_magnetic_exist();
}

/* Reads both clocks at one moment: what lies between would look as if one had been set. */
static void read_clocks(struct maui_kept_look *look)
{
	struct timespec now;
	int64_t before_us;

	do {
		before_us = maui_monotonic_us();
		clock_gettime(CLOCK_REALTIME, &now);
		look->steady_us = maui_monotonic_us();
	} while (look->steady_us - before_us > CLOCKS_APART_US);
	look->clock_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static struct maui_kept_look look_at_facts(const struct maui_cluster *cluster,
					   const struct maui_request_site *site)
{
	struct maui_kept_look look = { .began_s = cluster->now_s };

	look.facts = maui_hash_mix(maui_kept_partitions(), cluster->table);
	look.facts = maui_hash_mix(look.facts, hash_site(cluster, site));
	look.facts = maui_hash_mix(look.facts, accounting_enforce);
	look.facts = maui_hash_mix(look.facts, (uint64_t)slurmctld_tres_cnt);
	look.stamp_s = last_part_update > slurm_conf.last_update ? last_part_update :
								   slurm_conf.last_update;
	read_clocks(&look);
	return look;
}

void maui_kept_begin(struct maui_kept *kept, const struct maui_cluster *cluster,
		     const struct maui_request_site *site, int64_t full_every_s)
{
	struct maui_kept_look look = look_at_facts(cluster, site);
	bool hold = maui_kept_facts_hold(&kept->facts, &look, full_every_s);

	kept->cycle++;
	maui_kept_limits_begin();
	kept->now_s = cluster->now_s;
	free(kept->requests); /* of a cycle that failed */
	kept->requests = NULL;
	kept->usable = is_usable(cluster);
	if (!kept->usable || !hold)
		forget(kept);
}

bool maui_kept_is_usable(const struct maui_kept *kept)
{
	return kept->usable;
}

/* ---- kept jobs ---- */

bool maui_kept_has_any(const struct maui_kept *kept)
{
	return kept->snapshot != NULL;
}

struct maui_kept_job *maui_kept_find(struct maui_kept *kept, const struct job_record *job_ptr)
{
	struct maui_kept_job *job;

	if (!kept->snapshot)
		return NULL;
	job = maui_hashtable_find_id(&kept->by_id, job_ptr->job_id);
	/* one that the last cycle did not use has a request of an earlier snapshot */
	if (!job || job->cycle + 1 != kept->cycle ||
	    job->record != maui_kept_record(job_ptr, kept->now_s))
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

bool maui_kept_compares(const struct maui_kept *kept)
{
	return kept->compares;
}
