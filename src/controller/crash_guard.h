/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash_guard.h - stops starts after slurmctld has died twice inside a plan
 *
 * A file says since when a plan is running, and when slurmctld died during earlier plans. It is
 * written without a sync, because it must survive the process, not the machine. After two deaths
 * within ten minutes the next start plans without starting jobs, until ten minutes after the last
 * death, or until the file is removed before a start. The file is not mapped: on NFS a touched
 * page can raise SIGBUS.
 *
 * Rules: CMD-5.
 */
#ifndef MAUI_CONTROLLER_CRASH_GUARD_H
#define MAUI_CONTROLLER_CRASH_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct maui_crash_guard {
	int fd;              /* -1: no file, no guard */
	int64_t planning_s;  /* as in the file */
	int64_t deaths_s[2]; /* the last two, the newer one first; 0: none */
};

/* Opens <dir>/planning. A plan that began and did not end is a death. Without the file there is no
 * guard. */
void maui_crash_guard_open(struct maui_crash_guard *guard, const char *dir);
void maui_crash_guard_close(struct maui_crash_guard *guard);
/* Writes the file into the new directory, after the old one was removed. */
void maui_crash_guard_move(struct maui_crash_guard *guard, const char *dir);

/* Call before and after each plan. */
void maui_crash_guard_enter(struct maui_crash_guard *guard, int64_t now_s);
void maui_crash_guard_leave(struct maui_crash_guard *guard);

/* Whether two deaths lie in the last ten minutes. */
bool maui_crash_guard_holds(const struct maui_crash_guard *guard, int64_t now_s);

#endif
