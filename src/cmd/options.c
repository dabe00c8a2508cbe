/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - the few lines of slurm.conf that matter to maui.cfg */

#include "maui_config.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "slurmconf/conf.h"

static const char default_slurm_conf[] = MAUI_SLURM_CONFDIR "/slurm.conf";
/* where slurmd writes what slurmctld sent to a configless host */
static const char configless[] = "/run/slurm/conf/slurm.conf";

const char *maui_cmd_slurm_conf_path(const struct maui_cmd_options *options)
{
	const char *path = options->slurm_conf ? options->slurm_conf : getenv("SLURM_CONF");

	if (path && *path)
		return path;
	return access(default_slurm_conf, F_OK) != 0 && access(configless, F_OK) == 0 ?
		       configless :
		       default_slurm_conf;
}

int maui_cmd_slurm_conf_check(const struct maui_cmd_options *options)
{
	const char *path = maui_cmd_slurm_conf_path(options);
	struct maui_err err;
	size_t length;
	char *text;

	if (path == default_slurm_conf)
		return MAUI_EXIT_OK;
	if (maui_file_read(path, MAUI_CONFIG_MAX_BYTES, &text, &length, &err)) {
		fprintf(stderr, "maui config: error: slurm.conf: %s\n", err.text);
		return MAUI_EXIT_ERROR;
	}
	free(text);
	return MAUI_EXIT_OK;
}

/* A key, and the last value found. */
struct value {
	const char *key;
	char *text;
};

static int find_value(void *data, const struct maui_conf_line *line)
{
	struct value *value = data;
	char *text = maui_conf_get(line, value->key);

	if (text) {
		free(value->text);
		value->text = text;
	}
	return 0;
}

char *maui_cmd_slurm_conf_value(const struct maui_cmd_options *options, const char *key)
{
	struct value value = { .key = key };

	/* what was read before an error counts: commands say elsewhere that slurm.conf is bad */
	maui_conf_read(maui_cmd_slurm_conf_path(options), find_value, &value, NULL);
	return value.text;
}

bool maui_cmd_has_slurm_conf(const struct maui_cmd_options *options)
{
	FILE *readable = fopen(maui_cmd_slurm_conf_path(options), "r");

	if (!readable)
		return false;
	fclose(readable);
	return true;
}

int maui_cmd_slurm_user(const struct maui_cmd_options *options, uid_t *ret, char **ret_name)
{
	char *name = maui_cmd_slurm_conf_value(options, "SlurmUser"), *end;
	const struct passwd *user;

	*ret_name = name;
	*ret = 0;
	if (!name)
		return 0;
	name[strcspn(name, "(")] = '\0'; /* "slurm(64030)" */
	if (*name == '\0')
		return 0;
	*ret = (uid_t)strtoul(name, &end, 10);
	if (*end == '\0')
		return 0;
	user = getpwnam(name);
	if (user)
		*ret = user->pw_uid;
	return user ? 0 : -1;
}

char *maui_cmd_scheduler_type(const struct maui_cmd_options *options)
{
	char *type = maui_cmd_slurm_conf_value(options, "SchedulerType");

	if (!type && maui_cmd_has_slurm_conf(options))
		return maui_need_copy("sched/backfill"); /* Slurm's default */
	return type;
}

char *maui_cmd_config_path(const struct maui_cmd_options *options)
{
	const char *conf = maui_cmd_slurm_conf_path(options), *slash = strrchr(conf, '/'), *given;
	char *parameters, *path;

	if (options->operand)
		return maui_need_copy(options->operand);
	parameters = maui_cmd_slurm_conf_value(options, "SchedulerParameters");
	given = maui_list_value(parameters, "maui_cfg");
	if (given)
		path = maui_need(strndup(given, strcspn(given, ",")));
	else
		path = maui_need_text("%.*smaui.cfg", slash ? (int)(slash - conf + 1) : 0, conf);
	free(parameters);
	return path;
}
