/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_text.c - what a reservation is, its flags and access lists, as commands show them */
#include "answers/rsv_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"

/* Maui's short names in access lists, and the long ones of OWNER */
static const struct {
	const char *acl, *owner;
} kind_names[MAUI_ACL_KIND_COUNT] = {
	[MAUI_CRED_USER] = { "USER", "USER" },       [MAUI_CRED_GROUP] = { "GROUP", "GROUP" },
	[MAUI_CRED_ACCOUNT] = { "ACCT", "ACCOUNT" }, [MAUI_CRED_QOS] = { "QOS", "QOS" },
	[MAUI_CRED_CLASS] = { "CLASS", "CLASS" },    [MAUI_ACL_JOBATTR] = { "JATTR", NULL },
	[MAUI_ACL_DURATION] = { "DURATION", NULL },  [MAUI_ACL_TASK] = { "TASK", NULL },
	[MAUI_ACL_PROC] = { "PROC", NULL },
};

const char *maui_rsv_text_type(enum maui_document_type type)
{
	static const char *const names[MAUI_DOCUMENT_TYPE_COUNT] = {
		[MAUI_DOCUMENT_JOB] = "Job",     [MAUI_DOCUMENT_SYSTEM] = "System",
		[MAUI_DOCUMENT_USER] = "User",   [MAUI_DOCUMENT_STANDING] = "Standing",
		[MAUI_DOCUMENT_SLURM] = "Slurm",
	};

	return names[type];
}

/* In quotes, if a list would not show where the name ends. */
static const char *shown_name(const char *name, struct maui_arena *arena)
{
	return strpbrk(name, " \t") ? maui_arena_printf(arena, "\"%s\"", name) : name;
}

static const char **text_list(struct maui_arena *arena, size_t count)
{
	return count ? maui_arena_alloc(arena, (count + 1) * sizeof(const char *)) : NULL;
}

const char *const *maui_rsv_text_flags(const struct maui_rsv *rsv, struct maui_arena *arena)
{
	const char **list =
		text_list(arena, (size_t)__builtin_popcountll(rsv->flags) + (rsv->trial ? 1 : 0));
	size_t at = 0;

	for (int f = 0; list && f < MAUI_RSV_FLAG_COUNT; f++)
		if (maui_rsv_has(rsv, (enum maui_rsv_flag)f))
			list[at++] = maui_rsv_flag_names[f];
	if (list && rsv->trial)
		list[at++] = "TRIAL"; /* made under SERVERMODE TEST */
	return list;
}

static char affinity_mark(const struct maui_acl_entry *entry)
{
	return entry->affinity > 0 ? '+' : entry->affinity < 0 ? '-' : '=';
}

static const char *entry_text(const struct maui_acl_entry *entry, struct maui_arena *arena)
{
	char value[MAUI_DURATION_SIZE], marks[4] = "";
	const char *negated = entry->deny ? "!" : entry->xor ? "^" : "";
	const char *kind = entry->kind >= 0 && entry->kind < MAUI_ACL_KIND_COUNT ?
				   kind_names[entry->kind].acl :
				   "?";
	size_t at = 0;

	if (entry->required)
		marks[at++] = '*';
	if (!entry->deny && !entry->xor)
		marks[at++] = affinity_mark(entry);
	marks[at] = '\0';
	if (entry->name) {
		const char *name = shown_name(entry->name, arena);

		return name ? maui_arena_printf(arena, "%s==%s%s%s", kind, negated, name, marks) :
			      NULL;
	}
	if (entry->kind == MAUI_ACL_DURATION)
		maui_duration_format(entry->value, value, sizeof(value));
	else
		snprintf(value, sizeof(value), "%" PRId64, entry->value);
	return maui_arena_printf(arena, "%s%s%s%s%s", kind, maui_acl_order_names[entry->order],
				 negated, value, marks);
}

const char *const *maui_rsv_text_acl(const struct maui_rsv *rsv, struct maui_arena *arena)
{
	const char **list = text_list(arena, rsv->acl.count);

	for (size_t i = 0; list && i < rsv->acl.count; i++) {
		list[i] = entry_text(&rsv->acl.list[i], arena);
		if (!list[i])
			return NULL;
	}
	return list;
}

static const char *trigger_text(const struct maui_trigger *trigger, struct maui_arena *arena)
{
	char offset[MAUI_DURATION_SIZE + 1] = "", threshold[32] = "";

	if (trigger->offset_s > 0) {
		offset[0] = '+';
		maui_duration_format(trigger->offset_s, offset + 1, sizeof(offset) - 1);
	}
	if (trigger->event == MAUI_TRIGGER_MINLOAD)
		snprintf(threshold, sizeof(threshold), "@%g", trigger->threshold);
	return maui_arena_printf(arena, "%s%s%s;%s%s%s", maui_trigger_event_names[trigger->event],
				 offset, threshold, maui_trigger_action_names[trigger->action],
				 trigger->data ? "@" : "", trigger->data ? trigger->data : "");
}

const char *const *maui_rsv_text_triggers(const struct maui_rsv *rsv, struct maui_arena *arena)
{
	const char **list = text_list(arena, rsv->trigger_count);

	for (size_t i = 0; list && i < rsv->trigger_count; i++) {
		list[i] = trigger_text(&rsv->triggers[i], arena);
		if (!list[i])
			return NULL;
	}
	return list;
}

const char *maui_rsv_text_owner(const struct maui_rsv *rsv, struct maui_arena *arena)
{
	const char *name;

	if (!rsv->owner || rsv->owner_kind < 0 || rsv->owner_kind >= MAUI_CRED_COUNT)
		return NULL;
	name = shown_name(rsv->owner, arena);
	return name ? maui_arena_printf(arena, "%s:%s", kind_names[rsv->owner_kind].owner, name) :
		      NULL;
}
