/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_cycle.c - usage and priorities in one cycle of the agent
 *
 * The controller's lock is held for one job at a time where jobs are ranked, because slurmctld's
 * threads rank and submit jobs meanwhile.
 */

#include "slurm/compat.h"

#include "controller/priority_cycle.h"

#include "controller/rank.h"
#include "cycle/job_statistics.h"
#include "cycle/usage_charges.h"

void maui_priority_cycle_begin(struct maui_priority_cycle *cycle, struct maui_controller *c)
{
	*cycle = (struct maui_priority_cycle){ .c = c };
	slurm_mutex_lock(&c->lock);
	cycle->rankings = c->rankings;
	slurm_mutex_unlock(&c->lock);
}

/* Counts the jobs and processors that each user runs now: UPROC, UJOB. */
static void count_active(struct maui_priority_cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	struct maui_name *user;

	for (size_t i = 0; i < cycle->captured.count; i++) {
		const struct maui_captured_job *captured = &cycle->captured.jobs[i];

		if (captured->state != MAUI_CAPTURED_ACTIVE)
			continue;
		slurm_mutex_lock(&c->lock);
		user = maui_names_get_user(&c->names, captured->user_id);
		if (user) {
			user->next_jobs++; /* a suspended job counts as a job, not as processors */
			user->next_procs += captured->suspended ? 0 : captured->procs;
		}
		slurm_mutex_unlock(&c->lock);
	}
	/* All counts change under one lock: a submit never sees half of them. */
	slurm_mutex_lock(&c->lock);
	for (size_t at = 0; (user = maui_hashtable_next(&c->names.users, &at));) {
		user->active_procs = user->next_procs;
		user->active_jobs = user->next_jobs;
		user->next_procs = user->next_jobs = 0;
	}
	slurm_mutex_unlock(&c->lock);
}

/* Whether slurmctld requeued the job, or gave its id to another, and ranked it since the copy
 * began: the history is newer than the copy. An older submit time alone does not tell, because a
 * clock may be set back. */
static bool is_outdated(const struct maui_priority_cycle *cycle,
			const struct maui_captured_job *captured,
			const struct maui_job_history *history)
{
	return history && history->submit_s != captured->submit_s &&
	       history->version > cycle->rankings;
}

void maui_priority_cycle_add_jobs(struct maui_priority_cycle *cycle)
{
	struct maui_controller *c = cycle->c;

	for (size_t i = 0; i < cycle->captured.count; i++) {
		const struct maui_captured_job *captured = &cycle->captured.jobs[i];

		slurm_mutex_lock(&c->lock);
		if (!is_outdated(cycle, captured,
				 maui_job_histories_find(&c->histories, captured->job_id)))
			maui_rank_history(c, captured, cycle->captured.now_s);
		maui_names_user(&c->names, captured->user_id);
		maui_names_group(&c->names, captured->user_id, captured->group_id);
		slurm_mutex_unlock(&c->lock);
	}
}

static double limit_of(const struct maui_controller *c, const struct maui_captured_job *captured)
{
	return captured->part_count > 0 ? maui_rank_walltime(c, captured, &captured->parts[0]) : 0;
}

static void charge_jobs(struct maui_priority_cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	const char *cred[MAUI_CRED_COUNT];
	unsigned known;

	maui_usage_charge_until(&c->usage, cycle->captured.now_s);
	for (size_t i = 0; i < cycle->captured.count; i++) {
		const struct maui_captured_job *captured = &cycle->captured.jobs[i];
		struct maui_job_history *history;

		if (captured->start_s == 0)
			continue;
		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories, captured->job_id);
		if (is_outdated(cycle, captured, history))
			history = NULL; /* it no longer knows what of that run was charged */
		if (history && c->first_start)
			maui_usage_charge_begin(history, captured);
		if (history &&
		    maui_names_are_known(&c->names, captured->user_id, captured->group_id)) {
			maui_rank_creds(c, captured, history,
					captured->part_count ? captured->parts[0].name : NULL,
					cred);
			known = maui_names_with_names(&c->names, captured->user_id,
						      captured->group_id);
			maui_usage_charge_job(&c->usage, c->config, history, captured, cred, known,
					      &cycle->captured.totals, c->first_start);
			maui_job_statistics_count_start(&c->statistics, c->config, history,
							captured, cred, known);
			maui_job_statistics_count(&c->statistics, c->config, history, captured,
						  cred, known, limit_of(c, captured));
		}
		slurm_mutex_unlock(&c->lock);
	}
	c->first_start = false;
}

/* Publishes the fairshare percentages with which jobs are ranked until the next cycle. */
static void publish_usage(struct maui_priority_cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	struct maui_fs_table *table, *old;

	maui_fairshare_expire(&c->usage, c->config, cycle->captured.now_s);
	table = maui_fs_table_create(&c->usage, c->config, cycle->captured.now_s);
	if (!table)
		return;
	slurm_mutex_lock(&c->lock);
	old = c->fs;
	c->fs = table;
	c->totals = cycle->captured.totals;
	slurm_mutex_unlock(&c->lock);
	maui_fs_table_destroy(old);
}

/* Ranks one job. Lists the job for writing unless it is held or an administrator set its priority.
 * A job that slurmctld ranked since the copy began keeps that rank: the copy may not have the
 * update (a changed nice value, say) for which slurmctld ranked the job. */
static void rank_job(struct maui_priority_cycle *cycle, const struct maui_captured_job *captured)
{
	struct maui_controller *c = cycle->c;
	struct maui_apply_job *job = &cycle->jobs[cycle->job_count];
	struct maui_apply_part *parts;
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, captured->job_id);
	if (history && history->version <= cycle->rankings &&
	    maui_rank(c, captured, history, cycle->captured.now_s) == 0 && !captured->held &&
	    !captured->direct) {
		parts = maui_arena_alloc(&cycle->captured.arena,
					 history->row_count * sizeof(*parts));
		if (parts) {
			maui_rank_parts(history, parts);
			*job = (struct maui_apply_job){ .job_id = captured->job_id,
							.submit_s = captured->submit_s,
							.version = history->version,
							.parts = parts,
							.part_count = history->row_count };
			cycle->job_count++;
		}
	}
	slurm_mutex_unlock(&c->lock);
}

static void rank_jobs(struct maui_priority_cycle *cycle)
{
	struct maui_captured_jobs *all = &cycle->captured;

	cycle->jobs = maui_arena_alloc(&all->arena, (all->count + 1) * sizeof(*cycle->jobs));
	for (size_t i = 0; cycle->jobs && i < all->count; i++)
		if (all->jobs[i].state != MAUI_CAPTURED_ENDED)
			rank_job(cycle, &all->jobs[i]);
}

/* Whether no call of slurmctld (an update, a release) ranked the job since this cycle did. */
static bool still_current(const struct maui_apply_job *job, void *arg)
{
	struct maui_controller *c = arg;
	const struct maui_job_history *history;
	bool current;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job->job_id);
	current = history && history->version == job->version;
	slurm_mutex_unlock(&c->lock);
	return current;
}

void maui_priority_cycle_charge(struct maui_priority_cycle *cycle)
{
	charge_jobs(cycle);
	publish_usage(cycle);
	count_active(cycle);
}

void maui_priority_cycle_publish(struct maui_priority_cycle *cycle, struct maui_apply_result *ret)
{
	*ret = (struct maui_apply_result){ 0 };
	rank_jobs(cycle);
	if (cycle->c->roles[MAUI_ROLE_PRIORITY]) /* otherwise another plugin's priorities stand */
		maui_apply_priorities(cycle->jobs, cycle->job_count, still_current, cycle->c, ret);
}

void maui_priority_cycle_finish(struct maui_priority_cycle *cycle)
{
	maui_captured_jobs_finish(&cycle->captured);
}
