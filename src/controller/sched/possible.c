/* SPDX-License-Identifier: GPL-2.0-or-later */
/* possible.c - asks Slurm about jobs that could never run as the plan sees it
 *
 * Slurm alone decides whether a job can run: a plan that finds no nodes for a job even on an empty
 * cluster may have misread the request. Slurm is asked once for all jobs of one kind.
 *
 * Rules: BF-27.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

/* Questions in one cycle, and the pause after so many: each holds the locks for some milliseconds
 * on a large machine. */
enum { QUESTIONS_MAX = 8, PAUSE_S = 1 };

/* Whether the job could run in one of its partitions. */
static enum maui_possible ask(struct maui_iteration *it, uint32_t job)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_waiting *waiting = &it->waiting[job];
	const struct maui_start_site site = maui_sched_site(it);
	struct maui_start_order order = { .job_id = waiting->job_id,
					  .array_job_id = waiting->array_job_id,
					  .submit_s = waiting->submit_s,
					  .fingerprint = waiting->fingerprint,
					  .het = s->idle[job].het_id != 0 };
	enum maui_possible possible = MAUI_POSSIBLE_NO, in_row;

	for (uint32_t r = 0; r < s->idle[job].row_count; r++) {
		order.partition = s->partitions[s->idle[job].rows[r].partition].name;
		order.qos = s->idle[job].rows[r].qos;
		in_row = maui_start_is_possible(&site, &order);
		if (in_row == MAUI_POSSIBLE_YES || in_row == MAUI_POSSIBLE_CHANGED)
			return in_row;
		if (in_row == MAUI_POSSIBLE_UNSAID)
			possible = in_row;
	}
	return possible;
}

/* Notes the answer. Returns whether the job may be possible. */
static bool note_possible(struct maui_iteration *it, uint64_t fingerprint,
			  enum maui_possible possible)
{
	struct maui_slurm_answers *answers = &it->sched->answers;
	int64_t now_s = it->cluster.now_s;

	if (possible == MAUI_POSSIBLE_UNSAID)
		return maui_slurm_answers_unsaid(answers, fingerprint, now_s);
	maui_slurm_answers_possible(answers, fingerprint, now_s, possible == MAUI_POSSIBLE_YES);
	return possible == MAUI_POSSIBLE_YES;
}

/* Whether an answer about the job has room. The jobs of one user leave room for those of others. */
static bool has_room(const struct maui_iteration *it, uint32_t job, const uint32_t *of_user)
{
	const struct maui_slurm_answers *answers = &it->sched->answers;

	return !maui_slurm_answers_full(answers) &&
	       of_user[it->waiting[job].user] < MAUI_ANSWERS_OF_USER_MOST;
}

bool maui_sched_ask_possible(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_slurm_answers *answers = &it->sched->answers;
	uint32_t *of_user = NULL;
	unsigned questions = 0;
	bool any = false;

	for (uint32_t i = 0; i < d->verdict_count && questions < QUESTIONS_MAX; i++) {
		uint64_t fingerprint = it->waiting[i].fingerprint;
		const struct maui_slurm_answer *answer;
		enum maui_possible possible;

		if (!d->verdicts[i].never_fits)
			continue;
		answer = maui_slurm_answers_find(answers, fingerprint);
		if (maui_slurm_answer_is_known(answer, it->cluster.now_s))
			continue;
		if (!of_user)
			of_user = maui_slurm_answers_by_user(answers, &it->answers_view);
		if (!of_user)
			break;
		if (!answer && !has_room(it, i, of_user))
			continue;
		possible = ask(it, i);
		questions++;
		of_user[it->waiting[i].user]++;
		if (possible == MAUI_POSSIBLE_CHANGED)
			continue;
		any |= note_possible(it, fingerprint, possible);
	}
	if (questions == QUESTIONS_MAX)
		maui_sched_wake(it->sched, it->cluster.now_s + PAUSE_S);
	if (any)
		maui_slurm_answers_apply(answers, &it->answers_view);
	return any;
}
