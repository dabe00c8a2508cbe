/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - a cache of user and group names, filled from the name service without any lock */

#include "controller/names.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/user.h"

/* An id that the name service does not know is looked up again after this time. */
enum { RETRY_S = 600, BUFFER_MAX = 1024 * 1024 };

static void destroy_name(struct maui_name *name)
{
	while (name) {
		struct maui_name *next = name->next;

		free((char *)name->text);
		free(name);
		name = next;
	}
}

static void destroy_names(struct maui_hashtable *table)
{
	struct maui_name *name;

	for (size_t at = 0; (name = maui_hashtable_next(table, &at));)
		destroy_name(name);
	maui_hashtable_finish(table);
}

void maui_names_finish(struct maui_names *names)
{
	destroy_names(&names->users);
	destroy_names(&names->groups);
	destroy_names(&names->texts);
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

static struct maui_name *get_name(struct maui_names *names, struct maui_hashtable *map, uint32_t id)
{
	struct maui_name *name = maui_hashtable_find_id(map, id);
	char number[16];

	if (name)
		return name;
	snprintf(number, sizeof(number), "%u", id);
	name = new_name(id, number);
	if (name && maui_hashtable_set_id(map, id, name)) {
		destroy_name(name);
		return NULL;
	}
	names->wanted = true;
	return name;
}

/* A user with a job, or with a name, is no stranger. */
static void befriend(struct maui_names *names, struct maui_name *name)
{
	names->strangers -= name->stranger;
	name->stranger = false;
}

const char *maui_names_user(struct maui_names *names, uint32_t uid)
{
	const struct maui_name *name = maui_names_get_user(names, uid);

	return name ? name->text : NULL;
}

const char *maui_names_group(struct maui_names *names, uint32_t gid)
{
	const struct maui_name *name = get_name(names, &names->groups, gid);

	return name ? name->text : NULL;
}

struct maui_name *maui_names_get_user(struct maui_names *names, uint32_t uid)
{
	struct maui_name *name = get_name(names, &names->users, uid);

	if (name)
		befriend(names, name);
	return name;
}

const char *maui_names_primary_group(struct maui_names *names, uint32_t uid)
{
	const struct maui_name *user = maui_names_get_user(names, uid), *group;

	if (!user || user->state != MAUI_NAME_RESOLVED)
		return NULL;
	group = get_name(names, &names->groups, user->primary);
	return group && group->state == MAUI_NAME_RESOLVED ? group->text : NULL;
}

/* For maui_hashtable_sweep(): no job and no document has the text of such an entry. */
static bool is_kept(void *value, void *arg)
{
	struct maui_names *names = arg;
	struct maui_name *name = value;

	if (!name->stranger || name->state == MAUI_NAME_NEW)
		return true;
	names->strangers--;
	destroy_name(name);
	return false;
}

/* Forgets those that were looked up. False: none was looked up since the last call. */
static bool forget_strangers(struct maui_names *names)
{
	if (!names->forgettable)
		return false;
	names->forgettable = false;
	return !maui_hashtable_sweep(&names->users, is_kept, names) &&
	       names->strangers < MAUI_NAMES_MAX_STRANGERS;
}

struct maui_name *maui_names_get_asker(struct maui_names *names, uint32_t uid)
{
	struct maui_name *name = maui_hashtable_find_id(&names->users, uid);

	if (name)
		return name;
	if (names->strangers >= MAUI_NAMES_MAX_STRANGERS && !forget_strangers(names))
		return NULL;
	name = get_name(names, &names->users, uid);
	if (name) {
		name->stranger = true;
		names->strangers++;
	}
	return name;
}

static bool has_text(const void *value, const void *text)
{
	const struct maui_name *name = value;

	return strcmp(name->text, text) == 0;
}

const char *maui_names_intern(struct maui_names *names, const char *text)
{
	uint64_t hash = maui_hash_text(text, 0);
	struct maui_name *name = maui_hashtable_find(&names->texts, hash, has_text, text);

	if (name)
		return name->text;
	name = new_name(0, text);
	if (name && maui_hashtable_add(&names->texts, hash, name)) {
		destroy_name(name);
		return NULL;
	}
	return name ? name->text : NULL;
}

struct answer {
	enum maui_name_state state;
	uint32_t id;
	uint32_t primary; /* of a user: the id of the user's own group */
	char *text;       /* owned */
};

/* Looks up one user or group: by name when name is given, else by id. The buffer grows, because a
 * group of a directory service may have thousands of members. */
static struct answer look_up(bool group, const char *name, uint32_t id)
{
	struct answer answer = { .state = MAUI_NAME_FAILED };
	int rc = ERANGE;

	for (size_t size = 4096; rc == ERANGE && size <= BUFFER_MAX; size *= 4) {
		char *buffer = malloc(size);
		struct passwd pwd, *user = NULL;
		struct group grp, *found = NULL;

		if (!buffer)
			break;
		if (group)
			rc = name ? getgrnam_r(name, &grp, buffer, size, &found) :
				    getgrgid_r(id, &grp, buffer, size, &found);
		else
			rc = name ? getpwnam_r(name, &pwd, buffer, size, &user) :
				    getpwuid_r(id, &pwd, buffer, size, &user);
		if (user || found) {
			answer.id = user ? user->pw_uid : found->gr_gid;
			answer.primary = user ? user->pw_gid : found->gr_gid;
			answer.text = strdup(user ? user->pw_name : found->gr_name);
			answer.state = answer.text ? MAUI_NAME_RESOLVED : MAUI_NAME_FAILED;
		} else if (maui_user_means_unknown(rc)) {
			answer.state = MAUI_NAME_UNKNOWN;
		}
		free(buffer);
	}
	return answer;
}

static bool is_out_of_time(const struct maui_names_patience *patience)
{
	return (patience->stop && *patience->stop) ||
	       (patience->deadline_s && time(NULL) >= patience->deadline_s);
}

struct id_list {
	uint32_t *ids;
	size_t count, alloc;
};

static bool is_due(const struct maui_name *name, int64_t now_s)
{
	return name->state == MAUI_NAME_NEW || name->state == MAUI_NAME_FAILED ||
	       (name->state == MAUI_NAME_UNKNOWN && now_s - name->tried_s >= RETRY_S);
}

static void add_id(struct id_list *list, uint32_t id)
{
	uint32_t *grown = maui_array_grow(list->ids, list->count, &list->alloc, sizeof(*grown));

	if (!grown)
		return;
	list->ids = grown;
	grown[list->count++] = id;
}

/* Looks up a few strangers, new ones first, so that those without an answer of the name service do
 * not keep others waiting. */
static void list_ids(const struct maui_hashtable *map, bool all, struct id_list *list)
{
	int64_t now_s = time(NULL);
	unsigned strangers = 0;
	const struct maui_name *name;

	for (int again = 0; again < 2; again++)
		for (size_t at = 0; (name = maui_hashtable_next(map, &at));) {
			if ((name->state != MAUI_NAME_NEW) != again ||
			    (!all && !is_due(name, now_s)) ||
			    (name->stranger && strangers++ >= MAUI_NAMES_STRANGERS_A_CYCLE))
				continue;
			add_id(list, name->id);
		}
}

/* Sets a changed name. The old text stays, because another thread may still read it. */
static void set_text(struct maui_name *name, const char *text)
{
	struct maui_name *old = new_name(name->id, text);
	const char *fresh;

	if (!old)
		return;
	fresh = old->text; /* the record stays in its place, the texts change places */
	old->text = name->text;
	name->text = fresh;
	old->next = name->next;
	name->next = old;
}

/* Stores an answer. A name that is known stays when the name service fails later. */
static void store_answer(struct maui_names *names, struct maui_hashtable *map, uint32_t id,
			 const struct answer *answer)
{
	/* a stranger without a name may be forgotten by now */
	struct maui_name *name = answer->state == MAUI_NAME_RESOLVED ?
					 get_name(names, map, id) :
					 maui_hashtable_find_id(map, id);

	if (!name)
		return;
	if (answer->state == MAUI_NAME_RESOLVED)
		befriend(names, name);
	name->tried_s = time(NULL);
	if (answer->state == MAUI_NAME_RESOLVED && strcmp(name->text, answer->text) != 0)
		set_text(name, answer->text);
	if (answer->state == MAUI_NAME_RESOLVED || name->state != MAUI_NAME_RESOLVED)
		name->state = answer->state;
	if (answer->state == MAUI_NAME_RESOLVED)
		name->primary = answer->primary;
	names->forgettable |= name->stranger;
}

static void look_up_id(struct maui_names *names, struct maui_hashtable *map, uint32_t id,
		       pthread_mutex_t *lock)
{
	struct answer answer = look_up(map == &names->groups, NULL, id);

	pthread_mutex_lock(lock);
	store_answer(names, map, id, &answer);
	pthread_mutex_unlock(lock);
	free(answer.text);
}

static void look_up_ids(struct maui_names *names, struct maui_hashtable *map, bool all,
			pthread_mutex_t *lock, const struct maui_names_patience *patience)
{
	struct id_list list = { 0 };

	pthread_mutex_lock(lock);
	list_ids(map, all, &list);
	pthread_mutex_unlock(lock);
	for (size_t i = 0; i < list.count && !is_out_of_time(patience); i++)
		look_up_id(names, map, list.ids[i], lock);
	free(list.ids);
}

/* No user and no group is called DEFAULT or ALL. */
static void look_up_name(struct maui_names *names, struct maui_hashtable *map, const char *text,
			 pthread_mutex_t *lock, const struct maui_names_patience *patience)
{
	struct answer answer;

	if (strcmp(text, "DEFAULT") == 0 || strcmp(text, "ALL") == 0 || is_out_of_time(patience))
		return;
	answer = look_up(map == &names->groups, text, 0);
	pthread_mutex_lock(lock);
	if (answer.state == MAUI_NAME_RESOLVED)
		store_answer(names, map, answer.id, &answer);
	pthread_mutex_unlock(lock);
	free(answer.text);
}

static void look_up_configured(struct maui_names *names, struct maui_hashtable *map,
			       const struct maui_creds *creds, pthread_mutex_t *lock,
			       const struct maui_names_patience *patience)
{
	for (size_t i = 0; i < creds->count; i++)
		look_up_name(names, map, creds->list[i].name, lock, patience);
}

/* Administrators may see all jobs, so they are known before their first question. */
static void look_up_admins(struct maui_names *names, const struct maui_words *admins, size_t levels,
			   pthread_mutex_t *lock, const struct maui_names_patience *patience)
{
	for (size_t level = 0; level < levels; level++)
		for (size_t i = 0; i < admins[level].count; i++)
			look_up_name(names, &names->users, admins[level].list[i], lock, patience);
}

static bool is_known(const struct maui_hashtable *map, uint32_t id)
{
	const struct maui_name *name = maui_hashtable_find_id(map, id);

	return name && name->state != MAUI_NAME_NEW && name->state != MAUI_NAME_FAILED;
}

bool maui_names_are_known(const struct maui_names *names, uint32_t uid, uint32_t gid)
{
	return is_known(&names->users, uid) && is_known(&names->groups, gid);
}

static bool has_name(const struct maui_hashtable *map, uint32_t id)
{
	const struct maui_name *name = maui_hashtable_find_id(map, id);

	return name && name->state == MAUI_NAME_RESOLVED;
}

unsigned maui_names_with_names(const struct maui_names *names, uint32_t uid, uint32_t gid)
{
	return (has_name(&names->users, uid) ? 1u << MAUI_CRED_USER : 0u) |
	       (has_name(&names->groups, gid) ? 1u << MAUI_CRED_GROUP : 0u);
}

void maui_names_look_up(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_names_patience *patience)
{
	pthread_mutex_lock(lock);
	names->wanted = false;
	pthread_mutex_unlock(lock);
	look_up_ids(names, &names->users, false, lock, patience);
	look_up_ids(names, &names->groups, false, lock, patience);
}

void maui_names_look_up_user(struct maui_names *names, uint32_t uid, pthread_mutex_t *lock)
{
	bool done;

	pthread_mutex_lock(lock);
	done = is_known(&names->users, uid);
	pthread_mutex_unlock(lock);
	if (!done)
		look_up_id(names, &names->users, uid, lock);
}

void maui_names_refresh(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_config *config, bool all,
			const struct maui_names_patience *patience)
{
	look_up_configured(names, &names->users, &config->creds[MAUI_CRED_USER], lock, patience);
	look_up_configured(names, &names->groups, &config->creds[MAUI_CRED_GROUP], lock, patience);
	look_up_admins(names, config->admins, 3, lock, patience);
	if (all) {
		look_up_ids(names, &names->users, true, lock, patience);
		look_up_ids(names, &names->groups, true, lock, patience);
	}
}
