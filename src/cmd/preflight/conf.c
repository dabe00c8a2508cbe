/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.c - slurm.conf: which plugins it names, and settings that sched/maui refuses
 *
 * Rules: CMD-62.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/slurm_command.h"
#include "cmd/preflight/preflight.h"
#include "config/check/slurm_settings.h"
#include "slurmconf/conf.h"

static const char *const keys[MAUI_KEY_COUNT] = {
	[MAUI_KEY_PLUGIN_DIR] = "PluginDir",
	[MAUI_KEY_PRIORITY_TYPE] = "PriorityType",
	[MAUI_KEY_SCHEDULER_TYPE] = "SchedulerType",
	[MAUI_KEY_JOB_SUBMIT_PLUGINS] = "JobSubmitPlugins",
	[MAUI_KEY_SCHEDULER_PARAMETERS] = "SchedulerParameters",
	[MAUI_KEY_FEDERATION_PARAMETERS] = "FederationParameters",
	[MAUI_KEY_PREEMPT_MODE] = "PreemptMode",
	[MAUI_KEY_PREEMPT_TYPE] = "PreemptType",
	[MAUI_KEY_SELECT_TYPE] = "SelectType",
	[MAUI_KEY_STATE_SAVE_LOCATION] = "StateSaveLocation",
	[MAUI_KEY_AUTH_TYPE] = "AuthType",
	[MAUI_KEY_AUTH_INFO] = "AuthInfo",
	[MAUI_KEY_GRES_TYPES] = "GresTypes",
	[MAUI_KEY_ACCOUNTING_STORAGE_TYPE] = "AccountingStorageType",
	[MAUI_KEY_MIN_JOB_AGE] = "MinJobAge",
};

/* A partition's own PreemptMode is another setting. */
static int take(void *data, const struct maui_conf_line *line)
{
	struct maui_preflight *p = data;
	char *partition = maui_conf_get(line, "PartitionName");

	for (int key = 0; key < MAUI_KEY_COUNT && !partition; key++) {
		char *value = maui_conf_get(line, keys[key]);

		if (!value)
			continue;
		free(p->values[key]);
		p->values[key] = value;
	}
	free(partition);
	return 0;
}

bool maui_preflight_names(const struct maui_preflight *p, const char *type)
{
	const char *priority = p->values[MAUI_KEY_PRIORITY_TYPE];
	const char *scheduler = p->values[MAUI_KEY_SCHEDULER_TYPE];
	const char *submit = p->values[MAUI_KEY_JOB_SUBMIT_PLUGINS];

	if (strcmp(type, "job_submit/maui") == 0)
		return maui_list_has_any_case(submit, "maui") ||
		       maui_list_has_any_case(submit, type);
	return (priority && strcmp(priority, type) == 0) ||
	       (scheduler && strcmp(scheduler, type) == 0);
}

int maui_preflight_conf(struct maui_preflight *p)
{
	static const char *const types[] = { "priority/maui", "sched/maui", "job_submit/maui" };
	const char *path = maui_cmd_slurm_conf_path(p->options);
	char named[64] = "", *user = NULL;
	struct maui_err err;
	int rc = 0;

	if (maui_conf_read(path, take, p, &err)) {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "slurm.conf",
				   "%s: give slurmctld's own with --slurm-conf", err.text);
		return -1;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (maui_preflight_names(p, types[i]))
			snprintf(named + strlen(named), sizeof(named) - strlen(named), "%s%s",
				 *named ? ", " : "", types[i]);
	if (maui_cmd_slurm_user(p->options, &p->slurm_user, &user)) {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "slurm.conf",
				   "%s: this machine has no user '%s' (SlurmUser): run this on "
				   "slurmctld's host",
				   path, user);
		rc = -1;
	} else if (*named) {
		maui_preflight_add(p, MAUI_CHECK_OK, "slurm.conf", "%s names %s", path, named);
	} else {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "slurm.conf",
				   "%s names no plugin of slurm-maui: add "
				   "PriorityType=priority/maui and SchedulerType=sched/maui",
				   path);
	}
	free(user);
	return rc;
}

static void ignore_line(char *text, void *arg)
{
	(void)text, (void)arg;
}

/* A Slurm command that asks no daemon reads the file; it fails at most errors at which slurmctld
 * would. */
void maui_preflight_slurms_reading(struct maui_preflight *p)
{
	char *const argv[] = { (char *)"scontrol", (char *)"show", (char *)"hostnames",
			       (char *)"localhost", NULL };
	char *path = realpath(maui_cmd_slurm_conf_path(p->options), NULL);

	if (path && setenv("SLURM_CONF", path, 1) == 0 &&
	    maui_cmd_slurm_ask("maui preflight", argv, ignore_line, NULL) == 0)
		maui_preflight_add(p, MAUI_CHECK_OK, "syntax", "Slurm reads %s without an error",
				   path);
	else
		maui_preflight_add(p, MAUI_CHECK_FAILED, "syntax",
				   "scontrol refuses slurm.conf, or cannot run: it says why above");
	free(path);
}

/* Whether slurmctld takes this host for the named one; domains are ignored. */
static bool is_here(const char *host, const char *here)
{
	size_t length = strcspn(host, ".(");

	return (strncmp(host, "localhost", length) == 0 && length == strlen("localhost")) ||
	       (length == strcspn(here, ".") && strncmp(host, here, length) == 0);
}

/* SlurmctldHost, and ControlMachine as it was called before 18.08. */
static int take_host(void *data, const struct maui_conf_line *line)
{
	static const char *const names[] = { "SlurmctldHost", "ControlMachine",
					     "BackupController" };
	struct maui_strbuf *hosts = data;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *host = maui_conf_get(line, names[i]);

		if (host)
			maui_strbuf_addf(hosts, "%s%.200s", hosts->length ? " " : "", host);
		free(host);
	}
	return 0;
}

void maui_preflight_host(struct maui_preflight *p)
{
	struct maui_strbuf hosts = { 0 };
	char here[256] = "", *rest = NULL, *all;
	bool found = false;
	int rc = maui_conf_read(maui_cmd_slurm_conf_path(p->options), take_host, &hosts, NULL);

	gethostname(here, sizeof(here) - 1);
	all = rc == 0 && hosts.length ? maui_need_copy(hosts.text) : NULL;
	for (char *one = all ? strtok_r(all, " ", &rest) : NULL; one && !found;
	     one = strtok_r(NULL, " ", &rest))
		found = is_here(one, here);
	if (all && !found)
		maui_preflight_add(p, MAUI_CHECK_SKIPPED, "host",
				   "this is %s, and slurmctld runs on %s (SlurmctldHost): run this "
				   "there; what follows is true of this host alone",
				   here, hosts.text);
	free(all);
	maui_strbuf_finish(&hosts);
}

struct maui_slurm_settings maui_preflight_slurm_settings(const struct maui_preflight *p)
{
	return (struct maui_slurm_settings){
		.schedules = maui_preflight_names(p, "sched/maui"),
		.ranks = maui_preflight_names(p, "priority/maui"),
		.scheduler_parameters = p->values[MAUI_KEY_SCHEDULER_PARAMETERS],
		.federation_parameters = p->values[MAUI_KEY_FEDERATION_PARAMETERS],
		.preempt_type = p->values[MAUI_KEY_PREEMPT_TYPE],
		.gang = maui_list_has_any_case(p->values[MAUI_KEY_PREEMPT_MODE], "GANG"),
		.gres_types = p->values[MAUI_KEY_GRES_TYPES],
		.slurmdbd = maui_slurm_is_slurmdbd(p->values[MAUI_KEY_ACCOUNTING_STORAGE_TYPE]),
		.min_job_age_s = maui_slurm_min_job_age(p->values[MAUI_KEY_MIN_JOB_AGE]),
	};
}

void maui_preflight_settings(struct maui_preflight *p)
{
	const struct maui_slurm_settings settings = maui_preflight_slurm_settings(p);
	struct maui_diags diags = { 0 };

	if (!maui_preflight_names(p, "sched/maui"))
		return;
	maui_config_check_slurm(&settings, &diags);
	for (size_t i = 0; i < diags.count; i++)
		maui_preflight_add(p, MAUI_CHECK_FAILED, "settings", "%s", diags.list[i].text);
	if (diags.seen[MAUI_ERROR] == 0)
		maui_preflight_add(p, MAUI_CHECK_OK, "settings",
				   "slurm.conf has nothing that sched/maui refuses");
	maui_diags_finish(&diags);
}
