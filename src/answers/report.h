/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - answers "report": what the pictures of `maui report` and `showres -g` show
 *
 * Rows, boxes and jobs are bounded (base/limits.h), so that a page stays readable.
 *
 * Rules: CMD-37.
 */
#ifndef MAUI_ANSWERS_REPORT_H
#define MAUI_ANSWERS_REPORT_H

#include "answers/question.h"
#include "verbs/report.h"

enum { MAUI_REPORT_HORIZON_S = 24 * 3600 };

#endif
