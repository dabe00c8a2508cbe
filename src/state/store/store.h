/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - what must survive a restart besides fairshare windows: one JSON file
 *
 *   {"schema": "maui.state.v1", "saved": 1763746622, "chunk_until": 1763746700,
 *    "job reservations": [
 *     {"job": 18, "submit": 1763740001, "partition": "batch", "start": 1763750000,
 *      "vacating": true, "nodes": [[3, 81985529216486, 4], ...]}, ...],
 *    "jobs": [
 *     {"id": 17, "submit": 1763740000, "stamp": 1763740000, "qos": "high", "advres": "biz",
 *      "start": 1763741000, "charged": 5622, "bypass": 2, "flags": 1}, ...],
 *    "reservations": [
 *     {"name": "test.1", "acl": [{"kind": "user", "name": "ann", "affinity": 1}, ...],
 *      "flags": ["BYNAME"], "owner": "user:ann", "hosts": "c[1-4]", "tasks": 4,
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
 *    "triggers": [
 *     {"rsv": "biz", "day": 20261122, "made": 1763740000, "marks": [[true, 0], ...],
 *      "forms": ["1a2b3c", ...], ...}, ...]}
 *
 * "promises" are job reservations; a node is its index, the hash of its name (base/hash.h), so
 * that another node table is noticed, and the tasks it takes. An instance of a standing reservation
 * names its nodes (c1 to c4 with two tasks each, d7 with one), since it may be kept for months.
 * Fields unknown to this release are skipped; absent ones are 0 or none; an "end" that is absent is
 * never.
 *
 * Rules: CFG-11.
 */
#ifndef MAUI_STATE_STORE_STORE_H
#define MAUI_STATE_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/rsv.h"

/* Of one job. A job is the same when id and submit time are: ids wrap around. */
struct maui_store_job {
	uint32_t job_id;
	int64_t submit_s;
	int64_t stamp_s;              /* accrual.h */
	int64_t start_s;              /* of the run that `charged_s` counts; 0 = none */
	int64_t charged_s;            /* seconds of that run already in the fairshare windows */
	char *qos;                    /* QOS text kept without slurmdbd; NULL: none */
	char *advres;                 /* reservation of ours that it names; NULL: none */
	uint32_t bypass;              /* out-of-order starts of others while it waited */
	uint32_t flags;               /* MAUI_STORE_* */
	uint32_t refusals, deferrals; /* DEFERSTARTCOUNT, DEFERCOUNT */
	int64_t deferred_until_s;     /* 0: it is not */
	/* of one that runs, where slurmctld does not know them any more; 0: it does */
	int64_t asked_tasks, asked_procs;
};

enum {                                     /* of a job that runs */
       MAUI_STORE_SOFT_VIOLATION = 1 << 0, /* over a soft limit */
       MAUI_STORE_PREEMPTIBLE = 1 << 1,    /* started under BACKFILLPOLICY PREEMPT */
       MAUI_STORE_SUSPENDED = 1 << 2,      /* by us, to be resumed */
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

/* One that is not to be: released by hand, or used up. */
struct maui_store_released {
	struct maui_store_period period;
	uint64_t form; /* maui_store_form() of the reservation then; 0: not known */
};

struct maui_store_instance_node {
	char *name;
	int64_t tasks; /* 0: not known */
};

/* Nodes are chosen once: model/rsv.h, struct maui_rsv_instance. */
struct maui_store_instance {
	struct maui_store_period period;
	int64_t start_s, end_s; /* MAUI_NEVER: no end */
	bool made;
	struct maui_store_instance_node *nodes;
	size_t node_count, node_alloc;
};

/* A reservation of Slurm's that is ours: slurm/mirror_plan.h. */
struct maui_store_mirror {
	char *name;
	uint32_t id;
	int64_t start_s, end_s;
	uint64_t nodes;
	bool administrative;
	int64_t deleted_s; /* deleted then; 0: it is there */
};

/* What became of an instance that has begun; processors and processor-seconds. */
struct maui_store_record {
	struct maui_store_period period;
	char *account, *owner;   /* CHARGEACCOUNT, KIND:name of the OWNER, who have paid since
				   from_s; NULL: none */
	int64_t end_s;           /* of the instance; MAUI_NEVER */
	int64_t from_s, until_s; /* of what is not written down yet; all is known up to until_s */
	int64_t reserved_ps, used_ps, idle_ps;          /* in that time */
	int64_t all_used_ps, all_idle_ps;               /* since it began */
	int64_t reserved_procs, used_procs, idle_procs; /* at until_s */
	bool was_used;
	uint32_t *users; /* SINGLEUSE: ids of the jobs that were in it and are there still,
				   ascending */
	size_t user_count;
	int64_t idle_since_s; /* nobody uses it since; 0: somebody does */
	bool seen;            /* the owner's; not stored */
};

/* What is to be written down for a site's bills: state/pending.h. */
struct maui_store_pending {
	struct maui_store_period period;
	char *account, *owner; /* NULL: none; not both */
	int64_t from_s, until_s;
	int64_t reserved_ps, used_ps, idle_ps;
};

struct maui_store_mark {
	uint64_t form; /* 0: not known, of a state of an earlier release */
	bool fired;
	int64_t idle_since_s;
};

/* Triggers that are waited for, or have fired: policy/trigger.h. */
struct maui_store_trigger {
	struct maui_store_period period;
	int64_t made_s, start_s, end_s, gone_s;
	bool done;
	struct maui_store_mark *marks;
	size_t mark_count;
};

struct maui_store {
	int64_t saved_s; /* 0: there was no file, this is the first start */
	bool blocked;    /* the file can be neither read nor moved: must not be written over */
	struct maui_store_job *jobs;
	size_t count, alloc;
	int64_t chunk_until_s; /* BFCHUNKDURATION's timer; 0: none */
	struct maui_store_job_rsv *job_rsvs;
	size_t job_rsv_count, job_rsv_alloc;
	struct maui_rsv *rsvs; /* administrative ones, in the order in which they were made */
	size_t rsv_count, rsv_alloc;
	struct maui_store_instance *instances;
	size_t instance_count, instance_alloc;
	struct maui_store_mirror *mirrors;
	size_t mirror_count, mirror_alloc;
	struct maui_store_released *released;
	size_t released_count, released_alloc;
	struct maui_store_record *records;
	size_t record_count, record_alloc;
	struct maui_store_pending *pending; /* the oldest first */
	size_t pending_count, pending_alloc;
	struct maui_store_trigger *triggers;
	size_t trigger_count, trigger_alloc;
	/* for saving only: another store whose reservations, instances, released, records and due
	 * are written instead of its own; not owned, NULL: its own */
	const struct maui_store *rsv_store;
	size_t skipped; /* records about reservations that made no sense; not stored */
};

void maui_store_finish(struct maui_store *store);

/* Adds a job; qos is copied. -1 without memory. */
int maui_store_add(struct maui_store *store, const struct maui_store_job *job);

/* Adds a reservation; partition and places are copied. -1 without memory. */
int maui_store_add_job_rsv(struct maui_store *store, const struct maui_store_job_rsv *job_rsv);

/* The same for what is about reservations: copies with all they point to. -1 without memory. */
int maui_store_add_rsv(struct maui_store *store, const struct maui_rsv *rsv);
int maui_store_add_instance(struct maui_store *store, const struct maui_store_instance *instance);
int maui_store_add_mirror(struct maui_store *store, const struct maui_store_mirror *mirror);
/* The form of one that is there already becomes this one. */
int maui_store_add_released(struct maui_store *store, const struct maui_store_period *period,
			    uint64_t form);
int maui_store_add_record(struct maui_store *store, const struct maui_store_record *record);
int maui_store_add_pending(struct maui_store *store, const struct maui_store_pending *due);
int maui_store_add_trigger(struct maui_store *store, const struct maui_store_trigger *trigger);
/* Copies of both, each may be NULL; -1 without memory. */
int maui_store_copy_payers(const char *account, const char *owner, char **ret_account,
			   char **ret_owner);
void maui_store_finish_pending(struct maui_store_pending *due);
/* Into a record; `users` are copied. -1 without memory: it keeps what it has. */
int maui_store_set_users(struct maui_store_record *record, const uint32_t *users, size_t count);
bool maui_store_has_user(const struct maui_store_record *record, uint32_t job);
/* Takes one out; the last one moves to its place. */
void maui_store_drop_record(struct maui_store *store, size_t index);
void maui_store_drop_instances(struct maui_store *store);
/* Of the day, or of all (INT32_MIN). How many there were. */
size_t maui_store_drop_released(struct maui_store *store, const char *rsv, int32_t day);

/* A hash of all that a reservation asks for, the same in the next process; 0 without memory. */
uint64_t maui_store_form(const struct maui_rsv *rsv);

/* Text to store and back. -1 with err: `ret` is left empty. */
int maui_store_parse(const char *text, size_t length, struct maui_store *ret, struct maui_err *err);
void maui_store_format(const struct maui_store *store, struct maui_strbuf *out);

/* Reads `path` and changes nothing. -1 with err: it is not there, or makes no sense; errno. */
int maui_store_read(const char *path, struct maui_store *ret, struct maui_err *err);
/* Reads `path`; one that cannot be read is set aside, with an error among the diagnostics, and
 * `path`.old takes its place. Neither there: an empty store with saved_s 0. -1 without memory. */
int maui_store_load(const char *path, struct maui_store *ret, struct maui_diags *diags);
/* Atomic; the file before is kept as `path`.old. */
int maui_store_save(const char *path, const struct maui_store *store, struct maui_err *err);

#endif
