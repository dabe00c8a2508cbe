/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - macros that write the rows of the schema tables; for params.c and attrs.c only
 *
 * A row is one macro call. The macro sets the status; its arguments are in the order name, type,
 * default, unit, words, index (parameters) or families (attributes), note, meaning. No string of a
 * row is NULL.
 */
#ifndef MAUI_CONFIG_SCHEMA_ROWS_H
#define MAUI_CONFIG_SCHEMA_ROWS_H

#include <stddef.h>

#include "base/limits.h"
#include "config/config.h"
#include "config/schema/schema.h"

#define ROW(n, t, d, u, w, i, f, st, no, me, te, sc, of, lo, hi) \
	ROW_WITH(n, t, d, u, w, i, f, st, no, me, te, sc, of, lo, hi, )
/* What else a row has, as in .in_setres = true. */
#define ROW_WITH(n, t, d, u, w, i, f, st, no, me, te, sc, of, lo, hi, ...)                     \
	{                                                                                      \
		.name = n, .type = MAUI_TYPE_##t, .def = d, .unit = u, .words = w, .index = i, \
		.family = f, .status = MAUI_##st, .note = no, .meaning = me, .test = te,       \
		.scope = MAUI_SCOPE_##sc, .offset = of, .min = lo, .max = hi, __VA_ARGS__      \
	}

/* Beginning of the note of a row that only the scheduler acts on. */
#define SCHED_NOTE "has effect under SchedulerType=sched/maui"

/* ---- parameters ---- */

#define PARAM(st, n, t, d, u, w, i, no, me) \
	ROW(n, t, d, u, w, MAUI_INDEX_##i, 0, st, no, me, "", RAW, 0, 0, 0)
#define ELSEWHERE(n, t, d, u, w, i, no, me) PARAM(SLURM_CONF, n, t, d, u, w, i, no, me)
#define WITHOUT(n, t, d, u, w, i, no, me)   PARAM(UNSUPPORTED, n, t, d, u, w, i, no, me)
/* SERVERMODE SIMULATION and the parameters that only the simulation reads. */
#define SIMULATION(n, t, d, u, w, me) \
	WITHOUT(n, t, d, u, w, NONE, "slurmctld has no simulation mode", me)

/* A family of *CFG[] lines. */
#define FAMILY(n, f, i, st, no, me, te) \
	ROW(n, ATTRS, "", "", "", MAUI_INDEX_##i, MAUI_FAMILY_##f, st, no, me, te, RAW, 0, 0, 0)

/* Of Moab's manual, not of Maui's: a value of any form, and a family whose attributes nobody
 * reads. */
#define MOAB_ROW(st, n, t, i, f, no, me)                                                         \
	ROW_WITH(n, t, "", "", "", MAUI_INDEX_##i, f, st, no, me ". Moab, appendix A.", "", RAW, \
		 0, 0, 0, .of_moab = true)
#define MOAB_CONF(n, no, me)       MOAB_ROW(SLURM_CONF, n, STRING, OTHER, 0, no, me)
#define MOAB_WITHOUT(n, no, me)    MOAB_ROW(UNSUPPORTED, n, STRING, OTHER, 0, no, me)
#define MOAB_FAMILY(n, st, no, me) MOAB_ROW(st, n, ATTRS, OTHER, MAUI_FAMILY_OTHER, no, me)

/* Whose attributes config/build/moab.c turns into Maui's settings. */
#define MOAB_READ(n, f, no, me, te)                                                             \
	ROW_WITH(n, ATTRS, "", "", "", MAUI_INDEX_OTHER, MAUI_FAMILY_##f, HONOURED, no, me, te, \
		 RAW, 0, 0, 0, .of_moab = true)

/* Honoured: a field of struct maui_config. */
#define GLOBAL(n, t, d, u, w, field, lo, hi, st, no, me)                     \
	ROW(n, t, d, u, w, MAUI_INDEX_NONE, 0, st, no, me, "own-" n, CONFIG, \
	    offsetof(struct maui_config, field), lo, hi)

/* The same of a word, where any other is an error. */
#define GLOBAL_NEEDED(n, d, w, field, no, me)                                               \
	ROW_WITH(n, WORD, d, "", w, MAUI_INDEX_NONE, 0, HONOURED, no, me, "own-" n, CONFIG, \
		 offsetof(struct maui_config, field), 0, 0, .word_needed = true)

/* Honoured by sched/maui: a field of struct maui_config. The note is appended to SCHED_NOTE: "" or
 * "; ...". */
#define SCHED_GLOBAL(n, t, d, u, w, field, lo, hi, no, me) \
	GLOBAL(n, t, d, u, w, field, lo, hi, HONOURED, SCHED_NOTE no, me)

/* The same for fields of struct maui_planning_config, by partition, and of struct
 * maui_stack_config, by number. */
#define SCHED_IN(sc, st, i, n, t, d, u, w, field, lo, hi, no, me)                        \
	ROW(n, t, d, u, w, MAUI_INDEX_##i, 0, HONOURED, SCHED_NOTE no, me, "own-" n, sc, \
	    offsetof(struct st, field), lo, hi)
#define PLANNING(n, t, d, u, w, field, no, me) \
	SCHED_IN(PLANNING, maui_planning_config, PARTITION, n, t, d, u, w, field, 0, 0, no, me)
#define PER_STACK(n, t, d, field, me) \
	SCHED_IN(STACK, maui_stack_config, STACK, n, t, d, "", "", field, -1e9, 1e9, "", me)

/* Honoured: config/build reads the settings themselves. */
#define FROM_SETTINGS(n, t, d, no, me) \
	ROW(n, t, d, "", "", MAUI_INDEX_NONE, 0, HONOURED, no, me, "own-" n, SETTINGS, 0, 0, 0)

/* Honoured: a field of struct maui_priority_config, for all partitions or the one of the index. */
#define PRIORITY(n, t, d, u, field, st, no, me)                                      \
	ROW(n, t, d, u, "", MAUI_INDEX_PARTITION, 0, st, no, me, "own-" n, PRIORITY, \
	    offsetof(struct maui_priority_config, field), 0, 0)
/* What each source of a factor (model/factor.h) says: text, status, note. */
#define SOURCE_MANUAL    "Manual 5.1.2."
#define STATUS_MANUAL    HONOURED
#define NOTE_MANUAL      ""
#define SOURCE_OWN       "slurm-maui's own."
#define STATUS_OWN       HONOURED
#define NOTE_OWN         ""
#define SOURCE_OF_PLANS  SOURCE_MANUAL
#define STATUS_OF_PLANS  HONOURED
#define NOTE_OF_PLANS    "only sched/maui counts bypasses; without it the count stays 0"
#define SOURCE_OF_LIMITS SOURCE_MANUAL
#define STATUS_OF_LIMITS HONOURED
#define NOTE_OF_LIMITS   "only sched/maui knows soft limits; without it the value stays 0"
#define SOURCE_NO_SWAP   SOURCE_MANUAL
#define STATUS_NO_SWAP   DIFFERENT
#define NOTE_NO_SWAP     "Slurm jobs ask for no swap: the value is always 0 there"
/* The weight and the cap of each factor and each component. */
#define WEIGHT_TEXT(what, component, source) \
	"Weight of " what " within the " component " component. " source
#define CAP_TEXT(what, source)                                                                   \
	"Upper bound of " what " before its weight is applied; 0 or below: none. Never a lower " \
	"bound. " source
#define FACTOR(name, component, title, rule, d, u, from, what)                                \
	PRIORITY(#name "WEIGHT", NUMBER, d, "", weight[MAUI_FACTOR_##name], STATUS_##from,    \
		 NOTE_##from, WEIGHT_TEXT(what, #component, SOURCE_##from)),                  \
		PRIORITY(#name "CAP", NUMBER, "0", u, cap[MAUI_FACTOR_##name], STATUS_##from, \
			 NOTE_##from, CAP_TEXT(what, SOURCE_##from)),
#define COMPONENT(name, n, what)                                                                  \
	PRIORITY(n "WEIGHT", NUMBER, "1", "", component_weight[MAUI_COMP_##name], HONOURED, "",   \
		 "Weight of the " #name " (" what                                                 \
		 ") component of a job's priority; applied after its cap. Manual 5.1.2."),        \
		PRIORITY(n "CAP", NUMBER, "0", "", component_cap[MAUI_COMP_##name], HONOURED, "", \
			 "Upper bound of the sum of the weighted subcomponents of the " #name     \
			 " (" what ") component, before the component's weight; 0 or below: "     \
			 "none. Manual 5.1.2."),

/* ---- attributes ---- */

#define ATTR(st, n, t, d, u, w, f, no, me) \
	ROW(n, t, d, u, w, MAUI_INDEX_NONE, f, st, no, me, "", RAW, 0, 0, 0)
/* Of Moab's manual, not of Maui's. */
#define MOAB_ATTR(st, n, f, no, me)                                                            \
	ROW_WITH(n, STRING, "", "", "", MAUI_INDEX_NONE, f, st, no, me ". Moab's manual.", "", \
		 RAW, 0, 0, 0, .of_moab = true)
#define MOAB_ATTR_READ(n, f, no, me, te)                                                           \
	ROW_WITH(n, LIST, "", "", "", MAUI_INDEX_NONE, f, HONOURED, no, me, te, SETTINGS, 0, 0, 0, \
		 .of_moab = true)
#define MOAB_ATTR_CONF(n, f, no, me)    MOAB_ATTR(SLURM_CONF, n, f, no, me)
#define MOAB_ATTR_WITHOUT(n, f, no, me) MOAB_ATTR(UNSUPPORTED, n, f, no, me)
/* Honoured: a field of struct maui_cred_config. */
#define CRED(n, t, d, u, f, field, no, me)                                            \
	ROW(n, t, d, u, "", MAUI_INDEX_NONE, f, HONOURED, no, me, "own-CFG." n, CRED, \
	    offsetof(struct maui_cred_config, field), 0, 0)
/* The same for sched/maui; the note is appended to SCHED_NOTE. */
#define CRED_SCHED(n, t, d, u, w, f, sc, field, no, me)                                       \
	ROW(n, t, d, u, w, MAUI_INDEX_NONE, f, HONOURED, SCHED_NOTE no, me, "own-CFG." n, sc, \
	    offsetof(struct maui_cred_config, field), 0, 0)

#endif
