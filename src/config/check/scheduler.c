/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scheduler.c - settings that need SchedulerType=sched/maui when slurm.conf has another
 * scheduler */

#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "config/check/private.h"

enum needs {
	NEEDS_LIMITS,
	NEEDS_CAPS,
	NEEDS_RESERVATIONS,
	NEEDS_BACKFILL,
	NEEDS_JOB_RESERVATIONS,
	NEEDS_PLACEMENT,
	NEEDS_PREEMPTION,
	NEEDS_DEFERRAL,
	NEEDS_FLAGS,
	NEEDS_REASONS,
	NEEDS_HET_JOBS,
	NEEDS_COUNT
};

static const char *const need_names[NEEDS_COUNT] = {
	[NEEDS_LIMITS] = "throttling limits",
	[NEEDS_CAPS] = "fairshare caps",
	[NEEDS_RESERVATIONS] = "standing reservations",
	[NEEDS_BACKFILL] = "backfill parameters",
	[NEEDS_JOB_RESERVATIONS] = "job reservations",
	[NEEDS_PLACEMENT] = "node allocation policies",
	[NEEDS_PREEMPTION] = "preemption policies",
	[NEEDS_DEFERRAL] = "deferrals",
	[NEEDS_FLAGS] = "QOS flags",
	[NEEDS_REASONS] = "reasons in squeue",
	[NEEDS_HET_JOBS] = "het jobs",
};

/* Parameters, by the beginning of their names. */
static const struct {
	const char *begin;
	enum needs need;
} parameters[] = {
	{ "BACKFILL", NEEDS_BACKFILL },
	{ "BF", NEEDS_BACKFILL },
	{ "DEFER", NEEDS_DEFERRAL },
	{ "JOBMAXSTARTTIME", NEEDS_DEFERRAL },
	{ "JOBNODEMATCH", NEEDS_PLACEMENT },
	{ "NODEACCESS", NEEDS_PLACEMENT },
	{ "NODEALLOCATION", NEEDS_PLACEMENT },
	{ "ENABLEMULTIREQJOBS", NEEDS_HET_JOBS },
	{ "HETJOBS", NEEDS_HET_JOBS },
	{ "PREEMPT", NEEDS_PREEMPTION },
	{ "REASONTEXT", NEEDS_REASONS },
	{ "RESCTL", NEEDS_RESERVATIONS },
	{ "RESDEPTH", NEEDS_RESERVATIONS },
	{ "RESERVATIONMIRROR", NEEDS_RESERVATIONS },
	{ "RESERVATION", NEEDS_JOB_RESERVATIONS },
	{ "SRCFG", NEEDS_RESERVATIONS },
	{ "SYSTEMMAX", NEEDS_LIMITS },
};

/* Attributes that limit jobs but do not have the type of a limit. */
static bool limits_a_job(const char *attr)
{
	return strcmp(attr, "MAX.WCLIMIT") == 0 || strcmp(attr, "MAXNODEPERJOB") == 0 ||
	       strcmp(attr, "MAXPROCPERJOB") == 0 || strcmp(attr, "MINPROC") == 0;
}

static enum needs need_of_attr(const struct maui_setting *s)
{
	if (s->param->family == MAUI_FAMILY_SR)
		return NEEDS_RESERVATIONS;
	if (s->param->family == MAUI_FAMILY_NODE)
		return NEEDS_PLACEMENT;
	if (s->attr->type == MAUI_TYPE_LIMIT || s->attr->type == MAUI_TYPE_TIMELIMIT ||
	    limits_a_job(s->attr->name))
		return NEEDS_LIMITS;
	if (s->attr->type == MAUI_TYPE_WORDS && s->param->family == MAUI_FAMILY_QOS)
		return NEEDS_FLAGS;
	return s->attr->type == MAUI_TYPE_FSTARGET && maui_check_is_cap(s) ? NEEDS_CAPS :
									     NEEDS_COUNT;
}

static enum needs need_of(const struct maui_setting *s)
{
	if (s->attr)
		return need_of_attr(s);
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (strncmp(s->param->name, parameters[i].begin, strlen(parameters[i].begin)) == 0)
			return parameters[i].need;
	return NEEDS_COUNT;
}

/* Whether REJECTNEGPRIOJOBS is TRUE, for all partitions or for one. */
static bool rejects_jobs(const struct maui_setting *s)
{
	bool value = false;

	return !s->attr && maui_setting_counts(s) &&
	       strcmp(s->param->name, "REJECTNEGPRIOJOBS") == 0 &&
	       maui_bool_parse(s->value, &value) == 0 && value;
}

static bool is_read(const struct maui_setting *s)
{
	const struct maui_param *row = maui_check_row(s);

	/* check.c warns of settings with any other status */
	return row->status == MAUI_HONOURED || row->status == MAUI_DIFFERENT;
}

void maui_check_scheduler(const struct maui_config *config, const char *scheduler,
			  struct maui_diags *diags)
{
	bool reported[NEEDS_COUNT] = { false };

	/* under SERVERMODE TEST the plan uses all settings, whichever scheduler starts the jobs */
	if (!scheduler || strcasecmp(scheduler, "sched/maui") == 0 ||
	    config->server_mode != MAUI_SERVER_NORMAL)
		return;
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		enum needs need = need_of(s);

		if (rejects_jobs(s))
			maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
				       "REJECTNEGPRIOJOBS: jobs with a priority below 0 are only "
				       "ranked last; refusing them needs SchedulerType=sched/maui, "
				       "not %s",
				       scheduler);
		if (need == NEEDS_COUNT || reported[need] || !is_read(s))
			continue;
		reported[need] = true;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s need SchedulerType=sched/maui, not %s", need_names[need],
			       scheduler);
	}
}
