/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - limits with another effect than their text suggests */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "config/check/private.h"

static bool is_limit(const struct maui_setting *s)
{
	return s->attr && maui_setting_counts(s) &&
	       (s->attr->type == MAUI_TYPE_LIMIT || s->attr->type == MAUI_TYPE_TIMELIMIT);
}

/* "MAXIJOB", "OMAXIPROC" */
static bool is_idle(const char *name)
{
	return strncmp(name, "MAXI", 4) == 0 || strncmp(name, "OMAXI", 5) == 0;
}

/* Reads the two numbers of an accepted value; false: the value has one number. */
static bool read_two(const struct maui_setting *s, int64_t ret[2])
{
	bool time = s->attr->type == MAUI_TYPE_TIMELIMIT, read;
	size_t length = strcspn(s->value, time ? "," : ",:");
	char soft[64]; /* longer than any number that was accepted */
	const char *hard = s->value + length + (s->value[length] != '\0');
	struct maui_err err;
	char *end;

	if (length >= sizeof(soft) || s->value[length] == '\0' || length == 0 || *hard == '\0')
		return false;
	memcpy(soft, s->value, length);
	soft[length] = '\0';
	if (time) {
		read = maui_duration_parse(soft, &ret[0], &err) == 0 &&
		       maui_duration_parse(hard, &ret[1], &err) == 0;
	} else {
		ret[0] = strtoll(soft, &end, 10);
		read = *end == '\0';
		ret[1] = strtoll(hard, &end, 10);
		read &= *end == '\0';
	}
	return read;
}

/* For idle jobs only the hard value counts; planning.c checks those limits. */
static void check_soft(const struct maui_setting *s, struct maui_diags *diags)
{
	char subject[MAUI_SUBJECT_SIZE];
	int64_t two[2];

	if (is_idle(s->attr->name) || !read_two(s, two) || two[1] <= 0 || two[0] <= two[1])
		return;
	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
		       "%s: in %s the soft limit is above the hard limit, so the hard limit counts "
		       "for both (<soft>,<hard>)",
		       maui_check_subject(s, subject), s->value);
}

/* USERCFG[x] MAXJOB[USER] limits nothing more than MAXJOB: a job has one user. */
static void check_dimension(const struct maui_setting *s, struct maui_diags *diags)
{
	enum maui_cred_kind kind = MAUI_CRED_USER;
	char subject[MAUI_SUBJECT_SIZE];
	size_t length = s->sub ? strcspn(s->sub, ":") : 0;
	const char *name = s->sub && s->sub[length] == ':' ? s->sub + length + 1 : NULL;

	while (kind < MAUI_CRED_COUNT && s->param->family != 1u << kind)
		kind++;
	if (length == 0 || kind == MAUI_CRED_COUNT || !s->index ||
	    strlen(maui_cred_name(kind)) != length ||
	    strncasecmp(s->sub, maui_cred_name(kind), length) != 0)
		return;
	maui_check_subject(s, subject);
	if (name && strcmp(name, s->index) != 0 && strcmp(s->index, "DEFAULT") != 0)
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s[%s] has no effect: no job has two %ss", subject, s->sub,
			       maui_cred_name(kind));
	else
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s[%s] limits the same as the line without [%s]: a job has one %s",
			       subject, s->sub, s->sub, maui_cred_name(kind));
}

void maui_check_limits(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		if (!is_limit(&config->settings[i]))
			continue;
		check_soft(&config->settings[i], diags);
		check_dimension(&config->settings[i], diags);
	}
}
