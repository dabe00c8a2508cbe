/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.h - the second half of maui_config_parse(): typed values from settings */
#ifndef MAUI_CONFIG_BUILD_BUILD_H
#define MAUI_CONFIG_BUILD_BUILD_H

#include "config/config.h"

/* Fills the typed fields of the configuration from config->settings. `blank`: for tests, a
 * parameter to treat as not set: NAME (of a *CFG parameter: all its lines) or FAMILY.ATTR; NULL:
 * none. -1 only without memory. */
int maui_config_build(struct maui_config *config, const char *blank, struct maui_diags *diags);

/* Frees the typed fields. */
void maui_config_build_finish(struct maui_config *config);

#endif
