/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - the verb "snapshot": what the last plan was made from, for maui snapshot and maui
 * whatif
 *
 * Rules: CMD-35.
 */
#ifndef MAUI_VERBS_SNAPSHOT_H
#define MAUI_VERBS_SNAPSHOT_H

#include "verbs/verb.h"

#define MAUI_SNAPSHOT_ANSWER_FIELDS(F, R)                    \
	F(R, TEXT, cluster, "")                              \
	F(R, INT, time, "of the plan")                       \
	F(R, BOOL, complete, "false: some names are hidden") \
	F(R, RAW, snapshot, "maui.snapshot.v1: doc/snapshot.md")
MAUI_RECORD(maui_snapshot_answer, MAUI_SNAPSHOT_ANSWER_FIELDS);

MAUI_QUESTION(snapshot, WHOLE, NULL, &maui_snapshot_answer_type,
	      "what the last plan was made from (doc/snapshot.md)");

#endif
