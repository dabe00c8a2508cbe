/* SPDX-License-Identifier: GPL-2.0-or-later */
/* asked_fits.h - what the verb "fits" answers about the document of cmd/fits-world, `p`
 *
 *	TestSuite(fits, .init = begin_fits, .fini = end_fits);
 */
#ifndef MAUI_TESTSUITE_ASKED_FITS_H
#define MAUI_TESTSUITE_ASKED_FITS_H

#include "../cmd/fits-world.h"
#include "ask.h"
#include "verbs/fits.h"

static struct maui_document *p;
static uid_t asker;

static void begin_fits(void)
{
	p = fits_world_publish("");
	asker = 1001;
	cr_assert(p);
}

static void end_fits(void)
{
	maui_document_unref(p);
}

/* The first partition of the answer; the caller puts *ret_root. */
static json_object *ask(const struct maui_fits_args *args, json_object **ret_root)
{
	struct maui_query_error error = { 0 };

	*ret_root = ask_verb(&maui_verb_fits, maui_answer_fits, p, asker, args, &error);
	cr_assert(*ret_root, "%s", error.err.text);
	return json_object_array_get_idx(member(*ret_root, "partitions"), 0);
}

#define ASK(ret_root, ...) ask(&(const struct maui_fits_args){ __VA_ARGS__ }, ret_root)

static inline void refused(const struct maui_fits_args *args, enum maui_query_code code)
{
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_fits, maui_answer_fits, p, asker, args, &error));
	cr_expect(error.code == code, "%d %s", error.code, error.err.text);
}

#define REFUSED(code, ...) refused(&(const struct maui_fits_args){ __VA_ARGS__ }, code)

#endif
