/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.h - user and group names without asking anyone while a lock is held
 *
 * A name service may take seconds. So ids are resolved by the agent, beforehand where maui.cfg
 * names them, and later for those that turn up in jobs. Until then a user goes by his number,
 * which is how an unnamed user is treated: by DEFAULT.
 * Thread safety: the context's lock, except where said. Returned texts live as long as the table.
 */
#ifndef MAUI_CONTEXT_NAMES_H
#define MAUI_CONTEXT_NAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "config/config.h"

struct maui_names {
	struct maui_idmap users, groups; /* id -> struct maui_name */
	struct maui_idmap texts;         /* hash -> interned texts (partition names) */
	bool wanted;                     /* somebody asked for an id that is not resolved */
};

struct maui_name {
	uint32_t id;
	bool resolved;
	int64_t tried_s;
	const char *text; /* never freed or changed while the table lives: a new name is a new text */
	struct maui_name *next; /* of older texts and hash neighbours */
	double active_procs, active_jobs; /* users: what they run now (UPROC, UJOB) */
};

void maui_names_finish(struct maui_names *names);

/* The name, or the number as text. NULL only without memory. */
const char *maui_names_user(struct maui_names *names, uint32_t uid);
const char *maui_names_group(struct maui_names *names, uint32_t gid);
struct maui_name *maui_names_find_user(struct maui_names *names, uint32_t uid);

/* One copy of a text for good. */
const char *maui_names_intern(struct maui_names *names, const char *text);

/* Asks the name service for what is wanted, or about all when `again`; for users and groups that
 * maui.cfg names, their ids. Takes `lock` only to read and store. True when anything changed. */
bool maui_names_resolve(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_config *config, bool again, int64_t now_s);

#endif
