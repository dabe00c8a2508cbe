/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - compares starts, and adds up the score */

#include "state/trial.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/when.h"

static const char others[] = "[others]";

bool maui_trial_begin(struct maui_trial *trial, int64_t now_s)
{
	if (trial->began_s && !trial->ended_s)
		return false;
	*trial = (struct maui_trial){ .began_s = now_s, .looked_s = now_s };
	return true;
}

bool maui_trial_end(struct maui_trial *trial, int64_t now_s)
{
	if (!trial->began_s || trial->ended_s)
		return false;
	trial->ended_s = now_s;
	trial->ahead = 0;
	return true;
}

struct maui_trial_result maui_trial_compare(const struct maui_trial_start *start)
{
	struct maui_trial_result ret = { .outcome = MAUI_TRIAL_SAME };
	int64_t sooner_s = start->started_s - start->planned_s;

	if (start->planned_s) {
		if (sooner_s > MAUI_TRIAL_SAME_S)
			ret = (struct maui_trial_result){ MAUI_TRIAL_SOONER, sooner_s };
		return ret;
	}
	if (!start->cause)
		return (struct maui_trial_result){ MAUI_TRIAL_NOT_COMPARED, 0 };
	ret = (struct maui_trial_result){ MAUI_TRIAL_LATER, -1 };
	if (start->expected_s != MAUI_NEVER && start->expected_s > start->started_s)
		ret.by_s = start->expected_s - start->started_s;
	if (ret.by_s >= 0 && ret.by_s <= MAUI_TRIAL_SAME_S)
		ret = (struct maui_trial_result){ MAUI_TRIAL_SAME, 0 };
	return ret;
}

static struct maui_trial_cause *find_cause(struct maui_trial_causes *causes, const char *name)
{
	char known[MAUI_TRIAL_CAUSE_SIZE] = "";
	uint32_t i = 0;

	maui_utf8_copy(known, sizeof(known), name);
	while (i < causes->count && strcmp(causes->list[i].name, known) != 0)
		i++;
	if (i < causes->count)
		return &causes->list[i];
	if (causes->count < MAUI_TRIAL_CAUSES)
		causes->count++;
	i = causes->count - 1;
	if (i == MAUI_TRIAL_CAUSES - 1)
		maui_utf8_copy(known, sizeof(known), others);
	if (strcmp(causes->list[i].name, known) != 0) {
		causes->list[i] = (struct maui_trial_cause){ 0 };
		memcpy(causes->list[i].name, known, sizeof(known));
	}
	return &causes->list[i];
}

static void add_cause(struct maui_trial_causes *causes, const char *name, int64_t now_s)
{
	struct maui_trial_cause *cause = find_cause(causes, name);

	if (cause->jobs++ == 0)
		cause->first_s = now_s;
	cause->last_s = now_s;
}

static struct maui_trial_job *new_job(struct maui_trial *trial)
{
	if (trial->job_count == MAUI_TRIAL_JOBS) {
		memmove(&trial->jobs[0], &trial->jobs[1],
			(MAUI_TRIAL_JOBS - 1) * sizeof(trial->jobs[0]));
		trial->job_count--;
	}
	return &trial->jobs[trial->job_count++];
}

static void add_job(struct maui_trial *trial, const struct maui_trial_start *start,
		    const struct maui_trial_result *result)
{
	struct maui_trial_job *job = new_job(trial);

	*job = (struct maui_trial_job){ .job_id = start->job_id,
					.array_job_id = start->array_job_id,
					.array_task = start->array_task,
					.outcome = result->outcome,
					.started_s = start->started_s,
					.by_s = result->by_s };
	maui_utf8_copy(job->user, sizeof(job->user), start->user ? start->user : "");
	if (result->outcome == MAUI_TRIAL_LATER)
		maui_utf8_copy(job->cause, sizeof(job->cause), start->cause);
}

struct maui_trial_result maui_trial_add(struct maui_trial *trial,
					const struct maui_trial_start *start)
{
	struct maui_trial_result result = maui_trial_compare(start);
	struct maui_trial_sum *sum = &trial->sums[result.outcome];

	sum->jobs++;
	if (result.by_s < 0)
		sum->unknown++;
	else
		sum->by_s += result.by_s;
	if (result.by_s > sum->max_s)
		sum->max_s = result.by_s;
	if (result.outcome == MAUI_TRIAL_SOONER || result.outcome == MAUI_TRIAL_LATER)
		add_job(trial, start, &result);
	if (result.outcome == MAUI_TRIAL_LATER)
		add_cause(&trial->causes, start->cause, start->started_s);
	return result;
}

void maui_trial_add_refusal(struct maui_trial *trial, const char *why, int64_t now_s)
{
	trial->refused++;
	add_cause(&trial->refusals, why, now_s);
}

uint32_t maui_trial_started(const struct maui_trial *trial)
{
	uint32_t started = 0;

	for (int i = 0; i < MAUI_TRIAL_OUTCOMES; i++)
		started += trial->sums[i].jobs;
	return started;
}

/* " (35 s on average)"; "" when no amount is known. */
static const char *mean_text(const struct maui_trial_sum *sum, char *buf, size_t size)
{
	uint32_t known = sum->jobs - sum->unknown;

	*buf = '\0';
	if (known > 0)
		snprintf(buf, size, " (%lld s on average)", (long long)(sum->by_s / known));
	return buf;
}

char *maui_trial_line(const struct maui_trial *trial, char *buf, size_t size)
{
	const struct maui_trial_sum *sums = trial->sums;
	char sooner[64], later[64];

	snprintf(buf, size,
		 "%u jobs started: %u at the same time, %u sooner%s, %u later%s, %u not compared; "
		 "%u would have been refused by Slurm, %u wait that would have started",
		 maui_trial_started(trial), sums[MAUI_TRIAL_SAME].jobs,
		 sums[MAUI_TRIAL_SOONER].jobs,
		 mean_text(&sums[MAUI_TRIAL_SOONER], sooner, sizeof(sooner)),
		 sums[MAUI_TRIAL_LATER].jobs,
		 mean_text(&sums[MAUI_TRIAL_LATER], later, sizeof(later)),
		 sums[MAUI_TRIAL_NOT_COMPARED].jobs, trial->refused, trial->ahead);
	return buf;
}

void maui_trial_restore_cause(struct maui_trial_causes *causes,
			      const struct maui_trial_cause *cause)
{
	struct maui_trial_cause *to;

	if (!*cause->name || cause->jobs == 0)
		return;
	to = find_cause(causes, cause->name);
	if (to->jobs == 0)
		to->first_s = cause->first_s;
	to->jobs += cause->jobs;
	to->last_s = cause->last_s;
}

void maui_trial_restore_job(struct maui_trial *trial, const struct maui_trial_job *job)
{
	if (job->job_id && (job->outcome == MAUI_TRIAL_SOONER || job->outcome == MAUI_TRIAL_LATER))
		*new_job(trial) = *job;
}
