/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.h - the published document: a copy of the last decisions, shared by reference
 *
 * The agent makes one after each iteration, adds rows, and hands it over; from then on nobody
 * changes it. An answer takes a reference, so that no answer waits for an iteration, and no
 * iteration for a client. The arena owns everything and is freed with the last reference.
 *
 * Times are seconds of the epoch, MAUI_NEVER where there is none.
 *
 * Rules: CMD-9.
 */
#ifndef MAUI_ANSWERS_DOCUMENT_H
#define MAUI_ANSWERS_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "answers/privacy.h"
#include "base/arena.h"
#include "base/words.h"
#include "model/conditions.h"
#include "model/cred.h"
#include "model/job.h"
#include "model/estimate.h"
#include "model/job_state.h"
#include "model/slurm_names.h"
#include "model/staff.h"
#include "model/when.h"
#include "query/message.h"

struct maui_snapshot;
struct maui_rsv;
struct maui_rsv_instance;
struct maui_reservation;
struct maui_plan;
struct maui_statistics_view;
struct maui_usage_view;
struct maui_config_status;
struct maui_utilisation;
struct maui_health;

enum maui_document_type {
	MAUI_DOCUMENT_JOB,
	MAUI_DOCUMENT_SYSTEM,   /* administrative, admits no job */
	MAUI_DOCUMENT_USER,     /* administrative, with an ACL */
	MAUI_DOCUMENT_STANDING, /* an instance of a SRCFG */
	MAUI_DOCUMENT_SLURM,    /* Slurm's own: of a walk (rsv_walk.h), never of the document */
	MAUI_DOCUMENT_TYPE_COUNT
};

/* What a reservation has of one node. */
struct maui_document_node {
	uint32_t node; /* index of `nodes` */
	int64_t tasks, procs;
};

/* A row of showres. NULL: none. */
struct maui_document_rsv {
	const char *name;   /* Maui's: "biz.1", "steve.1"; of a job as squeue names it: "17_3" */
	const char *stable; /* "maui.biz.20261123": the same every day; NULL of jobs */
	const char *mirror; /* Slurm's reservation that shows it: `stable`, or NULL */
	const char *srcfg;  /* of STANDING: "biz" */
	int32_t day;        /* of STANDING: YYYYMMDD, 0 of one without periods */
	enum maui_document_type type;
	int64_t start_s, end_s;
	uint32_t rsv; /* index in the plan's reservations; of jobs UINT32_MAX */
	const char *partition;
	const struct maui_document_node *nodes;
	uint32_t node_count;
	int64_t tasks, procs;    /* reserved */
	int64_t wanted, missing; /* tasks; wanted 0: all that the listed hosts have */
	const char *held_by;     /* what holds the missing ones, and what may be done */
	const char *const *flags, *const *acl, *const *triggers; /* texts, NULL behind the last */
	const char *owner;                                       /* "ACCOUNT:jupiter" */
	const char *charge_account, *subtype;
	/* what a reservation asks for; 0 and NULL of jobs */
	int64_t task_procs, task_mem_mb, task_disk_mb; /* procs -1: a whole node */
	int64_t task_count;
	const char *hosts, *features;      /* HOSTLIST as written; "a,b" */
	int64_t used_procs;                /* now, by jobs that it admits */
	double used_procsec, idle_procsec; /* since it began */
	/* of a job; array_job_id 0: not of an array */
	uint64_t job_id;
	uint32_t array_job_id, array_task;
	struct maui_het_place het; /* id 0: not of a het job, or it waits */
	int64_t submit_s;          /* 0: unknown */
	const char *job_name;      /* that the user gave it */
	/* of an active job: how often and how long it was suspended, and the generic resources that
	 * it has: "gpu:a100:2" */
	uint32_t suspensions;
	int64_t suspended_s;
	int64_t resumes; /* processors that it takes again when it resumes; 0 unless suspended */
	const char *const *gres;
	size_t gres_count;
	/* of a job: RUNNING, STARTING, SUSPENDED, or IDLE with a job reservation */
	enum maui_job_state state;
	const char *cred[MAUI_CRED_COUNT]; /* of a job */
	uid_t uid;                         /* whose job, who made it; (uid_t)-1: nobody's, with
				    PrivateData administrators alone see it */
};

/* What a standing reservation would have, had nobody released it, nor IDLETIME, SINGLEUSE or a
 * trigger given it up. */
struct maui_document_released {
	const char *name, *stable; /* "biz.1", "maui.biz.20261123" */
	int64_t start_s, end_s;    /* end_s MAUI_NEVER: none, and it has begun */
};

/* What the plan does not know of an idle job. */
struct maui_document_idle {
	uint32_t array_job_id; /* 0: not of an array */
	/* MAUI_NO_TASK: not of an array, or the head of one, which stands for as many tasks as
	 * wait, from first_task to last_task */
	uint32_t array_task, first_task, last_task;
	struct maui_het_place het; /* id 0: not of a het job */
	uint32_t waiting;          /* number of jobs that wait; 0: it has started since, or ended */
	uid_t uid;                 /* (uid_t)-1: unknown */
	bool held_by_user, requeued;
	const char *name;                      /* that the user gave it; NULL */
	const struct maui_estimate *estimates; /* how its start estimate moved; oldest first */
	uint32_t estimate_count;
	struct maui_job_conditions conditions;
};

struct maui_document_warning {
	const char *text; /* with its position */
	/* the object of maui.cfg that it is about: MAUI_FAMILY_*, the index; 0, NULL: none */
	unsigned family;
	const char *name;
};

struct maui_document {
	int64_t now_s;       /* when it was decided */
	const char *cluster; /* ClusterName; NULL: not known */
	const char **nodes;  /* names */
	uint32_t node_count;
	struct maui_document_rsv *rsvs;
	size_t rsv_count, rsv_alloc;
	struct maui_document_warning *warnings; /* of maui.cfg */
	/* of `warnings`: those that the status of maui.cfg does not have, because they are about
	 * nodes and names of this cluster */
	size_t cluster_warnings;
	size_t warning_count, warning_alloc;
	struct maui_document_released *released; /* what releaseres --undo takes back */
	size_t released_count, released_alloc;
	/* the finished plan, for questions about waiting jobs; NULL: none */
	struct maui_plan *plan;
	const struct maui_document_idle *idle;   /* one for each idle job of the plan's snapshot */
	struct maui_usage_view *usage;           /* fairshare windows; NULL: not known */
	struct maui_statistics_view *statistics; /* of ended jobs; NULL: not known */
	double capacity_ps, used_ps;             /* processor-seconds since the statistics began */
	const struct maui_utilisation *utilisation; /* of the last day; NULL: not known */
	const struct maui_health *health;           /* of the scheduler; NULL: not known */
	const struct maui_trial *trial; /* the score of SERVERMODE TEST; NULL: not known */
	const char *const *damage;      /* of state files, a text each */
	size_t damage_count;
	const char *not_saved;             /* why the state is not; NULL: it is */
	struct maui_config_status *config; /* of maui.cfg; NULL: not known */
	const char *slurm_version;         /* of the running slurmctld; NULL: not known */
	struct maui_privacy privacy;       /* who may see it */
	const struct maui_default_account *default_accounts; /* without slurmdbd none */
	size_t default_account_count;
	struct maui_slurm_names *slurm_names; /* NULL: without slurmdbd */
	struct maui_arena arena;
	unsigned refs; /* atomic */
	bool failed;   /* an addition found no memory: maui_document_is_whole() */
};

/* Empty, with one reference. NULL without memory. */
struct maui_document *maui_document_create(int64_t now_s, const char *cluster);
struct maui_document *maui_document_ref(struct maui_document *p); /* NULL is fine */
void maui_document_unref(struct maui_document *p);                /* NULL is fine */

/* Whether everything that was added is in it; if not, it is not to be published. */
bool maui_document_is_whole(const struct maui_document *p);

/* Why cycles start nothing; NULL: they start jobs, or it is not known. */
const char *maui_document_no_starts(const struct maui_document *p);
/* The cycle's estimate of when the waiting job starts. MAUI_NEVER: none; while cycles
 * start nothing, a job that would start now has none either. */
int64_t maui_document_estimate(const struct maui_document *p, uint32_t idle);

/* Adds the rows of jobs to a table, by the jobs' ids. -1 without memory. */
struct maui_hashtable;
int maui_document_index_jobs(const struct maui_document *p, struct maui_hashtable *ret);

/* Whether the row is a job, or a task of an array, of this number. */
bool maui_document_has_number(const struct maui_document_rsv *row, const char *number);

/* The first row from `from` on that has this name or stable name, is an instance of the standing
 * reservation of this name, or is a job or a task of an array of this number; rsv_count: none. */
size_t maui_document_find(const struct maui_document *p, const char *name, size_t from);

/* By name, stable name or that of the SRCFG (NULL: any), the first from `from` on that this user
 * may see; released_count: none. */
size_t maui_document_find_released(const struct maui_document *p, const char *name, uid_t uid,
				   size_t from);

/* The first warning from `from` on about the standing reservation that this name means, or of which
 * it means an instance; NULL: about any. warning_count: none, or none that this
 * user may see. */
size_t maui_document_find_warning(const struct maui_document *p, const char *name, uid_t uid,
				  size_t from);

/* Of maui.cfg in force: of its lines, and of nodes and names that they mention. */
size_t maui_document_count_warnings(const struct maui_document *p);

/* Reads a list of partitions, "a,b", all of which the plan has. -1 with error: another one, or none
 * at all. The caller finishes *ret either way. */
int maui_document_read_partitions(const struct maui_document *p, const char *text,
				  struct maui_words *ret, struct maui_query_error *error);

#endif
