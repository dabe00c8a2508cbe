/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.c - what several options of diagnose print and read */

#include "cmd/diagnose/diagnose.h"

#include <stdio.h>

void maui_diagnose_show_warnings(const char *const *warnings, size_t count)
{
	if (count > 0)
		printf("\n");
	for (size_t i = 0; i < count; i++)
		printf("%s\n", warnings[i]);
}

void maui_diagnose_show_refused(const struct maui_refused *refused, int64_t now_s)
{
	if (refused)
		printf("\n");
	maui_cmd_show_refused(refused, now_s, "");
}

int maui_diagnose_read_job(const struct maui_tool_common *common, const char *name, int64_t *ret)
{
	*ret = maui_cmd_job_id(name);
	return *ret < 0 ? maui_tool_misuse(common, "'%s' is not the number of a job", name) :
			  MAUI_EXIT_OK;
}
