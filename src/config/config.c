/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - the life of a configuration */

#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "config/build/build.h"
#include "config/check/check.h"
#include "config/parse.h"

static void destroy(struct maui_config *config)
{
	maui_config_build_finish(config);
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

static struct maui_config *create(const char *path, struct maui_diags *diags)
{
	struct maui_config *config = calloc(1, sizeof(*config));

	if (config)
		config->refs = 1;
	else
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "no memory");
	return config;
}

/* Builds and checks a configuration whose lines are read: rc 0. */
static struct maui_config *complete(struct maui_config *config, int rc, const char *path,
				    const struct maui_config_context *context, size_t errors_before,
				    struct maui_diags *diags)
{
	bool built =
		rc == 0 && maui_config_build(config, context ? context->blank : NULL, diags) == 0;

	if (built)
		maui_config_check(config, context, diags);
	if ((!built || diags->no_memory) && diags->seen[MAUI_ERROR] == errors_before)
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "no memory");
	maui_diags_sort(diags);
	if (diags->seen[MAUI_ERROR] == errors_before ||
	    (built && !diags->no_memory && context && context->keep_faulty))
		return config;
	maui_config_unref(config);
	return NULL;
}

struct maui_config *maui_config_parse(const char *path, const char *text, size_t length,
				      const struct maui_config_context *context,
				      struct maui_diags *diags)
{
	size_t errors_before = diags->seen[MAUI_ERROR];
	struct maui_config *config = create(path, diags);
	int rc = -1;

	if (!config)
		return NULL;
	if (length > MAUI_CONFIG_MAX_BYTES)
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "larger than %u MiB",
			       MAUI_CONFIG_MAX_BYTES >> 20);
	else
		rc = maui_config_read_settings(config, path, text, length, diags);
	return complete(config, rc, path, context, errors_before, diags);
}

struct maui_config *maui_config_extend(const struct maui_config *from,
				       const struct maui_config_lines *lines, size_t count,
				       const struct maui_config_context *context,
				       struct maui_diags *diags)
{
	size_t errors_before = diags->seen[MAUI_ERROR];
	struct maui_config *config = create(from->files[0], diags);
	int rc;

	if (!config)
		return NULL;
	rc = maui_config_copy_lines(config, from, diags);
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = maui_config_add_lines(config, lines[i].name, lines[i].text,
					   strlen(lines[i].text), false, diags);
	return complete(config, rc, from->files[0], context, errors_before, diags);
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
