/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.h - what the answer of a change warns of */
#ifndef MAUI_CMD_WARNINGS_H
#define MAUI_CMD_WARNINGS_H

#include "cmd/query.h"
#include "verbs/warnings.h"

/* "setres: warning: ..." on stderr, for each; NULL: none. */
void maui_cmd_warn(const struct maui_tool_common *common, const struct maui_warnings *warned);

#endif
