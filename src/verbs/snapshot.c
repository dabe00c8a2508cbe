/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - the verb "snapshot" */

#include "verbs/snapshot.h"

MAUI_RECORD_TYPE(maui_snapshot_answer, MAUI_SNAPSHOT_ANSWER_FIELDS);

MAUI_VERB(snapshot, NODES, NULL, &maui_snapshot_answer_type,
	  "what the last plan was made from (doc/snapshot.md)");
