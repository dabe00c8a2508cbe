/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_config.c - reads slurm.conf and maui.cfg, at a start and on reconfigure
 *
 * When maui.cfg has errors, slurmctld runs on the last good one (good_config.c), and logs an error
 * at once and every hour. After the start the agent has its files read by errands, and goes on
 * scheduling: their file system may hang. Every RMPOLLINTERVAL it has them compared with what was
 * read, so that commands can name a difference.
 *
 * Rules: CFG-9.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/words.h"
#include "config/reading.h"
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
	const char *given = maui_list_value(slurm_conf.sched_params, "maui_cfg");
	char *usual, *path;

	if (given)
		return strndup(given, strcspn(given, ","));
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

/* strdup(); NULL for NULL, and without memory, which sets *failed. */
static char *copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

/* For maui_config_check_conflicts(), which asks when no lock is held. Takes the texts over. Caller
 * has conf READ. */
static void replace_settings(struct maui_controller *c, char *preempt_type, char *gres_types)
{
	free((char *)c->slurm.preempt_type);
	free((char *)c->slurm.gres_types);
	c->slurm = (struct maui_slurm_settings){
		.schedules = xstrcmp(slurm_conf.schedtype, "sched/maui") == 0,
		.ranks = xstrcmp(slurm_conf.priority_type, "priority/maui") == 0,
		.preempt_type = preempt_type,
		.gres_types = gres_types,
		.slurmdbd = slurm_with_slurmdbd(),
		.min_job_age_s = slurm_conf.min_job_age,
	};
}

/* Caller has conf READ. */
int maui_load_slurm_conf(struct maui_controller *c)
{
	const char *preempt_type = maui_compat_slurm_preempts() ? slurm_conf.preempt_type : NULL;
	bool failed = false;
	char *scheduler = copy_text(slurm_conf.schedtype ? slurm_conf.schedtype : "", &failed);
	char *conf = copy_text(slurm_conf.slurm_conf ? slurm_conf.slurm_conf : "", &failed);
	char *preempt = copy_text(preempt_type, &failed);
	char *gres = copy_text(slurm_conf.gres_plugins, &failed);
	char *path = config_path(), *dir;

	if (asprintf(&dir, "%s/maui", slurm_conf.state_save_location) < 0)
		dir = NULL;
	if (failed || !path || !dir) {
		free(scheduler);
		free(conf);
		free(preempt);
		free(gres);
		free(path);
		free(dir);
		error("slurm-maui: no memory to read slurm.conf%s",
		      c->config ? ": the values that were read last stay in force" : "");
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
	replace_settings(c, preempt, gres);
	c->slurm_user = slurm_conf.slurm_user_id;
	return 0;
}

/* `quiet`: logs errors only, because the plugin that ranks jobs logs the rest. *again: in, whether
 * errors may be left out that the log has; out, whether they are the same. */
static void log_reading(const struct maui_config_reading *reading, bool quiet, bool *again)
{
	const struct maui_diags *diags = &reading->diags;
	uint64_t hash = reading->config ? 0 : hash_errors(reading->path, diags);

	*again = *again && hash && hash == logged_errors;
	logged_errors = hash;
	maui_log_diags(diags, quiet, *again);
	if (!reading->config)
		maui_log_again(*again, "slurm-maui: %s: not accepted, %zu error%s", reading->path,
			       diags->seen[MAUI_ERROR], maui_plural(diags->seen[MAUI_ERROR]));
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
static void accept_config(struct maui_controller *c, const struct maui_config_reading *reading,
			  bool keep)
{
	maui_set_config_status(c, maui_config_status_accepted(reading->config, reading->path,
							      &reading->diags, time(NULL)));
	if (!keep) {
		debug("slurm-maui: %s accepted", reading->path);
		return;
	}
	info("slurm-maui: %s accepted", reading->path);
	maui_save_good(c, reading->config);
}

/* A reconfigure found a maui.cfg that is not accepted. */
static void refuse_config(struct maui_controller *c, const struct maui_config_reading *reading)
{
	error("slurm-maui: reconfigure: the running configuration is unchanged");
	if (c->config_status)
		maui_set_config_status(c,
				       maui_config_status_refused(c->config_status, reading->path,
								  &reading->diags, time(NULL)));
}

/* Takes the configuration over. */
static void put_in_force(struct maui_controller *c, struct maui_config *config)
{
	maui_forget_config_changes(c, config);
	maui_swap_config(c, config);
}

/* Logs what slurm.conf takes the effect from, in the configuration in force. `quiet`: at debug
 * level, because the other plugin logs it. */
static void log_conflicts(const struct maui_controller *c, bool quiet)
{
	struct maui_diags conflicts = { 0 };

	maui_config_check_conflicts(c->config, &c->slurm, &conflicts);
	maui_log_diags(&conflicts, quiet, false);
	maui_diags_finish(&conflicts);
}

/* Logs what was read. *again: as in log_reading(). */
static void note_reading(struct maui_controller *c, struct maui_config_reading *reading, bool keep,
			 bool *again)
{
	struct maui_err err;

	if (keep && maui_state_dir_check(c, &err))
		error("slurm-maui: %s", err.text);
	log_reading(reading, !keep, again);
	c->on_good_file = !reading->config;
	c->errors_logged_s = time(NULL);
}

int maui_load_config(struct maui_controller *c, bool keep)
{
	struct maui_config_reading reading = { .path = c->config_path,
					       .scheduler_type = c->scheduler_type };
	struct maui_config *config;
	bool again = true;

	maui_forget_readings(c);
	maui_config_read(&reading);
	note_reading(c, &reading, keep, &again);
	config = reading.config;
	if (config)
		accept_config(c, &reading, keep);
	else
		config = fall_back(c, &reading.diags, again);
	maui_diags_finish(&reading.diags);
	if (!config) {
		error("slurm-maui: no usable maui.cfg and no last good one: refusing to load");
		return -1;
	}
	put_in_force(c, config);
	log_conflicts(c, !keep);
	return 0;
}

void maui_reload_begin(struct maui_controller *c)
{
	maui_forget_readings(c);
	c->config_reading = maui_config_reading_begin(c->config_path, c->scheduler_type);
	if (!c->config_reading)
		error("slurm-maui: reconfigure: no memory to read %s: the running configuration is "
		      "unchanged",
		      c->config_path);
}

bool maui_reload_has_ended(const struct maui_controller *c)
{
	return c->config_reading && maui_errand_is_over(c->config_reading, 0);
}

bool maui_reload_end(struct maui_controller *c, int wait_ms)
{
	struct maui_config_reading *reading;
	bool again = false; /* an administrator looks for the answer in the log */

	if (!c->config_reading)
		return false;
	if (!maui_errand_is_over(c->config_reading, wait_ms)) {
		if (wait_ms > 0)
			info("slurm-maui: reconfigure: the running configuration stays in force until "
			     "%s is read",
			     c->config_path);
		return false;
	}
	reading = maui_errand_end(c->config_reading);
	c->config_reading = NULL;
	note_reading(c, reading, true, &again);
	if (reading->config) {
		accept_config(c, reading, true);
		put_in_force(c, maui_config_ref(reading->config));
	} else {
		refuse_config(c, reading);
	}
	log_conflicts(c, false);
	maui_config_reading_destroy(reading);
	return true;
}

/* `unread`: how maui.cfg differs from what was read; NULL: not at all. Logs a difference once. */
static void note_unread(struct maui_controller *c, const char *unread)
{
	const struct maui_config_status *before = c->config_status;
	struct maui_config_status *status;

	if (!before || before->refused_s) /* a file that was refused is named already */
		return;
	if (unread ? before->unread && strcmp(unread, before->unread) == 0 : !before->unread)
		return;
	if (unread)
		info("slurm-maui: %s: what slurmctld read before stays in force until maui reconfigure",
		     unread);
	status = maui_config_status_unread(before, unread, time(NULL));
	if (status)
		maui_replace_config_status(c, status);
}

/* Whether the last look is over, and the next may begin. */
static bool end_look(struct maui_controller *c)
{
	struct maui_config_comparison *seen;
	struct maui_err err;

	if (!c->config_comparison)
		return true;
	if (!maui_errand_is_over(c->config_comparison, 0)) {
		maui_err_set(&err,
			     "cannot read %s and the files that it includes: no answer from "
			     "their file system",
			     c->config_path);
		note_unread(c, err.text);
		return false;
	}
	seen = maui_errand_end(c->config_comparison);
	c->config_comparison = NULL;
	note_unread(c, seen->changed ? seen->how.text : NULL);
	maui_config_comparison_destroy(seen);
	return true;
}

void maui_look_at_config(struct maui_controller *c)
{
	if (end_look(c) && c->file_config && !c->config_reading)
		c->config_comparison = maui_config_comparison_begin(c->file_config);
}

void maui_forget_readings(struct maui_controller *c)
{
	maui_errand_drop(c->config_reading);
	maui_errand_drop(c->config_comparison);
	c->config_reading = c->config_comparison = NULL;
}
