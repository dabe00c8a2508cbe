/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.c - a job's priority from its record, fairshare, maui.cfg and history
 *
 * Rules: PRIO-18.
 */

#include "controller/rank.h"

#include <stdlib.h>

#include "model/when.h"
#include "plan/fscap.h"
#include "plan/rank.h"
#include "policy/accrual.h"
#include "policy/qos.h"
#include "policy/time_limit.h"

struct maui_job_history *maui_rank_history(struct maui_controller *c,
					   const struct maui_captured_job *captured, int64_t now_s)
{
	struct maui_job_history_key key = { .job_id = captured->job_id,
					    .array_job_id = captured->array_job_id,
					    .submit_s = captured->submit_s,
					    .restarted = captured->restarted };
	struct maui_job_history *history = maui_job_histories_get(&c->histories, &key, now_s);

	if (history && captured->qos_text && maui_job_history_set_qos(history, captured->qos_text))
		return NULL;
	if (history && captured->advres && maui_job_history_set_advres(history, captured->advres))
		return NULL;
	return history;
}

/* The job's QOS: Slurm's when it has one, else the text of its submission if the job may have it,
 * else the default (THR-13). */
static const char *qos_of(const struct maui_controller *c, const struct maui_captured_job *captured,
			  const struct maui_job_history *history, const char *const *cred)
{
	if (captured->qos)
		return captured->qos;
	if (history->qos && maui_qos_allowed(c->config, cred, history->qos))
		return history->qos;
	return maui_qos_default(c->config, cred);
}

void maui_rank_creds(struct maui_controller *c, const struct maui_captured_job *captured,
		     const struct maui_job_history *history, const char *part,
		     const char **ret_cred)
{
	ret_cred[MAUI_CRED_USER] = maui_names_user(&c->names, captured->user_id);
	ret_cred[MAUI_CRED_GROUP] =
		maui_names_group(&c->names, captured->user_id, captured->group_id);
	ret_cred[MAUI_CRED_ACCOUNT] = captured->account;
	ret_cred[MAUI_CRED_CLASS] = part;
	ret_cred[MAUI_CRED_QOS] = NULL;
	ret_cred[MAUI_CRED_QOS] = qos_of(c, captured, history, ret_cred);
}

static bool any_part_up(const struct maui_captured_job *captured)
{
	for (size_t i = 0; i < captured->part_count; i++)
		if (captured->parts[i].up)
			return true;
	return false;
}

/* Whether any credential of the job has reached a fairshare cap. Only FULLPOLICY needs to know. */
static bool is_over_fs_cap(struct maui_controller *c, const struct maui_captured_job *captured,
			   const struct maui_job_history *history)
{
	const char *cred[MAUI_CRED_COUNT];

	if (maui_accrual_policy(c->config) != MAUI_ACCRUAL_FULLPOLICY)
		return false;
	maui_rank_creds(c, captured, history, captured->parts[0].name, cred);
	return maui_plan_fs_caps(c->config, c->fs, cred, NULL, 0) > 0;
}

static void move_stamp(struct maui_controller *c, const struct maui_captured_job *captured,
		       struct maui_job_history *history, int64_t now_s)
{
	struct maui_accrual_state state = {
		.held = captured->held,
		.dependent = captured->dependent,
		.limit = history->limited,
		.active_limit = history->active_limit,
		.class_disabled = !any_part_up(captured),
		.rejected = history->rejected,
		.fs_capped = is_over_fs_cap(c, captured, history),
	};
	bool blocked = captured->held || captured->dependent;
	enum maui_accrual policy = maui_accrual_policy(c->config);

	if (captured->state != MAUI_CAPTURED_PENDING)
		return;
	if (history->blocked && !blocked)
		state.held = true; /* released since the last ranking: it was held until now */
	history->blocked = blocked;
	maui_job_history_accrue(history, policy, &state, now_s);
}

void maui_rank_fill(struct maui_controller *c, const struct maui_captured_job *captured,
		    const struct maui_job_history *history, int64_t now_s, struct maui_job *job)
{
	const struct maui_name *user = maui_names_get_user(&c->names, captured->user_id);
	bool active = captured->state == MAUI_CAPTURED_ACTIVE;

	*job = maui_captured_quantities(captured);
	job->elapsed_s = (double)captured->ran_s;
	job->active = active;
	job->bypass = history->bypass;
	job->soft_violation = history->soft_violation;
	job->system_priority = history->system_priority;
	job->system_priority_relative = history->system_priority_added;
	job->user_procs = user ? user->active_procs : 0;
	job->user_jobs = user ? user->active_jobs : 0;
	job->queue_time_s = (double)maui_accrual_queue_time(history->stamp_s,
							    active ? captured->start_s : 0, now_s);
}

double maui_rank_walltime(const struct maui_controller *c, const struct maui_captured_job *captured,
			  const struct maui_captured_part *part)
{
	return (double)maui_time_limit_of(c->config, part->name, captured->own_limit,
					  maui_when_of(part->walltime_s));
}

/* false: no memory for the partition's name. */
static bool rank_part(struct maui_controller *c, const struct maui_captured_job *captured,
		      const struct maui_captured_part *part, struct maui_job_history *history,
		      struct maui_job *job, struct maui_job_history_row *row)
{
	struct maui_priority priority;
	struct maui_published published;

	maui_rank_creds(c, captured, history, part->name, job->cred);
	job->walltime_s = maui_rank_walltime(c, captured, part);
	job->class_fallback = part->job_factor;
	maui_plan_rank(c->config, c->fs, &c->totals, job, &priority);
	maui_publish(&priority, maui_config_priority(c->config, part->name)->enable_negative,
		     captured->nice, &published);
	/* rejected only when every partition rejects the job */
	history->rejected &= priority.rejected;
	row->part = maui_names_intern(&c->names, part->name);
	row->priority = published.priority;
	for (int comp = 0; comp < MAUI_COMP_COUNT; comp++)
		row->column[comp] = published.column[comp];
	return row->part != NULL;
}

int maui_rank(struct maui_controller *c, const struct maui_captured_job *captured,
	      struct maui_job_history *history, int64_t now_s)
{
	struct maui_job_history_row small[8], *rows = small;
	struct maui_job job;
	bool named = true;
	int rc;

	if (captured->part_count == 0)
		return -1;
	if (captured->part_count > sizeof(small) / sizeof(small[0]))
		rows = calloc(captured->part_count, sizeof(*rows));
	if (!rows)
		return -1;
	move_stamp(c, captured, history, now_s);
	maui_rank_fill(c, captured, history, now_s, &job);
	history->rejected = true;
	for (size_t i = 0; i < captured->part_count; i++)
		named &= rank_part(c, captured, &captured->parts[i], history, &job, &rows[i]);
	history->version = ++c->rankings;
	rc = named ? maui_job_history_publish(history, rows, captured->part_count) : -1;
	if (rows != small)
		free(rows);
	return rc;
}

void maui_rank_parts(const struct maui_job_history *history, struct maui_apply_part *parts)
{
	for (size_t i = 0; i < history->row_count; i++)
		parts[i] = (struct maui_apply_part){ .name = history->rows[i].part,
						     .priority = history->rows[i].priority };
}
