/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui.c - `maui <verb>`: finds the verb and runs it
 *
 * Bash completes from the verbs that --help lists.
 *
 * Rules: CMD-50.
 */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "cmd/cmd.h"
#include "base/masked.h"

static const struct {
	const char *name;
	maui_cmd_fn run;
	const char *what;
	bool alone; /* a name of its own too, by a link to maui */
} verbs[] = {
	{ "canceljob", maui_cmd_canceljob, "cancel jobs, as scancel does", true },
	{ "changeparam", maui_cmd_changeparam, "put a line of maui.cfg in force for now", true },
	{ "checkjob", maui_cmd_checkjob, "show a job, and every reason why it waits", true },
	{ "checknode", maui_cmd_checknode, "show a node, and who holds it until when", true },
	{ "config", maui_cmd_config, "check, show and explain maui.cfg", false },
	{ "detach", maui_cmd_detach, "remove reservations, when a site goes back", false },
	{ "diagnose", maui_cmd_diagnose, "priorities, jobs, nodes, credentials, reservations",
	  true },
	{ "fits", maui_cmd_fits, "say what you could run right now", false },
	{ "metrics", maui_cmd_metrics, "figures for Prometheus", false },
	{ "migrate", maui_cmd_migrate, "read the maui.cfg and fairshare files of a Maui", false },
	{ "preflight", maui_cmd_preflight, "before a restart: will slurmctld run with slurm-maui?",
	  false },
	{ "queue", maui_cmd_queue, "list jobs as squeue does, with when and why", false },
	{ "reconfigure", maui_cmd_reconfigure,
	  "read maui.cfg again, and tell whether it is in force", false },
	{ "releasehold", maui_cmd_releasehold, "take holds off jobs, as scontrol does", true },
	{ "releaseres", maui_cmd_releaseres, "remove reservations", true },
	{ "report", maui_cmd_report, "write the schedule as an HTML page with pictures", false },
	{ "resetstats", maui_cmd_resetstats, "reset the statistics", true },
	{ "runjob", maui_cmd_runjob, "start a waiting job now", true },
	{ "sethold", maui_cmd_sethold, "hold jobs, as scontrol does", true },
	{ "setres", maui_cmd_setres, "make or change a reservation", true },
	{ "setspri", maui_cmd_setspri, "set the system priority of jobs", true },
	{ "share", maui_cmd_share, "usage against fairshare targets, and until when", false },
	{ "showconfig", maui_cmd_showconfig, "show the configuration in force", true },
	{ "showq", maui_cmd_showq, "list active, idle and blocked jobs", true },
	{ "showbf", maui_cmd_showbf, "show free processors, and for how long", true },
	{ "showres", maui_cmd_showres, "list reservations", true },
	{ "showstart", maui_cmd_showstart, "show when a job is expected to start", true },
	{ "showstate", maui_cmd_showstate, "the machine at a glance, and what is wrong", true },
	{ "snapshot", maui_cmd_snapshot, "save the last plan in a file, for maui-sim", false },
	{ "showstats", maui_cmd_showstats, "figures of jobs that have ended", true },
	{ "trial", maui_cmd_trial, "the score of SERVERMODE TEST", false },
	{ "version", maui_cmd_version, "print versions", false },
	{ "whatif", maui_cmd_whatif, "simulate a change: who would start earlier or later", false },
	{ "why", maui_cmd_why, "say in a few sentences why a job waits", false },
};

static void print_help(FILE *out)
{
	fprintf(out, "usage: maui VERB [ARGUMENT...]\n\nverbs:\n");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(out, "  %-12s %s\n", verbs[i].name, verbs[i].what);
	fprintf(out, "\n'maui VERB --help' tells more. Exit status: 0 done, 1 error, 2 usage.\n");
}

/* `showres` is `maui showres`: the one it was called as, or NULL. */
static maui_cmd_fn find_alone(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; name && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i].alone && strcmp(name, verbs[i].name) == 0)
			return verbs[i].run;
	return NULL;
}

/* The verb that a mistyped word may have meant; NULL: none. */
static const char *suggest(const char *word)
{
	unsigned least = (unsigned)strlen(word) / 3 + 1;
	const char *closest = NULL;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		unsigned distance = maui_words_distance(word, verbs[i].name, least);

		if (distance < least) {
			least = distance;
			closest = verbs[i].name;
		}
	}
	return closest;
}

/* Commands of Maui's and Moab's that have no verb, and what does the same. */
static const char *replacement(const char *word)
{
	static const struct {
		const char *name, *use;
	} commands[] = {
		{ "mdiag", "diagnose" },
		{ "schedctl", "changeparam, systemctl" },
		{ "setqos", "scontrol update jobid=JOB qos=QOS" },
		{ "showgrid", "showstats -f" },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(word, commands[i].name) == 0)
			return commands[i].use;
	return NULL;
}

static int unknown_verb(const char *verb)
{
	const char *closest = suggest(verb), *use = replacement(verb);

	if (use) {
		fprintf(stderr, "maui: error: there is no command %s: use %s\n", verb, use);
		return MAUI_EXIT_USAGE;
	}

	fprintf(stderr, "maui: error: no verb '%s'%s%s%s; maui --help lists the verbs\n", verb,
		closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
	return MAUI_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	maui_cmd_fn alone = find_alone(argc > 0 ? argv[0] : NULL);

	if (alone)
		return alone(argc, argv);
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 || strcmp(verb, "help") == 0) {
		print_help(stdout);
		return MAUI_EXIT_OK;
	}
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0)
		verb = "version";
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verb, verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	if (*verb != '\0')
		return unknown_verb(verb);
	print_help(stderr);
	return MAUI_EXIT_USAGE;
}

/* What was printed counts only when it arrived: a full disk is an error of every verb. */
int main(int argc, char **argv)
{
	bool failed;
	int rc;

	maui_mask_stream(&stderr, STDERR_FILENO);
	rc = run(argc, argv);
	failed = ferror(stdout);

	if (fclose(stdout) != 0 || failed) {
		fprintf(stderr, "maui: error: cannot write the output%s%s\n", errno ? ": " : "",
			errno ? strerror(errno) : "");
		return rc == MAUI_EXIT_OK ? MAUI_EXIT_ERROR : rc;
	}
	return rc;
}
