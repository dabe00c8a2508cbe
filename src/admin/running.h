/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running.h - the running jobs on nodes of a setres reservation
 *
 * Rules: RSV-38.
 */
#ifndef MAUI_ADMIN_RUNNING_H
#define MAUI_ADMIN_RUNNING_H

#include "answers/question.h"
#include "verbs/setres.h"

/* Fills `running` and `running_jobs` of the answer: the jobs on nodes of the reservation that still
 * run when it begins, as far as the asker may see them. -1 without memory, with the error. */
int maui_admin_running(const struct maui_question *q, const struct maui_document_rsv *rsv,
		       struct maui_setres *ret);

#endif
