/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_row.h - one row of `sacct -P` as a job, for sacct.c */
#ifndef MAUI_SIM_SACCT_ROW_H
#define MAUI_SIM_SACCT_ROW_H

#include "sim/trace.h"

enum maui_sacct_field {
	MAUI_SACCT_JOBID,
	MAUI_SACCT_JOBIDRAW,
	MAUI_SACCT_USER,
	MAUI_SACCT_GROUP,
	MAUI_SACCT_ACCOUNT,
	MAUI_SACCT_PARTITION,
	MAUI_SACCT_QOS,
	MAUI_SACCT_SUBMIT,
	MAUI_SACCT_START,
	MAUI_SACCT_END,
	MAUI_SACCT_TIMELIMIT,
	MAUI_SACCT_REQCPUS,
	MAUI_SACCT_ALLOCCPUS,
	MAUI_SACCT_NNODES,
	MAUI_SACCT_REQMEM,
	MAUI_SACCT_REQTRES,
	MAUI_SACCT_ALLOCTRES,
	MAUI_SACCT_STATE,
	MAUI_SACCT_JOBNAME,
	MAUI_SACCT_FIELDS
};

enum { MAUI_SACCT_MOST_COLUMNS = 256, MAUI_SACCT_WHY = 160 };

struct maui_sacct_columns {
	int of[MAUI_SACCT_FIELDS]; /* column of each field; -1: missing */
	int count;
	bool bar; /* the head ends in `|`, as sacct -p prints it: rows may, too */
	/* the only column in which users write what they like, and so `|`; -1: none, or several */
	int free_text;
};

struct maui_sacct_row {
	const struct maui_sacct_columns *columns;
	char *values[MAUI_SACCT_MOST_COLUMNS];
	char why[MAUI_SACCT_WHY]; /* what is wrong with it */
};

/* Reads the line of field names, which it changes. */
int maui_sacct_head(char *line, struct maui_sacct_columns *ret, const char *path,
		    struct maui_err *err);

/* Cuts a line into the row's fields. -1 with `why`: it has another number of fields. */
int maui_sacct_split(char *line, struct maui_sacct_row *row);
/* The value of a field; "" when the field is missing. */
const char *maui_sacct_value(const struct maui_sacct_row *row, enum maui_sacct_field field);
/* Reads the job of a row; run_s is 0 of a job that did not run. -1 with `why`. *ret_start_s gets
 * the begin of its run, -1: none. */
int maui_sacct_job(struct maui_sim_trace *trace, struct maui_sacct_row *row,
		   struct maui_sim_job *ret, int64_t *ret_start_s);

#endif
