/* SPDX-License-Identifier: GPL-2.0-or-later */
/* creds.c - objects by name: a sorted list with a hash index */

#include "config/creds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"

void maui_cred_config_finish(struct maui_cred_config *cred)
{
	free(cred->name);
	free(cred->qdef);
	free(cred->use_reserved);
	maui_words_finish(&cred->qlist);
	maui_pair_limits_finish(&cred->pair_limits);
}

void maui_creds_finish(struct maui_creds *creds)
{
	for (size_t i = 0; i < creds->count; i++)
		maui_cred_config_finish(&creds->list[i]);
	free(creds->list);
	maui_hashtable_finish(&creds->table);
}

static bool has_name(const void *value, const void *name)
{
	return strcmp(((const struct maui_cred_config *)value)->name, name) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_cred_config *)a)->name,
		      ((const struct maui_cred_config *)b)->name);
}

int maui_creds_index(struct maui_creds *creds)
{
	if (creds->count > 0)
		qsort(creds->list, creds->count, sizeof(*creds->list), by_name);
	for (size_t i = 0; i < creds->count; i++)
		if (maui_hashtable_add(&creds->table, maui_hash_text(creds->list[i].name, 0),
				       &creds->list[i]))
			return -1;
	return 0;
}

static const struct maui_cred_config *find_name(const struct maui_creds *creds, const char *name)
{
	const struct maui_cred_config *cred =
		maui_hashtable_find(&creds->table, maui_hash_text(name, 0), has_name, name);

	return cred ? cred : &creds->unnamed;
}

/* A function of its own: every call clears the array (-ftrivial-auto-var-init=zero), and most names
 * need none. */
static const struct maui_cred_config *find_folded(const struct maui_creds *creds, const char *name)
{
	char folded[MAUI_NAME_MAX + 1];

	snprintf(folded, sizeof(folded), "%s", name);
	maui_cred_fold_account(folded);
	return find_name(creds, folded);
}

const struct maui_cred_config *maui_creds_find(const struct maui_creds *creds,
					       enum maui_cred_kind kind, const char *name)
{
	static const struct maui_cred_config nothing;

	if (!name || *name == '\0')
		return &nothing;
	if (strcmp(name, "DEFAULT") == 0)
		/* an account named DEFAULT does not get the template's settings */
		return &creds->unnamed;
	if (kind == MAUI_CRED_ACCOUNT && !maui_cred_is_folded(name))
		return find_folded(creds, name);
	return find_name(creds, name);
}
