/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lint-cppcheck.h - macros that cppcheck needs when it reads the tests
 *
 * cppcheck reads no header of the system. These stand for Criterion's macros, which begin a
 * function, and for json-c's loop, so that what follows them is read as C.
 */
#define Test(suite, name, ...) void test_##suite##_##name(void)
#define TestSuite(...)
#define ParameterizedTestParameters(suite, name) void rows_##suite##_##name(void)
#define ParameterizedTest(row, suite, name, ...) void each_##suite##_##name(row)
#define json_object_object_foreach(object, key, value) \
	struct json_object *value;                     \
	for (const char *key = next_key(object, &value); key; key = next_key(object, &value))
