/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cred.c - names of the kinds of credential */

#include "model/cred.h"

#include <strings.h>

const char *const maui_cred_names[MAUI_CRED_COUNT + 1] = {
	[MAUI_CRED_USER] = "user", [MAUI_CRED_GROUP] = "group", [MAUI_CRED_ACCOUNT] = "account",
	[MAUI_CRED_QOS] = "qos",   [MAUI_CRED_CLASS] = "class",
};

const char *maui_cred_name(enum maui_cred_kind kind)
{
	return kind < MAUI_CRED_COUNT ? maui_cred_names[kind] : "?";
}

enum maui_cred_kind maui_cred_parse(const char *text)
{
	if (strcasecmp(text, "acct") == 0)
		return MAUI_CRED_ACCOUNT;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (strcasecmp(text, maui_cred_names[k]) == 0)
			return (enum maui_cred_kind)k;
	return MAUI_CRED_COUNT;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

void maui_cred_fold_account(char *name)
{
	for (; *name != '\0'; name++)
		if (is_upper(*name))
			*name = (char)(*name - 'A' + 'a');
}

bool maui_cred_is_folded(const char *name)
{
	while (*name != '\0' && !is_upper(*name))
		name++;
	return *name == '\0';
}
