/* SPDX-License-Identifier: GPL-2.0-or-later */
/* creds.c - objects by name: a sorted list with an index by the name's hash */

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
	free(creds->slots);
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *find_slot(const struct maui_creds *creds, const char *name)
{
	size_t i = (size_t)maui_hash_text(name, 0) & (creds->slot_count - 1);

	while (creds->slots[i] != 0 && strcmp(creds->list[creds->slots[i] - 1].name, name) != 0)
		i = (i + 1) & (creds->slot_count - 1);
	return &creds->slots[i];
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_cred_config *)a)->name,
		      ((const struct maui_cred_config *)b)->name);
}

int maui_creds_index(struct maui_creds *creds)
{
	size_t slots = 4;

	if (creds->count == 0)
		return 0;
	qsort(creds->list, creds->count, sizeof(*creds->list), by_name);
	while (slots < 2 * creds->count)
		slots *= 2;
	creds->slots = calloc(slots, sizeof(*creds->slots));
	if (!creds->slots)
		return -1;
	creds->slot_count = slots;
	for (size_t i = 0; i < creds->count; i++)
		*find_slot(creds, creds->list[i].name) = (uint32_t)i + 1;
	return 0;
}

const struct maui_cred_config *maui_creds_find(const struct maui_creds *creds,
					       enum maui_cred_kind kind, const char *name)
{
	static const struct maui_cred_config nothing;
	char folded[MAUI_NAME_MAX + 1];
	uint32_t slot;

	if (!name || *name == '\0')
		return &nothing;
	if (strcmp(name, "DEFAULT") == 0)
		return &creds->unnamed; /* an account of that name is not the template */
	if (kind == MAUI_CRED_ACCOUNT && strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
		snprintf(folded, sizeof(folded), "%s", name);
		maui_cred_fold_account(folded);
		name = folded;
	}
	slot = creds->slot_count ? *find_slot(creds, name) : 0;
	return slot ? &creds->list[slot - 1] : &creds->unnamed;
}
