/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - one accepted maui.cfg, immutable
 *
 * Built whole by maui_config_parse(), shared by reference count between threads, never changed.
 * Policies read the typed parts; `show` and cross-checks read the settings as they were written.
 */
#ifndef MAUI_CONFIG_CONFIG_H
#define MAUI_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/words.h"
#include "config/creds.h"
#include "config/planning.h"
#include "config/schema/schema.h"
#include "model/cred.h"
#include "model/factor.h"
#include "model/limit.h"
#include "model/rsv.h"
#include "model/rsv_names.h"

enum maui_accrual { /* JOBPRIOACCRUALPOLICY; order as in the schema's words */
		    MAUI_ACCRUAL_ALWAYS,
		    MAUI_ACCRUAL_QUEUEPOLICY,
		    MAUI_ACCRUAL_FULLPOLICY,
};

enum maui_fs_policy { /* FSPOLICY; order as in the schema's words */
		      MAUI_FS_NONE,
		      MAUI_FS_DEDICATEDPS,
		      MAUI_FS_DEDICATEDPES,
		      MAUI_FS_UTILIZEDPS,
};

/* Weights and caps, once for all partitions and once more for each partition named as an index. */
struct maui_priority_config {
	double component_weight[MAUI_COMP_COUNT];
	double component_cap[MAUI_COMP_COUNT]; /* <= 0: none */
	double weight[MAUI_FACTOR_COUNT];
	double cap[MAUI_FACTOR_COUNT]; /* <= 0: none */
	int64_t xfminwclimit_s;        /* <= 0: none */
	bool enable_negative;          /* ENABLENEGJOBPRIORITY */
	bool reject_negative;          /* REJECTNEGPRIOJOBS */
};

struct maui_partition_config {
	char *name;
	struct maui_priority_config priority;
	struct maui_planning_config planning;
};

struct maui_fs_policy_value {
	enum maui_fs_policy metric;
	bool ratio; /* a trailing '%' */
};

/* A line as it was written, attribute lines split: in the order of the files. */
struct maui_setting {
	const struct maui_param *param;
	const struct maui_param *attr;  /* NULL for a plain parameter */
	const struct maui_alias *alias; /* the older spelling it is written in; NULL: none */
	char *index;                    /* NULL: none */
	char *sub;                      /* MAXJOB[USER:steve]: "USER:steve"; NULL: none */
	char *value;
	const char *file; /* one of the configuration's files */
	uint32_t line, column;
	uint32_t value_line, value_column; /* of its first byte */
	size_t value_length;               /* bytes of it that stand there on end */
	bool replaced;                     /* a later line for the same thing won */
};

struct maui_config {
	struct maui_priority_config priority; /* all partitions */
	struct maui_planning_config planning; /* likewise */
	struct maui_partition_config *partitions;
	size_t partition_count, partition_alloc;
	bool too_many_partitions; /* said once, the rest is not looked at */
	struct maui_creds creds[MAUI_CRED_COUNT];
	bool restricts_qos;             /* there is a QLIST anywhere */
	struct maui_cred_config system; /* SYSCFG: QDEF and QLIST, limits of all jobs */

	struct maui_fs_policy_value fs_policy;
	int64_t fs_interval_s;      /* > 0 */
	int64_t fs_depth;           /* 1 .. MAUI_FS_MAX_DEPTH */
	double fs_decay;            /* 0 .. 1 */
	int accrual;                /* enum maui_accrual; USESYSTEMQUEUETIME is folded in */
	bool system_queue_time;     /* USESYSTEMQUEUETIME as written */
	int64_t poll_interval_s;    /* RMPOLLINTERVAL, >= 1 */
	int64_t default_walltime_s; /* SYSTEMDEFAULTJOBWALLTIME */
	/* SYSTEMMAX...: of a single job; <= 0: none */
	int64_t max_job_procs, max_job_ps, max_job_walltime_s;

	struct maui_node_config *nodes; /* NODECFG, by name */
	size_t node_count, node_alloc;
	struct maui_stack_config *stacks; /* by number; 0 is always there */
	size_t stack_count, stack_alloc;
	int64_t backfill_max_schedules; /* BACKFILLMAXSCHEDULES */
	int node_access;                /* enum maui_node_access */
	uint64_t node_match;            /* JOBNODEMATCHPOLICY: MAUI_MATCH_* */
	int server_mode;                /* enum maui_server_mode */
	int preempt_policy;             /* enum maui_preempt_policy */
	/* DEFER*: seconds aside, 0: never set aside; deferrals before a hold; refused starts before
	 * a deferral, >= 1 */
	int64_t defer_time_s, defer_count, defer_start_count;
	int64_t max_start_s; /* JOBMAXSTARTTIME; <= 0: none */

	struct maui_rsv *rsvs; /* SRCFG, in the order of first appearance */
	size_t rsv_count, rsv_alloc;
	struct maui_rsv_names rsv_names; /* theirs; places are those in rsvs */
	int64_t res_depth;               /* RESDEPTH: reservations on a node; <= 0: no limit */
	int res_ctl_any; /* RESCTLPOLICY: 1 ANY user may create reservations, 0 ADMINONLY */
	int mirror;      /* enum maui_mirror */
	struct maui_words admins[3]; /* ADMIN1, ADMIN2, ADMIN3: names of users */
	char *query_socket;          /* QUERYSOCKET; NULL or "": by query/path.h's rule */

	struct maui_setting *settings;
	size_t setting_count, setting_alloc;
	char **files; /* names; the first is the file itself */
	size_t file_count, file_alloc;
	char *text; /* all files in the order they are read, as one that includes none: what is
		       kept as the good one */
	size_t text_length;
	unsigned refs; /* atomic */
};

/* What the file is checked against, beyond itself. */
struct maui_config_context {
	const char *scheduler_type; /* slurm.conf's SchedulerType; NULL: unknown, nothing is said */
	bool require_settings;      /* nothing set is an error: the file may have been cut off */
	bool keep_faulty;           /* one with errors is returned, too, what could be read of it:
				       for further checks, not to be in force */
	const char *blank;          /* a test's wish: ignore this parameter (NAME or FAMILY.ATTR) */
};

/* Parses `text` (any bytes) as the file `path`; #INCLUDEd files are read from disk, relative to
 * path's directory. All that is to be said goes to `diags`. Returns the configuration with one
 * reference, or NULL when there was an error among the diagnostics and keep_faulty is not set,
 * or it could not be read at all. */
struct maui_config *maui_config_parse(const char *path, const char *text, size_t length,
				      const struct maui_config_context *context,
				      struct maui_diags *diags);

/* Reads the file first. A file that cannot be read is a diagnostic, too. */
struct maui_config *maui_config_load(const char *path, const struct maui_config_context *context,
				     struct maui_diags *diags);

struct maui_config *maui_config_ref(struct maui_config *config);
void maui_config_unref(struct maui_config *config); /* NULL is fine */

/* The weights that hold in a partition (NULL: all). */
const struct maui_priority_config *maui_config_priority(const struct maui_config *config,
							const char *partition);

/* How jobs of a partition are planned (NULL: where no partition is named). */
const struct maui_planning_config *maui_config_planning(const struct maui_config *config,
							const char *partition);

/* NODECFG's PRIORITY of a node, its own or DEFAULT's; 0: nothing is said. */
double maui_config_node_priority(const struct maui_config *config, const char *name);

/* What maui.cfg says of one credential; never NULL. A NULL name is a job without such a
 * credential: nothing is set. */
const struct maui_cred_config *maui_config_cred(const struct maui_config *config,
						enum maui_cred_kind kind, const char *name);

#endif
