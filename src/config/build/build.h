/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.h - typed values out of settings: the second half of maui_config_parse() */
#ifndef MAUI_CONFIG_BUILD_BUILD_H
#define MAUI_CONFIG_BUILD_BUILD_H

#include "config/config.h"
#include "config/value.h"

/* Fills everything typed from config->settings. `blank`: a parameter to treat as if it stood
 * nowhere, for tests: NAME (of a *CFG parameter: all its lines) or FAMILY.ATTR; NULL: none.
 * -1 only without memory. */
int maui_config_build(struct maui_config *config, const char *blank, struct maui_diags *diags);

/* Says what became of a setting's value: an error when it is bad and somebody would read it. Of a
 * list of words each that was passed over, at its place; _at: of what stands at a byte of it,
 * SIZE_MAX: of it all. */
void maui_build_say_at(const struct maui_setting *s, size_t offset, enum maui_value_result result,
		       const struct maui_err *err, struct maui_diags *diags);
void maui_build_say(const struct maui_setting *s, enum maui_value_result result,
		    const struct maui_err *err, struct maui_diags *diags);

/* Fills the slots of a finished list, for maui_config_cred(). -1 only without memory. */
int maui_config_index_creds(struct maui_creds *creds);

#endif
