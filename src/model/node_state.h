/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_state.h - the state of a node, in Maui's words */
#ifndef MAUI_MODEL_NODE_STATE_H
#define MAUI_MODEL_NODE_STATE_H

enum maui_node_state {
	MAUI_NODE_IDLE,
	MAUI_NODE_RUNNING,  /* jobs hold part of it */
	MAUI_NODE_BUSY,     /* no processor is free, or the last job is being cleaned up */
	MAUI_NODE_DRAINING, /* drained, and jobs still run */
	MAUI_NODE_DRAINED,
	MAUI_NODE_DOWN,
	MAUI_NODE_UNKNOWN, /* no answer yet */
	MAUI_NODE_STATES
};

/* "Idle", ...; NULL behind the last. */
extern const char *const maui_node_state_words[MAUI_NODE_STATES + 1];

#endif
