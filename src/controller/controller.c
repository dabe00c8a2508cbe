/* SPDX-License-Identifier: GPL-2.0-or-later */
/* controller.c - opens and closes the controller, and answers slurmctld's calls */

#include "slurm/compat.h"

#include "controller/private.h"

#include <errno.h>
#include <stdlib.h>

#include "controller/rank.h"
#include "controller/sched/cycle.h"
#include "controller/submit.h"
#include "slurm/abi.h"
#include "slurm/associations/shares.h"
#include "slurm/associations/usage.h"
#include "slurm/publish/priorities.h"
#include "slurm/capture/cluster.h"
#include "slurm/capture/staff.h"
#include "slurm/het_jobs.h"
#include "slurm/publish/factors.h"
#include "slurm/publish/jobs.h"
#include "slurm/publish/nodes.h"
#include "slurm/sole_scheduler.h"

/* At a start, job_submit/maui waits so long for the name service. */
enum { NAMES_AT_START_S = 5 };

static struct maui_controller *controller; /* NULL before the first open */

/* Guards the roles. slurmctld calls init() and fini() from one thread at a time, but plugins that
 * it loads late under other locks. */
static pthread_mutex_t roles_lock = PTHREAD_MUTEX_INITIALIZER;

static void destroy_controller(struct maui_controller *c)
{
	maui_forget_readings(c);
	maui_forget_config_changes(c, NULL);
	maui_config_unref(c->config);
	maui_config_status_unref(c->config_status);
	maui_fs_table_destroy(c->fs);
	maui_names_finish(&c->names);
	maui_rsv_names_finish(&c->rsv_names_index);
	maui_words_finish(&c->rsv_names);
	maui_job_histories_finish(&c->histories);
	maui_usage_finish(&c->usage);
	free(c->config_path);
	maui_state_dir_forget(c);
	free(c->state_dir);
	free(c->scheduler_type);
	free(c->slurm_conf_path);
	free((char *)c->slurm.preempt_type);
	free((char *)c->slurm.gres_types);
	pthread_cond_destroy(&c->wake);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static struct maui_controller *create_controller(void)
{
	struct maui_controller *c = calloc(1, sizeof(*c));
	pthread_condattr_t attr;

	if (!c)
		return NULL;
	c->state_fd = c->crash_guard.fd = -1;
	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&attr);
	/* nobody sets the clock that the agent waits by */
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c->wake, &attr);
	pthread_condattr_destroy(&attr);
	return c;
}

/* Opens job_submit/maui. A standby controller loads it, too, and owns none of the files: it reads
 * the configuration, looks up the names in it, and writes nothing. */
static int open_job_submit(struct maui_controller *c)
{
	struct maui_names_patience patience = { .deadline_s = time(NULL) + NAMES_AT_START_S };

	if (c->config)
		return 0;
	if (maui_load_slurm_conf(c) || maui_load_config(c, false))
		return -1;
	maui_names_refresh(&c->names, &c->lock, c->config, false, &patience);
	maui_names_wait(&c->names, &c->lock, &patience);
	return 0;
}

/* Opens the agent for the first of priority/maui and sched/maui; the second finds everything done.
 * The controller in charge loads them, perhaps long after job_submit/maui, so everything is read
 * again. */
static int open_agent(struct maui_controller *c)
{
	if (c->roles[MAUI_ROLE_PRIORITY] || c->roles[MAUI_ROLE_SCHED])
		return 0;
	if (maui_load_slurm_conf(c) || maui_load_config(c, true))
		return -1;
	maui_drop_state(c);
	if (maui_load_state(c))
		return -1;
	c->window_s = maui_fairshare_window_start(time(NULL), c->config->fs_interval_s);
	return 0;
}

/* Whether sched/maui may schedule. A reconfigure must not end a running slurmctld: there an error
 * is logged, and sched/maui goes on. */
static bool may_schedule(bool running)
{
	struct maui_diags diags = { 0 };
	bool refused;

	maui_sole_scheduler_check(&diags);
	for (size_t i = 0; i < diags.count; i++)
		if (running)
			error("slurm-maui: %s; sched/maui goes on as before", diags.list[i].text);
		else
			error("slurm-maui: sched/maui cannot run: %s", diags.list[i].text);
	refused = diags.seen[MAUI_ERROR] > 0;
	maui_diags_finish(&diags);
	return !refused || running;
}

/* HETJOBS ON. */
static void open_het_jobs(const struct maui_config *config)
{
	bool on = config->het_jobs || config->multi_requests;

	maui_het_jobs_set(on);
	if (on && !maui_het_jobs_open())
		error("slurm-maui: HETJOBS ON: this slurmctld cannot be made to accept het jobs");
}

static int open_sched(struct maui_controller *c)
{
	if (!may_schedule(maui_sole_scheduler_is_reconfigure()))
		return -1;
	if (open_agent(c))
		return -1;
	maui_sole_scheduler_claim();
	open_het_jobs(c->config);
	return 0;
}

static int open_role(struct maui_controller *c, enum maui_role role)
{
	switch (role) {
	case MAUI_ROLE_PRIORITY:
		maui_associations_load();
		return open_agent(c);
	case MAUI_ROLE_SCHED:
		return open_sched(c);
	default:
		return open_job_submit(c);
	}
}

static bool any_role(const struct maui_controller *c)
{
	for (int r = 0; r < MAUI_ROLE_COUNT; r++)
		if (c->roles[r])
			return true;
	return false;
}

static void destroy_if_unused(struct maui_controller *c)
{
	if (any_role(c))
		return;
	controller = NULL;
	destroy_controller(c);
}

static void reconfigure(bool reload)
{
	struct maui_controller *c = controller;

	if (!c)
		return;
	slurm_mutex_lock(&c->lock);
	c->reload |= reload;
	c->recalculate = true;
	pthread_cond_broadcast(&c->wake);
	slurm_mutex_unlock(&c->lock);
}

int maui_controller_open(enum maui_role role)
{
	struct maui_err err;
	int rc = -1;

	slurm_mutex_lock(&roles_lock);
	if (maui_abi_check(&err)) {
		error("slurm-maui: %s", err.text);
		slurm_mutex_unlock(&roles_lock);
		return -1;
	}
	if (!controller)
		controller = create_controller();
	if (controller)
		rc = open_role(controller, role);
	if (rc == 0) {
		controller->roles[role] = true;
		reconfigure(false); /* an agent that runs already has more to do now */
	} else if (controller)
		destroy_if_unused(controller);
	slurm_mutex_unlock(&roles_lock);
	return rc;
}

/* The next slurmctld may run without slurm-maui: jobs must not keep our reasons, nor nodes the
 * state PLANNED. */
static void withdraw_published(struct maui_controller *c, bool schedules)
{
	struct maui_published_job *list;
	struct maui_job_history *history;
	struct maui_hold_times writes;
	size_t count = 0;

	slurm_mutex_lock(&c->lock);
	list = calloc(c->histories.map.used + 1, sizeof(*list));
	for (size_t at = 0; list && (history = maui_hashtable_next(&c->histories.map, &at));)
		if (history->reason_hash || history->estimated)
			list[count++] = (struct maui_published_job){ history->job_id,
								     history->reason_hash };
	slurm_mutex_unlock(&c->lock);
	count = maui_publish_withdraw(list, count);
	debug("slurm-maui: reasons and estimates of %zu jobs taken back", count);
	free(list);
	if (schedules)
		maui_publish_planned(NULL, 0, 0, &writes);
}

void maui_controller_close(enum maui_role role)
{
	struct maui_controller *c;

	slurm_mutex_lock(&roles_lock);
	c = controller;
	if (c) {
		bool schedules = maui_controller_schedules(c);

		c->roles[role] = false;
		if (role != MAUI_ROLE_JOB_SUBMIT && c->thread_runs) {
			maui_agent_stop(c);
			maui_cluster_forget();
			maui_slurm_names_forget();
			withdraw_published(c, schedules);
			maui_save_state(c);
		}
		if (role == MAUI_ROLE_PRIORITY)
			maui_associations_unload();
		if (role == MAUI_ROLE_SCHED) /* not while the agent may still start jobs */
			maui_sole_scheduler_release();
		if (!c->roles[MAUI_ROLE_PRIORITY] && !c->roles[MAUI_ROLE_SCHED])
			maui_drop_state(c);
		destroy_if_unused(c);
	}
	slurm_mutex_unlock(&roles_lock);
}

void maui_controller_start(void)
{
	slurm_mutex_lock(&roles_lock);
	if (controller && maui_agent_start(controller, maui_save_state))
		error("slurm-maui: cannot start the agent's thread: priorities are set at submit only, "
		      "and sched/maui starts nothing");
	slurm_mutex_unlock(&roles_lock);
}

void maui_controller_sched_reconfigure(void)
{
	struct maui_controller *c = controller;

	maui_cluster_table_changed();
	may_schedule(true);
	maui_sole_scheduler_claim();
	/* without priority/maui no other call reports the reconfigure */
	reconfigure(c && !c->roles[MAUI_ROLE_PRIORITY]);
}

/* Ranks a job whose record slurmctld holds. 0: no memory, or no partition. */
static uint32_t rank_captured(struct maui_controller *c, job_record_t *job_ptr,
			      const struct maui_captured_job *captured, int64_t now_s)
{
	struct maui_apply_part small[8], *parts = small;
	struct maui_job_history *history;
	uint32_t priority = 0;

	slurm_mutex_lock(&c->lock);
	history = maui_rank_history(c, captured, now_s);
	if (history && maui_rank(c, captured, history, now_s) == 0) {
		if (history->row_count > sizeof(small) / sizeof(small[0]))
			parts = calloc(history->row_count, sizeof(*parts));
		if (parts) {
			maui_rank_parts(history, parts);
			priority = maui_apply_parts(job_ptr, parts, history->row_count);
		}
	}
	if (maui_controller_plans(c)) {
		c->submitted = true;
		pthread_cond_broadcast(&c->wake);
	}
	/* a new user: the agent looks up the name, and ranks the job again */
	if (c->names.wanted) {
		c->recalculate = true;
		pthread_cond_broadcast(&c->wake);
	}
	slurm_mutex_unlock(&c->lock);
	if (parts != small)
		free(parts);
	return priority;
}

/* 0: the job cannot be ranked. The copy is made without our lock: it takes one of the association
 * manager's. */
static uint32_t rank_now(struct maui_controller *c, job_record_t *job_ptr)
{
	struct maui_arena arena = { 0 };
	struct maui_captured_job captured;
	int64_t now_s = time(NULL);
	struct maui_config *config;
	uint32_t priority = 0;

	slurm_mutex_lock(&c->lock);
	config = maui_config_ref(c->config);
	slurm_mutex_unlock(&c->lock);
	if (maui_capture_job(job_ptr, config, now_s, &arena, &captured) == 0) {
		captured.held = false; /* slurmctld ranks only jobs that are not held */
		priority = rank_captured(c, job_ptr, &captured, now_s);
	}
	maui_config_unref(config);
	maui_arena_finish(&arena);
	return priority;
}

/* The priority of a job that could not be ranked: below the last one, as in priority/basic. */
static uint32_t priority_below(uint32_t last_priority)
{
	return last_priority > 1 && last_priority < NO_VAL ? last_priority - 1 : 1;
}

static uint32_t set_priority(uint32_t last_priority, struct job_record *job_ptr)
{
	uint32_t priority = 0;

	if (!maui_abi_job_fits(job_ptr))
		return priority_below(last_priority);
	/* an administrator's number is kept; 0 lifts a hold: compute the priority again */
	if (job_ptr->direct_set_prio && job_ptr->priority != 0 && job_ptr->priority != NO_VAL)
		return job_ptr->priority;
	if (controller)
		priority = rank_now(controller, job_ptr);
	return priority > 0 ? priority : priority_below(last_priority);
}

static bool find_row(uint32_t job_id, uint32_t array_job_id, const char *partition,
		     int32_t *ret_columns, void *arg)
{
	struct maui_controller *c = arg;
	const struct maui_job_history *history;
	bool found = false;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	if (!history || history->row_count == 0)
		history = maui_job_histories_find(&c->histories, array_job_id);
	for (size_t i = 0; history && i < history->row_count && !found; i++) {
		found = strcmp(history->rows[i].part, partition) == 0;
		if (found)
			memcpy(ret_columns, history->rows[i].column,
			       sizeof(history->rows[i].column));
	}
	slurm_mutex_unlock(&c->lock);
	return found;
}

static void *list_factors(const void *request, uid_t uid)
{
	return controller ? maui_factors_list(request, uid, find_row, controller) : NULL;
}

int maui_controller_submit(struct job_descriptor *job_desc, char **err_msg)
{
	return controller ? maui_submit_check(controller, job_desc, err_msg) : SLURM_SUCCESS;
}

int maui_controller_modify(struct job_descriptor *job_desc, struct job_record *job_ptr, uid_t uid)
{
	int rc = SLURM_SUCCESS;

	if (controller)
		rc = maui_submit_modify(controller, job_desc, job_ptr, uid);
	/* Without slurmdbd slurmctld takes an old errno for the result of a change of partition. */
	errno = 0;
	return rc;
}

static void reconfigure_priority(bool reload)
{
	if (reload)
		maui_associations_reconfigure(); /* before the agent counts again */
	reconfigure(reload);
}

const struct maui_priority_calls maui_priority_calls = {
	.open = maui_controller_open,
	.close = maui_controller_close,
	.start = maui_controller_start,
	.reconfigure = reconfigure_priority,
	.set_priority = set_priority,
	.factors = list_factors,
	.job_end = maui_associations_job_end,
	.set_usage = maui_shares_set,
};
