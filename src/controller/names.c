/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - a cache of user and group names, filled by errands to the name service */

#include "controller/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/limits.h"
#include "config/check/known_names.h"

enum {
	RETRY_S = 600, /* an id that the name service does not know is looked up again then */
	LOOK_MS = 10,  /* between two looks at the clock and the agent's end */
};

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
	maui_errand_drop(names->errand);
	names->errand = NULL;
	destroy_names(&names->users);
	destroy_names(&names->groups);
	destroy_names(&names->texts);
	destroy_names(&names->configured);
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
	char number[MAUI_NAME_NUMBER_SIZE];

	if (name)
		return name;
	snprintf(number, sizeof(number), "%" PRIu32, id);
	name = new_name(id, number);
	if (name && maui_hashtable_set_id(map, id, name)) {
		destroy_name(name);
		return NULL;
	}
	names->wanted = true;
	return name;
}

static const char *get_known(const struct maui_hashtable *map, uint32_t id,
			     char buf[MAUI_NAME_NUMBER_SIZE])
{
	const struct maui_name *name = maui_hashtable_find_id(map, id);

	if (name)
		return name->text;
	snprintf(buf, MAUI_NAME_NUMBER_SIZE, "%" PRIu32, id);
	return buf;
}

const char *maui_names_known_user(const struct maui_names *names, uint32_t uid,
				  char buf[MAUI_NAME_NUMBER_SIZE])
{
	return get_known(&names->users, uid, buf);
}

/* In place of a group without a name the user's own one, if it is known: nobody leaves a group by
 * taking a subordinate group id. */
static uint32_t counted_gid(const struct maui_names *names, uint32_t uid, uint32_t gid)
{
	const struct maui_name *group = maui_hashtable_find_id(&names->groups, gid);
	const struct maui_name *user = maui_hashtable_find_id(&names->users, uid), *own;

	if (!group || group->state != MAUI_NAME_UNKNOWN || !user ||
	    user->state != MAUI_NAME_RESOLVED)
		return gid;
	own = maui_hashtable_find_id(&names->groups, user->primary);
	return own && own->state == MAUI_NAME_RESOLVED ? own->id : gid;
}

const char *maui_names_known_group(const struct maui_names *names, uint32_t uid, uint32_t gid,
				   char buf[MAUI_NAME_NUMBER_SIZE])
{
	return get_known(&names->groups, counted_gid(names, uid, gid), buf);
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

const char *maui_names_group(struct maui_names *names, uint32_t uid, uint32_t gid)
{
	const struct maui_name *name =
		get_name(names, &names->groups, counted_gid(names, uid, gid));

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

static bool is_out_of_time(const struct maui_names_patience *patience)
{
	return (patience->stop && *patience->stop) ||
	       (patience->deadline_s && time(NULL) >= patience->deadline_s);
}

static bool is_due(const struct maui_name *name, int64_t now_s)
{
	return name->state == MAUI_NAME_NEW || name->state == MAUI_NAME_FAILED ||
	       (name->state == MAUI_NAME_UNKNOWN && now_s - name->tried_s >= RETRY_S);
}

/* Whether the name is one more of those of which a cycle looks up only a few: strangers, and ids
 * that had no name when they were looked up. */
static bool is_one_too_many(const struct maui_name *name, unsigned *strangers, unsigned *nameless)
{
	if (name->stranger)
		return (*strangers)++ >= MAUI_NAMES_STRANGERS_A_CYCLE;
	return name->state == MAUI_NAME_UNKNOWN && (*nameless)++ >= MAUI_NAMES_NAMELESS_A_CYCLE;
}

/* Asks for a few strangers, new ones first, so that those without an answer of the name service do
 * not keep others waiting. */
static void ask_ids(const struct maui_names *names, bool group, bool all,
		    struct maui_name_questions *questions)
{
	const struct maui_hashtable *map = group ? &names->groups : &names->users;
	int64_t now_s = time(NULL);
	unsigned strangers = 0, nameless = 0;
	const struct maui_name *name;

	for (int again = 0; again < 2; again++)
		for (size_t at = 0; (name = maui_hashtable_next(map, &at));) {
			if ((name->state != MAUI_NAME_NEW) != again ||
			    (!all && !is_due(name, now_s)) ||
			    is_one_too_many(name, &strangers, &nameless))
				continue;
			maui_name_questions_add_id(questions, group, name->id);
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

/* What the id is called from now on. */
static void set_answered(struct maui_name *name, const struct maui_name_question *answer)
{
	bool unknown = answer->state == MAUI_NAME_UNKNOWN && name->state != MAUI_NAME_RESOLVED;
	char number[MAUI_NAME_NUMBER_SIZE];
	const char *text = answer->text ? answer->text : number;

	snprintf(number, sizeof(number), "%" PRIu32, name->id);
	if ((unknown || answer->state == MAUI_NAME_RESOLVED) && strcmp(name->text, text) != 0)
		set_text(name, text);
}

/* Stores an answer. A name that is known stays when the name service fails later. */
static void store_answer(struct maui_names *names, const struct maui_name_question *answer)
{
	struct maui_hashtable *map = answer->group ? &names->groups : &names->users;
	/* a stranger without a name may be forgotten by now */
	struct maui_name *name = answer->state == MAUI_NAME_RESOLVED ?
					 get_name(names, map, answer->id) :
					 maui_hashtable_find_id(map, answer->id);

	if (!name)
		return;
	if (answer->state == MAUI_NAME_RESOLVED)
		befriend(names, name);
	name->tried_s = time(NULL);
	set_answered(name, answer);
	if (answer->state == MAUI_NAME_RESOLVED || name->state != MAUI_NAME_RESOLVED)
		name->state = answer->state;
	if (answer->state == MAUI_NAME_RESOLVED)
		name->primary = answer->primary;
	names->forgettable |= name->stranger;
	names->nameless_groups |= answer->group && name->state == MAUI_NAME_UNKNOWN;
}

/* Of a name that the name service does not know there is nothing to store. */
static bool is_stored(const struct maui_name_question *answer)
{
	return answer->name ? answer->state == MAUI_NAME_RESOLVED : answer->state != MAUI_NAME_NEW;
}

/* ---- names of maui.cfg ---- */

static uint64_t hash_of(bool group, const char *text)
{
	return maui_hash_text(text, group);
}

static bool is_answer(const void *value, const void *key)
{
	const struct maui_name *name = value, *asked = key;

	return name->id == asked->id && strcmp(name->text, asked->text) == 0;
}

/* The id of these entries says whether it is a group. */
static struct maui_name *find_answer(const struct maui_hashtable *answers, bool group,
				     const char *text)
{
	const struct maui_name asked = { .id = group, .text = text };

	return maui_hashtable_find(answers, hash_of(group, text), is_answer, &asked);
}

/* NULL without memory. */
static struct maui_name *add_answer(struct maui_hashtable *answers, bool group, const char *text)
{
	struct maui_name *name = new_name(group, text);

	if (name && maui_hashtable_add(answers, hash_of(group, text), name)) {
		destroy_name(name);
		return NULL;
	}
	return name;
}

/* Notes whether the name exists. What is not answered stays as it was. */
static void note_configured(struct maui_names *names, const struct maui_name_question *answer)
{
	struct maui_name *name;

	if (!answer->name ||
	    (answer->state != MAUI_NAME_RESOLVED && answer->state != MAUI_NAME_UNKNOWN))
		return;
	name = find_answer(&names->configured, answer->group, answer->name);
	if (!name)
		name = add_answer(&names->configured, answer->group, answer->name);
	if (!name || name->state == answer->state)
		return;
	name->state = answer->state;
	names->news++;
}

/* ---- the name service ---- */

/* Takes the answers of the errand that is over. */
static void take_answers(struct maui_names *names, pthread_mutex_t *lock)
{
	struct maui_name_questions *questions = maui_errand_end(names->errand);

	names->errand = NULL;
	names->hangs = false;
	pthread_mutex_lock(lock);
	for (size_t i = 0; i < questions->count; i++)
		if (is_stored(&questions->list[i]))
			store_answer(names, &questions->list[i]);
	pthread_mutex_unlock(lock);
	for (size_t i = 0; i < questions->count; i++)
		note_configured(names, &questions->list[i]);
	maui_name_questions_finish(questions);
	free(questions);
}

/* Waits for the answers and takes them. Does not wait again for an errand that was waited for in
 * vain. false: the errand goes on. */
static bool wait_for_answers(struct maui_names *names, pthread_mutex_t *lock,
			     const struct maui_names_patience *patience)
{
	while (names->errand && !maui_errand_is_over(names->errand, names->hangs ? 0 : LOOK_MS)) {
		if (names->hangs || is_out_of_time(patience)) {
			names->hangs = true;
			return false;
		}
	}
	if (names->errand)
		take_answers(names, lock);
	return true;
}

/* Takes the questions over. false: no time or no thread for them. */
static bool ask(struct maui_names *names, struct maui_name_questions *questions,
		const struct maui_names_patience *patience)
{
	bool none = questions->count == 0;

	questions->deadline_s = patience->deadline_s;
	if (!none && !is_out_of_time(patience))
		names->errand = maui_name_service_ask(questions);
	else
		maui_name_questions_finish(questions);
	return none || names->errand;
}

/* What one refresh asks for; each name once. */
struct refresh {
	struct maui_name_questions *questions;
	struct maui_hashtable asked;
};

static void ask_name(const struct maui_mention *mention, void *context)
{
	struct refresh *refresh = context;
	bool group = mention->kind == MAUI_CRED_GROUP;

	if ((mention->kind != MAUI_CRED_USER && !group) ||
	    find_answer(&refresh->asked, group, mention->name))
		return;
	maui_name_questions_add_name(refresh->questions, group, mention->name);
	add_answer(&refresh->asked, group, mention->name);
}

/* Administrators may see all jobs, so they are known before their first question; root, ADMIN1's
 * default, stands in no line. */
static void ask_admins(const struct maui_config *config, struct refresh *refresh)
{
	for (size_t level = 0; level < sizeof(config->admins) / sizeof(config->admins[0]); level++)
		for (size_t i = 0; i < config->admins[level].count; i++) {
			const char *name = config->admins[level].list[i];

			if (strcmp(name, "ALL") != 0)
				ask_name(&(struct maui_mention){ .kind = MAUI_CRED_USER,
								 .name = name },
					 refresh);
		}
}

static void ask_configured(const struct maui_config *config, struct maui_name_questions *questions)
{
	struct refresh refresh = { questions, { 0 } };

	maui_config_each_name(config, ask_name, &refresh);
	ask_admins(config, &refresh);
	destroy_names(&refresh.asked);
}

bool maui_names_lack(const struct maui_names *names, int kind, const char *text)
{
	const struct maui_name *name =
		find_answer(&names->configured, kind == MAUI_CRED_GROUP, text);

	return name && name->state == MAUI_NAME_UNKNOWN;
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
	       (has_name(&names->groups, counted_gid(names, uid, gid)) ? 1u << MAUI_CRED_GROUP :
									 0u);
}

/* Own groups of users, which count in place of groups without a name. */
static void ask_own_groups(struct maui_names *names, struct maui_name_questions *questions)
{
	const struct maui_name *user, *group;
	bool wanted = names->wanted;

	for (size_t at = 0; (user = maui_hashtable_next(&names->users, &at));)
		if (user->state == MAUI_NAME_RESOLVED)
			get_name(names, &names->groups, user->primary);
	for (size_t at = 0; (group = maui_hashtable_next(&names->groups, &at));)
		if (group->state == MAUI_NAME_NEW)
			maui_name_questions_add_id(questions, true, group->id);
	names->wanted = wanted;
}

void maui_names_look_up(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_names_patience *patience)
{
	struct maui_name_questions questions = { 0 };

	/* by their state the ids come up in the next cycle, if not in this one */
	pthread_mutex_lock(lock);
	names->wanted = false;
	pthread_mutex_unlock(lock);
	if (!wait_for_answers(names, lock, patience))
		return;
	pthread_mutex_lock(lock);
	ask_ids(names, false, false, &questions);
	ask_ids(names, true, false, &questions);
	pthread_mutex_unlock(lock);
	if (!ask(names, &questions, patience) || !wait_for_answers(names, lock, patience))
		return;
	pthread_mutex_lock(lock);
	if (names->nameless_groups)
		ask_own_groups(names, &questions);
	pthread_mutex_unlock(lock);
	if (ask(names, &questions, patience))
		wait_for_answers(names, lock, patience);
}

bool maui_names_look_up_user(struct maui_names *names, uint32_t uid, pthread_mutex_t *lock,
			     const struct maui_names_patience *patience)
{
	struct maui_name_questions questions = { 0 };
	bool done;

	pthread_mutex_lock(lock);
	done = is_known(&names->users, uid);
	pthread_mutex_unlock(lock);
	if (done || !wait_for_answers(names, lock, patience))
		return done;
	maui_name_questions_add_id(&questions, false, uid);
	return questions.count > 0 && ask(names, &questions, patience) &&
	       wait_for_answers(names, lock, patience);
}

bool maui_names_refresh(struct maui_names *names, pthread_mutex_t *lock,
			const struct maui_config *config, bool all,
			const struct maui_names_patience *patience)
{
	struct maui_name_questions questions = { 0 };

	if (names->errand && !maui_errand_is_over(names->errand, 0))
		return false;
	if (names->errand)
		take_answers(names, lock);
	ask_configured(config, &questions);
	pthread_mutex_lock(lock);
	if (all) {
		ask_ids(names, false, true, &questions);
		ask_ids(names, true, true, &questions);
	}
	pthread_mutex_unlock(lock);
	return ask(names, &questions, patience);
}

void maui_names_wait(struct maui_names *names, pthread_mutex_t *lock,
		     const struct maui_names_patience *patience)
{
	wait_for_answers(names, lock, patience);
}
