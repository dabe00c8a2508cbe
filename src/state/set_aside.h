/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_aside.h - state files that were damaged and renamed at a start
 *
 * In: what the readers of the state files said (fsfile.h, store/store.h). Out: texts for showstate,
 * until an administrator removes the file.
 *
 * Rules: CMD-49.
 */
#ifndef MAUI_STATE_SET_ASIDE_H
#define MAUI_STATE_SET_ASIDE_H

#include <stddef.h>

#include "base/diag.h"

/* The kind of a diagnostic about a file that was renamed, or about what that file's loss means. The
 * diagnostic's name is the file's new name. */
enum { MAUI_SET_ASIDE = 1 };

/* The place of a diagnostic about `path`, which was renamed `file`, or which was read in place of
 * that file. `file` NULL: no file was renamed. */
struct maui_diag_place maui_set_aside_place(const char *path, const char *file);

/* A zeroed struct is an empty list. */
struct maui_set_aside {
	char **texts;
	char **files; /* their new names */
	size_t count;
};

/* Lists the diagnostics of this kind. -1 without memory. */
int maui_set_aside_list(const struct maui_diags *diags, struct maui_set_aside *ret);
/* Drops the texts about files that an administrator has removed or renamed. */
void maui_set_aside_look_again(struct maui_set_aside *list);
void maui_set_aside_finish(struct maui_set_aside *list);

#endif
