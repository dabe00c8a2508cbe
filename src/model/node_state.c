/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_state.c - the words for the state of a node */

#include "model/node_state.h"

#include <stddef.h>

const char *const maui_node_state_words[MAUI_NODE_STATES + 1] = {
	[MAUI_NODE_IDLE] = "Idle",       [MAUI_NODE_RUNNING] = "Running",
	[MAUI_NODE_BUSY] = "Busy",       [MAUI_NODE_DRAINING] = "Draining",
	[MAUI_NODE_DRAINED] = "Drained", [MAUI_NODE_DOWN] = "Down",
	[MAUI_NODE_UNKNOWN] = "Unknown", [MAUI_NODE_STATES] = NULL,
};
