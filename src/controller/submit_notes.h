/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_notes.h - what an update asked for before slurm-maui changed its request
 *
 * slurmctld updates the records of an array one after the other by the same request. What was
 * changed in the request for one record must not reach the next one, so the request's own values
 * are noted in its submit_line, which means nothing in an update. A user who writes a note there
 * asks for what it says.
 */
#ifndef MAUI_CONTROLLER_SUBMIT_NOTES_H
#define MAUI_CONTROLLER_SUBMIT_NOTES_H

struct job_descriptor; /* of slurmctld */

enum maui_submit_note {
	MAUI_NOTE_RESERVATION,  /* names of ours, which are taken out */
	MAUI_NOTE_ADMINCOMMENT, /* to which our keys are added */
};

/* Notes a value, in the place of the one that was noted. */
void maui_submit_note(struct job_descriptor *job_desc, enum maui_submit_note kind,
		      const char *value);
/* The value that was noted, by xmalloc; NULL: none. */
char *maui_submit_noted(const struct job_descriptor *job_desc, enum maui_submit_note kind);

#endif
