/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.h - generic resources that a job requests on each node, as sbatch --gres writes them
 *
 *   gpu            one gpu
 *   gpu:2          two
 *   gpu:a100:2     two of a type
 *   gpu:2,nvme:1   both
 */
#ifndef MAUI_MODEL_GRES_H
#define MAUI_MODEL_GRES_H

#include "base/err.h"
#include "model/snapshot.h"

/* What users call the dimension if it is a generic resource of nodes: "gpu", "gpu:a100". NULL: it
 * is something else. */
const char *maui_gres_name(const struct maui_snapshot *s, unsigned dimension);

/* Adds what `text` (NULL: nothing) requests to `per_node`, a vector of the snapshot's dimensions.
 * As everywhere in a snapshot, a type counts for its name as well. -1 with err: not such a text, or
 * no node of the snapshot has such a resource. */
int maui_gres_add(const struct maui_snapshot *s, const char *text, int64_t *per_node,
		  struct maui_err *err);

/* The same of a count for the whole job (sbatch --gpus): each of several `tasks` takes an equal
 * share into `per_task`, if the count can be dealt out so; else each of the `nodes` (>= 1) takes
 * its share, rounded up, into `per_node`. */
int maui_gres_add_total(const struct maui_snapshot *s, const char *text, uint64_t tasks,
			uint32_t nodes, int64_t *per_node, int64_t *per_task, struct maui_err *err);

#endif
