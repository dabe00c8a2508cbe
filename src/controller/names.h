/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.h - names of users and groups, never looked up while a lock is held
 *
 * A name service may take seconds. So the agent resolves ids: those that maui.cfg names beforehand,
 * others when their jobs turn up. Until then a user counts as unnamed, and DEFAULT applies.
 * Thread safety: the controller's lock, except where said. Returned texts live as long as the
 * table.
 */
#ifndef MAUI_CONTROLLER_NAMES_H
#define MAUI_CONTROLLER_NAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "config/config.h"

struct maui_names {
	struct maui_hashtable users, groups; /* id -> struct maui_name */
	struct maui_hashtable texts;         /* hash -> interned texts (partition names) */
	bool wanted;                         /* somebody asked for an id that is not resolved */
};

enum maui_name_state {
	MAUI_NAME_NEW, /* not asked yet */
	MAUI_NAME_RESOLVED,
	MAUI_NAME_UNKNOWN, /* the name service says there is no such id */
	MAUI_NAME_FAILED,  /* no answer: asked again every cycle, nothing is charged meanwhile */
};

struct maui_name {
	uint32_t id;
	enum maui_name_state state;
	int64_t tried_s;
	const char *text;       /* never freed or changed while the table lives: a new name is a new
			     text */
	struct maui_name *next; /* of older texts and hash neighbours */
	double active_procs, active_jobs; /* users: what they run now (UPROC, UJOB) */
	double next_procs, next_jobs;     /* the same, being counted */
};

/* How long a walk of questions may go on. */
struct maui_names_patience {
	const bool *stop;   /* read without the lock; NULL: none */
	int64_t deadline_s; /* time(); 0: none */
};

void maui_names_finish(struct maui_names *names);

/* The name, or the number as text. NULL only without memory. */
const char *maui_names_user(struct maui_names *names, uint32_t uid);
const char *maui_names_group(struct maui_names *names, uint32_t gid);
struct maui_name *maui_names_find_user(struct maui_names *names, uint32_t uid);

/* One copy of a text for good. */
const char *maui_names_intern(struct maui_names *names, const char *text);

/* Whether usage of this user and group may be charged: not while the name service fails. */
bool maui_names_settled(const struct maui_names *names, uint32_t uid, uint32_t gid);

/* Asks the name service for the ids that turned up since. Takes `lock` only to read and store. */
void maui_names_learn(struct maui_names *names, pthread_mutex_t *lock,
		      const struct maui_names_patience *patience);

/* Asks for the ids of users and groups that maui.cfg names, so that they are known before their
 * first job comes; with `all` also for those known already, whose names may have changed. */
void maui_names_refresh(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_config *config, bool all,
			const struct maui_names_patience *patience);

#endif
