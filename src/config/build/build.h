/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.h - typed values out of settings: the second half of maui_config_parse() */
#ifndef MAUI_CONFIG_BUILD_BUILD_H
#define MAUI_CONFIG_BUILD_BUILD_H

#include "config/config.h"

/* Fills everything typed from config->settings. `blank`: a parameter to treat as if it stood
 * nowhere, for tests: NAME (of a *CFG parameter: all its lines) or FAMILY.ATTR; NULL: none.
 * -1 only without memory. */
int maui_config_build(struct maui_config *config, const char *blank, struct maui_diags *diags);

/* Frees everything typed. */
void maui_config_build_finish(struct maui_config *config);

#endif
