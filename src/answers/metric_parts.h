/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_parts.h - families of the answer "metrics" that have a file of their own
 *
 * Each looks at the document of the families' question, which has a plan.
 */
#ifndef MAUI_ANSWERS_METRIC_PARTS_H
#define MAUI_ANSWERS_METRIC_PARTS_H

#include "answers/metric_families.h"

/* How long jobs waited, how long those that wait are expected to, and how true estimates were. */
void maui_metrics_waits(struct maui_metric_families *families);

#endif
