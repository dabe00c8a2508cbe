/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.h - threads beside those of the process: signals are for the process's own */
#ifndef MAUI_BASE_THREAD_H
#define MAUI_BASE_THREAD_H

#include <pthread.h>

/* As pthread_create(), with all signals blocked in the new thread. */
int maui_thread_start(pthread_t *ret_thread, void *(*thread_main)(void *), void *arg);

#endif
