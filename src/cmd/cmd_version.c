/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_version.c - maui version */

#include "maui_config.h"

#include <stdio.h>
#include <string.h>

#include "base/json_print.h"
#include "cmd/cmd.h"
#include "cmd/query.h"

static const struct maui_command command = {
	.synopsis = "maui version [--json]",
	.about = "Prints the versions of slurm-maui and of the Slurm it was built for.",
	.notes = "Exit status: 0 done, 1 error, 2 usage.",
};

json_object *maui_cmd_json_meta(const char *name)
{
	json_object *meta = json_object_new_object();
	char text[64];

	snprintf(text, sizeof(text), "maui %s", name);
	json_object_object_add(meta, "tool", json_object_new_string(text));
	json_object_object_add(meta, "version", json_object_new_string(MAUI_VERSION));
	snprintf(text, sizeof(text), "maui.%s.v1", name);
	for (char *p = text; *p != '\0'; p++)
		if (*p == ' ')
			*p = '.';
	json_object_object_add(meta, "schema", json_object_new_string(text));
	return meta;
}

/* "slurm": null in a build without plugins. */
static int print_json(void)
{
	json_object *root = json_object_new_object(), *slurm = NULL;

#ifdef MAUI_SLURM_VERSION
	slurm = json_object_new_string(MAUI_SLURM_VERSION);
#endif
	json_object_object_add(root, "meta", maui_cmd_json_meta("version"));
	json_object_object_add(root, "errors", json_object_new_array());
	json_object_object_add(root, "warnings", json_object_new_array());
	json_object_object_add(root, "slurm_maui", json_object_new_string(MAUI_VERSION));
	json_object_object_add(root, "slurm", slurm);
	return maui_json_print(stdout, root) ? MAUI_EXIT_ERROR : MAUI_EXIT_OK;
}

void maui_cmd_print_version(void)
{
	printf("slurm-maui %s\n", MAUI_VERSION);
#ifdef MAUI_SLURM_VERSION
	printf("plugins built for Slurm %s\n", MAUI_SLURM_VERSION);
#else
	printf("built without plugins\n");
#endif
}

int maui_cmd_version(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "maui version", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	if (common.json)
		return print_json();
	maui_cmd_print_version();
	return MAUI_EXIT_OK;
}
