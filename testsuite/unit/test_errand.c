/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_errand.c - work that may hang, on a thread of its own */
#include "base/errand.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static sem_t go; /* the work hangs until then */
static atomic_int destroyed;

static void hang(void *work, const atomic_bool *stop)
{
	(void)stop;
	sem_wait(&go);
	*(int *)work += 1;
}

static void look_for_stop(void *work, const atomic_bool *stop)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	while (!*stop)
		nanosleep(&pause, NULL);
	*(int *)work += 1;
}

static void destroy_work(void *work)
{
	free(work);
	destroyed++;
}

static const struct maui_errand_kind hanging = { "hanging", hang, destroy_work },
				     stoppable = { "stoppable", look_for_stop, destroy_work };

static struct maui_errand *begin(const struct maui_errand_kind *kind)
{
	int *work = malloc(sizeof(*work));
	struct maui_errand *errand;

	cr_assert(work);
	*work = 6;
	errand = maui_errand_begin(kind, work);
	cr_assert(errand);
	return errand;
}

static void wait_until_destroyed(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 10000 && !destroyed; i++)
		nanosleep(&pause, NULL);
	cr_expect(destroyed == 1);
}

static void enter(void)
{
	sem_init(&go, 0, 0);
}

TestSuite(errand, .init = enter, .timeout = 60);

Test(errand, the_owner_does_not_wait_for_work_that_hangs)
{
	struct maui_errand *errand = begin(&hanging);
	int *work;

	cr_expect(!maui_errand_is_over(errand, 0));
	cr_expect(!maui_errand_is_over(errand, 20));
	sem_post(&go);
	cr_expect(maui_errand_is_over(errand, 50000));
	cr_expect(maui_errand_is_over(errand, 0));
	work = maui_errand_end(errand);
	cr_expect(*work == 7 && destroyed == 0);
	free(work);
}

Test(errand, a_dropped_errand_frees_its_work_at_its_end)
{
	maui_errand_drop(begin(&hanging));
	cr_expect(destroyed == 0);
	sem_post(&go);
	wait_until_destroyed();
}

Test(errand, an_errand_that_is_over_is_dropped_at_once)
{
	struct maui_errand *errand = begin(&hanging);

	sem_post(&go);
	cr_expect(maui_errand_is_over(errand, 50000));
	maui_errand_drop(errand);
	cr_expect(destroyed == 1);
	maui_errand_drop(NULL);
}

Test(errand, a_dropped_errand_is_asked_to_stop)
{
	maui_errand_drop(begin(&stoppable));
	wait_until_destroyed();
}
