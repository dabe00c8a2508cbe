/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - the verb "queue" */

#include "verbs/queue.h"

MAUI_RECORD_TYPE(maui_queue_args, MAUI_QUEUE_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_queue_active, MAUI_QUEUE_ACTIVE_FIELDS);
MAUI_RECORD_TYPE(maui_queue_waiting, MAUI_QUEUE_WAITING_FIELDS);
MAUI_RECORD_TYPE(maui_queue_totals, MAUI_QUEUE_TOTALS_FIELDS);
MAUI_RECORD_TYPE(maui_queue_kept, MAUI_QUEUE_KEPT_FIELDS);
MAUI_RECORD_TYPE(maui_queue, MAUI_QUEUE_FIELDS);

MAUI_VERB(queue, ALL, &maui_queue_args_type, &maui_queue_type, "active, idle and blocked jobs");
