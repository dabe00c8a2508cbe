/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos.h - which QOS a job may have, and which it gets (THR-13)
 *
 * Access is the union of the QLISTs of user, group, account and class and SYSCFG. Lists with '&'
 * are intersected with it; a list with '^' stands alone (precedence user, group, account, class).
 * A QDEF is implicitly in its object's list. A maui.cfg without any QLIST restricts nothing: every
 * QOS is allowed. With a QLIST anywhere, a job may have the QOS of its credentials' lists; a job
 * whose credentials have no list may only have their QDEF. An object without a value of its own has
 * the value of its kind's DEFAULT.
 */
#ifndef MAUI_POLICY_QOS_H
#define MAUI_POLICY_QOS_H

#include <stdbool.h>

#include "config/config.h"

/* The default: first QDEF of user, group, account, class, system. NULL: none. Borrowed. */
const char *maui_qos_default(const struct maui_config *config, const char *const *cred);

/* Whether a job of these credentials (the QOS entry is not looked at) may use `qos`. */
bool maui_qos_allowed(const struct maui_config *config, const char *const *cred, const char *qos);

/* "high,low": the QOS the job may use, for a message to its user; "any" without lists. */
int maui_qos_list(const struct maui_config *config, const char *const *cred,
		  struct maui_words *ret_words);

#endif
