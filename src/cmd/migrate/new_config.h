/* SPDX-License-Identifier: GPL-2.0-or-later */
/* new_config.h - a maui.cfg of Maui as slurm-maui should have it
 *
 * In: the old file with everything that it includes, as one text. Out: the same lines; a line
 * without any effect under Slurm, or with an error, is a comment that says why. So the new file
 * can be put in force, and nothing of the old one is lost.
 *
 * Rules: CMD-20.
 */
#ifndef MAUI_CMD_MIGRATE_NEW_CONFIG_H
#define MAUI_CMD_MIGRATE_NEW_CONFIG_H

#include "base/strbuf.h"
#include "config/config.h"

/* Appends the new file to `out`; check out->failed. `old` is a configuration with its faults
 * (keep_faulty). Returns how many errors the new file still has; -1 without memory. */
int maui_new_config(const struct maui_config *old, struct maui_strbuf *out);

#endif
