/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv.c - a reservation */

#include "verbs/rsv.h"

MAUI_RECORD_TYPE(maui_rsv_nodes, MAUI_RSV_NODES_FIELDS);
MAUI_RECORD_TYPE(maui_rsv_job, MAUI_RSV_JOB_FIELDS);
MAUI_RECORD_TYPE(maui_rsv_ours, MAUI_RSV_OURS_FIELDS);
MAUI_RECORD_TYPE(maui_rsv_row, MAUI_RSV_ROW_FIELDS);
