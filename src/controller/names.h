/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.h - names of users and groups
 *
 * The agent has names looked up by an errand (name_service.h): users and groups of maui.cfg in
 * advance, others when their jobs arrive. It waits for the answers for a few seconds, but not while
 * a name service hangs that it waited for in vain. Until its name is known a user has none, and
 * DEFAULT applies.
 *
 * Thread safety: the controller's lock, except where a comment says otherwise. Returned texts live
 * as long as the table.
 */
#ifndef MAUI_CONTROLLER_NAMES_H
#define MAUI_CONTROLLER_NAMES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "config/config.h"
#include "controller/name_service.h"

struct maui_names {
	struct maui_hashtable users, groups; /* id -> struct maui_name */
	struct maui_hashtable texts;         /* hash -> interned texts (partition names) */
	bool wanted;                         /* an id was used that is not looked up yet */
	unsigned strangers;                  /* entries of that kind */
	bool forgettable;     /* some of them were looked up since they were forgotten */
	bool nameless_groups; /* some group has no name: own groups of users are known, too */

	/* the agent's, without the lock */
	struct maui_errand *errand;       /* to the name service; NULL: none is under way */
	bool hangs;                       /* the errand was waited for in vain */
	struct maui_hashtable configured; /* which names of maui.cfg exist */
	uint64_t news;                    /* changes whenever one of them turned out otherwise */
};

struct maui_name {
	uint32_t id;
	enum maui_name_state state;
	int64_t tried_s;
	/* only asked a question so far, and has no name yet: no job was the user's */
	bool stranger;
	uint32_t primary;       /* users: the id of their own group, once they are RESOLVED */
	const char *text;       /* never freed or changed while the table lives: a new name is a new
			     text */
	struct maui_name *next; /* older texts, and neighbours of the same hash */
	double active_procs, active_jobs; /* users: what they run now (UPROC, UJOB) */
	double next_procs, next_jobs;     /* the same, being counted */
};

/* How long the agent waits for answers. No lookup begins after that. */
struct maui_names_patience {
	const atomic_bool *stop; /* NULL: none */
	int64_t deadline_s;      /* time(); 0: none */
};

void maui_names_finish(struct maui_names *names);

/* The name, or the number as text. NULL only without memory. */
const char *maui_names_user(struct maui_names *names, uint32_t uid);
/* Of a job's group. When that has no name, the user's own group counts in its place, if it is
 * known. */
const char *maui_names_group(struct maui_names *names, uint32_t uid, uint32_t gid);

/* The same of a request that may come to nothing: an id that no job had yet is not looked up, and
 * its number is written into `buf`. */
const char *maui_names_known_user(const struct maui_names *names, uint32_t uid,
				  char buf[MAUI_NAME_NUMBER_SIZE]);
const char *maui_names_known_group(const struct maui_names *names, uint32_t uid, uint32_t gid,
				   char buf[MAUI_NAME_NUMBER_SIZE]);

/* The name of the user's primary group in the name service; a job may have another group. NULL:
 * not known, or not yet. */
const char *maui_names_primary_group(struct maui_names *names, uint32_t uid);
/* The user's entry, a new one for a new user. NULL only without memory. */
struct maui_name *maui_names_get_user(struct maui_names *names, uint32_t uid);

/* The entry of a user who asks a question. A new user is a stranger: a cycle looks up a few of
 * them, and those without a name are forgotten when there are too many. NULL: too many wait to be
 * looked up, or no memory. */
struct maui_name *maui_names_get_asker(struct maui_names *names, uint32_t uid);

/* A copy of the text that lives as long as the table, one for equal texts. */
const char *maui_names_intern(struct maui_names *names, const char *text);

/* Whether usage of this user and group may be charged: not while the name service fails. */
bool maui_names_are_known(const struct maui_names *names, uint32_t uid, uint32_t gid);

/* Which of the two have a name, of the group as it counts: a bit for each kind of credential
 * (state/usage.h). */
unsigned maui_names_with_names(const struct maui_names *names, uint32_t uid, uint32_t gid);

/* ---- by the agent, without the lock, which they take only to read and store ---- */

/* Looks up the ids that were used since, of strangers MAUI_NAMES_STRANGERS_A_CYCLE, and again those
 * without a name, MAUI_NAMES_NAMELESS_A_CYCLE. */
void maui_names_look_up(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_names_patience *patience);

/* Looks up this user alone, unless that was done. false: the name service has not answered yet. */
bool maui_names_look_up_user(struct maui_names *names, uint32_t uid, pthread_mutex_t *lock,
			     const struct maui_names_patience *patience);

/* Begins to look up the users and groups that maui.cfg names, in ADMIN1 to ADMIN3 and SRCFG too, so
 * that they are known before their first job or question. With `all`, known names are looked up
 * again, because they may have changed. Does not wait. false: nothing was begun, because other
 * lookups are under way, or there is no time or no thread. */
bool maui_names_refresh(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_config *config, bool all,
			const struct maui_names_patience *patience);

/* Waits for the answers that are under way. */
void maui_names_wait(struct maui_names *names, pthread_mutex_t *lock,
		     const struct maui_names_patience *patience);

/* Whether the name service has said that no user or group has this name, which maui.cfg has. The
 * agent alone asks. kind: MAUI_CRED_USER or MAUI_CRED_GROUP. */
bool maui_names_lack(const struct maui_names *names, int kind, const char *text);

#endif
