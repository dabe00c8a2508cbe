/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks.h - the schedule of a report as block characters, for terminals
 *
 * In: an answer to the verb `report`. Out: lines of at most `width` columns: times, a line for each
 * group of nodes that do the same, what the characters mean. Names of nodes are shortened.
 *
 * Rules: CMD-39.
 */
#ifndef MAUI_CHART_BLOCKS_H
#define MAUI_CHART_BLOCKS_H

#include <stdbool.h>

#include "verbs/report.h"

struct maui_blocks_options {
	unsigned width;
	bool ascii; /* ASCII instead of block characters */
	bool bare;  /* the lines of nodes only */
};

/* The caller frees. */
char *maui_blocks_make(const struct maui_report *report, const struct maui_blocks_options *options);

#endif
