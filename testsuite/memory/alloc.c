/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc.c - the C library's malloc() and mmap() with a count of their calls, one of which fails
 *
 * With AddressSanitizer the memory comes from its malloc(), so that it sees what it sees elsewhere.
 */

#include "alloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The sanitizers are configured for the whole tree. clang has no __SANITIZE_ADDRESS__. */
#ifdef MAUI_SANITIZE
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *block);

enum { FRAMES = 24 };

static bool counts; /* between begin and end */
static size_t calls, failing;
static enum alloc_behind behind;
static bool of_arena, failed;
static long live;
static void *frames[FRAMES];
static int frame_count;

void alloc_begin(size_t fails, enum alloc_behind what)
{
	void *frame;

	backtrace(&frame, 1); /* loads what it needs */
	failing = fails;
	behind = what;
	calls = 0;
	failed = false;
	counts = true;
}

size_t alloc_end(void)
{
	counts = false;
	return calls;
}

void alloc_of_arena(bool is)
{
	of_arena = is;
}

bool alloc_has_failed(void)
{
	return failed;
}

long alloc_live(void)
{
	return live;
}

/* Whether this call finds no memory. */
static bool fails(void)
{
	if (!counts)
		return false;
	calls++;
	if (failing == 0 || calls < failing)
		return false;
	if (calls > failing && (behind == ALLOC_NOTHING || (behind == ALLOC_BLOCKS && of_arena)))
		return false;
	if (!failed) {
		counts = false;
		frame_count = backtrace(frames, FRAMES);
		counts = true;
	}
	failed = true;
	errno = ENOMEM;
	return true;
}

static void *given(void *block)
{
	live += block != NULL;
	return block;
}

/* Libraries call these, too. */
#pragma GCC visibility push(default)

void *malloc(size_t size)
{
	return fails() ? NULL : given(REAL(malloc)(size));
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : given(REAL(calloc)(count, size));
}

/* A size of 0 would free the block: nobody asks for it. */
void *realloc(void *block, size_t size)
{
	if (block && size == 0)
		abort();
	if (fails())
		return NULL;
	return block ? REAL(realloc)(block, size) : given(REAL(malloc)(size));
}

/* The sanitizer has these three of its own as well. */
void *reallocarray(void *block, size_t count, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(block, all);
}

char *strndup(const char *text, size_t most)
{
	size_t length = strnlen(text, most);
	char *copy = malloc(length + 1);

	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

char *strdup(const char *text)
{
	return strndup(text, strlen(text));
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : given(REAL(memalign)(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
	void *block = memalign(alignment, size);

	if (!block)
		return ENOMEM;
	*ret = block;
	return 0;
}

void free(void *block)
{
	live -= block != NULL;
	REAL(free)(block);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *mapping;

	if (fails())
		return MAP_FAILED;
	mapping = (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
	live += mapping != MAP_FAILED;
	return mapping;
}

int munmap(void *at, size_t size)
{
	live--;
	return (int)syscall(SYS_munmap, at, size);
}

void *mremap(void *at, size_t size, size_t wider, int flags, ...)
{
	return fails() ? MAP_FAILED : (void *)syscall(SYS_mremap, at, size, wider, flags);
}

#pragma GCC visibility pop

/* The line of each frame, where addr2line knows it. */
void alloc_print_failed(void)
{
	char command[4096];
	size_t length = 0;
	Dl_info main_info, info;

	if (frame_count == 0 || !dladdr((void *)(uintptr_t)alloc_begin, &main_info))
		return;
	length = (size_t)snprintf(command, sizeof(command), "addr2line -fipse /proc/%d/exe",
				  (int)getpid());
	for (int i = 2; i < frame_count && length < sizeof(command) - 32; i++) {
		if (!dladdr(frames[i], &info) || info.dli_fbase != main_info.dli_fbase)
			continue;
		length +=
			(size_t)snprintf(command + length, sizeof(command) - length, " %#zx",
					 (size_t)((char *)frames[i] - (char *)info.dli_fbase) - 1);
	}
	snprintf(command + length, sizeof(command) - length, " | head -n 12 >&2");
	if (system(command) != 0)
		backtrace_symbols_fd(frames, frame_count, STDERR_FILENO);
}
