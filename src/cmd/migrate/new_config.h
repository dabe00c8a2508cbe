/* SPDX-License-Identifier: GPL-2.0-or-later */
/* new_config.h - a maui.cfg of Maui as slurm-maui should have it
 *
 * In: the old file with everything that it includes, as one text. Out: the same lines; a line
 * without any effect under Slurm, or with an error, is a comment that says why. So the new file
 * can be put in force, and nothing of the old one is lost. A time of two fields gets a third one,
 * ":00" behind it, since Maui 3.x read hours and minutes, or "0:" before it in a file of Moab's,
 * whose reference says [[[DD:]HH:]MM:]SS.
 *
 * Rules: CMD-20.
 */
#ifndef MAUI_CMD_MIGRATE_NEW_CONFIG_H
#define MAUI_CMD_MIGRATE_NEW_CONFIG_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "config/config.h"

/* Appends the new file to `out`; `old` is a configuration with its faults
 * (keep_faulty). Returns how many errors the new file still has. */
int maui_new_config(const struct maui_config *old, bool of_moab, struct maui_strbuf *out);

/* Appends a text of the setting's value as the new file has it. Whether it differs. */
bool maui_new_value(const struct maui_setting *s, const char *text, size_t length, bool of_moab,
		    struct maui_strbuf *out);

/* Whether a warning says that the whole setting is ignored. */
bool maui_setting_is_ignored(const struct maui_diags *diags, const struct maui_setting *s);

#endif
