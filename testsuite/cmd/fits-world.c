/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits-world.c - the cluster and the plan that showbf and maui fits are tested with */
#include "fits-world.h"

#include <stdio.h>
#include <string.h>

#include "answers/document_publish.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "reservation/placement/placement.h"

enum { NODES = 6, PROCS = 16, HOUR = 3600, MEM = 64000, GPU = MAUI_AMOUNT_FIXED, A100, AMOUNTS };

static const int64_t now_s = INT64_C(1795428000);

static const char config_text[] = "RESERVATIONDEPTH 1\n"
				  "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
				  "USERCFG[bob] MAXPROC=24\n";

static uint32_t add_creds(struct maui_snapshot *s, const char *user)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = user,
					      [MAUI_CRED_GROUP] = "staff",
					      [MAUI_CRED_ACCOUNT] = "physics",
					      [MAUI_CRED_CLASS] = "batch" };

	return (uint32_t)maui_snapshot_creds(s, cred);
}

/* The texts and the users stay the caller's. */
static void admit(struct maui_snapshot *s, const struct maui_admission_rules *rules)
{
	size_t size = s->partition_count * sizeof(*rules);
	struct maui_admission *a = maui_admission_create();

	a->partitions = maui_arena_alloc(&a->arena, size);
	a->partition_count = s->partition_count;
	a->slurm_user = 64;
	memcpy(a->partitions, rules, size);
	maui_snapshot_set_admission(s, a);
	maui_admission_unref(a);
}

static void add_nodes(struct maui_snapshot *s, const struct maui_admission_rules *rules)
{
	static const int64_t plain[AMOUNTS] = { PROCS, MEM };
	static const int64_t with_gpus[AMOUNTS] = { PROCS, MEM, [GPU] = 4, [A100] = 4 };
	static const uint32_t partitions[] = { 0, 1 };
	char name[16];

	maui_snapshot_name_amount(s, GPU, "gpu");
	maui_snapshot_name_amount(s, A100, "gpu:a100");
	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "batch",
								 .is_default = true,
								 .memory_uncounted = true });
	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "gpu",
								 .max_limit_s = HOUR,
								 .memory_uncounted = true });
	if (rules)
		admit(s, rules);
	for (uint32_t i = 0; i < NODES; i++) {
		snprintf(name, sizeof(name), "n%u", i + 1);
		maui_snapshot_add_node(
			s, &(struct maui_node){ .id = i,
						.name = name,
						.have = i == NODES - 1 ? with_gpus : plain,
						.partitions = partitions,
						.partition_count = i == NODES - 1 ? 2 : 1,
						.unit = 1 });
	}
	maui_snapshot_seal(s, NULL);
	s->totals.procs = NODES * PROCS;
}

static void add_active(struct maui_snapshot *s, uint64_t id, const char *user, uint32_t first,
		       uint32_t count, int64_t procs, int64_t end_s)
{
	const int64_t held[AMOUNTS] = { procs };
	struct maui_piece pieces[NODES];
	struct maui_active active = { .id = id,
				      .creds = add_creds(s, user),
				      .start_s = now_s - HOUR,
				      .end_s = end_s,
				      .pieces = pieces,
				      .piece_count = count,
				      .procs = (int64_t)count * procs };

	for (uint32_t i = 0; i < count; i++)
		pieces[i] = (struct maui_piece){ .node = first + i, .amounts = held };
	active.job = (struct maui_job){ .nodes = count, .procs = (double)active.procs };
	maui_snapshot_add_active(s, &active);
}

static void add_jobs(struct maui_snapshot *s)
{
	const struct maui_request request = { .nodes_min = 4,
					      .nodes_max = 4,
					      .procs_per_task = 1,
					      .whole_nodes = true,
					      .nodes_named = true };
	struct maui_row row = { .creds = add_creds(s, "ann") };
	const struct maui_idle idle = { .id = 21,
					.request = (uint32_t)maui_snapshot_request(s, &request),
					.copies = 1,
					.rows = &row,
					.row_count = 1,
					.submit_s = now_s - HOUR,
					.queue_since_s = now_s - HOUR,
					.limit_s = 4 * HOUR,
					.procs = 4 * PROCS };

	add_active(s, 11, "ann", 0, 2, PROCS, now_s + 2 * HOUR + 300);
	add_active(s, 12, "bob", 2, 1, PROCS / 2, MAUI_NEVER);
	maui_snapshot_add_idle(s, &idle);
}

/* The reservations of the configuration. -1: not placed. */
static int read_standing(const struct maui_config *config, struct maui_snapshot *s,
			 struct maui_arena *arena, struct maui_standing_input *ret,
			 struct maui_err *err)
{
	const struct maui_rsv **list =
		maui_arena_alloc(arena, (config->rsv_count + 1) * sizeof(*list));
	struct maui_standing_targets *targets;

	for (size_t i = 0; i < config->rsv_count; i++)
		list[i] = &config->rsvs[i];
	*ret = (struct maui_standing_input){ .list = list,
					     .count = (uint32_t)config->rsv_count,
					     .allocation = MAUI_ALLOC_FIRSTAVAILABLE,
					     .res_depth = config->res_depth };
	if (maui_standing_targets(s, list, ret->count, arena, &targets, err))
		return -1;
	ret->targets = targets;
	return 0;
}

static void add_instances(struct maui_document *p, const struct maui_plan *plan,
			  const struct maui_standing_input *standing)
{
	const struct maui_decisions *d = &plan->decisions;

	for (uint32_t i = 0; i < d->instance_count; i++)
		maui_document_add_instance(p, plan->snapshot, standing->list[d->instances[i].rsv],
					   &d->instances[i], true);
}

static struct maui_document *publish(const char *lines, const struct maui_admission_rules *rules)
{
	static const struct maui_default_account ann = { 1001, "ann", "physics" };
	const struct maui_document_idle idle[] = { { .uid = 1001, .waiting = 1 } };
	struct maui_diags diags = { 0 };
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);
	char text[1024];
	int length = snprintf(text, sizeof(text), "%s%s", config_text, lines);
	struct maui_config *config =
		maui_config_parse("maui.cfg", text, (size_t)length, NULL, &diags);
	struct maui_planner *planner = maui_planner_create();
	struct maui_arena arena = { 0 };
	struct maui_standing_input standing = { 0 };
	struct maui_plan_input input = {
		.config = config, .snapshot = s, .now_s = now_s, .want_reasons = true
	};
	struct maui_decisions decisions = { 0 };
	struct maui_document *p = NULL;
	struct maui_plan *plan = NULL;
	struct maui_err err = { .text = "no configuration" };

	add_nodes(s, rules);
	add_jobs(s);
	if (config && config->rsv_count > 0 &&
	    read_standing(config, s, &arena, &standing, &err) == 0)
		input.standing = &standing;
	if (config && maui_plan(planner, &input, &decisions, &err) == 0)
		plan = maui_plan_finish(planner, s, 0);
	if (plan) {
		p = maui_document_create(now_s, "test");
		maui_document_nodes(p, s);
		maui_document_set_plan(p, plan, idle);
		add_instances(p, plan, &standing);
		maui_document_default_accounts(p, &ann, 1);
	} else {
		fprintf(stderr, "fits-world: %s\n", err.text);
	}
	maui_planner_destroy(planner);
	maui_plan_unref(plan);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	maui_diags_finish(&diags);
	maui_arena_finish(&arena);
	return p;
}

struct maui_document *fits_world_publish(const char *lines)
{
	return publish(lines, NULL);
}

struct maui_document *fits_world_publish_admitting(const struct maui_admission_rules *rules)
{
	return publish("", rules);
}

struct maui_document *fits_world_publish_closed(void)
{
	static const uint32_t users[] = { 1002 };
	static const struct maui_admission_rules rules[] = {
		{ .deny_qos = "high" }, { .groups = "chemistry", .users = users, .user_count = 1 }
	};

	return publish("", rules);
}
