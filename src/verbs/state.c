/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - the verb "state" */

#include "verbs/state.h"

MAUI_RECORD_TYPE(maui_state_health, MAUI_STATE_HEALTH_FIELDS);
MAUI_RECORD_TYPE(maui_state_scheduler, MAUI_STATE_SCHEDULER_FIELDS);
MAUI_RECORD_TYPE(maui_state_job, MAUI_STATE_JOB_FIELDS);
MAUI_RECORD_TYPE(maui_state_node, MAUI_STATE_NODE_FIELDS);
MAUI_RECORD_TYPE(maui_state, MAUI_STATE_FIELDS);

MAUI_VERB(state, ALL, NULL, &maui_state_type,
	  "the scheduler, active jobs on their nodes, and what is wrong");
