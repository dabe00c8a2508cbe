/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_diagnose.c - diagnose: finds the option, and lets its function answer (src/cmd/diagnose) */

#include <getopt.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/diagnose/diagnose.h"
#include "cmd/query.h"

static const char usage[] =
	"usage: diagnose OPTION [-o COLUMN,...] [--noheader] [--json] [NAME]\n"
	"\n"
	"  -f      fairshare: usage in each window and targets, of NAME or of all\n"
	"  -j      jobs with their requests, and what is wrong with them; NAME: one job\n"
	"  -q      what blocks each blocked job; NAME: one job\n"
	"  -n      nodes: resources available and configured, load, reservations; NAME: one node\n"
	"  -u -g -a -c -Q   users, groups, accounts, classes (partitions), QOS: priority, QLIST,\n"
	"          target, limits with what is in use in parentheses; contradictions in maui.cfg\n"
	"  -p      the priority of each job of the queue, and what makes it; NAME: one job\n"
	"  -r      reservations in detail: access list, resources, missing tasks and why, use so far,\n"
	"          the name in Slurm; released instances; what is wrong with SRCFG lines of maui.cfg\n"
	"\n" MAUI_TABLE_USAGE
	"  --json  one JSON object; that of -r has the form of showres -n --json\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such NAME.\n";

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

enum { TOPICS = sizeof(topics) / sizeof(topics[0]) };

int maui_cmd_diagnose(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "diagnose", .usage = usage };
	struct maui_cmd_flag flags[TOPICS + 1] = { 0 };
	bool asked[TOPICS] = { false };
	size_t topic = 0, count = 0;
	int rc;

	for (size_t i = 0; i < TOPICS; i++)
		flags[i] = (struct maui_cmd_flag){ topics[i].letter, &asked[i] };
	rc = maui_cmd_flags(&common, argc, argv, flags, true);
	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	for (size_t i = 0; i < TOPICS; i++) {
		count += asked[i];
		topic = asked[i] ? i : topic;
	}
	if (argc - optind > 1)
		return maui_cmd_misuse(&common, "one NAME at most");
	if (count == 0)
		return maui_cmd_misuse(&common,
				       "an option is missing: 'diagnose --help' lists them");
	if (count > 1)
		return maui_cmd_misuse(&common, "one of these options at a time");
	return topics[topic].run(&common, argv[optind]);
}
