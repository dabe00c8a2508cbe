/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.h - the verb "metrics": figures for a monitoring system, for maui metrics
 *
 * Families of samples, as Prometheus has them.
 *
 * Rules: CMD-48.
 */
#ifndef MAUI_VERBS_METRICS_H
#define MAUI_VERBS_METRICS_H

#include "verbs/verb.h"

#define MAUI_METRIC_SAMPLE_FIELDS(F, R)        \
	F(R, TEXT, suffix, "_sum; null: none") \
	F(R, LABELS, labels, "")               \
	F(R, REAL, value, "")
MAUI_RECORD(maui_metric_sample, MAUI_METRIC_SAMPLE_FIELDS);

#define MAUI_METRIC_FAMILY_FIELDS(F, R)                          \
	F(R, TEXT, name, "slurm_maui_jobs")                      \
	F(R, TEXT, type, "gauge, counter, histogram or summary") \
	F(R, TEXT, help, "a sentence")                           \
	F(R, LIST, samples, "", maui_metric_sample)
MAUI_RECORD(maui_metric_family, MAUI_METRIC_FAMILY_FIELDS);

#define MAUI_METRICS_FIELDS(F, R)      \
	F(R, TEXT, cluster, "")        \
	F(R, INT, time, "of the plan") \
	F(R, LIST, families, "", maui_metric_family)
MAUI_RECORD(maui_metrics, MAUI_METRICS_FIELDS);

MAUI_QUESTION(metrics, ALL, NULL, &maui_metrics_type, "figures for a monitoring system");

#endif
