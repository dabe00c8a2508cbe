/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_migrate.c - maui migrate: from a site's Maui to slurm-maui
 *
 * In: Maui's home directory. Out: a report of each line of its maui.cfg, and with --output a new
 * maui.cfg, the lines that slurm.conf needs, and the fairshare history.
 *
 * Rules: CMD-20.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/trust.h"
#include "cmd/cmd.h"
#include "base/masked.h"
#include "base/need.h"
#include "cmd/migrate/migration.h"
#include "cmd/migrate/new_config.h"
#include "cmd/query.h"
#include "config/config.h"

static const struct maui_option known[] = {
	MAUI_TEXT(
		'o', "output", "DIR", maui_migration, output,
		"write DIR/maui.cfg, DIR/slurm.conf.add and DIR/maui/FS.* (readable for all); none "
		"that is there already is replaced"),
	MAUI_FLAG('f', "force", maui_migration, force,
		  "replace maui.cfg and slurm.conf.add in DIR; each stays as NAME.old"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui migrate MAUI_DIR [--output DIR [--force]] [--json]",
	.about = "Reads maui.cfg and the fairshare files of a Maui in MAUI_DIR (usually "
		 "/usr/local/maui), or moab.cfg of a Moab (usually /opt/moab, in etc/), and prints "
		 "the status of each line: honoured, different, belongs to slurm.conf (with that "
		 "line), not supported. Then it says what is left to do. MAUI_DIR may be the file "
		 "itself. It is not changed.",
	.options = known,
	.operands = 1,
	.missing = "name Maui's directory",
	.json = "print the report as JSON",
	.notes = "Exit status: 0 done, 1 maui.cfg or a fairshare file has errors, 2 usage.",
};

static void free_list(struct maui_migration_lines *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
}

static int fail(const struct maui_migration *m, const char *text)
{
	maui_migration_print_failure(m, text);
	return MAUI_EXIT_ERROR;
}

/* ---- what is written ---- */

static int write_output(const struct maui_migration *m, const char *name,
			const struct maui_strbuf *text)
{
	struct maui_err err = { .text = "" };
	char *path = maui_need_text("%s/%s", m->output, name);
	int rc;

	if (text->failed)
		maui_out_of_memory();
	/* nothing in it is secret, and SlurmUser reads a copy of it */
	rc = maui_file_write_as(path, text->text, text->length, 1, 0644, &err);
	free(path);
	return rc ? fail(m, err.text) : MAUI_EXIT_OK;
}

static int write_slurm_lines(const struct maui_migration *m)
{
	struct maui_strbuf text = { 0 };
	int rc;

	maui_strbuf_addf(
		&text,
		"# Made by maui migrate. Merge these lines into slurm.conf: where slurm.conf "
		"has the parameter already,\n# decide which value is right. Add the words of "
		"a PartitionName or NodeName line to the line that slurm.conf\n# has. A "
		"DEFAULT line stands before the others: it holds for those behind it.\n");
	for (size_t i = 0; i < m->lines.count; i++)
		maui_strbuf_addf(&text, "%s\n", m->lines.items[i]);
	maui_strbuf_addf(&text,
			 "# At the switch, not for a trial:\n#   SchedulerType=sched/maui\n");
	if (m->commands.count > 0)
		maui_strbuf_addf(&text, "# To be run where slurmdbd is in use:\n");
	for (size_t i = 0; i < m->commands.count; i++)
		maui_strbuf_addf(&text, "#   %s\n", m->commands.items[i]);
	rc = write_output(m, "slurm.conf.add", &text);
	maui_strbuf_finish(&text);
	return rc;
}

/* Where others may write, they could put links in the way of root's files. */
static int check_output(const struct maui_migration *m, const char *path, bool may_be_missing)
{
	struct maui_err why = { .text = "" }, err = { .text = "" };

	if (maui_trust_directory(path, may_be_missing, &why) == 0)
		return MAUI_EXIT_OK;
	maui_err_set(&err, "%s; --output needs a directory that only you can change", why.text);
	return fail(m, err.text);
}

static int make_output(const struct maui_migration *m)
{
	struct maui_err err = { .text = "" };

	if (check_output(m, m->output, true) != MAUI_EXIT_OK)
		return MAUI_EXIT_ERROR;
	if (maui_file_mkdir(m->output, &err))
		return fail(m, err.text);
	return check_output(m, m->output, false);
}

static int write_files(struct maui_migration *m)
{
	struct maui_strbuf text = { 0 };
	int rc;

	if (m->output && make_output(m) != MAUI_EXIT_OK)
		return MAUI_EXIT_ERROR;
	m->left = maui_new_config(m->config, m->of_moab, &text);
	rc = m->output ? write_output(m, "maui.cfg", &text) : MAUI_EXIT_OK;
	maui_strbuf_finish(&text);
	return rc == MAUI_EXIT_OK && m->output ? write_slurm_lines(m) : rc;
}

/* What an administrator has corrected since the last run is not overwritten unasked. */
static int refuse_to_replace(const struct maui_migration *m)
{
	static const char *const names[] = { "maui.cfg", "slurm.conf.add" };
	struct maui_err err = { .text = "" };
	struct stat found;

	for (size_t i = 0; i < 2 && m->output && !m->force; i++) {
		char *path = maui_need_text("%s/%s", m->output, names[i]);

		if (lstat(path, &found) == 0)
			maui_err_set(&err, "%s is there already; --force replaces it", path);
		free(path);
		if (*err.text)
			return fail(m, err.text);
	}
	return MAUI_EXIT_OK;
}

static int copy_history(struct maui_migration *m)
{
	struct maui_err err = { .text = "" };
	char *to = m->output ? maui_need_text("%s/maui", m->output) : NULL;
	int rc;

	if (to && check_output(m, to, true) != MAUI_EXIT_OK) {
		free(to);
		return MAUI_EXIT_ERROR;
	}
	rc = maui_history_copy(m->stats, to, m->config->fs_interval_s, &m->history,
			       &m->history_diags, &err);
	free(to);
	return rc ? fail(m, err.text) : MAUI_EXIT_OK;
}

/* ---- the command ---- */

/* Whether --output is MAUI_DIR itself: its maui.cfg would be lost. */
static bool is_same_directory(const char *a, const char *b)
{
	struct stat one, two;

	return b && stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

/* STATDIR, relative to Maui's directory, as Maui reads it. */
static char *find_stats(const struct maui_migration *m)
{
	const char *dir = "stats";

	for (size_t i = 0; i < m->config->setting_count; i++)
		if (strcmp(m->config->settings[i].param->name, "STATDIR") == 0)
			dir = m->config->settings[i].value;
	return *dir == '/' ? maui_need_copy(dir) : maui_need_text("%s/%s", m->home, dir);
}

/* The part of a path before its last name. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !slash        ? maui_need_copy(".") :
	       slash == path ? maui_need_copy("/") :
			       maui_need_text("%.*s", (int)(slash - path), path);
}

/* Moab keeps moab.cfg in etc/ of its directory, and stats/ beside etc/. */
static char *find_home(const char *path)
{
	char *directory = directory_of(path), *parent;
	const char *slash = strrchr(directory, '/');

	if (strcmp(slash ? slash + 1 : directory, "etc") != 0)
		return directory;
	parent = slash ? directory_of(directory) : maui_need_copy(".");
	free(directory);
	return parent;
}

/* MAUI_DIR is a file, or has one of these; else the path is that of the first. */
static void find_config(struct maui_migration *m)
{
	static const char *const names[] = { "maui.cfg", "moab.cfg", "etc/maui.cfg",
					     "etc/moab.cfg" };
	struct stat found;

	if (stat(m->from, &found) == 0 && S_ISREG(found.st_mode))
		m->path = maui_need_copy(m->from);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !m->path; i++) {
		m->path = maui_need_text("%s/%s", m->from, names[i]);
		if (stat(m->path, &found) == 0)
			break;
		free(m->path);
		m->path = NULL;
	}
	if (!m->path)
		m->path = maui_need_text("%s/%s", m->from, names[0]);
	m->home = find_home(m->path);
}

static int migrate(struct maui_migration *m)
{
	const struct maui_config_context context = { .require_settings = true,
						     .keep_faulty = true };
	int rc = refuse_to_replace(m);

	if (rc != MAUI_EXIT_OK)
		return rc;
	m->config = maui_config_load(m->path, &context, &m->diags);
	if (!m->config && m->common->json)
		return fail(m, "maui.cfg or moab.cfg cannot be read");
	if (!m->config) {
		maui_migration_print_faults(m);
		return MAUI_EXIT_ERROR;
	}
	m->stats = find_stats(m);
	maui_migration_report(m);
	rc = write_files(m);
	if (rc == MAUI_EXIT_OK)
		rc = copy_history(m);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (m->common->json) {
		maui_migration_print_json(m);
	} else {
		maui_migration_print_faults(m);
		maui_migration_print_summary(m);
	}
	return m->diags.seen[MAUI_ERROR] + m->history_diags.seen[MAUI_ERROR] > 0 ? MAUI_EXIT_ERROR :
										   MAUI_EXIT_OK;
}

static void finish(struct maui_migration *m)
{
	free(m->home);
	free(m->path);
	free(m->stats);
	maui_config_unref(m->config);
	maui_diags_finish(&m->diags);
	maui_diags_finish(&m->history_diags);
	free_list(&m->lines);
	free_list(&m->commands);
	free(m->rows);
	maui_arena_finish(&m->arena);
}

static int run_migrate(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui migrate", .command = &command };
	struct maui_migration m = { .common = &common };
	int rc = maui_cmd_read(&common, &m, argc, argv);

	if (common.done)
		return rc;
	maui_mask_stream(&stdout, STDOUT_FILENO);
	m.from = *common.operands;
	find_config(&m);
	if (is_same_directory(m.from, m.output) || is_same_directory(m.home, m.output)) {
		maui_migration_print_failure(&m, "--output is MAUI_DIR: name another directory");
		rc = MAUI_EXIT_USAGE;
	} else {
		rc = migrate(&m);
	}
	finish(&m);
	return rc;
}

MAUI_SUBCOMMAND(migrate, "read the maui.cfg and fairshare files of a Maui");
