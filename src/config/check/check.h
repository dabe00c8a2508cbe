/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.h - what a well-formed maui.cfg still gets wrong */
#ifndef MAUI_CONFIG_CHECK_CHECK_H
#define MAUI_CONFIG_CHECK_CHECK_H

#include "config/config.h"

/* Adds a diagnostic for every parameter that is not honoured as it stands (once each, at its first
 * line), for targets and priorities without a weight, names that are nobody's, times that Maui read
 * otherwise, and what is in vain without sched/maui. Warnings all of them but two: a file without
 * any setting, where the context requires some, and a SRCFG that reserves nothing. context may be
 * NULL. */
void maui_config_check(const struct maui_config *config, const struct maui_config_context *context,
		       struct maui_diags *diags);

#endif
