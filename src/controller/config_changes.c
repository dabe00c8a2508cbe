/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_changes.c - holds the configuration in force. changeparam adds lines, which last until
 * maui.cfg is read again
 *
 * Each change builds and checks the whole configuration with the lines at the end of maui.cfg. The
 * lines are kept as text, because the effect of a line depends on the lines before it: it may
 * append, replace, set what another object inherits, or begin a partition's values.
 *
 * Rules: CMD-46.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <stdlib.h>
#include <string.h>

#include "config/status.h"

void maui_swap_config(struct maui_controller *c, struct maui_config *config)
{
	struct maui_config *old;

	slurm_mutex_lock(&c->lock);
	old = c->config;
	c->config = config;
	slurm_mutex_unlock(&c->lock);
	maui_config_unref(old);
}

void maui_replace_config_status(struct maui_controller *c, struct maui_config_status *status)
{
	maui_config_status_unref(c->config_status);
	c->config_status = status;
}

void maui_set_config_status(struct maui_controller *c, struct maui_config_status *status)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (status) {
		status->read_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
		maui_config_check_conflicts(status->config, &c->slurm, &status->warnings);
	}
	maui_replace_config_status(c, status);
}

void maui_forget_config_changes(struct maui_controller *c, struct maui_config *file_config)
{
	for (size_t i = 0; i < c->change_count; i++) {
		free(c->changes[i].name);
		free(c->changes[i].text);
	}
	c->change_count = 0;
	maui_config_unref(c->file_config);
	c->file_config = file_config ? maui_config_ref(file_config) : NULL;
}

/* Takes `status` over. NULL without memory. */
static struct maui_config_status *keep_unread(struct maui_config_status *status,
					      const struct maui_config_status *before)
{
	struct maui_config_status *unread;

	if (!before->unread)
		return status;
	unread = maui_config_status_unread(status, before->unread, before->unread_s);
	maui_config_status_unref(status);
	return unread;
}

/* The file is still the same, and as good or bad as before. */
static struct maui_config_status *status_of(const struct maui_controller *c,
					    struct maui_config *config,
					    const struct maui_diags *diags)
{
	const struct maui_config_status *before = c->config_status;
	struct maui_config_status *status, *refused;

	status = maui_config_status_accepted(config, c->config_path, diags,
					     before ? before->read_s : time(NULL));
	if (!status || !before)
		return status;
	status->kept_copy = before->kept_copy;
	if (!before->refused_s)
		return keep_unread(status, before);
	refused = maui_config_status_refused(status, c->config_path, &before->errors,
					     before->refused_s);
	maui_config_status_unref(status);
	return refused;
}

/* The first error, or what is left out of the line, which stands in the file `name`. */
static int not_accepted(const struct maui_diags *diags, const char *name,
			struct maui_query_error *error)
{
	char text[sizeof(error->err.text)];

	for (size_t i = 0; i < diags->count; i++) {
		struct maui_diag diag = diags->list[i];
		size_t ignored = maui_diag_ignored(&diag);

		if (diag.severity != MAUI_ERROR && (diags->seen[MAUI_ERROR] > 0 || !ignored ||
						    !diag.file || strcmp(diag.file, name) != 0))
			continue;
		if (ignored)
			diag.text[ignored] = '\0';
		diag.severity = MAUI_ERROR;
		maui_diag_format(&diag, text, sizeof(text));
		return maui_query_fail(error, MAUI_QUERY_BAD, "not accepted: %s", text);
	}
	return maui_query_no_memory(error);
}

/* Whether all of the line is in the configuration. */
static bool is_whole(const struct maui_diags *diags, const char *name)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->list[i].file && strcmp(diags->list[i].file, name) == 0 &&
		    maui_diag_ignored(&diags->list[i]))
			return false;
	return true;
}

static int apply(struct maui_controller *c, struct maui_query_error *error)
{
	const struct maui_config_context context = { .scheduler_type = c->scheduler_type,
						     .require_settings = true };
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_extend(c->file_config, c->changes,
							c->change_count + 1, &context, &diags);
	int rc = 0;

	if (config && config->setting_count > c->config->setting_count &&
	    is_whole(&diags, c->changes[c->change_count].name)) {
		maui_set_config_status(c, status_of(c, config, &diags));
		maui_swap_config(c, config);
	} else {
		rc = not_accepted(&diags, c->changes[c->change_count].name, error);
		maui_config_unref(config);
	}
	maui_diags_finish(&diags);
	return rc;
}

int maui_change_config(struct maui_controller *c, const char *name, const char *line,
		       struct maui_query_error *error)
{
	struct maui_config_lines *added = &c->changes[c->change_count];

	if (!c->file_config || c->change_count == MAUI_CONFIG_MAX_CHANGES)
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "%d changes are in force already: write them into maui.cfg",
				       MAUI_CONFIG_MAX_CHANGES);
	*added = (struct maui_config_lines){ strdup(name), strdup(line) };
	if (added->name && added->text && apply(c, error) == 0) {
		c->change_count++;
		return 0;
	}
	if (!added->name || !added->text)
		maui_query_no_memory(error);
	free(added->name);
	free(added->text);
	return -1;
}
