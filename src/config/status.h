/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.h - which configuration is in force, and whether maui.cfg on the disk was refused
 *
 * In: what reading maui.cfg gave. Out: a value that never changes, shared by reference between
 * threads: slurmctld makes one whenever it reads maui.cfg, commands are answered from it.
 *
 * Rules: CFG-9, CMD-32.
 */
#ifndef MAUI_CONFIG_STATUS_H
#define MAUI_CONFIG_STATUS_H

#include "base/diag.h"
#include "config/config.h"

struct maui_config_status {
	struct maui_config *config; /* in force */
	char *path;                 /* of maui.cfg */
	int64_t read_s;             /* when `config` was read */
	/* `config` is the copy of the last good maui.cfg: the file was refused at the start */
	bool kept_copy;
	int64_t refused_s; /* maui.cfg is refused since then; 0: it is in force */
	/* how the file on the disk differs from what was read: changed, missing; NULL: not at all,
	 * or refused */
	char *unread;
	int64_t unread_s;           /* when that was first seen */
	struct maui_diags errors;   /* of the refused file */
	struct maui_diags warnings; /* of `config` */
	/* of `warnings`: the first of them, which are about maui.cfg alone; the others are about
	 * slurm.conf beside it, and are found again whenever either is read */
	size_t file_warnings;
	int64_t read_us; /* when slurmctld last read the file, good or not: changes with each look */
	unsigned refs;   /* atomic */
};

/* maui.cfg was accepted, or the kept copy of the last good one. The diagnostics are copied. NULL
 * without memory. */
struct maui_config_status *maui_config_status_accepted(struct maui_config *config, const char *path,
						       const struct maui_diags *diags,
						       int64_t now_s);

/* The same configuration is in force, and maui.cfg was refused with these diagnostics: since now,
 * or since it was first refused. NULL without memory. */
struct maui_config_status *maui_config_status_refused(const struct maui_config_status *before,
						      const char *path,
						      const struct maui_diags *diags,
						      int64_t now_s);

/* The same, and the file on the disk is not what was read: `unread` says how; NULL: it is again.
 * NULL without memory. */
struct maui_config_status *maui_config_status_unread(const struct maui_config_status *before,
						     const char *unread, int64_t now_s);

/* Both accept NULL. Any thread may call them. */
struct maui_config_status *maui_config_status_ref(struct maui_config_status *status);
void maui_config_status_unref(struct maui_config_status *status);

#endif
