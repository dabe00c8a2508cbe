/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_verbs.c - each verb that is described is served, as what it is described
 *
 * Rules: CMD-10.
 */

#include "answers/verbs.h"

#include <criterion/criterion.h>
#include <string.h>

#include "verbs/verb.h"

static const struct maui_query_verb *served(const char *name)
{
	for (size_t i = 0; i < maui_answers.verb_count; i++)
		if (strcmp(maui_answers.verbs[i].name, name) == 0)
			return &maui_answers.verbs[i];
	return NULL;
}

Test(verbs, each_is_served_as_a_question_or_a_change)
{
	for (size_t i = 0; i < MAUI_VERB_COUNT; i++) {
		const struct maui_verb *verb = maui_verbs[i];
		const struct maui_query_verb *row = served(verb->name);

		cr_assert(row, "%s is not served", verb->name);
		cr_expect(!row->answer == verb->is_change, "%s", verb->name);
		cr_expect(i == 0 || strcmp(maui_verbs[i - 1]->name, verb->name) < 0, "%s",
			  verb->name);
	}
	cr_expect(maui_answers.verb_count == MAUI_VERB_COUNT);
}

/* The reader finds members by their keys. */
static void check_keys(const struct maui_record_type *type)
{
	for (size_t i = 0; i < type->count; i++)
		for (size_t k = 0; k < i; k++)
			cr_expect(strcmp(type->fields[i].key, type->fields[k].key) != 0,
				  "%s has %s twice", type->name, type->fields[i].key);
}

Test(verbs, no_record_has_a_key_twice)
{
	for (size_t i = 0; i < MAUI_VERB_COUNT; i++) {
		check_keys(maui_verbs[i]->answer);
		if (maui_verbs[i]->args)
			check_keys(maui_verbs[i]->args);
	}
}
