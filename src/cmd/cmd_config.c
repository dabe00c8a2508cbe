/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_config.c - maui config check | show | explain */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "base/masked.h"

static const struct {
	const char *name;
	maui_cmd_fn run;
	const struct maui_command *command;
} verbs[] = {
	{ "check", maui_cmd_config_check, &maui_config_check_usage },
	{ "show", maui_cmd_config_show, &maui_config_show_usage },
	{ "explain", maui_cmd_config_explain, &maui_config_explain_usage },
};

static const char about[] =
	"check    prints every error, warning and note about a maui.cfg\n"
	"show     prints every parameter: value that the file gives, default, where it was set\n"
	"explain  tells what a parameter or attribute means and what becomes of it\n"
	"\n"
	"FILE defaults to the maui.cfg that slurmctld reads: beside slurm.conf ($SLURM_CONF), or\n"
	"SchedulerParameters=maui_cfg=FILE. Exit status: 0 no error, 1 errors, 2 usage.\n"
	"-V, --version prints the version.\n";

static void print_usage(FILE *out)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(out, "%s %s\n", i == 0 ? "usage:" : "      ", verbs[i].command->synopsis);
	fprintf(out, "\n%s", about);
}

static int run_config(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	maui_mask_stream(&stdout, STDOUT_FILENO);
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0) {
		print_usage(stdout);
		return MAUI_EXIT_OK;
	}
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0) {
		maui_cmd_print_version();
		return MAUI_EXIT_OK;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verb, verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	if (*verb != '\0')
		fprintf(stderr, "maui config: error: no verb '%s'\n", verb);
	print_usage(stderr);
	return MAUI_EXIT_USAGE;
}

MAUI_SUBCOMMAND(config, "check, show and explain maui.cfg");
