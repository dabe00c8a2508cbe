/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reading.h - reads maui.cfg and the files that it includes, while the caller goes on
 *
 * The file system of maui.cfg may hang. After its start slurmctld reads the files by an errand
 * only: begin one, look with maui_errand_is_over() whether it has ended, and get its result with
 * maui_errand_end().
 *
 * Rules: CFG-9.
 */
#ifndef MAUI_CONFIG_READING_H
#define MAUI_CONFIG_READING_H

#include "base/diag.h"
#include "base/errand.h"
#include "base/err.h"
#include "config/config.h"

/* What the files give. */
struct maui_config_reading {
	struct maui_config *config; /* NULL: not accepted */
	struct maui_diags diags;
	char *path, *scheduler_type; /* to be read, and for the checks */
};

/* maui_config_load() with require_settings, at once: at a start, when nothing else can be done. */
void maui_config_read(struct maui_config_reading *reading);

/* The same by an errand, whose work is a struct maui_config_reading. NULL: no thread or memory. */
struct maui_errand *maui_config_reading_begin(const char *path, const char *scheduler_type);
/* Frees what maui_errand_end() gave. NULL is fine. */
void maui_config_reading_destroy(struct maui_config_reading *reading);

/* How the files of a configuration differ from what was read. */
struct maui_config_comparison {
	struct maui_config *config; /* whose files are read */
	bool changed;
	struct maui_err how; /* set when changed */
};

/* maui_config_has_changed(). Its work: struct maui_config_comparison. NULL: no thread or memory. */
struct maui_errand *maui_config_comparison_begin(struct maui_config *config);
/* Frees what maui_errand_end() gave. NULL is fine. */
void maui_config_comparison_destroy(struct maui_config_comparison *comparison);

#endif
