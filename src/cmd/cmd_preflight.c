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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/utf8.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/preflight/preflight.h"
#include "cmd/query.h"

struct options {
	struct maui_cmd_options slurm;
	const char *slurmctld;
};

static const struct maui_option known[] = {
	MAUI_TEXT(0, "slurm-conf", "FILE", options, slurm.slurm_conf,
		  "the slurm.conf that slurmctld will read; default: $SLURM_CONF, or the usual "
		  "one"),
	MAUI_TEXT(0, "slurmctld", "PATH", options, slurmctld,
		  "the slurmctld that will be started; default: the first in PATH"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui preflight [--slurm-conf FILE] [--slurmctld PATH] [--json]",
	.about = "Checks before a restart of slurmctld whether it will start with slurm-maui: its "
		 "release and build, PluginDir and plugins, settings of slurm.conf that sched/maui "
		 "refuses, maui.cfg, StateSaveLocation, the directory of the query socket, and "
		 "MUNGE. Run it as root on slurmctld's host. Each line says what is there and, if "
		 "that is wrong, what to do. Nothing is changed.",
	.options = known,
	.notes = "Exit status: 0 no check failed, 1 one did, 2 usage.",
};

#define PREFLIGHT_FIELDS(F, R)                       \
	F(R, LIST, checks, "", maui_preflight_check) \
	F(R, INT, failed, "how many checks failed")
MAUI_RECORD(maui_preflight_result, PREFLIGHT_FIELDS);

MAUI_RECORD_TYPE(maui_preflight_check, MAUI_PREFLIGHT_CHECK_FIELDS);
MAUI_RECORD_TYPE(maui_preflight_result, PREFLIGHT_FIELDS);

static void print_text(const struct maui_preflight *p)
{
	for (size_t i = 0; i < p->check_count; i++) {
		char *text = (char *)p->checks[i].text;

		maui_utf8_mask(text, strlen(text), maui_terminal_display());
		printf("%-7s  %s: %s\n", p->checks[i].result, p->checks[i].name, text);
	}
	if (p->counts[MAUI_CHECK_FAILED] > 0)
		printf("\nDo not restart slurmctld: %zu check%s failed.\n",
		       p->counts[MAUI_CHECK_FAILED], maui_plural(p->counts[MAUI_CHECK_FAILED]));
	else if (p->counts[MAUI_CHECK_SKIPPED] > 0)
		printf("\nNothing wrong was found, but not everything was checked.\n");
	else
		printf("\nAll checks passed: slurmctld can be restarted.\n");
}

static int run(const struct maui_tool_common *common, struct maui_preflight *p)
{
	struct maui_preflight_result result;
	int rc;

	if (maui_preflight_conf(p) == 0) {
		maui_preflight_slurms_reading(p);
		maui_preflight_host(p);
		maui_preflight_plugins(p);
		maui_preflight_settings(p);
		maui_preflight_places(p);
	}
	rc = p->counts[MAUI_CHECK_FAILED] > 0 ? MAUI_EXIT_ERROR : MAUI_EXIT_OK;
	result = (struct maui_preflight_result){
		.checks = p->checks,
		.checks_count = p->check_count,
		.failed = (int64_t)p->counts[MAUI_CHECK_FAILED],
	};
	if (common->json)
		maui_cmd_print_record_json(common, &maui_preflight_result_type, &result);
	else
		print_text(p);
	maui_arena_finish(&p->arena);
	free(p->checks);
	for (int key = 0; key < MAUI_KEY_COUNT; key++)
		free(p->values[key]);
	return rc;
}

static int run_preflight(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui preflight", .command = &command };
	struct options options = { 0 };
	struct maui_preflight p = { .options = &options.slurm };
	int rc = maui_cmd_read(&common, &options, argc, argv);

	if (common.done)
		return rc;
	p.slurmctld = options.slurmctld;
	return run(&common, &p);
}

MAUI_SUBCOMMAND(preflight, "before a restart: will slurmctld run with slurm-maui?");
