/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.h - a job's --constraint against a node's features
 *
 *   fast&big     both          fast|slow   one of them     !old      without it
 *   (a|b)&c      nested        [r1|r2]     one of them for all nodes of the job
 *   a*2&b*4      counts of nodes
 * What belongs to the set of nodes and not to one of them is the resource manager's to enforce: a
 * node serves under [..] when it has any of the alternatives, and under counts when it has any of
 * the counted features.
 */
#ifndef MAUI_MODEL_FEATURES_H
#define MAUI_MODEL_FEATURES_H

#include <stdbool.h>

/* Whether a node with `features` ("a,b"; NULL: none) can serve `constraint` (NULL: any can). A
 * constraint that is not well formed is served by no node. */
bool maui_features_match(const char *constraint, const char *features);

#endif
