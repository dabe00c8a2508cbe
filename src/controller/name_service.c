/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_service.c - looks up users and groups on a thread of its own */

#include "controller/name_service.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "base/array.h"
#include "base/user.h"

enum { BUFFER_MAX = 1024 * 1024 };

static struct maui_name_question *add_question(struct maui_name_questions *questions)
{
	struct maui_name_question *grown = maui_array_grow(questions->list, questions->count,
							   &questions->alloc, sizeof(*grown));

	if (!grown)
		return NULL;
	questions->list = grown;
	return &grown[questions->count];
}

void maui_name_questions_add_id(struct maui_name_questions *questions, bool group, uint32_t id)
{
	struct maui_name_question *question = add_question(questions);

	if (!question)
		return;
	*question = (struct maui_name_question){ .group = group, .id = id };
	questions->count++;
}

void maui_name_questions_add_name(struct maui_name_questions *questions, bool group,
				  const char *name)
{
	struct maui_name_question *question = add_question(questions);
	char *copy = question ? strdup(name) : NULL;

	if (!copy)
		return;
	*question = (struct maui_name_question){ .group = group, .name = copy };
	questions->count++;
}

void maui_name_questions_finish(struct maui_name_questions *questions)
{
	for (size_t i = 0; i < questions->count; i++) {
		free(questions->list[i].name);
		free(questions->list[i].text);
	}
	free(questions->list);
	*questions = (struct maui_name_questions){ 0 };
}

/* By name when the question has one, else by id. The buffer grows, because a group of a directory
 * service may have thousands of members. */
static void look_up(struct maui_name_question *q)
{
	int rc = ERANGE;

	q->state = MAUI_NAME_FAILED;
	for (size_t size = 4096; rc == ERANGE && size <= BUFFER_MAX; size *= 4) {
		char *buffer = malloc(size);
		struct passwd pwd, *user = NULL;
		struct group grp, *group = NULL;

		if (!buffer)
			break;
		if (q->group)
			rc = q->name ? getgrnam_r(q->name, &grp, buffer, size, &group) :
				       getgrgid_r(q->id, &grp, buffer, size, &group);
		else
			rc = q->name ? getpwnam_r(q->name, &pwd, buffer, size, &user) :
				       getpwuid_r(q->id, &pwd, buffer, size, &user);
		if (user || group) {
			q->id = user ? user->pw_uid : group->gr_gid;
			q->primary = user ? user->pw_gid : group->gr_gid;
			q->text = strdup(user ? user->pw_name : group->gr_name);
			q->state = q->text ? MAUI_NAME_RESOLVED : MAUI_NAME_FAILED;
		} else if (maui_user_means_unknown(rc)) {
			q->state = MAUI_NAME_UNKNOWN;
		}
		free(buffer);
	}
}

/* An id without a name counts by its number. Where a user or group has that number for a name, as
 * directories with the numbers of students have, the id counts as "+1007": who has subordinate ids
 * must not become somebody by them. */
static void tell_apart(struct maui_name_question *q)
{
	char number[MAUI_NAME_NUMBER_SIZE];
	struct maui_name_question other = { .group = q->group, .name = number };

	snprintf(number, sizeof(number), "%" PRIu32, q->id);
	look_up(&other);
	if (other.state == MAUI_NAME_RESOLVED && asprintf(&q->text, "+%s", number) < 0)
		q->text = NULL;
	if (other.state != MAUI_NAME_UNKNOWN && !q->text)
		q->state = MAUI_NAME_FAILED;
	free(other.text);
}

static void look_up_all(void *work, const atomic_bool *stop)
{
	struct maui_name_questions *questions = work;
	int64_t deadline_s = questions->deadline_s;

	for (size_t i = 0; i < questions->count; i++) {
		struct maui_name_question *q = &questions->list[i];

		if (*stop || (deadline_s && time(NULL) >= deadline_s))
			return;
		look_up(q);
		if (!q->name && q->state == MAUI_NAME_UNKNOWN)
			tell_apart(q);
	}
}

static void destroy_questions(void *work)
{
	maui_name_questions_finish(work);
	free(work);
}

struct maui_errand *maui_name_service_ask(struct maui_name_questions *questions)
{
	static const struct maui_errand_kind kind = { "maui_names", look_up_all,
						      destroy_questions };
	struct maui_name_questions *work = malloc(sizeof(*work));

	if (!work) {
		maui_name_questions_finish(questions);
		return NULL;
	}
	*work = *questions;
	*questions = (struct maui_name_questions){ 0 };
	return maui_errand_begin(&kind, work);
}
