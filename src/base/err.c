/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err.c - one error text in the caller's memory */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int maui_err_set(struct maui_err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list args;

	if (err) {
		va_start(args, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, args);
		va_end(args);
		err->no_memory = false;
	}
	errno = saved;
	return -1;
}

int maui_err_errno(struct maui_err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list args;
	char memory[128];
	const char *reason;
	size_t room, used;

	if (err) {
		reason = strerror_r(saved, memory, sizeof(memory));
		/* cut a long path, not the reason behind it */
		room = sizeof(err->text) - strlen(reason) - 2;
		va_start(args, fmt);
		vsnprintf(err->text, room, fmt, args);
		va_end(args);
		used = strlen(err->text);
		snprintf(err->text + used, sizeof(err->text) - used, ": %s", reason);
		err->no_memory = saved == ENOMEM;
	}
	errno = saved;
	return -1;
}

int maui_err_no_memory(struct maui_err *err)
{
	maui_err_set(err, "no memory");
	if (err)
		err->no_memory = true;
	return -1;
}

int maui_err_no_memory_for(struct maui_err *err, const char *what)
{
	maui_err_set(err, "%s: no memory", what);
	if (err)
		err->no_memory = true;
	return -1;
}
