/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - which members of which struct are in the state file
 *
 * Keys keep their names, and what a word means, so that a new release reads the file of an old one,
 * and an old one that of a new one.
 */

#include "state/store/private.h"

#define ALWAYS                            .always = true
#define NEEDED                            .needed = true
#define LIST(type, list, count, key, of_) MAUI_MEMBER_MANY(type, list, count, key, LIST, of_)
#define NEEDED_LIST(type, list, count, key, kind, ...) \
	MAUI_MEMBER_MANY_WITH(type, list, count, key, kind, NEEDED, __VA_ARGS__)
#define WORD(type, member, key, words_, ...) \
	MAUI_MEMBER_WITH(type, member, key, WORD, .words = words_, __VA_ARGS__)
/* An element of a list of the file has a line of its own. */
#define ELEMENT(name, tag, table) \
	MAUI_RECORD_TABLE_WITH(name, tag, table, .sparse = true, .line = true)

/* The period with which elements about reservations begin. */
#define PERIOD(type)                                             \
	MAUI_MEMBER_WITH(type, period.rsv, "rsv", TEXT, NEEDED), \
		MAUI_MEMBER(type, period.day, "day", SMALL)
#define END(type) MAUI_MEMBER_USUAL(type, end_s, "end", INT, MAUI_NEVER)

/* ---- jobs ---- */

static const struct maui_field job[] = {
	MAUI_MEMBER_WITH(maui_store_job, job_id, "id", COUNT, ALWAYS),
	MAUI_MEMBER(maui_store_job, submit_s, "submit", INT),
	MAUI_MEMBER(maui_store_job, stamp_s, "stamp", INT),
	MAUI_MEMBER(maui_store_job, start_s, "start", INT),
	MAUI_MEMBER(maui_store_job, charged_s, "charged", INT),
	MAUI_MEMBER(maui_store_job, qos, "qos", TEXT),
	MAUI_MEMBER(maui_store_job, advres, "advres", TEXT),
	MAUI_MEMBER(maui_store_job, bypass, "bypass", COUNT),
	MAUI_MEMBER(maui_store_job, bypassed, "bypassed", COUNT),
	MAUI_MEMBER(maui_store_job, flags, "flags", COUNT),
	MAUI_MEMBER(maui_store_job, suspensions, "suspensions", COUNT),
	MAUI_MEMBER(maui_store_job, suspended_at_s, "suspended_at", INT),
	MAUI_MEMBER(maui_store_job, system_priority, "spri", SMALL),
	MAUI_MEMBER(maui_store_job, system_priority_added, "spri_added", SMALL),
	MAUI_MEMBER(maui_store_job, asked_tasks, "tasks", INT),
	MAUI_MEMBER(maui_store_job, asked_procs, "procs", INT),
	MAUI_MEMBER(maui_store_job, refusals, "refusals", COUNT),
	MAUI_MEMBER(maui_store_job, deferrals, "deferrals", COUNT),
	MAUI_MEMBER(maui_store_job, deferred_until_s, "deferred_until", INT),
	MAUI_MEMBER(maui_store_job, trial_planned_s, "trial_planned", INT),
	MAUI_MEMBER(maui_store_job, trial_copies, "trial_copies", COUNT),
	MAUI_MEMBER(maui_store_job, first_estimate.at_s, "first_estimate_at", INT),
	MAUI_MEMBER(maui_store_job, first_estimate.start_s, "first_estimate", INT),
	MAUI_MEMBER(maui_store_job, last_estimate.at_s, "last_estimate_at", INT),
	MAUI_MEMBER(maui_store_job, last_estimate.start_s, "last_estimate", INT),
};
static ELEMENT(job_type, maui_store_job, job);

static const struct maui_field place[] = {
	MAUI_MEMBER_WITH(maui_store_place, node, "node", COUNT, NEEDED),
	MAUI_MEMBER_WITH(maui_store_place, name, "name", ID, NEEDED),
	MAUI_MEMBER_WITH(maui_store_place, tasks, "tasks", COUNT, NEEDED),
};
static MAUI_RECORD_TABLE(place_type, maui_store_place, place);

static const struct maui_field job_rsv[] = {
	MAUI_MEMBER_WITH(maui_store_job_rsv, job_id, "job", COUNT, NEEDED),
	MAUI_MEMBER(maui_store_job_rsv, submit_s, "submit", INT),
	MAUI_MEMBER_WITH(maui_store_job_rsv, partition, "partition", TEXT, NEEDED),
	MAUI_MEMBER(maui_store_job_rsv, start_s, "start", INT),
	MAUI_MEMBER(maui_store_job_rsv, preempting, "vacating", TRUE),
	NEEDED_LIST(maui_store_job_rsv, places, place_count, "nodes", ROWS, .of = &place_type),
};
static ELEMENT(job_rsv_type, maui_store_job_rsv, job_rsv);

/* ---- an administrative reservation ---- */

static const char *const acl_kinds[MAUI_ACL_KIND_COUNT + 1] = {
	[MAUI_CRED_USER] = "user",        [MAUI_CRED_GROUP] = "group",
	[MAUI_CRED_ACCOUNT] = "account",  [MAUI_CRED_QOS] = "qos",
	[MAUI_CRED_CLASS] = "class",      [MAUI_ACL_JOBATTR] = "jobattr",
	[MAUI_ACL_DURATION] = "duration", [MAUI_ACL_TASK] = "task",
	[MAUI_ACL_PROC] = "proc",
};
static const char *const periods[] = {
	[MAUI_RSV_DAY] = "day",   [MAUI_RSV_WEEK] = "week",   [MAUI_RSV_INFINITY] = "infinity",
	[MAUI_RSV_ONCE] = "once", [MAUI_RSV_ONCE + 1] = NULL,
};

static const struct maui_field acl_entry[] = {
	WORD(maui_acl_entry, kind, "kind", acl_kinds, NEEDED),
	MAUI_MEMBER(maui_acl_entry, name, "name", TEXT),
	MAUI_MEMBER(maui_acl_entry, value, "value", INT),
	MAUI_MEMBER(maui_acl_entry, order, "order", SMALL),
	MAUI_MEMBER(maui_acl_entry, affinity, "affinity", SMALL),
	MAUI_MEMBER(maui_acl_entry, required, "required", TRUE),
	MAUI_MEMBER(maui_acl_entry, deny, "deny", TRUE),
	MAUI_MEMBER(maui_acl_entry, xor, "xor", TRUE),
};
static MAUI_RECORD_TABLE(acl_entry_type, maui_acl_entry, acl_entry);

static const struct maui_field task[] = {
	MAUI_MEMBER(maui_rsv_task, procs, "procs", INT),
	MAUI_MEMBER(maui_rsv_task, mem_mb, "mem_mb", INT),
	MAUI_MEMBER(maui_rsv_task, disk_mb, "disk_mb", INT),
	MAUI_MEMBER(maui_rsv_task, swap_mb, "swap_mb", INT),
};
static MAUI_RECORD_TABLE_WITH(task_type, maui_rsv_task, task, .sparse = false);

static const struct maui_field trigger[] = {
	WORD(maui_trigger, event, "event", maui_trigger_event_names, NEEDED),
	WORD(maui_trigger, action, "action", maui_trigger_action_names, NEEDED),
	MAUI_MEMBER(maui_trigger, offset_s, "offset", INT),
	MAUI_MEMBER(maui_trigger, threshold, "threshold", EXACT),
	MAUI_MEMBER(maui_trigger, data, "data", TEXT),
};
static MAUI_RECORD_TABLE(trigger_type, maui_trigger, trigger);

/* maui_store_rsv_hash() is a hash of this text: a new member must not be there when it is not
 * set. */
static const struct maui_field rsv[] = {
	MAUI_MEMBER_WITH(maui_packed_rsv, rsv.name, "name", TEXT, NEEDED),
	NEEDED_LIST(maui_packed_rsv, rsv.acl.list, rsv.acl.count, "acl", LIST,
		    .of = &acl_entry_type),
	MAUI_MEMBER_WITH(maui_packed_rsv, rsv.flags, "flags", FLAGS, .words = maui_rsv_flag_names,
			 NEEDED),
	NEEDED_LIST(maui_packed_rsv, rsv.features.list, rsv.features.count, "features", TEXTS,
		    .of = NULL),
	WORD(maui_packed_rsv, owner_kind, "owner_kind", maui_cred_names, .usual = -1),
	MAUI_MEMBER(maui_packed_rsv, rsv.owner, "owner", TEXT),
	MAUI_MEMBER(maui_packed_rsv, rsv.charge_account, "charge_account", TEXT),
	MAUI_MEMBER(maui_packed_rsv, rsv.subtype, "subtype", TEXT),
	MAUI_MEMBER(maui_packed_rsv, rsv.shared, "shared", TRUE),
	MAUI_MEMBER(maui_packed_rsv, rsv.priority, "priority", INT),
	MAUI_MEMBER(maui_packed_rsv, rsv.hosts, "hosts", TEXT),
	MAUI_MEMBER(maui_packed_rsv, rsv.partition, "partition", TEXT),
	MAUI_MEMBER_WITH(maui_packed_rsv, rsv.task, "task", WITHIN, .of = &task_type, NEEDED),
	MAUI_MEMBER(maui_packed_rsv, rsv.task_count, "tasks", INT),
	MAUI_MEMBER(maui_packed_rsv, rsv.tasks_per_node, "tpn", INT),
	WORD(maui_packed_rsv, rsv.period, "period", periods, NEEDED),
	MAUI_MEMBER(maui_packed_rsv, rsv.start_s, "start", INT),
	MAUI_MEMBER(maui_packed_rsv, end_s, "end", INT),
	MAUI_MEMBER(maui_packed_rsv, endless, "endless", TRUE),
	MAUI_MEMBER(maui_packed_rsv, rsv.days, "days", COUNT),
	MAUI_MEMBER(maui_packed_rsv, rsv.depth, "depth", INT),
	MAUI_MEMBER(maui_packed_rsv, rsv.idle_s, "idle", INT),
	NEEDED_LIST(maui_packed_rsv, rsv.triggers, rsv.trigger_count, "triggers", LIST,
		    .of = &trigger_type),
	MAUI_MEMBER(maui_packed_rsv, rsv.by_user, "by_user", TRUE),
	MAUI_MEMBER(maui_packed_rsv, rsv.trial, "trial", TRUE),
	MAUI_MEMBER(maui_packed_rsv, rsv.made_by, "made_by", TEXT),
	MAUI_MEMBER_USUAL(maui_packed_rsv, made_uid, "made_uid", INT, -1),
};
ELEMENT(maui_packed_rsv_type, maui_packed_rsv, rsv);

/* ---- what else is about reservations ---- */

static const struct maui_field instance[] = {
	PERIOD(maui_packed_instance),
	MAUI_MEMBER(maui_packed_instance, start_s, "start", INT),
	END(maui_packed_instance),
	MAUI_MEMBER(maui_packed_instance, made, "made", TRUE),
	NEEDED_LIST(maui_packed_instance, nodes, node_count, "nodes", TEXTS, .of = NULL),
};
static ELEMENT(instance_type, maui_packed_instance, instance);

static const struct maui_field mirror[] = {
	MAUI_MEMBER_WITH(maui_store_mirror, name, "name", TEXT, NEEDED),
	MAUI_MEMBER(maui_store_mirror, id, "id", COUNT),
	MAUI_MEMBER(maui_store_mirror, start_s, "start", INT),
	MAUI_MEMBER(maui_store_mirror, end_s, "end", INT),
	MAUI_MEMBER(maui_store_mirror, nodes, "nodes", HEX),
	MAUI_MEMBER(maui_store_mirror, administrative, "administrative", TRUE),
	MAUI_MEMBER(maui_store_mirror, deleted_s, "deleted", INT),
};
static ELEMENT(mirror_type, maui_store_mirror, mirror);

static const struct maui_field released[] = {
	PERIOD(maui_store_released),
	MAUI_MEMBER(maui_store_released, hash, "form", HEX),
};
static ELEMENT(released_type, maui_store_released, released);

static const struct maui_field record[] = {
	PERIOD(maui_store_record),
	MAUI_MEMBER(maui_store_record, account, "account", TEXT),
	MAUI_MEMBER(maui_store_record, owner, "owner", TEXT),
	END(maui_store_record),
	MAUI_MEMBER(maui_store_record, from_s, "from", INT),
	MAUI_MEMBER(maui_store_record, until_s, "until", INT),
	MAUI_MEMBER(maui_store_record, reserved_ps, "reserved", INT),
	MAUI_MEMBER(maui_store_record, used_ps, "used", INT),
	MAUI_MEMBER(maui_store_record, idle_ps, "idle", INT),
	MAUI_MEMBER(maui_store_record, all_used_ps, "all_used", INT),
	MAUI_MEMBER(maui_store_record, all_idle_ps, "all_idle", INT),
	MAUI_MEMBER(maui_store_record, reserved_procs, "reserved_procs", INT),
	MAUI_MEMBER(maui_store_record, used_procs, "used_procs", INT),
	MAUI_MEMBER(maui_store_record, idle_procs, "idle_procs", INT),
	MAUI_MEMBER(maui_store_record, was_used, "was_used", TRUE),
	MAUI_MEMBER_MANY(maui_store_record, job_ids, job_id_count, "users", INDICES, NULL),
	MAUI_MEMBER(maui_store_record, idle_since_s, "idle_since", INT),
};
static ELEMENT(record_type, maui_store_record, record);

static const struct maui_field pending[] = {
	PERIOD(maui_store_pending),
	MAUI_MEMBER(maui_store_pending, account, "account", TEXT),
	MAUI_MEMBER(maui_store_pending, owner, "owner", TEXT),
	MAUI_MEMBER(maui_store_pending, from_s, "from", INT),
	MAUI_MEMBER(maui_store_pending, until_s, "until", INT),
	MAUI_MEMBER(maui_store_pending, reserved_ps, "reserved", INT),
	MAUI_MEMBER(maui_store_pending, used_ps, "used", INT),
	MAUI_MEMBER(maui_store_pending, idle_ps, "idle", INT),
};
static ELEMENT(pending_type, maui_store_pending, pending);

static const struct maui_field mark[] = {
	MAUI_MEMBER_WITH(maui_store_mark, fired, "fired", BOOL, NEEDED),
	MAUI_MEMBER_WITH(maui_store_mark, idle_since_s, "idle_since", INT, NEEDED),
};
static MAUI_RECORD_TABLE(mark_type, maui_store_mark, mark);

static const struct maui_field form[] = { MAUI_MEMBER(maui_store_mark, hash, "forms", HEX) };
static MAUI_RECORD_TABLE(form_type, maui_store_mark, form);

static const struct maui_field fired[] = {
	PERIOD(maui_store_trigger),
	MAUI_MEMBER(maui_store_trigger, made_s, "made", INT),
	MAUI_MEMBER(maui_store_trigger, start_s, "start", INT),
	END(maui_store_trigger),
	MAUI_MEMBER(maui_store_trigger, gone_s, "gone", INT),
	MAUI_MEMBER(maui_store_trigger, done, "done", TRUE),
	NEEDED_LIST(maui_store_trigger, marks, mark_count, "marks", ROWS, .of = &mark_type),
	/* a list of its own: earlier releases read the marks as pairs */
	MAUI_MEMBER_MANY_WITH(maui_store_trigger, marks, mark_count, "forms", VALUES,
			      .of = &form_type, ALWAYS),
};
static ELEMENT(fired_type, maui_store_trigger, fired);

/* ---- statistics: figures by enum maui_figure, sums by enum maui_load ---- */

static const struct maui_field cell[] = {
	MAUI_MEMBER_WITH(maui_packed_cell, procs, "procs", SMALL, ALWAYS),
	MAUI_MEMBER_WITH(maui_packed_cell, time, "time", SMALL, ALWAYS),
	MAUI_MEMBER_INSIDE(maui_packed_cell, figures.value, "figures", FIGURES, NEEDED),
};
static ELEMENT(cell_type, maui_packed_cell, cell);

static const struct maui_field row[] = {
	WORD(maui_statistics_row, kind, "kind", maui_cred_names, NEEDED),
	MAUI_MEMBER_WITH(maui_statistics_row, name, "name", TEXT, NEEDED),
	MAUI_MEMBER_INSIDE(maui_statistics_row, figures.value, "figures", FIGURES, NEEDED),
	MAUI_MEMBER_INSIDE(maui_statistics_row, waits.value, "waits", FIGURES, ),
};
static ELEMENT(row_type, maui_statistics_row, row);

static const struct maui_field estimate_error[] = {
	MAUI_MEMBER_WITH(maui_packed_estimate_error, partition, "partition", TEXT, NEEDED),
	WORD(maui_packed_estimate_error, kind, "estimate", maui_estimate_kind_names, NEEDED),
	MAUI_MEMBER_WITH(maui_packed_estimate_error, ahead, "ahead", SMALL, ALWAYS),
	MAUI_MEMBER_WITH(maui_packed_estimate_error, error, "error", SMALL, ALWAYS),
	MAUI_MEMBER_WITH(maui_packed_estimate_error, jobs, "jobs", COUNT, NEEDED),
};
static ELEMENT(estimate_error_type, maui_packed_estimate_error, estimate_error);

static const struct maui_field statistics[] = {
	MAUI_MEMBER(maui_packed_statistics, since_s, "since", INT),
	MAUI_MEMBER(maui_packed_statistics, capacity_ps, "capacity_ps", REAL),
	MAUI_MEMBER(maui_packed_statistics, used_ps, "used_ps", REAL),
	MAUI_MEMBER_INSIDE(maui_packed_statistics, total.value, "total", FIGURES, ALWAYS),
	LIST(maui_packed_statistics, grid, grid_count, "grid", &cell_type),
	LIST(maui_packed_statistics, rows, row_count, "rows", &row_type),
	LIST(maui_packed_statistics, errors, error_count, "estimate_errors", &estimate_error_type),
};
static MAUI_RECORD_TABLE(statistics_type, maui_packed_statistics, statistics);

static const struct maui_field span[] = {
	MAUI_MEMBER(maui_utilisation_span, start_s, "start", INT),
	MAUI_MEMBER(maui_utilisation_span, known_s, "known", REAL),
	MAUI_MEMBER_INSIDE(maui_utilisation_span, sum, "sums", FIGURES, NEEDED),
};
static ELEMENT(span_type, maui_utilisation_span, span);

/* ---- the score of SERVERMODE TEST ---- */

static const char *const outcomes[MAUI_TRIAL_OUTCOMES + 1] = {
	[MAUI_TRIAL_SAME] = "same",
	[MAUI_TRIAL_SOONER] = "sooner",
	[MAUI_TRIAL_LATER] = "later",
	[MAUI_TRIAL_NOT_COMPARED] = "not_compared",
};

static const struct maui_field sum[] = {
	MAUI_MEMBER_WITH(maui_trial_sum, jobs, "jobs", COUNT, ALWAYS),
	MAUI_MEMBER(maui_trial_sum, unknown, "unknown", COUNT),
	MAUI_MEMBER(maui_trial_sum, by_s, "by", INT),
	MAUI_MEMBER(maui_trial_sum, max_s, "max", INT),
};
static MAUI_RECORD_TABLE(sum_type, maui_trial_sum, sum);

static const struct maui_field cause[] = {
	MAUI_MEMBER_INSIDE(maui_trial_cause, name, "name", CHARS, NEEDED),
	MAUI_MEMBER(maui_trial_cause, jobs, "jobs", COUNT),
	MAUI_MEMBER(maui_trial_cause, first_s, "first", INT),
	MAUI_MEMBER(maui_trial_cause, last_s, "last", INT),
};
static ELEMENT(cause_type, maui_trial_cause, cause);

static const struct maui_field trial_job[] = {
	MAUI_MEMBER_WITH(maui_trial_job, job_id, "job", COUNT, ALWAYS),
	WORD(maui_trial_job, outcome, "outcome", outcomes, ALWAYS),
	MAUI_MEMBER(maui_trial_job, array_job_id, "array", COUNT),
	MAUI_MEMBER(maui_trial_job, array_task, "task", COUNT),
	MAUI_MEMBER(maui_trial_job, started_s, "started", INT),
	MAUI_MEMBER(maui_trial_job, by_s, "by", INT),
	MAUI_MEMBER_INSIDE(maui_trial_job, user, "user", CHARS, ALWAYS),
	MAUI_MEMBER_INSIDE(maui_trial_job, cause, "cause", CHARS, ALWAYS),
};
static ELEMENT(trial_job_type, maui_trial_job, trial_job);

#define SUM(outcome, key)                                                            \
	MAUI_MEMBER_WITH(maui_packed_trial, sums[MAUI_TRIAL_##outcome], key, WITHIN, \
			 .of = &sum_type)

static const struct maui_field trial[] = {
	MAUI_MEMBER(maui_packed_trial, began_s, "began", INT),
	MAUI_MEMBER(maui_packed_trial, ended_s, "ended", INT),
	MAUI_MEMBER(maui_packed_trial, looked_s, "looked", INT),
	MAUI_MEMBER(maui_packed_trial, refused, "refused", COUNT),
	SUM(SAME, "same"),
	SUM(SOONER, "sooner"),
	SUM(LATER, "later"),
	SUM(NOT_COMPARED, "not_compared"),
	LIST(maui_packed_trial, causes, cause_count, "causes", &cause_type),
	LIST(maui_packed_trial, refusals, refusal_count, "refusals", &cause_type),
	LIST(maui_packed_trial, jobs, job_count, "jobs", &trial_job_type),
};
static MAUI_RECORD_TABLE(trial_type, maui_packed_trial, trial);

/* ---- the whole file ---- */

static const struct maui_field state[] = {
	MAUI_MEMBER(maui_packed_state, schema, "schema", TEXT),
	MAUI_MEMBER_WITH(maui_packed_state, saved_s, "saved", INT, ALWAYS),
	MAUI_MEMBER(maui_packed_state, chunk_until_s, "chunk_until", INT),
	LIST(maui_packed_state, job_rsvs, job_rsv_count, "promises", &job_rsv_type),
	MAUI_MEMBER_MANY_WITH(maui_packed_state, jobs, job_count, "jobs", LIST, .of = &job_type,
			      ALWAYS),
	LIST(maui_packed_state, rsvs, rsv_count, "reservations", &maui_packed_rsv_type),
	LIST(maui_packed_state, instances, instance_count, "instances", &instance_type),
	LIST(maui_packed_state, mirrors, mirror_count, "mirrors", &mirror_type),
	LIST(maui_packed_state, released, released_count, "released", &released_type),
	LIST(maui_packed_state, records, record_count, "records", &record_type),
	LIST(maui_packed_state, pending, pending_count, "due", &pending_type),
	LIST(maui_packed_state, triggers, trigger_count, "triggers", &fired_type),
	MAUI_MEMBER_WITH(maui_packed_state, statistics, "statistics", ONE, .of = &statistics_type),
	LIST(maui_packed_state, spans, span_count, "utilisation", &span_type),
	MAUI_MEMBER_WITH(maui_packed_state, trial, "trial", ONE, .of = &trial_type),
};
MAUI_RECORD_TABLE(maui_packed_state_type, maui_packed_state, state);
