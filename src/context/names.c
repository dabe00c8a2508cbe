/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - a cache of getpwuid() and its family, filled outside every lock */

#include "context/names.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/hash.h"

/* An id that the name service does not know is asked for again after this long. */
enum { RETRY_S = 600, BUFFER_MAX = 1024 * 1024 };

static bool drop(uint32_t id, void *value, void *arg)
{
	struct maui_name *name = value;

	(void)id, (void)arg;
	while (name) {
		struct maui_name *next = name->next;

		free((char *)name->text);
		free(name);
		name = next;
	}
	return false;
}

void maui_names_finish(struct maui_names *names)
{
	maui_idmap_sweep(&names->users, drop, NULL);
	maui_idmap_sweep(&names->groups, drop, NULL);
	maui_idmap_sweep(&names->texts, drop, NULL);
	maui_idmap_finish(&names->users);
	maui_idmap_finish(&names->groups);
	maui_idmap_finish(&names->texts);
}

static struct maui_name *new_name(uint32_t id, const char *text)
{
	struct maui_name *name = calloc(1, sizeof(*name));

	if (name) {
		name->id = id;
		name->text = strdup(text);
	}
	if (name && !name->text) {
		free(name);
		name = NULL;
	}
	return name;
}

static struct maui_name *get(struct maui_names *names, struct maui_idmap *map, uint32_t id)
{
	struct maui_name *name = maui_idmap_get(map, id);
	char number[16];

	if (name)
		return name;
	snprintf(number, sizeof(number), "%u", id);
	name = new_name(id, number);
	if (name && maui_idmap_set(map, id, name)) {
		drop(id, name, NULL);
		return NULL;
	}
	names->wanted = true;
	return name;
}

const char *maui_names_user(struct maui_names *names, uint32_t uid)
{
	const struct maui_name *name = get(names, &names->users, uid);

	return name ? name->text : NULL;
}

const char *maui_names_group(struct maui_names *names, uint32_t gid)
{
	const struct maui_name *name = get(names, &names->groups, gid);

	return name ? name->text : NULL;
}

struct maui_name *maui_names_find_user(struct maui_names *names, uint32_t uid)
{
	return get(names, &names->users, uid);
}

const char *maui_names_intern(struct maui_names *names, const char *text)
{
	uint32_t hash = (uint32_t)maui_hash_text(text, 0);
	struct maui_name *first = maui_idmap_get(&names->texts, hash), *name;

	for (name = first; name; name = name->next)
		if (strcmp(name->text, text) == 0)
			return name->text;
	name = new_name(hash, text);
	if (!name)
		return NULL;
	name->next = first;
	if (maui_idmap_set(&names->texts, hash, name)) {
		name->next = NULL;
		drop(hash, name, NULL);
		return NULL;
	}
	return name->text;
}

/* getpwuid_r() with a buffer that grows: LDAP groups have thousands of members. The answer is a
 * copy; NULL: unknown, or no answer. */
static char *ask_name(bool group, uint32_t id)
{
	for (size_t size = 4096; size <= BUFFER_MAX; size *= 4) {
		char *buffer = malloc(size), *answer = NULL;
		struct passwd pwd, *user = NULL;
		struct group grp, *found = NULL;
		int rc;

		if (!buffer)
			return NULL;
		if (group)
			rc = getgrgid_r(id, &grp, buffer, size, &found);
		else
			rc = getpwuid_r(id, &pwd, buffer, size, &user);
		if (user)
			answer = strdup(user->pw_name);
		if (found)
			answer = strdup(found->gr_name);
		free(buffer);
		if (rc != ERANGE)
			return answer;
	}
	return NULL;
}

static bool ask_id(bool group, const char *name, uint32_t *ret_id)
{
	for (size_t size = 4096; size <= BUFFER_MAX; size *= 4) {
		char *buffer = malloc(size);
		struct passwd pwd, *user = NULL;
		struct group grp, *found = NULL;
		int rc;

		if (!buffer)
			return false;
		if (group)
			rc = getgrnam_r(name, &grp, buffer, size, &found);
		else
			rc = getpwnam_r(name, &pwd, buffer, size, &user);
		if (user)
			*ret_id = user->pw_uid;
		if (found)
			*ret_id = found->gr_gid;
		free(buffer);
		if (rc != ERANGE)
			return user || found;
	}
	return false;
}

struct id_list {
	uint32_t *ids;
	size_t count, alloc;
};

static void list_wanted(const struct maui_idmap *map, bool again, int64_t now_s,
			struct id_list *list)
{
	for (size_t i = 0; i < map->slot_count; i++) {
		const struct maui_name *name = map->slots[i].value;
		uint32_t *grown;

		if (!name || (!again && (name->resolved || now_s - name->tried_s < RETRY_S)))
			continue;
		grown = maui_array_grow(list->ids, list->count, &list->alloc, sizeof(*grown));
		if (!grown)
			return;
		list->ids = grown;
		grown[list->count++] = name->id;
	}
}

/* Stores an answer; a changed name becomes a new text in front of the old ones. */
static bool store(struct maui_names *names, struct maui_idmap *map, uint32_t id, const char *text,
		  int64_t now_s)
{
	struct maui_name *name = get(names, map, id), *old;
	const char *fresh;

	if (!name)
		return false;
	name->tried_s = now_s;
	if (!text || (name->resolved && strcmp(name->text, text) == 0))
		return false;
	old = new_name(id, text);
	if (!old)
		return false;
	fresh = old->text; /* the record stays where it is, the texts change places */
	old->text = name->text;
	name->text = fresh;
	old->next = name->next;
	name->next = old;
	name->resolved = true;
	return true;
}

static bool resolve_wanted(struct maui_names *names, struct maui_idmap *map, bool group,
			   pthread_mutex_t *lock, bool again, int64_t now_s)
{
	struct id_list list = { 0 };
	bool changed = false;

	pthread_mutex_lock(lock);
	list_wanted(map, again, now_s, &list);
	pthread_mutex_unlock(lock);
	for (size_t i = 0; i < list.count; i++) {
		char *text = ask_name(group, list.ids[i]);

		pthread_mutex_lock(lock);
		changed |= store(names, map, list.ids[i], text, now_s);
		pthread_mutex_unlock(lock);
		free(text);
	}
	free(list.ids);
	return changed;
}

/* Those that maui.cfg names are known before their first job comes. */
static bool resolve_configured(struct maui_names *names, struct maui_idmap *map, bool group,
			       pthread_mutex_t *lock, const struct maui_creds *creds,
			       int64_t now_s)
{
	bool changed = false;

	for (size_t i = 0; i < creds->count; i++) {
		const char *name = creds->list[i].name;
		uint32_t id = 0;

		if (strcmp(name, "DEFAULT") == 0 || !ask_id(group, name, &id))
			continue;
		pthread_mutex_lock(lock);
		changed |= store(names, map, id, name, now_s);
		pthread_mutex_unlock(lock);
	}
	return changed;
}

bool maui_names_resolve(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_config *config, bool again, int64_t now_s)
{
	bool changed = false;

	pthread_mutex_lock(lock);
	names->wanted = false;
	pthread_mutex_unlock(lock);
	if (again) {
		changed |= resolve_configured(names, &names->users, false, lock,
					      &config->creds[MAUI_CRED_USER], now_s);
		changed |= resolve_configured(names, &names->groups, true, lock,
					      &config->creds[MAUI_CRED_GROUP], now_s);
	}
	changed |= resolve_wanted(names, &names->users, false, lock, again, now_s);
	changed |= resolve_wanted(names, &names->groups, true, lock, again, now_s);
	return changed;
}
