/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query-world.c - the cluster that query-server shows */
#include "query-world.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/check/reservation.h"
#include "model/decision.h"
#include "model/snapshot.h"
#include "admin/admin.h"
#include "admin/machine.h"
#include "admin/jobs.h"
#include "admin/set_answer.h"
#include "answers/answer.h"
#include "answers/document_publish.h"
#include "cycle/rsv_lists.h"
#include "verbs/changeparam.h"

enum { NODES = 4, PROCS = 4, HOUR = 3600, DAY = 24 * HOUR };

static const int64_t now_s = QUERY_WORLD_NOW;

struct query_world {
	char *own_name; /* of the user who runs this; NULL: none */
	struct maui_snapshot *snapshot;
	struct maui_config *config;
	struct maui_diags warnings; /* of its SRCFG */
	struct maui_admin admin;
	struct maui_rsv_lists state; /* released instances only */
	struct maui_decisions decisions;
	struct maui_place promise_place;
	struct maui_reservation job_rsv;
	struct maui_document *answered; /* that the answer of a setres leads to */
};

static const char config_text[] =
	"ADMIN1 root\n"
	"ADMIN3 operator\n"
	"RESCTLPOLICY ADMINONLY\n"
	"SRCFG[biz] TASKCOUNT=3 RESOURCES=PROCS:2;MEM:512 STARTTIME=9:00:00 ENDTIME=17:00:00\n"
	"SRCFG[biz] USERLIST=steve,amy- ACCOUNTLIST=!guest CLASSLIST=main= TIMELIMIT=1:00:00* "
	"PROCLIMIT=>=!1000\n"
	"SRCFG[biz] OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT,SPACEFLEX CHARGEACCOUNT=jupiter\n"
	"SRCFG[biz] TRIGGER=start+5:00;exec@/usr/local/sbin/told NODEFEATURES=big,fast\n"
	"SRCFG[night] PERIOD=INFINITY HOSTLIST=n4 OWNER=USER:nobody\n"
	"SRCFG[never] HOSTLIST=n1 USERLIST=amy STARTTIME=20:00:00 ENDTIME=6:00:00\n";

static int64_t add_creds(struct maui_snapshot *s, const char *user)
{
	const char *cred[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = user,
		[MAUI_CRED_GROUP] = "staff",
		[MAUI_CRED_ACCOUNT] = "physics",
		[MAUI_CRED_CLASS] = "main",
	};

	return maui_snapshot_creds(s, cred);
}

static void add_nodes(struct maui_snapshot *s)
{
	static const int64_t have[] = { PROCS };
	static const uint32_t partitions[] = { 0 };
	const struct maui_partition main_partition = { .name = "main" };
	char name[16];

	maui_snapshot_add_partition(s, &main_partition);
	for (uint32_t i = 0; i < NODES; i++) {
		struct maui_node node = { .id = i,
					  .name = name,
					  .have = have,
					  .partitions = partitions,
					  .partition_count = 1,
					  .unit = 1 };

		snprintf(name, sizeof(name), "n%u", i + 1);
		maui_snapshot_add_node(s, &node);
	}
}

static void add_active(struct maui_snapshot *s, uint64_t id, const char *user, bool suspended,
		       const struct maui_piece *pieces, uint32_t count)
{
	struct maui_active active = { .id = id,
				      .creds = (uint32_t)add_creds(s, user),
				      .start_s = now_s - 2 * HOUR,
				      .end_s = now_s + 3 * HOUR + 1,
				      .pieces = pieces,
				      .piece_count = count,
				      .suspended = suspended };

	maui_snapshot_add_active(s, &active);
}

static void add_jobs(struct query_world *world)
{
	static const int64_t two[] = { 2 }, four[] = { 4 };
	const struct maui_piece pieces[] = { { .node = 0, .amounts = two },
					     { .node = 1, .amounts = four },
					     { .node = 2, .amounts = two, .resumes = 4 } };
	struct maui_snapshot *s = world->snapshot;
	const struct maui_request request = { .nodes_min = 1, .procs_per_task = 1 };
	struct maui_row row = { 0 };
	struct maui_idle idle = { .id = 19,
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .submit_s = now_s - 60,
				  .limit_s = HOUR,
				  .procs = 4 };

	add_active(s, 17, "steve", false, pieces, 2);
	add_active(s, 18, "amy", true, pieces + 2, 1);
	row.creds = (uint32_t)add_creds(s, "amy");
	idle.request = (uint32_t)maui_snapshot_request(s, &request);
	maui_snapshot_add_idle(s, &idle);
	world->promise_place = (struct maui_place){ .node = 3, .tasks = 4, .procs = 4 };
	world->job_rsv = (struct maui_reservation){ .start_s = now_s + 90,
						    .end_s = now_s + 90 + HOUR,
						    .places = &world->promise_place,
						    .place_count = 1,
						    .procs = 4 };
}

void query_world_admin_finish(struct maui_admin *admin)
{
	for (size_t i = 0; i < admin->count; i++)
		maui_rsv_finish(&admin->list[i]);
	free(admin->list);
	*admin = (struct maui_admin){ 0 };
}

void query_world_admin_remove(struct maui_admin *admin, size_t index)
{
	maui_rsv_finish(&admin->list[index]);
	admin->count--;
	memmove(&admin->list[index], &admin->list[index + 1],
		(admin->count - index) * sizeof(*admin->list));
}

static void make_reservations(struct query_world *world)
{
	static const struct maui_label system[] = { { "HOSTLIST", "n3" } };
	static const struct maui_label steve[] = { { "USERLIST", "steve" },
						   { "HOSTLIST", "n1" },
						   { "OWNER", "USER:steve" } };
	static const struct maui_setres_args made[] = {
		{ .start = now_s - 2 * HOUR, .attributes = system, .attributes_count = 1 },
		{ .start = now_s + 23 * HOUR,
		  .duration = 2 * HOUR,
		  .attributes = steve,
		  .attributes_count = 3 },
	};
	const struct maui_rights root = { .admin = true, .name = "root" };

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		struct maui_query_error error;
		char *warning = NULL;
		size_t index;
		bool created;

		if (maui_admin_set(&world->admin, &root, world->config, &made[i], now_s, &index,
				   &created, &warning, &error))
			fprintf(stderr, "query-world: %s\n", error.err.text);
		free(warning);
	}
}

struct query_world *query_world_create(void)
{
	struct query_world *world = calloc(1, sizeof(*world));
	struct maui_diags diags = { 0 };
	const struct passwd *user;

	if (!world)
		return NULL;
	user = getpwuid(geteuid());
	world->own_name = user ? strdup(user->pw_name) : NULL;
	world->config =
		maui_config_parse("maui.cfg", config_text, sizeof(config_text) - 1, NULL, &diags);
	world->snapshot = maui_snapshot_create(1);
	add_nodes(world->snapshot);
	maui_snapshot_seal(world->snapshot, NULL);
	add_jobs(world);
	make_reservations(world);
	for (size_t i = 0; i < diags.count; i++)
		if (diags.list[i].severity == MAUI_ERROR)
			fprintf(stderr, "query-world: %s\n", diags.list[i].text);
	maui_diags_finish(&diags);
	maui_config_check_rsvs(world->config, &world->warnings);
	return world;
}

void query_world_destroy(struct query_world *world)
{
	if (!world)
		return;
	query_world_admin_finish(&world->admin);
	maui_rsv_lists_finish(&world->state);
	maui_diags_finish(&world->warnings);
	maui_config_unref(world->config);
	maui_snapshot_destroy(world->snapshot);
	free(world->own_name);
	free(world);
}

/* Unless it is released. */
static struct maui_document_rsv *add_standing(const struct query_world *world,
					      struct maui_document *p,
					      const struct maui_rsv_instance *instance)
{
	const struct maui_rsv *rsv = &world->config->rsvs[instance->rsv];

	for (size_t i = 0; i < world->state.released_count; i++) {
		const struct maui_store_period *period = &world->state.released[i].period;

		if (period->day == instance->day && strcmp(period->rsv, rsv->name) == 0)
			return NULL;
	}
	return maui_document_add_instance(p, world->snapshot, rsv, instance, true);
}

static void publish_standing(const struct query_world *world, struct maui_document *p)
{
	struct maui_rsv_place places[] = { { .node = 0, .tasks = 1 },
					   { .node = 2, .tasks = 1 },
					   { .node = 3, .tasks = 1 } };
	struct maui_rsv_instance today = { .day = 20261123,
					   .start_s = now_s - HOUR,
					   .end_s = now_s + 7 * HOUR,
					   .places = places,
					   .place_count = 2,
					   .wanted = 3,
					   .missing = 1 };
	struct maui_rsv_instance tomorrow = { .day = 20261124,
					      .ordinal = 1,
					      .start_s = now_s - HOUR + DAY,
					      .end_s = now_s + 7 * HOUR + DAY,
					      .places = places,
					      .place_count = 3,
					      .wanted = 3 };
	struct maui_rsv_instance always = { .rsv = 1,
					    .start_s = now_s - 30 * DAY,
					    .end_s = MAUI_NEVER,
					    .places = places + 2,
					    .place_count = 1 };
	struct maui_document_rsv *row = add_standing(world, p, &today);

	if (row) {
		row->mirror = "maui.biz.20261123";
		row->held_by = "1 of 3 tasks missing: job 17 holds n2; raise DEPTH of SRCFG[biz] "
			       "to have nodes before jobs do";
		row->used_procs = 2;
		row->used_procsec = 1.5 * HOUR;
		row->idle_procsec = 2.5 * HOUR;
	}
	add_standing(world, p, &tomorrow);
	row = add_standing(world, p, &always);
	if (row)
		row->mirror = "maui.night.0";
}

/* Those that setres made take the first nodes, or the one that is named. */
static void publish_admin(const struct query_world *world, struct maui_document *p)
{
	for (size_t i = 0; i < world->admin.count; i++) {
		const struct maui_rsv *rsv = &world->admin.list[i];
		struct maui_rsv_place places[NODES];
		struct maui_rsv_instance instance = { .start_s = rsv->start_s,
						      .end_s = rsv->end_s,
						      .places = places,
						      .wanted = rsv->task_count };
		int64_t wanted = rsv->task_count ? rsv->task_count : NODES;

		for (uint32_t n = 0; n < NODES && instance.place_count < wanted; n++) {
			const char *name = world->snapshot->nodes[n].name;

			if (rsv->hosts && strcmp(rsv->hosts, "ALL") != 0 &&
			    strcmp(rsv->hosts, name) != 0)
				continue;
			places[instance.place_count++] = (struct maui_rsv_place){ n, 1 };
		}
		if (rsv->task_count > instance.place_count)
			instance.missing = rsv->task_count - instance.place_count;
		maui_document_add_instance(p, world->snapshot, rsv, &instance, false);
	}
}

static void publish_warnings(const struct query_world *world, struct maui_document *p)
{
	for (size_t i = 0; i < world->warnings.count; i++)
		maui_document_warn(p, &world->warnings.list[i], false);
}

static void publish_released(const struct query_world *world, struct maui_document *p)
{
	for (size_t i = 0; i < world->state.released_count; i++) {
		const struct maui_store_period *period = &world->state.released[i].period;

		for (size_t k = 0; k < world->config->rsv_count; k++)
			if (strcmp(world->config->rsvs[k].name, period->rsv) == 0)
				maui_document_add_released(p, &world->config->rsvs[k], period->day);
	}
}

struct maui_document *query_world_publish(const struct query_world *world, bool empty)
{
	struct maui_document *p = maui_document_create(now_s, "test");

	if (!p)
		return NULL;
	maui_document_nodes(p, world->snapshot);
	if (!empty) {
		for (uint32_t i = 0; i < world->snapshot->active_count; i++)
			maui_document_add_active(p, world->snapshot, i, 1000 + i);
		maui_document_add_job_rsv(p, world->snapshot, &world->job_rsv, 1001);
		publish_standing(world, p);
		publish_admin(world, p);
		publish_warnings(world, p);
		publish_released(world, p);
	}
	if (maui_document_is_whole(p))
		return p;
	maui_document_unref(p);
	return NULL;
}

static void add_released(struct query_world *world, const struct maui_release *release)
{
	struct maui_store_period period = { release->sr->name, release->day };

	if (maui_rsv_lists_add_released(&world->state, &period, 0))
		fprintf(stderr, "query-world: no memory\n");
}

/* What the change makes: the record of the answer, of the arena; NULL with error. */
typedef const void *(*change_fn)(struct query_world *world, struct maui_rights *who,
				 const void *args, struct maui_arena *arena,
				 struct maui_query_error *error);

static struct maui_release_outcome restore(struct query_world *world, const char *name,
					   struct maui_arena *arena)
{
	struct maui_release_outcome failed = { 0 };
	struct maui_release undo;

	if (maui_admin_restore(world->config, name, now_s, &undo, &failed.error))
		return failed;
	if (maui_rsv_lists_drop_released(&world->state, undo.sr->name, undo.day) > 0)
		return maui_release_done(&undo, arena);
	maui_admin_nothing_released(name, &failed.error);
	return failed;
}

static struct maui_release_outcome release(struct query_world *world, const struct maui_rights *who,
					   const char *name, struct maui_arena *arena)
{
	struct maui_release_outcome outcome = { 0 };
	struct maui_release release;

	if (maui_admin_release(&world->admin, who, world->config, name, &release, &outcome.error))
		return outcome;
	outcome = maui_release_done(&release, arena);
	if (release.kind == MAUI_RELEASE_ADMIN)
		query_world_admin_remove(&world->admin, release.index);
	else if (release.kind == MAUI_RELEASE_STANDING)
		add_released(world, &release);
	return outcome;
}

static const void *release_all(struct query_world *world, const struct maui_rights *who, bool undo,
			       const struct maui_releaseres_args *args, struct maui_arena *arena,
			       struct maui_query_error *error)
{
	struct maui_document *p = query_world_publish(world, false);
	struct maui_release_outcome *outcomes =
		maui_arena_alloc(arena, (args->names_count + 1) * sizeof(*outcomes));
	const void *ret = NULL;

	world->admin.published = p;
	if (!p || !outcomes) {
		maui_query_no_memory(error);
	} else if (maui_admin_check_names(args, error) == 0) {
		for (size_t i = 0; i < args->names_count; i++)
			outcomes[i] = undo ? restore(world, args->names[i], arena) :
					     release(world, who, args->names[i], arena);
		ret = maui_release_answer(outcomes, args->names_count, arena);
	}
	world->admin.published = NULL;
	maui_document_unref(p);
	return ret;
}

static const void *make_releaseres(struct query_world *world, struct maui_rights *who,
				   const void *args, struct maui_arena *arena,
				   struct maui_query_error *error)
{
	return release_all(world, who, false, args, arena, error);
}

static const void *make_restoreres(struct query_world *world, struct maui_rights *who,
				   const void *args, struct maui_arena *arena,
				   struct maui_query_error *error)
{
	return release_all(world, who, true, args, arena, error);
}

static const void *make_setres(struct query_world *world, struct maui_rights *who, const void *args,
			       struct maui_arena *arena, struct maui_query_error *error)
{
	struct maui_question q = { .uid = who->uid, .arena = arena, .error = error };
	const char *name;
	char *warning;
	size_t index;
	bool created;

	if (maui_admin_set(&world->admin, who, world->config, args, now_s, &index, &created,
			   &warning, error))
		return NULL;
	name = maui_arena_strdup(arena, world->admin.list[index].name);
	q.document = world->answered = query_world_publish(world, false);
	if (!q.document || !name) {
		free(warning);
		maui_query_no_memory(error);
		return NULL;
	}
	args = maui_admin_set_answer(&q, name, created, maui_arena_strdup(arena, warning));
	free(warning);
	return args;
}

static const void *make_resetstats(struct query_world *world, struct maui_rights *who,
				   const void *args, struct maui_arena *arena,
				   struct maui_query_error *error)
{
	struct maui_statistics none = { 0 };

	(void)world;
	(void)who;
	(void)args;
	return maui_admin_reset_statistics(&none, now_s, arena, error);
}

static const void *make_keeptrial(struct query_world *world, struct maui_rights *who,
				  const void *args, struct maui_arena *arena,
				  struct maui_query_error *error)
{
	struct maui_rsv made[] = { { .name = (char *)"steve.1", .trial = true },
				   { .name = (char *)"amy.1" } };

	(void)world;
	(void)who;
	(void)args;
	return maui_admin_keep_trial(made, 2, arena, error);
}

static const void *make_changeparam(struct query_world *world, struct maui_rights *who,
				    const void *arguments, struct maui_arena *arena,
				    struct maui_query_error *error)
{
	const struct maui_changeparam_args *args = arguments;
	struct maui_changeparam *ret = maui_arena_alloc(arena, sizeof(*ret));

	(void)world;
	(void)who;
	if (maui_admin_config_line(args->line, error))
		return NULL;
	if (!ret)
		return NULL;
	ret->line = args->line;
	return ret;
}

/* runjob: job 201 does not start, and of another job two tasks do. */
static const struct maui_changejob_outcome *outcome_of(int64_t job, struct maui_arena *arena)
{
	struct maui_changejob_outcome *ret = maui_arena_alloc(arena, sizeof(*ret));
	const char **started = maui_arena_alloc(arena, 2 * sizeof(*started));
	char label[MAUI_JOB_LABEL_SIZE];

	if (!ret || !started)
		return NULL;
	*ret = (struct maui_changejob_outcome){ .started_jobs = started, .started = job != 201 };
	if (!ret->started)
		ret->reason = "MAXNODE GROUP staff 3/2 (hard)";
	for (int task = 1; ret->started && task <= 2; task++) {
		snprintf(label, sizeof(label), "%" PRId64 "_%d", job, task);
		started[ret->started_jobs_count++] = maui_arena_strdup(arena, label);
	}
	return ret;
}

/* Says what would be done; job 999 is not there. */
static const void *make_changejob(struct query_world *world, struct maui_rights *who,
				  const void *args, struct maui_arena *arena,
				  struct maui_query_error *error)
{
	struct maui_job_request request;
	struct maui_changejob *ret;

	(void)world;
	who->jobs = who->admin;
	if (maui_job_request_read(args, who, &request, error))
		return NULL;
	if (request.name.id == 999) {
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no such job: 999");
		return NULL;
	}
	ret = maui_job_answer(&request, arena);
	if (ret && request.action == MAUI_JOB_RUN)
		ret->outcome = outcome_of(request.name.id, arena);
	return ret;
}

static const change_fn makers[MAUI_VERB_COUNT] = {
#define MAKER(tag) [MAUI_VERB_##tag] = make_##tag,
	MAUI_VERBS(MAUI_VERB_NONE, MAKER)
};

/* Without a look-up of our own name, which allocates. */
static const char *name_of(const struct query_world *world, uid_t uid)
{
	const struct passwd *user = uid == geteuid() ? NULL : getpwuid(uid);

	return uid == geteuid() ? world->own_name : user ? user->pw_name : NULL;
}

json_object *query_world_change(struct query_world *world, const struct maui_query_change *change,
				struct maui_query_error *error)
{
	const struct maui_verb *verb = change->verb->own;
	struct maui_rights who = { .uid = change->peer.uid,
				   .name = name_of(world, change->peer.uid),
				   .any_creates = world->config->res_ctl_any };
	struct maui_arena arena = { 0 };
	json_object *ret = NULL;
	const void *args;

	maui_query_no_memory(error);
	who.admin = maui_rights_is_admin(who.uid, who.name, geteuid(), world->config->admins, 1);
	if (maui_rights_use(&who, verb, error) == 0 &&
	    maui_answer_args(verb, change->args, &arena, &args, error) == 0)
		ret = maui_answer_json(verb, makers[verb->number](world, &who, args, &arena, error),
				       error);
	if (arena.failed) {
		json_object_put(ret);
		ret = NULL;
		maui_query_no_memory(error);
	}
	maui_document_unref(world->answered);
	world->answered = NULL;
	maui_arena_finish(&arena);
	return ret;
}
