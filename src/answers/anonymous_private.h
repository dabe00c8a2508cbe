/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anonymous_private.h - what PrivateData hides of one saved plan, for anonymous*.c only */
#ifndef MAUI_ANSWERS_ANONYMOUS_PRIVATE_H
#define MAUI_ANSWERS_ANONYMOUS_PRIVATE_H

#include "answers/own_creds.h"
#include "base/hashtable.h"
#include "state/saved_plan/saved_plan.h"

/* The kind of a reservation's name, next to those of credentials. */
#define MAUI_HIDING_RSV MAUI_CRED_COUNT

struct maui_hiding {
	const struct maui_document *p;
	uid_t uid;
	const uint32_t *idle_of;
	struct maui_saved_plan *plan;
	struct maui_snapshot *s;
	struct maui_arena *arena;
	struct maui_own_creds own;
	struct maui_hashtable aliases;
	unsigned last[MAUI_HIDING_RSV + 1]; /* numbers given so far */
	bool lines;                         /* lines of maui.cfg about credentials are hidden */
	bool any, failed;                   /* something was hidden; there was no memory */
};

/* The number that stands for a name; NULL for none. */
const char *maui_hiding_number(struct maui_hiding *h, int kind, const char *name);
/* The name itself if the user knows it; partitions are known to all. */
const char *maui_hiding_name(struct maui_hiding *h, int kind, const char *name);

/* anonymous_rsvs.c: reservations of setres, of maui.cfg and of Slurm. -1 without memory. */
int maui_hiding_rsvs(struct maui_hiding *h);

#endif
