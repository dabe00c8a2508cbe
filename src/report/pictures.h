/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pictures.h - the pictures of a report: each is a function of the answer, appended as SVG
 *
 * `id` is unique in the page. Where there is nothing to show, a sentence says so.
 *
 * Rules: CMD-38.
 */
#ifndef MAUI_REPORT_PICTURES_H
#define MAUI_REPORT_PICTURES_H

#include "base/strbuf.h"
#include "verbs/report.h"

void maui_picture_schedule(struct maui_strbuf *out, const char *id,
			   const struct maui_report *report);
/* Priority by component of the first waiting jobs. */
void maui_picture_priority(struct maui_strbuf *out, const char *id,
			   const struct maui_report *report);
/* Usage of credentials against their targets. */
void maui_picture_fairshare(struct maui_strbuf *out, const char *id,
			    const struct maui_report *report);
/* How many jobs and processors are in which state. */
void maui_picture_queue(struct maui_strbuf *out, const char *id, const struct maui_report *report);
/* Processors and waiting jobs over the last day. */
void maui_picture_utilisation(struct maui_strbuf *out, const char *id,
			      const struct maui_report *report);
/* Waiting jobs by reason; nodes by reason for the first waiting jobs. */
void maui_picture_why(struct maui_strbuf *out, const char *id, const struct maui_report *report);

/* tables.c: processors and generic resources of each partition by state; how true estimates
 * were. */
void maui_table_free(struct maui_strbuf *out, const char *id, const struct maui_report *report);
void maui_table_estimates(struct maui_strbuf *out, const char *id,
			  const struct maui_report *report);

/* style.c: the patterns that the pictures use, and their style sheet. */
void maui_picture_patterns(struct maui_strbuf *out);
extern const char maui_picture_style[];

#endif
