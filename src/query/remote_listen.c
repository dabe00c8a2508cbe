/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote_listen.c - the TCP socket at which slurmctld answers login nodes */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "query/remote.h"

enum { BACKLOG = 256 };

/* The value of "key=value" in a list with commas, up to the comma; NULL: not there. */
static const char *find_in_list(const char *list, const char *key)
{
	size_t length = strlen(key);

	for (; list && *list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (strncasecmp(list, key, length) == 0 && list[length] == '=')
			return list + length + 1;
	return NULL;
}

int maui_remote_port(const char *parameters, uint16_t *ret, struct maui_err *err)
{
	const char *value = find_in_list(parameters, "maui_port");
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

int maui_remote_listen(const char *host, uint16_t port, bool *ret_loopback, struct maui_err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	char service[8];
	int fd, rc, one = 1;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &found);
	if (rc)
		return maui_err_set(err, "%.256s: %s", host, gai_strerror(rc));
	*ret_loopback = is_loopback(found->ai_addr);
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, BACKLOG)) {
		maui_err_errno(err, "cannot listen on port %u of %.256s", port, host);
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	return fd;
}
