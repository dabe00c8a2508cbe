/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv.h - a reservation, what it asks for, and its instances with their nodes
 *
 * A standing reservation is a SRCFG of maui.cfg and has an instance for each of DEPTH periods. An
 * administrative reservation (setres) is its own and only instance. Policies see no other
 * difference.
 */
#ifndef MAUI_MODEL_RSV_H
#define MAUI_MODEL_RSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/words.h"
#include "model/acl.h"
#include "model/when.h"

enum maui_rsv_period { /* PERIOD; order as in the schema's words */
		       MAUI_RSV_DAY,
		       MAUI_RSV_WEEK,
		       MAUI_RSV_INFINITY,
		       /* administrative: from start_s to end_s, both epoch seconds */
		       MAUI_RSV_ONCE,
};

enum maui_rsv_flag { /* bits of a mask; order as in the schema's words of SRCFG FLAGS */
		     MAUI_RSV_BESTEFFORT,
		     MAUI_RSV_BYNAME,
		     MAUI_RSV_DEDICATEDNODE,
		     MAUI_RSV_DEDICATEDRESOURCE,
		     MAUI_RSV_FORCE,
		     MAUI_RSV_OWNERPREEMPT,
		     MAUI_RSV_PREEMPTEE,
		     MAUI_RSV_SINGLEUSE,
		     MAUI_RSV_SPACEFLEX,
		     MAUI_RSV_STANDINGRES,
		     MAUI_RSV_TIMEFLEX,
		     MAUI_RSV_FLAG_COUNT
};

/* NULL behind the last, as in all such lists. */
extern const char *const maui_rsv_flag_names[MAUI_RSV_FLAG_COUNT + 1];

enum maui_trigger_event {
	MAUI_TRIGGER_CREATE,
	MAUI_TRIGGER_START,
	MAUI_TRIGGER_END,
	MAUI_TRIGGER_MINLOAD,
	MAUI_TRIGGER_EVENT_COUNT
};
enum maui_trigger_action {
	MAUI_TRIGGER_CANCEL,
	MAUI_TRIGGER_EXEC,
	MAUI_TRIGGER_SUBMIT,
	MAUI_TRIGGER_ACTION_COUNT
};

/* "create", ...; "cancel", ...: the words of maui.cfg, of messages, and of the state file */
extern const char *const maui_trigger_event_names[MAUI_TRIGGER_EVENT_COUNT + 1];
extern const char *const maui_trigger_action_names[MAUI_TRIGGER_ACTION_COUNT + 1];

/* <event>[+<offset>][@<threshold>];<action>[@<data>] (RSV-15) */
struct maui_trigger {
	enum maui_trigger_event event;
	enum maui_trigger_action action;
	int64_t offset_s; /* >= 0; minload: how long the load must stay low */
	double threshold; /* minload: used / reserved procs, 0..1; 0 never fires */
	char *data;       /* exec: absolute path; submit: absolute path of a batch script; NULL */
};

/* What a task takes of one node. -1: all of the node; 0: nothing. */
struct maui_rsv_task {
	int64_t procs, mem_mb, disk_mb, swap_mb; /* procs -1: the whole node, and nothing else
						    matters */
};

struct maui_rsv {
	/* name of the SRCFG; of a setres reservation, with its number (test.1) */
	char *name;
	struct maui_acl acl; /* no entry: nobody is admitted (ACL-3) */
	uint64_t flags;      /* 1 << enum maui_rsv_flag */
	int owner_kind;      /* enum maui_cred_kind; -1: no owner */
	char *owner;
	char *charge_account; /* NULL: none */
	char *subtype;        /* setres: a word that is shown to users only; NULL: none */
	bool shared;          /* ACCESS=SHARED */
	int64_t priority;

	char *hosts; /* HOSTLIST as written; NULL: not set (ALL counts as not set when
				    there is a TASKCOUNT) */
	struct maui_words features; /* a node must have all of them */
	char *partition;            /* NULL: any */
	struct maui_rsv_task task;
	int64_t task_count;     /* 0: not set */
	int64_t tasks_per_node; /* TPN, at least; 0: any */

	enum maui_rsv_period period;
	int64_t start_s, end_s; /* ONCE: epoch, end MAUI_NEVER: none. Else wall clock seconds from
				    the beginning of the day or week; end_s 0 or a whole period: its
				    end */
	unsigned days;          /* DAY: bit 0 Sunday .. bit 6 Saturday */
	int64_t depth;          /* periods; 1 .. MAUI_RSV_MAX_DEPTH */
	int64_t idle_s;         /* IDLETIME: released after this long without a job; 0: never */

	struct maui_trigger *triggers;
	size_t trigger_count, trigger_alloc;

	bool by_user;        /* setres: a user who is not an administrator made or changed it */
	bool trial;          /* setres under SERVERMODE TEST: gone when NORMAL begins */
	char *made_by;       /* user name; NULL: maui.cfg */
	uint32_t made_uid;   /* user id that belongs to made_by */
	bool made_uid_known; /* false: the saved state lacks made_uid */
	uint32_t line;       /* first line in maui.cfg; 0: none */
	const char *file;    /* borrowed from the configuration */
};

/* One without attributes: no owner, and tasks of whole nodes. */
struct maui_rsv maui_rsv_defaults(void);
void maui_rsv_finish(struct maui_rsv *rsv); /* a zeroed struct is fine */
/* A copy with memory of its own. -1 without memory. */
int maui_rsv_copy(const struct maui_rsv *rsv, struct maui_rsv *ret);

/* Whether the `length` bytes have the form "name.12" of instances and setres reservations. */
bool maui_rsv_is_numbered(const char *name, const char *text, size_t length);

/* Whether `text` (ADVRES, USERESERVED:id) names the reservation, one of its instances by number
 * ("sr.1"), or one of its mirrors ("maui.sr.20261122"); "a,b" names several. NULL names none. */
bool maui_rsv_is_meant(const struct maui_rsv *rsv, const char *text);

/* The instances to which `text` restricts a job. Their days (YYYYMMDD) go to `days`, as many as
 * fit. Returns how many there are; -1: `text` names no instance by its day, or names the
 * reservation itself, too. A number ("sr.1") restricts to nothing, because tomorrow another
 * instance has it. */
int64_t maui_rsv_meant_days(const struct maui_rsv *rsv, const char *text, int32_t *days,
			    size_t room);

/* For a single name "sr.12" or "maui.sr.20261122": the number or day of the instance. -1: the name
 * is the reservation's own; -2: it names something else. No other spelling names an instance. */
int64_t maui_rsv_suffix(const struct maui_rsv *rsv, const char *text, size_t length);

static inline bool maui_rsv_is_day(int64_t suffix)
{
	return suffix >= 10000000 && suffix <= 99999999; /* no instance has such a number */
}

static inline bool maui_rsv_recurs(const struct maui_rsv *rsv)
{
	return rsv->period == MAUI_RSV_DAY || rsv->period == MAUI_RSV_WEEK;
}

/* setres -E: no other reservation may be on its nodes (RSV-22). ACCESS=DEDICATED, the default in
 * maui.cfg, means less: it is not placed over other reservations. */
static inline bool maui_rsv_is_exclusive(const struct maui_rsv *rsv)
{
	return rsv->made_by && !rsv->shared;
}

static inline bool maui_rsv_has(const struct maui_rsv *rsv, enum maui_rsv_flag flag)
{
	return rsv->flags & (UINT64_C(1) << flag);
}

/* The prefix, then "sr.20261122": the name of an instance that never changes. Without periods, and
 * for setres, "name.0". NULL without memory. */
char *maui_rsv_stable_name(const struct maui_rsv *rsv, int32_t day, const char *prefix,
			   struct maui_arena *arena);
/* The name of an instance in commands and messages: "sr.1", counted from the current period; of
 * setres the name of the reservation. NULL without memory. */
char *maui_rsv_ordinal_name(const struct maui_rsv *rsv, uint32_t ordinal, struct maui_arena *arena);

/* What an instance holds of one node. */
struct maui_rsv_place {
	uint32_t node; /* index of the snapshot */
	/* a whole node is one task; 0, in the previous plan's places only: not known */
	int64_t tasks;
};

/* One reservation in time. */
struct maui_rsv_instance {
	uint32_t rsv; /* index of its reservation in the list */
	/* local YYYYMMDD on which its period begins; 0: INFINITY, ONCE. Together with the name it
	 * identifies the instance */
	int32_t day;
	uint32_t ordinal; /* Maui's <name>.<i>: periods from the current one */
	/* may be before now; INFINITY starts when it was first made; MAUI_NEVER: no end */
	int64_t start_s, end_s;
	int64_t run_start_s, run_end_s; /* the span including adjoining instances that have nodes */
	struct maui_rsv_place *places;  /* ascending by node */
	uint32_t place_count;
	int64_t wanted, missing; /* tasks; wanted 0: all that the listed hosts have */
	bool made;               /* its nodes have been chosen, and stay */
	/* Processors at the moment of the plan, if the instance has begun. Used: by jobs that it
	 * admits. Idle: neither used, nor held by other jobs, nor counted as idle of another
	 * reservation stacked with it (plan/usage.c). */
	int64_t reserved_procs, used_procs, idle_procs;
	bool in_use; /* a job that it admits uses some of it, even if only memory */
	/* SINGLEUSE: ids of the active and suspended jobs on its nodes that it admits */
	uint64_t *users;
	uint32_t user_count;
};

/* Whether the instance lets its owner's jobs preempt others at a moment (RSV-14): its reservation
 * has OWNERPREEMPT, and it has begun and has nodes. */
static inline bool maui_rsv_lets_owner_preempt(const struct maui_rsv *rsv,
					       const struct maui_rsv_instance *instance,
					       int64_t now_s)
{
	return maui_rsv_has(rsv, MAUI_RSV_OWNERPREEMPT) && instance->start_s <= now_s &&
	       instance->end_s > now_s && instance->place_count > 0;
}

#endif
