/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_file.c - files of cases, and running one of them */

#include "golden.h"

#include <stdlib.h>
#include <string.h>

const struct golden_feature golden_features[] = {
	{ "priority", golden_run_priority }, { "fairshare", golden_run_fairshare },
	{ "config", golden_run_config },     { "qos", golden_run_qos },
	{ "accrual", golden_run_accrual },   { "throttling", golden_run_throttling },
	{ "backfill", golden_run_backfill }, { "plan", golden_run_plan },
	{ "acl", golden_run_acl },           { "sr_window", golden_run_sr_window },
	{ "rsv", golden_run_rsv },
};

const size_t golden_feature_count = sizeof(golden_features) / sizeof(golden_features[0]);

/* A number, or a text that begins with one ("1e-6 relative"). */
static double read_tolerance(json_object *root)
{
	const char *text = golden_get_text(root, "tolerance");
	double value = text ? strtod(text, NULL) : 0;

	return value > 0 ? value : 1e-6;
}

int golden_file_open(struct golden_file *file, const char *path)
{
	*file = (struct golden_file){ .path = path, .root = json_object_from_file(path) };
	if (!file->root) {
		fprintf(stderr, "%s: %s\n", path, json_util_get_last_err());
		return -1;
	}
	if (json_object_is_type(file->root, json_type_object))
		file->cases = golden_get(file->root, "cases");
	if (!json_object_is_type(file->cases, json_type_array)) {
		fprintf(stderr, "%s: no array \"cases\"\n", path);
		golden_file_close(file);
		return -1;
	}
	file->tolerance = read_tolerance(file->root);
	return 0;
}

void golden_file_close(struct golden_file *file)
{
	json_object_put(file->root);
	*file = (struct golden_file){ 0 };
}

const struct golden_feature *golden_feature_of(json_object *test)
{
	const char *name = golden_get_text(test, "feature");

	for (size_t i = 0; name && i < golden_feature_count; i++)
		if (strcmp(golden_features[i].name, name) == 0)
			return &golden_features[i];
	return NULL;
}

const char *golden_id(json_object *test)
{
	const char *id = golden_get_text(test, "id");

	return id ? id : "?";
}

/* Printed after the faults of a case: the rules that it tests. */
static void print_rules(json_object *rules, const char *id, FILE *out)
{
	size_t count =
		json_object_is_type(rules, json_type_array) ? json_object_array_length(rules) : 0;

	if (count == 0 || !out)
		return;
	fprintf(out, "%s: tests", id);
	for (size_t i = 0; i < count; i++)
		fprintf(out, " %s", json_object_get_string(json_object_array_get_idx(rules, i)));
	fputc('\n', out);
}

bool golden_run(const struct golden_file *file, json_object *test, const char *blank, FILE *out)
{
	const struct golden_feature *feature = golden_feature_of(test);
	const char *text = golden_get_text(test, "config");
	struct golden_case c = { .id = golden_id(test),
				 .config_text = text ? text : "",
				 .inputs = golden_get(test, "inputs"),
				 .expected = golden_get(test, "expected"),
				 .tolerance = file->tolerance,
				 .blank = blank,
				 .out = out };

	if (!feature)
		golden_fault(&c, "no such feature");
	else if (!json_object_is_type(c.expected, json_type_object) ||
		 json_object_object_length(c.expected) == 0)
		golden_fault(&c, "expects nothing");
	else
		feature->run(&c);
	if (c.faults > 0)
		print_rules(golden_get(test, "rules"), c.id, out);
	return c.faults == 0;
}
