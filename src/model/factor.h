/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factor.h - the components and factors of a job's priority (Maui manual 5.1.2)
 *
 * The lists below are the only ones: the enums, maui.cfg's weights and caps with their manual, the
 * titles of diagnose -p and the rules that golden cases cite are made from them. A new factor is a
 * row at the end of its component; policy/priority.c computes its value. CONTRIBUTING.md has the
 * steps.
 */
#ifndef MAUI_MODEL_FACTOR_H
#define MAUI_MODEL_FACTOR_H

/* C(component, beginning of its parameters' names, what it is called) */
#define MAUI_COMPONENTS(C)            \
	C(SERV, "SERVICE", "service") \
	C(TARG, "TARGET", "target")   \
	C(CRED, "CRED", "credential") \
	C(FS, "FS", "fairshare")      \
	C(RES, "RES", "resource")     \
	C(USAGE, "USAGE", "running jobs")

/* F(name, component, title of diagnose -p, rule, default of NAMEWEIGHT, unit of NAMECAP, source,
 * what is weighed and capped). Sources: the MANUAL, our OWN ruling, or the manual with one of the
 * notes of config/schema/rows.h (OF_PLANS, OF_LIMITS, NO_SWAP). Grouped by component; the five of
 * CRED and of FS in the order of enum maui_cred_kind. */
/* clang-format off */
#define MAUI_FACTORS(F) \
	F(QUEUETIME, SERV, "QTime", "PRIO-6", "1", "min", MANUAL, \
	  "the effective queue time in minutes") \
	F(XFACTOR, SERV, "XFctr", "PRIO-6", "0", "", MANUAL, \
	  "the expansion factor (1 + effective queue time / time limit)") \
	F(BYPASS, SERV, "Bypss", "PRIO-7", "0", "", OF_PLANS, \
	  "the number of times that a job of lower priority was backfilled past this one") \
	F(SPVIOLATION, SERV, "SPVio", "PRIO-7", "0", "", OF_LIMITS, \
	  "a violation of a soft limit (1 or 0)") \
	F(TARGETQUEUETIME, TARG, "QTime", "PRIO-8", "0", "", MANUAL, \
	  "the nearness to the QOS's queue time target (QTTARGET; it grows steeply close to " \
	  "it)") \
	F(TARGETXFACTOR, TARG, "XFctr", "PRIO-8", "0", "", MANUAL, \
	  "the nearness to the QOS's expansion factor target (XFTARGET; it grows steeply " \
	  "close to it)") \
	F(USER, CRED, "User", "PRIO-3", "0", "", MANUAL, "the user's PRIORITY") \
	F(GROUP, CRED, "Group", "PRIO-3", "0", "", MANUAL, "the group's PRIORITY") \
	F(ACCOUNT, CRED, "Accnt", "PRIO-3", "0", "", MANUAL, "the account's PRIORITY") \
	F(QOS, CRED, "QOS", "PRIO-3", "0", "", MANUAL, "the QOS's PRIORITY") \
	F(CLASS, CRED, "Class", "PRIO-3", "0", "", MANUAL, \
	  "the class's PRIORITY (else the partition's PriorityJobFactor)") \
	F(FSUSER, FS, "User", "FS-5", "0", "", MANUAL, \
	  "the user's distance from the fairshare target") \
	F(FSGROUP, FS, "Group", "FS-5", "0", "", MANUAL, \
	  "the group's distance from its fairshare target") \
	F(FSACCOUNT, FS, "Accnt", "FS-5", "0", "", MANUAL, \
	  "the account's distance from its fairshare target") \
	F(FSQOS, FS, "QOS", "FS-5", "0", "", MANUAL, \
	  "the QOS's distance from its fairshare target") \
	F(FSCLASS, FS, "Class", "FS-5", "0", "", MANUAL, \
	  "the class's distance from its fairshare target") \
	F(NODE, RES, "Node", "PRIO-4", "0", "nodes", MANUAL, \
	  "the number of nodes a job asks for") \
	F(PROC, RES, "Proc", "PRIO-4", "0", "procs", MANUAL, \
	  "the number of processors a job asks for") \
	F(MEM, RES, "Mem", "PRIO-4", "0", "MB", MANUAL, \
	  "the memory (MB, all tasks) a job asks for") \
	F(SWAP, RES, "Swap", "PRIO-4", "0", "MB", NO_SWAP, \
	  "the swap (MB, all tasks) a job asks for") \
	F(DISK, RES, "Disk", "PRIO-4", "0", "MB", MANUAL, \
	  "the temporary disk (MB, all tasks) a job asks for") \
	F(GRES, RES, "GPU", "PRIO-4", "0", "GPUs", OWN, \
	  "the GPUs (of all tasks, each as GRESCFG WEIGHT counts it) a job asks for") \
	F(PS, RES, "PS", "PRIO-4", "0", "proc-s", MANUAL, \
	  "the processor-seconds (processors times time limit) a job asks for") \
	F(PE, RES, "PE", "PRIO-5", "0", "PE", MANUAL, \
	  "the processor equivalents a job asks for (its largest share of the machine's " \
	  "processors, memory, disk or GPUs)") \
	F(WALLTIME, RES, "WallT", "PRIO-4", "0", "s", MANUAL, \
	  "the time limit (s) a job asks for") \
	F(UPROC, RES, "UProc", "PRIO-4", "0", "procs", MANUAL, \
	  "the number of processors the user's running jobs hold") \
	F(UJOB, RES, "UJobs", "PRIO-4", "0", "jobs", MANUAL, \
	  "the number of jobs the user has running") \
	F(USAGECONSUMED, USAGE, "Used", "PRIO-11", "0", "proc-s", MANUAL, \
	  "the processor-seconds a running job has had") \
	F(USAGEREMAINING, USAGE, "Left", "PRIO-11", "0", "proc-s", MANUAL, \
	  "the processor-seconds a running job has left") \
	F(USAGEEXECUTIONTIME, USAGE, "Exec", "PRIO-11", "0", "s", MANUAL, \
	  "the seconds a running job has run") \
	F(USAGEPERCENT, USAGE, "Perct", "PRIO-11", "0", "%", MANUAL, \
	  "the percentage of its time limit a running job has used")
/* clang-format on */

enum maui_component {
#define MAUI_COMPONENT(name, ...) MAUI_COMP_##name,
	MAUI_COMPONENTS(MAUI_COMPONENT)
#undef MAUI_COMPONENT
		MAUI_COMP_COUNT
};

enum maui_factor {
#define MAUI_FACTOR(name, ...) MAUI_FACTOR_##name,
	MAUI_FACTORS(MAUI_FACTOR)
#undef MAUI_FACTOR
		MAUI_FACTOR_COUNT
};

/* "QUEUETIME", ...: the parameter's name without WEIGHT. */
const char *maui_factor_name(enum maui_factor factor);
/* "QTime", ...: of its column in diagnose -p. */
const char *maui_factor_title(enum maui_factor factor);
/* "SERV", ... */
const char *maui_component_name(enum maui_component component);
/* The component to which a factor belongs. */
enum maui_component maui_factor_component(enum maui_factor factor);

#endif
