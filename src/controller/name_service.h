/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_service.h - asks the name service for users and groups, by an errand: it may hang
 *
 * Goes in: a list of questions. Comes out: the same list with answers, by maui_errand_end().
 */
#ifndef MAUI_CONTROLLER_NAME_SERVICE_H
#define MAUI_CONTROLLER_NAME_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errand.h"

enum maui_name_state {
	MAUI_NAME_NEW, /* not looked up yet */
	MAUI_NAME_RESOLVED,
	MAUI_NAME_UNKNOWN, /* the name service says there is no such id */
	/* no answer: looked up again every cycle; usage is not charged meanwhile */
	MAUI_NAME_FAILED,
};

enum { MAUI_NAME_NUMBER_SIZE = 16 };

struct maui_name_question {
	bool group;
	char *name; /* owned; NULL: look up the id */
	uint32_t id;
	/* the answer; MAUI_NAME_NEW: not asked, because the time was over */
	enum maui_name_state state;
	uint32_t primary; /* of a user: the id of the user's own group */
	/* owned; RESOLVED: the name; UNKNOWN: what the id is called when somebody has its number
	 * for a name, else NULL */
	char *text;
};

struct maui_name_questions {
	struct maui_name_question *list;
	size_t count, alloc;
	int64_t deadline_s; /* no question is begun from then on, by time(); 0: none */
};

/* Both do nothing without memory: the question then comes up again. */
void maui_name_questions_add_id(struct maui_name_questions *questions, bool group, uint32_t id);
void maui_name_questions_add_name(struct maui_name_questions *questions, bool group,
				  const char *name);
void maui_name_questions_finish(struct maui_name_questions *questions);

/* Takes the list over. NULL: no thread or no memory. The errand's work is a struct
 * maui_name_questions: finish it, then free it. */
struct maui_errand *maui_name_service_ask(struct maui_name_questions *questions);

#endif
