/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - which members of which struct are saved
 *
 * A new member of the snapshot gets a line here. What seal() and the plan set is not saved.
 */

#include "state/saved_plan/fields.h"
#include "state/saved_plan/saved_plan.h"

#define FIELD(type, member, key, kind)                                      \
	{                                                                   \
		key, MAUI_FIELD_##kind, offsetof(struct type, member), 0, 0 \
	}
#define USUAL(type, member, key, kind, usual)                                   \
	{                                                                       \
		key, MAUI_FIELD_##kind, offsetof(struct type, member), 0, usual \
	}
#define INDICES(type, member, count, key)                               \
	{                                                               \
		key, MAUI_FIELD_INDICES, offsetof(struct type, member), \
			offsetof(struct type, count), 0                 \
	}
#define TABLE(name, list) const struct maui_fields name = { list, sizeof(list) / sizeof((list)[0]) }

static const struct maui_field partition[] = {
	FIELD(maui_partition, name, "name", TEXT),
	FIELD(maui_partition, tier, "tier", COUNT),
	FIELD(maui_partition, job_factor, "job_factor", REAL),
	FIELD(maui_partition, cap_amount, "cap_amount", COUNT),
	FIELD(maui_partition, least_loaded, "least_loaded", TRUE),
	FIELD(maui_partition, is_default, "default", TRUE),
	FIELD(maui_partition, default_limit_s, "default_limit", INT),
	FIELD(maui_partition, max_limit_s, "max_limit", INT),
};
TABLE(maui_fields_partition, partition);

static const struct maui_field switches[] = {
	FIELD(maui_switch, name, "name", TEXT),
	USUAL(maui_switch, parent, "parent", COUNT, MAUI_NO_SWITCH),
};
TABLE(maui_fields_switch, switches);

static const struct maui_field node[] = {
	FIELD(maui_node, id, "id", COUNT),
	FIELD(maui_node, name, "name", TEXT),
	FIELD(maui_node, have, "have", AMOUNTS),
	INDICES(maui_node, partitions, partition_count, "partitions"),
	FIELD(maui_node, features, "features", TEXT),
	USUAL(maui_node, unit, "unit", COUNT, 1),
	FIELD(maui_node, weight, "weight", COUNT),
	FIELD(maui_node, speed, "speed", REAL),
	FIELD(maui_node, priority, "priority", REAL),
	FIELD(maui_node, load, "load", REAL),
	FIELD(maui_node, asleep, "asleep", TRUE),
	FIELD(maui_node, drained, "drained", TRUE),
	FIELD(maui_node, usable_from_s, "usable_from", TIME),
	FIELD(maui_node, state, "state", REASON),
	FIELD(maui_node, note, "note", TEXT),
	USUAL(maui_node, leaf, "leaf", COUNT, MAUI_NO_SWITCH),
};
TABLE(maui_fields_node, node);

static const struct maui_field claim[] = {
	FIELD(maui_claim, id, "id", ID),
	FIELD(maui_claim, name, "name", TEXT),
	FIELD(maui_claim, start_s, "start", TIME),
	FIELD(maui_claim, end_s, "end", TIME),
	FIELD(maui_claim, run_start_s, "run_start", TIME),
	FIELD(maui_claim, run_end_s, "run_end", TIME),
	INDICES(maui_claim, nodes, node_count, "nodes"),
	USUAL(maui_claim, rsv, "reservation", COUNT, MAUI_CLAIM_FOREIGN),
	FIELD(maui_claim, stack, "stack", COUNT),
	FIELD(maui_claim, mixed, "mixed", TRUE),
	FIELD(maui_claim, flex, "flex", TRUE),
};
TABLE(maui_fields_claim, claim);

static const struct maui_field global_claim[] = {
	FIELD(maui_global_claim, name, "name", TEXT),
	FIELD(maui_global_claim, start_s, "start", TIME),
	FIELD(maui_global_claim, end_s, "end", TIME),
	FIELD(maui_global_claim, amounts, "amounts", AMOUNTS),
};
TABLE(maui_fields_global_claim, global_claim);

static const struct maui_field preemption_rule[] = {
	FIELD(maui_preemption_rule, preemptor, "preemptor", COUNT),
	FIELD(maui_preemption_rule, preemptee, "preemptee", COUNT),
	FIELD(maui_preemption_rule, whom, "whom", COUNT),
};
TABLE(maui_fields_preemption_rule, preemption_rule);

static const struct maui_field request[] = {
	USUAL(maui_request, nodes_min, "nodes_min", COUNT, 1),
	FIELD(maui_request, nodes_max, "nodes_max", COUNT),
	FIELD(maui_request, tasks, "tasks", ID),
	USUAL(maui_request, procs_per_task, "procs_per_task", COUNT, 1),
	FIELD(maui_request, threads_used, "threads_used", COUNT),
	FIELD(maui_request, tasks_per_node_min, "tasks_per_node_min", COUNT),
	FIELD(maui_request, tasks_per_node_max, "tasks_per_node_max", COUNT),
	FIELD(maui_request, per_node, "per_node", AMOUNTS),
	FIELD(maui_request, per_task, "per_task", AMOUNTS),
	FIELD(maui_request, per_proc, "per_proc", AMOUNTS),
	FIELD(maui_request, least, "least", AMOUNTS),
	FIELD(maui_request, global, "global", AMOUNTS),
	FIELD(maui_request, global_claim, "global_claim", COUNT),
	FIELD(maui_request, whole_nodes, "whole_nodes", TRUE),
	FIELD(maui_request, all_memory, "all_memory", TRUE),
	FIELD(maui_request, contiguous, "contiguous", TRUE),
	FIELD(maui_request, spread, "spread", TRUE),
	FIELD(maui_request, switches_max, "switches_max", COUNT),
	FIELD(maui_request, segment, "segment", COUNT),
	FIELD(maui_request, sole_user, "sole_user", TRUE),
	FIELD(maui_request, nodes_named, "nodes_named", TRUE),
	FIELD(maui_request, gres_dealt, "gres_dealt", TRUE),
	FIELD(maui_request, asks_slurm, "asks_slurm", TRUE),
	FIELD(maui_request, shares_procs, "shares_procs", TRUE),
	FIELD(maui_request, features, "features", TEXT),
	INDICES(maui_request, required, required_count, "required"),
	INDICES(maui_request, excluded, excluded_count, "excluded"),
	INDICES(maui_request, claims, claim_count, "claims"),
	FIELD(maui_request, only_claims, "only_claims", TRUE),
	FIELD(maui_request, passes_shares, "passes_shares", TRUE),
};
TABLE(maui_fields_request, request);

static const struct maui_field active[] = {
	FIELD(maui_active, id, "id", ID),
	FIELD(maui_active, creds, "credentials", COUNT),
	FIELD(maui_active, start_s, "start", INT),
	FIELD(maui_active, end_s, "end", TIME),
	FIELD(maui_active, suspended, "suspended", TRUE),
	FIELD(maui_active, resumable, "resumable", TRUE),
	FIELD(maui_active, completing, "completing", TRUE),
	FIELD(maui_active, global, "global", AMOUNTS),
	FIELD(maui_active, sole_user, "sole_user", TRUE),
	FIELD(maui_active, preemptee, "preemptee", TRUE),
	FIELD(maui_active, given_priority, "given_priority", COUNT),
	FIELD(maui_active, going, "going", COUNT),
	FIELD(maui_active, kind, "kind", COUNT),
	FIELD(maui_active, slurm_priority, "slurm_priority", COUNT),
	FIELD(maui_active, cost, "cost", COUNT),
	FIELD(maui_active, keeps_licenses, "keeps_licenses", TRUE),
	FIELD(maui_active, warned, "warned", TRUE),
	FIELD(maui_active, asked_tasks, "asked_tasks", INT),
	FIELD(maui_active, asked_procs, "asked_procs", INT),
	FIELD(maui_active, advres, "advres", TEXT),
};
TABLE(maui_fields_active, active);

static const struct maui_field idle[] = {
	FIELD(maui_idle, id, "id", ID),
	FIELD(maui_idle, request, "request", COUNT),
	USUAL(maui_idle, copies, "copies", COUNT, 1),
	FIELD(maui_idle, submit_s, "submit", INT),
	FIELD(maui_idle, queue_since_s, "queue_since", INT),
	FIELD(maui_idle, limit_s, "limit", TIME),
	FIELD(maui_idle, limit_min_s, "limit_min", TIME),
	FIELD(maui_idle, start_by_s, "start_by", TIME),
	FIELD(maui_idle, nice, "nice", INT),
	FIELD(maui_idle, procs, "procs", INT),
	FIELD(maui_idle, priority_given, "priority_given", TRUE),
	FIELD(maui_idle, in_reservation, "in_reservation", TRUE),
	FIELD(maui_idle, no_reservation, "no_reservation", TRUE),
	FIELD(maui_idle, run, "run", COUNT),
	FIELD(maui_idle, refused, "refused", TRUE),
	FIELD(maui_idle, busy_until_s, "busy_until", TIME),
	INDICES(maui_idle, spared, spared_count, "spared"),
	FIELD(maui_idle, het_id, "het_id", ID),
	FIELD(maui_idle, het_offset, "het_offset", COUNT),
	FIELD(maui_idle, het_count, "het_count", COUNT),
	FIELD(maui_idle, advres, "advres", TEXT),
	FIELD(maui_idle, blocked, "blocked", REASON),
	FIELD(maui_idle, blocked_until_s, "blocked_until", TIME),
};
TABLE(maui_fields_idle, idle);

static const struct maui_field waiting[] = {
	FIELD(maui_saved_waiting, array_job, "array_job", COUNT),
	USUAL(maui_saved_waiting, array_task, "array_task", COUNT, MAUI_NO_TASK),
	USUAL(maui_saved_waiting, first_task, "first_task", COUNT, MAUI_NO_TASK),
	USUAL(maui_saved_waiting, last_task, "last_task", COUNT, MAUI_NO_TASK),
	USUAL(maui_saved_waiting, count, "count", COUNT, 1),
	FIELD(maui_saved_waiting, conditions.begin_s, "begin", TIME),
	FIELD(maui_saved_waiting, conditions.run_max, "run_max", COUNT),
	INDICES(maui_saved_waiting, conditions.tasks, conditions.task_count, "tasks"),
	FIELD(maui_saved_waiting, conditions.any_dependency, "any_dependency", TRUE),
};
TABLE(maui_fields_waiting, waiting);

static const struct maui_field running[] = {
	FIELD(maui_saved_running, array_job, "array_job", COUNT),
	USUAL(maui_saved_running, array_task, "array_task", COUNT, MAUI_NO_TASK),
};
TABLE(maui_fields_running, running);

static const struct maui_field dependency[] = {
	FIELD(maui_dependency, job, "job", COUNT),
	USUAL(maui_dependency, task, "task", COUNT, MAUI_NO_TASK),
	FIELD(maui_dependency, delay_s, "delay", INT),
};
TABLE(maui_fields_dependency, dependency);

static const struct maui_field row[] = {
	FIELD(maui_row, partition, "partition", COUNT),
	FIELD(maui_row, creds, "credentials", COUNT),
	FIELD(maui_row, own_request, "own_request", COUNT),
	FIELD(maui_row, kind, "kind", COUNT),
	FIELD(maui_row, priority, "priority", REAL),
};
TABLE(maui_fields_row, row);

static const struct maui_field job[] = {
	FIELD(maui_job, nodes, "nodes", REAL),
	FIELD(maui_job, procs, "procs", REAL),
	FIELD(maui_job, mem_mb, "mem_mb", REAL),
	FIELD(maui_job, swap_mb, "swap_mb", REAL),
	FIELD(maui_job, disk_mb, "disk_mb", REAL),
	FIELD(maui_job, gpus, "gpus", REAL),
	FIELD(maui_job, gres, "gres", REAL),
	FIELD(maui_job, walltime_s, "walltime", REAL),
	FIELD(maui_job, queue_time_s, "queue_time", REAL),
	FIELD(maui_job, bypass, "bypass", REAL),
	FIELD(maui_job, elapsed_s, "elapsed", REAL),
	FIELD(maui_job, user_procs, "user_procs", REAL),
	FIELD(maui_job, user_jobs, "user_jobs", REAL),
	FIELD(maui_job, class_fallback, "class_fallback", REAL),
	FIELD(maui_job, active, "active", TRUE),
	FIELD(maui_job, soft_violation, "soft_violation", TRUE),
	FIELD(maui_job, system_priority, "system_priority", SMALL),
	FIELD(maui_job, system_priority_relative, "system_priority_relative", SMALL),
};
TABLE(maui_fields_job, job);

static const struct maui_field totals[] = {
	FIELD(maui_totals, procs, "procs", REAL),     FIELD(maui_totals, mem_mb, "mem_mb", REAL),
	FIELD(maui_totals, swap_mb, "swap_mb", REAL), FIELD(maui_totals, disk_mb, "disk_mb", REAL),
	FIELD(maui_totals, gres, "gres", REAL),
};
TABLE(maui_fields_totals, totals);

static const struct maui_field piece[] = {
	FIELD(maui_piece, node, "node", COUNT),
	FIELD(maui_piece, resumes, "resumes", INT),
};
TABLE(maui_fields_piece, piece);

static const struct maui_field share[] = {
	FIELD(maui_share, claim, "claim", COUNT),
	FIELD(maui_share, procs, "procs", INT),
};
TABLE(maui_fields_share, share);

static const struct maui_field instance[] = {
	FIELD(maui_saved_instance, rsv, "reservation", TEXT),
	FIELD(maui_saved_instance, day, "day", SMALL),
	FIELD(maui_saved_instance, start_s, "start", TIME),
	FIELD(maui_saved_instance, end_s, "end", TIME),
	FIELD(maui_saved_instance, made, "made", TRUE),
};
TABLE(maui_fields_instance, instance);

static const struct maui_field release[] = {
	FIELD(maui_saved_release, rsv, "reservation", TEXT),
	FIELD(maui_saved_release, day, "day", SMALL),
};
TABLE(maui_fields_release, release);

static const struct maui_field job_rsv[] = {
	FIELD(maui_saved_job_rsv, job, "job", ID),
	FIELD(maui_saved_job_rsv, partition, "partition", COUNT),
	FIELD(maui_saved_job_rsv, start_s, "start", TIME),
	FIELD(maui_saved_job_rsv, preempting, "preempting", TRUE),
};
TABLE(maui_fields_job_rsv, job_rsv);
