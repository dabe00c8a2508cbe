/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.h - the lines of a maui.cfg as untyped settings
 *
 * The first half of maui_config_parse(): finds names in the schema, resolves older spellings,
 * splits *CFG lines into attributes and reports syntax errors (CFG-1, CFG-8). files.c follows
 * #INCLUDE.
 */
#ifndef MAUI_CONFIG_PARSE_H
#define MAUI_CONFIG_PARSE_H

#include "config/config.h"

/* Reads the file and its included files into config->settings, ->files and ->text (files.c). -1
 * only without memory. */
int maui_config_read_settings(struct maui_config *config, const char *path, const char *text,
			      size_t length, struct maui_diags *diags);

/* Adds lines as if they were a further file of this name. -1 only without memory. `is_file`: else
 * nobody can look up a position in them, and their settings have line and column 0. */
int maui_config_add_lines(struct maui_config *config, const char *name, const char *text,
			  size_t length, bool is_file, struct maui_diags *diags);
/* The lines of all files of another configuration. -1 only without memory. */
int maui_config_copy_lines(struct maui_config *config, const struct maui_config *from,
			   struct maui_diags *diags);

/* Adds the lines of one file, an element of config->files, to config->settings. #INCLUDE lines are
 * comments here. -1 only without memory. */
int maui_config_parse_text(struct maui_config *config, const char *file, const char *text,
			   size_t length, bool is_file, struct maui_diags *diags);

/* Line and column of a byte of a setting's value. With SIZE_MAX, or if the position of the byte is
 * not known, line and column of the attribute. */
void maui_setting_place(const struct maui_setting *s, size_t offset, uint32_t *ret_line,
			uint32_t *ret_column);

#endif
