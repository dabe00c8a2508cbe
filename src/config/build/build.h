/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.h - the second half of maui_config_parse(): typed values from settings */
#ifndef MAUI_CONFIG_BUILD_BUILD_H
#define MAUI_CONFIG_BUILD_BUILD_H

#include "config/config.h"

/* Fills the typed fields of the configuration from config->settings. `blank`: for tests, a
 * parameter to treat as not set: NAME (of a *CFG parameter: all its lines) or FAMILY.ATTR; NULL:
 * none. -1 only without memory. */
int maui_config_build(struct maui_config *config, const char *blank, struct maui_diags *diags);

/* An empty reservation with the defaults of the schema. */
void maui_config_default_rsv(struct maui_rsv *ret);
/* Removes an attribute of SRCFG that a reservation of setres may have: `in_setres`. */
void maui_config_clear_rsv(struct maui_rsv *rsv, const struct maui_param *attr);
/* Sets such attributes, or PERIOD. Access lists and triggers are added. */
void maui_config_set_rsv(struct maui_rsv *rsv, const struct maui_setting *settings, size_t count,
			 struct maui_diags *diags);
/* Whether further lines for the same attribute add to it: access lists and triggers. */
bool maui_config_rsv_appends(const struct maui_param *attr);

/* Frees the typed fields. */
void maui_config_build_finish(struct maui_config *config);

#endif
