/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.h - the published document: a copy of the last decisions, shared by reference
 *
 * The agent makes one after each iteration, adds rows, and hands it over; from then on nobody
 * changes it. Whoever answers takes a reference, so that no answer waits for an iteration, and no
 * iteration for a client. Everything belongs to its arena and goes with the last reference.
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

#include "base/arena.h"
#include "base/words.h"
#include "model/conditions.h"
#include "model/cred.h"
#include "model/estimate.h"
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
	MAUI_DOCUMENT_SYSTEM,   /* administrative, nobody gets in */
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
	int64_t wanted, missing; /* tasks; wanted 0: whatever the listed hosts have */
	const char *held_by;     /* what holds the missing ones, and what may be done */
	const char *const *flags, *const *acl, *const *triggers; /* texts, NULL behind the last */
	const char *owner;                                       /* "ACCOUNT:jupiter" */
	const char *charge_account, *subtype;
	/* what a reservation asks for; 0 and NULL of jobs */
	int64_t task_procs, task_mem_mb, task_disk_mb; /* procs -1: a whole node */
	int64_t task_count;
	const char *hosts, *features;      /* HOSTLIST as written; "a,b" */
	int64_t used_procs;                /* now, by jobs that it lets in */
	double used_procsec, idle_procsec; /* since it began */
	/* of a job; array_job_id 0: not of an array */
	uint64_t job_id;
	uint32_t array_job_id, array_task;
	int64_t submit_s;     /* 0: unknown */
	const char *job_name; /* that the user gave it */
	char state;           /* of a job: R running, S starting, I idle with a reservation,
				    Z suspended; '-' of others */
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
	uint32_t waiting; /* number of jobs that wait; 0: it has started since, or ended */
	uid_t uid;        /* (uid_t)-1: unknown */
	bool held_by_user, requeued;
	const char *name;                      /* that the user gave it; NULL */
	const struct maui_estimate *estimates; /* how its start estimate moved; oldest first */
	uint32_t estimate_count;
	struct maui_job_conditions conditions;
};

struct maui_document_user {
	uid_t uid;
	const char *name;
};

struct maui_document {
	int64_t now_s;       /* when it was decided */
	const char *cluster; /* ClusterName; NULL: not known */
	const char **nodes;  /* names */
	uint32_t node_count;
	struct maui_document_rsv *rsvs;
	size_t rsv_count, rsv_alloc;
	const char **warnings; /* of maui.cfg, each with its position: "... SRCFG[biz] ..." */
	size_t warning_count, warning_alloc;
	struct maui_document_released *released; /* what releaseres --undo takes back */
	size_t released_count, released_alloc;
	/* the finished plan, for questions about waiting jobs; NULL: there is none */
	struct maui_plan *plan;
	const struct maui_document_idle *idle;   /* one for each idle job of the plan's snapshot */
	struct maui_usage_view *usage;           /* fairshare windows; NULL: not known */
	struct maui_statistics_view *statistics; /* of ended jobs; NULL: not known */
	double capacity_ps, used_ps;             /* processor-seconds since the statistics began */
	const struct maui_utilisation *utilisation; /* of the last day; NULL: not known */
	const struct maui_health *health;           /* of the scheduler; NULL: not known */
	const struct maui_trial *trial;    /* the score of SERVERMODE TEST; NULL: not known */
	struct maui_config_status *config; /* of maui.cfg; NULL: not known */
	const char *slurm_version;         /* of the running slurmctld; NULL: not known */
	/* PrivateData: others see but their own */
	bool hide_jobs, hide_rsvs, hide_usage, hide_users, hide_accounts, hide_nodes;
	const struct maui_document_user
		*users; /* whom the server knows by name, by ascending uid */
	size_t user_count;
	const uid_t *admins; /* who see everything, like root */
	size_t admin_count;
	const struct maui_coordinator *coordinators;
	size_t coordinator_count;
	const struct maui_default_account *default_accounts; /* without slurmdbd none */
	size_t default_account_count;
	struct maui_arena arena;
	unsigned refs; /* atomic */
	bool failed;   /* an addition found no memory: not to be published */
};

/* Empty, with one reference. NULL without memory. */
struct maui_document *maui_document_create(int64_t now_s, const char *cluster);
struct maui_document *maui_document_ref(struct maui_document *p); /* NULL is fine */
void maui_document_unref(struct maui_document *p);                /* NULL is fine */

/* PrivateData, and who is exempt: SlurmUser, administrators. */
void maui_document_hide(struct maui_document *p, bool jobs, bool rsvs, const uid_t *admins,
			size_t admin_count);
/* The users whose names were looked up, for all kinds of PrivateData. The names are copied; NULL:
 * the user has none. */
void maui_document_know_users(struct maui_document *p, const struct maui_document_user *users,
			      size_t count);

/* Keeps a reference on the status of maui.cfg, and a copy of the version. */
void maui_document_set_config(struct maui_document *p, struct maui_config_status *config,
			      const char *slurm_version);

/* Keeps a reference on the fairshare windows. */
void maui_document_set_usage(struct maui_document *p, struct maui_usage_view *usage);

/* Keeps a reference on the figures, and a copy of the last day. */
void maui_document_set_statistics(struct maui_document *p, struct maui_statistics_view *statistics,
				  const struct maui_utilisation *utilisation);

/* A copy of the score. */
void maui_document_set_trial(struct maui_document *p, const struct maui_trial *trial);

/* A copy of how the scheduler itself does. */
void maui_document_set_health(struct maui_document *p, const struct maui_health *health);
/* Why cycles start nothing; NULL: they start jobs, or it is not known. */
const char *maui_document_no_starts(const struct maui_document *p);
/* The cycle's estimate of when the waiting job starts. MAUI_NEVER: there is none; while cycles
 * start nothing, a job that would start now has none either. */
int64_t maui_document_estimate(const struct maui_document *p, uint32_t idle);

/* The user's name; NULL: the user has none, or nothing is hidden. */
const char *maui_document_user_name(const struct maui_document *p, uid_t uid);
/* Whether the user can be answered: PrivateData hides nothing, or the name was looked up. */
bool maui_document_knows(const struct maui_document *p, uid_t uid);

/* A copy of the list. */
void maui_document_coordinators(struct maui_document *p, const struct maui_coordinator *list,
				size_t count);

void maui_document_default_accounts(struct maui_document *p,
				    const struct maui_default_account *list, size_t count);

/* Keeps a reference on the plan, and a copy of the list with what it leads to. */
void maui_document_set_plan(struct maui_document *p, struct maui_plan *plan,
			    const struct maui_document_idle *idle);

/* Adds the rows of jobs to a table, by the jobs' ids. -1 without memory. */
struct maui_hashtable;
int maui_document_index_jobs(const struct maui_document *p, struct maui_hashtable *ret);

/* Node names of the snapshot, before the rows that use them. */
void maui_document_nodes(struct maui_document *p, const struct maui_snapshot *snapshot);

/* A row with everything it leads to copied. NULL without memory; the row may be completed until
 * the next one is added. */
struct maui_document_rsv *maui_document_add(struct maui_document *p,
					    const struct maui_document_rsv *row);

/* Rows of what was planned; see document_rows.c for what is filled in: all but mirror, held_by,
 * used_*, idle_*, uid (of those who made a reservation), which the caller knows. `standing`: from
 * maui.cfg. NULL without memory. */
struct maui_document_rsv *maui_document_add_instance(struct maui_document *p,
						     const struct maui_snapshot *snapshot,
						     const struct maui_rsv *rsv,
						     const struct maui_rsv_instance *instance,
						     bool standing);
struct maui_document_rsv *maui_document_add_active(struct maui_document *p,
						   const struct maui_snapshot *snapshot,
						   uint32_t active, uid_t uid);
struct maui_document_rsv *maui_document_add_job_rsv(struct maui_document *p,
						    const struct maui_snapshot *snapshot,
						    const struct maui_reservation *job_rsv,
						    uid_t uid);

/* Names the row of a job as squeue does: task 3 of array 17 is "17_3", and tasks 4 to 9 that wait
 * are "17_[4-9]". `task` MAUI_NO_TASK: first to last wait, if they are tasks; array 0: no array. */
void maui_document_name_task(struct maui_document *p, struct maui_document_rsv *row, uint32_t array,
			     uint32_t task, uint32_t first, uint32_t last);

/* Whether the row is a job, or a task of an array, of this number. */
bool maui_document_has_number(const struct maui_document_rsv *row, const char *number);

/* The first row from `from` on that has this name or stable name, is an instance of the standing
 * reservation of this name, or is a job or a task of an array of this number; rsv_count: none. */
size_t maui_document_find(const struct maui_document *p, const char *name, size_t from);

/* A period (YYYYMMDD, 0 of one without) of a SRCFG that is released; not if it is over, or not
 * there yet by DEPTH. */
void maui_document_add_released(struct maui_document *p, const struct maui_rsv *rsv, int32_t day);

/* By name, stable name or that of the SRCFG (NULL: any), the first from `from` on that this user
 * may see; released_count: none. */
size_t maui_document_find_released(const struct maui_document *p, const char *name, uid_t uid,
				   size_t from);

/* Something that is wrong with a SRCFG. */
void maui_document_warn(struct maui_document *p, const char *text);

/* The first warning from `from` on about the standing reservation that this name means, or of which
 * it means an instance; NULL: about any. warning_count: none, or none that this
 * user may see. */
size_t maui_document_find_warning(const struct maui_document *p, const char *name, uid_t uid,
				  size_t from);

/* Reads a list of partitions, "a,b", all of which the plan has. -1 with error: another one, or none
 * at all. The caller finishes *ret either way. */
int maui_document_read_partitions(const struct maui_document *p, const char *text,
				  struct maui_words *ret, struct maui_query_error *error);

/* Whether this user may see the row. */
bool maui_document_shows(const struct maui_document *p, const struct maui_document_rsv *row,
			 uid_t uid);
/* What holds the missing nodes of the row; NULL: nothing is missing, or PrivateData hides whose
 * jobs and reservations these are. */
const char *maui_document_held_by(const struct maui_document *p,
				  const struct maui_document_rsv *row, uid_t uid);
/* Whether the user may see a job that waits: an index of the plan's snapshot. */
bool maui_document_shows_idle(const struct maui_document *p, uint32_t index, uid_t uid);
/* Whether PrivateData hides nothing from this user. */
bool maui_document_sees_all(const struct maui_document *p, uid_t uid);
/* Whether PrivateData=reservations hides those of others from this user. */
bool maui_document_hides_rsvs(const struct maui_document *p, uid_t uid);
/* Whether the user may learn which jobs and reservations of others hold nodes. */
bool maui_document_shows_holders(const struct maui_document *p, uid_t uid);
/* Whether PrivateData=nodes hides the nodes from this user. */
bool maui_document_hides_nodes(const struct maui_document *p, uid_t uid);
/* Whether this user coordinates the account. */
bool maui_document_coordinates(const struct maui_document *p, const char *account, uid_t uid);
/* Whether this user may see the usage of others. */
bool maui_document_shows_usage(const struct maui_document *p, uid_t uid);

#endif
