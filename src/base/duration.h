/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.h - Maui's time values: [[[DD:]HH:]MM:]SS, plain seconds, INFINITY
 *
 * Right aligned as the manual says: two fields are MM:SS. (Maui 3.x itself read them as HH:MM;
 * our ruling follows the manual.) Fields beyond the first may exceed their modulus: 90:00 is an
 * hour and a half. A leading '+' is accepted (commands write +<duration>).
 *
 * Rules: CFG-5.
 */
#ifndef MAUI_BASE_DURATION_H
#define MAUI_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Seconds, MAUI_TIME_INFINITY for INFINITY / INFINITE / UNLIMITED (any case), also for anything
 * above it. "-1" is -1: Maui's "no limit". Blanks, empty fields, other signs and junk: error. */
int maui_duration_parse(const char *text, int64_t *ret_s, struct maui_err *err);

/* As sbatch's --time and sacct have it: "30" (minutes), "30:00", "2:30:00", "1-12" (hours),
 * "1-12:30", "1-12:30:00"; INT64_MAX, which is MAUI_NEVER, for UNLIMITED and INFINITE. -1: none of
 * these, or 0. */
int maui_duration_parse_slurm(const char *text, int64_t *ret_s);
/* The same as MaxTime and DefaultTime of a partition: 0 is a time, too, and -1 is UNLIMITED. */
int maui_duration_parse_partition(const char *text, int64_t *ret_s);

/* "1:02:03:04", "3:04", "INFINITY", "-1": as in maui.cfg; shortest form that parses back to the
 * same, never fewer than two fields from 60 s on. buf of MAUI_DURATION_SIZE always suffices, here
 * and below. Returns buf. */
#define MAUI_DURATION_SIZE 32
char *maui_duration_format(int64_t seconds, char *buf, size_t size);

/* ---- as users see them; INT64_MAX, which is MAUI_NEVER, is a time without end ---- */

/* As Maui's commands: "00:05:00", "1:00:00", "1:00:00:00", "-2:56:14", "INFINITY". */
const char *maui_duration_as_maui(int64_t seconds, char *buf, size_t size);
/* As squeue: "0:08", "1:05:00", "2-03:00:00"; what is negative is 0. */
const char *maui_duration_as_squeue(int64_t seconds, char *buf, size_t size);
/* For lines: "30 s", "45 m", "2 h 05 m", "3 d 4 h". Of a time without end the number. */
const char *maui_duration_plain(int64_t seconds, char *buf, size_t size);
/* For sentences: "45 s", "45 min", "2 h 5 min", "2 h", "3 d 4 h", "3 d", "without end". */
const char *maui_duration_in_words(int64_t seconds, char *buf, size_t size);
/* Between two moments: "+00:05:00", "-23:00:00", "+1:00:00:00". */
const char *maui_duration_difference(int64_t seconds, char *buf, size_t size);

#endif
