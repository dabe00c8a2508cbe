/* SPDX-License-Identifier: GPL-2.0-or-later */
/* detach.h - what maui detach removes in addition to reservations */
#ifndef MAUI_CMD_DETACH_H
#define MAUI_CMD_DETACH_H

#include <stdbool.h>

/* Takes the keys of job_submit/maui ("maui:qos=high", "maui:advres=biz") out of the AdminComment of
 * jobs that wait or run, and leaves the rest of the comment. -1: not all; an error is printed. */
int maui_detach_comments(const char *tool, bool dry_run);

/* What goes out of the state of slurm-maui. */
struct maui_detach_from_state {
	bool rsvs; /* administrative reservations, which else are named: they come back */
	bool keys; /* what the keys of jobs said: QOS and reservation */
};

/* Changes the file `path`, the state that sched/maui reads when it runs again. -1: an error is
 * printed. */
int maui_detach_state(const char *tool, const char *path, struct maui_detach_from_state what,
		      bool dry_run);

#endif
