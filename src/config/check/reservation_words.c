/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation_words.c - implausible names in access lists and OWNER (ACL-15)
 *
 * The names are kept as they are: a name that no object has admits no job.
 */

#include "config/check/private.h"

#include <stdlib.h>
#include <string.h>

#include "config/parse.h"
#include "config/rsv_value.h"

/* The marks of acl.h are odd inside a name only. */
const char *maui_check_odd(const char *name)
{
	return strpbrk(name, "';&:[]()<>=!*^");
}

static void check_word(const struct maui_setting *s, const char *word, size_t offset,
		       struct maui_diags *diags)
{
	const char *wrong = maui_check_odd(word);
	struct maui_diag_place place = { .file = s->file,
					 .kind = MAUI_FAMILY_SR,
					 .name = s->index };

	if (!wrong)
		return;
	maui_setting_place(s, offset, &place.line, &place.column);
	maui_diags_add_at(diags, MAUI_WARNING, &place,
			  "SRCFG[%.300s] %s: '%.200s' is read as one name with '%c' in it%s",
			  s->index, s->attr->name, word, *wrong,
			  *wrong == '&' ?
				  ", which is not a mark of Maui: a required entry has a *" :
			  s->attr->type == MAUI_TYPE_LIST ? ": separate names by , | or :" :
							    ": OWNER takes one name");
}

/* Checks the entry without its marks, as the parser stores it. */
static void check_entry(const struct maui_setting *s, int kind, const struct maui_list_word *at,
			struct maui_diags *diags)
{
	char *text = strndup(s->value + at->at, at->length);
	struct maui_acl acl = { 0 };
	struct maui_err err;

	if (text && maui_acl_parse(&acl, kind, text, &err) != MAUI_VALUE_BAD)
		for (size_t i = 0; i < acl.count; i++)
			check_word(s, acl.list[i].name, at->at, diags);
	maui_acl_finish(&acl);
	free(text);
}

static void check_setting(const struct maui_setting *s, struct maui_diags *diags)
{
	int kind = maui_acl_kind_of(s->attr->name);
	struct maui_list_word word = { 0 };
	const char *colon = strchr(s->value, ':');

	if (strcmp(s->attr->name, "OWNER") == 0 && colon)
		check_word(s, colon + 1, (size_t)(colon + 1 - s->value), diags);
	while (kind >= 0 && kind < MAUI_CRED_COUNT && maui_acl_next_word(kind, s->value, &word))
		check_entry(s, kind, &word, diags);
}

void maui_check_rsv_words(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->param->family == MAUI_FAMILY_SR && s->attr && maui_setting_counts(s))
			check_setting(s, diags);
	}
}
