/* SPDX-License-Identifier: GPL-2.0-or-later */
/* errand.c - a thread for one piece of work */

#include "base/errand.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/thread.h"

struct maui_errand {
	const struct maui_errand_kind *kind;
	void *work;
	pthread_t thread;
	atomic_bool stop;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t ended;
	bool over;
	bool dropped; /* the thread frees the errand */
};

static struct maui_errand *create(const struct maui_errand_kind *kind, void *work)
{
	struct maui_errand *errand = calloc(1, sizeof(*errand));
	pthread_condattr_t attr;

	if (!errand)
		return NULL;
	errand->kind = kind;
	errand->work = work;
	pthread_mutex_init(&errand->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&errand->ended, &attr);
	pthread_condattr_destroy(&attr);
	return errand;
}

/* All but the work. */
static void destroy(struct maui_errand *errand)
{
	pthread_cond_destroy(&errand->ended);
	pthread_mutex_destroy(&errand->lock);
	free(errand);
}

static void *thread_main(void *arg)
{
	struct maui_errand *errand = arg;
	bool dropped;

	prctl(PR_SET_NAME, errand->kind->thread, 0, 0, 0);
	errand->kind->run(errand->work, &errand->stop);
	pthread_mutex_lock(&errand->lock);
	errand->over = true;
	dropped = errand->dropped;
	pthread_cond_broadcast(&errand->ended);
	pthread_mutex_unlock(&errand->lock);
	if (dropped) {
		errand->kind->destroy(errand->work);
		destroy(errand);
	}
	return NULL;
}

struct maui_errand *maui_errand_begin(const struct maui_errand_kind *kind, void *work)
{
	struct maui_errand *errand = create(kind, work);

	if (errand && maui_thread_start(&errand->thread, thread_main, errand) == 0)
		return errand;
	kind->destroy(work);
	if (errand)
		destroy(errand);
	return NULL;
}

static struct timespec in_ms(int wait_ms)
{
	struct timespec when;
	int64_t nsec;

	clock_gettime(CLOCK_MONOTONIC, &when);
	nsec = when.tv_nsec + (int64_t)wait_ms * 1000000;
	when.tv_sec += nsec / 1000000000;
	when.tv_nsec = nsec % 1000000000;
	return when;
}

bool maui_errand_is_over(struct maui_errand *errand, int wait_ms)
{
	struct timespec until = in_ms(wait_ms);
	bool over;
	int rc = 0;

	pthread_mutex_lock(&errand->lock);
	while (!errand->over && wait_ms > 0 && rc == 0)
		rc = pthread_cond_timedwait(&errand->ended, &errand->lock, &until);
	over = errand->over;
	pthread_mutex_unlock(&errand->lock);
	return over;
}

void *maui_errand_end(struct maui_errand *errand)
{
	void *work = errand->work;

	pthread_join(errand->thread, NULL);
	destroy(errand);
	return work;
}

/* slurmctld may unload the plugin while the thread still runs its code. */
static void keep_code_loaded(void)
{
	static const char here;
	Dl_info library;

	if (dladdr(&here, &library) && library.dli_fname)
		/* cppcheck-suppress leakReturnValNotUsed; it is never closed */
		(void)dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void maui_errand_drop(struct maui_errand *errand)
{
	pthread_t thread;
	bool over;

	if (!errand)
		return;
	thread = errand->thread;
	pthread_mutex_lock(&errand->lock);
	errand->dropped = true;
	errand->stop = true;
	over = errand->over;
	pthread_mutex_unlock(&errand->lock);
	if (over) {
		errand->kind->destroy(maui_errand_end(errand));
		return;
	}
	keep_code_loaded();
	pthread_detach(thread);
}
