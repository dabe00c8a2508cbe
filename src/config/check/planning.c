/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planning.c - planning parameters that need another parameter, and flags without effect */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/check/private.h"

static void warn(struct maui_diags *diags, const struct maui_setting *s, const char *why)
{
	char name[MAUI_SUBJECT_SIZE];

	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column, "%s has no effect: %s",
		       maui_check_subject(s, name), why);
}

static bool is_param(const struct maui_setting *s, const char *name)
{
	return !s->attr && maui_setting_counts(s) && strcmp(s->param->name, name) == 0;
}

/* ---- parameters that need another parameter ---- */

static bool fills(const struct maui_planning_config *p)
{
	return p->backfill_policy != MAUI_BACKFILL_NONE;
}

static bool measures(const struct maui_planning_config *p)
{
	return p->backfill_policy == MAUI_BACKFILL_BESTFIT ||
	       p->backfill_policy == MAUI_BACKFILL_GREEDY;
}

static bool searches(const struct maui_planning_config *p)
{
	return p->backfill_policy == MAUI_BACKFILL_GREEDY;
}

static bool preempts(const struct maui_planning_config *p)
{
	return p->backfill_policy == MAUI_BACKFILL_PREEMPT;
}

static bool chunks(const struct maui_planning_config *p)
{
	return p->chunk_size > 0 && p->chunk_duration_s > 0 &&
	       p->backfill_policy == MAUI_BACKFILL_FIRSTFIT;
}

static bool reserves(const struct maui_planning_config *p)
{
	return fills(p) && !preempts(p) && p->reservation_policy != MAUI_RESERVE_NEVER;
}

static bool has_threshold(const struct maui_planning_config *p)
{
	return p->threshold != MAUI_THRESHOLD_NONE;
}

static bool ranks_nodes(const struct maui_planning_config *p)
{
	return p->node_allocation == MAUI_ALLOC_PRIORITY;
}

typedef bool (*planning_test_fn)(const struct maui_planning_config *p);

#define CHUNKING "chunking needs BFCHUNKSIZE, BFCHUNKDURATION and BACKFILLPOLICY FIRSTFIT"
#define NO_JOB_RESERVATIONS                                                                     \
	"with RESERVATIONPOLICY NEVER, and with BACKFILLPOLICY NONE or PREEMPT, no job gets a " \
	"reservation"

static const struct {
	const char *name;
	planning_test_fn counts;
	const char *why;
} conditions[] = {
	{ "BACKFILLDEPTH", fills, "BACKFILLPOLICY is NONE" },
	{ "BACKFILLMAXSCHEDULES", searches, "only BACKFILLPOLICY GREEDY uses it" },
	{ "BACKFILLMETRIC", measures, "only BACKFILLPOLICY BESTFIT and GREEDY use it" },
	{ "BFCHUNKDURATION", chunks, CHUNKING },
	{ "BFCHUNKSIZE", chunks, CHUNKING },
	{ "BFPRIORITYPOLICY", preempts, "only BACKFILLPOLICY PREEMPT uses it" },
	{ "RESERVATIONDEPTH", reserves, NO_JOB_RESERVATIONS },
	{ "RESERVATIONQOSLIST", reserves, NO_JOB_RESERVATIONS },
	{ "RESERVATIONRETRYTIME", reserves, NO_JOB_RESERVATIONS },
	{ "RESERVATIONTHRESHOLDTYPE", reserves, NO_JOB_RESERVATIONS },
	{ "RESERVATIONTHRESHOLDVALUE", has_threshold, "RESERVATIONTHRESHOLDTYPE is NONE" },
};

/* In the partition that the setting names, else in any. */
static bool holds_somewhere(const struct maui_config *config, const struct maui_setting *s,
			    planning_test_fn test)
{
	bool own = s->param->index == MAUI_INDEX_PARTITION && s->index &&
		   strcmp(s->index, "0") != 0 && strcasecmp(s->index, "ALL") != 0;

	if (own)
		return test(maui_config_planning(config, s->index));
	if (test(&config->planning))
		return true;
	for (size_t i = 0; i < config->partition_count; i++)
		if (test(&config->partitions[i].planning))
			return true;
	return false;
}

/* A line that repeats the default needs no warning. */
static bool differs_from_default(const struct maui_setting *s)
{
	return strcasecmp(s->value, s->param->def) != 0 &&
	       strspn(s->value, "0:") != strlen(s->value);
}

static void check_conditions(const struct maui_config *config, const struct maui_setting *s,
			     struct maui_diags *diags)
{
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		if (is_param(s, conditions[i].name) && differs_from_default(s) &&
		    !holds_somewhere(config, s, conditions[i].counts))
			warn(diags, s, conditions[i].why);
}

/* ---- numbers below 0, which mean the same as 0 ---- */

static const struct {
	const char *name, *then;
} below_zero[] = {
	{ "BACKFILLDEPTH", "all jobs that fit are considered" },
	{ "BACKFILLMAXSCHEDULES", "GREEDY tries one combination" },
	{ "BFCHUNKSIZE", "there is no chunking" },
	{ "RESERVATIONDEPTH", "no job of the stack gets a job reservation" },
};

static void check_below_zero(const struct maui_setting *s, struct maui_diags *diags)
{
	char name[MAUI_SUBJECT_SIZE];

	for (size_t i = 0; i < sizeof(below_zero) / sizeof(below_zero[0]); i++)
		if (is_param(s, below_zero[i].name) && *s->value == '-' &&
		    strspn(s->value, "-0") != strlen(s->value))
			maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
				       "%s: %s is treated as 0: %s", maui_check_subject(s, name),
				       s->value, below_zero[i].then);
}

/* ---- reservation stacks: a job belongs to the first that matches ---- */

static const struct maui_setting *find_stack(const struct maui_config *config, const char *name,
					     int64_t number)
{
	char index[24];

	snprintf(index, sizeof(index), "%lld", (long long)number);
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		const char *own = s->index && *s->index != '\0' ? s->index : "0";

		if (is_param(s, name) && strcmp(own, index) == 0)
			return s;
	}
	return NULL;
}

static void check_stacks(const struct maui_config *config, struct maui_diags *diags)
{
	/* the first stack without a list takes every job that reaches it */
	const struct maui_stack_config *all = NULL;
	char why[128];

	for (size_t i = 0; i < config->stack_count; i++) {
		const struct maui_stack_config *stack = &config->stacks[i];
		const struct maui_setting *depth =
			find_stack(config, "RESERVATIONDEPTH", stack->number);
		const struct maui_setting *qos =
			find_stack(config, "RESERVATIONQOSLIST", stack->number);

		if (stack->depth <= 0 && qos) {
			snprintf(why, sizeof(why), "RESERVATIONDEPTH[%lld] is 0",
				 (long long)stack->number);
			warn(diags, qos, why);
		} else if (stack->depth > 0 && all && depth) {
			snprintf(why, sizeof(why),
				 "stack %lld comes first and takes the jobs of every QOS; set "
				 "RESERVATIONQOSLIST[%lld]",
				 (long long)all->number, (long long)all->number);
			warn(diags, depth, why);
		}
		if (!all && stack->depth > 0 && stack->qos.count == 0)
			all = stack;
	}
}

/* ---- node sets ---- */

static void check_node_sets(const struct maui_config *config, const struct maui_setting *s,
			    struct maui_diags *diags)
{
	const struct maui_node_set_config *sets = &config->node_sets;
	bool policy = is_param(s, "NODESETPOLICY");

	if (!s->param || strncmp(s->param->name, "NODESET", strlen("NODESET")) != 0 ||
	    s->param->status != MAUI_HONOURED || !differs_from_default(s))
		return;
	if (!policy && sets->policy == MAUI_SETS_NONE)
		warn(diags, s, "NODESETPOLICY is NONE");
	else if (policy && sets->attribute == MAUI_SET_BY_NONE)
		warn(diags, s, "NODESETATTRIBUTE is NONE");
	else if (is_param(s, "NODESETPRIORITYTYPE") && sets->policy != MAUI_SETS_ONEOF)
		warn(diags, s, "only NODESETPOLICY ONEOF uses it");
}

/* ---- ranks of nodes ---- */

static bool is_rank(const struct maui_setting *s)
{
	return s->attr && maui_setting_counts(s) && s->param->family == MAUI_FAMILY_NODE &&
	       strcmp(s->attr->name, "PRIORITY") == 0;
}

/* Warns once, because there may be a line for each node. */
static void check_ranks(const struct maui_config *config, struct maui_diags *diags)
{
	const struct maui_setting *rank = NULL, *policy = NULL;

	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (!rank && is_rank(s))
			rank = s;
		if (!policy && is_param(s, "NODEALLOCATIONPOLICY") &&
		    strcasecmp(s->value, "PRIORITY") == 0)
			policy = s;
	}
	if (rank && !holds_somewhere(config, rank, ranks_nodes))
		warn(diags, rank, "only NODEALLOCATIONPOLICY PRIORITY uses it");
	if (policy && !rank)
		maui_diags_add(diags, MAUI_WARNING, policy->file, policy->line, policy->column,
			       "NODEALLOCATIONPOLICY PRIORITY treats all nodes alike: no NODECFG[] "
			       "PRIORITY is set");
}

/* ---- flags of QOS ---- */

static const struct {
	enum maui_qos_flag flag;
	const char *name, *why;
} idle_flags[] = {
	{ MAUI_QOS_IGNHOSTLIST, "IGNHOSTLIST", "Slurm always honours --nodelist" },
	{ MAUI_QOS_NTR, "NTR", "use PRIORITY and RESERVEALWAYS" },
	{ MAUI_QOS_RESTARTPREEMPT, "RESTARTPREEMPT", "use PREEMPTOR" },
	{ MAUI_QOS_RUNNOW, "RUNNOW", "use PRIORITY and PREEMPTOR" },
};

static uint64_t flags_of(const struct maui_config *config, const struct maui_setting *s)
{
	bool flags = s->attr && maui_setting_counts(s) && s->param->family == MAUI_FAMILY_QOS &&
		     strcmp(s->attr->name, "FLAGS") == 0;

	return flags ? maui_config_cred(config, MAUI_CRED_QOS, s->index)->flags : 0;
}

static void check_flag(const struct maui_setting *s, uint64_t flags, struct maui_diags *diags)
{
	char name[MAUI_SUBJECT_SIZE];

	for (size_t i = 0; i < sizeof(idle_flags) / sizeof(idle_flags[0]); i++)
		if (flags & UINT64_C(1) << idle_flags[i].flag)
			maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
				       "%s: %s has no effect: %s", maui_check_subject(s, name),
				       idle_flags[i].name, idle_flags[i].why);
}

/* A preemptor needs preemptees, and the other way round. */
static void check_flags(const struct maui_config *config, struct maui_diags *diags)
{
	const uint64_t preemptor = UINT64_C(1) << MAUI_QOS_PREEMPTOR;
	const uint64_t preemptee = UINT64_C(1) << MAUI_QOS_PREEMPTEE;
	const uint64_t soft = UINT64_C(1) << MAUI_QOS_PREEMPTSPV;
	const struct maui_setting *first[2] = { NULL, NULL };
	uint64_t all = 0;

	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		uint64_t flags = flags_of(config, s);

		check_flag(s, flags, diags);
		all |= flags;
		if (!first[0] && (flags & preemptor))
			first[0] = s;
		if (!first[1] && (flags & preemptee))
			first[1] = s;
	}
	if (first[0] && !(all & (preemptee | soft)) && !holds_somewhere(config, first[0], preempts))
		maui_diags_add(diags, MAUI_WARNING, first[0]->file, first[0]->line,
			       first[0]->column,
			       "PREEMPTOR has no effect: no QOS has the flag PREEMPTEE");
	if (first[1] && !(all & preemptor) && !holds_somewhere(config, first[1], preempts))
		maui_diags_add(diags, MAUI_WARNING, first[1]->file, first[1]->line,
			       first[1]->column,
			       "PREEMPTEE has no effect: no QOS has the flag PREEMPTOR");
}

/* ---- idle limits ---- */

/* MAXIJOB=2,4: for idle jobs only the hard value counts (manual 6.2.4). */
static void check_soft_idle(const struct maui_setting *s, struct maui_diags *diags)
{
	const char *name = s->attr ? s->attr->name : "", *comma = strpbrk(s->value, ",:");
	char subject[MAUI_SUBJECT_SIZE];
	bool idle = strncmp(name, "MAXI", 4) == 0 || strncmp(name, "OMAXI", 5) == 0;

	if (!idle || !maui_setting_counts(s) || !comma || comma == s->value || comma[1] == '\0' ||
	    (s->attr->type == MAUI_TYPE_TIMELIMIT && *comma == ':' && !strchr(s->value, ',')))
		return;
	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
		       "%s: limits of idle jobs have no soft value; of %s only the second value "
		       "counts",
		       maui_check_subject(s, subject), s->value);
}

void maui_check_planning(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		check_conditions(config, &config->settings[i], diags);
		check_below_zero(&config->settings[i], diags);
		check_soft_idle(&config->settings[i], diags);
		check_node_sets(config, &config->settings[i], diags);
	}
	check_stacks(config, diags);
	check_ranks(config, diags);
	check_flags(config, diags);
}
