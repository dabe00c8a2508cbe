/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits_json.c - what showbf and maui fits are told, of a saved plan
 *
 * Rules: CMD-40, CMD-41.
 */

#include "answers/fits_json.h"

#include <criterion/criterion.h>

#include "../cmd/fits-world.h"

static struct maui_document *p;

static void begin(void)
{
	p = fits_world_publish();
	cr_assert(p);
}

static void end(void)
{
	maui_document_unref(p);
}

TestSuite(fits_json, .init = begin, .fini = end);

static json_object *member(json_object *object, const char *key)
{
	json_object *value = NULL;

	cr_assert(json_object_object_get_ex(object, key, &value), "no %s", key);
	return value;
}

static int64_t number(json_object *object, const char *key)
{
	return json_object_get_int64(member(object, key));
}

/* The first partition of the answer; the caller puts *ret_root. */
static json_object *ask(const char *args, json_object **ret_root)
{
	struct maui_query_error error = { 0 };
	json_object *object = json_tokener_parse(args);

	*ret_root = maui_fits_json(p, object, 1001, &error);
	json_object_put(object);
	cr_assert(*ret_root, "%s", error.err.text);
	return json_object_array_get_idx(member(*ret_root, "partitions"), 0);
}

static void refused(const char *args, int code)
{
	struct maui_query_error error = { 0 };
	json_object *object = json_tokener_parse(args);

	cr_expect(!maui_fits_json(p, object, 1001, &error), "%s", args);
	cr_expect(error.code == (unsigned)code, "%s: %d %s", args, error.code, error.err.text);
	json_object_put(object);
}

Test(fits_json, windows_end_where_the_job_reservation_begins)
{
	json_object *root, *part = ask("{\"user\": \"ann\", \"partition\": \"batch\"}", &root);
	json_object *windows = member(part, "windows"), *window;

	cr_assert(json_object_array_length(windows) == 2);
	window = json_object_array_get_idx(windows, 0);
	cr_expect(number(window, "procs") == 56 && number(window, "seconds") == 7500);
	cr_expect(number(window, "end") == 1795428000 + 7500);
	window = json_object_array_get_idx(windows, 1);
	cr_expect(json_object_is_type(member(window, "seconds"), json_type_null));
	cr_expect(number(window, "procs") == 24);
	json_object_put(root);
}

Test(fits_json, limits_make_a_window_narrower)
{
	json_object *root, *part = ask("{\"user\": \"bob\", \"partition\": \"batch\"}", &root);
	json_object *windows = member(part, "windows");

	cr_assert(json_object_array_length(windows) == 1);
	cr_expect(number(json_object_array_get_idx(windows, 0), "procs") == 16);
	cr_expect(strstr(json_object_get_string(member(part, "limit")), "MAXPROC USER bob"));
	json_object_put(root);
}

Test(fits_json, a_shape_that_does_not_start_says_what_would_help)
{
	json_object *root, *part = ask("{\"user\": \"ann\", \"partition\": \"batch\", \"nodes\": 3,"
				       " \"whole_nodes\": true, \"limit\": 10800}",
				       &root);
	json_object *shape = member(part, "shape");

	cr_expect(!json_object_get_boolean(member(shape, "starts_now")));
	cr_expect(number(shape, "starts_with_limit") == 7500);
	cr_expect(number(shape, "starts_on_nodes") == 1);
	cr_expect(json_object_array_length(member(shape, "reasons")) > 0);
	json_object_put(root);
}

Test(fits_json, wrong_questions_are_refused)
{
	refused("{}", MAUI_QUERY_BAD);
	refused("{\"user\": 17}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"nodes\": -1}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"nodes\": 99999999999}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"parts\": 5000}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"limit\": 0}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"partition\": \"nix\"}", MAUI_QUERY_NOT_FOUND);
}

Test(fits_json, before_the_first_plan_the_answer_is_to_try_again)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };
	json_object *args = json_tokener_parse("{\"user\": \"ann\"}");

	cr_expect(!maui_fits_json(none, args, 0, &error) && error.code == MAUI_QUERY_UNAVAILABLE);
	json_object_put(args);
	maui_document_unref(none);
}
