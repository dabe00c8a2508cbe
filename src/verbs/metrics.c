/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.c - the verb "metrics" */

#include "verbs/metrics.h"

MAUI_RECORD_TYPE(maui_metric_sample, MAUI_METRIC_SAMPLE_FIELDS);
MAUI_RECORD_TYPE(maui_metric_family, MAUI_METRIC_FAMILY_FIELDS);
MAUI_RECORD_TYPE(maui_metrics, MAUI_METRICS_FIELDS);

MAUI_VERB(metrics, ALL, NULL, &maui_metrics_type, "figures for a monitoring system");
