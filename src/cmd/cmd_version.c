/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_version.c - maui version */

#include "maui_config.h"

#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/query.h"

static const struct maui_command command = {
	.synopsis = "maui version [--json]",
	.about = "Prints the versions of slurm-maui and of the Slurm it was built for.",
	.notes = "Exit status: 0 done, 1 error, 2 usage.",
};

#define VERSION_FIELDS(F, R)       \
	F(R, TEXT, slurm_maui, "") \
	F(R, TEXT, slurm, "that the plugins are built for; null: a build without plugins")
MAUI_RECORD(maui_version, VERSION_FIELDS);
MAUI_RECORD_TYPE(maui_version, VERSION_FIELDS);

static void print_json(const struct maui_tool_common *common)
{
	const struct maui_version version = {
		.slurm_maui = MAUI_VERSION,
#ifdef MAUI_SLURM_VERSION
		.slurm = MAUI_SLURM_VERSION,
#endif
	};

	maui_cmd_print_record_json(common, &maui_version_type, &version);
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

static int run_version(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui version", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	if (common.json)
		print_json(&common);
	else
		maui_cmd_print_version();
	return MAUI_EXIT_OK;
}

MAUI_SUBCOMMAND(version, "print versions");
