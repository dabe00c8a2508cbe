/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.c - where snapshot, fairshare, configuration and track of a job meet */

#include "controller/rank.h"

#include <stdlib.h>

#include "plan/fscap.h"
#include "plan/rank.h"
#include "policy/accrual.h"
#include "policy/qos.h"

struct maui_track *maui_rank_track(struct maui_context *c, const struct maui_seen_job *seen,
				   int64_t now_s)
{
	struct maui_track_key key = { .job_id = seen->job_id,
				      .array_job_id = seen->array_job_id,
				      .submit_s = seen->submit_s,
				      .restarted = seen->restarted };
	struct maui_track *track = maui_tracks_get(&c->tracks, &key, now_s);

	if (track && seen->qos_text)
		maui_track_set_qos(track, seen->qos_text);
	if (track && seen->advres)
		maui_track_set_advres(track, seen->advres);
	return track;
}

/* Slurm's QOS when it has one; else the text the job was submitted with, if the job may have it;
 * else the default (j.2). */
static const char *qos_of(const struct maui_context *c, const struct maui_seen_job *seen,
			  const struct maui_track *track, const char *const *cred)
{
	if (seen->qos)
		return seen->qos;
	if (track->qos && maui_qos_allowed(c->config, cred, track->qos))
		return track->qos;
	return maui_qos_default(c->config, cred);
}

void maui_rank_creds(struct maui_context *c, const struct maui_seen_job *seen,
		     const struct maui_track *track, const char *part, const char **ret_cred)
{
	ret_cred[MAUI_CRED_USER] = maui_names_user(&c->names, seen->user_id);
	ret_cred[MAUI_CRED_GROUP] = maui_names_group(&c->names, seen->group_id);
	ret_cred[MAUI_CRED_ACCOUNT] = seen->account;
	ret_cred[MAUI_CRED_CLASS] = part;
	ret_cred[MAUI_CRED_QOS] = NULL;
	ret_cred[MAUI_CRED_QOS] = qos_of(c, seen, track, ret_cred);
}

static bool any_part_up(const struct maui_seen_job *seen)
{
	for (size_t i = 0; i < seen->part_count; i++)
		if (seen->parts[i].up)
			return true;
	return false;
}

/* Reached a fairshare cap with any credential (FULLPOLICY only, so asked for only then). */
static bool over_a_cap(struct maui_context *c, const struct maui_seen_job *seen,
		       const struct maui_track *track)
{
	const char *cred[MAUI_CRED_COUNT];

	if (maui_accrual_policy(c->config) != MAUI_ACCRUAL_FULLPOLICY)
		return false;
	maui_rank_creds(c, seen, track, seen->parts[0].name, cred);
	return maui_plan_fs_caps(c->config, c->fs, cred, NULL, 0) > 0;
}

static void move_stamp(struct maui_context *c, const struct maui_seen_job *seen,
		       struct maui_track *track, int64_t now_s)
{
	struct maui_accrual_state state = {
		.held = seen->held,
		.dependent = seen->dependent,
		.limit = track->limited,
		.active_limit = track->active_limit,
		.class_disabled = !any_part_up(seen),
		.rejected = track->rejected,
		.fs_capped = over_a_cap(c, seen, track),
	};
	bool blocked = seen->held || seen->dependent;
	enum maui_accrual policy = maui_accrual_policy(c->config);

	if (seen->state != MAUI_SEEN_PENDING)
		return;
	if (track->blocked && !blocked)
		state.held = true; /* released since the last look: it was held until just now */
	track->blocked = blocked;
	track->stamp_s =
		maui_accrual_stamp(policy, &state, track->stamp_s, track->accrued_s, now_s);
	track->accrued_s = now_s;
}

void maui_rank_fill(struct maui_context *c, const struct maui_seen_job *seen,
		    const struct maui_track *track, int64_t now_s, struct maui_job *job)
{
	const struct maui_name *user = maui_names_find_user(&c->names, seen->user_id);
	bool active = seen->state == MAUI_SEEN_ACTIVE;

	*job = (struct maui_job){
		.nodes = seen->nodes,
		.procs = seen->procs,
		.mem_mb = seen->mem_mb,
		.disk_mb = seen->disk_mb,
		.elapsed_s = (double)seen->ran_s,
		.active = active,
		.bypass = track->bypass,
		.soft_violation = track->soft_violation,
		.user_procs = user ? user->active_procs : 0,
		.user_jobs = user ? user->active_jobs : 0,
	};
	job->queue_time_s =
		(double)maui_accrual_queue_time(track->stamp_s, active ? seen->start_s : 0, now_s);
}

double maui_rank_walltime(const struct maui_context *c, const struct maui_seen_job *seen,
			  const struct maui_seen_part *part)
{
	const struct maui_cred_config *class =
		maui_config_cred(c->config, MAUI_CRED_CLASS, part->name);

	if (!seen->own_limit && class->default_walltime_s > 0)
		return (double)class->default_walltime_s;
	return part->walltime_s > 0 ? part->walltime_s : (double)c->config->default_walltime_s;
}

/* false: no memory for the partition's name. */
static bool rank_part(struct maui_context *c, const struct maui_seen_job *seen,
		      const struct maui_seen_part *part, struct maui_track *track,
		      struct maui_job *job, struct maui_track_row *row)
{
	struct maui_priority priority;
	struct maui_published published;

	maui_rank_creds(c, seen, track, part->name, job->cred);
	job->walltime_s = maui_rank_walltime(c, seen, part);
	job->class_fallback = part->job_factor;
	maui_plan_rank(c->config, c->fs, &c->totals, job, &priority);
	maui_publish(&priority, maui_config_priority(c->config, part->name)->enable_negative,
		     seen->nice, &published);
	track->rejected &= priority.rejected; /* in none of its partitions may it run */
	row->part = maui_names_intern(&c->names, part->name);
	row->priority = published.priority;
	for (int comp = 0; comp < MAUI_COMP_COUNT; comp++)
		row->column[comp] = published.column[comp];
	return row->part != NULL;
}

int maui_rank(struct maui_context *c, const struct maui_seen_job *seen, struct maui_track *track,
	      int64_t now_s)
{
	struct maui_track_row small[8], *rows = small;
	struct maui_job job;
	bool named = true;
	int rc;

	if (seen->part_count == 0)
		return -1;
	if (seen->part_count > sizeof(small) / sizeof(small[0]))
		rows = calloc(seen->part_count, sizeof(*rows));
	if (!rows)
		return -1;
	move_stamp(c, seen, track, now_s);
	maui_rank_fill(c, seen, track, now_s, &job);
	track->rejected = true;
	for (size_t i = 0; i < seen->part_count; i++)
		named &= rank_part(c, seen, &seen->parts[i], track, &job, &rows[i]);
	track->version++;
	rc = named ? maui_track_publish(track, rows, seen->part_count) : -1;
	if (rows != small)
		free(rows);
	return rc;
}

void maui_rank_parts(const struct maui_track *track, struct maui_apply_part *parts)
{
	for (size_t i = 0; i < track->row_count; i++)
		parts[i] = (struct maui_apply_part){ .name = track->rows[i].part,
						     .priority = track->rows[i].priority };
}
