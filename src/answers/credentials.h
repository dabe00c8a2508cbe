/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials.h - answers "credentials": users, groups, accounts, classes, QOS
 *
 * For each credential that maui.cfg names or a job has: its settings, its limits and what is in use
 * of them.
 */
#ifndef MAUI_ANSWERS_CREDENTIALS_H
#define MAUI_ANSWERS_CREDENTIALS_H

#include "answers/question.h"

/* In and out: verbs/credentials.h. NULL with the error: unknown kind or name, more names than an
 * answer may have, no plan yet, no memory. */
const void *maui_answer_credentials(const struct maui_question *q, const void *args);

#endif
