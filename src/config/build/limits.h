/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.h - what is special about throttling limits when settings are typed; for build.c */
#ifndef MAUI_CONFIG_BUILD_LIMITS_H
#define MAUI_CONFIG_BUILD_LIMITS_H

#include <stdbool.h>

#include "base/err.h"
#include "config/config.h"

/* MAXJOBPERUSERCOUNT and the like, with MAXJOBPERUSERPOLICY OFF: the count is without effect. */
bool maui_build_switched_off(const struct maui_config *config, const struct maui_setting *s);

/* A limit with a second dimension: MAXJOB[USER:steve], MAXJOBPERUSER. */
bool maui_build_is_pair(const struct maui_setting *s);

/* Of such a setting all but the limit; the name is borrowed from it. -1: no such second
 * dimension, or a limit that has none. */
int maui_build_pair(const struct maui_setting *s, struct maui_pair_limit *ret,
		    struct maui_err *err);

/* Limits that the object does not set from its kind's DEFAULT, each by itself (ruling e.5). */
void maui_build_inherit_limits(struct maui_cred_config *cred, const struct maui_cred_config *from);

#endif
