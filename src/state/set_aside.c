/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_aside.c - state files that were damaged and renamed at a start */

#include "state/set_aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct maui_diag_place maui_set_aside_place(const char *path, const char *file)
{
	return (struct maui_diag_place){ .file = path,
					 .kind = file ? MAUI_SET_ASIDE : 0,
					 .name = file };
}

static int add(struct maui_set_aside *list, const struct maui_diag *diag)
{
	/* what else is lost is said in lines of their own, which go with this one */
	const char *until =
		diag->severity == MAUI_ERROR ? " (this line stays until that file is removed)" : "";
	char *file = strdup(diag->name), *text;

	if (!file || asprintf(&text, "%s: %s%s", diag->file, diag->text, until) < 0) {
		free(file);
		return -1;
	}
	list->texts[list->count] = text;
	list->files[list->count++] = file;
	return 0;
}

int maui_set_aside_list(const struct maui_diags *diags, struct maui_set_aside *ret)
{
	struct maui_set_aside list = { .texts = calloc(diags->count + 1, sizeof(*list.texts)),
				       .files = calloc(diags->count + 1, sizeof(*list.files)) };
	int rc = list.texts && list.files ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < diags->count; i++)
		if (diags->list[i].kind == MAUI_SET_ASIDE)
			rc = diags->list[i].name ? add(&list, &diags->list[i]) : -1;
	if (rc)
		maui_set_aside_finish(&list);
	else
		*ret = list;
	return rc;
}

static bool is_gone(const char *file)
{
	struct stat st;

	return lstat(file, &st) != 0 && errno == ENOENT;
}

void maui_set_aside_look_again(struct maui_set_aside *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (is_gone(list->files[i])) {
			free(list->texts[i]);
			free(list->files[i]);
			continue;
		}
		list->texts[kept] = list->texts[i];
		list->files[kept++] = list->files[i];
	}
	list->count = kept;
}

void maui_set_aside_finish(struct maui_set_aside *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->texts[i]);
		free(list->files[i]);
	}
	free(list->texts);
	free(list->files);
	*list = (struct maui_set_aside){ 0 };
}
