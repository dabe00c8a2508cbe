/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - reads maui.cfg and the state at a start and on reconfigure, and saves the state
 *
 * An accepted maui.cfg is copied to <state>/maui.cfg.good. When maui.cfg has errors, slurmctld
 * runs on that copy, and logs an error at once and every hour.
 *
 * Rules: CFG-9.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "controller/sched/cycle.h"
#include "controller/submit.h"
#include "state/fsfile.h"
#include "state/store/store.h"

enum { COMPLAIN_EVERY_S = 3600 };

static const char good_name[] = "maui.cfg.good";
static const char good_old_name[] = "maui.cfg.good.old";
static const char good_end[] = "# end of an accepted maui.cfg\n";
static const char store_name[] = "state.json";

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

/* Logs an error; at debug level when the log has it already. */
#define log_error(again, ...)               \
	do {                                \
		if (again)                  \
			debug(__VA_ARGS__); \
		else                        \
			error(__VA_ARGS__); \
	} while (0)

/* `quiet`: leaves out warnings. `again`: the log has the errors already. */
static void log_diags(const struct maui_diags *diags, bool quiet, bool again)
{
	char text[1024];

	for (size_t i = 0; i < diags->count; i++) {
		maui_diag_format(&diags->list[i], text, sizeof(text));
		if (diags->list[i].severity == MAUI_ERROR && !again)
			error("slurm-maui: %s", text);
		else if (diags->list[i].severity == MAUI_WARNING && !quiet)
			info("slurm-maui: %s", text);
		else
			debug("slurm-maui: %s", text);
	}
}

static char *state_path(const struct maui_controller *c, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", c->state_dir, name) < 0 ? NULL : path;
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

/* Saves an accepted configuration. Its last line tells a complete file from a truncated one. */
static void save_good(const struct maui_controller *c, const struct maui_config *config)
{
	char *path = state_path(c, good_name);
	struct maui_strbuf text = { 0 };
	struct maui_err err;

	maui_strbuf_add(&text, config->text, config->text_length);
	maui_strbuf_addf(&text, "%s", good_end);
	if (!path || text.failed)
		error("slurm-maui: no memory to keep the accepted maui.cfg");
	else if (maui_file_write(path, text.text, text.length, 1, &err))
		error("slurm-maui: cannot keep the accepted maui.cfg: %s", err.text);
	maui_strbuf_finish(&text);
	free(path);
}

void maui_save_good(const struct maui_controller *c)
{
	if (c->config)
		save_good(c, c->config);
}

static bool is_complete(const char *text, size_t length)
{
	size_t end = strlen(good_end);

	return length >= end && memcmp(text + length - end, good_end, end) == 0;
}

/* Loads a saved configuration; NULL: it is missing, truncated, or no longer accepted. */
static struct maui_config *load_good(const struct maui_controller *c, const char *name, bool again,
				     struct maui_diags *diags)
{
	struct maui_config_context context = { .scheduler_type = c->scheduler_type };
	char *path = state_path(c, name), *text = NULL;
	struct maui_config *config = NULL;
	struct maui_err err;
	size_t length;

	if (!path || maui_file_read(path, MAUI_CONFIG_MAX_BYTES, &text, &length, &err))
		log_error(again, "slurm-maui: %s", path ? err.text : "no memory");
	else if (!is_complete(text, length))
		log_error(again, "slurm-maui: %s is not complete, not used", path);
	else
		config = maui_config_parse(path, text, length, &context, diags);
	log_diags(diags, true, again);
	if (config)
		log_error(again, "slurm-maui: running on the last good configuration, %s", path);
	free(text);
	free(path);
	return config;
}

void maui_swap_config(struct maui_controller *c, struct maui_config *config)
{
	struct maui_config *old;

	slurm_mutex_lock(&c->lock);
	old = c->config;
	c->config = config;
	slurm_mutex_unlock(&c->lock);
	maui_config_unref(old);
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
	log_diags(diags, quiet, *again);
	if (!config)
		log_error(*again, "slurm-maui: %s: not accepted, %zu error%s", path,
			  diags->seen[MAUI_ERROR], diags->seen[MAUI_ERROR] == 1 ? "" : "s");
	return config;
}

/* Takes the status over; commands get it with the next document. */
void maui_set_config_status(struct maui_controller *c, struct maui_config_status *status)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (status)
		status->read_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
	maui_config_status_unref(c->config_status);
	c->config_status = status;
}

/* At a start with a maui.cfg that was refused with `diags`: the last good one. NULL: none. */
static struct maui_config *fall_back(struct maui_controller *c, const struct maui_diags *diags,
				     bool again)
{
	struct maui_diags of_copy = { 0 };
	struct maui_config *config = load_good(c, good_name, again, &of_copy);
	struct maui_config_status *copy = NULL;

	if (!config)
		config = load_good(c, good_old_name, again, &of_copy);
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
	save_good(c, config);
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

void maui_drop_state(struct maui_controller *c)
{
	slurm_mutex_lock(&c->lock);
	maui_job_histories_finish(&c->histories);
	maui_fs_table_destroy(c->fs);
	c->fs = NULL;
	slurm_mutex_unlock(&c->lock);
	maui_usage_finish(&c->usage);
	maui_statistics_finish(&c->statistics);
	c->utilisation = (struct maui_utilisation){ 0 };
	c->trial = (struct maui_trial){ 0 };
	maui_sched_destroy(c->sched);
	c->sched = NULL;
	maui_state_dir_forget(c);
}

static void log_skipped(const struct maui_controller *c, const struct maui_store *store)
{
	if (store->skipped > 0)
		error("slurm-maui: %s/%s: %zu records of reservations are invalid and were left out",
		      c->state_dir, store_name, store->skipped);
}

/* Statistics begin now when no file, or one of an earlier release, has them. */
static void restore_statistics(struct maui_controller *c, struct maui_store *store)
{
	c->statistics = store->statistics;
	c->utilisation = store->utilisation;
	c->trial = store->trial;
	c->trial_restored_s = store->trial.looked_s;
	store->statistics = (struct maui_statistics){ 0 };
	if (c->statistics.since_s == 0)
		maui_statistics_reset(&c->statistics, time(NULL));
}

void maui_load_state(struct maui_controller *c)
{
	char *path = state_path(c, store_name);
	struct maui_diags diags = { 0 };
	struct maui_store store = { 0 };

	if (maui_fsfile_load_all(c->state_dir, c->config->fs_interval_s, &c->usage, &diags) ||
	    !path || maui_store_load(path, &store, &diags))
		error("slurm-maui: no memory for the state in %s", c->state_dir);
	c->first_start = store.saved_s == 0;
	c->store_blocked = store.blocked;
	maui_job_histories_from_store(&c->histories, &store, time(NULL));
	restore_statistics(c, &store);
	/* jobs may name administrative reservations before the first plan is made */
	maui_sched_name_rsvs(c, store.rsvs, store.rsv_count);
	log_skipped(c, &store);
	c->sched = maui_sched_create(c->state_dir);
	if (!c->sched || maui_sched_from_store(c->sched, &store))
		error("slurm-maui: no memory for the plan");
	log_diags(&diags, false, false);
	info("slurm-maui: state: %zu fairshare windows, %zu jobs%s", c->usage.count, store.count,
	     c->first_start ? "; first start, running jobs are charged from now" : "");
	maui_diags_finish(&diags);
	maui_store_finish(&store);
	free(path);
}

/* Saves all changed windows: after a restart or a failed save these are more than the current
 * one. */
static int save_windows(struct maui_controller *c, struct maui_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < c->usage.count; i++) {
		struct maui_usage_window *window = &c->usage.windows[i];

		if (!window->dirty || window->blocked)
			continue;
		if (maui_fsfile_save(c->state_dir, window, err))
			rc = -1; /* stays dirty: written when the disk has space again */
		else
			window->dirty = false;
	}
	return rc;
}

static int save_store(struct maui_controller *c, struct maui_err *err)
{
	struct maui_store store = { .saved_s = time(NULL),
				    .statistics = c->statistics,
				    .utilisation = c->utilisation,
				    .trial = c->trial };
	char *path = state_path(c, store_name);
	int rc;

	slurm_mutex_lock(&c->lock);
	rc = maui_job_histories_to_store(&c->histories, &store);
	slurm_mutex_unlock(&c->lock);
	if (rc || maui_sched_to_store(c->sched, &store) || !path)
		rc = maui_err_set(err, "no memory for the state");
	else if (c->store_blocked)
		rc = maui_err_set(
			err,
			"%s cannot be read and is left as it is: install the release of "
			"slurm-maui that wrote it, or move it away, and restart slurmctld",
			path);
	else
		rc = maui_store_save(path, &store, err);
	maui_arena_finish(&store.arena); /* the rest is borrowed */
	free(path);
	return rc;
}

void maui_save_state(struct maui_controller *c)
{
	struct maui_err *err = &c->save_err;
	bool failed;

	c->saved_s = time(NULL);
	failed = maui_state_dir_check(c, err) != 0 || save_windows(c, err) != 0;
	/* the windows first: usage that the state calls charged must be in them */
	failed |= !failed && save_store(c, err) != 0;
	if (failed && !c->save_failed) {
		error("slurm-maui: cannot save: %s; the files there are kept, trying again",
		      err->text);
		c->errors_logged_s = c->saved_s;
	} else if (!failed && c->save_failed) {
		info("slurm-maui: saving works again");
	}
	c->save_failed = failed;
}

const char *maui_not_saved(const struct maui_controller *c)
{
	return c->save_failed ? c->save_err.text : NULL;
}

void maui_log_errors(struct maui_controller *c, int64_t now_s)
{
	if (now_s - c->errors_logged_s < COMPLAIN_EVERY_S)
		return;
	if (c->on_good_file)
		error("slurm-maui: %s is still not accepted, the last good configuration is in force: "
		      "fix it and run scontrol reconfigure",
		      c->config_path);
	if (c->save_failed)
		error("slurm-maui: still cannot save: %s", c->save_err.text);
	c->errors_logged_s = now_s;
}
