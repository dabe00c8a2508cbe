/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reach.c - which parts of the core a test runs: the compiler calls this in each of them
 *
 * Marks a byte for each place in the file that MAUI_REACH names. The file is shared, so children of
 * a test that end without a word have marked theirs, too.
 */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 16 << 20 };

extern const char __ehdr_start; /* the library's first byte, made by the linker */
void __sanitizer_cov_trace_pc(void);

static unsigned char *marks;

__attribute__((constructor)) static void open_marks(void)
{
	const char *path = getenv("MAUI_REACH");
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (fd < 0)
		return;
	if (ftruncate(fd, SIZE) == 0) {
		marks = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (marks == MAP_FAILED)
			marks = NULL;
	}
	close(fd);
}

void __sanitizer_cov_trace_pc(void)
{
	uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__ehdr_start;

	if (marks && place < SIZE)
		marks[place] = 1;
}
