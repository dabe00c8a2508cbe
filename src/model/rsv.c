/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv.c - the memory and the names of a reservation (RSV-16) */

#include "model/rsv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/mirror.h"

const char *const maui_rsv_flag_names[MAUI_RSV_FLAG_COUNT + 1] = {
	[MAUI_RSV_BESTEFFORT] = "BESTEFFORT",
	[MAUI_RSV_BYNAME] = "BYNAME",
	[MAUI_RSV_DEDICATEDNODE] = "DEDICATEDNODE",
	[MAUI_RSV_DEDICATEDRESOURCE] = "DEDICATEDRESOURCE",
	[MAUI_RSV_FORCE] = "FORCE",
	[MAUI_RSV_OWNERPREEMPT] = "OWNERPREEMPT",
	[MAUI_RSV_PREEMPTEE] = "PREEMPTEE",
	[MAUI_RSV_SINGLEUSE] = "SINGLEUSE",
	[MAUI_RSV_SPACEFLEX] = "SPACEFLEX",
	[MAUI_RSV_STANDINGRES] = "STANDINGRES",
	[MAUI_RSV_TIMEFLEX] = "TIMEFLEX",
};

const char *const maui_trigger_event_names[MAUI_TRIGGER_EVENT_COUNT + 1] = {
	[MAUI_TRIGGER_CREATE] = "create",
	[MAUI_TRIGGER_START] = "start",
	[MAUI_TRIGGER_END] = "end",
	[MAUI_TRIGGER_MINLOAD] = "minload",
};

const char *const maui_trigger_action_names[MAUI_TRIGGER_ACTION_COUNT + 1] = {
	[MAUI_TRIGGER_CANCEL] = "cancel",
	[MAUI_TRIGGER_EXEC] = "exec",
	[MAUI_TRIGGER_SUBMIT] = "submit",
};

const char *const maui_acl_order_names[MAUI_ACL_ORDER_COUNT] = {
	[MAUI_ACL_AT_MOST] = "<=",
	[MAUI_ACL_AT_LEAST] = ">=",
	[MAUI_ACL_EXACTLY] = "==",
};

void maui_acl_finish(struct maui_acl *acl)
{
	for (size_t i = 0; i < acl->count; i++)
		free(acl->list[i].name);
	free(acl->list);
	*acl = (struct maui_acl){ 0 };
}

struct maui_rsv maui_rsv_defaults(void)
{
	return (struct maui_rsv){ .owner_kind = -1, .task = { .procs = -1 } };
}

void maui_rsv_finish(struct maui_rsv *rsv)
{
	maui_acl_finish(&rsv->acl);
	maui_words_finish(&rsv->features);
	for (size_t i = 0; i < rsv->trigger_count; i++)
		free(rsv->triggers[i].data);
	free(rsv->triggers);
	free(rsv->name);
	free(rsv->owner);
	free(rsv->charge_account);
	free(rsv->subtype);
	free(rsv->hosts);
	free(rsv->partition);
	free(rsv->made_by);
	*rsv = (struct maui_rsv){ .owner_kind = -1 };
}

static int copy_text(const char *from, char **to)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -1 : 0;
}

/* A copy with memory of its own. -1 without memory; call maui_acl_finish() on `to` even then. */
static int copy_acl(const struct maui_acl *from, struct maui_acl *to)
{
	*to = (struct maui_acl){ 0 };
	if (from->count == 0)
		return 0;
	to->list = calloc(from->count, sizeof(*to->list));
	if (!to->list)
		return -1;
	to->alloc = from->count;
	for (; to->count < from->count; to->count++) {
		struct maui_acl_entry *entry = &to->list[to->count];

		*entry = from->list[to->count];
		if (copy_text(from->list[to->count].name, &entry->name))
			return -1;
	}
	return 0;
}

static int copy_words(const struct maui_words *from, struct maui_words *to)
{
	if (from->count == 0)
		return 0;
	to->list = calloc(from->count, sizeof(*to->list));
	if (!to->list)
		return -1;
	for (; to->count < from->count; to->count++)
		if (copy_text(from->list[to->count], &to->list[to->count]))
			return -1;
	return 0;
}

static int copy_triggers(const struct maui_rsv *from, struct maui_rsv *to)
{
	if (from->trigger_count == 0)
		return 0;
	to->triggers = calloc(from->trigger_count, sizeof(*to->triggers));
	if (!to->triggers)
		return -1;
	to->trigger_alloc = from->trigger_count;
	for (; to->trigger_count < from->trigger_count; to->trigger_count++) {
		struct maui_trigger *trigger = &to->triggers[to->trigger_count];

		*trigger = from->triggers[to->trigger_count];
		if (copy_text(from->triggers[to->trigger_count].data, &trigger->data))
			return -1;
	}
	return 0;
}

int maui_rsv_copy(const struct maui_rsv *rsv, struct maui_rsv *ret)
{
	*ret = *rsv;
	/* the members with memory of their own first, so that half a copy can be freed */
	ret->name = ret->owner = ret->charge_account = ret->hosts = NULL;
	ret->partition = ret->made_by = ret->subtype = NULL;
	ret->acl = (struct maui_acl){ 0 };
	ret->features = (struct maui_words){ 0 };
	ret->triggers = NULL;
	ret->trigger_count = ret->trigger_alloc = 0;
	if (copy_acl(&rsv->acl, &ret->acl) == 0 &&
	    copy_words(&rsv->features, &ret->features) == 0 && copy_triggers(rsv, ret) == 0 &&
	    copy_text(rsv->name, &ret->name) == 0 && copy_text(rsv->owner, &ret->owner) == 0 &&
	    copy_text(rsv->charge_account, &ret->charge_account) == 0 &&
	    copy_text(rsv->subtype, &ret->subtype) == 0 &&
	    copy_text(rsv->hosts, &ret->hosts) == 0 &&
	    copy_text(rsv->partition, &ret->partition) == 0 &&
	    copy_text(rsv->made_by, &ret->made_by) == 0)
		return 0;
	maui_rsv_finish(ret);
	return -1;
}

static char *make_name(struct maui_arena *arena, const char *prefix, const char *name,
		       int64_t number)
{
	size_t size = strlen(prefix) + strlen(name) + 24;
	char *text = maui_arena_alloc(arena, size);

	if (text)
		snprintf(text, size, "%s%s.%" PRId64, prefix, name, number);
	return text;
}

char *maui_rsv_stable_name(const struct maui_rsv *rsv, int32_t day, const char *prefix,
			   struct maui_arena *arena)
{
	return make_name(arena, prefix, rsv->name, day);
}

char *maui_rsv_ordinal_name(const struct maui_rsv *rsv, uint32_t ordinal, struct maui_arena *arena)
{
	return rsv->period == MAUI_RSV_ONCE ? maui_arena_strdup(arena, rsv->name) :
					      make_name(arena, "", rsv->name, ordinal);
}

bool maui_rsv_is_numbered(const char *name, const char *text, size_t length)
{
	size_t own = strlen(name), at = own + 1;

	if (length <= at || strncmp(text, name, own) != 0 || text[own] != '.')
		return false;
	while (at < length && text[at] >= '0' && text[at] <= '9')
		at++;
	return at == length;
}

/* 12 for "sr.12", -1 for "sr", otherwise -2. */
static int64_t number_behind(const char *name, const char *text, size_t length)
{
	size_t own = strlen(name);
	int64_t number = 0;

	if (length == own && strncmp(text, name, own) == 0)
		return -1;
	if (!maui_rsv_is_numbered(name, text, length))
		return -2;
	for (size_t i = own + 1; i < length && number < INT32_MAX; i++)
		number = 10 * number + (text[i] - '0');
	return number;
}

/* Whether a mirror of the reservation can have this number in its name: a day, or 0 without
 * periods. */
static bool is_mirror_number(const struct maui_rsv *rsv, int64_t number)
{
	return maui_rsv_recurs(rsv) ? maui_rsv_is_day(number) : number == 0;
}

int64_t maui_rsv_suffix(const struct maui_rsv *rsv, const char *text, size_t length)
{
	size_t prefix = strlen(MAUI_MIRROR_PREFIX);
	int64_t number = rsv->name ? number_behind(rsv->name, text, length) : -2;

	if (number == -1 ||
	    (number >= 0 && !maui_rsv_is_day(number) && rsv->period != MAUI_RSV_ONCE))
		return number;
	if (!rsv->name || length <= prefix || strncmp(text, MAUI_MIRROR_PREFIX, prefix) != 0)
		return -2;
	number = number_behind(rsv->name, text + prefix, length - prefix);
	return is_mirror_number(rsv, number) ? number : -2;
}

bool maui_rsv_is_meant(const struct maui_rsv *rsv, const char *text)
{
	size_t length;

	for (; rsv->name && text; text = text[length] ? text + length + 1 : NULL) {
		length = strcspn(text, ",");
		if (maui_rsv_suffix(rsv, text, length) != -2)
			return true;
	}
	return false;
}

int64_t maui_rsv_meant_days(const struct maui_rsv *rsv, const char *text, int32_t *days,
			    size_t room)
{
	int64_t count = 0;
	size_t length;

	if (text && !strchr(text, '.')) /* the text names no day */
		return -1;
	for (; rsv->name && text; text = text[length] ? text + length + 1 : NULL) {
		int64_t suffix;

		length = strcspn(text, ",");
		suffix = maui_rsv_suffix(rsv, text, length);
		if (suffix == -2)
			continue;
		if (!maui_rsv_recurs(rsv) || !maui_rsv_is_day(suffix))
			return -1;
		if ((size_t)count < room)
			days[count] = (int32_t)suffix;
		count++;
	}
	return count > 0 ? count : -1;
}
