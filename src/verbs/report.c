/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - the verb "report" */

#include "verbs/report.h"

MAUI_RECORD_TYPE(maui_report_args, MAUI_REPORT_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_report_rounded, MAUI_REPORT_ROUNDED_FIELDS);
MAUI_RECORD_TYPE(maui_report_item, MAUI_REPORT_ITEM_FIELDS);
MAUI_RECORD_TYPE(maui_report_box, MAUI_REPORT_BOX_FIELDS);
MAUI_RECORD_TYPE(maui_report_row, MAUI_REPORT_ROW_FIELDS);
MAUI_RECORD_TYPE(maui_report_schedule, MAUI_REPORT_SCHEDULE_FIELDS);
MAUI_RECORD_TYPE(maui_report_shares, MAUI_REPORT_SHARES_FIELDS);
MAUI_RECORD_TYPE(maui_report_span, MAUI_REPORT_SPAN_FIELDS);
MAUI_RECORD_TYPE(maui_report_period, MAUI_REPORT_PERIOD_FIELDS);
MAUI_RECORD_TYPE(maui_report_sum, MAUI_REPORT_SUM_FIELDS);
MAUI_RECORD_TYPE(maui_report_queue, MAUI_REPORT_QUEUE_FIELDS);
MAUI_RECORD_TYPE(maui_report_reason, MAUI_REPORT_REASON_FIELDS);
MAUI_RECORD_TYPE(maui_report_clip, MAUI_REPORT_CLIP_FIELDS);
MAUI_RECORD_TYPE(maui_report_besides, MAUI_REPORT_BESIDES_FIELDS);
MAUI_RECORD_TYPE(maui_report_waiting, MAUI_REPORT_WAITING_FIELDS);
MAUI_RECORD_TYPE(maui_report_why, MAUI_REPORT_WHY_FIELDS);
MAUI_RECORD_TYPE(maui_report_now, MAUI_REPORT_NOW_FIELDS);
MAUI_RECORD_TYPE(maui_report, MAUI_REPORT_FIELDS);

MAUI_VERB(report, NODES, &maui_report_args_type, &maui_report_type,
	  "the next hours on the nodes, usage, utilisation and the queue, for pictures");
