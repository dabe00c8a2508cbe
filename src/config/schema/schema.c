/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schema.c - finding names in the schema tables */

#include "config/schema/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/search.h"
#include "base/words.h"

/* A longer word is not a misspelt name: no suggestion, and no time spent on one. */
#define LONGEST_GUESS 64

static const char *const type_names[MAUI_TYPE_COUNT] = {
	[MAUI_TYPE_INT] = "integer",
	[MAUI_TYPE_NUMBER] = "number",
	[MAUI_TYPE_BOOL] = "boolean",
	[MAUI_TYPE_TIME] = "time",
	[MAUI_TYPE_WORD] = "word",
	[MAUI_TYPE_WORDS] = "words",
	[MAUI_TYPE_LIST] = "list",
	[MAUI_TYPE_STRING] = "string",
	[MAUI_TYPE_LIMIT] = "[soft,]hard limit",
	[MAUI_TYPE_TIMELIMIT] = "[soft,]hard time",
	[MAUI_TYPE_FSTARGET] = "fairshare target",
	[MAUI_TYPE_FSPOLICY] = "fairshare policy",
	[MAUI_TYPE_ATTRS] = "attributes",
};

static const char *const status_names[MAUI_STATUS_COUNT] = {
	[MAUI_HONOURED] = "honoured",         [MAUI_NOT_YET] = "not yet",
	[MAUI_DIFFERENT] = "different",       [MAUI_SLURM_CONF] = "belongs to slurm.conf",
	[MAUI_UNSUPPORTED] = "not supported",
};

const char *maui_type_name(enum maui_type type)
{
	return type < MAUI_TYPE_COUNT ? type_names[type] : "?";
}

const char *maui_status_name(enum maui_status status)
{
	return status < MAUI_STATUS_COUNT ? status_names[status] : "?";
}

const char *maui_schema_family_name(unsigned family)
{
	if (family == MAUI_FAMILY_DEEP_TREE)
		family = MAUI_FAMILY_TREE;
	for (size_t i = 0; i < maui_schema_param_count && family != MAUI_FAMILY_OTHER; i++)
		if (maui_schema_params[i].type == MAUI_TYPE_ATTRS &&
		    maui_schema_params[i].family == family)
			return maui_schema_params[i].name;
	return NULL;
}

/* Every row begins with its name. */
static bool is_before(const void *row, const void *name)
{
	return strcasecmp(*(const char *const *)row, name) < 0;
}

/* The first row whose name does not sort before `name`. */
static size_t lower_bound(const void *rows, size_t count, size_t size, const char *name)
{
	return maui_lower_bound(rows, count, size, is_before, name);
}

const struct maui_param *maui_schema_find_param(const char *name)
{
	size_t i = lower_bound(maui_schema_params, maui_schema_param_count,
			       sizeof(maui_schema_params[0]), name);

	if (i == maui_schema_param_count || strcasecmp(maui_schema_params[i].name, name) != 0)
		return NULL;
	return &maui_schema_params[i];
}

const struct maui_param *maui_schema_find_attr(unsigned family, const char *name)
{
	size_t i = lower_bound(maui_schema_attrs, maui_schema_attr_count,
			       sizeof(maui_schema_attrs[0]), name);

	for (; i < maui_schema_attr_count; i++) {
		if (strcasecmp(maui_schema_attrs[i].name, name) != 0)
			return NULL;
		if (maui_schema_attrs[i].family & family)
			return &maui_schema_attrs[i];
	}
	return NULL;
}

const struct maui_alias *maui_schema_find_alias(const char *name)
{
	size_t i = lower_bound(maui_schema_aliases, maui_schema_alias_count,
			       sizeof(maui_schema_aliases[0]), name);

	if (i == maui_schema_alias_count || strcasecmp(maui_schema_aliases[i].name, name) != 0)
		return NULL;
	return &maui_schema_aliases[i];
}

/* Whether the alias belongs to the family and stands for an attribute of the family. */
static bool alias_in_family(const struct maui_alias *alias, unsigned family)
{
	if (alias->param) {
		const struct maui_param *param = maui_schema_find_param(alias->param);

		if (!param || !(param->family & family))
			return false;
	}
	return maui_schema_find_attr(family, alias->attr) != NULL;
}

const struct maui_alias *maui_schema_find_attr_alias(unsigned family, const char *name)
{
	size_t i = lower_bound(maui_schema_attr_aliases, maui_schema_attr_alias_count,
			       sizeof(maui_schema_attr_aliases[0]), name);

	for (; i < maui_schema_attr_alias_count; i++) {
		const struct maui_alias *alias = &maui_schema_attr_aliases[i];

		if (strcasecmp(alias->name, name) != 0)
			return NULL;
		if (alias_in_family(alias, family))
			return alias;
	}
	return NULL;
}

/* The best name so far, and the distance that a better one must stay within. */
struct guess {
	const char *name;
	unsigned max;
	bool none; /* not even an exact match could be better */
};

static void consider(struct guess *guess, const char *wrong, const char *name)
{
	unsigned distance;

	if (guess->none)
		return;
	distance = maui_words_distance(wrong, name, guess->max);
	if (distance > guess->max)
		return;
	guess->name = name;
	guess->none = distance == 0;
	guess->max = distance ? distance - 1 : 0;
}

/* Short forms, such as the names of weights in QOSCFG, and other words, for which the edit distance
 * finds the wrong name: XFWEIGHT is nearer to FSWEIGHT, MAXCPU to MAXGPU. */
static const char *short_form(const char *name)
{
	static const char *const forms[][2] = {
		{ "CPUCAP", "PROCCAP" },     { "CPUWEIGHT", "PROCWEIGHT" },
		{ "QTCAP", "QUEUETIMECAP" }, { "QTWEIGHT", "QUEUETIMEWEIGHT" },
		{ "XFCAP", "XFACTORCAP" },   { "XFWEIGHT", "XFACTORWEIGHT" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcasecmp(forms[i][0], name) == 0)
			return forms[i][1];
	return NULL;
}

/* The same for attributes, as far as the family has them. */
static const char *word_of_maui(unsigned family, const char *name)
{
	static const char *const forms[][2] = {
		{ "MAXCORE", "MAXPROC" },
		{ "MAXCPU", "MAXPROC" },
		{ "MAXICPU", "MAXIPROC" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcasecmp(forms[i][0], name) == 0 &&
		    maui_schema_find_attr(family, forms[i][1]))
			return forms[i][1];
	return NULL;
}

const char *maui_schema_suggest(unsigned family, const char *name)
{
	struct guess guess = { .name = family == 0 ? short_form(name) :
						     word_of_maui(family, name) };
	size_t length = strnlen(name, LONGEST_GUESS + 1);

	if (guess.name || length > LONGEST_GUESS || length / 3 == 0)
		return guess.name;
	guess.max = (unsigned)(length / 3);
	if (family == 0) {
		for (size_t i = 0; i < maui_schema_param_count; i++)
			if (!maui_schema_params[i].of_moab)
				consider(&guess, name, maui_schema_params[i].name);
		for (size_t i = 0; i < maui_schema_alias_count; i++)
			consider(&guess, name, maui_schema_aliases[i].name);
		return guess.name;
	}
	for (size_t i = 0; i < maui_schema_attr_count; i++)
		if ((maui_schema_attrs[i].family & family) && !maui_schema_attrs[i].of_moab)
			consider(&guess, name, maui_schema_attrs[i].name);
	for (size_t i = 0; i < maui_schema_attr_alias_count; i++)
		if (alias_in_family(&maui_schema_attr_aliases[i], family))
			consider(&guess, name, maui_schema_attr_aliases[i].name);
	return guess.name;
}

/* Whether `text` is one of the spellings `a=b=c`, which end at a blank. */
static bool has_spelling(const char *spellings, const char *text, size_t length)
{
	for (;;) {
		size_t size = strcspn(spellings, "= ");

		if (size == length && strncasecmp(spellings, text, length) == 0)
			return true;
		if (spellings[size] != '=')
			return false;
		spellings += size + 1;
	}
}

char *maui_schema_word_list(const struct maui_param *row, char *buf, size_t size)
{
	static const char cut[] = ", ...";
	const char *word = row->words;
	size_t at = 0;

	buf[0] = '\0';
	while (*word) {
		size_t length = strcspn(word, " ="), next = strcspn(word, " ");
		bool last;

		next += strspn(word + next, " ");
		last = word[next] == '\0';
		if (at + strlen(", ") + length + (last ? 1 : sizeof(cut)) > size) {
			snprintf(buf + at, size - at, "%s", at ? cut : "...");
			break;
		}
		at += (size_t)snprintf(buf + at, size - at, "%s%.*s", at ? ", " : "", (int)length,
				       word);
		word += next;
	}
	return buf;
}

int maui_schema_word(const struct maui_param *row, const char *text, size_t length)
{
	const char *word = row->words;

	if (length == 0)
		return -1;
	for (int position = 0; *word; position++) {
		if (has_spelling(word, text, length))
			return position;
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	return -1;
}

const char *maui_schema_word_at(const struct maui_param *row, int position, size_t *ret_length)
{
	const char *word = row->words;

	for (; position > 0; position--) {
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	*ret_length = strcspn(word, "= ");
	return word;
}
