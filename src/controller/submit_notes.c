/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_notes.c - what an update asked for before slurm-maui changed its request
 *
 * A line for each note; the comment, which may have several lines, is the last one.
 */

#include "slurm/compat.h"

#include "controller/submit_notes.h"

#include <string.h>

static const char reservation[] = "maui:reservation=", comment[] = "maui:admincomment=";

static bool begins_with(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static char *noted_reservation(const char *line)
{
	const char *value = line + strlen(reservation);

	return begins_with(line, reservation) ? xstrndup(value, strcspn(value, "\n")) : NULL;
}

static char *noted_comment(const char *line)
{
	if (begins_with(line, reservation)) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return begins_with(line, comment) ? xstrdup(line + strlen(comment)) : NULL;
}

char *maui_submit_noted(const struct job_descriptor *job_desc, enum maui_submit_note kind)
{
	if (!job_desc->submit_line)
		return NULL;
	return kind == MAUI_NOTE_RESERVATION ? noted_reservation(job_desc->submit_line) :
					       noted_comment(job_desc->submit_line);
}

void maui_submit_note(struct job_descriptor *job_desc, enum maui_submit_note kind,
		      const char *value)
{
	char *notes[] = {
		[MAUI_NOTE_RESERVATION] = maui_submit_noted(job_desc, MAUI_NOTE_RESERVATION),
		[MAUI_NOTE_ADMINCOMMENT] = maui_submit_noted(job_desc, MAUI_NOTE_ADMINCOMMENT),
	};
	char *line = NULL;

	xfree(notes[kind]);
	notes[kind] = xstrdup(value);
	if (notes[MAUI_NOTE_RESERVATION])
		xstrfmtcat(line, "%s%s\n", reservation, notes[MAUI_NOTE_RESERVATION]);
	if (notes[MAUI_NOTE_ADMINCOMMENT])
		xstrfmtcat(line, "%s%s", comment, notes[MAUI_NOTE_ADMINCOMMENT]);
	xfree(notes[MAUI_NOTE_RESERVATION]);
	xfree(notes[MAUI_NOTE_ADMINCOMMENT]);
	xfree(job_desc->submit_line);
	job_desc->submit_line = line;
}
