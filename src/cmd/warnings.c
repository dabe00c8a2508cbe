/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.c - what the answer of a change warns of */

#include "cmd/warnings.h"

#include <stdio.h>

void maui_cmd_warn(const struct maui_tool_common *common, const struct maui_warnings *warned)
{
	for (size_t i = 0; warned && i < warned->warnings_count; i++)
		fprintf(stderr, "%s: warning: %s\n", common->tool, warned->warnings[i]);
}
