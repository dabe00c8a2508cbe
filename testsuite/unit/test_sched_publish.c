/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched_publish.c - which cycles publish a document for commands
 *
 * src/controller/sched/publish_document.c as it is; the rest of the cycle is this file's own.
 *
 * Rules: CMD-9.
 */
#include "slurm/compat.h"

#include "controller/query.h"
#include "controller/sched/private.h"
#include "plan_world.h"
#include "slurm_log.h"
#include "state/usage_view.h"
#include "answers/document_publish.h"

/* ---- the rest of the cycle ---- */

char *maui_sched_mirror_name(const struct maui_iteration *it,
			     const struct maui_rsv_instance *instance, struct maui_arena *arena)
{
	(void)it, (void)instance, (void)arena;
	return NULL;
}

struct maui_mirror_known *maui_mirrors_find(const struct maui_mirrors *mirrors, const char *name)
{
	(void)mirrors, (void)name;
	return NULL;
}

struct maui_rsv *maui_sched_administrative(struct maui_sched *sched, const char *name)
{
	(void)sched, (void)name;
	return NULL;
}

struct maui_sched_index maui_sched_index(struct maui_iteration *it)
{
	(void)it;
	return (struct maui_sched_index){ 0 };
}

struct maui_store_record *maui_sched_record(const struct maui_sched_index *index, const char *rsv,
					    int32_t day)
{
	(void)index, (void)rsv, (void)day;
	return NULL;
}

void maui_sched_publish_released(const struct maui_iteration *it, struct maui_document *p)
{
	(void)it, (void)p;
}

void maui_sched_publish_warnings(const struct maui_sched *sched, struct maui_document *p)
{
	(void)sched, (void)p;
}

void maui_sched_copy_estimates(struct maui_iteration *it, const struct maui_plan *plan,
			       uint32_t index, struct maui_document_idle *ret)
{
	(void)it, (void)plan, (void)index, (void)ret;
}

struct maui_document *maui_controller_query_begin(struct maui_controller *c,
						  const struct maui_snapshot *snapshot,
						  int64_t now_s)
{
	struct maui_document *p = maui_document_create(now_s, "test");

	(void)c;
	cr_assert(p);
	maui_document_nodes(p, snapshot);
	return p;
}

static unsigned published;

void maui_query_publish(struct maui_query_server *server, void *document)
{
	(void)server;
	published++;
	maui_document_unref(document);
}

/* ---- tests ---- */

/* Rows name reservations by their place in the plan: those of one cycle do not go with the plan of
 * another. */
Test(sched_publish, a_cycle_that_finishes_no_plan_keeps_the_last_document)
{
	static struct world w;
	static struct maui_sched sched;
	static struct maui_controller c = { .sched = &sched, .lock = PTHREAD_MUTEX_INITIALIZER };
	static struct maui_waiting waiting[1] = { { .copies = 1, .task_count = 1 } };
	struct maui_iteration it = { .c = &c, .sched = &sched, .waiting = waiting };
	struct maui_iteration dropped = it;

	world_make(&w, "", "2 procs=4", NULL, "", "A nodes=2 whole limit=300 user=ann", 0);
	free(world_plan(&w));
	sched.plan = (struct maui_plan *)world_finished(&w);
	it.cluster.snapshot = w.snapshot;
	maui_sched_publish(&it);
	cr_assert(published == 1 && it.document && it.document == sched.document);
	cr_expect(it.document->plan == sched.plan && it.document->idle[0].waiting == 0);

	dropped.cluster.snapshot = maui_snapshot_create(0);
	dropped.cluster.now_s = 100;
	maui_sched_publish(&dropped);
	cr_expect(published == 1 && !dropped.document && sched.document == it.document);
	cr_expect(sched.wake_s > 0);

	maui_snapshot_destroy(dropped.cluster.snapshot);
	maui_arena_finish(&it.arena);
	maui_document_unref(sched.document);
	maui_usage_view_unref(sched.usage);
	maui_statistics_view_unref(sched.statistics);
	world_finish(&w);
}
