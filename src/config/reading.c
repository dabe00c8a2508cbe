/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reading.c - the errands that read the files of a configuration */

#include "config/reading.h"

#include <stdlib.h>
#include <string.h>

static void destroy_reading(void *work)
{
	struct maui_config_reading *reading = work;

	maui_config_unref(reading->config);
	maui_diags_finish(&reading->diags);
	free(reading->scheduler_type);
	free(reading->path);
	free(reading);
}

void maui_config_read(struct maui_config_reading *reading)
{
	const struct maui_config_context context = { .scheduler_type = reading->scheduler_type,
						     .require_settings = true };

	reading->config = maui_config_load(reading->path, &context, &reading->diags);
}

static void read_files(void *work, const atomic_bool *stop)
{
	(void)stop;
	maui_config_read(work);
}

struct maui_errand *maui_config_reading_begin(const char *path, const char *scheduler_type)
{
	static const struct maui_errand_kind kind = { "maui_config", read_files, destroy_reading };
	struct maui_config_reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return NULL;
	reading->path = strdup(path);
	reading->scheduler_type = scheduler_type ? strdup(scheduler_type) : NULL;
	if (reading->path && (reading->scheduler_type || !scheduler_type))
		return maui_errand_begin(&kind, reading);
	destroy_reading(reading);
	return NULL;
}

void maui_config_reading_destroy(struct maui_config_reading *reading)
{
	if (reading)
		destroy_reading(reading);
}

static void destroy_comparison(void *work)
{
	struct maui_config_comparison *comparison = work;

	maui_config_unref(comparison->config);
	free(comparison);
}

static void compare_files(void *work, const atomic_bool *stop)
{
	struct maui_config_comparison *comparison = work;

	(void)stop;
	comparison->changed = maui_config_has_changed(comparison->config, &comparison->how);
}

struct maui_errand *maui_config_comparison_begin(struct maui_config *config)
{
	static const struct maui_errand_kind kind = { "maui_config", compare_files,
						      destroy_comparison };
	struct maui_config_comparison *comparison = calloc(1, sizeof(*comparison));

	if (!comparison)
		return NULL;
	comparison->config = maui_config_ref(config);
	return maui_errand_begin(&kind, comparison);
}

void maui_config_comparison_destroy(struct maui_config_comparison *comparison)
{
	if (comparison)
		destroy_comparison(comparison);
}
