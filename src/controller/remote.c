/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.c - the TCP port at which this slurmctld answers login nodes
 *
 * The port is bound to SlurmctldAddr, or without it to this host's address of SlurmctldHost: where
 * clients look for slurmctld. Where that is a name with several addresses, those that are not open
 * are tried again, and the others stay open.
 *
 * Rules: CMD-15.
 */

#include "slurm/compat.h"

#include "controller/remote.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errand.h"
#include "base/monotonic.h"
#include "query/remote.h"

enum {
	OPENING_MS = 50, /* a round waits so long for a port that it begins to open */
	/* the next try where the port is open at some addresses: a name may have one of which this
	 * host has no interface, ever */
	RETRY_REST_S = 30,
};

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

/* Logs a text that differs from the last one; "" is no failure. */
static void log_failure(struct maui_controller *c, const struct maui_err *err)
{
	if (c->remote_error && strcmp(c->remote_error, err->text) == 0)
		return;
	free(c->remote_error);
	c->remote_error = strdup(err->text);
	if (err->text[0] != '\0')
		error("slurm-maui: maui_port: %s%s", err->text,
		      c->remote ? "" : "; commands on login nodes are not answered");
}

/* The errand that finds the host's addresses, for which a name server may be asked. */
struct opening {
	struct place place;
	struct maui_remote_sockets open, sockets; /* before; beside them */
	bool is_whole;                            /* no address is left to open */
	struct maui_err err;
};

static void listen_at(void *work, const atomic_bool *stop)
{
	struct opening *opening = work;

	(void)stop;
	opening->is_whole =
		maui_remote_listen(opening->place.host, opening->place.port, &opening->open,
				   &opening->sockets, &opening->err) == 0;
}

static void destroy_opening(void *work)
{
	struct opening *opening = work;

	maui_remote_close_sockets(&opening->sockets);
	finish_place(&opening->place);
	free(opening);
}

/* Takes the place over. */
static void begin_opening(struct maui_controller *c, struct place *place)
{
	static const struct maui_errand_kind kind = { "maui_port", listen_at, destroy_opening };
	struct opening *opening = calloc(1, sizeof(*opening));
	struct maui_err err;

	if (opening) {
		*opening = (struct opening){ .place = *place };
		if (c->remote)
			opening->open = *maui_remote_open(c->remote);
		*place = (struct place){ 0 };
		c->remote_opening = maui_errand_begin(&kind, opening);
	}
	if (!c->remote_opening) {
		maui_err_no_memory(&err);
		log_failure(c, &err);
	}
}

static void log_open(const struct opening *opening)
{
	char address[MAUI_REMOTE_ADDRESS_TEXT];

	for (unsigned i = 0; i < opening->sockets.count; i++) {
		maui_remote_address(&opening->sockets.addresses[i], address);
		info("slurm-maui: commands of login nodes are answered on port %u of %s",
		     opening->place.port, address);
	}
}

/* Serves what was opened. */
static void serve(struct maui_controller *c, struct opening *opening)
{
	struct maui_remote_options options = { .server = c->query, .sockets = opening->sockets };
	const char *host = opening->place.host;

	if (c->remote) {
		maui_remote_add(c->remote, &opening->sockets);
	} else {
		maui_query_munge(&options.auth, opening->place.munge_socket);
		c->remote = maui_remote_start(&options, &opening->err);
	}
	if (c->remote) {
		log_open(opening);
		if (maui_remote_is_local(maui_remote_open(c->remote)))
			error("slurm-maui: maui_port: %s is a loopback address here, so no other "
			      "host reaches it: set SlurmctldHost=name(address) in slurm.conf",
			      host);
	}
	opening->sockets.count = 0;
}

static void end_opening(struct maui_controller *c)
{
	struct opening *opening = maui_errand_end(c->remote_opening);

	c->remote_opening = NULL;
	if (opening->sockets.count > 0)
		serve(c, opening);
	c->remote_is_whole = c->remote && opening->is_whole;
	log_failure(c, &opening->err);
	destroy_opening(opening);
}

/* What is open or being opened. */
static void stop_serving(struct maui_controller *c)
{
	maui_errand_drop(c->remote_opening);
	c->remote_opening = NULL;
	maui_remote_stop(c->remote);
	c->remote = NULL;
	c->remote_is_whole = false;
	free(c->remote_name);
	c->remote_name = NULL;
}

void maui_controller_remote_close(struct maui_controller *c)
{
	stop_serving(c);
	free(c->remote_error);
	c->remote_error = NULL;
	c->remote_retry_s = 0;
}

/* Begins to open the port that slurm.conf has, at all addresses where it is not open. */
static void open_port(struct maui_controller *c)
{
	struct maui_err err;
	struct place place;
	char *name = NULL;

	if (read_place(&place, &err)) {
		log_failure(c, &err);
	} else if (place.port == 0) {
		maui_controller_remote_close(c);
		c->remote_is_whole = true;
	} else if (asprintf(&name, "%s %u %s", place.host, place.port, place.munge_socket) < 0) {
		maui_err_no_memory(&err);
		log_failure(c, &err);
	} else {
		if (c->remote_name && strcmp(name, c->remote_name) != 0)
			stop_serving(c);
		free(c->remote_name);
		c->remote_name = name;
		if (!c->remote_opening)
			begin_opening(c, &place);
	}
	finish_place(&place);
}

bool maui_controller_remote_is_due(struct maui_controller *c)
{
	if (c->remote_opening)
		return maui_errand_is_over(c->remote_opening, 0);
	return !c->remote_is_whole && maui_monotonic_s() >= c->remote_retry_s;
}

void maui_controller_remote_tend(struct maui_controller *c, bool reloaded)
{
	if (!c->query) {
		maui_controller_remote_close(c);
		return;
	}
	if (reloaded || (!c->remote_opening && maui_controller_remote_is_due(c))) {
		open_port(c);
		c->remote_retry_s = maui_monotonic_s() + (c->remote ? RETRY_REST_S : MAUI_RETRY_S);
		if (c->remote_opening && !c->remote)
			(void)maui_errand_is_over(c->remote_opening, OPENING_MS);
	}
	if (c->remote_opening && maui_errand_is_over(c->remote_opening, 0))
		end_opening(c);
}
