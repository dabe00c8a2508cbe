/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fscap.h - fairshare caps: whether a job may start at all (Maui manual 6.3)
 *
 * FSTARGET with '%' caps a credential's share of what was delivered, with '^' its
 * processor-seconds. A job whose credential has reached its cap does not start. The caps of all
 * five kinds hold, DEFAULT's included. Pure: no lock, no clock, no I/O.
 *
 * Rules: FS-7.
 */
#ifndef MAUI_PLAN_FSCAP_H
#define MAUI_PLAN_FSCAP_H

#include <stddef.h>

#include "config/config.h"
#include "model/violation.h"
#include "policy/fairshare.h"

/* Caps that a job of these credentials (NULL or "": none of that kind) runs into, in the order
 * user, group, account, class, QOS; the first `size` go to `list`, their names borrowed from
 * `cred`. Returns how many there are. usage NULL: nothing was used yet. */
size_t maui_plan_fs_caps(const struct maui_config *config, const struct maui_fs_table *usage,
			 const char *const *cred, struct maui_violation *list, size_t size);

#endif
