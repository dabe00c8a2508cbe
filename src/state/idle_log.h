/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle_log.h - what reservations kept idle, as lines that a site can bill from
 *
 * <state>/idle.<YYYYMM>, a file a local month, lines of tab separated fields, only ever added to:
 *
 *   from until reservation day account owner reserved used idle
 *
 * from, until: seconds of the epoch. day: YYYYMMDD of the instance, 0 of one without periods.
 * account: CHARGEACCOUNT, owner: KIND:name; "-" where there is none. reserved, used (by jobs that
 * the reservation lets in), idle: processor-seconds; what is missing from the sum was held by
 * others. An instance has a line when it ends, when another account or owner is to pay, and one for
 * each local day of its life. After a crash of slurmctld a line may be there twice: those with the
 * same from, reservation and day are one, the last holds. The machine's crash may cut a line off:
 * it is there again, whole.
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

/* Adds lines, each to the file of the month of its `until_s`, which is made with mode 0600 and a
 * line of names. Neighbours of one month are one write, and are on disk when it returns: then they
 * are `written`. -1 with the first err: of those that are not, nothing is in the file. */
int maui_idle_log_append(const char *state_dir, struct maui_idle_log_line *lines, size_t count,
			 struct maui_err *err);

#endif
