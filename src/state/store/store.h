/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - the state file: what survives a restart, except fairshare windows, as JSON
 *
 *   {"schema": "maui.state.v1", "saved": 1763746622, "chunk_until": 1763746700,
 *    "promises": [
 *     {"job": 18, "submit": 1763740001, "partition": "batch", "start": 1763750000,
 *      "vacating": true, "nodes": [[3, 81985529216486, 4], ...]}, ...],
 *    "jobs": [
 *     {"id": 17, "submit": 1763740000, "stamp": 1763740000, "qos": "high", "advres": "biz",
 *      "start": 1763741000, "charged": 5622, "bypass": 2, "flags": 1}, ...],
 *    "reservations": [
 *     {"name": "test.1", "acl": [{"kind": "user", "name": "ann", "affinity": 1}, ...],
 *      "flags": ["BYNAME"], "owner_kind": "user", "owner": "ann", "hosts": "c[1-4]", "tasks": 4,
 *      "task": {"procs": 2, "mem_mb": 512}, "start": 1763750000, "end": 1763760000, ...}, ...],
 *    "instances": [
 *     {"rsv": "biz", "day": 20261122, "start": 1763740000, "end": 1763760000, "made": true,
 *      "nodes": ["c[1-4]*2", "d7"]}, ...],
 *    "mirrors": [
 *     {"name": "maui.biz.20261122", "id": 7, "start": 1763740000, "end": 1763760000,
 *      "nodes": "1a2b3c", "administrative": true}, ...],
 *    "released": [{"rsv": "biz", "day": 20261122, "form": "1a2b3c"}, ...],
 *    "records": [
 *     {"rsv": "biz", "day": 20261122, "account": "phys", "end": 1763760000, "from": 1763740000,
 *      "until": 1763750000, "reserved": 80000, "used": 60000, "idle": 3600, ...}, ...],
 *    "due": [
 *     {"rsv": "biz", "day": 20261122, "account": "phys", "from": 1763740000,
 *      "until": 1763750000, "reserved": 80000, "used": 60000, "idle": 3600}, ...],
 *    "triggers": [
 *     {"rsv": "biz", "day": 20261122, "made": 1763740000, "marks": [[true, 0], ...],
 *      "forms": ["1a2b3c", ...], ...}, ...],
 *    "statistics": {...}, "utilisation": [...],    (statistics.c)
 *    "trial": {...}}    (trial.c)
 *
 * "promises" are job reservations, "vacating" means that their victims are being preempted. A node
 * of a job reservation is its index, the hash of its name (base/hash.h) and the number of tasks;
 * the hash reveals a changed node table. An instance of a standing reservation is kept for months,
 * so it names its nodes (c1 to c4 with two tasks each, d7 with one). "form" and "forms" are hashes
 * of a reservation and of triggers. "due" are pending records. Keys keep their names, so that a
 * new release reads the file of an old one.
 *
 * Unknown keys are skipped. An absent key is 0 or none; an absent "end" means no end.
 *
 * Rules: CFG-11.
 */
#ifndef MAUI_STATE_STORE_STORE_H
#define MAUI_STATE_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/estimate.h"
#include "model/rsv.h"
#include "state/statistics.h"
#include "state/trial.h"
#include "state/utilisation.h"

/* The history of one job. Both id and submit time identify a job, because ids wrap around. */
struct maui_store_job {
	uint32_t job_id;
	int64_t submit_s;
	int64_t stamp_s;      /* effective queue time: policy/accrual.h */
	int64_t start_s;      /* start of the run that `charged_s` counts; 0: none */
	int64_t charged_s;    /* seconds of that run already in the fairshare windows */
	char *qos;            /* the --qos text, kept without slurmdbd; NULL: none */
	char *advres;         /* reservation that the job names; NULL: none */
	uint32_t bypass;      /* jobs that started before it out of order */
	uint32_t bypassed;    /* the same when the job started */
	uint32_t flags;       /* MAUI_STORE_* */
	uint32_t suspensions; /* of its run, and the last one */
	int64_t suspended_at_s;
	int32_t system_priority;       /* setspri; 0: none */
	int32_t system_priority_added; /* setspri -r; 0: none */
	uint32_t refusals, deferrals;  /* DEFERSTARTCOUNT, DEFERCOUNT */
	int64_t deferred_until_s;      /* 0: not deferred */
	/* SERVERMODE TEST: the first moment at which a plan started the job (0: none did), and how
	 * many tasks of an array */
	int64_t trial_planned_s;
	uint32_t trial_copies;
	/* of a waiting job; `start_s` 0: none */
	struct maui_estimate first_estimate, last_estimate;
	/* of an active job whose request slurmctld no longer has; 0: slurmctld has it */
	int64_t asked_tasks, asked_procs;
};

enum {                                     /* of an active job */
       MAUI_STORE_SOFT_VIOLATION = 1 << 0, /* over a soft limit */
       MAUI_STORE_PREEMPTIBLE = 1 << 1,    /* started under BACKFILLPOLICY PREEMPT */
       MAUI_STORE_SUSPENDED = 1 << 2,      /* by slurm-maui, which resumes the job */
       MAUI_STORE_BACKFILLED = 1 << 3,     /* started while a better job waited */
       MAUI_STORE_COUNTED = 1 << 4,        /* ended, and the statistics have it */
       MAUI_STORE_TRIAL_REFUSED = 1 << 5,  /* under SERVERMODE TEST Slurm would refuse its start */
       MAUI_STORE_WAIT_COUNTED = 1 << 6,   /* started, and the statistics have its wait */
};

struct maui_store_place {
	uint32_t node, tasks;
	uint64_t name; /* maui_hash_text(name, 0) */
};

struct maui_store_job_rsv {
	uint32_t job_id;
	int64_t submit_s;
	char *partition;
	int64_t start_s;
	bool preempting;
	struct maui_store_place *places;
	uint32_t place_count;
};

/* One period of a reservation: its name and the local day (YYYYMMDD) on which it begins. */
struct maui_store_period {
	char *rsv;
	int32_t day; /* 0: INFINITY, ONCE */
};

/* A released instance, or one that is used up. */
struct maui_store_released {
	struct maui_store_period period;
	uint64_t hash; /* maui_store_rsv_hash() at the time of the release; 0: unknown */
};

struct maui_store_instance_node {
	char *name;
	int64_t tasks; /* 0: unknown */
};

/* Nodes are chosen once for each instance: struct maui_rsv_instance of model/rsv.h. */
struct maui_store_instance {
	struct maui_store_period period;
	int64_t start_s, end_s; /* MAUI_NEVER: no end */
	bool made;
	struct maui_store_instance_node *nodes;
	size_t node_count;
};

/* A Slurm reservation that mirrors an instance: slurm/mirror/plan.h. */
struct maui_store_mirror {
	char *name;
	uint32_t id;
	int64_t start_s, end_s;
	uint64_t nodes;
	bool administrative;
	int64_t deleted_s; /* when it was deleted; 0: it exists */
};

/* Usage of an instance that has begun, in processors and processor-seconds. */
struct maui_store_record {
	struct maui_store_period period;
	/* CHARGEACCOUNT, and KIND:name of the OWNER, who pay since from_s; NULL: none */
	char *account, *owner;
	int64_t end_s;                         /* end of the instance; MAUI_NEVER: none */
	int64_t from_s, until_s;               /* not pending yet; usage is known up to until_s */
	int64_t reserved_ps, used_ps, idle_ps; /* between from_s and until_s */
	int64_t all_used_ps, all_idle_ps;      /* since the instance began */
	int64_t reserved_procs, used_procs, idle_procs; /* at until_s */
	bool was_used;
	uint32_t *job_ids; /* SINGLEUSE: jobs that ran inside and still exist, ascending */
	size_t job_id_count;
	int64_t idle_since_s; /* idle since then; 0: a job runs inside */
};

/* Idle time that is not in the idle-time log yet: cycle/pending.h. */
struct maui_store_pending {
	struct maui_store_period period;
	char *account, *owner; /* at least one is set; NULL: none */
	int64_t from_s, until_s;
	int64_t reserved_ps, used_ps, idle_ps;
};

struct maui_store_mark {
	uint64_t hash; /* hash of the trigger's text; 0: unknown, from an earlier release */
	bool fired;
	int64_t idle_since_s;
};

/* Triggers of a period that have fired or are waiting: reservation/triggers/trigger.h. */
struct maui_store_trigger {
	struct maui_store_period period;
	int64_t made_s, start_s, end_s, gone_s;
	bool done;
	struct maui_store_mark *marks;
	size_t mark_count;
};

/* What the file has. The lists of a store that was read are of its arena, the texts of its source.
 * A store that is made for saving borrows both, or puts them into the arena. */
struct maui_store {
	int64_t saved_s; /* 0: there was no file: the first start */
	bool blocked;    /* a file that must stay: of a newer release, or it cannot be moved */
	struct maui_store_job *jobs;
	size_t count;
	int64_t chunk_until_s; /* BFCHUNKDURATION's timer; 0: none */
	struct maui_store_job_rsv *job_rsvs;
	size_t job_rsv_count;
	/* administrative reservations, in the order in which they were made */
	struct maui_rsv *rsvs;
	size_t rsv_count;
	struct maui_store_instance *instances;
	size_t instance_count;
	struct maui_store_mirror *mirrors;
	size_t mirror_count;
	struct maui_store_released *released;
	size_t released_count;
	struct maui_store_record *records; /* the job ids of each are ascending */
	size_t record_count;
	struct maui_store_pending *pending; /* oldest first */
	size_t pending_count;
	struct maui_store_trigger *triggers;
	size_t trigger_count;
	struct maui_statistics statistics;
	struct maui_utilisation utilisation;
	struct maui_trial trial;
	size_t skipped; /* invalid elements about reservations; not stored */
	struct maui_arena arena;
	struct json_object *source; /* that was read; NULL: none was */
};

/* Frees a store that was read. One that was made for saving has nothing of its own but its
 * arena. */
void maui_store_finish(struct maui_store *store);

/* A hash of everything that a reservation asks for, the same in every process; 0 without memory. */
uint64_t maui_store_rsv_hash(const struct maui_rsv *rsv);

/* Converts between text and store. -1 with err: `ret` is empty. */
int maui_store_parse(const char *text, size_t length, struct maui_store *ret, struct maui_err *err);
void maui_store_format(const struct maui_store *store, struct maui_strbuf *out);

/* Reads `path` without changing anything. -1 with err and errno: the file is missing or invalid. */
int maui_store_read(const char *path, struct maui_store *ret, struct maui_err *err);
/* Reads `path`. If it is invalid, it is set aside with an error among the diagnostics, and
 * `path`.old is read instead. That of a newer release stays; the store is empty and blocked. If
 * both are missing, the store is empty with saved_s 0. -1 without memory. */
int maui_store_load(const char *path, struct maui_store *ret, struct maui_diags *diags);
/* Writes the file atomically, and keeps the previous one as `path`.old. */
int maui_store_save(const char *path, const struct maui_store *store, struct maui_err *err);

#endif
