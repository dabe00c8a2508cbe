/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setres.h - the line of setres, also for a command that only asks what it would do */
#ifndef MAUI_CMD_SETRES_H
#define MAUI_CMD_SETRES_H

#include <stdbool.h>

#include "base/arena.h"
#include "verbs/setres.h"

enum { MAUI_SETRES_WARNINGS = 2 };

/* What the line asks for; zeroed nothing. Texts are the arena's. */
struct maui_setres_ask {
	struct maui_setres_args args;
	struct maui_label *attributes; /* args.attributes; values of one attribute stand together */
	size_t attribute_alloc;
	const char *warnings[MAUI_SETRES_WARNINGS]; /* of the line */
	size_t warning_count;
	struct maui_arena arena;
};

/* Options and resources as setres takes them; argv[0] is overwritten. Prints errors. Returns an
 * exit status. The caller finishes *ret either way. */
int maui_setres_read(const char *tool, int argc, char **argv, struct maui_setres_ask *ret);
void maui_setres_ask_finish(struct maui_setres_ask *ask);

#endif
