/* SPDX-License-Identifier: GPL-2.0-or-later */
/* socket.c - where slurmctld's query socket is, for commands */

#include "cmd/socket.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/need.h"
#include "cmd/cmd.h"
#include "config/config.h"
#include "query/path.h"

/* Slurm's defaults */
static const char default_pid_file[] = "/var/run/slurmctld.pid";
static const char default_state_dir[] = "/var/spool";

/* QUERYSOCKET of maui.cfg; NULL: it names none. A file with errors counts, because slurmctld runs
 * on an earlier version of the file, which mostly has the same line. */
static char *configured(const struct maui_cmd_options *options, bool *ret_faulty)
{
	const struct maui_config_context context = { .keep_faulty = true };
	struct maui_diags diags = { 0 };
	char *path = maui_cmd_config_path(options), *found = NULL;
	struct maui_config *config = maui_config_load(path, &context, &diags);

	if (config && config->query_socket && *config->query_socket == '/')
		found = maui_need_copy(config->query_socket);
	*ret_faulty = diags.seen[MAUI_ERROR] > 0;
	maui_config_unref(config);
	maui_diags_finish(&diags);
	free(path);
	return found;
}

static char *by_slurm_conf(const struct maui_cmd_options *options, struct maui_query_error *error)
{
	char *pid_file = maui_cmd_slurm_conf_value(options, "SlurmctldPidFile");
	char *state_dir = maui_cmd_slurm_conf_value(options, "StateSaveLocation");
	char *user, *path = NULL;
	uid_t uid;

	error->code = MAUI_QUERY_UNAVAILABLE;
	if (maui_cmd_slurm_user(options, &uid, &user))
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no user '%s' (SlurmUser)", user);
	else
		path = maui_query_path(pid_file ? pid_file : default_pid_file,
				       state_dir ? state_dir : default_state_dir, uid, &error->err);
	free(user);
	free(state_dir);
	free(pid_file);
	return path;
}

static bool is_socket(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 && S_ISSOCK(found.st_mode);
}

char *maui_cmd_server_socket(const struct maui_cmd_options *options, struct maui_query_error *error)
{
	struct maui_query_error ignored;
	char *path, *other = NULL;
	bool faulty;

	path = configured(options, &faulty);
	if (!path)
		return by_slurm_conf(options, error);
	if (faulty && !is_socket(path))
		other = by_slurm_conf(options, &ignored);
	if (!other || !is_socket(other)) {
		free(other);
		return path;
	}
	free(path);
	return other;
}

char *maui_cmd_socket_path(struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	const char *wish = getenv("MAUI_SOCKET");

	if (wish && *wish)
		return maui_need_copy(wish);
	if (!maui_cmd_has_slurm_conf(&options)) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no slurm.conf to be read: set SLURM_CONF, or MAUI_SOCKET to "
				"slurmctld's query socket");
		return NULL;
	}
	return maui_cmd_server_socket(&options, error);
}
