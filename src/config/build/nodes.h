/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.h - NODECFG[name] PRIORITY, for build.c and config.c only */
#ifndef MAUI_CONFIG_BUILD_NODES_H
#define MAUI_CONFIG_BUILD_NODES_H

#include "config/config.h"

/* Out of the settings, once those that a later line replaces are marked. -1 without memory. */
int maui_build_nodes(struct maui_config *config);
void maui_build_nodes_finish(struct maui_config *config);

#endif
