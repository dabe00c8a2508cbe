/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - between the files of policy/alloc */
#ifndef MAUI_POLICY_ALLOC_PRIVATE_H
#define MAUI_POLICY_ALLOC_PRIVATE_H

#include "policy/alloc/alloc.h"

/* Shares the tasks out over the first *count of the list, which are chosen and suffice, as the
 * resource manager will; nodes that it would leave out are left out: *count gets smaller. Their
 * order is lost. Where every node gives the same, or all of itself, nothing is done. */
void maui_alloc_spread(const struct maui_shape *shape, struct maui_candidate *list,
		       uint32_t *count);

#endif
