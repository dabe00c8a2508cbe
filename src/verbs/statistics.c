/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - the verb "statistics" */

#include "verbs/statistics.h"

MAUI_RECORD_TYPE(maui_statistics_args, MAUI_STATISTICS_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_figures, MAUI_STATISTICS_FIGURES_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_credential, MAUI_STATISTICS_CREDENTIAL_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_kind, MAUI_STATISTICS_KIND_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_cell, MAUI_STATISTICS_CELL_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_span, MAUI_STATISTICS_SPAN_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_estimate, MAUI_STATISTICS_ESTIMATE_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_whole, MAUI_STATISTICS_WHOLE_FIELDS);
MAUI_RECORD_TYPE(maui_statistics_answer, MAUI_STATISTICS_ANSWER_FIELDS);

MAUI_VERB(statistics, ALL, &maui_statistics_args_type, &maui_statistics_answer_type,
	  "figures of jobs that ended");
