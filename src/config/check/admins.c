/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admins.c - names in ADMIN1, ADMIN2 and ADMIN3 that cannot be users (Maui manual F) */

#include <string.h>

#include "base/limits.h"
#include "base/words.h"
#include "config/check/private.h"
#include "config/parse.h"
#include "config/quotes.h"

bool maui_check_names_admins(const struct maui_setting *s)
{
	const char *name = s->param->name;

	return !s->attr && strncmp(name, "ADMIN", 5) == 0 && name[5] >= '1' && name[5] <= '3' &&
	       name[6] == '\0';
}

static const char separators[] = ",|: \t";

/* The next name at or behind *at, and its offset in *ret_at; *at goes behind it. false: no more
 * names, or the name is longer than any user name. */
static bool next_name(const struct maui_setting *s, size_t *at, char name[MAUI_NAME_MAX + 1],
		      size_t *ret_at)
{
	size_t length;

	*at += strspn(s->value + *at, separators);
	length = maui_word_length(s->value + *at, separators);
	if (length == 0 || length > MAUI_NAME_MAX)
		return false;
	memcpy(name, s->value + *at, length);
	name[length] = '\0';
	maui_quotes_remove(name);
	*ret_at = *at;
	*at += length;
	return true;
}

void maui_check_warn_of_admin(const struct maui_setting *s, size_t at, const char *name,
			      const char *what, struct maui_diags *diags)
{
	uint32_t line, column;

	maui_setting_place(s, at, &line, &column);
	maui_diags_add(diags, MAUI_WARNING, s->file, line, column, "%s: '%.200s' %s",
		       s->param->name, name, what);
}

static void check_odd(const struct maui_setting *s, struct maui_diags *diags)
{
	char name[MAUI_NAME_MAX + 1], what[] = "contains '?'; separate names by , | or :";

	for (size_t at, next = 0; next_name(s, &next, name, &at);) {
		const char *wrong = maui_check_odd(name);

		if (strcmp(name, "ALL") == 0 && s->param->name[5] != '3')
			maui_check_warn_of_admin(s, at, name,
						 s->param->name[5] == '1' ?
							 "lets every user do everything" :
							 "lets every user change all jobs",
						 diags);
		if (!wrong)
			continue;
		what[sizeof("contains '") - 1] = *wrong;
		maui_check_warn_of_admin(s, at, name, what, diags);
	}
}

void maui_check_admins(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (maui_check_names_admins(s) && maui_setting_counts(s))
			check_odd(s, diags);
	}
}

void maui_check_each_admin(const struct maui_config *config, maui_mention_fn fn, void *context)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		char name[MAUI_NAME_MAX + 1];

		if (!maui_check_names_admins(s) || !maui_setting_counts(s))
			continue;
		for (size_t at, next = 0; next_name(s, &next, name, &at);)
			if (!maui_check_odd(name) && strcmp(name, "ALL") != 0)
				fn(&(struct maui_mention){ .kind = MAUI_CRED_USER,
							   .name = name,
							   .admins = s,
							   .at = at },
				   context);
	}
}
