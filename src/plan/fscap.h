/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fscap.h - fairshare caps: whether fairshare forbids a job's start (Maui manual 6.3)
 *
 * FSTARGET with '%' caps a credential's share of the delivered processor-seconds, FSTARGET with '^'
 * their number. A job does not start while one of its five credentials has reached its cap. A
 * credential without a cap of its own has DEFAULT's. Pure: no lock, no clock, no I/O.
 *
 * Rules: FS-7.
 */
#ifndef MAUI_PLAN_FSCAP_H
#define MAUI_PLAN_FSCAP_H

#include <stddef.h>

#include "config/config.h"
#include "model/violation.h"
#include "policy/fairshare.h"

/* Lists the caps that a job with these credentials has reached, in the order user, group, account,
 * class, QOS. A credential may be NULL or "". The first `size` caps go to `list`; their names are
 * borrowed from `cred`. Returns how many there are. usage NULL: nothing has been used yet. */
size_t maui_plan_fs_caps(const struct maui_config *config, const struct maui_fs_table *usage,
			 const char *const *cred, struct maui_violation *list, size_t size);

#endif
