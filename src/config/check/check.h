/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.h - mistakes in a maui.cfg that parses without an error */
#ifndef MAUI_CONFIG_CHECK_CHECK_H
#define MAUI_CONFIG_CHECK_CHECK_H

#include "config/config.h"

/* Adds diagnostics: for every parameter that is not honoured as Maui does (once each, at its first
 * line), for targets and priorities without a weight, names that no object has, times that Maui
 * read differently, and settings without effect unless sched/maui runs. Two of them are errors: a
 * file without any setting, where the context requires some, and a SRCFG that reserves nothing. All
 * others are warnings. context may be NULL. */
void maui_config_check(const struct maui_config *config, const struct maui_config_context *context,
		       struct maui_diags *diags);

/* The checks of single reservations, for attributes that come from elsewhere than a file. */
void maui_config_check_attributes(const struct maui_config *config, struct maui_diags *diags);

/* Whether the text, the setting's value, has a time of two fields from *ret_at on, and then where.
 * To Maui 3.x these are hours and minutes, here minutes and seconds (CFG-5). */
bool maui_config_two_fields(const struct maui_setting *s, const char *text, size_t length,
			    size_t *ret_at, size_t *ret_length);

#endif
