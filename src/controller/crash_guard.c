/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash_guard.c - a file of three numbers */

#include "controller/crash_guard.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BRAKE_S = 600 };

/* The file. */
struct words {
	char magic[8];
	int64_t planning_s; /* a plan was begun then and has not ended; 0: none */
	int64_t deaths_s[2];
};

static const char magic[8] = "mauibrk1";

/* A disk that does not take it means no brake, nothing worse. */
static void put(struct maui_brake *brake, int64_t planning_s)
{
	struct words w = { .planning_s = planning_s,
			   .deaths_s = { brake->deaths_s[0], brake->deaths_s[1] } };

	memcpy(w.magic, magic, sizeof(magic));
	brake->planning_s = planning_s;
	if (brake->fd >= 0 && pwrite(brake->fd, &w, sizeof(w), 0) != sizeof(w))
		return;
}

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

void maui_brake_open(struct maui_brake *brake, const char *dir)
{
	struct words w;

	*brake = (struct maui_brake){ .fd = open_file(dir) };
	if (brake->fd < 0 || pread(brake->fd, &w, sizeof(w), 0) != sizeof(w) ||
	    memcmp(w.magic, magic, sizeof(magic)) != 0)
		return;
	memcpy(brake->deaths_s, w.deaths_s, sizeof(w.deaths_s));
	if (w.planning_s != 0) {
		brake->deaths_s[1] = brake->deaths_s[0];
		brake->deaths_s[0] = w.planning_s;
	}
	put(brake, 0);
}

void maui_brake_close(struct maui_brake *brake)
{
	if (brake->fd >= 0)
		close(brake->fd);
	brake->fd = -1;
}

void maui_brake_move(struct maui_brake *brake, const char *dir)
{
	maui_brake_close(brake);
	brake->fd = open_file(dir);
	put(brake, brake->planning_s);
}

void maui_brake_enter(struct maui_brake *brake, int64_t now_s)
{
	put(brake, now_s);
}

void maui_brake_leave(struct maui_brake *brake)
{
	put(brake, 0);
}

bool maui_brake_holds(const struct maui_brake *brake, int64_t now_s)
{
	const int64_t *deaths_s = brake->deaths_s;

	return deaths_s[1] > 0 && deaths_s[0] <= now_s && now_s - deaths_s[0] < BRAKE_S &&
	       deaths_s[0] - deaths_s[1] < BRAKE_S;
}
