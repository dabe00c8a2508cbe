/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_version.c - maui version */

#include "maui_config.h"

#include <stdio.h>

#include "cmd/cmd.h"

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

int maui_cmd_version(int argc, char **argv)
{
	(void)argc, (void)argv;
	printf("slurm-maui %s\n", MAUI_VERSION);
#ifdef MAUI_SLURM_VERSION
	printf("plugins built for Slurm %s\n", MAUI_SLURM_VERSION);
#else
	printf("built without plugins\n");
#endif
	return MAUI_EXIT_OK;
}
