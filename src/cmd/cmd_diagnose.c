/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_diagnose.c - diagnose: finds the option, and lets its function answer (src/cmd/diagnose) */

#include "cmd/cmd.h"
#include "cmd/diagnose/diagnose.h"
#include "cmd/query.h"

struct options {
	const char *topic;
};

static const struct maui_option options[] = {
	MAUI_CHOICE('f', NULL, options, topic, "f",
		    "fairshare: usage in each window and targets, of NAME or of all"),
	MAUI_CHOICE('j', NULL, options, topic, "j",
		    "jobs with their requests, and what is wrong with them; NAME: one job"),
	MAUI_CHOICE('q', NULL, options, topic, "q", "what blocks each blocked job; NAME: one job"),
	MAUI_CHOICE('n', NULL, options, topic, "n",
		    "nodes: resources available and configured, load, reservations; NAME: one "
		    "node"),
	MAUI_CHOICE('u', NULL, options, topic, "u", NULL),
	MAUI_CHOICE('g', NULL, options, topic, "g", NULL),
	MAUI_CHOICE('a', NULL, options, topic, "a", NULL),
	MAUI_CHOICE('c', NULL, options, topic, "c", NULL),
	MAUI_CHOICE('Q', NULL, options, topic, "Q",
		    "users, groups, accounts, classes (partitions), QOS: priority, QLIST, target, "
		    "limits with what is in use in parentheses; contradictions in maui.cfg"),
	MAUI_CHOICE('p', NULL, options, topic, "p",
		    "the priority of each job of the queue, and what makes it; NAME: one job"),
	MAUI_CHOICE('r', NULL, options, topic, "r",
		    "reservations in detail: access list, resources, missing tasks and why, use so "
		    "far, the name in Slurm; released instances; what is wrong with SRCFG lines of "
		    "maui.cfg"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "diagnose OPTION [-o COLUMN,...] [--noheader] [--json] [NAME]",
	.about = "Shows what the scheduler knows of one subject, and what is wrong with it.",
	.options = options,
	.table = true,
	.operands = 1,
	.json = "one JSON object; that of -r has the form of showres -n --json",
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such NAME.",
};

static const struct {
	char letter;
	maui_diagnose_fn run;
} topics[] = {
	/* clang-format off */
	{ 'a', maui_diagnose_accounts },
	{ 'c', maui_diagnose_classes },
	{ 'f', maui_diagnose_fairshare },
	{ 'g', maui_diagnose_groups },
	{ 'j', maui_diagnose_jobs },
	{ 'n', maui_diagnose_nodes },
	{ 'p', maui_diagnose_priorities },
	{ 'Q', maui_diagnose_qos },
	{ 'q', maui_diagnose_blocked },
	{ 'r', maui_diagnose_reservations },
	{ 'u', maui_diagnose_users },
	/* clang-format on */
};

static int run_diagnose(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "diagnose", .command = &command };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);
	size_t topic = 0;

	if (common.done)
		return rc;
	if (!o.topic)
		return maui_tool_misuse(&common,
					"an option is missing: 'diagnose --help' lists them");
	while (topics[topic].letter != *o.topic)
		topic++;
	return topics[topic].run(&common, *common.operands);
}

MAUI_COMMAND(diagnose, "priorities, jobs, nodes, credentials, reservations");
