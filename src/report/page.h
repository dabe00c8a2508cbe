/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.h - the page of `maui report`: one HTML file with its pictures inside
 *
 * In: answers to the verb `report` (verbs/report.h), of slurmctld or of maui-sim. Out: HTML that is
 * well-formed XML, too, without a script and without any other file. Every text of an answer is
 * escaped.
 *
 * Rules: CMD-38.
 */
#ifndef MAUI_REPORT_PAGE_H
#define MAUI_REPORT_PAGE_H

#include <stddef.h>

#include "verbs/report.h"

/* One run, or two runs side by side. */
struct maui_page_run {
	const struct maui_report *report; /* borrowed */
	const char *title;                /* NULL: the cluster's name */
};

struct maui_page {
	const struct maui_page_run *runs;
	size_t run_count;
	int refresh_s; /* browsers load the page again; 0: they do not */
};

/* The caller frees. *ret_length: without the NUL. */
char *maui_page_make(const struct maui_page *page, size_t *ret_length);

#endif
