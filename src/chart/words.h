/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - sentences and labels of pictures: what an item is, until when, moments of an axis */
#ifndef MAUI_CHART_WORDS_H
#define MAUI_CHART_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verbs/report.h"

enum { MAUI_WORDS_SIZE = 1600 };

/* The kind, if it is known, as the class of an element: never a text of the answer. */
const char *maui_words_class(const char *kind);

/* "job reservation" for "reserved": what a legend says. */
const char *maui_words_kind(const char *kind);

/* From the longest to the shortest: "17 amy, 4 nodes until 15:00", "17 amy", "17". */
void maui_words_labels(const struct maui_report_item *item, int64_t now_s,
		       char words[3][MAUI_WORDS_SIZE]);

/* Everything about an item. `rounded`: it stands for all items of its kind. */
void maui_words_title(const struct maui_report_item *item, int64_t now_s, bool rounded, char *text);

/* What a picture of this schedule shows. */
void maui_words_schedule(const struct maui_report_schedule *schedule, char *text);

/* Moments of an axis, at whole hours or days of local time; ten at most. */
struct maui_ticks {
	int64_t next_s, until_s, step_s;
};
struct maui_ticks maui_ticks_make(int64_t now_s, int64_t horizon_s);
bool maui_ticks_next(struct maui_ticks *ticks, int64_t *ret_at, char *text, size_t size);

#endif
