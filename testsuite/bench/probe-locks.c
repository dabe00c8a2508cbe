/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-locks.c - notes how long each thread of slurmctld holds slurmctld's locks
 *
 * A library for LD_PRELOAD (contribs/minicluster: MINICLUSTER_PRELOAD), so that the locks of every
 * scheduler are measured in the same way, whatever it writes to its log. slurmctld's locks are the
 * read-write locks in the writable memory of the program itself; those of libraries and plugins are
 * passed on unseen. lock_slurmctld() takes several: a hold begins when the last of them is taken,
 * and ends when the first of them is given back.
 *
 * Adds a record to the file LOCKS_OUT for each hold, through memory, since slurmctld closes open
 * files. Without that variable nothing is noted, and nothing more once the file is full.
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 4 * 1000 * 1000 };

/* As versus reads it: "Q", then a "16sII" for each record. */
struct record {
	char thread[16];
	uint32_t wrote, us;
};

struct file {
	uint64_t count;
	struct record records[ROOM];
};

typedef int lock_fn(pthread_rwlock_t *lock);

static lock_fn *real_read, *real_write, *real_try_read, *real_try_write, *real_unlock;
static uintptr_t first, last; /* the program's writable memory */
static struct file *out;

static __thread unsigned depth;
static __thread bool wrote, noted;
static __thread int64_t since_us;

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

/* The program is the first object. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
			continue;
		first = info->dlpi_addr + part->p_vaddr;
		last = first + part->p_memsz;
	}
	return 1;
}

/* The file is sparse. */
static struct file *open_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct file *file = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof(*file)))
		file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return file == MAP_FAILED ? NULL : file;
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("LOCKS_OUT");

	real_read = (lock_fn *)dlsym(RTLD_NEXT, "pthread_rwlock_rdlock");
	real_write = (lock_fn *)dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
	real_try_read = (lock_fn *)dlsym(RTLD_NEXT, "pthread_rwlock_tryrdlock");
	real_try_write = (lock_fn *)dlsym(RTLD_NEXT, "pthread_rwlock_trywrlock");
	real_unlock = (lock_fn *)dlsym(RTLD_NEXT, "pthread_rwlock_unlock");
	dl_iterate_phdr(find_program, NULL);
	if (path)
		out = open_file(path);
}

static bool is_slurmctlds(const pthread_rwlock_t *lock)
{
	return out && (uintptr_t)lock >= first && (uintptr_t)lock < last;
}

static int taken(const pthread_rwlock_t *lock, int rc, bool write_lock)
{
	if (rc || !is_slurmctlds(lock))
		return rc;
	if (depth++ == 0)
		wrote = noted = false;
	wrote |= write_lock;
	since_us = now_us();
	return rc;
}

static void note(void)
{
	uint32_t us = (uint32_t)(now_us() - since_us);
	uint64_t at = __atomic_fetch_add(&out->count, 1, __ATOMIC_RELAXED);

	noted = true;
	if (at >= ROOM)
		return;
	out->records[at].wrote = wrote;
	out->records[at].us = us;
	prctl(PR_GET_NAME, out->records[at].thread);
}

/* These symbols take the place of those of libc. */
#define EXPORT __attribute__((visibility("default")))

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return taken(lock, real_read(lock), false);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return taken(lock, real_write(lock), true);
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	return taken(lock, real_try_read(lock), false);
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	return taken(lock, real_try_write(lock), true);
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	if (is_slurmctlds(lock) && depth > 0) {
		if (!noted)
			note();
		depth--;
	}
	return real_unlock(lock);
}
