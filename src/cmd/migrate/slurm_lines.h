/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_lines.h - what a line of Maui's maui.cfg becomes in slurm.conf or in slurmdbd
 *
 * In: a setting of a parameter that belongs to slurm.conf. Out: the line of slurm.conf, or the
 * sacctmgr command, that has the same effect.
 *
 * Rules: CMD-20.
 */
#ifndef MAUI_CMD_MIGRATE_SLURM_LINES_H
#define MAUI_CMD_MIGRATE_SLURM_LINES_H

#include "config/config.h"

enum maui_slurm_line_kind {
	MAUI_SLURM_LINE_CONF,    /* a line of slurm.conf: "MinJobAge=600" */
	MAUI_SLURM_LINE_PART,    /* to add to a line: "PartitionName=batch OverTimeLimit=5" */
	MAUI_SLURM_LINE_COMMAND, /* "sacctmgr ..." */
};

/* The line or command, which the caller frees; a comment that says what to write if slurm.conf
 * cannot have Maui's nodes. NULL: nothing that can be written for the administrator, the schema's
 * note says where to look; or no memory. */
char *maui_slurm_line(const struct maui_setting *setting, enum maui_slurm_line_kind *ret_kind);

#endif
