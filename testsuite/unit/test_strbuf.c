/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_strbuf.c - growing texts, growing arrays and error texts */
#include "base/strbuf.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "rows.h"

/* Under ASan malloc() aborts on such sizes unless it is told to fail. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

Test(strbuf, grows_through_every_size)
{
	struct maui_strbuf buf = { 0 };

	for (size_t i = 0; i < 5000; i++) {
		maui_strbuf_add(&buf, &"abcdefghij"[i % 10], 1);
		cr_assert(buf.length == i + 1 && strlen(buf.text) == i + 1, "at %zu", i);
	}
	for (size_t i = 0; i < 5000; i++)
		cr_assert(buf.text[i] == (char)('a' + i % 10), "byte %zu changed", i);
	maui_strbuf_finish(&buf);
	cr_expect(!buf.text && !buf.length, "not empty after finish");
}

Test(strbuf, addf_of_more_than_fits)
{
	struct maui_strbuf buf = { 0 };

	maui_strbuf_addf(&buf, "%s", "");
	cr_expect(buf.text && !*buf.text, "nothing appended is a text too");
	maui_strbuf_addf(&buf, "%0*d|", 1000, 7);
	maui_strbuf_addf(&buf, "%s %d%%", "x", 5);
	cr_expect(buf.length == 1005, "length %zu", buf.length);
	cr_expect(!strcmp(buf.text + 999, "7|x 5%"), "got '%s'", buf.text + 999);
	maui_strbuf_finish(&buf);
}

Test(strbuf, holds_nul_bytes)
{
	struct maui_strbuf buf = { 0 };

	maui_strbuf_add(&buf, "a\0b", 3);
	maui_strbuf_add(&buf, "c", 1);
	cr_expect(buf.length == 4 && !memcmp(buf.text, "a\0bc", 5), "bytes lost");
	maui_strbuf_finish(&buf);
}

Test(strbuf, clear_keeps_the_memory)
{
	struct maui_strbuf buf = { 0 };
	char *text;

	maui_strbuf_clear(&buf);
	maui_strbuf_add(&buf, "abc", 3);
	text = buf.text;
	maui_strbuf_clear(&buf);
	cr_expect(buf.text == text && !*buf.text && !buf.length, "not emptied in place");
	maui_strbuf_finish(&buf);
}

Test(strbuf, steal)
{
	struct maui_strbuf buf = { 0 };
	char *text = maui_strbuf_steal(&buf);

	cr_assert(text && !*text, "an empty buffer gives an empty text");
	free(text);
	maui_strbuf_add(&buf, "abc", 3);
	text = maui_strbuf_steal(&buf);
	cr_expect(!strcmp(text, "abc"), "got '%s'", text);
	cr_expect(!buf.text && !buf.length && !buf.alloc, "not empty after");
	free(text);
}

/* SIZE_MAX bytes cannot be allocated: the text stays, and `failed` says so at the end. */
Test(strbuf, without_memory)
{
	struct maui_strbuf buf = { 0 };

	maui_strbuf_add(&buf, "abc", 3);
	maui_strbuf_add(&buf, NULL, SIZE_MAX);
	cr_expect(buf.failed, "not failed");
	cr_expect(buf.length == 3 && !strcmp(buf.text, "abc"), "the text changed");
	maui_strbuf_add(&buf, "d", 1);
	cr_expect(buf.failed, "a later append hides the failure");
	cr_expect(!maui_strbuf_steal(&buf), "a torn text was given away");
	cr_expect(!buf.text && !buf.failed, "not empty after");
}

Test(array, grows)
{
	size_t alloc = 0, *list = NULL, *grown;

	for (size_t i = 0; i < 1000; i++) {
		grown = maui_array_grow(list, i, &alloc, sizeof(*grown));
		cr_assert(grown && alloc > i, "at %zu", i);
		list = grown;
		list[i] = i;
	}
	for (size_t i = 0; i < 1000; i++)
		cr_assert(list[i] == i, "element %zu changed", i);
	free(list);
}

struct huge {
	const char *name;
	size_t count;
	size_t alloc;
	size_t size;
};

static const struct huge huge[] = {
	{ "count past SIZE_MAX / 2", SIZE_MAX, 16, 1 },
	{ "bytes past SIZE_MAX", SIZE_MAX / 4, 16, 8 },
	{ "more than the machine has", (size_t)1 << 50, 16, 64 },
};

TEST_ROWS(array, refuses, huge, row)
{
	size_t alloc = row->alloc;
	char old[1];

	/* `old` is not heap memory: it must not be touched when the size is impossible */
	cr_expect(!maui_array_grow(row->count > SIZE_MAX / 2 ? old : NULL, row->count, &alloc,
				   row->size),
		  "%s: granted", row->name);
	cr_expect(alloc == row->alloc, "%s: alloc changed", row->name);
}

Test(err, is_cut_and_returns_minus_one)
{
	struct maui_err err;

	cr_expect(maui_err_set(&err, "%0*d", 2000, 1) == -1, "not -1");
	cr_expect(strlen(err.text) == sizeof(err.text) - 1, "length %zu", strlen(err.text));
	cr_expect(maui_err_set(NULL, "%d", 1) == -1, "not -1 without err");
	cr_expect(maui_err_errno(NULL, "%d", 1) == -1, "not -1 without err");
}

Test(err, errno_is_named_and_kept)
{
	struct maui_err err;

	errno = ENOSPC;
	cr_expect(maui_err_errno(&err, "cannot write %s", "x") == -1, "not -1");
	cr_expect(errno == ENOSPC, "errno changed to %d", errno);
	cr_expect(!strcmp(err.text, "cannot write x: No space left on device"), "got '%s'",
		  err.text);
	maui_err_set(&err, "%s", "y");
	cr_expect(errno == ENOSPC, "errno changed by set");
}

Test(err, a_long_path_does_not_hide_the_reason)
{
	struct maui_err err;
	const char *reason = ": No space left on device";

	errno = ENOSPC;
	maui_err_errno(&err, "cannot write %0*d", 2000, 1);
	cr_assert(strlen(err.text) == sizeof(err.text) - 1, "length %zu", strlen(err.text));
	cr_expect(!strcmp(err.text + strlen(err.text) - strlen(reason), reason), "got '%s'",
		  err.text);
}
