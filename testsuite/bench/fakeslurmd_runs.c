/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fakeslurmd_runs.c - a heap by time of end, and the latest launch of each job */

#include "fakeslurmd_runs.h"

#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct fake_run **heap; /* the earliest end first */
static size_t heap_count, heap_room;
static uint64_t *launches; /* by job id: the latest launch; 0: forgotten */
static size_t launches_room;
static uint64_t launch_count;

static void *need(void *p)
{
	if (!p)
		err(1, "out of memory");
	return p;
}

static bool is_earlier(const struct fake_run *a, const struct fake_run *b)
{
	if (a->end.tv_sec != b->end.tv_sec)
		return a->end.tv_sec < b->end.tv_sec;
	return a->end.tv_nsec < b->end.tv_nsec;
}

static void heap_push(struct fake_run *run)
{
	size_t i = heap_count++;

	if (heap_count > heap_room) {
		heap_room = heap_room ? 2 * heap_room : 1024;
		heap = need(reallocarray(heap, heap_room, sizeof(*heap)));
	}
	for (; i > 0 && is_earlier(run, heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = run;
}

static struct fake_run *heap_pop(void)
{
	struct fake_run *first = heap[0], *last = heap[--heap_count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap_count) {
		if (child + 1 < heap_count && is_earlier(heap[child + 1], heap[child]))
			child++;
		if (!is_earlier(heap[child], last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	if (heap_count)
		heap[i] = last;
	return first;
}

/* The latest launch of a job; read and written under the lock. */
static uint64_t *launch_of(uint32_t job_id)
{
	size_t room = launches_room ? launches_room : 1024;

	while (job_id >= room)
		room *= 2;
	if (room > launches_room) {
		launches = need(reallocarray(launches, room, sizeof(*launches)));
		memset(launches + launches_room, 0, (room - launches_room) * sizeof(*launches));
		launches_room = room;
	}
	return &launches[job_id];
}

static struct timespec time_in(double seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	t.tv_sec += (time_t)seconds + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

/* "n[0003-0007,0009],m1" -> "n0003" */
static char *first_node(const char *nodes)
{
	char *name = need(malloc(strlen(nodes ? nodes : "") + 1)), *to = name;

	for (const char *p = nodes ? nodes : ""; *p && *p != ','; p++) {
		if (*p != '[') {
			*to++ = *p;
			continue;
		}
		for (p++; *p && !strchr("-,]", *p); p++)
			*to++ = *p;
		while (*p && *p != ']')
			p++;
		if (!*p)
			break;
	}
	*to = '\0';
	return name;
}

struct fake_run *fake_run_new(uint32_t job_id, double seconds, const char *nodes)
{
	struct fake_run *run = need(calloc(1, sizeof(*run)));

	run->job_id = job_id;
	run->end = time_in(seconds);
	run->node = first_node(nodes);
	return run;
}

void fake_run_free(struct fake_run *run)
{
	free(run->node);
	free(run);
}

void fake_run_keep(struct fake_run *run)
{
	pthread_mutex_lock(&lock);
	run->launch = *launch_of(run->job_id) = ++launch_count;
	heap_push(run);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

void fake_run_forget(uint32_t job_id)
{
	pthread_mutex_lock(&lock);
	*launch_of(job_id) = 0;
	pthread_mutex_unlock(&lock);
}

struct fake_run *fake_run_wait(bool *ret_known)
{
	struct timespec now;
	struct fake_run *run;

	pthread_mutex_lock(&lock);
	for (;;) {
		clock_gettime(CLOCK_REALTIME, &now);
		if (heap_count && is_earlier(heap[0], &(struct fake_run){ .end = now }))
			break;
		if (heap_count) {
			struct timespec until = heap[0]->end;

			pthread_cond_timedwait(&changed, &lock, &until);
		} else {
			pthread_cond_wait(&changed, &lock);
		}
	}
	run = heap_pop();
	*ret_known = *launch_of(run->job_id) == run->launch;
	pthread_mutex_unlock(&lock);
	return run;
}
