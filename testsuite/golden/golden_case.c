/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_case.c - reads a case's fields and compares results */

#include "golden.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Expected numbers are rounded to 9 decimals. */
#define ROUNDING 1e-9

json_object *golden_get(json_object *object, const char *name)
{
	json_object *member = NULL;

	if (object)
		json_object_object_get_ex(object, name, &member);
	return member;
}

double golden_get_number(json_object *object, const char *name, double missing)
{
	json_object *member = golden_get(object, name);

	return member ? json_object_get_double(member) : missing;
}

int64_t golden_get_int(json_object *object, const char *name, int64_t missing)
{
	json_object *member = golden_get(object, name);

	return member ? json_object_get_int64(member) : missing;
}

bool golden_get_bool(json_object *object, const char *name, bool missing)
{
	json_object *member = golden_get(object, name);

	return member ? json_object_get_boolean(member) : missing;
}

const char *golden_get_text(json_object *object, const char *name)
{
	json_object *member = golden_get(object, name);

	return member ? json_object_get_string(member) : NULL;
}

void golden_fault(struct golden_case *c, const char *fmt, ...)
{
	va_list args;

	c->faults++;
	if (!c->out)
		return;
	fprintf(c->out, "%s: ", c->id);
	va_start(args, fmt);
	vfprintf(c->out, fmt, args);
	va_end(args);
	fputc('\n', c->out);
}

struct maui_config *golden_config(struct golden_case *c)
{
	struct maui_config_context context = { .blank = c->blank };
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_parse("maui.cfg", c->config_text,
						       strlen(c->config_text), &context, &diags);
	char text[512];

	for (size_t i = 0; !config && i < diags.count; i++) {
		maui_diag_format(&diags.list[i], text, sizeof(text));
		if (diags.list[i].severity == MAUI_ERROR)
			golden_fault(c, "%s", text);
	}
	maui_diags_finish(&diags);
	return config;
}

static bool is_among(const char *name, const char *names)
{
	size_t length = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += length)
		if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

void golden_check_known(struct golden_case *c, json_object *object, const char *what,
			const char *names)
{
	if (!object)
		return;
	json_object_object_foreach(object, name, member)
	{
		(void)member;
		if (!is_among(name, names))
			golden_fault(c, "%s.%s: the runner does not know this field", what, name);
	}
}

void golden_expect_number(struct golden_case *c, json_object *expected, const char *name,
			  double got)
{
	double want;

	if (!json_object_object_get_ex(expected, name, NULL))
		return;
	want = golden_get_number(expected, name, INFINITY); /* null: no limit */
	if (got == want || fabs(got - want) <= c->tolerance * fabs(want) + ROUNDING)
		return;
	golden_fault(c, "%s: expected %.10g, got %.10g", name, want, got);
}

void golden_expect_int(struct golden_case *c, json_object *expected, const char *name, int64_t got)
{
	json_object *member;

	if (!json_object_object_get_ex(expected, name, &member))
		return;
	if (!json_object_is_type(member, json_type_int) || json_object_get_int64(member) != got)
		golden_fault(c, "%s: expected %s, got %" PRId64, name,
			     json_object_to_json_string(member), got);
}

void golden_expect_bool(struct golden_case *c, json_object *expected, const char *name, bool got)
{
	json_object *member;

	if (!json_object_object_get_ex(expected, name, &member))
		return;
	if (!json_object_is_type(member, json_type_boolean) ||
	    json_object_get_boolean(member) != got)
		golden_fault(c, "%s: expected %s, got %s", name, json_object_to_json_string(member),
			     got ? "true" : "false");
}

void golden_expect_text(struct golden_case *c, json_object *expected, const char *name,
			const char *got)
{
	const char *want;

	if (!json_object_object_get_ex(expected, name, NULL))
		return;
	want = golden_get_text(expected, name);
	if (want == got || (want && got && strcmp(want, got) == 0))
		return;
	golden_fault(c, "%s: expected %s, got %s", name, want ? want : "null", got ? got : "null");
}
