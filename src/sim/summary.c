/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.c - the summary of a simulation as a record */

#include "sim/summary.h"
#include "base/need.h"

#define FIGURE(member, key, kind) MAUI_MEMBER(maui_sim_figures, member, key, kind)

static const struct maui_field figures_fields[] = {
	{ .key = "name",
	  .kind = MAUI_KIND_TEXT,
	  .maybe = true,
	  .at = offsetof(struct maui_sim_figures, name) },
	FIGURE(jobs, "jobs", ID),
	FIGURE(waiting, "waiting", ID),
	FIGURE(wait_mean_s, "wait_mean_s", REAL),
	FIGURE(wait_p50_s, "wait_p50_s", INT),
	FIGURE(wait_p95_s, "wait_p95_s", INT),
	FIGURE(wait_max_s, "wait_max_s", INT),
	FIGURE(bounded_slowdown, "bounded_slowdown", REAL),
	FIGURE(accuracy, "wallclock_accuracy", REAL),
	FIGURE(proc_seconds, "proc_seconds", REAL),
};
const struct maui_record_type maui_sim_figures_type = {
	.name = "maui_sim_figures",
	.fields = figures_fields,
	.count = sizeof(figures_fields) / sizeof(figures_fields[0]),
	.size = sizeof(struct maui_sim_figures),
};
MAUI_RECORD_TYPE(maui_sim_target, MAUI_SIM_TARGET_FIELDS);
MAUI_RECORD_TYPE(maui_sim_summary, MAUI_SIM_SUMMARY_FIELDS);

static const struct maui_count *list_left_out(struct maui_arena *arena,
					      const struct maui_sim_results *results,
					      size_t *ret_count)
{
	struct maui_count *list =
		maui_need(maui_arena_alloc_list(arena, MAUI_REASON_COUNT, sizeof(*list)));
	size_t count = 0;

	for (int i = 0; i < MAUI_REASON_COUNT; i++)
		if (results->left_out[i] > 0)
			list[count++] = (struct maui_count){ maui_reason_text((enum maui_reason)i),
							     (int64_t)results->left_out[i] };
	*ret_count = count;
	return list;
}

static struct maui_sim_target make_target(enum maui_cred_kind kind, const char *name,
					  const struct maui_sim_share *share)
{
	static const char *const types[] = { "none",    "target",       "floor",
					     "ceiling", "absolute cap", "cap" };

	return (struct maui_sim_target){ .kind = maui_cred_name(kind),
					 .name = name,
					 .type = types[share->target.kind],
					 .target = share->target.value,
					 .used = share->used,
					 .percent = share->percent };
}

static const struct maui_sim_target *list_targets(struct maui_arena *arena,
						  const struct maui_sim_outcome *o,
						  size_t *ret_count)
{
	struct maui_sim_target *list;
	size_t most = 1, count = 0;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		most += o->results.by_count[k];
	list = maui_need(maui_arena_alloc_list(arena, most, sizeof(*list)));
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (size_t i = 0; i < o->results.by_count[k]; i++) {
			enum maui_cred_kind kind = (enum maui_cred_kind)k;
			const char *name = o->results.by[k][i].name;
			struct maui_sim_share share;

			if (maui_sim_share_of(o, kind, name, &share))
				list[count++] = make_target(kind, name, &share);
		}
	*ret_count = count;
	return list;
}

void maui_sim_summarise(struct maui_arena *arena, const struct maui_sim_outcome *o,
			struct maui_sim_summary *ret)
{
	const struct maui_sim_results *results = &o->results;

	*ret = (struct maui_sim_summary){
		.config = o->config_path,
		.procs = results->procs,
		.jobs = (int64_t)o->trace->count,
		.dropped = (int64_t)o->trace->dropped,
		.junk_lines = (int64_t)o->trace->junk,
		.without_limit = (int64_t)results->without_limit,
		.earlier_runs = (int64_t)o->trace->reruns,
		.parts = (int64_t)o->trace->parts,
		.early_starts = (int64_t)o->trace->early,
		.unstarted = (int64_t)o->run->unstarted,
		.backfilled = (int64_t)o->run->backfilled,
		.preempted = (int64_t)o->run->preempted,
		.plans = (int64_t)o->run->plans,
		.utilisation = results->utilisation,
		.all = &results->all,
		.user = results->by[MAUI_CRED_USER],
		.user_count = results->by_count[MAUI_CRED_USER],
		.group = results->by[MAUI_CRED_GROUP],
		.group_count = results->by_count[MAUI_CRED_GROUP],
		.account = results->by[MAUI_CRED_ACCOUNT],
		.account_count = results->by_count[MAUI_CRED_ACCOUNT],
		.qos = results->by[MAUI_CRED_QOS],
		.qos_count = results->by_count[MAUI_CRED_QOS],
		.class = results->by[MAUI_CRED_CLASS],
		.class_count = results->by_count[MAUI_CRED_CLASS],
	};
	ret->left_out = list_left_out(arena, results, &ret->left_out_count);
	ret->fairshare = list_targets(arena, o, &ret->fairshare_count);
	ret->estimates = maui_sim_list_estimates(arena, o, &ret->estimates_count);
}
