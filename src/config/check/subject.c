/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subject.c - what a setting is called, and which row of the schema it is of */

#include "config/check/private.h"

#include <stdio.h>
#include <string.h>

char *maui_check_subject(const struct maui_setting *s, char *buf)
{
	bool indexed = s->index && *s->index != '\0';
	int length = snprintf(buf, MAUI_SUBJECT_SIZE, "%s%s%s%s%s%s", s->param->name,
			      indexed ? "[" : "", indexed ? s->index : "", indexed ? "]" : "",
			      s->attr ? " " : "", s->attr ? s->attr->name : "");

	if (length >= MAUI_SUBJECT_SIZE)
		strcpy(buf + MAUI_SUBJECT_SIZE - sizeof("..."), "...");
	return buf;
}

const struct maui_param *maui_check_row(const struct maui_setting *s)
{
	return s->attr && s->param->status == MAUI_HONOURED ? s->attr :
	       s->attr && s->attr->status != MAUI_HONOURED  ? s->attr :
							      s->param;
}

enum maui_cred_kind maui_check_kind(const struct maui_setting *s)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (s->param->family == 1u << k)
			return (enum maui_cred_kind)k;
	return MAUI_CRED_COUNT;
}

bool maui_check_is_cap(const struct maui_setting *s)
{
	size_t length = strlen(s->value);

	return strcmp(s->attr->name, "FSCAP") == 0 ||
	       (length > 0 && strchr("%^", s->value[length - 1]));
}
