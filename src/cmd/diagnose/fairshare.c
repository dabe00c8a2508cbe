/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - diagnose -f: usage in each window and targets, in Maui's layout
 *
 * Rules: CMD-26.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/need.h"
#include "cmd/diagnose/diagnose.h"
#include "verbs/fairshare.h"

/* Type stands before Maui's columns when only rows are wanted: no section names the kind then. */
enum { TYPE, NAME, PERCENT, TARGET, WINDOWS };

static const struct {
	const char *kind, *title;
} sections[] = {
	{ "user", "USER" }, { "group", "GROUP" }, { "account", "ACCT" },
	{ "qos", "QOS" },   { "class", "CLASS" },
};
enum { SECTIONS = sizeof(sections) / sizeof(sections[0]), CELL = 32 };

struct layout {
	struct maui_table *table;
	struct maui_column *columns;
	char (*titles)[CELL];
	char (*cells)[CELL];
	const char **row;
	size_t windows;
	bool rows_only;
};

/* A row of empty cells but for its name. */
static void begin_row(struct layout *l, const char *name)
{
	for (size_t i = 0; i < WINDOWS + l->windows; i++) {
		l->cells[i][0] = '\0';
		l->row[i] = l->cells[i];
	}
	l->row[NAME] = name;
}

static void end_row(struct layout *l)
{
	maui_table_add(l->table, l->rows_only ? l->row : l->row + NAME);
}

static void add_weights(struct layout *l, const struct maui_fairshare *all)
{
	begin_row(l, "FSWeight");
	l->row[PERCENT] = l->row[TARGET] = "-------";
	for (size_t i = 0; i < l->windows; i++)
		snprintf(l->cells[WINDOWS + i], CELL, "%.4f", all->windows[i].weight);
	end_row(l);
	begin_row(l, "TotalUsage");
	l->row[PERCENT] = "100.00";
	l->row[TARGET] = "-------";
	for (size_t i = 0; i < l->windows; i++)
		snprintf(l->cells[WINDOWS + i], CELL, "%.1f", all->windows[i].total / 3600);
	end_row(l);
}

/* "25.00+"; a cap in processor-seconds is a whole number. */
static void print_target(const struct maui_fairshare_target *target, char *buf)
{
	if (!target)
		snprintf(buf, CELL, "-------");
	else
		snprintf(buf, CELL, *target->suffix == '^' ? "%.0f%s" : "%.2f%s", target->value,
			 target->suffix);
}

static void add_credential(struct layout *l, const struct maui_fairshare_credential *one,
			   const char *type)
{
	char name[MAUI_NAME_MAX + 2];

	snprintf(name, sizeof(name), "%s%s", one->name, one->off_target ? "*" : "");
	begin_row(l, name);
	l->row[TYPE] = type;
	snprintf(l->cells[PERCENT], CELL, "%.2f", one->percent);
	print_target(one->target, l->cells[TARGET]);
	for (size_t i = 0; i < l->windows; i++) {
		double value = i < one->used_count ? one->used[i] : 0;

		snprintf(l->cells[WINDOWS + i], CELL, value > 0 ? "%.2f" : "-------", value / 3600);
	}
	end_row(l);
}

static void add_section(struct layout *l, const struct maui_fairshare *all, size_t section)
{
	size_t found = 0;

	for (size_t i = 0; i < all->credentials_count; i++) {
		const struct maui_fairshare_credential *one = &all->credentials[i];

		if (strcmp(one->kind, sections[section].kind) != 0)
			continue;
		if (found++ == 0 && !l->rows_only) {
			begin_row(l, "");
			end_row(l);
			begin_row(l, sections[section].title);
			end_row(l);
			begin_row(l, "-------------");
			end_row(l);
		}
		add_credential(l, one, sections[section].title);
	}
}

static void print_head(const struct maui_fairshare *all)
{
	const struct maui_fairshare_weights *weights = all->weights;
	char interval[MAUI_DURATION_SIZE];

	printf("FairShare Information\n\n");
	printf("Depth: %" PRId64 " intervals   Interval Length: %s   Decay Rate: %.2f\n\n",
	       all->depth, maui_duration_as_maui(all->interval, interval, sizeof(interval)),
	       all->decay);
	printf("FS Policy: %s%s\n", all->policy, all->ratio ? "%" : "");
	printf("System FS Settings:  Target Usage: 0.00    Flags: 0\n");
	printf("FS Weights:  FSWEIGHT %g  USER %g  GROUP %g  ACCOUNT %g  QOS %g  CLASS %g\n\n",
	       weights->component, weights->user, weights->group, weights->account, weights->qos,
	       weights->class);
}

static int make_layout(struct layout *l, const struct maui_tool_common *common,
		       const struct maui_fairshare *all)
{
	l->windows = all->windows_count;
	l->rows_only = maui_tool_rows_only(common);
	l->columns = maui_need_list(WINDOWS + l->windows, sizeof(*l->columns));
	l->titles = maui_need_list(l->windows, sizeof(*l->titles));
	l->cells = maui_need_list(WINDOWS + l->windows, sizeof(*l->cells));
	l->row = maui_need_list(WINDOWS + l->windows, sizeof(*l->row));
	l->columns[TYPE].title = "Type";
	l->columns[NAME].title = "FSInterval";
	l->columns[PERCENT] = (struct maui_column){ "%", true };
	l->columns[TARGET] = (struct maui_column){ "Target", true };
	for (size_t i = 0; i < l->windows; i++) {
		snprintf(l->titles[i], CELL, "%zu", i);
		l->columns[WINDOWS + i] = (struct maui_column){ l->titles[i], true };
	}
	l->table = maui_tool_table(common, l->rows_only ? l->columns : l->columns + NAME,
				   WINDOWS + l->windows - (l->rows_only ? 0 : NAME));
	return l->table ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}

static void print_notes(const struct maui_fairshare *all)
{
	if (all->hidden)
		printf("\nPrivateData=usage hides the usage of others.\n");
	if (all->left_out > 0)
		printf("\n%" PRId64 " names with less usage are left out.\n", all->left_out);
	if (all->partition_weights)
		printf("\nSome partitions have weights of their own: maui config show.\n");
}

static int print_fairshare(const struct maui_tool_common *common, const void *options,
			   const void *record)
{
	const struct maui_fairshare *all = record;
	struct layout l = { 0 };
	int rc = make_layout(&l, common, all);

	(void)options;
	if (rc == MAUI_EXIT_OK) {
		if (!l.rows_only) {
			print_head(all);
			add_weights(&l, all);
		}
		for (size_t i = 0; i < SECTIONS; i++)
			add_section(&l, all, i);
		maui_tool_print_table(common, l.table);
		if (!l.rows_only)
			print_notes(all);
	}
	free(l.columns);
	free(l.titles);
	free(l.cells);
	free(l.row);
	return rc;
}

int maui_diagnose_fairshare(const struct maui_tool_common *common, const char *name)
{
	const struct maui_fairshare_args args = { .name = name };

	return maui_cmd_show(common, &maui_verb_fairshare, &args, print_fairshare, NULL);
}
