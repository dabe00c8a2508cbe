/* SPDX-License-Identifier: GPL-2.0-or-later */
/* retry.h - when the agent tries again to open the query socket and the port for login nodes
 *
 * A virtual address may come after slurmctld takes over, and commands wait meanwhile.
 */
#ifndef MAUI_CONTROLLER_RETRY_H
#define MAUI_CONTROLLER_RETRY_H

#include <stdbool.h>
#include <stdint.h>

enum { MAUI_RETRY_S = 5 };

/* Whether it is not time yet, by the moment of the next try. The clock may be set back. */
static inline bool maui_retry_waits(int64_t retry_s, int64_t now_s)
{
	return now_s < retry_s && now_s > retry_s - 2 * MAUI_RETRY_S;
}

#endif
