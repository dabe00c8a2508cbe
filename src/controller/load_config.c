/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_config.c - reads slurm.conf and maui.cfg, at a start and on reconfigure
 *
 * When maui.cfg has errors, slurmctld runs on the last good one (good_config.c), and logs an error
 * at once and every hour.
 *
 * Rules: CFG-9.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/words.h"
#include "controller/good_config.h"

/* A hash of the errors that the log has. At a start each plugin reads maui.cfg, and slurmctld may
 * open and close a plugin before it loads it for good; the errors are logged once. */
static uint64_t logged_errors;

static uint64_t hash_errors(const char *path, const struct maui_diags *diags)
{
	uint64_t hash = maui_hash_text(path, 1);

	for (size_t i = 0; i < diags->count; i++)
		if (diags->list[i].severity == MAUI_ERROR)
			hash = maui_hash_mix(maui_hash_text(diags->list[i].text, hash),
					     diags->list[i].line);
	return hash ? hash : 1;
}

/* SchedulerParameters=maui_cfg=/path, else maui.cfg beside slurm.conf. Caller has conf READ. */
static char *config_path(void)
{
	static const char key[] = "maui_cfg=";
	const char *at = slurm_conf.sched_params ? strcasestr(slurm_conf.sched_params, key) : NULL;
	char *usual, *path;

	if (at)
		return strndup(at + strlen(key), strcspn(at + strlen(key), ","));
	usual = get_extra_conf_path("maui.cfg");
	path = strdup(usual);
	xfree(usual);
	return path;
}

static void replace_text(char **place, char *text)
{
	free(*place);
	*place = text;
}

/* Caller has conf READ. */
int maui_load_slurm_conf(struct maui_controller *c)
{
	const char *type = slurm_conf.schedtype ? slurm_conf.schedtype : "";
	const char *own = slurm_conf.slurm_conf ? slurm_conf.slurm_conf : "";
	char *path = config_path(), *scheduler = strdup(type), *conf = strdup(own), *dir = NULL;

	if (!path || !scheduler || !conf ||
	    asprintf(&dir, "%s/maui", slurm_conf.state_save_location) < 0) {
		free(path);
		free(scheduler);
		free(conf);
		return -1;
	}
	if (c->state_dir && strcmp(c->state_dir, dir) != 0) {
		maui_state_dir_forget(c);
		for (size_t i = 0; i < c->usage.count; i++)
			/* the new directory has no windows yet */
			c->usage.windows[i].dirty = true;
	}
	replace_text(&c->config_path, path);
	replace_text(&c->state_dir, dir);
	replace_text(&c->scheduler_type, scheduler);
	replace_text(&c->slurm_conf_path, conf);
	c->min_job_age_s = slurm_conf.min_job_age;
	c->slurm_user = slurm_conf.slurm_user_id;
	return 0;
}

static void warn_min_job_age(const struct maui_controller *c, const struct maui_config *config)
{
	if (c->min_job_age_s && c->min_job_age_s < 2 * config->poll_interval_s)
		error("slurm-maui: MinJobAge=%u is shorter than two RMPOLLINTERVAL (%lld s): jobs may "
		      "end unseen and go uncharged",
		      c->min_job_age_s, (long long)config->poll_interval_s);
}

/* Reads maui.cfg. `quiet`: logs errors only, because the plugin that ranks jobs logs the rest.
 * *again: in, whether errors may be left out that the log has; out, whether they are the same. */
static struct maui_config *load_file(const struct maui_controller *c, const char *path, bool quiet,
				     bool *again, struct maui_diags *diags)
{
	struct maui_config_context context = { .scheduler_type = c->scheduler_type,
					       .require_settings = true };
	struct maui_config *config = maui_config_load(path, &context, diags);

	uint64_t hash = config ? 0 : hash_errors(path, diags);

	*again = *again && hash && hash == logged_errors;
	logged_errors = hash;
	maui_log_diags(diags, quiet, *again);
	if (!config)
		maui_log_again(*again, "slurm-maui: %s: not accepted, %zu error%s", path,
			       diags->seen[MAUI_ERROR], maui_plural(diags->seen[MAUI_ERROR]));
	return config;
}

/* At a start with a maui.cfg that was refused with `diags`: the last good one. NULL: none. */
static struct maui_config *fall_back(struct maui_controller *c, const struct maui_diags *diags,
				     bool again)
{
	struct maui_diags of_copy = { 0 };
	struct maui_config *config = maui_load_good(c, false, again, &of_copy);
	struct maui_config_status *copy = NULL;

	if (!config)
		config = maui_load_good(c, true, again, &of_copy);
	if (config)
		copy = maui_config_status_accepted(config, c->config_path, &of_copy, time(NULL));
	if (copy) {
		copy->kept_copy = true;
		maui_set_config_status(
			c, maui_config_status_refused(copy, c->config_path, diags, time(NULL)));
	}
	maui_config_status_unref(copy);
	maui_diags_finish(&of_copy);
	return config;
}

/* maui.cfg was accepted. */
static void accept_config(struct maui_controller *c, struct maui_config *config,
			  const struct maui_diags *diags, bool keep)
{
	maui_set_config_status(
		c, maui_config_status_accepted(config, c->config_path, diags, time(NULL)));
	if (!keep) {
		debug("slurm-maui: %s accepted", c->config_path);
		return;
	}
	info("slurm-maui: %s accepted", c->config_path);
	maui_save_good(c, config);
}

int maui_load_config(struct maui_controller *c, bool start, bool keep)
{
	/* after a reconfigure an administrator looks for the answer in the log */
	bool again = start;
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	struct maui_err err;

	if (keep && maui_state_dir_check(c, &err))
		error("slurm-maui: %s", err.text);
	config = load_file(c, c->config_path, !keep, &again, &diags);
	c->on_good_file = !config;
	c->errors_logged_s = time(NULL);
	if (config) {
		accept_config(c, config, &diags, keep);
	} else if (start) {
		config = fall_back(c, &diags, again);
	} else {
		error("slurm-maui: reconfigure: the running configuration is unchanged");
		if (c->config_status)
			maui_set_config_status(c, maui_config_status_refused(c->config_status,
									     c->config_path, &diags,
									     time(NULL)));
		maui_diags_finish(&diags);
		return 0;
	}
	maui_diags_finish(&diags);
	if (!config) {
		error("slurm-maui: no usable maui.cfg and no last good one: refusing to load");
		return -1;
	}
	warn_min_job_age(c, config);
	maui_forget_config_changes(c, config);
	maui_swap_config(c, config);
	return 0;
}
