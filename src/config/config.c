/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - the life of a configuration, and how policies look things up in it */

#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "config/build/build.h"
#include "config/build/nodes.h"
#include "config/build/reservation.h"
#include "config/build/stacks.h"
#include "config/check/check.h"
#include "config/parse.h"

static void cred_finish(struct maui_cred_config *cred)
{
	free(cred->name);
	free(cred->qdef);
	free(cred->use_reserved);
	maui_words_finish(&cred->qlist);
	maui_pairs_finish(&cred->pairs);
}

static void destroy(struct maui_config *config)
{
	for (size_t i = 0; i < config->partition_count; i++)
		free(config->partitions[i].name);
	free(config->partitions);
	maui_build_stacks_finish(config);
	maui_build_nodes_finish(config);
	maui_build_rsvs_finish(config);
	free(config->query_socket);
	for (size_t i = 0; i < sizeof(config->admins) / sizeof(config->admins[0]); i++)
		maui_words_finish(&config->admins[i]);
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		for (size_t i = 0; i < config->creds[k].count; i++)
			cred_finish(&config->creds[k].list[i]);
		free(config->creds[k].list);
		free(config->creds[k].slots);
	}
	cred_finish(&config->system);
	for (size_t i = 0; i < config->setting_count; i++) {
		free(config->settings[i].index);
		free(config->settings[i].sub);
		free(config->settings[i].value);
	}
	free(config->settings);
	for (size_t i = 0; i < config->file_count; i++)
		free(config->files[i]);
	free(config->files);
	free(config->text);
	free(config);
}

struct maui_config *maui_config_ref(struct maui_config *config)
{
	__atomic_add_fetch(&config->refs, 1, __ATOMIC_RELAXED);
	return config;
}

void maui_config_unref(struct maui_config *config)
{
	if (config && __atomic_sub_fetch(&config->refs, 1, __ATOMIC_ACQ_REL) == 0)
		destroy(config);
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *find_slot(const struct maui_creds *creds, const char *name)
{
	size_t i = (size_t)maui_hash_text(name, 0) & (creds->slot_count - 1);

	while (creds->slots[i] != 0 && strcmp(creds->list[creds->slots[i] - 1].name, name) != 0)
		i = (i + 1) & (creds->slot_count - 1);
	return &creds->slots[i];
}

int maui_config_index_creds(struct maui_creds *creds)
{
	size_t slots = 4;

	if (creds->count == 0)
		return 0;
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

const struct maui_cred_config *maui_config_cred(const struct maui_config *config,
						enum maui_cred_kind kind, const char *name)
{
	static const struct maui_cred_config nothing;
	const struct maui_creds *creds = &config->creds[kind];
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

static const struct maui_partition_config *find_partition(const struct maui_config *config,
							  const char *name)
{
	for (size_t i = 0; name && i < config->partition_count; i++)
		if (strcmp(config->partitions[i].name, name) == 0)
			return &config->partitions[i];
	return NULL;
}

const struct maui_planning_config *maui_config_planning(const struct maui_config *config,
							const char *partition)
{
	const struct maui_partition_config *own = find_partition(config, partition);

	return own ? &own->planning : &config->planning;
}

const struct maui_priority_config *maui_config_priority(const struct maui_config *config,
							const char *partition)
{
	const struct maui_partition_config *own = find_partition(config, partition);

	return own ? &own->priority : &config->priority;
}

struct maui_config *maui_config_parse(const char *path, const char *text, size_t length,
				      const struct maui_config_context *context,
				      struct maui_diags *diags)
{
	size_t errors_before = diags->seen[MAUI_ERROR];
	struct maui_config *config = calloc(1, sizeof(*config));
	bool built = false;

	if (!config) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "no memory");
		return NULL;
	}
	config->refs = 1;
	if (length > MAUI_CONFIG_MAX_BYTES)
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "larger than %u MiB",
			       MAUI_CONFIG_MAX_BYTES >> 20);
	else if (maui_config_read_settings(config, path, text, length, diags) ||
		 maui_config_build(config, context ? context->blank : NULL, diags))
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "no memory");
	else
		built = true;
	if (built)
		maui_config_check(config, context, diags);
	maui_diags_sort(diags);
	if (diags->seen[MAUI_ERROR] == errors_before || (built && context && context->keep_faulty))
		return config;
	maui_config_unref(config);
	return NULL;
}

struct maui_config *maui_config_load(const char *path, const struct maui_config_context *context,
				     struct maui_diags *diags)
{
	struct maui_config *config;
	struct maui_err err;
	char *text;
	size_t length;

	if (maui_file_read(path, MAUI_CONFIG_MAX_BYTES, &text, &length, &err)) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "%s", err.text);
		return NULL;
	}
	config = maui_config_parse(path, text, length, context, diags);
	free(text);
	return config;
}
