/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - reads the state at a start, and saves it */

#include "slurm/compat.h"

#include "controller/private.h"

#include <stdlib.h>

#include "controller/good_config.h"
#include "controller/sched/cycle.h"
#include "state/fsfile.h"
#include "state/store/store.h"

enum { COMPLAIN_EVERY_S = 3600 };

static const char store_name[] = "state.json";

void maui_drop_state(struct maui_controller *c)
{
	slurm_mutex_lock(&c->lock);
	maui_job_histories_finish(&c->histories);
	maui_fs_table_destroy(c->fs);
	c->fs = NULL;
	slurm_mutex_unlock(&c->lock);
	maui_usage_finish(&c->usage);
	maui_statistics_finish(&c->statistics);
	maui_set_aside_finish(&c->set_aside);
	c->utilisation = (struct maui_utilisation){ 0 };
	c->trial = (struct maui_trial){ 0 };
	maui_sched_destroy(c->sched);
	c->sched = NULL;
	maui_crash_guard_close(&c->crash_guard);
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

/* What the files have, to the controller. -1 without memory. */
static int restore(struct maui_controller *c, struct maui_store *store, struct maui_diags *diags)
{
	char *path = maui_state_path(c, store_name);
	int rc = -1;

	if (path &&
	    maui_fsfile_load_all(c->state_dir, c->config->fs_interval_s, &c->usage, diags) == 0)
		rc = maui_store_load(path, store, diags);
	free(path);
	c->sched = rc == 0 ? maui_sched_create() : NULL;
	if (!c->sched || maui_sched_from_store(c->sched, store) ||
	    maui_job_histories_from_store(&c->histories, store, time(NULL)))
		return -1;
	return 0;
}

int maui_load_state(struct maui_controller *c)
{
	struct maui_diags diags = { 0 };
	struct maui_store store = { 0 };

	if (restore(c, &store, &diags)) {
		error("slurm-maui: no memory to read the state in %s: it stays as it is, start "
		      "slurmctld again",
		      c->state_dir);
		maui_diags_finish(&diags);
		maui_store_finish(&store);
		maui_drop_state(c);
		return -1;
	}
	c->first_start = store.saved_s == 0;
	maui_usage_charge_on(&c->usage, store.saved_s, time(NULL));
	c->store_blocked = store.blocked;
	restore_statistics(c, &store);
	/* jobs may name administrative reservations before the first plan is made */
	maui_sched_name_rsvs(c, store.rsvs, store.rsv_count);
	log_skipped(c, &store);
	maui_crash_guard_open(&c->crash_guard, c->state_dir);
	maui_log_diags(&diags, false, false);
	maui_set_aside_finish(&c->set_aside);
	if (maui_set_aside_list(&diags, &c->set_aside))
		error("slurm-maui: no memory: showstate does not name damaged state files");
	info("slurm-maui: state: %zu fairshare windows, %zu jobs%s", c->usage.count, store.count,
	     c->first_start ? "; first start, running jobs are charged from now" : "");
	maui_diags_finish(&diags);
	maui_store_finish(&store);
	return 0;
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
		window->charged_until_s = c->usage.charged_until_s;
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
	char *path = maui_state_path(c, store_name);
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
	maui_set_aside_look_again(&c->set_aside);
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
