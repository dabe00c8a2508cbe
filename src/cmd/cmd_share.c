/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_share.c - maui share: usage against the fairshare target, and when it is met again
 *
 * Rules: CMD-26, CMD-27.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "base/user.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "model/when.h"
#include "verbs/fairshare.h"

static const struct maui_option options[] = {
	MAUI_CHOICE('u', NULL, maui_fairshare_args, kind, "user", NULL),
	MAUI_CHOICE('g', NULL, maui_fairshare_args, kind, "group", NULL),
	MAUI_CHOICE('a', NULL, maui_fairshare_args, kind, "account", NULL),
	MAUI_CHOICE('q', NULL, maui_fairshare_args, kind, "qos", NULL),
	MAUI_CHOICE('c', NULL, maui_fairshare_args, kind, "class",
		    "NAME is a user, group, account, QOS or class (partition); without NAME: all "
		    "of this kind, one a line"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui share [-u|-g|-a|-q|-c] [NAME] [-o COLUMN,...] [--noheader] [--json]",
	.about = "Shows what a user used in the fairshare windows, the target, what this does to "
		 "the priority of jobs now, and when usage is back at the target. Without NAME: "
		 "your own share.",
	.options = options,
	.table = true,
	.operands = 1,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such NAME.",
};

enum { CELL = 48 };

/* ---- one credential ---- */

static void print_windows(const struct maui_tool_common *common, const struct maui_fairshare *all,
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
	maui_tool_print_table(common, table);
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
		       maui_moment_spoken(when_s, MAUI_NOT_BEFORE, all->time, buf, sizeof(buf)));
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
		 one->rate, all->rate, maui_plural(all->rate));
	if (one->rate > 0 || !forecast->above)
		print_moment(condition, forecast->at_present_rate, all);
	if (forecast->above)
		print_moment("if you run nothing", forecast->running_nothing, all);
}

static void print_one(const struct maui_tool_common *common, const struct maui_fairshare *all,
		      const struct maui_fairshare_credential *one)
{
	const char *target = one->target ? one->target->kind : "";

	if (strcmp(all->policy, "NONE") == 0) {
		printf("FSPOLICY is NONE: the usage of %s %s is not charged, and targets have no "
		       "effect.\n",
		       one->kind, one->name);
		return;
	}
	printf("Share of %s", one->kind);
	printf(" %s", one->name);
	printf(", in processor-hours\n\n");
	print_windows(common, all, one);
	printf("\nEffective usage: %.2f of %.2f processor-hours, %.2f %%\n", one->effective / 3600,
	       all->total / 3600, one->percent);
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

static bool any_off_target(const struct maui_fairshare *all)
{
	for (size_t i = 0; i < all->credentials_count; i++)
		if (all->credentials[i].off_target && !all->credentials[i].held)
			return true;
	return false;
}

static int print_all(const struct maui_tool_common *common, const struct maui_fairshare *all)
{
	static const struct maui_column columns[] = {
		{ "Name", false }, { "%", true },        { "Target", true }, { "Hours", true },
		{ "Procs", true }, { "Priority", true }, { "State", false },
	};
	struct maui_table *table =
		maui_tool_table(common, columns, sizeof(columns) / sizeof(columns[0]));

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < all->credentials_count; i++)
		add_row(table, &all->credentials[i]);
	maui_tool_print_table(common, table);
	if (!maui_tool_rows_only(common) && any_off_target(all))
		printf("\noff target: more than 5 points from a plain target, below a floor (+) or "
		       "above a ceiling (-)\n");
	if (!maui_tool_rows_only(common) && all->hidden)
		printf("\nPrivateData=usage hides the usage of others.\n");
	return MAUI_EXIT_OK;
}

/* ---- both ---- */

/* Without a kind and a name: the caller, with this name. */
static void complete(struct maui_fairshare_args *args, char *own, size_t size)
{
	if (args->kind)
		return;
	args->kind = "user";
	if (args->name)
		return;
	maui_user_own_counted_name(own, size);
	args->name = own;
	args->own = true;
}

static int print_answer(const struct maui_tool_common *common, const void *args, const void *record)
{
	const struct maui_fairshare *all = record;

	if (!((const struct maui_fairshare_args *)args)->name || all->credentials_count != 1 ||
	    maui_tool_rows_only(common))
		return print_all(common, all);
	print_one(common, all, &all->credentials[0]);
	return MAUI_EXIT_OK;
}

static int run_share(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui share", .command = &command };
	struct maui_fairshare_args args = { 0 };
	int rc = maui_cmd_read(&common, &args, argc, argv);
	char own[256];

	if (common.done)
		return rc;
	args.name = *common.operands;
	complete(&args, own, sizeof(own));
	return maui_cmd_show(&common, &maui_verb_fairshare, &args, print_answer, &args);
}

MAUI_SUBCOMMAND(share, "usage against fairshare targets, and until when");
