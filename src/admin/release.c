/* SPDX-License-Identifier: GPL-2.0-or-later */
/* release.c - finds what a releaseres, or a releaseres --undo, refers to, and makes its answer */
#include "admin/admin.h"

#include <string.h>

#include "base/limits.h"
#include "answers/rsv_hint.h"
#include "answers/rsv_walk.h"
#include "reservation/windows/windows.h"

/* One of Slurm that the user may see: a mirror whose reservation is lost, or Slurm's own. -1 with
 * error; 0: Slurm has none of this name. */
static int refuse_slurm_reservation(const struct maui_document *p, const char *name, uid_t uid,
				    struct maui_query_error *error)
{
	struct maui_rsv_walk walk = { .document = p, .name = name, .uid = uid };
	const struct maui_document_rsv *row = p ? maui_rsv_walk_next(&walk) : NULL;
	bool theirs = row && row->type == MAUI_DOCUMENT_SLURM;
	bool unowned = theirs && maui_rsv_walk_is_unowned(&walk, row);
	bool shown = strlen(name) <= 64;

	maui_rsv_walk_finish(&walk);
	if (!theirs)
		return 0;
	return maui_query_fail(error, MAUI_QUERY_BAD, "'%.64s' is %s: scontrol delete %s%s", name,
			       unowned ? "a mirror whose reservation is lost" :
					 "Slurm's own reservation",
			       shown ? "ReservationName=" : "does it", shown ? name : "");
}

/* p NULL: without the reservations that may be meant. */
static int not_found(const struct maui_document *p, const char *name, const struct maui_rights *who,
		     struct maui_query_error *error)
{
	char hint[MAUI_RSV_HINT_SIZE];

	return maui_query_fail(
		error, MAUI_QUERY_NOT_FOUND, "no reservation '%.64s'%s", name,
		maui_rsv_hint(p, name, who->admin ? 0 : who->uid, hint, sizeof(hint)));
}

/* A job that has started keeps its nodes. */
static int release_job(const struct maui_document_rsv *row, const struct maui_rights *who,
		       struct maui_release *ret, struct maui_query_error *error)
{
	ret->kind = MAUI_RELEASE_JOB;
	ret->type = "Job";
	ret->job = row->job_id;
	if (maui_rights_release_job(who, row->name, row->uid, error))
		return -1;
	if (row->state == MAUI_JOB_IDLE)
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
		return not_found(NULL, row->name, who, error);
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

/* By name or stable name, and jobs by number, waiting ones before others. A reservation that the
 * user may not see is treated as unknown. */
static const struct maui_document_rsv *find_row(const struct maui_document *p, const char *name,
						uid_t uid)
{
	const struct maui_document_rsv *numbered = NULL;

	for (size_t i = 0; p && i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (!maui_document_shows(p, row, uid))
			continue;
		if (equals_name(row->name, name) || equals_name(row->stable, name))
			return row;
		if (maui_document_has_number(row, name) &&
		    (!numbered ||
		     (numbered->state != MAUI_JOB_IDLE && row->state == MAUI_JOB_IDLE)))
			numbered = row;
	}
	return numbered;
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
		return not_found(NULL, name, who, error);
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
	if (refuse_slurm_reservation(admin->published, name, who->uid, error))
		return -1;
	return not_found(admin->published, name, who, error);
}

/* The day of an instance; -1: there is no such instance. */
static int32_t day_of(const struct maui_rsv *rsv, int64_t number, int64_t now_s)
{
	int32_t day;

	if (!maui_rsv_recurs(rsv))
		return number == 0 ? 0 : -1;
	return maui_standing_find_window(rsv, now_s, number, &day) ? day : -1;
}

int maui_admin_restore(const struct maui_config *config, const char *name, int64_t now_s,
		       struct maui_release *ret, struct maui_query_error *error)
{
	*ret = (struct maui_release){ .kind = MAUI_RELEASE_UNDO, .type = "Standing", .name = name };
	for (size_t i = 0; config && i < config->rsv_count; i++) {
		const struct maui_rsv *rsv = &config->rsvs[i];
		int64_t number = maui_rsv_suffix(rsv, name, strlen(name));

		if (number == -2)
			continue;
		ret->sr = rsv;
		ret->day = number == -1 ? MAUI_RELEASE_ALL_DAYS : day_of(rsv, number, now_s);
	}
	if (ret->sr && (ret->day >= 0 || ret->day == MAUI_RELEASE_ALL_DAYS))
		return 0;
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
			       ret->sr ? "instance '%.64s' does not exist and is not planned" :
					 "no SRCFG line makes '%.64s': only a release of an "
					 "instance can be taken back",
			       name);
}

int maui_admin_nothing_released(const char *name, struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "'%.64s' is not released", name);
}

int maui_admin_check_names(const struct maui_releaseres_args *args, struct maui_query_error *error)
{
	if (args->names_count == 0)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no name");
	if (args->names_count > MAUI_ADMIN_MAX_NAMES)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%zu names: at most %d are released at once",
				       args->names_count, MAUI_ADMIN_MAX_NAMES);
	return 0;
}

struct maui_release_outcome maui_release_done(const struct maui_release *release,
					      struct maui_arena *arena)
{
	return (struct maui_release_outcome){
		.name = maui_arena_strdup(arena, release->name),
		.type = release->type,
		.restored = release->kind == MAUI_RELEASE_UNDO,
	};
}

struct maui_releaseres *maui_release_answer(const struct maui_release_outcome *outcomes,
					    size_t count, struct maui_arena *arena)
{
	struct maui_releaseres *ret = maui_arena_alloc(arena, sizeof(*ret));
	struct maui_releaseres_done *done[] = {
		maui_arena_alloc(arena, count * sizeof(**done)),
		maui_arena_alloc(arena, count * sizeof(**done)),
	};
	struct maui_releaseres_error *errors = maui_arena_alloc(arena, count * sizeof(*errors));

	if (!ret || !done[0] || !done[1] || !errors)
		return NULL;
	*ret = (struct maui_releaseres){ .released = done[false],
					 .restored = done[true],
					 .errors = errors };
	for (size_t i = 0; i < count; i++) {
		const struct maui_release_outcome *one = &outcomes[i];
		size_t *at = one->restored ? &ret->restored_count : &ret->released_count;

		if (one->error.code)
			errors[ret->errors_count++] = (struct maui_releaseres_error){
				.error = maui_arena_strdup(arena, one->error.err.text),
				.code = one->error.code,
			};
		else
			done[one->restored][(*at)++] =
				(struct maui_releaseres_done){ one->name, one->type };
	}
	return ret;
}
