/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask.c - asks slurmctld from wherever the command runs
 *
 * Rules: CMD-15.
 */
#include "maui_config.h"

#include "cmd/ask.h"

#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/socket.h"
#include "query/remote.h"
#include "slurmconf/client_conf.h"

static json_object *ask_remote(const struct maui_client_conf *conf, uint16_t port, const char *verb,
			       json_object *args, struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	struct maui_query_remote_hosts hosts = { .hosts = (const char *const *)conf->hosts,
						 .count = conf->count,
						 .port = port };
	json_object *result = NULL;
	char *user;

	if (maui_cmd_slurm_user(&options, &hosts.server, &user)) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no user '%s' (SlurmUser)", user);
		json_object_put(args);
	} else {
		maui_query_munge(&hosts.auth, conf->munge_socket);
		result = maui_client_ask_remote(&hosts, verb, args, error);
	}
	free(user);
	return result;
}

json_object *maui_cmd_ask_server(const char *verb, json_object *args,
				 struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	const char *wish = getenv("MAUI_SOCKET");
	struct maui_client_conf conf = { 0 };
	json_object *result = NULL;
	struct maui_err ignored;
	uint16_t port = 0;
	char *path = maui_cmd_socket_path(error);

	if (!(wish && *wish) && !(path && maui_client_is_answered(path)) &&
	    maui_client_conf_read(&conf, maui_cmd_slurm_conf_path(&options), &ignored) == 0 &&
	    maui_remote_port(conf.parameters, &port, &ignored) == 0 && port > 0 && conf.count > 0)
		result = ask_remote(&conf, port, verb, args, error);
	else if (path)
		result = maui_client_ask(path, verb, args, error);
	else
		json_object_put(args);
	maui_client_conf_finish(&conf);
	free(path);
	return result;
}
