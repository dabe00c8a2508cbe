/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - a Criterion test for each row of a table, and what it says of a text that differs
 *
 *	static const struct row rows[] = {{"name", ...}, ...};
 *	TEST_ROWS(suite, test, rows, row)
 *	{
 *		cr_expect(..., "%s: ...", row->name, ...);
 *	}
 *
 * Rows of a parameterised test share one name in the report: put row->name into each message.
 * What goes to the test's process is the number of the row: pointers in a row stay good.
 */
#ifndef MAUI_TESTSUITE_ROWS_H
#define MAUI_TESTSUITE_ROWS_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stddef.h>
#include <string.h>

#define EXPECT_TEXT(name, got, want) \
	cr_expect(strcmp(got, want) == 0, "%s: got '%s', expected '%s'", name, got, want)

#define TEST_ROWS(suite, test, rows, row)                                                       \
	static void suite##_##test##_row(const __typeof__((rows)[0]) *row);                     \
	ParameterizedTestParameters(suite, test)                                                \
	{                                                                                       \
		static size_t number[sizeof(rows) / sizeof((rows)[0])];                         \
                                                                                                \
		for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++)                 \
			number[i] = i;                                                          \
		return cr_make_param_array(size_t, number, sizeof(number) / sizeof(number[0])); \
	}                                                                                       \
	ParameterizedTest(const size_t *number, suite, test)                                    \
	{                                                                                       \
		suite##_##test##_row(&(rows)[*number]);                                         \
	}                                                                                       \
	static void suite##_##test##_row(const __typeof__((rows)[0]) *row)

#endif
