/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.c - which configuration is in force, as a value */

#include "config/status.h"

#include <stdlib.h>
#include <string.h>

static struct maui_config_status *create(struct maui_config *config, const char *path)
{
	struct maui_config_status *status = calloc(1, sizeof(*status));

	if (!status)
		return NULL;
	status->refs = 1;
	status->config = maui_config_ref(config);
	status->path = strdup(path ? path : "");
	if (status->path)
		return status;
	maui_config_status_unref(status);
	return NULL;
}

/* Of the first `count` diagnostics those of one severity. */
static void copy_diags(struct maui_diags *to, const struct maui_diags *diags, size_t count,
		       enum maui_severity severity)
{
	for (size_t i = 0; i < count; i++) {
		const struct maui_diag *one = &diags->list[i];

		if (one->severity == severity)
			maui_diags_add(to, severity, one->file, one->line, one->column, "%s",
				       one->text);
	}
}

struct maui_config_status *maui_config_status_accepted(struct maui_config *config, const char *path,
						       const struct maui_diags *diags,
						       int64_t now_s)
{
	struct maui_config_status *status = create(config, path);

	if (!status)
		return NULL;
	status->read_s = now_s;
	copy_diags(&status->warnings, diags, diags->count, MAUI_WARNING);
	status->file_warnings = status->warnings.count;
	return status;
}

struct maui_config_status *maui_config_status_refused(const struct maui_config_status *before,
						      const char *path,
						      const struct maui_diags *diags, int64_t now_s)
{
	struct maui_config_status *status = create(before->config, path);

	if (!status)
		return NULL;
	status->read_s = before->read_s;
	status->kept_copy = before->kept_copy;
	status->refused_s = before->refused_s ? before->refused_s : now_s;
	copy_diags(&status->warnings, &before->warnings, before->file_warnings, MAUI_WARNING);
	status->file_warnings = status->warnings.count;
	copy_diags(&status->errors, diags, diags->count, MAUI_ERROR);
	return status;
}

struct maui_config_status *maui_config_status_unread(const struct maui_config_status *before,
						     const char *unread, int64_t now_s)
{
	struct maui_config_status *status = create(before->config, before->path);

	if (!status)
		return NULL;
	status->read_s = before->read_s;
	status->kept_copy = before->kept_copy;
	status->refused_s = before->refused_s;
	status->read_us = before->read_us;
	status->unread_s = before->unread ? before->unread_s : now_s;
	copy_diags(&status->warnings, &before->warnings, before->warnings.count, MAUI_WARNING);
	status->file_warnings = before->file_warnings;
	copy_diags(&status->errors, &before->errors, before->errors.count, MAUI_ERROR);
	status->unread = unread ? strdup(unread) : NULL;
	if (!unread || status->unread)
		return status;
	maui_config_status_unref(status);
	return NULL;
}

struct maui_config_status *maui_config_status_ref(struct maui_config_status *status)
{
	if (status)
		__atomic_add_fetch(&status->refs, 1, __ATOMIC_RELAXED);
	return status;
}

void maui_config_status_unref(struct maui_config_status *status)
{
	if (!status || __atomic_sub_fetch(&status->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	maui_config_unref(status->config);
	maui_diags_finish(&status->errors);
	maui_diags_finish(&status->warnings);
	free(status->unread);
	free(status->path);
	free(status);
}
