/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admin.c - setres: makes and changes administrative reservations */
#include "admin/admin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admin/attributes.h"
#include "admin/bounds.h"
#include "admin/hosts.h"
#include "admin/warning.h"
#include "base/array.h"
#include "base/limits.h"
#include "model/when.h"

size_t maui_admin_find(const struct maui_admin *admin, const char *name)
{
	for (size_t i = 0; i < admin->count; i++)
		if (strcmp(admin->list[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

bool maui_admin_is_hidden(const struct maui_admin *admin, size_t index,
			  const struct maui_rights *who)
{
	const struct maui_rsv *rsv = &admin->list[index];
	const struct maui_document *p = admin->published;

	if (who->admin || !p || !maui_document_hides_rsvs(p, who->uid))
		return false;
	if (rsv->made_by && who->name && strcmp(rsv->made_by, who->name) == 0)
		return false;
	return !(rsv->owner && rsv->owner_kind == MAUI_CRED_USER && who->name &&
		 strcmp(rsv->owner, who->name) == 0);
}

/* ---- names ---- */

static const char name_letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

static bool is_standing(const struct maui_config *config, const char *name)
{
	for (size_t i = 0; config && i < config->rsv_count; i++)
		if (strcmp(config->rsvs[i].name, name) == 0)
			return true;
	return false;
}

/* `base` with the lowest number that no reservation has, here or in maui.cfg. */
static char *make_numbered_name(const struct maui_admin *admin, const struct maui_config *config,
				const char *base)
{
	char *name;

	for (unsigned i = 1;; i++) {
		if (asprintf(&name, "%s.%u", base, i) < 0)
			return NULL;
		if (maui_admin_find(admin, name) == SIZE_MAX && !is_standing(config, name))
			return name;
		free(name);
	}
}

/* The first name of the access list, without it SYSTEM. A name that a standing reservation has is
 * not used, because its instances have such names. */
static void make_base_name(const struct maui_rsv *rsv, const struct maui_config *config, char *base,
			   size_t size)
{
	const char *from = "SYSTEM";

	for (size_t i = 0; i < rsv->acl.count; i++)
		if (rsv->acl.list[i].name && !rsv->acl.list[i].deny) {
			from = rsv->acl.list[i].name;
			break;
		}
	snprintf(base, size - 8, "%s", from);
	for (char *p = base; *p != '\0'; p++)
		if (!strchr(name_letters, *p))
			*p = '_';
	if (is_standing(config, base))
		strcat(base, "-setres");
}

/* Whether the name ends in a dot and a number: "nosuch.5". */
static bool has_number(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot[1] && dot[1 + strspn(dot + 1, "0123456789")] == '\0';
}

/* Checks the name of a new reservation. */
static int check_name(const char *name, const struct maui_config *config, bool has_place,
		      struct maui_query_error *error)
{
	if (*name == '\0' || strlen(name) > MAUI_ADMIN_MAX_NAME ||
	    strspn(name, name_letters) != strlen(name) || strchr(".-", *name))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "'%.80s' cannot name a reservation: use up to %d letters, "
				       "digits, '_', '.' and '-', and do not begin with '.' or '-'",
				       name, MAUI_ADMIN_MAX_NAME);
	if (is_standing(config, name))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "'%s' names a standing reservation of maui.cfg: take "
				       "another name",
				       name);
	if (has_number(name))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "no reservation '%s' to change; name a new one without a "
				       "number, setres adds it",
				       name);
	if (!has_place)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "no reservation '%s' to change (showres has the names, with "
				       "their numbers); for a new one give ALL, TASKS==N or hosts",
				       name);
	return 0;
}

static int set_name(struct maui_rsv *rsv, const struct maui_admin *admin, const char *name,
		    const struct maui_config *config, struct maui_query_error *error)
{
	char base[MAUI_ADMIN_MAX_NAME + 1];

	if (!name) {
		make_base_name(rsv, config, base, sizeof(base));
		name = base;
	}
	rsv->name = make_numbered_name(admin, config, name);
	return rsv->name ? 0 : maui_query_no_memory(error);
}

/* ---- times ---- */

enum { MINUTE_S = 60 };
static const int64_t AHEAD_MAX_S = 10 * MAUI_YEAR_S;

static int set_times(struct maui_rsv *rsv, const struct maui_setres_args *args, int64_t now_s,
		     struct maui_query_error *error)
{
	int64_t start_s = args->start != 0 ? args->start : rsv->start_s;
	int64_t end_s = args->end != 0 ? args->end : rsv->end_s;

	if (args->duration != 0)
		end_s = maui_when_add(start_s, args->duration);
	if (start_s < 0 || args->duration < 0 || end_s <= start_s)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "the reservation would end before it begins");
	if (end_s <= now_s)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "the reservation would be over already");
	if (start_s - now_s > AHEAD_MAX_S || (end_s != MAUI_NEVER && end_s - now_s > AHEAD_MAX_S))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "the reservation would begin or end in more than 10 years; "
				       "one without an end needs none");
	rsv->start_s = start_s;
	rsv->end_s = end_s;
	return 0;
}

/* ---- setres ---- */

/* Fills a new reservation with defaults. */
static int begin_new(struct maui_rsv *rsv, const struct maui_rights *who, int64_t now_s,
		     struct maui_query_error *error)
{
	char text[32];

	*rsv = maui_rsv_defaults();
	rsv->shared = true;
	rsv->period = MAUI_RSV_ONCE;
	rsv->start_s = now_s;
	rsv->end_s = MAUI_NEVER;
	rsv->days = 0x7f;
	rsv->depth = 1;
	rsv->by_user = !who->admin;
	rsv->made_uid = (uint32_t)who->uid;
	rsv->made_uid_known = true;
	snprintf(text, sizeof(text), "%u", (unsigned)who->uid);
	rsv->made_by = strdup(who->name ? who->name : text);
	return rsv->made_by ? 0 : maui_query_no_memory(error);
}

static int check_place(const struct maui_rsv *rsv, struct maui_query_error *error)
{
	if (rsv->hosts || rsv->task_count > 0)
		return 0;
	return maui_query_fail(error, MAUI_QUERY_BAD, "which resources? ALL, TASKS==N or hosts");
}

/* A user's reservation must not outrank those of maui.cfg. */
static int check_priority(const struct maui_rights *who, const struct maui_setres_args *args,
			  struct maui_query_error *error)
{
	if (who->admin || !maui_admin_names(args, "PRIORITY"))
		return 0;
	return maui_query_denied(error, "PRIORITY of a reservation needs an administrator");
}

static int check_hosts(const struct maui_admin *admin, const struct maui_rsv *rsv,
		       const struct maui_setres_args *args, char **warning,
		       struct maui_query_error *error)
{
	if (!maui_admin_names(args, "HOSTLIST"))
		return 0;
	return maui_admin_hosts(admin->nodes, rsv->hosts, maui_rsv_has(rsv, MAUI_RSV_BESTEFFORT),
				warning, error);
}

/* Warns of a start in the past, because the year may be mistyped. A minute is allowed for the time
 * since the request was written. */
static void check_start(const struct maui_rsv *rsv, const struct maui_setres_args *args,
			int64_t now_s, char **warning)
{
	if (args->start != 0 && rsv->start_s < now_s - MINUTE_S)
		maui_admin_warn(warning, "its start is in the past: it is in force at once");
}

/* A user's reservation always admits that user, and takes no resources that another reservation
 * has, also when it is completed later. */
static int confine_user(struct maui_rsv *rsv, const struct maui_rights *who,
			struct maui_query_error *error)
{
	struct maui_acl_entry *grown;

	rsv->flags |= UINT64_C(1) << MAUI_RSV_DEDICATEDRESOURCE;
	for (size_t i = 0; i < rsv->acl.count; i++)
		if (rsv->acl.list[i].kind == MAUI_CRED_USER &&
		    strcmp(rsv->acl.list[i].name, who->name) == 0) {
			rsv->acl.list[i].deny = false;
			return 0;
		}
	grown = maui_array_grow(rsv->acl.list, rsv->acl.count, &rsv->acl.alloc, sizeof(*grown));
	if (!grown)
		return maui_query_no_memory(error);
	rsv->acl.list = grown;
	grown[rsv->acl.count] =
		(struct maui_acl_entry){ .kind = MAUI_CRED_USER, .name = strdup(who->name) };
	return grown[rsv->acl.count].name ? (rsv->acl.count++, 0) : maui_query_no_memory(error);
}

static int set_attributes(const struct maui_admin *admin, struct maui_rsv *rsv,
			  const struct maui_rights *who, const struct maui_config *config,
			  const struct maui_setres_args *args, int64_t now_s, char **ret_warning,
			  struct maui_query_error *error)
{
	if (check_priority(who, args, error) ||
	    maui_admin_set_attributes(rsv, args, ret_warning, error))
		return -1;
	if (set_times(rsv, args, now_s, error) || check_place(rsv, error) ||
	    maui_rights_content(who, rsv, error) ||
	    maui_bounds_times(rsv, who, config, now_s, error) ||
	    (!who->admin && confine_user(rsv, who, error)))
		return -1;
	check_start(rsv, args, now_s, ret_warning);
	return check_hosts(admin, rsv, args, ret_warning, error);
}

static int create(struct maui_admin *admin, const struct maui_rights *who,
		  const struct maui_config *config, const struct maui_setres_args *args,
		  int64_t now_s, char **ret_warning, struct maui_query_error *error)
{
	struct maui_rsv rsv = { 0 }, *grown;

	if (maui_rights_create(who, error) ||
	    (args->name && check_name(args->name, config, maui_admin_has_place(args), error)) ||
	    maui_bounds_count(admin, who, config, error))
		return -1;
	if (begin_new(&rsv, who, now_s, error) == 0 &&
	    set_attributes(admin, &rsv, who, config, args, now_s, ret_warning, error) == 0 &&
	    set_name(&rsv, admin, args->name, config, error) == 0) {
		grown = maui_array_grow(admin->list, admin->count, &admin->alloc, sizeof(*grown));
		if (grown) {
			admin->list = grown;
			admin->list[admin->count++] = rsv;
			return 0;
		}
		maui_query_no_memory(error);
	}
	maui_rsv_finish(&rsv);
	return -1;
}

static int change(const struct maui_admin *admin, struct maui_rsv *rsv,
		  const struct maui_rights *who, const struct maui_config *config,
		  const struct maui_setres_args *args, int64_t now_s, char **ret_warning,
		  struct maui_query_error *error)
{
	struct maui_rsv next;

	if (maui_rights_change(who, rsv, error))
		return -1;
	if (maui_rsv_copy(rsv, &next))
		return maui_query_no_memory(error);
	if (set_attributes(admin, &next, who, config, args, now_s, ret_warning, error)) {
		maui_rsv_finish(&next);
		return -1;
	}
	next.by_user |= !who->admin;
	maui_rsv_finish(rsv);
	*rsv = next;
	return 0;
}

int maui_admin_set(struct maui_admin *admin, const struct maui_rights *who,
		   const struct maui_config *config, const struct maui_setres_args *args,
		   int64_t now_s, size_t *ret_index, bool *ret_created, char **ret_warning,
		   struct maui_query_error *error)
{
	size_t index = args->name ? maui_admin_find(admin, args->name) : SIZE_MAX;
	int rc;

	*ret_warning = NULL;
	if (index != SIZE_MAX && maui_admin_is_hidden(admin, index, who))
		rc = check_name(args->name, config, false, error);
	else if (index == SIZE_MAX)
		rc = create(admin, who, config, args, now_s, ret_warning, error);
	else
		rc = change(admin, &admin->list[index], who, config, args, now_s, ret_warning,
			    error);
	if (rc != 0) {
		free(*ret_warning);
		*ret_warning = NULL;
		return -1;
	}
	*ret_created = index == SIZE_MAX;
	*ret_index = *ret_created ? admin->count - 1 : index;
	return 0;
}
