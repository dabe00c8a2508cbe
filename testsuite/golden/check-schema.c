/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check-schema.c - proves that every honoured parameter has an effect
 *
 * The schema names a golden case for each parameter. That case must pass unchanged, and fail if the
 * parameter is parsed as if it were missing everywhere. Arguments: the files with the cases.
 */

#include <stdlib.h>
#include <string.h>

#include "golden.h"

struct proof {
	struct golden_file *files;
	size_t file_count;
	unsigned proven, unproven;
};

static json_object *find_case(const struct proof *p, const char *id,
			      const struct golden_file **ret_file)
{
	for (size_t f = 0; f < p->file_count; f++) {
		const struct golden_file *file = *ret_file = &p->files[f];

		for (size_t i = 0; i < json_object_array_length(file->cases); i++) {
			json_object *test = json_object_array_get_idx(file->cases, i);

			if (strcmp(golden_id(test), id) == 0)
				return test;
		}
	}
	return NULL;
}

static void prove(const char *name, const char *id, void *data)
{
	const struct golden_file *file = NULL;
	const char *fault = NULL;
	struct proof *p = data;
	json_object *test = find_case(p, id, &file);

	if (*id == '\0')
		fault = "the schema names no case";
	else if (!test)
		fault = "there is no such case";
	else if (!golden_run(file, test, NULL, stdout))
		fault = "the case fails";
	else if (golden_run(file, test, name, NULL))
		fault = "the case passes without the parameter, too";
	if (fault)
		printf("%s (case %s): %s\n", name, *id ? id : "-", fault);
	p->unproven += fault != NULL;
	p->proven += fault == NULL;
}

int main(int argc, char **argv)
{
	struct proof p = { .files = calloc((size_t)argc, sizeof(*p.files)) };
	int rc = 0;

	if (argc < 2 || !p.files) {
		fputs("usage: check-schema FILE...\n", stderr);
		free(p.files);
		return 2;
	}
	while (rc == 0 && *++argv) {
		rc = golden_file_open(&p.files[p.file_count], *argv);
		p.file_count += rc == 0;
	}
	if (rc == 0)
		golden_each_honoured(prove, &p);
	for (size_t f = 0; f < p.file_count; f++)
		golden_file_close(&p.files[f]);
	free(p.files);
	printf("%u honoured parameters proven by a case that fails without them, %u not\n",
	       p.proven, p.unproven);
	return rc ? 2 : p.unproven > 0 || p.proven == 0;
}
