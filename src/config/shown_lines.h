/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shown_lines.h - a maui.cfg without the lines that the user may not see
 *
 * In: a configuration, and who decides about a setting. Out: the other lines, without comments, as
 * one text that means the same to maui_config_parse().
 *
 * Rules: CMD-35.
 */
#ifndef MAUI_CONFIG_SHOWN_LINES_H
#define MAUI_CONFIG_SHOWN_LINES_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "config/config.h"

typedef bool (*maui_config_line_fn)(const struct maui_setting *setting, void *arg);

/* Appends the lines all of whose settings are shown. Lines that set nothing are left out. -1
 * without memory. */
int maui_config_shown_lines(const struct maui_config *config, maui_config_line_fn shows, void *arg,
			    struct maui_strbuf *out);

#endif
