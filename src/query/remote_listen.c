/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote_listen.c - the TCP socket at which slurmctld answers login nodes */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/words.h"
#include "query/remote.h"

enum { BACKLOG = 256 };

int maui_remote_port(const char *parameters, uint16_t *ret, struct maui_err *err)
{
	const char *value = maui_list_value(parameters, "maui_port");
	char *end;
	long port;

	*ret = 0;
	if (!value)
		return 0;
	port = strtol(value, &end, 10);
	if (end == value || (*end != ',' && *end != '\0') || port < 1 || port > UINT16_MAX)
		return maui_err_set(
			err,
			"SchedulerParameters: maui_port=%.*s: a port is a number from 1 "
			"to 65535",
			(int)strcspn(value, ","), value);
	*ret = (uint16_t)port;
	return 0;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *v6 = (const void *)address;
	const struct sockaddr_in *v4 = (const void *)address;

	if (address->ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
	return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
}

bool maui_remote_is_local(const struct maui_remote_sockets *sockets)
{
	for (unsigned i = 0; i < sockets->count; i++)
		if (!is_loopback(&sockets->addresses[i]))
			return false;
	return true;
}

void maui_remote_address(const struct sockaddr_storage *address, char ret[MAUI_REMOTE_ADDRESS_TEXT])
{
	if (getnameinfo((const struct sockaddr *)address, sizeof(*address), ret,
			MAUI_REMOTE_ADDRESS_TEXT, NULL, 0, NI_NUMERICHOST))
		snprintf(ret, MAUI_REMOTE_ADDRESS_TEXT, "an unknown address");
}

static bool has_address(const struct maui_remote_sockets *sockets,
			const struct sockaddr_storage *address)
{
	for (unsigned i = 0; sockets && i < sockets->count; i++)
		if (memcmp(&sockets->addresses[i], address, sizeof(*address)) == 0)
			return true;
	return false;
}

/* -1 with errno. */
static int listen_at(const struct addrinfo *at)
{
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
	    bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	one = errno;
	close(fd);
	errno = one;
	return -1;
}

/* The addresses that are not open, and why. */
struct failures {
	struct maui_err all, of_own; /* of_own: without those that this machine does not have */
	bool any;
};

static void add_failure(struct maui_err *err, const struct sockaddr_storage *address,
			const char *why)
{
	const struct sockaddr_in *v4 = (const void *)address; /* the port of IPv6 is there, too */
	size_t length = strlen(err->text);
	char name[MAUI_REMOTE_ADDRESS_TEXT];

	maui_remote_address(address, name);
	if (length == 0)
		maui_err_set(err, "cannot listen on port %u of %s: %s", ntohs(v4->sin_port), name,
			     why);
	else
		snprintf(err->text + length, sizeof(err->text) - length, ", of %s: %s", name, why);
}

static void open_address(const struct addrinfo *at, const struct maui_remote_sockets *open,
			 struct maui_remote_sockets *ret, struct failures *failures)
{
	struct sockaddr_storage address = { 0 };
	bool own = true;
	char why[128];
	int fd;

	memcpy(&address, at->ai_addr, at->ai_addrlen);
	if (has_address(open, &address) || has_address(ret, &address))
		return;
	if ((open ? open->count : 0) + ret->count >= MAUI_REMOTE_MAX_ADDRESSES) {
		snprintf(why, sizeof(why), "%d other addresses are open, which is the most",
			 MAUI_REMOTE_MAX_ADDRESSES);
	} else {
		fd = listen_at(at);
		if (fd >= 0) {
			ret->addresses[ret->count] = address;
			ret->fds[ret->count++] = fd;
			return;
		}
		own = errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT;
		snprintf(why, sizeof(why), "%s", strerror(errno));
	}
	failures->any = true;
	add_failure(&failures->all, &address, why);
	if (own)
		add_failure(&failures->of_own, &address, why);
}

int maui_remote_listen_at(const struct addrinfo *addresses, const struct maui_remote_sockets *open,
			  struct maui_remote_sockets *ret, struct maui_err *err)
{
	struct failures failures = { 0 };

	*ret = (struct maui_remote_sockets){ 0 };
	for (; addresses; addresses = addresses->ai_next)
		open_address(addresses, open, ret, &failures);
	*err = (open && open->count > 0) || ret->count > 0 ? failures.of_own : failures.all;
	return failures.any ? -1 : 0;
}

int maui_remote_listen(const char *host, uint16_t port, const struct maui_remote_sockets *open,
		       struct maui_remote_sockets *ret, struct maui_err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	char service[8];
	int rc;

	*ret = (struct maui_remote_sockets){ 0 };
	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &found);
	if (rc)
		return maui_err_set(err, "%.256s: %s", host, gai_strerror(rc));
	rc = maui_remote_listen_at(found, open, ret, err);
	freeaddrinfo(found);
	return rc;
}

void maui_remote_close_sockets(struct maui_remote_sockets *sockets)
{
	for (unsigned i = 0; i < sockets->count; i++)
		close(sockets->fds[i]);
	sockets->count = 0;
}
