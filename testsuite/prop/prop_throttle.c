/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_throttle.c - what must hold of throttling, with any configuration and jobs
 *
 *   after any allowed start no limit is broken, at the level at which it was allowed
 *   accepted idle jobs together break no idle limit
 *   adding jobs and removing them in any order leaves nothing behind
 *   the order in which jobs are added does not matter
 *   what soft limits allow hard limits allow, and a job is allowed if it violates nothing
 *   at the moment that maui_throttle_when() returns the job is allowed, a second earlier it is not
 *
 * Limits are summed up a second time here, job by job, from the list from which the configuration
 * was made.
 *
 * Rules: THR-12.
 */

#include "prop_limits.h"

/* ---- the second opinion ---- */

/* The line that sets an object's limit for a job; -1: none does. Of two lines for the same limit
 * the later one counts. */
static const struct limit *line_for(int object, int name, int second, int second_name, int idle,
				    int resource)
{
	const struct limit *found = NULL;

	for (unsigned i = 0; i < limit_count; i++) {
		const struct limit *l = &limits[i];

		if (l->object == object && l->name == name && l->second == second &&
		    (second == ANY || l->second_name == second_name) && l->idle == idle &&
		    l->resource == resource)
			found = l;
	}
	return found && found->value[MAUI_LIMIT_HARD] != 0 ? found : NULL;
}

/* Own before DEFAULT, one for this second credential before one for each. */
static const struct limit *limit_for(const struct job *job, int object, int second, int idle,
				     int resource)
{
	int name = object == MAUI_LIMITED_SYSTEM ? ANY : job->cred[object];
	int second_name = second == ANY ? ANY : job->cred[second];
	const struct limit *l = line_for(object, name, second, second_name, idle, resource);

	if (!l)
		l = line_for(object, ANY, second, second_name, idle, resource);
	if (!l)
		l = line_for(object, name, second, ANY, idle, resource);
	return l ? l : line_for(object, ANY, second, ANY, idle, resource);
}

static bool shares(const struct job *a, const struct job *b, int kind)
{
	return kind == ANY || kind == MAUI_LIMITED_SYSTEM || a->cred[kind] == b->cred[kind];
}

static void check_limit(const struct job *jobs, unsigned count, const struct job *job, int object,
			int second, int idle, int resource, enum maui_limit_level level)
{
	const struct limit *l = limit_for(job, object, second, idle, resource);
	double sum = 0;

	if (!l || l->value[idle ? MAUI_LIMIT_HARD : level] <= 0)
		return;
	for (unsigned i = 0; i < count; i++)
		if (shares(&jobs[i], job, object) && shares(&jobs[i], job, second))
			sum += jobs[i].demand.of[resource];
	PROP_CHECK(sum <= (double)l->value[idle ? MAUI_LIMIT_HARD : level],
		   "object %d second %d resource %d: %g of %lld", object, second, resource, sum,
		   (long long)l->value[level]);
}

/* No limit of any of the jobs is broken by them together. */
static void check_limits(const struct job *jobs, unsigned count, int idle,
			 enum maui_limit_level level)
{
	for (unsigned i = 0; i < count; i++)
		for (int object = 0; object < MAUI_LIMITED_COUNT; object++) {
			if (object != MAUI_LIMITED_SYSTEM && jobs[i].cred[object] == ANY)
				continue;
			for (int second = ANY; second < MAUI_CRED_COUNT; second++)
				for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
					if (second == ANY || jobs[i].cred[second] != ANY)
						check_limit(jobs, count, &jobs[i], object, second,
							    idle, r, level);
		}
}

/* ---- properties ---- */

/* Starts allowed jobs, ends some jobs now and then, and checks the limits after each start. */
static void starts_break_no_limit(struct maui_throttle *t, enum maui_limit_level level)
{
	struct job jobs[MOST_JOBS], job;
	unsigned count = 0;

	for (unsigned i = 0; i < MOST_JOBS; i++) {
		const struct maui_throttle_set *set;
		bool allowed;

		make_job(&job);
		set = set_of(t, &job);
		allowed = maui_throttle_allows(set, &job.demand, level);
		PROP_CHECK(allowed == (maui_throttle_violations(set, &job.demand, level,
								MAUI_THROTTLE_START, NULL, 0) == 0),
			   "job %u", i);
		PROP_CHECK(level == MAUI_LIMIT_HARD || !allowed ||
				   maui_throttle_allows(set, &job.demand, MAUI_LIMIT_HARD),
			   "job %u", i);
		if (allowed) {
			start(t, &job);
			jobs[count++] = job;
			check_limits(jobs, count, 0, level);
		}
		if (count > 0 && prop_pick(3) == 0) {
			unsigned gone = prop_pick(count);

			end(t, &jobs[gone]);
			jobs[gone] = jobs[--count];
		}
	}
	while (count > 0)
		end(t, &jobs[--count]);
}

static void accepted_break_no_limit(struct maui_throttle *t)
{
	struct job jobs[MOST_JOBS], accepted[MOST_JOBS];
	struct maui_throttle_idle idle[MOST_JOBS] = { { .passed_over = false } };
	unsigned count = 0;

	for (unsigned i = 0; i < MOST_JOBS; i++) {
		make_job(&jobs[i]);
		idle[i].set = set_of(t, &jobs[i]);
		idle[i].demand = jobs[i].demand;
	}
	maui_throttle_select(t, idle, MOST_JOBS);
	for (unsigned i = 0; i < MOST_JOBS; i++)
		if (idle[i].verdict == MAUI_THROTTLE_ELIGIBLE)
			accepted[count++] = jobs[i];
	check_limits(accepted, count, 1, MAUI_LIMIT_HARD);
}

static void shuffle(struct job *jobs, unsigned count)
{
	for (unsigned i = count; i > 1; i--) {
		unsigned other = prop_pick(i);
		struct job job = jobs[other];

		jobs[other] = jobs[i - 1];
		jobs[i - 1] = job;
	}
}

static void order_does_not_matter(const struct maui_config *config)
{
	struct maui_throttle *one = maui_throttle_create(config);
	struct maui_throttle *two = maui_throttle_create(config);
	struct maui_strbuf first = { 0 }, second = { 0 }, empty = { 0 };
	struct job jobs[MOST_JOBS], probes[PROBES];

	for (unsigned i = 0; i < PROBES; i++)
		make_job(&probes[i]);
	describe(one, probes, &empty);
	for (unsigned i = 0; i < MOST_JOBS; i++) {
		make_job(&jobs[i]);
		start(one, &jobs[i]);
	}
	describe(one, probes, &first);
	shuffle(jobs, MOST_JOBS);
	for (unsigned i = 0; i < MOST_JOBS; i++)
		start(two, &jobs[i]);
	describe(two, probes, &second);
	PROP_CHECK(strcmp(first.text, second.text) == 0, "\n%s\n%s", first.text, second.text);
	shuffle(jobs, MOST_JOBS);
	for (unsigned i = 0; i < MOST_JOBS; i++)
		end(one, &jobs[i]);
	describe(one, probes, &first);
	PROP_CHECK(strcmp(first.text, empty.text) == 0, "\n%s\n%s", first.text, empty.text);
	maui_throttle_clear(two);
	describe(two, probes, &second);
	PROP_CHECK(strcmp(second.text, empty.text) == 0, "\n%s\n%s", second.text, empty.text);
	maui_strbuf_finish(&first);
	maui_strbuf_finish(&second);
	maui_strbuf_finish(&empty);
	maui_throttle_destroy(one);
	maui_throttle_destroy(two);
}

/* Whether the job is allowed `later` seconds from now, if running jobs end and no other job
 * starts. */
static bool allowed_later(const struct maui_config *config, struct job *jobs, unsigned count,
			  const struct job *job, enum maui_limit_level level, int64_t later)
{
	struct maui_throttle *t = maui_throttle_create(config);
	bool allowed;

	for (unsigned i = 0; i < count; i++) {
		struct maui_job then = jobs[i].job;
		struct maui_demand demand;

		if (jobs[i].end_s <= NOW + later)
			continue;
		then.active = true;
		then.elapsed_s += (double)later;
		maui_demand_make(&then, jobs[i].demand.of[MAUI_RESOURCE_PE], &demand);
		PROP_CHECK(maui_throttle_add(t, set_of(t, &jobs[i]), &demand, jobs[i].end_s) == 0,
			   "no memory");
	}
	allowed = maui_throttle_allows(set_of(t, job), &job->demand, level);
	maui_throttle_destroy(t);
	return allowed;
}

static void when_is_the_moment(const struct maui_config *config)
{
	struct maui_throttle *t = maui_throttle_create(config);
	unsigned count = 1 + prop_pick(MOST_JOBS);
	struct job jobs[MOST_JOBS], job;

	for (unsigned i = 0; i < count; i++) {
		make_job(&jobs[i]);
		start(t, &jobs[i]);
	}
	make_job(&job);
	for (int level = 0; level < MAUI_LIMIT_LEVEL_COUNT; level++) {
		enum maui_limit_level at = (enum maui_limit_level)level;
		int64_t when = maui_throttle_when(t, set_of(t, &job), &job.demand, at, NOW);

		if (when == MAUI_THROTTLE_NEVER) {
			PROP_CHECK(!allowed_later(config, jobs, count, &job, at, 1000000), "never");
			continue;
		}
		PROP_CHECK(when >= NOW && allowed_later(config, jobs, count, &job, at, when - NOW),
			   "%lld", (long long)(when - NOW));
		PROP_CHECK(when == NOW ||
				   !allowed_later(config, jobs, count, &job, at, when - NOW - 1),
			   "before %lld", (long long)(when - NOW));
	}
	maui_throttle_destroy(t);
}

static void one_round(void)
{
	struct maui_config *config = make_config("");
	struct maui_throttle *t = maui_throttle_create(config);

	starts_break_no_limit(t, MAUI_LIMIT_HARD);
	starts_break_no_limit(t, MAUI_LIMIT_SOFT);
	accepted_break_no_limit(t);
	maui_throttle_destroy(t);
	order_does_not_matter(config);
	when_is_the_moment(config);
	maui_config_unref(config);
	/* with the overrides of a QOS, for which plain sums do not say what is allowed */
	config = make_config(
		"QOSCFG[a] OMAXJOB=2,5 OMAXPROC=20 OMAXPS=-1 FLAGS=IGNNODEPERUSER\n"
		"QOSCFG[b] FLAGS=IGNUSER,IGNGROUP OMAXJPROC=3,7\nQOSCFG[c] MINPROC=2\n");
	order_does_not_matter(config);
	when_is_the_moment(config);
	maui_config_unref(config);
}

int main(int argc, char **argv)
{
	return prop_main(argc, argv, 150, one_round);
}
