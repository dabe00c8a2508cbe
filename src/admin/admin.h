/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admin.h - administrative reservations: what setres and releaseres do to the list of them
 *
 * Pure but for the list: no clock, no names asked for. The caller plans with the list afterwards,
 * keeps it in the state, and answers by what it published then.
 *
 * Names: that of -n, else the first name that is let in, else SYSTEM, with the lowest free number
 * behind it (steve.1). A setres -n of this name, with its number, changes the reservation. Any
 * other name makes a new one, unless a SRCFG has the name or it ends in a number.
 *
 * Rules: RSV-20, RSV-21, RSV-31.
 */
#ifndef MAUI_ADMIN_ADMIN_H
#define MAUI_ADMIN_ADMIN_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "model/rsv.h"
#include "answers/document.h"
#include "admin/rights.h"

struct maui_admin {
	struct maui_rsv *list; /* by the time they were made; period ONCE */
	size_t count, alloc;
	const struct maui_document *published; /* what nodes there are; NULL: not known */
};

/* Index of the one of this name; SIZE_MAX: none. */
size_t maui_admin_find(const struct maui_admin *admin, const char *name);
/* Carries out a setres. answers/README.md describes `args`; `config` has the names of standing
 * reservations. Returns 0 with the index of the reservation that was made or changed and, if
 * something is to be told, a text in *ret_warning (the caller frees it; else NULL). Returns -1
 * with error and leaves the list as it was. */
int maui_admin_set(struct maui_admin *admin, const struct maui_rights *who,
		   const struct maui_config *config, json_object *args, int64_t now_s,
		   size_t *ret_index, bool *ret_created, char **ret_warning,
		   struct maui_query_error *error);

/* What a releaseres of one name is about. */
enum maui_release_kind {
	MAUI_RELEASE_ADMIN,    /* the one at `index` */
	MAUI_RELEASE_STANDING, /* the instance of `day` of SRCFG[sr] is set aside until it ends */
	MAUI_RELEASE_JOB,      /* the reservation of a job that waits is dropped */
	MAUI_RELEASE_UNDO,     /* the instance of `day` of SRCFG[sr], or all, are so no longer */
};

#define MAUI_RELEASE_ALL_DAYS INT32_MIN

struct maui_release {
	enum maui_release_kind kind;
	const char *type;          /* "User", as the reply has it */
	const char *name;          /* borrowed of list or document; UNDO: as it was asked for */
	size_t index;              /* ADMIN */
	const struct maui_rsv *sr; /* STANDING: of config */
	int32_t day;               /* STANDING, UNDO; MAUI_RELEASE_ALL_DAYS: of UNDO */
	uint64_t job;              /* JOB */
};

/* 0, or -1 with error: no such reservation, not permitted. Changes nothing. */
int maui_admin_release(const struct maui_admin *admin, const struct maui_rights *who,
		       const struct maui_config *config, const char *name, struct maui_release *ret,
		       struct maui_query_error *error);

/* The same for a releaseres --undo, of an instance or a whole standing reservation; whether it is
 * released is not asked here. */
int maui_admin_restore(const struct maui_rights *who, const struct maui_config *config,
		       const char *name, int64_t now_s, struct maui_release *ret,
		       struct maui_query_error *error);
/* It was not: -1 with error. */
int maui_admin_nothing_released(const char *name, struct maui_query_error *error);

/* The names of a releaseres' args: 0 with the array, borrowed, of at least one text and at most
 * MAUI_ADMIN_MAX_NAMES. */
int maui_admin_release_names(json_object *args, json_object **ret_names,
			     struct maui_query_error *error);

/* Replies. NULL without memory.
 *   setres      {"created": true, "reservation": {...}, "warnings": [...]}; null: not planned yet
 *   releaseres  {"released": [{"name", "type"}], "restored": [the same, of --undo],
 *               "errors": [{"error", "code"}]}, filled by one call a name: with `release`, or
 *               without and with error; "warnings": [...] when there is something else to be
 *               said */
json_object *maui_admin_reply(const struct maui_document *published, const char *name, bool created,
			      const char *warning);
json_object *maui_release_reply(void);
int maui_release_reply_warn(json_object *reply, const char *text);
int maui_release_reply_add(json_object *reply, const struct maui_release *release,
			   const struct maui_query_error *error);

#endif
