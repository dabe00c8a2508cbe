/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.c - the TCP port at which this slurmctld answers login nodes
 *
 * The port is bound to SlurmctldAddr, or without it to this host's address of SlurmctldHost: where
 * clients look for slurmctld.
 *
 * Rules: CMD-15.
 */

#include "slurm/compat.h"

#include "controller/remote.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/remote.h"

enum { RETRY_S = 60 };

/* What slurm.conf says. */
struct place {
	char *host, *munge_socket, *parameters;
	uint16_t port;
};

static void finish_place(struct place *place)
{
	free(place->host);
	free(place->munge_socket);
	free(place->parameters);
}

/* This host's address of SlurmctldHost. Caller has conf READ. */
static const char *own_address(const char *own_name)
{
	for (uint32_t i = 0; i < slurm_conf.control_cnt; i++)
		if (slurm_conf.control_machine[i] &&
		    strncmp(slurm_conf.control_machine[i], own_name, strcspn(own_name, ".")) == 0 &&
		    strcspn(slurm_conf.control_machine[i], ".") == strcspn(own_name, "."))
			return slurm_conf.control_addr[i];
	return slurm_conf.control_cnt > 0 ? slurm_conf.control_addr[0] : NULL;
}

static char *copy_text(const char *text)
{
	return strdup(text ? text : "");
}

/* Reads slurm.conf's values; -1 with err. A host of "" leads to no address. */
static int read_place(struct place *ret, struct maui_err *err)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	char name[256] = "", *at;
	const char *host;

	gethostname(name, sizeof(name) - 1);
	lock_slurmctld(locks);
	host = slurm_conf.slurmctld_addr ? slurm_conf.slurmctld_addr : own_address(name);
	at = slurm_conf.authinfo ? strstr(slurm_conf.authinfo, "socket=") : NULL;
	*ret = (struct place){ .host = copy_text(host),
			       .munge_socket = copy_text(at ? at + strlen("socket=") : NULL),
			       .parameters = copy_text(slurm_conf.sched_params) };
	unlock_slurmctld(locks);
	if (!ret->host || !ret->munge_socket || !ret->parameters)
		return maui_err_no_memory(err);
	ret->munge_socket[strcspn(ret->munge_socket, ",")] = '\0';
	return maui_remote_port(ret->parameters, &ret->port, err);
}

static void log_failure(struct maui_controller *c, const struct maui_err *err)
{
	if (c->remote_error && strcmp(c->remote_error, err->text) == 0)
		return;
	free(c->remote_error);
	c->remote_error = strdup(err->text);
	error("slurm-maui: maui_port: %s; commands on login nodes are not answered", err->text);
}

static void open_port(struct maui_controller *c, const struct place *place, char *name)
{
	struct maui_remote_options options = { .server = c->query };
	struct maui_err err;
	bool loopback = false;

	maui_query_munge(&options.auth, place->munge_socket);
	options.fd = maui_remote_listen(place->host, place->port, &loopback, &err);
	if (options.fd >= 0)
		c->remote = maui_remote_start(&options, &err);
	if (!c->remote) {
		log_failure(c, &err);
		free(name);
		return;
	}
	free(c->remote_error);
	c->remote_error = NULL;
	c->remote_name = name;
	info("slurm-maui: commands of login nodes are answered on port %u of %s", place->port,
	     place->host);
	if (loopback)
		error("slurm-maui: maui_port: %s is a loopback address here, so no other host reaches "
		      "it: set SlurmctldHost=name(address) in slurm.conf",
		      place->host);
}

void maui_controller_remote_close(struct maui_controller *c)
{
	maui_remote_stop(c->remote);
	c->remote = NULL;
	free(c->remote_name);
	c->remote_name = NULL;
	free(c->remote_error);
	c->remote_error = NULL;
	c->remote_retry_s = 0;
}

void maui_controller_remote_tend(struct maui_controller *c, bool reloaded)
{
	int64_t now_s = time(NULL);
	struct maui_err err;
	struct place place;
	char *name = NULL;

	if (!c->query) {
		maui_controller_remote_close(c);
		return;
	}
	if (!reloaded &&
	    (c->remote || (now_s < c->remote_retry_s && now_s > c->remote_retry_s - 2 * RETRY_S)))
		return;
	c->remote_retry_s = now_s + RETRY_S;
	if (read_place(&place, &err)) {
		log_failure(c, &err);
	} else if (place.port == 0) {
		maui_controller_remote_close(c);
		c->remote_retry_s = now_s + RETRY_S;
	} else if (asprintf(&name, "%s %u %s", place.host, place.port, place.munge_socket) < 0) {
		maui_err_no_memory(&err);
		log_failure(c, &err);
	} else if (c->remote && strcmp(name, c->remote_name) == 0) {
		free(name);
	} else {
		maui_remote_stop(c->remote);
		c->remote = NULL;
		free(c->remote_name);
		c->remote_name = NULL;
		open_port(c, &place, name);
	}
	finish_place(&place);
}
