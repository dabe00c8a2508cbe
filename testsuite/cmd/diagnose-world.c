/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-world.c - the cluster, the queue and the plan that diagnose is tested with */
#include "diagnose-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/status.h"
#include "cycle/health.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "policy/fairshare.h"
#include "state/statistics.h"
#include "state/trial.h"
#include "state/usage_view.h"
#include "state/utilisation.h"
#include "answers/document_publish.h"

enum {
	NODES = 5,
	PROCS = 4,
	HOUR = 3600,
	DAY = 86400,
	AMOUNTS = MAUI_AMOUNT_FIXED,
	JOBS = 32,
	RESERVED = 203,
	ARRAY = 205
};

static const int64_t now_s = INT64_C(1795428000);

static const char config_text[] =
	"ADMIN3 operator\n"
	"QUEUETIMEWEIGHT 2\n"
	"XFACTORWEIGHT 10\n"
	"CREDWEIGHT 10\n"
	"USERWEIGHT 1\n"
	"QOSWEIGHT 1\n"
	"FSWEIGHT 1\n"
	"FSUSERWEIGHT 5\n"
	"FSPOLICY DEDICATEDPS\n"
	"RESERVATIONDEPTH 1\n"
	"USERCFG[DEFAULT] MAXJOB=8\n"
	"USERCFG[ann] PRIORITY=100 FSTARGET=25 MAXPROC=12,16\n"
	"USERCFG[bob] FSTARGET=40- MAXPROC=8 MAXIJOB=2 QLIST=low,ghost QDEF=low\n"
	"GROUPCFG[staff] MAXNODE=4 PRIORITY=5\n"
	"ACCOUNTCFG[physics] MAXPS=1000000\n"
	"CLASSCFG[fast] MAXPROC[USER]=2 MAX.WCLIMIT=1:00:00\n"
	"QOSCFG[high] PRIORITY=500 QTTARGET=2:00:00 OMAXJOB=20 FLAGS=IGNUSER,PREEMPTOR\n"
	"QOSCFG[low] PRIORITY=1 FSTARGET=10% MAXJOB=2\n"
	"SYSCFG MAXJOB=100\n";

/* Names as a directory has them, where these stand for ann and her group. */
static const char directory_text[] =
	"FSGROUPWEIGHT 1\n"
	"GROUPCFG[\"domain users\"] FSTARGET=30 MAXNODE=4 PRIORITY=5\n"
	"USERCFG[LAB\\ann] FSTARGET=25\n"
	"SRCFG[ad] HOSTLIST=n4 PERIOD=INFINITY GROUPLIST=\"domain users\",domänen-benutzer "
	"OWNER=GROUP:\"domain users\"\n";
static bool directory;

static const char *name_of(const char *user)
{
	return directory && strcmp(user, "ann") == 0 ? "LAB\\ann" : user;
}

static const char *group_of(const char *user)
{
	if (strcmp(user, "eve") == 0)
		return directory ? "domänen-benutzer" : "guests";
	return directory ? "domain users" : "staff";
}

struct builder {
	struct maui_snapshot *s;
	struct maui_document_idle idle[JOBS];
};

static uint32_t add_creds(struct maui_snapshot *s, const char *user, const char *qos,
			  const char *class)
{
	const char *cred[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = name_of(user),
		[MAUI_CRED_GROUP] = group_of(user),
		[MAUI_CRED_ACCOUNT] = strcmp(user, "eve") == 0 ? "bio" : "physics",
		[MAUI_CRED_QOS] = qos,
		[MAUI_CRED_CLASS] = class,
	};

	return (uint32_t)maui_snapshot_creds(s, cred);
}

static uid_t uid_of(const char *user)
{
	return strcmp(user, "ann") == 0 ? DIAGNOSE_ANN :
	       strcmp(user, "bob") == 0 ? DIAGNOSE_BOB :
					  DIAGNOSE_EVE;
}

static void add_nodes(struct maui_snapshot *s, uint32_t count)
{
	static const int64_t have[AMOUNTS] = { PROCS, 8000, 0 };
	static const uint32_t partitions[] = { 0, 1 };
	static const uint32_t last = NODES - 1;
	const struct maui_partition batch = { .name = "batch" }, fast = { .name = "fast" };
	/* a reservation of scontrol */
	const struct maui_claim maintenance = { .id = 1,
						.name = "maint",
						.start_s = now_s + DAY,
						.end_s = now_s + 2 * DAY,
						.nodes = &last,
						.node_count = 1,
						.rsv = MAUI_CLAIM_FOREIGN };
	char name[16];

	maui_snapshot_add_partition(s, &batch);
	maui_snapshot_add_partition(s, &fast);
	for (uint32_t i = 0; i < count; i++) {
		struct maui_node node = { .id = i,
					  .name = name,
					  .have = have,
					  .partitions = partitions,
					  .partition_count = i == 0 ? 2 : 1,
					  .features = i < 2 ? "big,gpu" : NULL,
					  .unit = 1,
					  .load = i < 2 ? 3.9 : 0.25 };

		snprintf(name, sizeof(name), "n%u", i + 1);
		if (i == NODES - 1) {
			node.usable_from_s = MAUI_NEVER;
			node.state = MAUI_REASON_NODE_STATE;
			node.note = "bad \x1b[31mfan";
		}
		maui_snapshot_add_node(s, &node);
	}
	maui_snapshot_seal(s, NULL);
	if (count == NODES)
		maui_snapshot_add_claim(s, &maintenance);
	s->totals =
		(struct maui_totals){ .procs = (double)count * PROCS, .mem_mb = 8000.0 * count };
}

static void add_active(struct builder *b, uint64_t id, const char *user, const char *qos,
		       uint32_t first, uint32_t count)
{
	static const int64_t held[AMOUNTS] = { PROCS, 4000, 0 };
	struct maui_piece pieces[NODES];
	struct maui_active active = { .id = id,
				      .creds = add_creds(b->s, user, qos, "batch"),
				      .start_s = now_s - HOUR,
				      .end_s = now_s + HOUR,
				      .pieces = pieces,
				      .piece_count = count,
				      .procs = (int64_t)count * PROCS };

	for (uint32_t i = 0; i < count; i++)
		pieces[i] = (struct maui_piece){ .node = first + i, .amounts = held };
	active.job = (struct maui_job){ .nodes = count,
					.procs = (double)active.procs,
					.mem_mb = 4000.0 * count,
					.walltime_s = 2 * HOUR,
					.elapsed_s = HOUR,
					.active = true };
	maui_snapshot_add_active(b->s, &active);
}

struct waiting {
	uint64_t id;
	const char *user, *qos;
	uint32_t nodes;
	int64_t waited_s, limit_s;
	int32_t system;
	double given;
	enum maui_reason blocked;
};

static void add_idle(struct builder *b, const struct waiting *w)
{
	static const struct maui_estimate moves[] = { { 1795426200, 1795429800 },
						      { 1795428000, 1795431600 } };
	static const uint32_t tasks[] = { 3, 5, 6, 9 };
	const struct maui_request request = { .nodes_min = w->nodes,
					      .tasks = (uint64_t)w->nodes * PROCS,
					      .procs_per_task = 1,
					      .nodes_named = true,
					      .features = w->id == 201 ? "big" : NULL };
	struct maui_row row = { .creds = add_creds(b->s, w->user, w->qos, "batch"),
				.priority = w->given };
	struct maui_idle idle = { .id = w->id,
				  .request = (uint32_t)maui_snapshot_request(b->s, &request),
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .submit_s = now_s - w->waited_s,
				  /* a blocked job gathers no queue time */
				  .queue_since_s = w->blocked ? now_s : now_s - w->waited_s,
				  .limit_s = w->limit_s,
				  .procs = (int64_t)w->nodes * PROCS,
				  .priority_given = w->given > 0,
				  .blocked = w->blocked };

	idle.job = (struct maui_job){ .nodes = w->nodes,
				      .procs = (double)idle.procs,
				      .walltime_s = (double)w->limit_s,
				      .system_priority = w->system };
	b->idle[b->s->idle_count] = (struct maui_document_idle){
		.array_task = MAUI_NO_TASK,
		.waiting = 1,
		.uid = uid_of(w->user),
		.held_by_user = true,
		.name = "run",
	};
	if (w->id == RESERVED) {
		b->idle[b->s->idle_count].estimates = moves;
		b->idle[b->s->idle_count].estimate_count = 2;
	}
	if (w->id == ARRAY) {
		b->idle[b->s->idle_count].array_job_id = ARRAY;
		b->idle[b->s->idle_count].first_task = 3;
		b->idle[b->s->idle_count].last_task = 9;
		b->idle[b->s->idle_count].waiting = 4;
		b->idle[b->s->idle_count].conditions.tasks = tasks;
		b->idle[b->s->idle_count].conditions.task_count = 4;
	}
	maui_snapshot_add_idle(b->s, &idle);
}

static void add_jobs(struct builder *b)
{
	static const struct waiting waiting[] = {
		{ .id = 201, .user = "ann", .nodes = 2, .waited_s = 7200, .limit_s = 3600 },
		{ .id = 202,
		  .user = "bob",
		  .qos = "low",
		  .nodes = 1,
		  .waited_s = 600,
		  .limit_s = 7200 },
		{ .id = 203,
		  .user = "eve",
		  .qos = "high",
		  .nodes = 4,
		  .waited_s = 60,
		  .limit_s = 3600,
		  .system = 7 },
		{ .id = 204,
		  .user = "ann",
		  .nodes = 1,
		  .waited_s = 60,
		  .limit_s = 36000,
		  .given = 5000 },
		{ .id = 205,
		  .user = "bob",
		  .qos = "low",
		  .nodes = 2,
		  .waited_s = 300,
		  .limit_s = 3600 },
		{ .id = 206,
		  .user = "eve",
		  .nodes = 1,
		  .waited_s = 600,
		  .limit_s = 3600,
		  .blocked = MAUI_REASON_HELD },
		{ .id = 207,
		  .user = "bob",
		  .qos = "high",
		  .nodes = 9,
		  .waited_s = 6000,
		  .limit_s = 3600 },
		{ .id = 208, .user = "bob", .nodes = 1, .waited_s = 10, .limit_s = 3600 },
	};

	add_active(b, 101, "ann", NULL, 0, 2);
	add_active(b, 102, "bob", "low", 2, 1);
	for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++)
		add_idle(b, &waiting[i]);
}

/* ann has used most, bob some, today and yesterday. */
static void charge(struct maui_usage *usage, const struct maui_config *config)
{
	const char *ann[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = name_of("ann"), [MAUI_CRED_QOS] = "low"
	};
	const char *bob[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "bob", [MAUI_CRED_QOS] = "low" };

	if (directory)
		ann[MAUI_CRED_GROUP] = group_of("ann");
	for (int64_t end_s = now_s - DAY; end_s <= now_s; end_s += DAY) {
		maui_fairshare_charge(usage, config, ann, 3, end_s - HOUR, end_s);
		maui_fairshare_charge(usage, config, bob, 1, end_s - HOUR, end_s);
	}
}

static struct maui_fs_table *make_usage(const struct maui_config *config)
{
	struct maui_usage usage = { 0 };
	struct maui_fs_table *table;

	charge(&usage, config);
	table = maui_fs_table_create(&usage, config, now_s);
	maui_usage_finish(&usage);
	return table;
}

static struct maui_plan *make_plan(struct maui_snapshot *s, struct maui_config *config)
{
	struct maui_fs_table *usage = make_usage(config);
	const struct maui_plan_input input = { .config = config,
					       .snapshot = s,
					       .now_s = now_s,
					       .usage = usage,
					       .want_reasons = true };
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions decisions = { 0 };
	struct maui_plan *plan = NULL;
	struct maui_err err;

	if (maui_plan(planner, &input, &decisions, &err) == 0)
		plan = maui_plan_finish(planner, s, 0);
	else
		fprintf(stderr, "diagnose-world: %s\n", err.text);
	maui_planner_destroy(planner);
	maui_fs_table_destroy(usage);
	return plan;
}

static void add_usage(struct maui_document *p, const struct maui_config *config)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_view *view;

	charge(&usage, config);
	view = maui_usage_view_create(&usage, NULL);
	maui_usage_finish(&usage);
	maui_document_set_usage(p, view);
	maui_usage_view_unref(view);
}

void diagnose_world_set_hostile_usage(struct maui_document *p)
{
	static const char *const names[] = { "a\"b\\c", "<b>{é}", "tab\t", "\xff", "\x1b[31m" };
	struct maui_usage usage = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = names[i] };

		maui_fairshare_charge(&usage, p->plan->config, cred, 1, now_s - HOUR, now_s);
	}
	maui_usage_view_unref(p->usage);
	p->usage = maui_usage_view_create(&usage, NULL);
	maui_usage_finish(&usage);
}

/* maui.cfg was accepted an hour ago, and refused five minutes ago. */
static void set_config(struct maui_document *p, struct maui_config *config,
		       const struct maui_diags *diags, bool refused)
{
	static const char path[] = "/etc/slurm/maui.cfg";
	struct maui_config_status *good =
		maui_config_status_accepted(config, path, diags, now_s - HOUR);
	struct maui_config_status *bad = NULL;
	struct maui_diags errors = { 0 };

	maui_diags_add(&errors, MAUI_ERROR, "maui.cfg", 4, 12, "'x' is not a number");
	if (refused)
		bad = maui_config_status_refused(good, path, &errors, now_s - 300);
	maui_document_set_config(p, bad ? bad : good, "22.05.8");
	maui_config_status_unref(good);
	maui_config_status_unref(bad);
	maui_diags_finish(&errors);
}

/* ann's jobs of 4 and 32 processors, and a small one of bob; two spans of the last day. */
static void add_statistics(struct maui_document *p)
{
	static const char *const ann[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = "ann", [MAUI_CRED_ACCOUNT] = "physics"
	};
	static const char *const bob[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = "bob", [MAUI_CRED_ACCOUNT] = "physics"
	};
	const struct maui_ended_job jobs[] = {
		{ ann, 4, 2 * HOUR, 1800, 4 * HOUR, 1.125, 3, 0, MAUI_CRED_IDS },
		{ ann, 32, HOUR, 7200, HOUR, 3, 0, 0, MAUI_CRED_IDS },
		{ bob, 1, 300, 60, 600, 1.1, 0, 1, MAUI_CRED_IDS },
	};
	struct maui_statistics statistics = { .since_s = now_s - 2 * DAY };
	struct maui_utilisation utilisation = { 0 };
	double load[MAUI_LOAD_COUNT] = { 20, 4, 12, 2, 2, 2, 8 };
	struct maui_statistics_view *view;

	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		maui_statistics_add(&statistics, &jobs[i]);
	for (int64_t at_s = now_s - 1200; at_s <= now_s; at_s += 600)
		maui_utilisation_note(&utilisation, at_s, load);
	view = maui_statistics_view_create(&statistics, NULL);
	maui_statistics_finish(&statistics);
	maui_document_set_statistics(p, view, &utilisation);
	maui_statistics_view_unref(view);
	p->capacity_ps = 2.0 * DAY * 16;
	p->used_ps = 2.0 * DAY * 4;
}

/* Two cycles, the second slower, and one that failed. */
static void add_health(struct maui_document *p)
{
	struct maui_health health = { .starts = true };
	struct maui_health_cycle cycle = {
		.began_s = now_s - DAY,
		.took_us = 4000,
		.plan_us = 1500,
		.plans = 1,
		.started = 3,
		.backfilled = 1,
		.holds = { { 10, 2000, 400 }, { 4, 3000, 1200 } },
	};

	maui_health_note(&health, &cycle);
	maui_health_note_failure(&health, now_s - HOUR);
	cycle.began_s = now_s;
	cycle.took_us = 120000;
	cycle.plan_us = 80000;
	cycle.plans = 2;
	cycle.refused = 1;
	cycle.holds[MAUI_HEALTH_WRITE].longest_us = 900;
	maui_health_note(&health, &cycle);
	maui_document_set_health(p, &health);
}

static struct maui_document *make_document(struct builder *b, struct maui_plan *plan)
{
	static const uid_t admins[] = { DIAGNOSE_ADMIN };
	struct maui_document *p = maui_document_create(now_s, "test");

	maui_document_hide(p, false, false, admins, 1);
	maui_document_nodes(p, b->s);
	for (uint32_t i = 0; i < b->s->active_count; i++) {
		struct maui_document_rsv *row =
			maui_document_add_active(p, b->s, i, i == 0 ? DIAGNOSE_ANN : DIAGNOSE_BOB);

		if (row && i > 0) /* it ran again after a suspension */
			row->suspended_s = 20 * 60;
	}
	for (uint32_t i = 0; i < plan->decisions.reservation_count; i++) {
		const struct maui_reservation *r = &plan->decisions.reservations[i];

		maui_document_add_job_rsv(p, b->s, r, b->idle[r->job].uid);
	}
	maui_document_set_plan(p, plan, b->idle);
	add_usage(p, plan->config);
	add_statistics(p);
	add_health(p);
	return p;
}

static struct maui_config *parse_config(struct maui_diags *diags)
{
	char text[sizeof(config_text) + sizeof(directory_text)];

	snprintf(text, sizeof(text), "%s%s", config_text, directory ? directory_text : "");
	return maui_config_parse("maui.cfg", text, strlen(text), NULL, diags);
}

static struct maui_document *publish(uint32_t nodes, bool jobs, bool refused)
{
	struct maui_diags diags = { 0 };
	struct builder b = { .s = maui_snapshot_create(AMOUNTS) };
	struct maui_config *config = parse_config(&diags);
	struct maui_document *p = NULL;
	struct maui_plan *plan;

	for (size_t i = 0; i < diags.count; i++)
		if (diags.list[i].severity == MAUI_ERROR)
			fprintf(stderr, "diagnose-world: %s\n", diags.list[i].text);
	add_nodes(b.s, nodes);
	if (jobs)
		add_jobs(&b);
	plan = config ? make_plan(b.s, config) : NULL;
	if (plan) {
		p = make_document(&b, plan);
		set_config(p, config, &diags, refused);
	}
	maui_plan_unref(plan);
	maui_snapshot_destroy(b.s);
	maui_config_unref(config);
	maui_diags_finish(&diags);
	return p;
}

struct maui_document *diagnose_world_publish(bool refused)
{
	return publish(NODES, true, refused);
}

void diagnose_world_change_file(struct maui_document *p, const char *how)
{
	struct maui_config_status *unread = maui_config_status_unread(p->config, how, now_s - 300);

	maui_config_status_unref(p->config);
	p->config = unread;
}

struct maui_document *diagnose_world_publish_directory(void)
{
	directory = true;
	return publish(NODES, true, false);
}

struct maui_document *diagnose_world_publish_large(void)
{
	return publish(300, true, false);
}

struct maui_document *diagnose_world_publish_idle(void)
{
	return publish(NODES, false, false);
}

void diagnose_world_set_trial(struct maui_document *p)
{
	const uid_t admins[] = { DIAGNOSE_ADMIN, geteuid() };
	static struct maui_trial trial;
	struct maui_trial_start start = { .user = "ann", .expected_s = MAUI_NEVER };

	maui_trial_begin(&trial, now_s - 2 * HOUR);
	for (uint32_t job = 1; job <= 6; job++) {
		start.job_id = 100 + job;
		start.started_s = now_s - HOUR + job;
		start.planned_s = job > 3 ? start.started_s - 60 * (job - 3) * (job > 4) : 0;
		start.cause = job == 3 ? "reservation biz" : "MAXJOB USER ann";
		start.expected_s = job == 2 ? start.started_s + HOUR : MAUI_NEVER;
		maui_trial_add(&trial, &start);
	}
	maui_trial_add_refusal(&trial, "Requested nodes are busy", now_s - HOUR);
	trial.ahead = 2;
	trial.ahead_since_s = now_s - 600;
	maui_document_hide(p, false, false, admins, 2);
	maui_document_set_trial(p, &trial);
}
