/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - a file of results that appears when it is complete, or the standard output */
#ifndef MAUI_SIM_OUTPUT_H
#define MAUI_SIM_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

struct maui_sim_output_file {
	const char *path; /* "-": the standard output */
	FILE *out;        /* NULL: not open */
	char *text;       /* of a file, until it is published */
	size_t length;
};

void maui_sim_output_open(struct maui_sim_output_file *file, const char *path);
/* Publishes what was written. */
int maui_sim_output_close(struct maui_sim_output_file *file, struct maui_err *err);
/* Forgets what was written, unless it was to the standard output. A zeroed struct is fine. */
void maui_sim_output_discard(struct maui_sim_output_file *file);

#endif
