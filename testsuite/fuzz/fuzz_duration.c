/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_duration.c - any text is a time that reads back as printed, or refused with a reason
 *
 * The first 8 bytes are taken as a number of seconds to print, too.
 */
#include "base/duration.h"
#include "base/limits.h"
#include "fuzz.h"

static void check_parse(const char *text)
{
	struct maui_err err = { .text = "" };
	char buf[MAUI_DURATION_SIZE];
	int64_t seconds = -77, again;

	if (maui_duration_parse(text, &seconds, &err) < 0) {
		FUZZ_CHECK(seconds == -77);
		FUZZ_CHECK(err.text[0]);
		return;
	}
	FUZZ_CHECK(seconds >= -1 && seconds <= MAUI_TIME_INFINITY);
	maui_duration_format(seconds, buf, sizeof(buf));
	FUZZ_CHECK(maui_duration_parse(buf, &again, NULL) == 0);
	FUZZ_CHECK(again == seconds);
}

static void check_format(int64_t seconds)
{
	char full[2 * MAUI_DURATION_SIZE], buf[MAUI_DURATION_SIZE];

	maui_duration_format(seconds, full, sizeof(full));
	FUZZ_CHECK(strlen(full) < MAUI_DURATION_SIZE);
	/* any size is kept to */
	for (size_t size = 1; size <= sizeof(buf); size++) {
		maui_duration_format(seconds, buf, size);
		FUZZ_CHECK(strlen(buf) < size && !strncmp(buf, full, strlen(buf)));
	}
}

static void check_slurm(const char *text)
{
	char buf[MAUI_DURATION_SIZE];
	int64_t seconds = -77, again;

	if (maui_duration_parse_slurm(text, &seconds) < 0) {
		FUZZ_CHECK(seconds == -77);
		return;
	}
	FUZZ_CHECK(seconds > 0);
	/* squeue's times of an hour and more are Slurm's */
	maui_duration_as_squeue(seconds, buf, sizeof(buf));
	if (seconds >= 3600 && seconds < INT64_C(86400) * 1000000000)
		FUZZ_CHECK(maui_duration_parse_slurm(buf, &again) == 0 && again == seconds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	int64_t seconds = 0;

	check_parse(text);
	check_slurm(text);
	memcpy(&seconds, text, size < sizeof(seconds) ? size : sizeof(seconds));
	check_format(seconds);
	free(text);
	return 0;
}
