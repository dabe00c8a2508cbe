/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - answers "snapshot": the last plan's input as maui.snapshot.v1
 *
 * What PrivateData hides from the asker is there without names, because the plan would be wrong
 * without it; `complete` is then false.
 *
 * Rules: CMD-35.
 */
#ifndef MAUI_ANSWERS_SNAPSHOT_H
#define MAUI_ANSWERS_SNAPSHOT_H

#include "answers/question.h"

/* Returns a struct maui_snapshot_answer; NULL with the error: there is no plan yet, nodes are
 * hidden, the answer would be too large, no memory. */
const void *maui_answer_snapshot(const struct maui_question *q, const void *args);

#endif
