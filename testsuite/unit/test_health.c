/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_health.c - counters of cycles since slurmctld started
 *
 * Rules: CMD-48.
 */

#include "cycle/health.h"

#include <criterion/criterion.h>

Test(health, a_cycle_is_in_the_bucket_of_its_duration)
{
	struct maui_health h = { 0 };

	maui_health_note(&h, &(struct maui_health_cycle){ .began_s = 5, .took_us = 1000 });
	maui_health_note(&h, &(struct maui_health_cycle){ .began_s = 6, .took_us = 1001 });
	maui_health_note(&h, &(struct maui_health_cycle){ .began_s = 7, .took_us = 31000000 });
	cr_expect(h.buckets[0] == 1 && h.buckets[1] == 1 && h.buckets[MAUI_HEALTH_BUCKETS] == 1);
	cr_expect(h.cycles == 3 && h.took_us == 31002001 && h.longest_us == 31000000);
	cr_expect(h.since_s == 5 && h.last.began_s == 7);
}

Test(health, holds_have_a_sum_and_the_longest)
{
	struct maui_health_cycle cycle = { .holds = { { 2, 500, 400 }, { 1, 70, 70 } } };
	struct maui_health h = { 0 };

	maui_health_note(&h, &cycle);
	cycle.holds[MAUI_HEALTH_READ].longest_us = 300;
	maui_health_note(&h, &cycle);
	cr_expect(h.holds[MAUI_HEALTH_READ].count == 4 && h.holds[MAUI_HEALTH_READ].sum_us == 1000);
	cr_expect(h.holds[MAUI_HEALTH_READ].longest_us == 400);
	cr_expect(h.last.holds[MAUI_HEALTH_READ].longest_us == 300);
	cr_expect(h.holds[MAUI_HEALTH_WRITE].sum_us == 140);
}

Test(health, a_failed_cycle_is_no_cycle)
{
	struct maui_health h = { 0 };

	maui_health_note_failure(&h, 9);
	cr_expect(h.failed == 1 && h.cycles == 0 && h.since_s == 9);
}

/* A clock that is set back while a cycle runs. */
Test(health, a_negative_duration_is_none)
{
	struct maui_health h = { 0 };

	maui_health_note(&h, &(struct maui_health_cycle){ .took_us = -5, .plan_us = -5 });
	cr_expect(h.took_us == 0 && h.plan_us == 0 && h.buckets[0] == 1);
}
