/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factor.h - the components and subcomponents of a job's priority (Maui manual 5.1.2) */
#ifndef MAUI_MODEL_FACTOR_H
#define MAUI_MODEL_FACTOR_H

enum maui_component {
	MAUI_COMP_SERV,
	MAUI_COMP_TARG,
	MAUI_COMP_CRED,
	MAUI_COMP_FS,
	MAUI_COMP_RES,
	MAUI_COMP_USAGE,
	MAUI_COMP_COUNT
};

/* Grouped by component; the five of CRED and of FS in the order of enum maui_cred_kind. */
enum maui_factor {
	MAUI_FACTOR_QUEUETIME,
	MAUI_FACTOR_XFACTOR,
	MAUI_FACTOR_BYPASS,
	MAUI_FACTOR_SPVIOLATION,
	MAUI_FACTOR_TARGETQUEUETIME,
	MAUI_FACTOR_TARGETXFACTOR,
	MAUI_FACTOR_USER,
	MAUI_FACTOR_GROUP,
	MAUI_FACTOR_ACCOUNT,
	MAUI_FACTOR_QOS,
	MAUI_FACTOR_CLASS,
	MAUI_FACTOR_FSUSER,
	MAUI_FACTOR_FSGROUP,
	MAUI_FACTOR_FSACCOUNT,
	MAUI_FACTOR_FSQOS,
	MAUI_FACTOR_FSCLASS,
	MAUI_FACTOR_NODE,
	MAUI_FACTOR_PROC,
	MAUI_FACTOR_MEM,
	MAUI_FACTOR_SWAP,
	MAUI_FACTOR_DISK,
	MAUI_FACTOR_GRES,
	MAUI_FACTOR_PS,
	MAUI_FACTOR_PE,
	MAUI_FACTOR_WALLTIME,
	MAUI_FACTOR_UPROC,
	MAUI_FACTOR_UJOB,
	MAUI_FACTOR_USAGECONSUMED,
	MAUI_FACTOR_USAGEREMAINING,
	MAUI_FACTOR_USAGEEXECUTIONTIME,
	MAUI_FACTOR_USAGEPERCENT,
	MAUI_FACTOR_COUNT
};

/* "QUEUETIME", ...: the parameter's name without WEIGHT. */
const char *maui_factor_name(enum maui_factor factor);
/* "SERV", ... */
const char *maui_component_name(enum maui_component component);
/* The component to which a factor belongs. */
enum maui_component maui_factor_component(enum maui_factor factor);

#endif
