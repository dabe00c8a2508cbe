/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - which members of which struct are saved
 *
 * A new member of the snapshot gets a line here. What seal() and the plan set is not saved. `make
 * references` writes doc/snapshot.md from these tables.
 */

#include "state/saved_plan/private.h"

#define ALWAYS .always = true
#define NEEDED .needed = true
#define MEMBER(type, member, key, kind, text) \
	MAUI_MEMBER_WITH(type, member, key, kind, .what = text)
#define USUAL(type, member, key, kind, usual_, text) \
	MAUI_MEMBER_WITH(type, member, key, kind, .usual = usual_, .what = text)
#define MANY(type, list, count, key, kind, text) \
	MAUI_MEMBER_MANY_WITH(type, list, count, key, kind, .what = text)
#define LIST(type, list, count, key, of_, text) \
	MAUI_MEMBER_MANY_WITH(type, list, count, key, LIST, .of = of_, .what = text)
/* In the file even when it is empty. */
#define FULL_LIST(type, list, count, key, of_, text) \
	MAUI_MEMBER_MANY_WITH(type, list, count, key, LIST, .of = of_, .what = text, ALWAYS)
#define WITHIN(type, member, key, of_, text) \
	MAUI_MEMBER_WITH(type, member, key, WITHIN, .of = of_, .what = text)
#define REASON(type, member, key, text) \
	MAUI_MEMBER_WITH(type, member, key, WORD, .words = maui_reason_texts, .what = text)
/* "nodes" and "tasks" */
#define PLACES(type)                                                                         \
	MAUI_MEMBER_MANY_WITH(type, places, place_count, "nodes", VALUES, .of = &nodes_type, \
			      .what = "indices of those that were chosen", ALWAYS),          \
		MAUI_MEMBER_MANY_WITH(type, places, place_count, "tasks", VALUES,            \
				      .of = &tasks_type, .what = "of each node", ALWAYS)

/* ---- the beginning ---- */

static const struct maui_field config[] = {
	MEMBER(maui_saved_config, file, "file", TEXT, "the path of maui.cfg"),
	MEMBER(maui_saved_config, text, "text", TEXT,
	       "all its files as one text; for users the lines that showconfig shows them"),
};
static MAUI_RECORD_TABLE(config_type, maui_saved_config, config);

static const struct maui_field head[] = {
	MEMBER(maui_saved_head, schema, "schema", TEXT, "`maui.snapshot.v1`"),
	MEMBER(maui_saved_head, now_s, "time", INT, "the moment of the plan"),
	MEMBER(maui_saved_head, cluster, "cluster", TEXT, "ClusterName"),
	MEMBER(maui_saved_head, chunk_until_s, "chunk_until", INT,
	       "until when BFCHUNKSIZE holds processors back; 0: it does not"),
	WITHIN(maui_saved_head, config, "config", &config_type, NULL),
};
MAUI_RECORD_TABLE_WITH(maui_saved_head_type, maui_saved_head, head, .sparse = false);

/* ---- the snapshot ---- */

static const struct maui_field totals[] = {
	MEMBER(maui_totals, procs, "procs", EXACT, "processors"),
	MAUI_MEMBER(maui_totals, mem_mb, "mem_mb", EXACT),
	MAUI_MEMBER(maui_totals, swap_mb, "swap_mb", EXACT),
	MAUI_MEMBER(maui_totals, disk_mb, "disk_mb", EXACT),
	MEMBER(maui_totals, gres, "gres", EXACT,
	       "GPUs and what else GRESCFG WEIGHT counts, each by its weight"),
};
static MAUI_RECORD_TABLE(totals_type, maui_totals, totals);

static const struct maui_field switches[] = {
	MAUI_MEMBER(maui_switch, name, "name", TEXT),
	USUAL(maui_switch, parent, "parent", COUNT, MAUI_NO_SWITCH,
	      "index, behind the switch; absent: none"),
};
static MAUI_RECORD_TABLE(switch_type, maui_switch, switches);

static const struct maui_field partition[] = {
	MAUI_MEMBER_WITH(maui_partition, name, "name", TEXT, NEEDED),
	MEMBER(maui_partition, tier, "tier", COUNT, "PriorityTier"),
	MEMBER(maui_partition, job_factor, "job_factor", EXACT, "PriorityJobFactor; 0: not set"),
	MEMBER(maui_partition, cap_amount, "cap_amount", COUNT, "the dimension of MaxCPUsPerNode"),
	MEMBER(maui_partition, least_loaded, "least_loaded", TRUE, "LLN=YES, CR_LLN"),
	MEMBER(maui_partition, is_default, "default", TRUE, "Default=YES"),
	MEMBER(maui_partition, default_limit_s, "default_limit", INT, "DefaultTime; 0: none"),
	MEMBER(maui_partition, max_limit_s, "max_limit", INT, "MaxTime; 0: none"),
	MEMBER(maui_partition, down, "down", TRUE, "it starts no jobs"),
	MEMBER(maui_partition, whole_nodes, "whole_nodes", TRUE, "OverSubscribe=EXCLUSIVE"),
	MEMBER(maui_partition, sole_user, "sole_user", TRUE, "ExclusiveUser=YES"),
	MEMBER(maui_partition, all_memory, "all_memory", TRUE,
	       "a job that names no memory gets all of its nodes"),
	MEMBER(maui_partition, mem_per_node, "mem_per_node", INT,
	       "MB of a job that names no memory; 0: not set"),
	MEMBER(maui_partition, mem_per_cpu, "mem_per_cpu", INT, "the same"),
	MEMBER(maui_partition, memory_uncounted, "memory_uncounted", TRUE,
	       "jobs consume no memory"),
};
static MAUI_RECORD_TABLE(partition_type, maui_partition, partition);

static const struct maui_field node[] = {
	MEMBER(maui_node, id, "id", COUNT, "place in Slurm's node table, ascending"),
	MAUI_MEMBER_WITH(maui_node, name, "name", TEXT, NEEDED),
	MAUI_MEMBER_WITH(maui_node, have, "have", AMOUNTS, NEEDED, .what = "what the node has"),
	MANY(maui_node, partitions, partition_count, "partitions", INDICES, "indices"),
	MAUI_MEMBER(maui_node, features, "features", TEXT),
	USUAL(maui_node, unit, "unit", COUNT, 1, "processors are given out in multiples of it"),
	MAUI_MEMBER(maui_node, weight, "weight", COUNT),
	MAUI_MEMBER(maui_node, speed, "speed", EXACT),
	MAUI_MEMBER(maui_node, priority, "priority", EXACT),
	MAUI_MEMBER(maui_node, load, "load", EXACT),
	MAUI_MEMBER(maui_node, asleep, "asleep", TRUE),
	MAUI_MEMBER(maui_node, drained, "drained", TRUE),
	MEMBER(maui_node, usable_from_s, "usable_from", TIME, "null: down"),
	REASON(maui_node, state, "state", NULL),
	MEMBER(maui_node, note, "note", TEXT, "why it is down or drained"),
	USUAL(maui_node, leaf, "leaf", COUNT, MAUI_NO_SWITCH,
	      "index of its leaf switch; absent: none"),
};
static MAUI_RECORD_TABLE(node_type, maui_node, node);

static const struct maui_field global_claim[] = {
	MAUI_MEMBER(maui_global_claim, name, "name", TEXT),
	MAUI_MEMBER(maui_global_claim, start_s, "start", TIME),
	MAUI_MEMBER(maui_global_claim, end_s, "end", TIME),
	MAUI_MEMBER_WITH(maui_global_claim, amounts, "amounts", AMOUNTS, NEEDED,
			 .what = "licences"),
};
static MAUI_RECORD_TABLE(global_claim_type, maui_global_claim, global_claim);

static const struct maui_field preemption_rule[] = {
	MEMBER(maui_preemption_rule, preemptor, "preemptor", COUNT, "kind of a waiting job"),
	MEMBER(maui_preemption_rule, preemptee, "preemptee", COUNT, "kind of an active job"),
	MEMBER(maui_preemption_rule, whom, "whom", COUNT,
	       "1: those of lower priority, + 2: of the same, + 4: of a higher one"),
};
static MAUI_RECORD_TABLE(preemption_rule_type, maui_preemption_rule, preemption_rule);

static const struct maui_field claim[] = {
	MAUI_MEMBER(maui_claim, id, "id", ID),
	MAUI_MEMBER(maui_claim, name, "name", TEXT),
	MAUI_MEMBER(maui_claim, start_s, "start", TIME),
	MAUI_MEMBER(maui_claim, end_s, "end", TIME),
	MEMBER(maui_claim, run_start_s, "run_start", TIME,
	       "with adjoining instances of the reservation"),
	MEMBER(maui_claim, run_end_s, "run_end", TIME,
	       "with adjoining instances of the reservation"),
	MANY(maui_claim, nodes, node_count, "nodes", INDICES, "indices"),
	USUAL(maui_claim, rsv, "reservation", COUNT, MAUI_CLAIM_FOREIGN,
	      "absent: it is a reservation of Slurm"),
	MEMBER(maui_claim, stack, "stack", COUNT,
	       "claims with the same number share processors; 0: with none"),
	MEMBER(maui_claim, mixed, "mixed", TRUE,
	       "some of its processors also belong to a claim with another number"),
	MEMBER(maui_claim, flex, "flex", TRUE,
	       "jobs of the reservation may have other nodes as well (FLEX)"),
	MAUI_MEMBER_MANY_WITH(
		maui_claim, amounts, node_count, "amounts", VECTORS, .maybe = true, ALWAYS,
		.what = "of each node; null: as the node before; absent: whole nodes"),
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
	MEMBER(maui_request, nodes_max, "nodes_max", COUNT, "0: any number"),
	MAUI_MEMBER(maui_request, tasks, "tasks", ID),
	MAUI_MEMBER_USUAL(maui_request, procs_per_task, "procs_per_task", COUNT, 1),
	MAUI_MEMBER(maui_request, threads_used, "threads_used", COUNT),
	MAUI_MEMBER(maui_request, tasks_per_node_min, "tasks_per_node_min", COUNT),
	MAUI_MEMBER(maui_request, tasks_per_node_max, "tasks_per_node_max", COUNT),
	MEMBER(maui_request, per_node, "per_node", AMOUNTS, "of each node"),
	MEMBER(maui_request, per_task, "per_task", AMOUNTS, "of each task"),
	MEMBER(maui_request, per_proc, "per_proc", AMOUNTS, "of each processor"),
	MEMBER(maui_request, per_job, "per_job", AMOUNTS,
	       "of the whole job, of which the nodes or tasks have their shares"),
	MEMBER(maui_request, least, "least", AMOUNTS, NULL),
	MEMBER(maui_request, global, "global", AMOUNTS, "licences"),
	MEMBER(maui_request, global_claim, "global_claim", COUNT,
	       "index + 1 of the global claim that it uses; 0: none"),
	MAUI_MEMBER(maui_request, whole_nodes, "whole_nodes", TRUE),
	MAUI_MEMBER(maui_request, all_memory, "all_memory", TRUE),
	MAUI_MEMBER(maui_request, contiguous, "contiguous", TRUE),
	MAUI_MEMBER(maui_request, spread, "spread", TRUE),
	MAUI_MEMBER(maui_request, switches_max, "switches_max", COUNT),
	MEMBER(maui_request, segment, "segment", COUNT,
	       "nodes that lie on one leaf switch together"),
	MAUI_MEMBER(maui_request, sole_user, "sole_user", TRUE),
	MEMBER(maui_request, nodes_named, "nodes_named", TRUE,
	       "the user named the number of nodes"),
	MEMBER(maui_request, asks_slurm, "asks_slurm", TRUE,
	       "the amounts are the least that the job could need: Slurm chooses its nodes"),
	MEMBER(maui_request, shares_procs, "shares_procs", TRUE,
	       "its processors may be those of other jobs, too"),
	MAUI_MEMBER(maui_request, features, "features", TEXT),
	MANY(maui_request, required, required_count, "required", INDICES, "indices of nodes"),
	MANY(maui_request, excluded, excluded_count, "excluded", INDICES, "indices of nodes"),
	MANY(maui_request, claims, claim_count, "claims", INDICES, "indices"),
	MEMBER(maui_request, only_claims, "only_claims", TRUE,
	       "the job runs inside these claims only"),
	MAUI_MEMBER(maui_request, passes_shares, "passes_shares", TRUE),
};
static MAUI_RECORD_TABLE(request_type, maui_request, request);

#define AMOUNTS_FIELD                                                                           \
	MAUI_MEMBER_MANY_WITH(                                                                  \
		maui_snapshot, amount_names, amount_count, "amounts", TEXTS, ALWAYS,            \
		.or_null = true,                                                                \
		.what = "the names of the dimensions of all vectors: processors, memory (MB), " \
			"disk (MB), then GRES and licences; null: no name")

static const struct maui_field snapshot[] = {
	AMOUNTS_FIELD,
	WITHIN(maui_snapshot, totals, "totals", &totals_type,
	       "what is configured in the whole cluster"),
	MEMBER(maui_snapshot, shares_tasks, "shares_tasks", TRUE,
	       "Slurm distributes tasks over the nodes of a job"),
	MEMBER(maui_snapshot, switches_optional, "switches_optional", TRUE,
	       "only jobs with --switches are placed by switches"),
	MEMBER(maui_snapshot, global, "global", AMOUNTS, "licences that jobs may use"),
	MEMBER(maui_snapshot, with_whole_nodes, "with_whole_nodes", AMOUNTS,
	       "1: a job with whole nodes gets all of it"),
	LIST(maui_snapshot, switches, switch_count, "switches", &switch_type, "of the network"),
	FULL_LIST(maui_snapshot, partitions, partition_count, "partitions", &partition_type, NULL),
	FULL_LIST(maui_snapshot, nodes, node_count, "nodes", &node_type, NULL),
	FULL_LIST(maui_snapshot, global_claims, global_claim_count, "global_claims",
		  &global_claim_type, "licences of Slurm's reservations"),
	/* only a plan with Slurm's own preemption has the list */
	MAUI_MEMBER_MANY_WITH(maui_snapshot, preemption_rules, preemption_rule_count,
			      "preemption_rules", LIST, .of = &preemption_rule_type, ALWAYS,
			      .maybe = true,
			      .what = "with Slurm's own preemption only: who may preempt whom"),
	FULL_LIST(maui_snapshot, claims, claim_count, "claims", &claim_type,
		  "Slurm's reservations"),
	FULL_LIST(maui_snapshot, creds, cred_count, "credentials", &credentials_type,
		  "each combination that some job has"),
	FULL_LIST(maui_snapshot, requests, request_count, "requests", &request_type,
		  "what jobs ask for"),
};
MAUI_RECORD_TABLE(maui_saved_snapshot_type, maui_snapshot, snapshot);

static const struct maui_field amounts[] = { AMOUNTS_FIELD };
MAUI_RECORD_TABLE(maui_saved_amounts_type, maui_snapshot, amounts);

/* ---- jobs ---- */

static const struct maui_field job[] = {
#define QUANTITY(name, what) MEMBER(maui_job, name, #name, EXACT, what),
	MAUI_JOB_QUANTITIES(QUANTITY)
		MEMBER(maui_job, walltime_s, "walltime", EXACT, "the limit, s"),
	MEMBER(maui_job, queue_time_s, "queue_time", EXACT, "effective queue time, s"),
	MEMBER(maui_job, bypass, "bypass", EXACT,
	       "how often a job of lower priority was backfilled past it"),
	MEMBER(maui_job, elapsed_s, "elapsed", EXACT, "running time so far, s"),
	MEMBER(maui_job, user_procs, "user_procs", EXACT, "processors of the user's active jobs"),
	MEMBER(maui_job, user_jobs, "user_jobs", EXACT, "the user's active jobs"),
	MEMBER(maui_job, class_fallback, "class_fallback", EXACT,
	       "the partition's PriorityJobFactor"),
	MAUI_MEMBER(maui_job, active, "active", TRUE),
	MEMBER(maui_job, soft_violation, "soft_violation", TRUE, "it runs over a soft limit"),
	MEMBER(maui_job, system_priority, "system_priority", SMALL, "of setspri"),
	MEMBER(maui_job, system_priority_relative, "system_priority_relative", SMALL,
	       "of setspri -r"),
};
static MAUI_RECORD_TABLE(job_type, maui_job, job);

static const struct maui_field share[] = {
	MEMBER(maui_share, claim, "claim", COUNT, "index"),
	MEMBER(maui_share, procs, "procs", INT, "processors that belong to the claim"),
};
static MAUI_RECORD_TABLE(share_type, maui_share, share);

static const struct maui_field run[] = {
	MEMBER(maui_saved_run, first.node, "node", COUNT, "index"),
	MEMBER(maui_saved_run, first.resumes, "resumes", INT,
	       "processors that a suspended job takes again"),
	USUAL(maui_saved_run, count, "count", COUNT, 1, "that many nodes in a row"),
	MAUI_MEMBER_WITH(maui_saved_run, first.amounts, "amounts", AMOUNTS, NEEDED),
	LIST(maui_saved_run, first.shares, first.share_count, "shares", &share_type, NULL),
};
static MAUI_RECORD_TABLE(run_type, maui_saved_run, run);

static const struct maui_field running[] = {
	MEMBER(maui_saved_running, array_job, "array_job", COUNT, "0: not of an array"),
	USUAL(maui_saved_running, array_task, "array_task", COUNT, MAUI_NO_TASK, "absent: no task"),
};
static MAUI_RECORD_TABLE(running_type, maui_saved_running, running);

static const struct maui_field active[] = {
	MAUI_MEMBER(maui_saved_active, active.id, "id", ID),
	MEMBER(maui_saved_active, active.creds, "credentials", COUNT, "index"),
	MAUI_MEMBER(maui_saved_active, active.start_s, "start", INT),
	MEMBER(maui_saved_active, active.end_s, "end", TIME, "by the limit"),
	MEMBER(maui_saved_active, active.no_limit, "no_limit", TRUE,
	       "it has none: end is by SYSTEMDEFAULTJOBWALLTIME"),
	MAUI_MEMBER(maui_saved_active, active.suspended, "suspended", TRUE),
	MEMBER(maui_saved_active, active.resumable, "resumable", TRUE,
	       "slurm-maui suspended it and decides when it resumes"),
	MAUI_MEMBER(maui_saved_active, active.completing, "completing", TRUE),
	MEMBER(maui_saved_active, active.global, "global", AMOUNTS, "licences that it holds"),
	MAUI_MEMBER(maui_saved_active, active.sole_user, "sole_user", TRUE),
	MEMBER(maui_saved_active, active.preemptee, "preemptee", TRUE,
	       "it may be preempted with any QOS"),
	MEMBER(maui_saved_active, active.given_priority, "given_priority", COUNT,
	       "run priority of another plugin; 0: none"),
	MEMBER(maui_saved_active, active.going, "going", COUNT, NULL),
	MEMBER(maui_saved_active, active.het_id, "het_id", ID,
	       "all jobs of this number are preempted together; 0: alone"),
	MEMBER(maui_saved_active, active.kind, "kind", COUNT, "of Slurm's own preemption"),
	MEMBER(maui_saved_active, active.slurm_priority, "slurm_priority", COUNT,
	       "for the order of preemption"),
	MEMBER(maui_saved_active, active.cost, "cost", COUNT,
	       "the jobs that cost least are preempted first"),
	MEMBER(maui_saved_active, active.keeps_licenses, "keeps_licenses", TRUE,
	       "its licences make no room when it is preempted"),
	MEMBER(maui_saved_active, active.warned, "warned", TRUE, "Slurm has signalled it to end"),
	MEMBER(maui_saved_active, active.asked_tasks, "asked_tasks", INT,
	       "that it asked for; 0: not known"),
	MEMBER(maui_saved_active, active.asked_procs, "asked_procs", INT, "the same"),
	MEMBER(maui_saved_active, active.advres, "advres", TEXT, "reservations that it names"),
	MAUI_MEMBER_WITH(maui_saved_active, running, "", PART, .of = &running_type),
	WITHIN(maui_saved_active, active.job, "job", &job_type, "for limits and priorities"),
	FULL_LIST(maui_saved_active, runs, run_count, "pieces", &run_type,
		  "what it holds of each node"),
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
	MEMBER(maui_dependency, job, "job", COUNT, "of an array: all tasks"),
	USUAL(maui_dependency, task, "task", COUNT, MAUI_NO_TASK, "absent: the whole job or array"),
	MEMBER(maui_dependency, delay_s, "delay", INT, "s"),
	MAUI_MEMBER_WITH(
		maui_dependency, kind, "kind", WORD, .words = dependency_kinds, ALWAYS,
		.or_usual = true,
		.what = "end: afterok, afterany; start: after; task_end: aftercorr; other"),
};
static MAUI_RECORD_TABLE(dependency_type, maui_dependency, dependency);

static const struct maui_field waiting[] = {
	MEMBER(maui_saved_waiting, array_job, "array_job", COUNT, "0: not of an array"),
	USUAL(maui_saved_waiting, array_task, "array_task", COUNT, MAUI_NO_TASK, "absent: no task"),
	USUAL(maui_saved_waiting, first_task, "first_task", COUNT, MAUI_NO_TASK,
	      "of an array whose tasks wait together"),
	MAUI_MEMBER_USUAL(maui_saved_waiting, last_task, "last_task", COUNT, MAUI_NO_TASK),
	USUAL(maui_saved_waiting, count, "count", COUNT, 1, "of waiting tasks"),
	MAUI_MEMBER(maui_saved_waiting, conditions.begin_s, "begin", TIME),
	MEMBER(maui_saved_waiting, conditions.run_max, "run_max", COUNT, "%N of the array"),
	MANY(maui_saved_waiting, conditions.tasks, conditions.task_count, "tasks", INDICES,
	     "those that wait, if not all between the first and the last do"),
	MEMBER(maui_saved_waiting, conditions.any_dependency, "any_dependency", TRUE,
	       "one suffices"),
	LIST(maui_saved_waiting, conditions.dependencies, conditions.dependency_count,
	     "dependencies", &dependency_type, NULL),
};
static MAUI_RECORD_TABLE(waiting_type, maui_saved_waiting, waiting);

static const struct maui_field row[] = {
	MEMBER(maui_row, partition, "partition", COUNT, "index"),
	MEMBER(maui_row, creds, "credentials", COUNT, "index"),
	MEMBER(maui_row, own_request, "own_request", COUNT,
	       "index + 1 of a request of this partition; 0: that of the job"),
	MEMBER(maui_row, kind, "kind", COUNT, "of Slurm's own preemption"),
	MEMBER(maui_row, priority, "priority", EXACT, "when it is given"),
	MEMBER(maui_row, refused, "refused", TRUE, "Slurm refused its start there just now"),
	MEMBER(maui_row, busy_until_s, "busy_until", TIME,
	       "another partition has its turn: its job reservation begins then at the earliest"),
};
static MAUI_RECORD_TABLE(row_type, maui_row, row);

static const struct maui_field idle[] = {
	MAUI_MEMBER(maui_saved_idle, idle.id, "id", ID),
	MEMBER(maui_saved_idle, idle.request, "request", COUNT, "index"),
	USUAL(maui_saved_idle, idle.copies, "copies", COUNT, 1, "tasks of an array"),
	MAUI_MEMBER(maui_saved_idle, idle.submit_s, "submit", INT),
	MEMBER(maui_saved_idle, idle.order, "order", ID,
	       "among jobs of equal priority and submission: the lower first"),
	MAUI_MEMBER(maui_saved_idle, idle.queue_since_s, "queue_since", INT),
	MEMBER(maui_saved_idle, idle.limit_s, "limit", TIME, "of the job, s"),
	MEMBER(maui_saved_idle, idle.limit_min_s, "limit_min", TIME, "--time-min"),
	MEMBER(maui_saved_idle, idle.start_by_s, "start_by", TIME,
	       "the last start with which it ends before its deadline; 0: none"),
	MAUI_MEMBER(maui_saved_idle, idle.nice, "nice", INT),
	MEMBER(maui_saved_idle, idle.procs, "procs", INT, "that it asks for"),
	MEMBER(maui_saved_idle, idle.priority_given, "priority_given", TRUE,
	       "it is given, not computed"),
	MEMBER(maui_saved_idle, idle.in_reservation, "in_reservation", TRUE,
	       "it runs in a reservation of scontrol only"),
	MEMBER(maui_saved_idle, idle.no_reservation, "no_reservation", TRUE,
	       "it gets no job reservation"),
	MEMBER(maui_saved_idle, idle.run, "run", COUNT,
	       "what runjob asks for; 1 after an expedited requeue"),
	MEMBER(maui_saved_idle, idle.refused, "refused", TRUE, "Slurm refused its start just now"),
	MEMBER(maui_saved_idle, idle.busy_until_s, "busy_until", TIME,
	       "Slurm has just found no nodes for it: its job reservation begins then at the earliest"),
	MANY(maui_saved_idle, idle.spared, idle.spared_count, "spared", INDICES,
	     "indices of nodes on which it preempts no job"),
	MEMBER(maui_saved_idle, idle.het_id, "het_id", ID,
	       "of a het job: what its components have in common"),
	MEMBER(maui_saved_idle, idle.het_offset, "het_offset", COUNT, "of the component"),
	MEMBER(maui_saved_idle, idle.het_count, "het_count", COUNT, "of components"),
	MEMBER(maui_saved_idle, idle.advres, "advres", TEXT, "reservations that it names"),
	REASON(maui_saved_idle, idle.blocked, "blocked", "why it is not eligible"),
	MEMBER(maui_saved_idle, idle.blocked_until_s, "blocked_until", TIME, "0: not known"),
	MAUI_MEMBER_WITH(maui_saved_idle, waiting, "", PART, .of = &waiting_type),
	WITHIN(maui_saved_idle, idle.job, "job", &job_type, "for limits and priorities"),
	FULL_LIST(maui_saved_idle, idle.rows, idle.row_count, "rows", &row_type,
		  "each partition that it may run in"),
};
MAUI_RECORD_TABLE(maui_saved_idle_type, maui_saved_idle, idle);

static const struct maui_field jobs[] = {
	LIST(maui_saved_jobs, active, active_count, "active", &maui_saved_active_type,
	     "jobs on nodes"),
	LIST(maui_saved_jobs, idle, idle_count, "idle", &maui_saved_idle_type, "waiting jobs"),
};
MAUI_RECORD_TABLE(maui_saved_jobs_type, maui_saved_jobs, jobs);

static const struct maui_field extras[] = {
	LIST(maui_saved_extras, running, running_count, "active", &running_type, NULL),
	LIST(maui_saved_extras, waiting, waiting_count, "idle", &waiting_type, NULL),
};
MAUI_RECORD_TABLE(maui_saved_extras_type, maui_saved_extras, extras);

/* ---- what carries over ---- */

static const struct maui_field nodes[] = { MAUI_MEMBER(maui_rsv_place, node, "nodes", COUNT) };
static MAUI_RECORD_TABLE(nodes_type, maui_rsv_place, nodes);

static const struct maui_field tasks[] = { MAUI_MEMBER(maui_rsv_place, tasks, "tasks", INT) };
static MAUI_RECORD_TABLE(tasks_type, maui_rsv_place, tasks);

static const struct maui_field instance[] = {
	MAUI_MEMBER(maui_saved_instance, rsv, "reservation", TEXT),
	MEMBER(maui_saved_instance, day, "day", SMALL,
	       "YYYYMMDD; 0: of a reservation without periods"),
	MAUI_MEMBER(maui_saved_instance, start_s, "start", TIME),
	MAUI_MEMBER(maui_saved_instance, end_s, "end", TIME),
	MEMBER(maui_saved_instance, made, "made", TRUE, "its mirror was made"),
	PLACES(maui_saved_instance),
};
static MAUI_RECORD_TABLE(instance_type, maui_saved_instance, instance);

static const struct maui_field release[] = {
	MAUI_MEMBER(maui_saved_release, rsv, "reservation", TEXT),
	MEMBER(maui_saved_release, day, "day", SMALL, "YYYYMMDD"),
};
static MAUI_RECORD_TABLE(release_type, maui_saved_release, release);

static const struct maui_field job_rsv[] = {
	MEMBER(maui_saved_job_rsv, job, "job", ID, "id"),
	MEMBER(maui_saved_job_rsv, partition, "partition", COUNT, "index"),
	MAUI_MEMBER(maui_saved_job_rsv, start_s, "start", TIME),
	MEMBER(maui_saved_job_rsv, preempting, "preempting", TRUE, "jobs were preempted for it"),
	PLACES(maui_saved_job_rsv),
};
static MAUI_RECORD_TABLE(job_rsv_type, maui_saved_job_rsv, job_rsv);

#define NAMES(kind, key)                                                                           \
	MAUI_MEMBER_MANY(maui_saved_window, names[MAUI_CRED_##kind], name_count[MAUI_CRED_##kind], \
			 key, EXACT_MAP, NULL)

static const struct maui_field window[] = {
	MAUI_MEMBER(maui_saved_window, start_s, "start", INT),
	MEMBER(maui_saved_window, interval_s, "interval", INT, "length, s"),
	MEMBER(maui_saved_window, total, "total", EXACT, "usage of all jobs"),
	NAMES(USER, "user"),
	NAMES(GROUP, "group"),
	NAMES(ACCOUNT, "account"),
	NAMES(QOS, "qos"),
	NAMES(CLASS, "class"),
};
static MAUI_RECORD_TABLE_WITH(window_type, maui_saved_window, window, .sparse = false);

static const struct maui_field rest[] = {
	FULL_LIST(maui_saved_rest, instances, instance_count, "instances", &instance_type,
		  "nodes of reservations, as they were chosen"),
	FULL_LIST(maui_saved_rest, releases, release_count, "released", &release_type,
		  "instances that releaseres has ended"),
	FULL_LIST(maui_saved_rest, job_rsvs, job_rsv_count, "job_reservations", &job_rsv_type,
		  "job reservations of waiting jobs"),
	FULL_LIST(maui_saved_rest, windows, window_count, "fairshare", &window_type,
		  "windows, newest first"),
};
MAUI_RECORD_TABLE(maui_saved_rest_type, maui_saved_rest, rest);

const struct maui_record_type *const maui_saved_plan_types[] = {
	&maui_saved_head_type,
	&maui_saved_snapshot_type,
	&maui_saved_jobs_type,
	&maui_saved_rest_type,
	NULL,
};
