/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle_log.h - the idle-time log: what reservations kept idle, as lines that a site can bill
 * from
 *
 * There is one file for each local month, <state>/idle.<YYYYMM>. Its lines have fields separated by
 * tabs; lines are only ever appended:
 *
 *   from until reservation day account owner reserved used idle
 *
 * from, until: seconds since the epoch. day: YYYYMMDD of the instance; 0: reservation without
 * periods. account: CHARGEACCOUNT, owner: KIND:name; "-": none. reserved, used (by jobs that the
 * reservation admits), idle: processor-seconds. Other jobs held what is missing from the sum.
 *
 * An instance gets a line when it ends, when another account or owner has to pay, and at the end of
 * each local day. After a crash of slurmctld a line may be there twice: of lines with the same
 * from, reservation and day the last one holds. After a crash of the machine a line may be cut off;
 * the whole line follows.
 *
 * Rules: RSV-24.
 */
#ifndef MAUI_STATE_IDLE_LOG_H
#define MAUI_STATE_IDLE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct maui_idle_log_line {
	int64_t from_s, until_s;
	const char *rsv;
	int32_t day;
	const char *account; /* NULL: none */
	const char *owner;   /* "ACCOUNT:jupiter"; NULL: none */
	double reserved, used, idle;
	bool written; /* set by maui_idle_log_append() */
};

/* Appends each line to the file of the month of its `until_s`. A new file gets mode 0600 and a
 * heading. Consecutive lines of one month are one write; when this returns they are on disk and
 * marked `written`. -1 with the first err: the lines that are not `written` are in no file. */
int maui_idle_log_append(const char *state_dir, struct maui_idle_log_line *lines, size_t count,
			 struct maui_err *err);

#endif
