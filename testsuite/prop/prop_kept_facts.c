/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_kept_facts.c - what is kept of a job is what a check would have said in the same cycle
 *
 * A slurmctld with two facts. A cycle copies both once. One is compared by value. Changes of the
 * other, which each check reads again, show in a stamp of whole seconds alone. They happen at
 * random moments, in the middle of cycles as well; the clock is set now and then. A cycle looks at
 * them as slurm/eligible does: the clock, the tables, a look under the locks, then jobs in several
 * holds, each of which ends the cycle when the stamp is another. A kept verdict must be one that a
 * check could have given since the cycle began.
 *
 * Limits are under another lock, and change without a stamp at any moment, between a look at them
 * and the check that reads them too. They are looked at once in a cycle, before any check that
 * needs them (slurm/eligible/kept_limits.c), and that look is what a job is kept with.
 *
 * Rules: BF-17.
 */
#include "cycle/kept_facts.h"

#include "prop.h"

#include "base/hash.h"

enum { JOBS = 4, CYCLES = 60, SECOND = 1000000, TRUTHS = 64, FULL_S = 600 };

struct truth {
	uint64_t value, stamped, limits;
};

/* What a check says: all that it depends on. */
struct verdict {
	struct truth copied;
	uint64_t stamped, limits; /* as the check has read them */
	uint64_t noted_limits;    /* as they were when the cycle looked at them */
};

static struct {
	int64_t steady_us, offset_us; /* the clock is their sum */
	struct truth truth, copied;
	int64_t stamp_s;
	bool may_step;              /* not since the last look */
	struct truth since[TRUTHS]; /* the truths since the cycle began */
	unsigned since_count;
	struct maui_kept_facts facts;
	bool has_noted; /* the cycle has looked at the limits */
	uint64_t noted_limits;
	bool kept[JOBS];
	struct verdict verdicts[JOBS];
} m;

static int64_t clock_us(void)
{
	return m.steady_us + m.offset_us;
}

static void note_truth(void)
{
	PROP_CHECK(m.since_count < TRUTHS, "too many changes of a cycle");
	m.since[m.since_count++] = m.truth;
}

static void change_limits(void)
{
	m.truth.limits++;
	note_truth();
}

static void change(void)
{
	if (prop_pick(3) == 0) {
		change_limits();
	} else if (prop_pick(3) == 0) {
		m.truth.value = prop_pick(3); /* often one that it had before */
	} else {
		m.truth.stamped++;
		m.stamp_s = clock_us() / SECOND;
	}
	note_truth();
}

/* Back and forth by less than a second, by some, by hours. */
static void set_clock(void)
{
	static const int64_t most_us[] = { SECOND / 2, 3 * SECOND, INT64_C(7200) * SECOND };
	int64_t most = most_us[prop_pick(3)];

	m.offset_us += (int64_t)(prop_random() % (uint64_t)(2 * most)) - most;
	m.may_step = false;
}

/* Time passes; meanwhile something may happen, soon or late. */
static void pass(int64_t most_us)
{
	int64_t at_us =
		(int64_t)(prop_random() % (uint64_t)(prop_pick(2) ? most_us : most_us / 16));
	int64_t all_us = at_us + (int64_t)(prop_random() % (uint64_t)most_us);

	m.steady_us += at_us;
	if (m.may_step && prop_pick(20) == 0)
		set_clock();
	if (prop_pick(4) == 0 && m.since_count < TRUTHS / 2)
		change();
	m.steady_us += all_us - at_us;
}

static bool was_in_the_cycle(uint64_t stamped)
{
	for (unsigned i = 0; i < m.since_count; i++)
		if (stamped == m.since[i].stamped)
			return true;
	return false;
}

static bool were_in_the_cycle(uint64_t limits)
{
	for (unsigned i = 0; i < m.since_count; i++)
		if (limits == m.since[i].limits)
			return true;
	return false;
}

static bool could_be_of_the_cycle(const struct verdict *verdict)
{
	return verdict->copied.value == m.copied.value &&
	       was_in_the_cycle(verdict->copied.stamped) && was_in_the_cycle(verdict->stamped) &&
	       were_in_the_cycle(verdict->limits);
}

static void forget(void)
{
	memset(m.kept, 0, sizeof(m.kept));
}

/* Once in a cycle. */
static uint64_t note_limits(void)
{
	if (!m.has_noted)
		m.noted_limits = m.truth.limits;
	m.has_noted = true;
	return m.noted_limits;
}

static void let_limits_change(void)
{
	if (prop_pick(4) == 0 && m.since_count < TRUTHS / 2)
		change_limits();
}

/* A job in a hold of the locks: its record may have changed for itself. */
static void look_at_job(unsigned job)
{
	struct verdict *verdict = &m.verdicts[job];

	if (m.kept[job] && verdict->noted_limits == note_limits() && prop_pick(8) > 0) {
		PROP_CHECK(could_be_of_the_cycle(verdict),
			   "job %u is kept as of change %llu and limits %llu; now %llu and %llu",
			   job, (unsigned long long)verdict->stamped,
			   (unsigned long long)verdict->limits, (unsigned long long)m.truth.stamped,
			   (unsigned long long)m.truth.limits);
		return;
	}
	*verdict = (struct verdict){ .copied = m.copied,
				     .stamped = m.truth.stamped,
				     .noted_limits = note_limits() };
	let_limits_change();
	verdict->limits = m.truth.limits; /* the check */
	let_limits_change();
	m.kept[job] = true;
}

/* false: the tables have changed meanwhile, so nothing is kept. */
static bool cycle(void)
{
	struct maui_kept_look look = { .began_s = clock_us() / SECOND };
	int64_t stamp_s;

	m.since_count = 0;
	m.has_noted = false;
	note_truth();
	pass(SECOND / 4);
	stamp_s = m.stamp_s;
	m.copied = m.truth;
	pass(prop_pick(4) == 0 ? 4 * SECOND : SECOND / 4);
	if (m.stamp_s != stamp_s)
		return false;
	look.stamp_s = stamp_s;
	look.facts = maui_hash_mix(maui_hash_mix(0, (uint64_t)stamp_s), m.copied.value);
	look.clock_us = clock_us();
	look.steady_us = m.steady_us;
	if (!maui_kept_facts_hold(&m.facts, &look, FULL_S))
		forget();
	m.may_step = true;
	for (unsigned job = 0; job < JOBS; job++) {
		if (prop_pick(2) == 0)
			pass(SECOND / 8);
		if (m.stamp_s != stamp_s)
			return false;
		look_at_job(job);
	}
	return true;
}

static void round_of_cycles(void)
{
	static const int64_t gaps_us[] = { SECOND / 10, SECOND, 3 * SECOND, 100 * (int64_t)SECOND };

	memset(&m, 0, sizeof(m));
	m.steady_us = 1 + (int64_t)(prop_random() % (uint64_t)SECOND);
	m.offset_us = INT64_C(1700000000) * SECOND;
	m.stamp_s = clock_us() / SECOND - (int64_t)prop_pick(5);
	for (unsigned i = 0; i < CYCLES; i++) {
		if (!cycle())
			forget();
		m.since_count = 0;
		pass(gaps_us[prop_pick(4)]);
	}
}

int main(int argc, char **argv)
{
	return prop_main(argc, argv, 2000, round_of_cycles);
}
