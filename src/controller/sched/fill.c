/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fill.c - credentials, stamps and counts for what was copied from slurmctld */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "controller/rank.h"
#include "slurm/start/preempt.h"

static const struct maui_seen_job *find_seen(const struct maui_iteration *it, uint64_t id)
{
	return maui_idmap_get(&it->by_id, (uint32_t)id);
}

static int index_seen(struct maui_iteration *it)
{
	for (size_t i = 0; i < it->seen->count; i++)
		if (maui_idmap_set(&it->by_id, it->seen->jobs[i].job_id, &it->seen->jobs[i]))
			return -1;
	return 0;
}

static const struct maui_seen_part *find_part(const struct maui_seen_job *seen, const char *name)
{
	for (size_t i = 0; i < seen->part_count; i++)
		if (strcmp(seen->parts[i].name, name) == 0)
			return &seen->parts[i];
	return seen->part_count ? &seen->parts[0] : NULL;
}

/* May it be pushed off, should policy want that? */
static bool may_go(const struct maui_iteration *it, const struct maui_seen_job *seen)
{
	return it->c->config->preempt_policy == MAUI_PREEMPT_SUSPEND || seen->requeueable;
}

static int64_t add_creds(struct maui_iteration *it, const struct maui_seen_job *seen,
			 const struct maui_track *track, const char *part)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 };

	if (seen && track)
		maui_rank_creds(it->c, seen, track, part, cred);
	return maui_snapshot_creds(it->cluster.snapshot, cred);
}

/* What lists go by: as it was planned, not as slurmctld's record has it once the job runs (on 22.05
 * --ntasks-per-node makes -n a multiple of the nodes given). */
static void fill_asked(struct maui_active *active, struct maui_track *track)
{
	if (track->asked_tasks == active->asked_tasks && track->asked_procs == active->asked_procs)
		track->asked_tasks = track->asked_procs = 0; /* the record knows */
	if (track->asked_tasks > 0) {
		active->asked_tasks = track->asked_tasks;
		active->asked_procs = track->asked_procs;
	}
}

/* A job that came and started between two looks is nobody's for this one. */
static int fill_active(struct maui_iteration *it, struct maui_active *active, bool completing)
{
	const struct maui_seen_job *seen = find_seen(it, active->id);
	struct maui_track *track = maui_tracks_find(&it->c->tracks, (uint32_t)active->id);
	const struct maui_seen_part *part = seen && seen->part_count ? &seen->parts[0] : NULL;
	struct maui_job held = active->job;
	int64_t creds = add_creds(it, seen, track, part ? part->name : NULL);

	if (creds < 0)
		return -1;
	active->creds = (uint32_t)creds;
	active->completing = completing;
	if (seen && track) {
		maui_rank_fill(it->c, seen, track, it->cluster.now_s, &active->job);
		active->job.nodes = held.nodes;
		active->job.procs = held.procs;
		active->job.walltime_s = held.walltime_s;
		if (part)
			active->job.class_fallback = part->job_factor;
		if (!it->c->roles[MAUI_ROLE_PRIORITY])
			active->given_priority = seen->priority;
		if (!seen->suspended)
			track->suspended_by_us = false; /* somebody else let it go on */
		active->resumable = track->suspended_by_us;
		active->preemptee = track->preemptible && may_go(it, seen);
		active->advres = track->advres; /* copied */
		fill_asked(active, track);
		active->preempt_never = !it->may_preempt || !may_go(it, seen);
	}
	if (active->end_s == MAUI_NEVER)
		active->end_s = active->start_s + it->c->config->default_walltime_s;
	return maui_snapshot_add_active(it->cluster.snapshot, active) < 0 ? -1 : 0;
}

static int fill_rows(struct maui_iteration *it, struct maui_pending *pending,
		     const struct maui_seen_job *seen, const struct maui_track *track)
{
	for (uint32_t r = 0; r < pending->idle.row_count; r++) {
		struct maui_row *row = &pending->rows[r];
		int64_t creds = add_creds(it, seen, track,
					  it->cluster.snapshot->partitions[row->partition].name);

		if (creds < 0)
			return -1;
		row->creds = (uint32_t)creds;
		if (seen->direct)
			row->priority = seen->priority;
	}
	return 0;
}

/* A job without any limit is planned as long as SYSTEMDEFAULTJOBWALLTIME says. */
static void fill_limit(struct maui_iteration *it, struct maui_idle *idle,
		       const struct maui_seen_job *seen)
{
	const char *name = it->cluster.snapshot->partitions[idle->rows[0].partition].name;
	const struct maui_seen_part *part = find_part(seen, name);

	if (part && (idle->limit_s == MAUI_NEVER || !seen->own_limit))
		idle->limit_s = (int64_t)maui_rank_walltime(it->c, seen, part);
	idle->job.walltime_s = (double)idle->limit_s;
	if (part)
		idle->job.class_fallback = part->job_factor;
}

/* Set aside after refused starts: by DEFERTIME, or for a moment when Slurm had no room. */
static void fill_failures(struct maui_iteration *it, struct maui_idle *idle,
			  struct maui_track *track)
{
	int64_t now_s = it->cluster.now_s;
	int64_t until_s = maui_defer_until(it->c->config, &track->defer, now_s);

	if (until_s && idle->blocked == MAUI_REASON_NONE) {
		idle->blocked = MAUI_REASON_DEFERRED;
		idle->blocked_until_s = until_s;
	}
	if (track->retry_s <= now_s || track->retry_s > now_s + MAUI_SCHED_RETRY_MAX_S ||
	    track->retry_ends != it->ends)
		return;
	idle->refused = true;
	maui_sched_wake(it->sched, track->retry_s);
}

static int fill_idle(struct maui_iteration *it, struct maui_pending *pending)
{
	const struct maui_seen_job *seen = find_seen(it, pending->job_id);
	struct maui_track *track = maui_tracks_find(&it->c->tracks, pending->job_id);
	struct maui_idle *idle = &pending->idle;

	if (!seen || !track || seen->state != MAUI_SEEN_PENDING || idle->row_count == 0)
		return 0; /* came just now: the next look has it, and comes at once */
	if (seen->asks != pending->fingerprint) { /* updated between the two copies */
		maui_sched_wake(it->sched, it->cluster.now_s + 1);
		return 0;
	}
	idle->queue_since_s = track->stamp_s;
	idle->nice = seen->nice;
	idle->advres = track->advres; /* copied */
	idle->priority_given = seen->direct || !it->c->roles[MAUI_ROLE_PRIORITY];
	maui_rank_fill(it->c, seen, track, it->cluster.now_s, &idle->job);
	idle->job.procs = (double)idle->procs;
	fill_limit(it, idle, seen);
	track->asked_tasks = track->asked_procs = 0;
	maui_track_set_asks(track, pending->fingerprint);
	fill_failures(it, idle, track);
	if (fill_rows(it, pending, seen, track) ||
	    maui_snapshot_add_idle(it->cluster.snapshot, idle) < 0)
		return -1;
	it->waiting[it->cluster.snapshot->idle_count - 1] =
		(struct maui_waiting){ .job_id = pending->job_id,
				       .array_job_id = pending->array_job_id,
				       .submit_s = pending->submit_s,
				       .fingerprint = pending->fingerprint,
				       .request = idle->request };
	if (idle->blocked == MAUI_REASON_NONE)
		it->queued += idle->row_count;
	return 0;
}

int maui_sched_fill(struct maui_iteration *it)
{
	struct maui_context *c = it->c;
	int rc = index_seen(it);

	it->may_preempt = maui_sched_may_preempt(it);
	it->waiting_count = it->eligible.count;
	it->waiting =
		maui_arena_alloc(&it->arena, (it->eligible.count + 1u) * sizeof(*it->waiting));
	if (!it->waiting)
		rc = -1;
	for (uint32_t i = 0; i < it->cluster.active_count && rc == 0; i++) {
		slurm_mutex_lock(&c->lock);
		rc = fill_active(it, &it->cluster.active[i], it->cluster.active_completing[i]);
		slurm_mutex_unlock(&c->lock);
	}
	for (uint32_t i = 0; i < it->eligible.count && rc == 0; i++) {
		slurm_mutex_lock(&c->lock);
		rc = fill_idle(it, &it->eligible.jobs[i]);
		slurm_mutex_unlock(&c->lock);
	}
	it->cluster.snapshot->totals = it->seen->totals;
	maui_eligible_finish(&it->eligible);
	if (rc == 0) {
		maui_sched_bars_review(it);
		maui_sched_bars_apply(it);
	}
	return rc;
}
