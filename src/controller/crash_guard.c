/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash_guard.c - reads and writes the guard's file */

#include "controller/crash_guard.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOLDS_S = 600 };

/* The content of the file. */
struct words {
	char magic[8];
	int64_t planning_s; /* a plan began then and has not ended; 0: none */
	int64_t deaths_s[2];
};

static const char magic[8] = "mauibrk1";

/* Writes the file. When the disk fails, there is no guard, and nothing else happens. */
static void write_file(struct maui_crash_guard *guard, int64_t planning_s)
{
	struct words w = { .planning_s = planning_s,
			   .deaths_s = { guard->deaths_s[0], guard->deaths_s[1] } };

	memcpy(w.magic, magic, sizeof(magic));
	guard->planning_s = planning_s;
	if (guard->fd >= 0 && pwrite(guard->fd, &w, sizeof(w), 0) != sizeof(w))
		return;
}

/* In StateSaveLocation. */
static int open_file(const char *dir)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/planning", dir) < 0)
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	free(path);
	return fd;
}

void maui_crash_guard_open(struct maui_crash_guard *guard, const char *dir)
{
	struct words w;

	*guard = (struct maui_crash_guard){ .fd = open_file(dir) };
	if (guard->fd < 0 || pread(guard->fd, &w, sizeof(w), 0) != sizeof(w) ||
	    memcmp(w.magic, magic, sizeof(magic)) != 0)
		return;
	memcpy(guard->deaths_s, w.deaths_s, sizeof(w.deaths_s));
	if (w.planning_s != 0) {
		guard->deaths_s[1] = guard->deaths_s[0];
		guard->deaths_s[0] = w.planning_s;
	}
	write_file(guard, 0);
}

void maui_crash_guard_close(struct maui_crash_guard *guard)
{
	if (guard->fd >= 0)
		close(guard->fd);
	guard->fd = -1;
}

void maui_crash_guard_move(struct maui_crash_guard *guard, const char *dir)
{
	maui_crash_guard_close(guard);
	guard->fd = open_file(dir);
	write_file(guard, guard->planning_s);
}

void maui_crash_guard_enter(struct maui_crash_guard *guard, int64_t now_s)
{
	write_file(guard, now_s);
}

void maui_crash_guard_leave(struct maui_crash_guard *guard)
{
	write_file(guard, 0);
}

bool maui_crash_guard_holds(const struct maui_crash_guard *guard, int64_t now_s)
{
	const int64_t *deaths_s = guard->deaths_s;

	return deaths_s[1] > 0 && deaths_s[0] <= now_s && now_s - deaths_s[0] < HOLDS_S &&
	       deaths_s[0] - deaths_s[1] < HOLDS_S;
}
