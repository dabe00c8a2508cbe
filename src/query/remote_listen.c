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

static bool is_loopback(const struct sockaddr *address)
{
	const struct sockaddr_in6 *v6 = (const void *)address;
	const struct sockaddr_in *v4 = (const void *)address;

	if (address->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
	return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
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

int maui_remote_listen_at(const struct addrinfo *addresses, struct maui_remote_sockets *ret)
{
	int first = 0;

	*ret = (struct maui_remote_sockets){ .loopback = true };
	for (; addresses && ret->count < MAUI_REMOTE_ADDRESSES; addresses = addresses->ai_next) {
		int fd = listen_at(addresses);

		if (fd < 0) {
			first = first ? first : errno;
			continue;
		}
		ret->fds[ret->count++] = fd;
		ret->loopback &= is_loopback(addresses->ai_addr);
	}
	errno = first;
	return ret->count > 0 ? 0 : -1;
}

int maui_remote_listen(const char *host, uint16_t port, struct maui_remote_sockets *ret,
		       struct maui_err *err)
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
	rc = maui_remote_listen_at(found, ret);
	if (rc)
		maui_err_errno(err, "cannot listen on port %u of %.256s", port, host);
	freeaddrinfo(found);
	return rc;
}

void maui_remote_close_sockets(struct maui_remote_sockets *sockets)
{
	for (unsigned i = 0; i < sockets->count; i++)
		close(sockets->fds[i]);
	sockets->count = 0;
}
