/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case_state.c - the state file, fairshare windows and statistics: saved, read, and changed
 *
 * What is on the disk must outlive every failure: a file that could not be read for lack of memory
 * is neither set aside nor replaced.
 */

#include "cases.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cycle/fired_triggers.h"
#include "cycle/job_history.h"
#include "cycle/job_reservations.h"
#include "cycle/rsv_lists.h"
#include "state/fsfile.h"
#include "state/statistics.h"
#include "state/store/store.h"
#include "state/usage_view.h"

static char dir[64], path[128];
static struct maui_strbuf text; /* of the state file */
static struct maui_store source, store;
static struct maui_diags diags;

static void append_file(struct maui_strbuf *out, const char *name)
{
	char buf[4096];
	FILE *file = fopen(name, "r");
	size_t got;

	while (file && (got = fread(buf, 1, sizeof(buf), file)) > 0)
		maui_strbuf_add(out, buf, got);
	if (file)
		fclose(file);
}

/* All files of the directory, by name. */
static void show_files(struct maui_strbuf *out)
{
	struct dirent **names;
	int count = scandir(dir, &names, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		char name[400];

		snprintf(name, sizeof(name), "%s/%s", dir, names[i]->d_name);
		if (names[i]->d_name[0] != '.') {
			maui_strbuf_addf(out, "%s:\n", names[i]->d_name);
			append_file(out, name);
		}
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

static void make_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/maui-memory.XXXXXX");
	if (!mkdtemp(dir))
		memory_broken("mkdtemp");
	snprintf(path, sizeof(path), "%s/state.json", dir);
}

static void remove_files(void)
{
	struct dirent *entry;
	DIR *files = opendir(dir);

	while (files && (entry = readdir(files)))
		unlinkat(dirfd(files), entry->d_name, 0);
	if (files)
		closedir(files);
}

static void end_dir(void)
{
	remove_files();
	rmdir(dir);
}

/* ---- the state file ---- */

static void write_state(void)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(text.text, 1, text.length, file) != text.length || fclose(file) != 0)
		memory_broken("%s", path);
}

static void prepare_state(unsigned variant)
{
	const char *top = getenv("top_srcdir");
	struct maui_err err;
	char name[1024];

	(void)variant;
	make_dir();
	snprintf(name, sizeof(name), "%s/testsuite/unit/state-0.1.0.json", top ? top : ".");
	append_file(&text, name);
	if (maui_store_parse(text.text ? text.text : "", text.length, &source, &err))
		memory_broken("%s: %s", name, err.text);
	maui_strbuf_clear(&text);
	maui_store_format(&source, &text);
	write_state();
}

static void end_state(void)
{
	maui_store_finish(&source);
	maui_strbuf_finish(&text);
	end_dir();
}

static int act_load(struct maui_err *err)
{
	return maui_store_load(path, &store, &diags) ? maui_err_no_memory(err) : 0;
}

static void show_store(struct maui_strbuf *out)
{
	maui_store_format(&store, out);
	show_files(out);
	maui_strbuf_addf(out, "%zu errors\n", diags.seen[MAUI_ERROR]);
}

static void drop_store(void)
{
	maui_store_finish(&store);
	store = (struct maui_store){ 0 };
	maui_diags_finish(&diags);
}

static int act_read(struct maui_err *err)
{
	return maui_store_read(path, &store, err);
}

static int act_save(struct maui_err *err)
{
	return maui_store_save(path, &source, err);
}

/* The file is whole, saved or not. */
static void drop_saved(void)
{
	struct maui_strbuf files = { 0 };

	append_file(&files, path);
	if (files.length != text.length || memcmp(files.text, text.text, text.length) != 0)
		memory_broken("the state file is another one");
	maui_strbuf_finish(&files);
	remove_files();
	write_state();
}

/* ---- what is in it, as slurmctld has it ---- */

static struct maui_rsv_lists lists;
static struct maui_job_histories histories;
static struct maui_saved_job_rsvs job_rsvs;
static struct maui_trigger_tracks tracks;

static int act_restore(struct maui_err *err)
{
	if (maui_rsv_lists_from_store(&lists, &source) ||
	    maui_job_histories_from_store(&histories, &source, source.saved_s) ||
	    maui_saved_job_rsvs_from_store(&job_rsvs, &source) ||
	    maui_fired_triggers_from_store(&tracks, &source))
		return maui_err_no_memory(err);
	maui_rsv_lists_to_store(&lists, &store);
	maui_saved_job_rsvs_to_store(&job_rsvs, &store);
	if (maui_job_histories_to_store(&histories, &store) ||
	    maui_fired_triggers_to_store(&tracks, &store))
		return maui_err_no_memory(err);
	return 0;
}

static void show_restored(struct maui_strbuf *out)
{
	maui_store_format(&store, out);
}

static void drop_restored(void)
{
	maui_store_finish(&store);
	store = (struct maui_store){ 0 };
	maui_rsv_lists_finish(&lists);
	maui_job_histories_finish(&histories);
	maui_saved_job_rsvs_finish(&job_rsvs);
	maui_trigger_tracks_finish(&tracks);
}

/* ---- fairshare windows ---- */

static struct maui_usage usage;
static struct maui_usage_view *view;
static struct maui_usage loaded;

static void charge(struct maui_usage *to)
{
	for (int window = 0; window < 3; window++) {
		struct maui_usage_window *w = maui_usage_window(to, 86400 * (1 + window), 86400);

		for (int user = 0; w && user < 40; user++) {
			char name[16];

			snprintf(name, sizeof(name), "user%d", user);
			maui_usage_add(w, MAUI_CRED_USER, name, 100 * user + window);
			w->total += 100 * user + window;
		}
	}
}

static void prepare_usage(unsigned variant)
{
	struct maui_err err;

	(void)variant;
	make_dir();
	charge(&usage);
	for (size_t i = 0; i < usage.count; i++)
		if (maui_fsfile_save(dir, &usage.windows[i], &err))
			memory_broken("%s", err.text);
}

static void end_usage(void)
{
	maui_usage_finish(&usage);
	end_dir();
}

static int act_load_usage(struct maui_err *err)
{
	return maui_fsfile_load_all(dir, 86400, &loaded, &diags) ? maui_err_no_memory(err) : 0;
}

static void show_usage(struct maui_strbuf *out)
{
	for (size_t i = 0; i < loaded.count; i++)
		maui_fsfile_format(&loaded.windows[i], out);
	show_files(out);
}

static void drop_usage(void)
{
	maui_usage_view_unref(view);
	view = NULL;
	maui_usage_finish(&loaded);
	maui_diags_finish(&diags);
}

static int act_save_usage(struct maui_err *err)
{
	for (size_t i = 0; i < usage.count; i++)
		if (maui_fsfile_save(dir, &usage.windows[i], err))
			return -1;
	return 0;
}

static int act_view(struct maui_err *err)
{
	view = maui_usage_view_create(&usage, NULL);
	return !view || maui_usage_restore(view, &loaded) ? maui_err_no_memory(err) : 0;
}

/* A charge without memory is not made, or as a whole. */
static int act_charge(struct maui_err *err)
{
	static const char *const cred[MAUI_CRED_COUNT] = { "ann", "staff", "bio", "high", "batch" };

	for (int window = 0; window < 2; window++) {
		struct maui_usage_window *w =
			maui_usage_window(&loaded, 86400 * (1 + window), 86400);

		if (!w || maui_usage_charge(w, cred, MAUI_CRED_IDS, 100))
			return maui_err_no_memory(err);
	}
	return 0;
}

/* ---- statistics ---- */

static struct maui_statistics statistics;
static struct maui_statistics_view *statistics_view;

static void prepare_statistics(unsigned variant)
{
	(void)variant;
}

static int act_statistics(struct maui_err *err)
{
	static const char *const cred[MAUI_CRED_COUNT] = { "ann", "staff", "bio", "high", "batch" };
	const struct maui_ended_job job = { cred, 4, 7200, 1800, 14400, 1.1, 3, 0, MAUI_CRED_IDS };
	const struct maui_started_job started = { cred, MAUI_CRED_IDS, { 60, 60 } };
	const struct maui_expected expected = { 0 };

	maui_statistics_reset(&statistics, 1000);
	if (maui_statistics_add(&statistics, &job) ||
	    maui_statistics_add_waits(&statistics, &started) ||
	    maui_statistics_add_error(&statistics, "batch", &expected, 4000))
		return maui_err_no_memory(err);
	statistics_view = maui_statistics_view_create(&statistics, NULL);
	return statistics_view ? 0 : maui_err_no_memory(err);
}

static void show_statistics(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "%g jobs, %zu rows, %zu partitions\n",
			 (double)statistics_view->figures.total.value[0], statistics_view->count,
			 statistics_view->error_count);
}

static void drop_statistics(void)
{
	maui_statistics_view_unref(statistics_view);
	statistics_view = NULL;
	maui_statistics_finish(&statistics);
	statistics = (struct maui_statistics){ 0 };
}

static void end_nothing(void)
{
}

const struct memory_case memory_state_cases[] = {
	{ "state-load", prepare_state, 1, act_load, show_store, drop_store, end_state },
	{ "state-read", prepare_state, 1, act_read, show_store, drop_store, end_state },
	{ "state-save", prepare_state, 1, act_save, show_files, drop_saved, end_state },
	{ "restore", prepare_state, 1, act_restore, show_restored, drop_restored, end_state },
	{ "windows-load", prepare_usage, 1, act_load_usage, show_usage, drop_usage, end_usage },
	{ "windows-save", prepare_usage, 1, act_save_usage, show_files, drop_usage, end_usage },
	{ "windows-view", prepare_usage, 1, act_view, show_usage, drop_usage, end_usage },
	{ "windows-charge", prepare_usage, 1, act_charge, show_usage, drop_usage, end_usage },
	{ "statistics", prepare_statistics, 1, act_statistics, show_statistics, drop_statistics,
	  end_nothing },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};
