/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.c - reads FS.<epoch> files and writes those with use again */

#include "cmd/migrate/history.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/need.h"
#include "state/fsfile.h"

static void count_window(struct maui_history *history, const struct maui_usage_window *window)
{
	if (window->entries.used > history->names)
		history->names = window->entries.used;
	if (history->windows == 0 || window->start_s < history->first_s)
		history->first_s = window->start_s;
	if (history->windows == 0 || window->start_s > history->last_s) {
		history->last_s = window->start_s;
		history->interval_s = window->interval_s;
	}
	history->windows++;
}

/* One file: read, counted and written. -1: the copy cannot be written. */
static int copy_file(const char *path, const char *to, struct maui_usage_window *window,
		     struct maui_history *history, struct maui_diags *diags, struct maui_err *err)
{
	struct maui_err fault = { .text = "" };
	char *text;
	size_t length;
	int rc = 0;

	if (maui_file_read(path, MAUI_FS_FILE_MAX_BYTES, &text, &length, &fault)) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "%s", fault.text);
		return 0;
	}
	maui_fsfile_parse(path, text, length, window, diags);
	free(text);
	if (window->total <= 0 && window->entries.used == 0)
		return 0;
	count_window(history, window);
	if (to)
		rc = maui_fsfile_save(to, window, err);
	return rc;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_window(const struct dirent *entry)
{
	return maui_fsfile_start(entry->d_name) >= 0;
}

int maui_history_copy(const char *from, const char *to, int64_t default_interval_s,
		      struct maui_history *ret, struct maui_diags *diags, struct maui_err *err)
{
	struct dirent **list = NULL;
	int count = scandir(from, &list, is_window, by_name), rc = 0;

	*ret = (struct maui_history){ 0 };
	if (count < 0 && errno == ENOENT)
		return 0;
	if (count < 0) {
		maui_err_errno(err, "%s", from);
		return -1;
	}
	if (count > 0 && to)
		rc = maui_file_mkdir(to, err);
	for (int i = 0; i < count; i++) {
		struct maui_usage_window window = {
			.start_s = maui_fsfile_start(list[i]->d_name),
			.interval_s = default_interval_s,
		};
		char *path = maui_need_text("%s/%s", from, list[i]->d_name);

		if (rc == 0)
			rc = copy_file(path, to, &window, ret, diags, err);
		free(path);
		maui_usage_window_finish(&window);
		free(list[i]);
	}
	free(list);
	return rc;
}
