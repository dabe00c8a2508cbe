/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.h - SRCFG[name] lines into reservations, for build.c and config.c only */
#ifndef MAUI_CONFIG_BUILD_RESERVATION_H
#define MAUI_CONFIG_BUILD_RESERVATION_H

#include "config/config.h"

/* Whether a further line for the same attribute adds to it: access lists and triggers. */
bool maui_build_rsv_appends(const struct maui_param *attr);

/* Fills config->rsvs out of the settings, once those that a later line replaces are marked. -1 only
 * without memory. */
int maui_build_rsvs(struct maui_config *config, struct maui_diags *diags);
void maui_build_rsvs_finish(struct maui_config *config);

#endif
