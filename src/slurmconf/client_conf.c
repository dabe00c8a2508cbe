/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client_conf.c - where slurmctld answers commands of other hosts, from a slurm.conf */
#include "slurmconf/client_conf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "slurmconf/conf.h"

static const char socket_key[] = "socket=";

/* Appends "name" or the address of "name(address)"; at the front for a virtual address. */
static void add_host(struct maui_client_conf *conf, const char *value, bool first)
{
	const char *open = strchr(value, '('), *from = open ? open + 1 : value;
	char *host = strndup(from, strcspn(from, "),"));

	if (!host || *host == '\0' || conf->count == MAUI_CLIENT_MAX_HOSTS) {
		free(host);
		return;
	}
	if (first)
		memmove(conf->hosts + 1, conf->hosts, conf->count * sizeof(*conf->hosts));
	conf->hosts[first ? 0 : conf->count] = host;
	conf->count++;
}

static void replace_text(char **place, char *text)
{
	free(*place);
	*place = text;
}

static int read_line(void *data, const struct maui_conf_line *line)
{
	struct maui_client_conf *conf = data;
	const char *cluster = maui_conf_value(line, "ClusterName");
	const char *host = maui_conf_value(line, "SlurmctldHost");
	const char *address = maui_conf_value(line, "SlurmctldAddr");
	const char *parameters = maui_conf_value(line, "SchedulerParameters");
	const char *auth = maui_conf_value(line, "AuthInfo");
	const char *socket = auth ? strstr(auth, socket_key) : NULL;

	if (cluster)
		replace_text(&conf->cluster, strdup(cluster));
	if (host)
		add_host(conf, host, false);
	if (address)
		add_host(conf, address, true);
	if (parameters)
		replace_text(&conf->parameters, strdup(parameters));
	if (socket) {
		socket += strlen(socket_key);
		replace_text(&conf->munge_socket, strndup(socket, strcspn(socket, ",")));
	}
	return 0;
}

int maui_client_conf_read(struct maui_client_conf *ret, const char *path, struct maui_err *err)
{
	int rc;

	*ret = (struct maui_client_conf){ 0 };
	rc = maui_conf_read(path, read_line, ret, err);
	if (rc < 0)
		maui_client_conf_finish(ret);
	return rc;
}

void maui_client_conf_finish(struct maui_client_conf *conf)
{
	for (size_t i = 0; i < conf->count; i++)
		free(conf->hosts[i]);
	free(conf->cluster);
	free(conf->parameters);
	free(conf->munge_socket);
	*conf = (struct maui_client_conf){ 0 };
}
