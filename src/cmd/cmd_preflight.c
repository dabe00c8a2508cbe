/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_preflight.c - maui preflight: will slurmctld start with slurm-maui, and both work?
 *
 * Run before a restart of slurmctld. Reads files and asks munged, and slurmctld whether it runs
 * with sched/maui already; changes nothing. A line for each check, on stdout; the exit status is 1
 * when one has failed.
 *
 * Rules: CMD-60, CMD-61, CMD-62, CMD-63, CMD-64.
 */

#include "maui_config.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cmd/cmd.h"
#include "cmd/preflight/preflight.h"
#include "cmd/query.h"

static const char usage[] =
	"usage: maui preflight [--slurm-conf FILE] [--slurmctld PATH] [--json]\n"
	"\n"
	"Checks before a restart of slurmctld whether it will start with slurm-maui: its release and\n"
	"build, PluginDir and plugins, settings of slurm.conf that sched/maui refuses, maui.cfg,\n"
	"StateSaveLocation, the directory of the query socket, and MUNGE. Run it as root on\n"
	"slurmctld's host. Each line says what is there and, if that is wrong, what to do. Nothing is\n"
	"changed.\n"
	"\n"
	"  --slurm-conf FILE   the slurm.conf that slurmctld will read; default: $SLURM_CONF, or the\n"
	"                      usual one\n"
	"  --slurmctld PATH    the slurmctld that will be started; default: the first in PATH\n"
	"  --json              print JSON\n"
	"Exit status: 0 no check failed, 1 one did, 2 usage.\n";

static const char *const results[MAUI_CHECK_COUNT] = { "ok", "warning", "failed", "skipped" };

void maui_preflight_add(struct maui_preflight *p, enum maui_check_result result, const char *name,
			const char *fmt, ...)
{
	json_object *row = json_object_new_object();
	char text[2 * MAUI_DIAG_MAX_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_object_object_add(row, "name", json_object_new_string(name));
	json_object_object_add(row, "result", json_object_new_string(results[result]));
	json_object_object_add(row, "text", json_object_new_string(text));
	json_object_array_add(p->checks, row);
	p->counts[result]++;
}

static void print_text(const struct maui_preflight *p, json_object *result)
{
	maui_cmd_clean(result);
	for (size_t i = 0; i < maui_cmd_length(result, "checks"); i++) {
		json_object *row = maui_cmd_element(result, "checks", i);

		printf("%-7s  %s: %s\n", maui_cmd_text(row, "result"), maui_cmd_text(row, "name"),
		       maui_cmd_text(row, "text"));
	}
	if (p->counts[MAUI_CHECK_FAILED] > 0)
		printf("\nDo not restart slurmctld: %zu check%s failed.\n",
		       p->counts[MAUI_CHECK_FAILED], p->counts[MAUI_CHECK_FAILED] == 1 ? "" : "s");
	else if (p->counts[MAUI_CHECK_SKIPPED] > 0)
		printf("\nNothing wrong was found, but not everything was checked.\n");
	else
		printf("\nAll checks passed: slurmctld can be restarted.\n");
}

static int run(const struct maui_cmd_common *common, struct maui_preflight *p)
{
	json_object *result = json_object_new_object();
	int rc;

	p->checks = json_object_new_array();
	if (maui_preflight_conf(p) == 0) {
		maui_preflight_slurms_reading(p);
		maui_preflight_host(p);
		maui_preflight_plugins(p);
		maui_preflight_settings(p);
		maui_preflight_places(p);
	}
	rc = p->counts[MAUI_CHECK_FAILED] > 0 ? MAUI_EXIT_ERROR : MAUI_EXIT_OK;
	json_object_object_add(result, "checks", p->checks);
	json_object_object_add(result, "failed",
			       json_object_new_int64((int64_t)p->counts[MAUI_CHECK_FAILED]));
	if (common->json) {
		maui_cmd_print_json(common, result);
	} else {
		print_text(p, result);
		json_object_put(result);
	}
	for (int key = 0; key < MAUI_KEY_COUNT; key++)
		free(p->values[key]);
	return rc;
}

int maui_cmd_preflight(int argc, char **argv)
{
	enum { SLURM_CONF = MAUI_OPT_OWN, SLURMCTLD };
	static const struct option known[] = {
		{ "slurm-conf", required_argument, NULL, SLURM_CONF },
		{ "slurmctld", required_argument, NULL, SLURMCTLD },
		MAUI_COMMON_OPTIONS,
		{ 0 },
	};
	struct maui_cmd_common common = { .tool = "maui preflight", .usage = usage };
	struct maui_cmd_options options = { 0 };
	struct maui_preflight p = { .options = &options };
	int option;

	maui_cmd_begin(&common, argc, argv);
	while ((option = getopt_long(argc, argv, "hV", known, NULL)) != -1) {
		if (option == SLURM_CONF) {
			options.slurm_conf = optarg;
		} else if (option == SLURMCTLD) {
			p.slurmctld = optarg;
		} else {
			int rc = maui_cmd_common_option(&common, option);

			if (common.done)
				return rc;
		}
	}
	if (optind < argc)
		return maui_cmd_misuse(&common, "too many arguments");
	return run(&common, &p);
}
