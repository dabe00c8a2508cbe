/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factor.c - names and places of the priority factors */

#include "model/factor.h"

static const struct {
	const char *name;
	enum maui_component component;
} factors[MAUI_FACTOR_COUNT] = {
	[MAUI_FACTOR_QUEUETIME] = { "QUEUETIME", MAUI_COMP_SERV },
	[MAUI_FACTOR_XFACTOR] = { "XFACTOR", MAUI_COMP_SERV },
	[MAUI_FACTOR_BYPASS] = { "BYPASS", MAUI_COMP_SERV },
	[MAUI_FACTOR_SPVIOLATION] = { "SPVIOLATION", MAUI_COMP_SERV },
	[MAUI_FACTOR_TARGETQUEUETIME] = { "TARGETQUEUETIME", MAUI_COMP_TARG },
	[MAUI_FACTOR_TARGETXFACTOR] = { "TARGETXFACTOR", MAUI_COMP_TARG },
	[MAUI_FACTOR_USER] = { "USER", MAUI_COMP_CRED },
	[MAUI_FACTOR_GROUP] = { "GROUP", MAUI_COMP_CRED },
	[MAUI_FACTOR_ACCOUNT] = { "ACCOUNT", MAUI_COMP_CRED },
	[MAUI_FACTOR_QOS] = { "QOS", MAUI_COMP_CRED },
	[MAUI_FACTOR_CLASS] = { "CLASS", MAUI_COMP_CRED },
	[MAUI_FACTOR_FSUSER] = { "FSUSER", MAUI_COMP_FS },
	[MAUI_FACTOR_FSGROUP] = { "FSGROUP", MAUI_COMP_FS },
	[MAUI_FACTOR_FSACCOUNT] = { "FSACCOUNT", MAUI_COMP_FS },
	[MAUI_FACTOR_FSQOS] = { "FSQOS", MAUI_COMP_FS },
	[MAUI_FACTOR_FSCLASS] = { "FSCLASS", MAUI_COMP_FS },
	[MAUI_FACTOR_NODE] = { "NODE", MAUI_COMP_RES },
	[MAUI_FACTOR_PROC] = { "PROC", MAUI_COMP_RES },
	[MAUI_FACTOR_MEM] = { "MEM", MAUI_COMP_RES },
	[MAUI_FACTOR_SWAP] = { "SWAP", MAUI_COMP_RES },
	[MAUI_FACTOR_DISK] = { "DISK", MAUI_COMP_RES },
	[MAUI_FACTOR_GRES] = { "GRES", MAUI_COMP_RES },
	[MAUI_FACTOR_PS] = { "PS", MAUI_COMP_RES },
	[MAUI_FACTOR_PE] = { "PE", MAUI_COMP_RES },
	[MAUI_FACTOR_WALLTIME] = { "WALLTIME", MAUI_COMP_RES },
	[MAUI_FACTOR_UPROC] = { "UPROC", MAUI_COMP_RES },
	[MAUI_FACTOR_UJOB] = { "UJOB", MAUI_COMP_RES },
	[MAUI_FACTOR_USAGECONSUMED] = { "USAGECONSUMED", MAUI_COMP_USAGE },
	[MAUI_FACTOR_USAGEREMAINING] = { "USAGEREMAINING", MAUI_COMP_USAGE },
	[MAUI_FACTOR_USAGEEXECUTIONTIME] = { "USAGEEXECUTIONTIME", MAUI_COMP_USAGE },
	[MAUI_FACTOR_USAGEPERCENT] = { "USAGEPERCENT", MAUI_COMP_USAGE },
};

static const char *const components[MAUI_COMP_COUNT] = {
	[MAUI_COMP_SERV] = "SERV", [MAUI_COMP_TARG] = "TARG", [MAUI_COMP_CRED] = "CRED",
	[MAUI_COMP_FS] = "FS",     [MAUI_COMP_RES] = "RES",   [MAUI_COMP_USAGE] = "USAGE",
};

const char *maui_factor_name(enum maui_factor factor)
{
	return factor < MAUI_FACTOR_COUNT ? factors[factor].name : "?";
}

const char *maui_component_name(enum maui_component component)
{
	return component < MAUI_COMP_COUNT ? components[component] : "?";
}

enum maui_component maui_factor_component(enum maui_factor factor)
{
	return factors[factor].component;
}
