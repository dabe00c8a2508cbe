/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask.c - asks slurmctld from wherever the command runs
 *
 * Rules: CMD-15.
 */
#include "maui_config.h"

#include "cmd/ask.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/limits.h"
#include "cmd/cmd.h"
#include "cmd/socket.h"
#include "query/remote.h"
#include "query/stream.h"
#include "slurmconf/client_conf.h"

enum { RETRY_MIN_MS = 50, RETRY_SPREAD_MS = 250 };

static json_object *no_slurm_user(const char *user, json_object *args,
				  struct maui_query_error *error)
{
	maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no user '%s' (SlurmUser)", user);
	json_object_put(args);
	return NULL;
}

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
		result = no_slurm_user(user, args, error);
	} else {
		maui_query_munge(&hosts.auth, conf->munge_socket);
		result = maui_client_ask_remote(&hosts, verb, args, error);
	}
	free(user);
	return result;
}

/* Asks on this host. A user who sets MAUI_SOCKET trusts the server of that socket. */
static json_object *ask_here(const char *path, bool trusts, const char *verb, json_object *args,
			     struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	json_object *result;
	char *user = NULL;
	uid_t server;

	if (trusts)
		return maui_client_ask(path, NULL, verb, args, error);
	if (maui_cmd_slurm_user(&options, &server, &user))
		result = no_slurm_user(user, args, error);
	else
		result = maui_client_ask(path, &server, verb, args, error);
	free(user);
	return result;
}

static json_object *ask_once(const char *verb, json_object *args, struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	const char *wish = getenv("MAUI_SOCKET");
	struct maui_client_conf conf = { 0 };
	char *path = maui_cmd_socket_path(error);
	bool trusts = wish && *wish;
	json_object *result = NULL;
	struct maui_err ignored;
	uint16_t port = 0;

	if (!trusts && !(path && maui_client_is_answered(path)) &&
	    maui_client_conf_read(&conf, maui_cmd_slurm_conf_path(&options), &ignored) == 0 &&
	    maui_remote_port(conf.parameters, &port, &ignored) == 0 && port > 0 && conf.count > 0)
		result = ask_remote(&conf, port, verb, args, error);
	else if (path)
		result = ask_here(path, trusts, verb, args, error);
	else
		json_object_put(args);
	maui_client_conf_finish(&conf);
	free(path);
	return result;
}

/* Clients that were refused together do not come back together. */
static void pause_before_retry(void)
{
	uint16_t random = 0;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = (uint16_t)getpid();
	poll(NULL, 0, RETRY_MIN_MS + random % RETRY_SPREAD_MS);
}

/* How long after the first question it is worth asking again. */
static int64_t patience_ms(enum maui_query_code code)
{
	return code == MAUI_QUERY_BUSY    ? MAUI_QUERY_CLIENT_MS :
	       code == MAUI_QUERY_NOT_YET ? MAUI_QUERY_NEW_JOB_MS :
					    0;
}

json_object *maui_cmd_ask_server(const char *verb, json_object *args,
				 struct maui_query_error *error)
{
	int64_t began_ms = maui_query_clock_ms();
	json_object *result;

	while (!(result = ask_once(verb, json_object_get(args), error)) &&
	       maui_query_clock_ms() < began_ms + patience_ms(error->code))
		pause_before_retry();
	if (!result && error->code == MAUI_QUERY_BUSY)
		error->code = MAUI_QUERY_UNAVAILABLE;
	if (!result && error->code == MAUI_QUERY_NOT_YET)
		error->code = MAUI_QUERY_NOT_FOUND;
	json_object_put(args);
	return result;
}
