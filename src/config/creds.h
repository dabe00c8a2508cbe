/* SPDX-License-Identifier: GPL-2.0-or-later */
/* creds.h - settings of USERCFG, GROUPCFG, ACCOUNTCFG, QOSCFG, CLASSCFG and SYSCFG by object
 *
 * config/build fills these lists, sorts and indexes them once; after that they never change.
 */
#ifndef MAUI_CONFIG_CREDS_H
#define MAUI_CONFIG_CREDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "base/words.h"
#include "config/pair_limits.h"
#include "model/cred.h"
#include "model/limit.h"

enum maui_fs_target_kind {
	MAUI_FS_TARGET_NONE,
	MAUI_FS_TARGET,         /* 25    both ways */
	MAUI_FS_TARGET_FLOOR,   /* 25+   only raises */
	MAUI_FS_TARGET_CEILING, /* 25-   only lowers */
	MAUI_FS_CAP_ABSOLUTE,   /* 25^   proc-seconds; no priority effect */
	MAUI_FS_CAP_RELATIVE,   /* 25%   percent; no priority effect */
	MAUI_FS_TARGET_COUNT
};

/* How a kind is written: in maui.cfg and tables behind the number, and in answers. */
struct maui_fs_target_words {
	const char *suffix, *word;
};
extern const struct maui_fs_target_words maui_fs_target_words[MAUI_FS_TARGET_COUNT];

struct maui_fs_target {
	enum maui_fs_target_kind kind;
	double value; /* > 0; percent, or proc-seconds for ^ */
};

/* QLIST: which QOS a credential gives access to (maui-3.3 manual 7.3). */
enum maui_qlist_mode {
	MAUI_QLIST_OR,
	MAUI_QLIST_AND,  /* a trailing '&' */
	MAUI_QLIST_ONLY, /* a trailing '^' */
};

/* QOSCFG FLAGS, as bits of a mask; order as in the schema's words. */
enum maui_qos_flag {
	MAUI_QOS_DEDICATED,
	MAUI_QOS_IGNACCOUNT,
	MAUI_QOS_IGNALL,
	MAUI_QOS_IGNGROUP,
	MAUI_QOS_IGNHOSTLIST,
	MAUI_QOS_IGNJOBPERUSER,
	MAUI_QOS_IGNJOBQUEUEDPERUSER,
	MAUI_QOS_IGNNODEPERUSER,
	MAUI_QOS_IGNPROCPERUSER,
	MAUI_QOS_IGNPSPERUSER,
	MAUI_QOS_IGNSRMAXTIME,
	MAUI_QOS_IGNSYSMAXPROC,
	MAUI_QOS_IGNSYSMAXPS,
	MAUI_QOS_IGNSYSMAXTIME,
	MAUI_QOS_IGNSYSTEM,
	MAUI_QOS_IGNUSER,
	MAUI_QOS_NOBF,
	MAUI_QOS_NORESERVATION,
	MAUI_QOS_NTR,
	MAUI_QOS_PREEMPTEE,
	MAUI_QOS_PREEMPTOR,
	MAUI_QOS_PREEMPTSPV,
	MAUI_QOS_RESERVEALWAYS,
	MAUI_QOS_RESTARTPREEMPT,
	MAUI_QOS_RUNNOW,
	MAUI_QOS_USERESERVED,
	MAUI_QOS_FLAG_COUNT
};

/* One *CFG[name] line. An attribute that the object does not set has the value of its kind's
 * DEFAULT (manual 6.2: DEFAULT holds for each attribute by itself), except PRIORITY, whose rules
 * differ by kind: 0 = not set. */
struct maui_cred_config {
	char *name;
	int64_t priority;
	double class_weight;       /* GROUPCFG CLASSWEIGHT, > 0 replaces CLASSWEIGHT */
	double qtweight, xfweight; /* QOSCFG: added to QUEUETIMEWEIGHT, XFACTORWEIGHT */
	int64_t qttarget_s;
	double xftarget;
	struct maui_fs_target fstarget;
	struct maui_fs_target fscap; /* a cap beside the target */
	char *qdef;
	struct maui_words qlist;
	enum maui_qlist_mode qlist_mode;

	/* throttling limits; 0: no limit for this resource (limit.h) */
	struct maui_limit limits[MAUI_LIMIT_KIND_COUNT][MAUI_RESOURCE_COUNT];
	/* only those of the object: maui_pair_limits_find() adds those of DEFAULT */
	struct maui_pair_limits pair_limits;
	int64_t min_procs;     /* MINPROC; <= 0: none */
	int64_t max_job_procs; /* CLASSCFG, of a single job, as the next two; <= 0: none */
	int64_t max_job_nodes;
	int64_t max_job_walltime_s; /* MAX.WCLIMIT; INFINITY: none */
	int64_t default_walltime_s; /* DEFAULT.WCLIMIT; <= 0: none */
	uint64_t flags;             /* QOSCFG: 1 << enum maui_qos_flag */
	char *use_reserved;         /* USERESERVED:<reservation>; NULL: any */
};

struct maui_creds {
	struct maui_cred_config *list; /* sorted by name, DEFAULT among them */
	size_t count, alloc;
	/* settings of a name that maui.cfg does not mention: DEFAULT's values (borrowed),
	 * PRIORITY 0 */
	struct maui_cred_config unnamed;
	int64_t default_priority;    /* DEFAULT's PRIORITY; 0 = none */
	struct maui_hashtable table; /* index of the list by name */
};

/* Sorts the objects by name and builds the index. Called once, after all objects are added. -1
 * without memory. */
int maui_creds_index(struct maui_creds *creds);

/* The settings of one credential; never NULL. For a NULL or empty name no setting applies; for a
 * name that no line mentions DEFAULT applies. Accounts are looked up in lower case. */
const struct maui_cred_config *maui_creds_find(const struct maui_creds *creds,
					       enum maui_cred_kind kind, const char *name);

/* Frees the contents of one object. */
void maui_cred_config_finish(struct maui_cred_config *cred);
void maui_creds_finish(struct maui_creds *creds);

#endif
