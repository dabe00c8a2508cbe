/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - well-formed names that no object can have */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "config/check/private.h"

/* A QOS name and the setting that contains it. */
struct mention {
	const char *name;
	size_t length;
	const struct maui_setting *where;
};

struct mentions {
	struct mention *list;
	size_t count;
};

static int by_name(const void *a, const void *b)
{
	const struct mention *one = a, *two = b;
	size_t least = one->length < two->length ? one->length : two->length;
	int order = memcmp(one->name, two->name, least);

	return order ? order : (one->length > two->length) - (one->length < two->length);
}

/* By name, then in the order of the files. */
static int by_name_and_place(const void *a, const void *b)
{
	const struct mention *one = a, *two = b;
	int order = by_name(a, b);

	return order ? order : (one->where > two->where) - (one->where < two->where);
}

static bool is_list(const struct maui_setting *s)
{
	return strcmp(s->attr->name, "QLIST") == 0;
}

/* QDEF and QLIST of a credential. SRCFG QOSLIST has marks of its own and is checked elsewhere. */
static bool names_qos(const struct maui_setting *s)
{
	return s->attr && maui_setting_counts(s) && (s->param->family & MAUI_FAMILY_LIMITS) &&
	       (is_list(s) || strcmp(s->attr->name, "QDEF") == 0);
}

static const char separators[] = ",|: \t";

/* The QOS at `at`, `length` bytes of the value as it is written. */
static struct mention make_mention(const struct maui_setting *s, const char *at, size_t length)
{
	bool last = at[length] == '\0';

	if (is_list(s) && length > 1 && *at == '"' && at[length - 1] == '"') {
		at++;
		length -= 2;
	}
	if (is_list(s) && last && length > 0 && strchr("&^", at[length - 1]))
		length--;
	return (struct mention){ .name = at, .length = length, .where = s };
}

/* Appends the QOS that a setting names to `to`, unless that is NULL. Returns their number. */
static size_t list_qos(const struct maui_setting *s, struct mention *to)
{
	size_t count = 0, length;

	for (const char *at = s->value; *at != '\0'; at += length + (at[length] != '\0')) {
		struct mention qos;

		length = is_list(s) ? maui_word_length(at, separators) : strlen(at);
		qos = make_mention(s, at, length);
		if (qos.length > 0 && to)
			to[count] = qos;
		count += qos.length > 0;
	}
	return count;
}

/* The QOS that have a QOSCFG line, sorted. */
static int find_known(const struct maui_config *config, struct mentions *ret)
{
	*ret = (struct mentions){ .list = calloc(config->setting_count + 1, sizeof(*ret->list)) };
	if (!ret->list)
		return -1;
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->param->family == MAUI_FAMILY_QOS && s->index)
			ret->list[ret->count++] = (struct mention){ .name = s->index,
								    .length = strlen(s->index),
								    .where = s };
	}
	qsort(ret->list, ret->count, sizeof(*ret->list), by_name);
	return 0;
}

static int find_named(const struct maui_config *config, struct mentions *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < config->setting_count; i++)
		if (names_qos(&config->settings[i]))
			count += list_qos(&config->settings[i], NULL);
	*ret = (struct mentions){ .list = calloc(count + 1, sizeof(*ret->list)) };
	if (!ret->list)
		return -1;
	for (size_t i = 0; i < config->setting_count; i++)
		if (names_qos(&config->settings[i]))
			ret->count += list_qos(&config->settings[i], ret->list + ret->count);
	qsort(ret->list, ret->count, sizeof(*ret->list), by_name_and_place);
	return 0;
}

static void warn_of_qos(const struct mention *qos, struct maui_diags *diags)
{
	const struct maui_setting *s = qos->where;

	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
		       "%s names QOS '%.*s', for which no QOSCFG[%.*s] sets anything",
		       s->attr->name, (int)qos->length, qos->name, (int)qos->length, qos->name);
}

/* One warning for each name of the sorted list that is not known. */
static void warn_of_unknown(const struct mentions *named, const struct mentions *known,
			    struct maui_diags *diags)
{
	for (size_t i = 0; i < named->count; i++) {
		const struct mention *qos = &named->list[i];
		bool again = i > 0 && by_name(qos - 1, qos) == 0;

		if (!again && !bsearch(qos, known->list, known->count, sizeof(*qos), by_name))
			warn_of_qos(qos, diags);
	}
}

/* A QOS that only QDEF or QLIST name is usually misspelt. */
static void check_qos_names(const struct maui_config *config, struct maui_diags *diags)
{
	struct mentions known = { 0 }, named = { 0 };

	if (find_known(config, &known) || find_named(config, &named))
		diags->no_memory = true;
	else
		warn_of_unknown(&named, &known, diags);
	free(known.list);
	free(named.list);
}

static bool same_object(const struct maui_setting *a, const struct maui_setting *b)
{
	return a->param == b->param && b->index && strcmp(a->index, b->index) == 0;
}

/* Whether the index of the parameter is the name of one object. */
static bool has_named_index(const struct maui_setting *s)
{
	enum maui_index index = s->param->index;

	return s->index && (index == MAUI_INDEX_CRED || index == MAUI_INDEX_QOS ||
			    index == MAUI_INDEX_SR || index == MAUI_INDEX_PARTITION);
}

/* USERCFG[john,amy]: no user has this name. GROUPCFG[domain users] may be meant. One message for
 * all attributes of a line. */
static void check_object_names(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		const char *name = s->param->name;

		if (!has_named_index(s) || s->quoted_index || (i > 0 && same_object(s, s - 1)))
			continue;
		if (strchr(s->index, ','))
			maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
				       "%s[%s] names one object; write a line for each of several",
				       name, s->index);
		else if (strpbrk(s->index, " \t"))
			maui_diags_add(diags, MAUI_NOTE, s->file, s->line, s->column,
				       "%s[%s] names one object: %s[\"%s\"] says the same", name,
				       s->index, name, s->index);
	}
}

/* SYSCFG[x], DEFERTIME[x]: these parameters take no index. [0] and [ALL] mean the same as no
 * index. */
static void check_needless_indices(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		enum maui_status status = maui_check_row(s)->status;

		if (s->param->index != MAUI_INDEX_NONE || !s->index || *s->index == '\0' ||
		    strcmp(s->index, "0") == 0 || strcasecmp(s->index, "ALL") == 0 ||
		    (status != MAUI_HONOURED && status != MAUI_DIFFERENT) ||
		    (i > 0 && same_object(s, s - 1) && s->line == s[-1].line))
			continue;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s takes no index: %s[%s] is read as %s", s->param->name,
			       s->param->name, s->index, s->param->name);
	}
}

static bool is_reserved(const struct maui_config *config, const char *name)
{
	for (size_t i = 0; i < config->rsv_count; i++)
		if (maui_rsv_is_meant(&config->rsvs[i], name))
			return true;
	return false;
}

/* USERESERVED:biz without a SRCFG[biz] is a warning only: setres may make a reservation of this
 * name. */
static void check_reserved_names(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		const struct maui_cred_config *qos;

		if (!s->attr || !maui_setting_counts(s) || s->param->family != MAUI_FAMILY_QOS ||
		    !s->index || strcmp(s->attr->name, "FLAGS") != 0)
			continue;
		qos = maui_config_cred(config, MAUI_CRED_QOS, s->index);
		if (!qos->use_reserved || is_reserved(config, qos->use_reserved))
			continue;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "USERESERVED:%.200s names a reservation that no SRCFG defines; jobs "
			       "of this QOS wait until setres makes a reservation of that name",
			       qos->use_reserved);
	}
}

void maui_check_names(const struct maui_config *config, struct maui_diags *diags)
{
	check_object_names(config, diags);
	check_needless_indices(config, diags);
	check_qos_names(config, diags);
	check_reserved_names(config, diags);
}
