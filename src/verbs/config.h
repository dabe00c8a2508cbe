/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - the verb "config": the maui.cfg that is in force, and one that was refused, for
 * showconfig
 *
 * Rules: CMD-9, CMD-32.
 */
#ifndef MAUI_VERBS_CONFIG_H
#define MAUI_VERBS_CONFIG_H

#include "verbs/refused.h"
#include "verbs/verb.h"

#define MAUI_CONFIG_ARGS_FIELDS(F, R) F(R, TEXT, name, "a parameter or an attribute; absent: all")
MAUI_RECORD(maui_config_args, MAUI_CONFIG_ARGS_FIELDS);

#define MAUI_CONFIG_PARAMETER_FIELDS(F, R)                                               \
	F(R, TEXT, name, "`FSPOLICY`, `USERCFG[amy] MAXJOB`")                            \
	F(R, TEXT, value, "as in maui.cfg; null: none")                                  \
	F(R, TEXT_AS, def, "null: none", "default")                                      \
	F(R, TEXT, origin, "`maui.cfg:3`, `default`")                                    \
	F(R, BOOL, set, "by a line of maui.cfg")                                         \
	F(R, BOOL, attribute, "the name ends with that of an attribute")                 \
	F(R, TEXT, status,                                                               \
	  "honoured, different, ignored, not yet, belongs to slurm.conf, not supported") \
	F(R, BOOL, honoured, "it has an effect, maybe another than in Maui")
MAUI_RECORD(maui_config_parameter, MAUI_CONFIG_PARAMETER_FIELDS);

#define MAUI_CONFIG_ANSWER_FIELDS(F, R)                                                         \
	F(R, TEXT, cluster, "")                                                                 \
	F(R, INT, time, "")                                                                     \
	F(R, TEXT, version, "of slurm-maui")                                                    \
	F(R, TEXT, slurm_version, "")                                                           \
	F(R, TEXT, path, "of maui.cfg")                                                         \
	F(R, TIME, read, "when what is in force was read")                                      \
	F(R, INT, read_us, "when slurmctld last looked at the file, good or not: microseconds") \
	F(R, INT, warning_count, "of lines of maui.cfg, and of names in them")                  \
	F(R, TEXT, unread,                                                                      \
	  "how the file on the disk differs from what was read; null: not at all")              \
	F(R, TIME, unread_since, "when slurmctld first saw that; 0: never")                     \
	F(R, MAYBE_ONE, refused, "absent: slurmctld did not refuse the file", maui_refused)     \
	F(R, LIST, parameters, "in the order of the schema", maui_config_parameter)
MAUI_RECORD(maui_config_answer, MAUI_CONFIG_ANSWER_FIELDS);

MAUI_QUESTION(config, ALL, &maui_config_args_type, &maui_config_answer_type,
	      "the configuration in force, or one parameter of it");

#endif
