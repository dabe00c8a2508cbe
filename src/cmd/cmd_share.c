/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_share.c - maui share: usage against the fairshare target, and when it is met again
 *
 * Rules: CMD-26, CMD-27.
 */

#include <getopt.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "model/when.h"
#include "verbs/fairshare.h"

static const char usage[] =
	"usage: maui share [-u|-g|-a|-q|-c] [NAME] [-o COLUMN,...] [--noheader] [--json]\n"
	"\n"
	"Shows what a user used in the fairshare windows, the target, what this does to the priority\n"
	"of jobs now, and when usage is back at the target. Without NAME: your own share.\n"
	"\n"
	"  -u, -g, -a, -q, -c   NAME is a user, group, account, QOS or class (partition);\n"
	"                       without NAME: all of this kind, one a line\n" MAUI_TABLE_USAGE
	"  --json               one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such NAME.\n";

enum { CELL = 48 };

struct options {
	struct maui_cmd_common common;
	bool user, group, account, qos, class;
	struct maui_fairshare_args args;
};

static const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* ---- one credential ---- */

static void print_windows(const struct maui_cmd_common *common, const struct maui_fairshare *all,
			  const struct maui_fairshare_credential *one)
{
	static const struct maui_column columns[] = {
		{ "Window", true }, { "Begins", false }, { "Weight", true },
		{ "Used", true },   { "Of", true },      { "%", true },
	};
	struct maui_table *table = maui_table_create(columns, sizeof(columns) / sizeof(columns[0]));
	char cell[5][CELL];

	for (size_t i = 0; i < all->windows_count; i++) {
		const struct maui_fairshare_window *window = &all->windows[i];
		double used = i < one->used_count ? one->used[i] : 0;
		char begins[MAUI_MOMENT_SIZE];
		const char *cells[] = { cell[0], begins, cell[1], cell[2], cell[3], cell[4] };

		snprintf(cell[0], CELL, "%zu", i);
		maui_moment_as_maui(window->start, all->time, begins, sizeof(begins));
		snprintf(cell[1], CELL, "%.4f", window->weight);
		snprintf(cell[2], CELL, "%.2f", used / 3600);
		snprintf(cell[3], CELL, "%.2f", window->total / 3600);
		snprintf(cell[4], CELL, "%.2f", window->total > 0 ? 100 * used / window->total : 0);
		maui_table_add(table, cells);
	}
	maui_cmd_print_table(common, table);
}

static void print_target(const struct maui_fairshare_target *target)
{
	const char *kind;
	double value;

	if (!target) {
		printf("Target: none\n");
		return;
	}
	kind = target->kind;
	value = target->value;
	if (strcmp(kind, "target") == 0)
		printf("Target: %g %%; usage above it lowers the priority, usage below raises it\n",
		       value);
	else if (strcmp(kind, "floor") == 0)
		printf("Target: at least %g %% (%g+); usage below it raises the priority\n", value,
		       value);
	else if (strcmp(kind, "ceiling") == 0)
		printf("Target: at most %g %% (%g-); usage above it lowers the priority\n", value,
		       value);
	else if (strcmp(kind, "relative_cap") == 0)
		printf("Cap: %g %% (%g%%); at the cap no further job starts\n", value, value);
	else
		printf("Cap: %.2f processor-hours (%.0f^); at the cap no further job starts\n",
		       value / 3600, value);
}

static void print_effect(const struct maui_fairshare *all,
			 const struct maui_fairshare_credential *one)
{
	double component = all->weights->component;
	char name[CELL];
	size_t i;

	for (i = 0; one->kind[i] && i + 1 < sizeof(name); i++)
		name[i] = (char)(one->kind[i] - 'a' + 'A');
	name[i] = '\0';
	printf("Priority now: %+.0f points", one->points);
	if (component != 0)
		printf(" (%+.2f x FS%sWEIGHT %g x FSWEIGHT %g)", one->delta, name,
		       one->weight / component, component);
	else
		printf(" (FSWEIGHT is 0)");
	printf("\n");
}

static void print_moment(const char *condition, int64_t when_s, const struct maui_fairshare *all)
{
	char buf[MAUI_MOMENT_SIZE];

	if (when_s == MAUI_NEVER)
		printf("  %s: not within %" PRId64 " windows\n", condition, all->depth);
	else
		printf("  %s: %s\n", condition,
		       maui_moment_spoken(when_s, all->time, buf, sizeof(buf)));
}

static void print_forecast(const struct maui_fairshare *all,
			   const struct maui_fairshare_credential *one)
{
	const struct maui_fairshare_forecast *forecast =
		one->outlook ? one->outlook->forecast : NULL;
	char condition[2 * CELL];

	if (!forecast)
		return;
	printf("%s\n", one->held       ? "Below the cap again:" :
		       forecast->above ? "Back at the target:" :
					 "Reaches the target:");
	snprintf(condition, sizeof(condition), "at the present rate (%g of %g processor%s in use)",
		 one->rate, all->rate, plural(all->rate));
	if (one->rate > 0 || !forecast->above)
		print_moment(condition, forecast->at_present_rate, all);
	if (forecast->above)
		print_moment("if you run nothing", forecast->running_nothing, all);
}

static void print_one(const struct maui_cmd_common *common, const struct maui_fairshare *all,
		      const struct maui_fairshare_credential *one)
{
	const char *target = one->target ? one->target->kind : "";

	printf("Share of %s", one->kind);
	printf(" %s", one->name);
	printf(", in processor-hours\n\n");
	print_windows(common, all, one);
	printf("\nEffective usage: %.2f of %.2f processor-hours, %.2f %%\n", one->effective / 3600,
	       all->total / 3600, one->percent);
	if (strcmp(all->policy, "NONE") == 0) {
		printf("FSPOLICY is NONE: usage is not charged, and targets have no effect.\n");
		return;
	}
	print_target(one->target);
	if (strcmp(target, "relative_cap") == 0 || strcmp(target, "absolute_cap") == 0)
		printf("%s", one->held ? "Waiting jobs are held back by the cap.\n" :
					 "No job is held back by the cap now.\n");
	else if (one->target)
		print_effect(all, one);
	print_forecast(all, one);
}

/* ---- all of a kind ---- */

static void add_row(struct maui_table *table, const struct maui_fairshare_credential *one)
{
	const struct maui_fairshare_target *target = one->target;
	char cell[5][CELL];

	snprintf(cell[0], CELL, "%.2f", one->percent);
	snprintf(cell[1], CELL, target ? "%g%s" : "-", target ? target->value : 0,
		 target ? target->suffix : "");
	snprintf(cell[2], CELL, "%.2f", one->effective / 3600);
	snprintf(cell[3], CELL, "%g", one->rate);
	snprintf(cell[4], CELL, "%+.0f", one->points);
	maui_table_add(table, (const char *const[]){ one->name, cell[0], cell[1], cell[2], cell[3],
						     cell[4],
						     one->held       ? "at its cap" :
						     one->off_target ? "off target" :
								       "" });
}

static int print_all(const struct maui_cmd_common *common, const struct maui_fairshare *all)
{
	static const struct maui_column columns[] = {
		{ "Name", false }, { "%", true },        { "Target", true }, { "Hours", true },
		{ "Procs", true }, { "Priority", true }, { "State", false },
	};
	struct maui_table *table =
		maui_cmd_table(common, columns, sizeof(columns) / sizeof(columns[0]));

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < all->credentials_count; i++)
		add_row(table, &all->credentials[i]);
	maui_cmd_print_table(common, table);
	if (!maui_cmd_rows_only(common) && all->hidden)
		printf("\nPrivateData=usage hides the usage of others.\n");
	return MAUI_EXIT_OK;
}

/* ---- both ---- */

/* Sets kind and name of the credential asked for. -1: more than one kind. */
static int choose(struct options *options)
{
	const struct {
		bool set;
		const char *kind;
	} kinds[] = {
		{ options->user, "user" },       { options->group, "group" },
		{ options->account, "account" }, { options->qos, "qos" },
		{ options->class, "class" },
	};
	struct maui_fairshare_args *args = &options->args;
	const struct passwd *own;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].set && args->kind)
			return -1;
		if (kinds[i].set)
			args->kind = kinds[i].kind;
	}
	if (args->kind)
		return 0;
	args->kind = "user";
	if (args->name)
		return 0;
	own = getpwuid(getuid());
	args->name = own ? own->pw_name : NULL;
	args->own = args->name;
	return 0;
}

static int print_answer(const struct options *options, const struct maui_fairshare *all)
{
	if (!options->args.name || all->credentials_count != 1 ||
	    maui_cmd_rows_only(&options->common))
		return print_all(&options->common, all);
	print_one(&options->common, all, &all->credentials[0]);
	return MAUI_EXIT_OK;
}

int maui_cmd_share(int argc, char **argv)
{
	struct options options = { .common = { .tool = "maui share", .usage = usage } };
	const struct maui_cmd_flag flags[] = {
		{ 'u', &options.user }, { 'g', &options.group }, { 'a', &options.account },
		{ 'q', &options.qos },  { 'c', &options.class }, { 0, NULL },
	};
	int rc = maui_cmd_flags(&options.common, argc, argv, flags, true);
	struct maui_cmd_answer answer;

	if (options.common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind > 1)
		return maui_cmd_misuse(&options.common, "one NAME at most");
	options.args.name = argv[optind];
	if (choose(&options))
		return maui_cmd_misuse(&options.common, "one of -u, -g, -a, -q, -c at a time");
	rc = maui_cmd_ask_verb(&options.common, &maui_verb_fairshare, &options.args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (options.common.json)
		maui_cmd_answer_print_json(&options.common, &answer);
	else
		rc = print_answer(&options, answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}
