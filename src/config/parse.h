/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.h - the lines of a maui.cfg as settings, nothing typed yet
 *
 * Part of config.c's work: looks names up in the schema, resolves older spellings, splits *CFG
 * lines into attributes, and reports faults of form (CFG-1, CFG-8); files.c follows #INCLUDE.
 */
#ifndef MAUI_CONFIG_PARSE_H
#define MAUI_CONFIG_PARSE_H

#include "config/config.h"

/* Reads the file and those it includes into config->settings, ->files and ->text (files.c). -1
 * only without memory. */
int maui_config_read_settings(struct maui_config *config, const char *path, const char *text,
			      size_t length, struct maui_diags *diags);

/* The lines of one file, one of config->files, into config->settings; #INCLUDE lines are comments
 * here. -1 only without memory. */
int maui_config_parse_text(struct maui_config *config, const char *file, const char *text,
			   size_t length, struct maui_diags *diags);

/* Line and column of a byte of a setting's value; with SIZE_MAX, or where the byte's place is not
 * known, those of its attribute. */
void maui_setting_place(const struct maui_setting *s, size_t offset, uint32_t *ret_line,
			uint32_t *ret_column);

#endif
