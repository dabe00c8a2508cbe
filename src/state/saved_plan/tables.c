/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - which members of which struct are saved
 *
 * A new member of the snapshot gets a line here. What seal() and the plan set is not saved.
 */

#include "state/saved_plan/private.h"

#define ALWAYS                            .always = true
#define NEEDED                            .needed = true
#define LIST(type, list, count, key, of_) MAUI_MEMBER_MANY(type, list, count, key, LIST, of_)
/* In the file even when it is empty. */
#define FULL_LIST(type, list, count, key, of_) \
	MAUI_MEMBER_MANY_WITH(type, list, count, key, LIST, .of = of_, ALWAYS)
#define WITHIN(type, member, key, of_) MAUI_MEMBER_WITH(type, member, key, WITHIN, .of = of_)
#define REASON(type, member, key) \
	MAUI_MEMBER_WITH(type, member, key, WORD, .words = maui_reason_texts)
/* "nodes" and "tasks" */
#define PLACES(type)                                                                         \
	MAUI_MEMBER_MANY_WITH(type, places, place_count, "nodes", VALUES, .of = &nodes_type, \
			      ALWAYS),                                                       \
		MAUI_MEMBER_MANY_WITH(type, places, place_count, "tasks", VALUES,            \
				      .of = &tasks_type, ALWAYS)

/* ---- the beginning ---- */

static const struct maui_field config[] = {
	MAUI_MEMBER(maui_saved_config, file, "file", TEXT),
	MAUI_MEMBER(maui_saved_config, text, "text", TEXT),
};
static MAUI_RECORD_TABLE(config_type, maui_saved_config, config);

static const struct maui_field head[] = {
	MAUI_MEMBER(maui_saved_head, schema, "schema", TEXT),
	MAUI_MEMBER(maui_saved_head, now_s, "time", INT),
	MAUI_MEMBER(maui_saved_head, cluster, "cluster", TEXT),
	MAUI_MEMBER(maui_saved_head, chunk_until_s, "chunk_until", INT),
	WITHIN(maui_saved_head, config, "config", &config_type),
};
MAUI_RECORD_TABLE_WITH(maui_saved_head_type, maui_saved_head, head, .sparse = false);

/* ---- the snapshot ---- */

static const struct maui_field totals[] = {
	MAUI_MEMBER(maui_totals, procs, "procs", EXACT),
	MAUI_MEMBER(maui_totals, mem_mb, "mem_mb", EXACT),
	MAUI_MEMBER(maui_totals, swap_mb, "swap_mb", EXACT),
	MAUI_MEMBER(maui_totals, disk_mb, "disk_mb", EXACT),
	MAUI_MEMBER(maui_totals, gres, "gres", EXACT),
};
static MAUI_RECORD_TABLE(totals_type, maui_totals, totals);

static const struct maui_field switches[] = {
	MAUI_MEMBER(maui_switch, name, "name", TEXT),
	MAUI_MEMBER_USUAL(maui_switch, parent, "parent", COUNT, MAUI_NO_SWITCH),
};
static MAUI_RECORD_TABLE(switch_type, maui_switch, switches);

static const struct maui_field partition[] = {
	MAUI_MEMBER_WITH(maui_partition, name, "name", TEXT, NEEDED),
	MAUI_MEMBER(maui_partition, tier, "tier", COUNT),
	MAUI_MEMBER(maui_partition, job_factor, "job_factor", EXACT),
	MAUI_MEMBER(maui_partition, cap_amount, "cap_amount", COUNT),
	MAUI_MEMBER(maui_partition, least_loaded, "least_loaded", TRUE),
	MAUI_MEMBER(maui_partition, is_default, "default", TRUE),
	MAUI_MEMBER(maui_partition, default_limit_s, "default_limit", INT),
	MAUI_MEMBER(maui_partition, max_limit_s, "max_limit", INT),
};
static MAUI_RECORD_TABLE(partition_type, maui_partition, partition);

static const struct maui_field node[] = {
	MAUI_MEMBER(maui_node, id, "id", COUNT),
	MAUI_MEMBER_WITH(maui_node, name, "name", TEXT, NEEDED),
	MAUI_MEMBER_WITH(maui_node, have, "have", AMOUNTS, NEEDED),
	MAUI_MEMBER_MANY(maui_node, partitions, partition_count, "partitions", INDICES, NULL),
	MAUI_MEMBER(maui_node, features, "features", TEXT),
	MAUI_MEMBER_USUAL(maui_node, unit, "unit", COUNT, 1),
	MAUI_MEMBER(maui_node, weight, "weight", COUNT),
	MAUI_MEMBER(maui_node, speed, "speed", EXACT),
	MAUI_MEMBER(maui_node, priority, "priority", EXACT),
	MAUI_MEMBER(maui_node, load, "load", EXACT),
	MAUI_MEMBER(maui_node, asleep, "asleep", TRUE),
	MAUI_MEMBER(maui_node, drained, "drained", TRUE),
	MAUI_MEMBER(maui_node, usable_from_s, "usable_from", TIME),
	REASON(maui_node, state, "state"),
	MAUI_MEMBER(maui_node, note, "note", TEXT),
	MAUI_MEMBER_USUAL(maui_node, leaf, "leaf", COUNT, MAUI_NO_SWITCH),
};
static MAUI_RECORD_TABLE(node_type, maui_node, node);

static const struct maui_field global_claim[] = {
	MAUI_MEMBER(maui_global_claim, name, "name", TEXT),
	MAUI_MEMBER(maui_global_claim, start_s, "start", TIME),
	MAUI_MEMBER(maui_global_claim, end_s, "end", TIME),
	MAUI_MEMBER_WITH(maui_global_claim, amounts, "amounts", AMOUNTS, NEEDED),
};
static MAUI_RECORD_TABLE(global_claim_type, maui_global_claim, global_claim);

static const struct maui_field preemption_rule[] = {
	MAUI_MEMBER(maui_preemption_rule, preemptor, "preemptor", COUNT),
	MAUI_MEMBER(maui_preemption_rule, preemptee, "preemptee", COUNT),
	MAUI_MEMBER(maui_preemption_rule, whom, "whom", COUNT),
};
static MAUI_RECORD_TABLE(preemption_rule_type, maui_preemption_rule, preemption_rule);

static const struct maui_field claim[] = {
	MAUI_MEMBER(maui_claim, id, "id", ID),
	MAUI_MEMBER(maui_claim, name, "name", TEXT),
	MAUI_MEMBER(maui_claim, start_s, "start", TIME),
	MAUI_MEMBER(maui_claim, end_s, "end", TIME),
	MAUI_MEMBER(maui_claim, run_start_s, "run_start", TIME),
	MAUI_MEMBER(maui_claim, run_end_s, "run_end", TIME),
	MAUI_MEMBER_MANY(maui_claim, nodes, node_count, "nodes", INDICES, NULL),
	MAUI_MEMBER_USUAL(maui_claim, rsv, "reservation", COUNT, MAUI_CLAIM_FOREIGN),
	MAUI_MEMBER(maui_claim, stack, "stack", COUNT),
	MAUI_MEMBER(maui_claim, mixed, "mixed", TRUE),
	MAUI_MEMBER(maui_claim, flex, "flex", TRUE),
	MAUI_MEMBER_MANY_WITH(maui_claim, amounts, node_count, "amounts", VECTORS, .maybe = true,
			      ALWAYS),
};
static MAUI_RECORD_TABLE(claim_type, maui_claim, claim);

static const struct maui_field credentials[] = {
	MAUI_MEMBER(maui_credentials, cred[MAUI_CRED_USER], "user", TEXT),
	MAUI_MEMBER(maui_credentials, cred[MAUI_CRED_GROUP], "group", TEXT),
	MAUI_MEMBER(maui_credentials, cred[MAUI_CRED_ACCOUNT], "account", TEXT),
	MAUI_MEMBER(maui_credentials, cred[MAUI_CRED_QOS], "qos", TEXT),
	MAUI_MEMBER(maui_credentials, cred[MAUI_CRED_CLASS], "class", TEXT),
};
static MAUI_RECORD_TABLE(credentials_type, maui_credentials, credentials);

static const struct maui_field request[] = {
	MAUI_MEMBER_USUAL(maui_request, nodes_min, "nodes_min", COUNT, 1),
	MAUI_MEMBER(maui_request, nodes_max, "nodes_max", COUNT),
	MAUI_MEMBER(maui_request, tasks, "tasks", ID),
	MAUI_MEMBER_USUAL(maui_request, procs_per_task, "procs_per_task", COUNT, 1),
	MAUI_MEMBER(maui_request, threads_used, "threads_used", COUNT),
	MAUI_MEMBER(maui_request, tasks_per_node_min, "tasks_per_node_min", COUNT),
	MAUI_MEMBER(maui_request, tasks_per_node_max, "tasks_per_node_max", COUNT),
	MAUI_MEMBER(maui_request, per_node, "per_node", AMOUNTS),
	MAUI_MEMBER(maui_request, per_task, "per_task", AMOUNTS),
	MAUI_MEMBER(maui_request, per_proc, "per_proc", AMOUNTS),
	MAUI_MEMBER(maui_request, least, "least", AMOUNTS),
	MAUI_MEMBER(maui_request, global, "global", AMOUNTS),
	MAUI_MEMBER(maui_request, global_claim, "global_claim", COUNT),
	MAUI_MEMBER(maui_request, whole_nodes, "whole_nodes", TRUE),
	MAUI_MEMBER(maui_request, all_memory, "all_memory", TRUE),
	MAUI_MEMBER(maui_request, contiguous, "contiguous", TRUE),
	MAUI_MEMBER(maui_request, spread, "spread", TRUE),
	MAUI_MEMBER(maui_request, switches_max, "switches_max", COUNT),
	MAUI_MEMBER(maui_request, segment, "segment", COUNT),
	MAUI_MEMBER(maui_request, sole_user, "sole_user", TRUE),
	MAUI_MEMBER(maui_request, nodes_named, "nodes_named", TRUE),
	MAUI_MEMBER(maui_request, gres_dealt, "gres_dealt", TRUE),
	MAUI_MEMBER(maui_request, asks_slurm, "asks_slurm", TRUE),
	MAUI_MEMBER(maui_request, shares_procs, "shares_procs", TRUE),
	MAUI_MEMBER(maui_request, features, "features", TEXT),
	MAUI_MEMBER_MANY(maui_request, required, required_count, "required", INDICES, NULL),
	MAUI_MEMBER_MANY(maui_request, excluded, excluded_count, "excluded", INDICES, NULL),
	MAUI_MEMBER_MANY(maui_request, claims, claim_count, "claims", INDICES, NULL),
	MAUI_MEMBER(maui_request, only_claims, "only_claims", TRUE),
	MAUI_MEMBER(maui_request, passes_shares, "passes_shares", TRUE),
};
static MAUI_RECORD_TABLE(request_type, maui_request, request);

#define AMOUNTS_FIELD                                                                              \
	MAUI_MEMBER_MANY_WITH(maui_snapshot, amount_names, amount_count, "amounts", TEXTS, ALWAYS, \
			      .or_null = true)

static const struct maui_field snapshot[] = {
	AMOUNTS_FIELD,
	WITHIN(maui_snapshot, totals, "totals", &totals_type),
	MAUI_MEMBER(maui_snapshot, shares_tasks, "shares_tasks", TRUE),
	MAUI_MEMBER(maui_snapshot, switches_optional, "switches_optional", TRUE),
	MAUI_MEMBER(maui_snapshot, global, "global", AMOUNTS),
	LIST(maui_snapshot, switches, switch_count, "switches", &switch_type),
	FULL_LIST(maui_snapshot, partitions, partition_count, "partitions", &partition_type),
	FULL_LIST(maui_snapshot, nodes, node_count, "nodes", &node_type),
	FULL_LIST(maui_snapshot, global_claims, global_claim_count, "global_claims",
		  &global_claim_type),
	/* only a plan with Slurm's own preemption has the list */
	MAUI_MEMBER_MANY_WITH(maui_snapshot, preemption_rules, preemption_rule_count,
			      "preemption_rules", LIST, .of = &preemption_rule_type, ALWAYS,
			      .maybe = true),
	FULL_LIST(maui_snapshot, claims, claim_count, "claims", &claim_type),
	FULL_LIST(maui_snapshot, creds, cred_count, "credentials", &credentials_type),
	FULL_LIST(maui_snapshot, requests, request_count, "requests", &request_type),
};
MAUI_RECORD_TABLE(maui_saved_snapshot_type, maui_snapshot, snapshot);

static const struct maui_field amounts[] = { AMOUNTS_FIELD };
MAUI_RECORD_TABLE(maui_saved_amounts_type, maui_snapshot, amounts);

/* ---- jobs ---- */

static const struct maui_field job[] = {
#define QUANTITY(name, what) MAUI_MEMBER(maui_job, name, #name, EXACT),
	MAUI_JOB_QUANTITIES(QUANTITY) MAUI_MEMBER(maui_job, walltime_s, "walltime", EXACT),
	MAUI_MEMBER(maui_job, queue_time_s, "queue_time", EXACT),
	MAUI_MEMBER(maui_job, bypass, "bypass", EXACT),
	MAUI_MEMBER(maui_job, elapsed_s, "elapsed", EXACT),
	MAUI_MEMBER(maui_job, user_procs, "user_procs", EXACT),
	MAUI_MEMBER(maui_job, user_jobs, "user_jobs", EXACT),
	MAUI_MEMBER(maui_job, class_fallback, "class_fallback", EXACT),
	MAUI_MEMBER(maui_job, active, "active", TRUE),
	MAUI_MEMBER(maui_job, soft_violation, "soft_violation", TRUE),
	MAUI_MEMBER(maui_job, system_priority, "system_priority", SMALL),
	MAUI_MEMBER(maui_job, system_priority_relative, "system_priority_relative", SMALL),
};
static MAUI_RECORD_TABLE(job_type, maui_job, job);

static const struct maui_field share[] = {
	MAUI_MEMBER(maui_share, claim, "claim", COUNT),
	MAUI_MEMBER(maui_share, procs, "procs", INT),
};
static MAUI_RECORD_TABLE(share_type, maui_share, share);

static const struct maui_field run[] = {
	MAUI_MEMBER(maui_saved_run, first.node, "node", COUNT),
	MAUI_MEMBER(maui_saved_run, first.resumes, "resumes", INT),
	MAUI_MEMBER_USUAL(maui_saved_run, count, "count", COUNT, 1),
	MAUI_MEMBER_WITH(maui_saved_run, first.amounts, "amounts", AMOUNTS, NEEDED),
	LIST(maui_saved_run, first.shares, first.share_count, "shares", &share_type),
};
static MAUI_RECORD_TABLE(run_type, maui_saved_run, run);

static const struct maui_field running[] = {
	MAUI_MEMBER(maui_saved_running, array_job, "array_job", COUNT),
	MAUI_MEMBER_USUAL(maui_saved_running, array_task, "array_task", COUNT, MAUI_NO_TASK),
};
static MAUI_RECORD_TABLE(running_type, maui_saved_running, running);

static const struct maui_field active[] = {
	MAUI_MEMBER(maui_saved_active, active.id, "id", ID),
	MAUI_MEMBER(maui_saved_active, active.creds, "credentials", COUNT),
	MAUI_MEMBER(maui_saved_active, active.start_s, "start", INT),
	MAUI_MEMBER(maui_saved_active, active.end_s, "end", TIME),
	MAUI_MEMBER(maui_saved_active, active.suspended, "suspended", TRUE),
	MAUI_MEMBER(maui_saved_active, active.resumable, "resumable", TRUE),
	MAUI_MEMBER(maui_saved_active, active.completing, "completing", TRUE),
	MAUI_MEMBER(maui_saved_active, active.global, "global", AMOUNTS),
	MAUI_MEMBER(maui_saved_active, active.sole_user, "sole_user", TRUE),
	MAUI_MEMBER(maui_saved_active, active.preemptee, "preemptee", TRUE),
	MAUI_MEMBER(maui_saved_active, active.given_priority, "given_priority", COUNT),
	MAUI_MEMBER(maui_saved_active, active.going, "going", COUNT),
	MAUI_MEMBER(maui_saved_active, active.kind, "kind", COUNT),
	MAUI_MEMBER(maui_saved_active, active.slurm_priority, "slurm_priority", COUNT),
	MAUI_MEMBER(maui_saved_active, active.cost, "cost", COUNT),
	MAUI_MEMBER(maui_saved_active, active.keeps_licenses, "keeps_licenses", TRUE),
	MAUI_MEMBER(maui_saved_active, active.warned, "warned", TRUE),
	MAUI_MEMBER(maui_saved_active, active.asked_tasks, "asked_tasks", INT),
	MAUI_MEMBER(maui_saved_active, active.asked_procs, "asked_procs", INT),
	MAUI_MEMBER(maui_saved_active, active.advres, "advres", TEXT),
	MAUI_MEMBER_WITH(maui_saved_active, running, "", PART, .of = &running_type),
	WITHIN(maui_saved_active, active.job, "job", &job_type),
	FULL_LIST(maui_saved_active, runs, run_count, "pieces", &run_type),
};
MAUI_RECORD_TABLE(maui_saved_active_type, maui_saved_active, active);

/* Another release may know more of them. */
static const char *const dependency_kinds[MAUI_DEPENDENCY_COUNT + 1] = {
	[MAUI_DEPENDENCY_OTHER] = "other",
	[MAUI_DEPENDENCY_END] = "end",
	[MAUI_DEPENDENCY_START] = "start",
	[MAUI_DEPENDENCY_TASK_END] = "task_end",
};

static const struct maui_field dependency[] = {
	MAUI_MEMBER(maui_dependency, job, "job", COUNT),
	MAUI_MEMBER_USUAL(maui_dependency, task, "task", COUNT, MAUI_NO_TASK),
	MAUI_MEMBER(maui_dependency, delay_s, "delay", INT),
	MAUI_MEMBER_WITH(maui_dependency, kind, "kind", WORD, .words = dependency_kinds, ALWAYS,
			 .or_usual = true),
};
static MAUI_RECORD_TABLE(dependency_type, maui_dependency, dependency);

static const struct maui_field waiting[] = {
	MAUI_MEMBER(maui_saved_waiting, array_job, "array_job", COUNT),
	MAUI_MEMBER_USUAL(maui_saved_waiting, array_task, "array_task", COUNT, MAUI_NO_TASK),
	MAUI_MEMBER_USUAL(maui_saved_waiting, first_task, "first_task", COUNT, MAUI_NO_TASK),
	MAUI_MEMBER_USUAL(maui_saved_waiting, last_task, "last_task", COUNT, MAUI_NO_TASK),
	MAUI_MEMBER_USUAL(maui_saved_waiting, count, "count", COUNT, 1),
	MAUI_MEMBER(maui_saved_waiting, conditions.begin_s, "begin", TIME),
	MAUI_MEMBER(maui_saved_waiting, conditions.run_max, "run_max", COUNT),
	MAUI_MEMBER_MANY(maui_saved_waiting, conditions.tasks, conditions.task_count, "tasks",
			 INDICES, NULL),
	MAUI_MEMBER(maui_saved_waiting, conditions.any_dependency, "any_dependency", TRUE),
	LIST(maui_saved_waiting, conditions.dependencies, conditions.dependency_count,
	     "dependencies", &dependency_type),
};
static MAUI_RECORD_TABLE(waiting_type, maui_saved_waiting, waiting);

static const struct maui_field row[] = {
	MAUI_MEMBER(maui_row, partition, "partition", COUNT),
	MAUI_MEMBER(maui_row, creds, "credentials", COUNT),
	MAUI_MEMBER(maui_row, own_request, "own_request", COUNT),
	MAUI_MEMBER(maui_row, kind, "kind", COUNT),
	MAUI_MEMBER(maui_row, priority, "priority", EXACT),
};
static MAUI_RECORD_TABLE(row_type, maui_row, row);

static const struct maui_field idle[] = {
	MAUI_MEMBER(maui_saved_idle, idle.id, "id", ID),
	MAUI_MEMBER(maui_saved_idle, idle.request, "request", COUNT),
	MAUI_MEMBER_USUAL(maui_saved_idle, idle.copies, "copies", COUNT, 1),
	MAUI_MEMBER(maui_saved_idle, idle.submit_s, "submit", INT),
	MAUI_MEMBER(maui_saved_idle, idle.queue_since_s, "queue_since", INT),
	MAUI_MEMBER(maui_saved_idle, idle.limit_s, "limit", TIME),
	MAUI_MEMBER(maui_saved_idle, idle.limit_min_s, "limit_min", TIME),
	MAUI_MEMBER(maui_saved_idle, idle.start_by_s, "start_by", TIME),
	MAUI_MEMBER(maui_saved_idle, idle.nice, "nice", INT),
	MAUI_MEMBER(maui_saved_idle, idle.procs, "procs", INT),
	MAUI_MEMBER(maui_saved_idle, idle.priority_given, "priority_given", TRUE),
	MAUI_MEMBER(maui_saved_idle, idle.in_reservation, "in_reservation", TRUE),
	MAUI_MEMBER(maui_saved_idle, idle.no_reservation, "no_reservation", TRUE),
	MAUI_MEMBER(maui_saved_idle, idle.run, "run", COUNT),
	MAUI_MEMBER(maui_saved_idle, idle.refused, "refused", TRUE),
	MAUI_MEMBER(maui_saved_idle, idle.busy_until_s, "busy_until", TIME),
	MAUI_MEMBER_MANY(maui_saved_idle, idle.spared, idle.spared_count, "spared", INDICES, NULL),
	MAUI_MEMBER(maui_saved_idle, idle.het_id, "het_id", ID),
	MAUI_MEMBER(maui_saved_idle, idle.het_offset, "het_offset", COUNT),
	MAUI_MEMBER(maui_saved_idle, idle.het_count, "het_count", COUNT),
	MAUI_MEMBER(maui_saved_idle, idle.advres, "advres", TEXT),
	REASON(maui_saved_idle, idle.blocked, "blocked"),
	MAUI_MEMBER(maui_saved_idle, idle.blocked_until_s, "blocked_until", TIME),
	MAUI_MEMBER_WITH(maui_saved_idle, waiting, "", PART, .of = &waiting_type),
	WITHIN(maui_saved_idle, idle.job, "job", &job_type),
	FULL_LIST(maui_saved_idle, idle.rows, idle.row_count, "rows", &row_type),
};
MAUI_RECORD_TABLE(maui_saved_idle_type, maui_saved_idle, idle);

static const struct maui_field jobs[] = {
	LIST(maui_saved_jobs, active, active_count, "active", &maui_saved_active_type),
	LIST(maui_saved_jobs, idle, idle_count, "idle", &maui_saved_idle_type),
};
MAUI_RECORD_TABLE(maui_saved_jobs_type, maui_saved_jobs, jobs);

static const struct maui_field extras[] = {
	LIST(maui_saved_extras, running, running_count, "active", &running_type),
	LIST(maui_saved_extras, waiting, waiting_count, "idle", &waiting_type),
};
MAUI_RECORD_TABLE(maui_saved_extras_type, maui_saved_extras, extras);

/* ---- what carries over ---- */

static const struct maui_field nodes[] = { MAUI_MEMBER(maui_rsv_place, node, "nodes", COUNT) };
static MAUI_RECORD_TABLE(nodes_type, maui_rsv_place, nodes);

static const struct maui_field tasks[] = { MAUI_MEMBER(maui_rsv_place, tasks, "tasks", INT) };
static MAUI_RECORD_TABLE(tasks_type, maui_rsv_place, tasks);

static const struct maui_field instance[] = {
	MAUI_MEMBER(maui_saved_instance, rsv, "reservation", TEXT),
	MAUI_MEMBER(maui_saved_instance, day, "day", SMALL),
	MAUI_MEMBER(maui_saved_instance, start_s, "start", TIME),
	MAUI_MEMBER(maui_saved_instance, end_s, "end", TIME),
	MAUI_MEMBER(maui_saved_instance, made, "made", TRUE),
	PLACES(maui_saved_instance),
};
static MAUI_RECORD_TABLE(instance_type, maui_saved_instance, instance);

static const struct maui_field release[] = {
	MAUI_MEMBER(maui_saved_release, rsv, "reservation", TEXT),
	MAUI_MEMBER(maui_saved_release, day, "day", SMALL),
};
static MAUI_RECORD_TABLE(release_type, maui_saved_release, release);

static const struct maui_field job_rsv[] = {
	MAUI_MEMBER(maui_saved_job_rsv, job, "job", ID),
	MAUI_MEMBER(maui_saved_job_rsv, partition, "partition", COUNT),
	MAUI_MEMBER(maui_saved_job_rsv, start_s, "start", TIME),
	MAUI_MEMBER(maui_saved_job_rsv, preempting, "preempting", TRUE),
	PLACES(maui_saved_job_rsv),
};
static MAUI_RECORD_TABLE(job_rsv_type, maui_saved_job_rsv, job_rsv);

#define NAMES(kind, key)                                                                           \
	MAUI_MEMBER_MANY(maui_saved_window, names[MAUI_CRED_##kind], name_count[MAUI_CRED_##kind], \
			 key, EXACT_MAP, NULL)

static const struct maui_field window[] = {
	MAUI_MEMBER(maui_saved_window, start_s, "start", INT),
	MAUI_MEMBER(maui_saved_window, interval_s, "interval", INT),
	MAUI_MEMBER(maui_saved_window, total, "total", EXACT),
	NAMES(USER, "user"),
	NAMES(GROUP, "group"),
	NAMES(ACCOUNT, "account"),
	NAMES(QOS, "qos"),
	NAMES(CLASS, "class"),
};
static MAUI_RECORD_TABLE_WITH(window_type, maui_saved_window, window, .sparse = false);

static const struct maui_field rest[] = {
	FULL_LIST(maui_saved_rest, instances, instance_count, "instances", &instance_type),
	FULL_LIST(maui_saved_rest, releases, release_count, "released", &release_type),
	FULL_LIST(maui_saved_rest, job_rsvs, job_rsv_count, "job_reservations", &job_rsv_type),
	FULL_LIST(maui_saved_rest, windows, window_count, "fairshare", &window_type),
};
MAUI_RECORD_TABLE(maui_saved_rest_type, maui_saved_rest, rest);
