/* SPDX-License-Identifier: GPL-2.0-or-later */
/* release.c - finds what a releaseres refers to, and writes the replies of setres and releaseres */
#include "admin/admin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "admin/running.h"
#include "answers/object.h"
#include "answers/rsv_json.h"

static int not_found(const char *name, struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no reservation '%.64s'", name);
}

/* A job that has started keeps its nodes. */
static int release_job(const struct maui_document_rsv *row, const struct maui_rights *who,
		       struct maui_release *ret, struct maui_query_error *error)
{
	ret->kind = MAUI_RELEASE_JOB;
	ret->type = "Job";
	ret->job = strtoull(row->name, NULL, 10);
	if (maui_rights_release_job(who, row->name, row->uid, error))
		return -1;
	if (row->state == 'I')
		return 0;
	return maui_query_fail(error, MAUI_QUERY_ERROR,
			       "job %s has started and keeps its nodes: scancel ends it",
			       row->name);
}

static int release_standing(const struct maui_document_rsv *row, const struct maui_rights *who,
			    const struct maui_config *config, struct maui_release *ret,
			    struct maui_query_error *error)
{
	ret->kind = MAUI_RELEASE_STANDING;
	ret->type = "Standing";
	ret->day = row->day;
	for (size_t i = 0; config && i < config->rsv_count && !ret->sr; i++)
		if (strcmp(config->rsvs[i].name, row->srcfg) == 0)
			ret->sr = &config->rsvs[i];
	if (!ret->sr) /* maui.cfg has changed since the plan was published */
		return not_found(row->name, error);
	return maui_rights_release(who, ret->sr, error);
}

static int release_admin(const struct maui_rsv *rsv, const struct maui_rights *who,
			 struct maui_release *ret, struct maui_query_error *error)
{
	ret->kind = MAUI_RELEASE_ADMIN;
	ret->type = rsv->acl.count ? "User" : "System";
	ret->name = rsv->name;
	return maui_rights_release(who, rsv, error);
}

static bool equals_name(const char *text, const char *name)
{
	return text && strcmp(text, name) == 0;
}

/* By name or stable name. A reservation that the user may not see is treated as unknown. */
static const struct maui_document_rsv *find_row(const struct maui_document *p, const char *name,
						uid_t uid)
{
	for (size_t i = 0; p && i < p->rsv_count; i++)
		if ((equals_name(p->rsvs[i].name, name) || equals_name(p->rsvs[i].stable, name)) &&
		    maui_document_shows(p, &p->rsvs[i], uid))
			return &p->rsvs[i];
	return NULL;
}

static bool is_administrative(const struct maui_document_rsv *row)
{
	return row->type == MAUI_DOCUMENT_SYSTEM || row->type == MAUI_DOCUMENT_USER;
}

int maui_admin_release(const struct maui_admin *admin, const struct maui_rights *who,
		       const struct maui_config *config, const char *name, struct maui_release *ret,
		       struct maui_query_error *error)
{
	const struct maui_document_rsv *row =
		find_row(admin->published, name, who->admin ? 0 : who->uid);
	/* an administrative reservation by its own name, which may not be published yet */
	size_t index = maui_admin_find(admin, name);

	if (index == SIZE_MAX && row && is_administrative(row))
		index = maui_admin_find(admin, row->name);
	*ret = (struct maui_release){ .index = index, .name = row ? row->name : NULL };
	if (index != SIZE_MAX && maui_admin_is_hidden(admin, index, who))
		return not_found(name, error);
	if (index != SIZE_MAX)
		return release_admin(&admin->list[index], who, ret, error);
	if (row && row->type == MAUI_DOCUMENT_STANDING)
		return release_standing(row, who, config, ret, error);
	if (row && row->type == MAUI_DOCUMENT_JOB)
		return release_job(row, who, ret, error);
	for (size_t i = 0; config && i < config->rsv_count; i++)
		if (strcmp(config->rsvs[i].name, name) == 0)
			return maui_query_fail(error, MAUI_QUERY_BAD,
					       "'%s' names a standing reservation of maui.cfg; "
					       "name one of its instances, such as '%s.0'",
					       name, name);
	return not_found(name, error);
}

int maui_admin_release_names(json_object *args, json_object **ret_names,
			     struct maui_query_error *error)
{
	json_object *names = NULL;
	size_t count;

	if (!args || !json_object_object_get_ex(args, "names", &names) ||
	    !json_object_is_type(names, json_type_array))
		return maui_query_fail(error, MAUI_QUERY_BAD, "names has to be a list");
	count = json_object_array_length(names);
	if (count == 0)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no name");
	if (count > MAUI_ADMIN_MAX_NAMES)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%zu names: at most %d are released at once", count,
				       MAUI_ADMIN_MAX_NAMES);
	for (size_t i = 0; i < count; i++)
		if (!json_object_is_type(json_object_array_get_idx(names, i), json_type_string))
			return maui_query_fail(error, MAUI_QUERY_BAD,
					       "names has to be a list of texts");
	*ret_names = names;
	return 0;
}

/* Takes ownership of the value; false without memory. */
static bool put_member(json_object *object, const char *key, json_object *value)
{
	if (value && json_object_object_add(object, key, value) == 0)
		return true;
	json_object_put(value);
	return false;
}

static const struct maui_document_rsv *find_planned(const struct maui_document *p, const char *name)
{
	for (size_t i = 0; p && i < p->rsv_count; i++)
		if (p->rsvs[i].type != MAUI_DOCUMENT_JOB && equals_name(p->rsvs[i].name, name))
			return &p->rsvs[i];
	return NULL;
}

json_object *maui_admin_reply(const struct maui_document *published, const char *name, bool created,
			      const char *warning, uid_t uid)
{
	const struct maui_document_rsv *planned = find_planned(published, name);
	json_object *reply = json_object_new_object(), *warnings = json_object_new_array();
	json_object *rsv = planned ? maui_rsv_json(published, planned, uid, true) : NULL;
	bool whole = reply && warnings;
	size_t running = 0;

	if (whole && warning)
		whole = maui_list_append(warnings, json_object_new_string(warning));
	if (whole && !rsv)
		whole = maui_list_append(warnings,
					 json_object_new_string("it has not been planned yet: see "
								"showres"));
	whole = whole && put_member(reply, "name", json_object_new_string(name)) &&
		put_member(reply, "created", json_object_new_boolean(created)) &&
		put_member(reply, "warnings", json_object_get(warnings)) &&
		put_member(reply, "running",
			   planned ? maui_admin_running(published, planned, uid, &running) :
				     json_object_new_array()) &&
		put_member(reply, "running_count", json_object_new_int64((int64_t)running)) &&
		json_object_object_add(reply, "reservation", json_object_get(rsv)) == 0;
	json_object_put(warnings);
	json_object_put(rsv);
	if (whole)
		return reply;
	json_object_put(reply);
	return NULL;
}

json_object *maui_release_reply(void)
{
	json_object *reply = json_object_new_object();

	if (reply && put_member(reply, "released", json_object_new_array()) &&
	    put_member(reply, "restored", json_object_new_array()) &&
	    put_member(reply, "errors", json_object_new_array()))
		return reply;
	json_object_put(reply);
	return NULL;
}

int maui_release_reply_warn(json_object *reply, const char *text)
{
	json_object *list = NULL;

	if (!json_object_object_get_ex(reply, "warnings", &list)) {
		list = json_object_new_array();
		if (!put_member(reply, "warnings", list))
			return -1;
	}
	return maui_list_append(list, json_object_new_string(text)) ? 0 : -1;
}

int maui_release_reply_add(json_object *reply, const struct maui_release *release,
			   const struct maui_query_error *error)
{
	const char *key = !release                           ? "errors" :
			  release->kind == MAUI_RELEASE_UNDO ? "restored" :
							       "released";
	json_object *one = json_object_new_object(), *list = NULL;
	bool whole = one && json_object_object_get_ex(reply, key, &list);

	if (whole && release)
		whole = put_member(one, "name", json_object_new_string(release->name)) &&
			put_member(one, "type", json_object_new_string(release->type));
	else if (whole)
		whole = put_member(one, "error", json_object_new_string(error->err.text)) &&
			put_member(one, "code", json_object_new_int(error->code));
	if (whole)
		return maui_list_append(list, one) ? 0 : -1;
	json_object_put(one);
	return -1;
}
