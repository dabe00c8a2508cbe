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

#include "base/limits.h"
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

/* Weights and caps: one struct for all partitions, and one for each partition that a line names as
 * its index. */
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

/* One setting as written, in the order of the files. An attribute line has one setting for each
 * attribute. */
struct maui_setting {
	const struct maui_param *param;
	const struct maui_param *attr;  /* NULL for a plain parameter */
	const struct maui_alias *alias; /* the older spelling of the line; NULL: none */
	char *index;                    /* NULL: none */
	char *sub;                      /* MAXJOB[USER:steve]: "USER:steve"; NULL: none */
	char *value;
	const char *file;                  /* one of the configuration's files */
	uint32_t line, column;             /* 0: of a text that is no file */
	uint32_t value_line, value_column; /* of the value's first byte */
	size_t value_length;               /* bytes of the value that are contiguous in the file */
	bool quoted_index;                 /* the index stands in double quotes */
	bool adds; /* written ATTR+=: once built, `value` begins with that of the one before */
	/* the next one that sets the same thing, so that this one has no effect; NULL: none. One
	 * that is ignored replaces nothing. */
	const struct maui_setting *replaced;
	bool ignored; /* nothing in it counts: a diagnostic has the reason */
};

/* Whether no later one replaced it, and it is not ignored. */
static inline bool maui_setting_counts(const struct maui_setting *s)
{
	return !s->replaced && !s->ignored;
}

enum { MAUI_ADMIN_LEVELS = 3 }; /* ADMIN1, ADMIN2, ADMIN3 */

struct maui_config {
	struct maui_priority_config priority; /* all partitions */
	struct maui_planning_config planning; /* likewise */
	struct maui_partition_config *partitions;
	size_t partition_count, partition_alloc;
	bool too_many_partitions; /* reported once; later partitions are ignored */
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

	struct maui_named_numbers node_ranks;   /* NODECFG[node] PRIORITY */
	struct maui_named_numbers gres_weights; /* GRESCFG[name or name:type] WEIGHT */
	struct maui_stack_config *stacks;       /* sorted by number; stack 0 always exists */
	size_t stack_count, stack_alloc;
	int64_t backfill_max_schedules;        /* BACKFILLMAXSCHEDULES */
	int node_access;                       /* enum maui_node_access */
	uint64_t node_match;                   /* JOBNODEMATCHPOLICY: MAUI_MATCH_* */
	struct maui_node_set_config node_sets; /* NODESET... */
	int server_mode;                       /* enum maui_server_mode */
	int preempt_policy;                    /* enum maui_preempt_policy */
	int het_jobs;                          /* HETJOBS: 1 ON */
	bool multi_requests;                   /* ENABLEMULTIREQJOBS: the same */
	/* DEFERTIME in seconds, 0: never defer; DEFERCOUNT: deferrals before a hold;
	 * DEFERSTARTCOUNT: refused starts before a deferral, >= 1 */
	int64_t defer_time_s, defer_count, defer_start_count;
	int64_t max_start_s; /* JOBMAXSTARTTIME; <= 0: none */

	struct maui_rsv *rsvs; /* SRCFG, in the order of first appearance */
	size_t rsv_count, rsv_alloc;
	struct maui_rsv_names rsv_names; /* names of rsvs; places are indices of rsvs */
	int64_t res_depth;               /* RESDEPTH: reservations on a node; <= 0: no limit */
	int res_ctl_any; /* RESCTLPOLICY: 1 ANY user may create reservations, 0 ADMINONLY */
	/* RESCTLMAX...: bounds of the reservations that each user makes. Processors 0: a tenth of
	 * the cluster's; processor-seconds 0: no bound of their own */
	int64_t res_max_count, res_max_procs, res_max_ps, res_max_length_s, res_max_ahead_s;
	int mirror;                                  /* enum maui_mirror */
	int reason_style;                            /* enum maui_reason_style */
	struct maui_words admins[MAUI_ADMIN_LEVELS]; /* names of users */
	char *query_socket; /* QUERYSOCKET; NULL or "": the default of query/path.h */

	struct maui_setting *settings;
	size_t setting_count, setting_alloc;
	/* the files; the first is maui.cfg itself. `at`: where the file begins in `text` */
	char **files;
	size_t file_at[MAUI_CONFIG_MAX_FILES + MAUI_CONFIG_MAX_CHANGES];
	uint64_t file_hash[MAUI_CONFIG_MAX_FILES + MAUI_CONFIG_MAX_CHANGES]; /* of the bytes */
	size_t file_count, file_alloc;
	/* all files in reading order, as one text without #INCLUDE: what is saved as
	 * maui.cfg.good */
	char *text;
	size_t text_length;
	unsigned refs; /* atomic */
};

struct maui_slurm_settings; /* check/slurm_settings.h */

/* What the checks of a file need beyond the file. */
struct maui_config_context {
	const char *scheduler_type; /* SchedulerType of slurm.conf; NULL: unknown, not checked */
	const struct maui_slurm_settings *slurm; /* what else of it matters; NULL: likewise */
	/* a file without settings is an error, because it may be truncated */
	bool require_settings;
	/* also return a configuration with errors, for further checks only, never to be put in
	 * force */
	bool keep_faulty;
	const char *blank; /* for tests: ignore this parameter (NAME or FAMILY.ATTR) */
};

/* Parses `text` (any bytes) as the file `path`. #INCLUDEd files are read from disk, relative to the
 * directory of `path`. All diagnostics go to `diags`. Returns the configuration with one reference;
 * NULL if a diagnostic is an error and keep_faulty is not set, or if nothing could be read. */
struct maui_config *maui_config_parse(const char *path, const char *text, size_t length,
				      const struct maui_config_context *context,
				      struct maui_diags *diags);

/* Reads the file, then parses it. A file that cannot be read is reported as a diagnostic. */
struct maui_config *maui_config_load(const char *path, const struct maui_config_context *context,
				     struct maui_diags *diags);

/* Reads the files of the configuration again. Whether one of them has other bytes now, or cannot be
 * read: `ret_how` says which. */
bool maui_config_has_changed(const struct maui_config *config, struct maui_err *ret_how);

/* Lines that are added to a configuration: changeparam. */
struct maui_config_lines {
	char *name; /* stands for a file name in origins and messages */
	char *text;
};

/* The configuration that the same files make with these lines behind them; nothing is read from
 * disk. NULL if a diagnostic is an error. */
struct maui_config *maui_config_extend(const struct maui_config *config,
				       const struct maui_config_lines *lines, size_t count,
				       const struct maui_config_context *context,
				       struct maui_diags *diags);

struct maui_config *maui_config_ref(struct maui_config *config);
void maui_config_unref(struct maui_config *config); /* NULL is fine */

/* The weights in force for a partition; NULL: for all partitions. */
const struct maui_priority_config *maui_config_priority(const struct maui_config *config,
							const char *partition);

/* The planning parameters of a partition; NULL: those of all partitions. */
const struct maui_planning_config *maui_config_planning(const struct maui_config *config,
							const char *partition);

/* Whether jobs preempt others by maui.cfg: a QOS has PREEMPTOR, a reservation OWNERPREEMPT, or
 * BACKFILLPOLICY is PREEMPT. */
bool maui_config_preempts(const struct maui_config *config);

/* Whether a job whose QOS has these flags may preempt others, wherever it runs, under the planning
 * parameters of its partition; PreemptType of slurm.conf does not count here. */
bool maui_config_is_preemptor(const struct maui_planning_config *planning, uint64_t qos_flags);

/* PRIORITY of NODECFG[name], else of NODECFG[DEFAULT]; 0: neither is set. */
double maui_config_node_priority(const struct maui_config *config, const char *name);

/* How much one of a generic resource counts (PRIO-4): WEIGHT of GRESCFG[name:type], else of
 * GRESCFG[name], else 1 of a GPU and 0 of anything else. `type` NULL or "": none. The name ends at
 * its colon, if it has one. */
double maui_config_gres_weight(const struct maui_config *config, const char *name,
			       const char *type);

/* The settings of one credential; never NULL. A NULL name stands for a job without a credential of
 * this kind: no setting applies. */
const struct maui_cred_config *maui_config_cred(const struct maui_config *config,
						enum maui_cred_kind kind, const char *name);
/* Which of a job's credentials (NULL or "": none) maui.cfg names: a bit for each kind. */
unsigned maui_config_named(const struct maui_config *config, const char *const *cred);

#endif
