/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential_use.h - what the jobs of each credential use and ask for, as limits count it */
#ifndef MAUI_ANSWERS_CREDENTIAL_USE_H
#define MAUI_ANSWERS_CREDENTIAL_USE_H

#include "plan/finished.h"
#include "policy/throttle/throttle.h"

struct maui_credential_use {
	struct maui_throttle *active; /* jobs that run, and suspended ones */
	struct maui_throttle *idle;   /* jobs that wait in the queue */
};

/* -1 without memory. */
int maui_credential_use_count(const struct maui_plan *plan, struct maui_credential_use *ret);
void maui_credential_use_finish(struct maui_credential_use *use);

#endif
