/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bounds.c - compares what a user reserves with RESCTLMAX..., and what a setres got with what it
 * asked for
 */
#include "admin/bounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/words.h"
#include "model/when.h"
#include "reservation/placement/shortage.h"

enum { HOLDERS_NAMED = 3 }; /* in one message */

static bool is_made_by(const struct maui_rsv *rsv, const struct maui_rights *who)
{
	return rsv->made_by && who->name && strcmp(rsv->made_by, who->name) == 0;
}

int maui_bounds_count(const struct maui_admin *admin, const struct maui_rights *who,
		      const struct maui_config *config, struct maui_query_error *error)
{
	int64_t made = 0;

	for (size_t i = 0; i < admin->count && !who->admin; i++)
		made += is_made_by(&admin->list[i], who);
	if (!who->admin && config && made >= config->res_max_count)
		return maui_query_denied(
			error,
			"you may have %" PRId64 " reservation%s (RESCTLMAXCOUNT) and have %" PRId64,
			config->res_max_count, maui_plural(config->res_max_count), made);
	if (admin->count >= MAUI_ADMIN_MAX_RESERVATIONS)
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "there are %zu administrative reservations already",
				       admin->count);
	return 0;
}

int maui_bounds_times(const struct maui_rsv *rsv, const struct maui_rights *who,
		      const struct maui_config *config, int64_t now_s,
		      struct maui_query_error *error)
{
	char most[MAUI_DURATION_SIZE], has[MAUI_DURATION_SIZE];

	if (who->admin || !config)
		return 0;
	maui_duration_format(config->res_max_length_s, most, sizeof(most));
	if (rsv->end_s == MAUI_NEVER)
		return maui_query_denied(error,
					 "your reservation needs an end, at most %s "
					 "after its start (RESCTLMAXTIME): give -e or -d",
					 most);
	if (rsv->end_s - rsv->start_s > config->res_max_length_s) {
		maui_duration_format(rsv->end_s - rsv->start_s, has, sizeof(has));
		return maui_query_denied(error,
					 "your reservation may last %s "
					 "(RESCTLMAXTIME), and this one lasts %s",
					 most, has);
	}
	if (rsv->start_s - now_s <= config->res_max_ahead_s)
		return 0;
	maui_duration_format(config->res_max_ahead_s, most, sizeof(most));
	maui_duration_format(rsv->start_s - now_s, has, sizeof(has));
	return maui_query_denied(error,
				 "your reservation may begin %s ahead "
				 "(RESCTLMAXAHEAD), and this one begins in %s",
				 most, has);
}

/* The processors that tasks on a node are counted as: those they take, or as large a part of the
 * node's as they take of its memory, since nobody else can use them without memory. */
static int64_t procs_of_tasks(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			      uint32_t node, int64_t tasks)
{
	const struct maui_rsv_place place = { .node = node, .tasks = tasks };
	const int64_t *have = s->nodes[node].have;
	int64_t procs = maui_standing_procs(s, rsv, &place), all = have[MAUI_AMOUNT_PROCS];
	double part = 0;

	if (s->amount_count > MAUI_AMOUNT_MEM && rsv->task.mem_mb > 0 && have[MAUI_AMOUNT_MEM] > 0)
		part = (double)rsv->task.mem_mb * (double)tasks / (double)have[MAUI_AMOUNT_MEM];
	if (part >= 1)
		return all;
	return (double)procs < part * (double)all ? (int64_t)ceil(part * (double)all) : procs;
}

/* The processors of the instance, with those of the tasks that are still to come. */
static int64_t procs_of(const struct maui_bounds_plan *plan, const struct maui_rsv *rsv,
			const struct maui_rsv_instance *instance)
{
	const struct maui_snapshot *s = plan->snapshot;
	int64_t procs = 0, of_task = 0;

	for (uint32_t k = 0; k < instance->place_count; k++)
		procs +=
			procs_of_tasks(s, rsv, instance->places[k].node, instance->places[k].tasks);
	for (uint32_t c = 0; instance->missing > 0 && c < s->class_count; c++) {
		int64_t there = procs_of_tasks(s, rsv, s->classes[c].sample, 1);

		of_task = there > of_task ? there : of_task;
	}
	if (instance->missing > 0 && of_task > INT32_MAX / instance->missing)
		return INT32_MAX;
	return procs + instance->missing * of_task;
}

/* What all reservations that the user has made hold together. */
static void sum_made(const struct maui_bounds_plan *plan, const struct maui_rights *who,
		     int64_t *ret_procs, int64_t *ret_ps)
{
	*ret_procs = *ret_ps = 0;
	for (uint32_t i = 0; i < plan->instance_count; i++) {
		const struct maui_rsv_instance *instance = &plan->instances[i];
		const struct maui_rsv *rsv = plan->standing->list[instance->rsv];
		int64_t length_s = instance->end_s - instance->start_s, procs;

		if (!is_made_by(rsv, who))
			continue;
		procs = procs_of(plan, rsv, instance);
		*ret_procs += procs;
		if (instance->end_s == MAUI_NEVER || procs > INT64_MAX / 2 / (length_s + 1))
			*ret_ps = INT64_MAX / 2;
		else if (*ret_ps < INT64_MAX / 2)
			*ret_ps += procs * length_s;
	}
}

static int check_sums(const struct maui_bounds_plan *plan, const struct maui_rights *who,
		      const struct maui_config *config, struct maui_query_error *error)
{
	int64_t procs, ps, most = config->res_max_procs;

	if (most == 0)
		most = ((int64_t)plan->snapshot->totals.procs + 9) / 10;
	sum_made(plan, who, &procs, &ps);
	if (procs > most)
		return maui_query_denied(error,
					 "your reservations may have %" PRId64
					 " processors (RESCTLMAXPROC), and would have %" PRId64,
					 most, procs);
	if (config->res_max_ps > 0 && ps > config->res_max_ps)
		return maui_query_denied(
			error,
			"your reservations may have %" PRId64
			" processor-seconds (RESCTLMAXPS), and would have %" PRId64,
			config->res_max_ps, ps);
	return 0;
}

/* Fails because so many tasks or hosts are missing; `text` says whose they are (NULL: not said). */
static int fail_partial(const struct maui_rsv_instance *mine, int64_t missing, const char *text,
			struct maui_query_error *error)
{
	char count[64];

	snprintf(count, sizeof(count), "%" PRId64 " %s%s missing", missing,
		 mine->wanted > 0 ? "task" : "host", maui_plural(missing));
	return maui_query_fail(error, MAUI_QUERY_ERROR,
			       "%s; nothing was changed (-x BESTEFFORT: what can be had now, the "
			       "rest when it becomes free)",
			       text ? text : count);
}

/* Fails with the missing tasks and their holders, in the words of showres. */
static int refuse_partial(const struct maui_bounds_plan *plan, uint32_t instance,
			  const struct maui_rights *who, struct maui_query_error *error)
{
	const struct maui_rsv_instance *mine = &plan->instances[instance];
	struct maui_arena arena = { 0 };
	const struct maui_rsv *rsv = plan->standing->list[mine->rsv];
	const char *text = NULL;

	if (!maui_standing_has_partition(plan->snapshot, rsv))
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "there is no partition %.80s; nothing was changed",
				       rsv->partition);
	if (who->admin ||
	    (plan->published && maui_document_shows_holders(plan->published, who->uid)))
		text = maui_standing_explain(plan->snapshot, plan->standing, plan->instances,
					     plan->instance_count, instance, plan->now_s,
					     HOLDERS_NAMED, &arena);
	fail_partial(mine, mine->missing, text, error);
	maui_arena_finish(&arena);
	return -1;
}

/* Adds the processors of each node that other reservations than users' and the user's own have at
 * some time of the span. */
static void add_kept(const struct maui_bounds_plan *plan, const struct maui_rsv_instance *mine,
		     const struct maui_rights *who, int64_t *kept)
{
	for (uint32_t i = 0; i < plan->instance_count; i++) {
		const struct maui_rsv_instance *other = &plan->instances[i];
		const struct maui_rsv *rsv = plan->standing->list[other->rsv];

		if (rsv->by_user || is_made_by(rsv, who) || other->start_s >= mine->end_s ||
		    other->end_s <= mine->start_s)
			continue;
		for (uint32_t k = 0; k < other->place_count; k++)
			kept[other->places[k].node] += procs_of_tasks(
				plan->snapshot, rsv, other->places[k].node, other->places[k].tasks);
	}
}

/* The same of Slurm's own reservations. */
static void add_claimed(const struct maui_snapshot *s, const struct maui_rsv_instance *mine,
			int64_t *kept)
{
	for (uint32_t c = 0; c < s->claim_count; c++) {
		const struct maui_claim *claim = &s->claims[c];

		if (claim->start_s >= mine->end_s || claim->end_s <= mine->start_s)
			continue;
		for (uint32_t k = 0; k < claim->node_count; k++) {
			uint32_t node = claim->nodes[k];
			const int64_t *amounts =
				claim->amounts ? claim->amounts + (size_t)k * s->amount_count :
						 s->nodes[node].have;

			kept[node] += amounts[MAUI_AMOUNT_PROCS];
		}
	}
}

/* Whether the processors of the place, and what other reservations keep of its node, are more than
 * the node has. */
static bool is_stacked(const struct maui_bounds_plan *plan, const struct maui_rsv *own,
		       const struct maui_rsv_place *place, const int64_t *kept)
{
	const struct maui_snapshot *s = plan->snapshot;

	return kept[place->node] > 0 &&
	       kept[place->node] + procs_of_tasks(s, own, place->node, place->tasks) >
		       s->nodes[place->node].have[MAUI_AMOUNT_PROCS];
}

/* Fails because some places of the instance are on other reservations. If PrivateData hides these
 * reservations, the answer is as if the places were missing. */
static int refuse_stacked(const struct maui_bounds_plan *plan, const struct maui_rsv_instance *mine,
			  const struct maui_rights *who, const int64_t *kept,
			  struct maui_query_error *error)
{
	const struct maui_rsv *own = plan->standing->list[mine->rsv];
	const struct maui_document *p = plan->published;
	bool hidden = p && maui_document_hides_rsvs(p, who->uid);
	int64_t missing = 0;

	for (uint32_t k = 0; k < mine->place_count; k++) {
		const struct maui_rsv_place *place = &mine->places[k];

		if (!is_stacked(plan, own, place, kept))
			continue;
		if (!hidden)
			return maui_query_denied(error,
						 "%s is in another reservation then, "
						 "and a user's takes no node of another",
						 plan->snapshot->nodes[place->node].name);
		missing += mine->wanted > 0 ? place->tasks : 1;
	}
	return missing > 0 ? fail_partial(mine, missing, NULL, error) : 0;
}

/* A user's reservation must not lie on a standing or administrative one, or on one of Slurm's own:
 * the jobs of that one would have to be admitted by both. */
static int check_stacked(const struct maui_bounds_plan *plan, const struct maui_rsv_instance *mine,
			 const struct maui_rights *who, struct maui_query_error *error)
{
	int64_t *kept = calloc(plan->snapshot->node_count + 1u, sizeof(*kept));
	int rc;

	if (!kept)
		return maui_query_no_memory(error);
	add_kept(plan, mine, who, kept);
	add_claimed(plan->snapshot, mine, kept);
	rc = refuse_stacked(plan, mine, who, kept, error);
	free(kept);
	return rc;
}

static int check_user(const struct maui_bounds_plan *plan, uint32_t rsv,
		      const struct maui_rights *who, const struct maui_config *config,
		      struct maui_query_error *error)
{
	for (uint32_t i = 0; i < plan->instance_count; i++)
		if (plan->instances[i].rsv == rsv &&
		    check_stacked(plan, &plan->instances[i], who, error))
			return -1;
	return check_sums(plan, who, config, error);
}

int maui_bounds_planned(const struct maui_bounds_plan *plan, uint32_t rsv,
			const struct maui_rights *who, const struct maui_config *config,
			struct maui_query_error *error)
{
	const struct maui_rsv *asked = plan->standing->list[rsv];

	for (uint32_t i = 0; i < plan->instance_count; i++)
		if (plan->instances[i].rsv == rsv &&
		    plan->instances[i].missing > plan->missing_before &&
		    !maui_rsv_has(asked, MAUI_RSV_BESTEFFORT))
			return refuse_partial(plan, i, who, error);
	return who->admin ? 0 : check_user(plan, rsv, who, config, error);
}
