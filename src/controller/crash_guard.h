/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash_guard.h - an iteration that kills slurmctld twice is not tried a third time
 *
 * A few words in a file, written without a sync, since they have to survive the process and not the
 * machine: since when an iteration is under way, and when slurmctld died in one before. After two
 * deaths within ten minutes the next start plans and starts nothing until ten minutes have passed
 * since the last death, or the file is removed before a start. (Not mapped: the directory may be on
 * NFS, where a touched page can be a SIGBUS.)
 *
 * Rules: CMD-5.
 */
#ifndef MAUI_CONTROLLER_CRASH_GUARD_H
#define MAUI_CONTROLLER_CRASH_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct maui_crash_guard {
	int fd;              /* -1: no file, no guard */
	int64_t planning_s;  /* as it is in the file */
	int64_t deaths_s[2]; /* the last two, the newer one first; 0: none */
};

/* Opens <dir>/planning and notes a death when it finds a plan begun and not ended. Without the file
 * (no disk) there is no guard. */
void maui_crash_guard_open(struct maui_crash_guard *guard, const char *dir);
void maui_crash_guard_close(struct maui_crash_guard *guard);
/* The file was removed with its directory: another one with what is known. */
void maui_crash_guard_move(struct maui_crash_guard *guard, const char *dir);

/* Around each iteration. */
void maui_crash_guard_enter(struct maui_crash_guard *guard, int64_t now_s);
void maui_crash_guard_leave(struct maui_crash_guard *guard);

/* Whether two deaths lie in the last ten minutes. */
bool maui_crash_guard_holds(const struct maui_crash_guard *guard, int64_t now_s);

#endif
