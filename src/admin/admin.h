/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admin.h - administrative reservations: how setres and releaseres change the list of them
 *
 * These functions change only the list: they read no clock and ask no name service. The caller
 * plans with the list afterwards, saves it in the state, and answers from the plan published then.
 *
 * Names: the name of -n, else the first name of the access list, else SYSTEM, followed by the
 * lowest free number (steve.1). If -n names an existing reservation, with its number, setres
 * changes that reservation. Any other name makes a new one, unless a SRCFG has the name or the name
 * ends in a number.
 *
 * Rules: RSV-20, RSV-21, RSV-31.
 */
#ifndef MAUI_ADMIN_ADMIN_H
#define MAUI_ADMIN_ADMIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "model/rsv.h"
#include "admin/hosts.h"
#include "admin/rights.h"
#include "answers/document.h"
#include "verbs/releaseres.h"
#include "verbs/setres.h"

struct maui_admin {
	struct maui_rsv *list; /* in the order in which they were made; period ONCE */
	size_t count, alloc;
	struct maui_admin_nodes nodes;
	const struct maui_document *published; /* rows, and PrivateData; NULL: none */
};

/* Index of the reservation with this name; SIZE_MAX: none. */
size_t maui_admin_find(const struct maui_admin *admin, const char *name);
/* Whether PrivateData=reservations hides the reservation at `index` from this user: the reply then
 * says that no reservation has this name. */
bool maui_admin_is_hidden(const struct maui_admin *admin, size_t index,
			  const struct maui_rights *who);
/* Executes a setres; `config` has the names of standing reservations. Returns 0 with the index
 * of the new or changed reservation and a warning in *ret_warning (the caller frees it; NULL:
 * none). Returns -1 with error and leaves the list unchanged. */
int maui_admin_set(struct maui_admin *admin, const struct maui_rights *who,
		   const struct maui_config *config, const struct maui_setres_args *args,
		   int64_t now_s, size_t *ret_index, bool *ret_created, char **ret_warning,
		   struct maui_query_error *error);

/* What one name of a releaseres refers to. */
enum maui_release_kind {
	MAUI_RELEASE_ADMIN, /* the administrative reservation at `index` */
	/* the instance of `day` of SRCFG[sr]: released until its period ends */
	MAUI_RELEASE_STANDING,
	MAUI_RELEASE_JOB, /* the job reservation of a waiting job */
	/* the release of the instance of `day` of SRCFG[sr], or of all, is taken back */
	MAUI_RELEASE_UNDO,
};

#define MAUI_RELEASE_ALL_DAYS INT32_MIN

struct maui_release {
	enum maui_release_kind kind;
	const char *type;          /* "User", as in the reply */
	const char *name;          /* borrowed from list or document; UNDO: as requested */
	size_t index;              /* ADMIN */
	const struct maui_rsv *sr; /* STANDING: of config */
	int32_t day;               /* STANDING, UNDO; UNDO of all: MAUI_RELEASE_ALL_DAYS */
	uint64_t job;              /* JOB */
};

/* Finds what a releaseres of `name` refers to. 0, or -1 with error: no such reservation, or not
 * permitted. Changes nothing. */
int maui_admin_release(const struct maui_admin *admin, const struct maui_rights *who,
		       const struct maui_config *config, const char *name, struct maui_release *ret,
		       struct maui_query_error *error);

/* The same for releaseres --undo of an instance or of a whole standing reservation. Does not check
 * whether it is released. */
int maui_admin_restore(const struct maui_config *config, const char *name, int64_t now_s,
		       struct maui_release *ret, struct maui_query_error *error);
/* Fails because no such instance is released: -1 with error. */
int maui_admin_nothing_released(const char *name, struct maui_query_error *error);

/* Whether a releaseres names one to MAUI_ADMIN_MAX_NAMES reservations; -1 with error. */
int maui_admin_check_names(const struct maui_releaseres_args *args, struct maui_query_error *error);

/* What became of one name of a releaseres. */
struct maui_release_outcome {
	struct maui_query_error error; /* code 0: none */
	const char *name, *type;       /* what was released or restored */
	bool restored;
};

/* It was released or restored. The name is copied: NULL without memory. */
struct maui_release_outcome maui_release_done(const struct maui_release *release,
					      struct maui_arena *arena);
/* The answer, of the arena; NULL without memory. */
struct maui_releaseres *maui_release_answer(const struct maui_release_outcome *outcomes,
					    size_t count, struct maui_arena *arena);

#endif
