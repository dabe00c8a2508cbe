/* SPDX-License-Identifier: GPL-2.0-or-later */
/* migration.h - one run of maui migrate: what was read, what it becomes, what is printed of it
 *
 * Rules: CMD-20.
 */
#ifndef MAUI_CMD_MIGRATE_MIGRATION_H
#define MAUI_CMD_MIGRATE_MIGRATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cmd/migrate/history.h"
#include "config/config.h"
#include "config/schema/schema.h"
#include "record/record.h"

struct maui_tool_common;

struct maui_migration_lines {
	char **items;
	size_t count, alloc;
};

#define MAUI_MIGRATION_ROW_FIELDS(F, R)                                                  \
	F(R, TEXT, file, "")                                                             \
	F(R, INT, line, "")                                                              \
	F(R, TEXT, name, "of the setting: `USERCFG[amy] MAXJOB`")                        \
	F(R, TEXT, value, "in Maui's file")                                              \
	F(R, TEXT, new_value, "in the new maui.cfg; null: the same, or it is not there") \
	F(R, TEXT, status, "honoured, honoured in part, without effect, error ...")      \
	F(R, TEXT, note, "")                                                             \
	F(R, TEXT, slurm, "a line of slurm.conf or a command; null: none")
MAUI_RECORD(maui_migration_row, MAUI_MIGRATION_ROW_FIELDS);

struct maui_migration {
	const struct maui_tool_common *common;
	const char *from, *output; /* output NULL: report only */
	bool force;                /* files that are there are replaced */
	char *home;                /* of the statistics, unless STATDIR says otherwise */
	char *path, *stats;        /* of maui.cfg or moab.cfg; of the statistics directory */
	struct maui_config *config;
	bool of_moab;                     /* the file is Moab's, by its name or by SCHEDCFG[Moab] */
	struct maui_diags diags;          /* of maui.cfg */
	struct maui_diags history_diags;  /* of the fairshare files */
	size_t counts[MAUI_STATUS_COUNT]; /* of settings that are whole */
	struct maui_migration_lines lines, commands; /* of slurm.conf; of sacctmgr */
	struct maui_history history;
	int left;                        /* errors that the new file still has */
	size_t rewritten;                /* settings whose times get a third field */
	size_t two_fields;               /* times of two fields, with those for slurm.conf */
	size_t without_effect;           /* settings of which config check says so, not counted */
	size_t warned;                   /* honoured settings of which config check warns */
	struct maui_migration_row *rows; /* with --json: one for each setting */
	size_t row_count;
	struct maui_arena arena; /* of texts of the rows, and of errors */
};

/* report.c: prints the status of each setting, and collects the lines that Slurm needs. */
void maui_migration_report(struct maui_migration *m);
/* summary.c: counts, and what the administrator has to do. */
void maui_migration_print_summary(const struct maui_migration *m);
void maui_migration_print_json(struct maui_migration *m);
/* What stopped the run, on stderr, and with --json as an object with errors on stdout. */
void maui_migration_print_failure(const struct maui_migration *m, const char *text);
/* Errors of maui.cfg, and warnings about lines of which no setting came: unknown parameters. */
void maui_migration_print_faults(const struct maui_migration *m);

#endif
