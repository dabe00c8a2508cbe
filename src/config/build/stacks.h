/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stacks.h - RESERVATIONDEPTH[n] and RESERVATIONQOSLIST[n], for build.c and config.c only */
#ifndef MAUI_CONFIG_BUILD_STACKS_H
#define MAUI_CONFIG_BUILD_STACKS_H

#include "config/config.h"

/* Makes stack 0, which is always there, with depth 1. -1 without memory. */
int maui_build_stacks_init(struct maui_config *config);

/* The stack that a setting's index names, made when it is new, with depth 0; a setting without
 * index means stack 0. NULL: no number, which is said, or no memory. */
struct maui_stack_config *maui_build_stack(struct maui_config *config,
					   const struct maui_setting *setting,
					   struct maui_diags *diags);

/* By number: the first stack that matches a job is its own. */
void maui_build_stacks_sort(struct maui_config *config);
void maui_build_stacks_finish(struct maui_config *config);

#endif
