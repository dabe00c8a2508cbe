/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fiber.c - the threads of slurm-maui as fibers of one system thread, so that a run is the same
 * again by its seed
 *
 * A fiber runs until it waits: for a condition, a moment, a descriptor, another thread's end. A
 * process that dies is a fiber that is never continued.
 */

#include "world.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
	FIBERS = 12,
	STACK = 1024 * 1024,
	/* the agent looks at slurmctld's counters every 50 ms; in a quiet world that much less */
	QUIET_LOOKS = 24,
	QUIET_US = 15 * 1000000,
};

enum wait { READY, TIMED, JOIN, POLL, ENDED };

struct world_fiber {
	ucontext_t context;
	void *stack;
	void *(*main)(void *arg);
	void *arg;
	enum wait wait;
	int64_t until_us, asked_us; /* when it goes on, and when it wants to */
	pthread_cond_t *cond;
	bool signalled;
	int joins;
	bool agent, call, detached;
	unsigned locks; /* mutexes that it has */
};

static struct world_fiber fibers[FIBERS];
static ucontext_t outside;
static int current = -1;
static unsigned quiet, armed;
static bool died;
static struct maui_controller *controller;
static bool agent_starts; /* the next thread is the agent */

/* The sanitizers want to know about other stacks. */
void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size)
	__attribute__((weak));
void __sanitizer_finish_switch_fiber(void *save, const void **bottom, size_t *size)
	__attribute__((weak));

static const void *outside_bottom;
static size_t outside_size;

static void fiber_main(void)
{
	struct world_fiber *fiber = &fibers[current];

	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(NULL, &outside_bottom, &outside_size);
	fiber->main(fiber->arg);
	fiber->wait = ENDED;
	if (fiber->detached)
		fiber->main = NULL;
	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(NULL, outside_bottom, outside_size);
	swapcontext(&fiber->context, &outside);
}

static int make_fiber(void *(*main)(void *arg), void *arg)
{
	int i = 0;

	while (i < FIBERS && fibers[i].main)
		i++;
	if (i == FIBERS)
		world_fault("too many threads");
	fibers[i] = (struct world_fiber){ .main = main, .arg = arg, .stack = fibers[i].stack };
	if (!fibers[i].stack)
		fibers[i].stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	getcontext(&fibers[i].context);
	fibers[i].context.uc_stack.ss_sp = fibers[i].stack;
	fibers[i].context.uc_stack.ss_size = STACK;
	fibers[i].context.uc_link = &outside;
	makecontext(&fibers[i].context, fiber_main, 0);
	return i;
}

/* Continues a fiber until it waits. */
static void resume(int i)
{
	bool before = world_memory_enter();
	void *save = NULL;

	fibers[i].wait = READY;
	fibers[i].signalled = false;
	current = i;
	world_show_tables(!fibers[i].agent);
	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(&save, fibers[i].stack, STACK);
	swapcontext(&outside, &fibers[i].context);
	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(save, NULL, NULL);
	current = -1;
	world_show_tables(true);
	world_memory_leave(before);
}

/* The fiber at hand waits. */
static void yield(void)
{
	struct world_fiber *fiber = &fibers[current];
	void *save = NULL;

	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(&save, outside_bottom, outside_size);
	swapcontext(&fiber->context, &outside);
	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(save, NULL, NULL);
}

bool world_in_fiber(void)
{
	return current >= 0;
}

bool world_in_agent(void)
{
	return current >= 0 && fibers[current].agent;
}

struct world_outside world_leave(void)
{
	struct world_outside before = { .fiber = current, .memory = world_memory_out() };

	current = -1;
	return before;
}

void world_return(struct world_outside before)
{
	current = before.fiber;
	world_memory_leave(before.memory);
}

void world_fibers_arm(unsigned calls)
{
	armed = calls;
}

bool world_fibers_armed(void)
{
	return armed > 0;
}

bool world_fibers_died(void)
{
	return died;
}

void world_mortal(void)
{
	if (armed == 0 || current < 0 || --armed > 0)
		return;
	died = true;
	yield();
	world_fault("a dead process goes on");
}

struct maui_controller *world_controller(void)
{
	return controller;
}

void world_fibers_wake(void)
{
	quiet = 0;
	for (int i = 0; i < FIBERS; i++)
		if (fibers[i].main && fibers[i].wait == TIMED)
			fibers[i].until_us = fibers[i].asked_us;
}

static bool is_due(struct world_fiber *fiber)
{
	if (!fiber->main || fiber->call)
		return false;
	switch (fiber->wait) {
	case READY:
		return true;
	case TIMED:
		return fiber->signalled || world_now_us >= fiber->until_us;
	case JOIN:
		return fibers[fiber->joins].wait == ENDED;
	case POLL:
		return fiber->signalled;
	default:
		return false;
	}
}

void world_fibers_run(void)
{
	for (int i = 0; i < FIBERS && !died; i++)
		if (is_due(&fibers[i]))
			resume(i);
}

int64_t world_fibers_due_us(void)
{
	int64_t due_us = INT64_MAX;

	for (int i = 0; i < FIBERS; i++) {
		struct world_fiber *fiber = &fibers[i];

		if (is_due(fiber))
			return world_now_us;
		if (fiber->main && fiber->wait == TIMED && fiber->until_us < due_us)
			due_us = fiber->until_us;
	}
	return due_us;
}

/* The agent waits: a cycle may have ended since it did so last. */
static void world_cycle_seen(void)
{
	static uint32_t counted;
	struct world_outside before;

	if (slurmctld_diag_stats.bf_cycle_counter == counted)
		return;
	counted = slurmctld_diag_stats.bf_cycle_counter;
	quiet = 0;
	before = world_leave();
	world_show_tables(true);
	world.cycles++;
	world_check_cycle();
	world_return(before);
	world_show_tables(false);
}

static void (*called)(void);
static void *call_main(void *arg)
{
	(void)arg;
	called();
	return NULL;
}

bool world_fiber_call(void (*function)(void))
{
	int i;

	called = function;
	i = make_fiber(call_main, NULL);
	fibers[i].call = true;
	while (!died && fibers[i].wait != ENDED) {
		int joins = fibers[i].joins;

		if (fibers[i].wait == JOIN && fibers[joins].wait != ENDED)
			world_fibers_run();
		else
			resume(i);
		if (fibers[i].wait == JOIN)
			world_now_us = world_fibers_due_us() > world_now_us &&
						       world_fibers_due_us() < INT64_MAX ?
					       world_fibers_due_us() :
					       world_now_us + 1;
	}
	if (!died)
		fibers[i].main = NULL;
	return !died;
}

void world_agent_starts(bool starts)
{
	agent_starts = starts;
}

/* Errands that slurm-maui no longer waits for. */
static bool any_detached(void)
{
	for (int i = 0; i < FIBERS; i++)
		if (fibers[i].main && fibers[i].detached)
			return true;
	return false;
}

void world_fibers_end(void)
{
	while (any_detached() && !died)
		world_fibers_run();
}

void world_fibers_drop(void)
{
	for (int i = 0; i < FIBERS; i++)
		fibers[i].main = NULL;
	died = false;
	armed = 0;
	controller = NULL;
}

/* ---- in place of the C library ---- */

int pthread_create(pthread_t *ret, const pthread_attr_t *attr, void *(*main)(void *), void *arg)
{
	bool is_agent = agent_starts && !controller;
	int i = make_fiber(main, arg);

	(void)attr;
	*ret = (pthread_t)(i + 1);
	fibers[i].agent = is_agent;
	if (is_agent)
		controller = arg;
	return 0;
}

int pthread_join(pthread_t thread, void **ret)
{
	int i = (int)thread - 1;

	(void)ret;
	if (i < 0 || i >= FIBERS || !fibers[i].main)
		world_fault("pthread_join() of no thread");
	if (fibers[i].wait == POLL) {
		fibers[i].signalled = true; /* it reads that it is to stop */
		fibers[i].until_us = 0;
	}
	while (fibers[i].wait != ENDED) {
		fibers[current].wait = JOIN;
		fibers[current].joins = i;
		yield();
	}
	if (fibers[i].agent)
		controller = NULL;
	fibers[i].main = NULL;
	return 0;
}

int pthread_detach(pthread_t thread)
{
	int i = (int)thread - 1;

	fibers[i].detached = true;
	if (fibers[i].wait == ENDED)
		fibers[i].main = NULL;
	return 0;
}

/* No code of the product runs in a world after its end, so none has to stay. */
void *dlopen(const char *file, int flags)
{
	static void *(*real)(const char *, int);

	if (!real)
		real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	return flags & RTLD_NODELETE ? NULL : real(file, flags);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int rc = pthread_mutex_trylock(mutex);

	if (mutex == &check_bf_running_lock && !slurmctld_diag_stats.bf_active)
		world_check_begin();
	if (rc)
		world_fault("a lock is taken that another thread has, who waits for this one");
	if (current >= 0)
		fibers[current].locks++;
	return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static int (*real)(pthread_mutex_t *);

	if (!real)
		real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	if (current >= 0)
		fibers[current].locks--;
	return real(mutex);
}

unsigned world_fiber_locks(void)
{
	return current >= 0 ? fibers[current].locks : 0;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	struct world_fiber *fiber = &fibers[current];
	int64_t until_us = (int64_t)until->tv_sec * WORLD_SECOND + until->tv_nsec / 1000;
	bool cycle_is_over = fiber->agent && cond == &controller->wake;

	pthread_mutex_unlock(mutex);
	fiber->asked_us = until_us;
	if (cycle_is_over && quiet++ > QUIET_LOOKS && until_us < world_now_us + QUIET_US)
		until_us = world_now_us + QUIET_US;
	fiber->until_us = until_us;
	fiber->cond = cond;
	fiber->wait = TIMED;
	if (cycle_is_over)
		world_cycle_seen();
	world_mortal();
	yield();
	pthread_mutex_lock(mutex);
	return fiber->signalled ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	const struct timespec never = { .tv_sec = INT64_C(1) << 40 };

	return pthread_cond_timedwait(cond, mutex, &never);
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	for (int i = 0; i < FIBERS; i++)
		if (fibers[i].main && fibers[i].wait == TIMED && fibers[i].cond == cond)
			fibers[i].signalled = true;
	return 0;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	return pthread_cond_broadcast(cond);
}

/* Of the thread that serves commands: it waits until it is to end. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	int rc = (int)syscall(SYS_poll, fds, count, 0);

	(void)timeout;
	if (rc != 0 || current < 0)
		return rc;
	fibers[current].wait = POLL;
	yield();
	return (int)syscall(SYS_poll, fds, count, 0);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size);
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size)
{
	(void)size;
	return poll(fds, count, timeout);
}

/* The query server's thread is a fiber like the others: all of them would be slow. */
int setpriority(__priority_which_t which, id_t who, int priority)
{
	(void)which, (void)who, (void)priority;
	return 0;
}
