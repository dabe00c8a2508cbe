/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.h - a job's --constraint against a node's features
 *
 *   fast&big     both
 *   fast|slow    one of them
 *   !old         without it
 *   (a|b)&c      nested
 *   [r1|r2]      one of them for all nodes of the job
 *   a*2&b*4      counts of nodes
 *
 * Conditions on the set of nodes, not on one of them, are left to the resource manager: with [..] a
 * node matches if it has any of the alternatives, and with counts if it has any of the counted
 * features.
 */
#ifndef MAUI_MODEL_FEATURES_H
#define MAUI_MODEL_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a node with `features` ("a,b"; NULL: none) can serve `constraint` (NULL: any node can).
 * No node can serve a constraint that is not well formed. */
bool maui_features_match(const char *constraint, const char *features);

/* The next name in the constraint, behind *at, which moves on: its length. 0: there is none. */
size_t maui_features_next(const char **at, const char **ret_name);

/* Whether the constraint is well formed; NULL and "" are. */
bool maui_features_valid(const char *constraint);

#endif
