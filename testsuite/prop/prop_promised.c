/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_promised.c - what must hold of planned jobs (policy/throttle) under any limits
 *
 *   each job planned at its earliest moment may start then; a second earlier it, or a job planned
 *     before it, could not. Each at the soft level if it kept its soft limits
 *   a job that is allowed now and spares the planned jobs leaves that so
 *   undoing plans in any number leaves nothing behind
 *
 * Second opinion: a new throttle for each moment, with the jobs that run then.
 */

#include "prop_limits.h"

enum { PLANNED = 12 };

/* Active jobs, which started before NOW, and planned ones behind them. */
struct plan {
	const struct maui_config *config;
	struct job jobs[MOST_JOBS + PLANNED + 1];
	int64_t starts[MOST_JOBS + PLANNED + 1];
	enum maui_limit_level level[MOST_JOBS + PLANNED + 1]; /* at which a planned one stands */
	unsigned count;
};

/* Whether job `which` may start at its planned moment, with all other jobs that run then. */
static bool stands(const struct plan *plan, unsigned which, enum maui_limit_level level)
{
	struct maui_throttle *t = maui_throttle_create(plan->config);
	int64_t when = plan->starts[which];
	bool allowed;

	for (unsigned i = 0; i < plan->count; i++) {
		struct maui_job then = plan->jobs[i].job;
		struct maui_demand demand;

		if (i == which || plan->starts[i] > when || plan->jobs[i].end_s <= when)
			continue;
		then.active = true;
		then.elapsed_s = (double)(when - plan->starts[i]);
		maui_demand_make(&then, plan->jobs[i].demand.of[MAUI_RESOURCE_PE], &demand);
		PROP_CHECK(maui_throttle_add(t, set_of(t, &plan->jobs[i]), &demand,
					     plan->jobs[i].end_s) == 0,
			   "no memory");
	}
	allowed = maui_throttle_allows(set_of(t, &plan->jobs[which]), &plan->jobs[which].demand,
				       level);
	maui_throttle_destroy(t);
	return allowed;
}

/* Whether the last job, moved to `when`, and all planned ones stand. */
static bool all_stand(struct plan *plan, unsigned first, int64_t when)
{
	unsigned last = plan->count - 1;

	plan->starts[last] = when;
	plan->jobs[last].end_s = when + (int64_t)plan->jobs[last].job.walltime_s;
	plan->level[last] = MAUI_LIMIT_HARD;
	for (unsigned i = first; i <= last; i++)
		if (!stands(plan, i, plan->level[i]))
			return false;
	return true;
}

static void check_spared(struct maui_throttle *t, struct plan *plan, unsigned active)
{
	struct job *job = &plan->jobs[plan->count++];
	bool spares, allowed;

	make_job(job);
	spares = maui_throttle_spares(t, set_of(t, job), &job->demand, NOW,
				      (int64_t)job->job.walltime_s);
	allowed = maui_throttle_allows(set_of(t, job), &job->demand, MAUI_LIMIT_HARD);
	PROP_CHECK(!spares || !allowed || all_stand(plan, active, NOW), "not spared");
	plan->count--;
}

static void planned_may_start(const struct maui_config *config)
{
	struct maui_throttle *t = maui_throttle_create(config);
	struct plan plan = { .config = config, .count = prop_pick(MOST_JOBS / 2) };
	unsigned active = plan.count;
	struct maui_strbuf before = { 0 }, after = { 0 };
	struct job probes[PROBES];

	for (unsigned i = 0; i < active; i++) {
		make_job(&plan.jobs[i]);
		plan.starts[i] = NOW;
		start(t, &plan.jobs[i]);
	}
	for (unsigned i = 0; i < PROBES; i++)
		make_job(&probes[i]);
	describe(t, probes, &before);
	for (unsigned i = 0; i < PLANNED; i++) {
		struct job *job = &plan.jobs[plan.count];
		int64_t from = NOW + 1 + prop_pick(3000), when;

		make_job(job);
		when = maui_throttle_earliest(t, set_of(t, job), &job->demand, MAUI_LIMIT_HARD, NOW,
					      from, (int64_t)job->job.walltime_s);
		plan.count++;
		if (when == MAUI_THROTTLE_NEVER) {
			PROP_CHECK(!all_stand(&plan, active, NOW + 1000000), "never");
			plan.count--;
			continue;
		}
		PROP_CHECK(when == from || !all_stand(&plan, active, when - 1), "earlier");
		PROP_CHECK(when >= from && all_stand(&plan, active, when), "at %lld",
			   (long long)(when - NOW));
		PROP_CHECK(maui_throttle_plan(t, set_of(t, job), &job->demand, when, job->end_s) ==
				   0,
			   "no memory");
		if (stands(&plan, plan.count - 1, MAUI_LIMIT_SOFT))
			plan.level[plan.count - 1] = MAUI_LIMIT_SOFT;
		check_spared(t, &plan, active);
	}
	while (plan.count > active) {
		const struct job *job = &plan.jobs[--plan.count];

		PROP_CHECK(maui_throttle_unplan(t, set_of(t, job), &job->demand,
						plan.starts[plan.count], job->end_s),
			   "gone");
		check_spared(t, &plan, active);
	}
	describe(t, probes, &after);
	PROP_CHECK(strcmp(before.text, after.text) == 0, "something is left");
	maui_strbuf_finish(&before);
	maui_strbuf_finish(&after);
	maui_throttle_destroy(t);
}

static void one_round(void)
{
	struct maui_config *config = make_config("");

	planned_may_start(config);
	maui_config_unref(config);
	/* with the overrides of a QOS: a job that counts in a limit need not be subject to it */
	config = make_config(
		"QOSCFG[a] OMAXJOB=2,5 OMAXPROC=20 OMAXPS=-1 FLAGS=IGNNODEPERUSER\n"
		"QOSCFG[b] FLAGS=IGNUSER,IGNGROUP OMAXJPROC=3,7\nQOSCFG[c] MINPROC=2\n");
	planned_may_start(config);
	maui_config_unref(config);
}

int main(int argc, char **argv)
{
	return prop_main(argc, argv, 60, one_round);
}
