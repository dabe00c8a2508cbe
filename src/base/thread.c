/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.c - threads beside those of the process */
#include "base/thread.h"

#include <signal.h>

int maui_thread_start(pthread_t *ret_thread, void *(*thread_main)(void *), void *arg)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = pthread_create(ret_thread, NULL, thread_main, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
