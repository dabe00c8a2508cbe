/* SPDX-License-Identifier: GPL-2.0-or-later */
/* supply.c - what the nodes of a partition can give of a gres
 *
 * Counted once for many jobs: few questions are asked, and each costs a look at all node classes.
 */

#include "slurm/compat.h"

#include "base/hash.h"
#include "slurm/request/request.h"

static struct maui_request_supply *find_entry(struct maui_request_site *site, uint32_t partition,
					      unsigned dimension, struct maui_gres_along along)
{
	uint64_t hash = maui_hash_mix(maui_hash_mix(partition, dimension), along.procs);

	hash = maui_hash_mix(hash, along.memory);
	return &site->supplies[(hash ^ hash >> 32) % MAUI_REQUEST_SUPPLIES];
}

static bool is_about(const struct maui_request_supply *entry, uint32_t partition,
		     unsigned dimension, struct maui_gres_along along)
{
	return entry->dimension == dimension && entry->partition == partition &&
	       entry->along.procs == along.procs && entry->along.memory == along.memory;
}

int maui_request_supply(struct maui_request_site *site, const char *name, unsigned dimension,
			struct maui_gres_along along, struct maui_gres_supply *ret)
{
	const struct maui_snapshot *s = site->cluster->snapshot;
	int64_t partition = maui_cluster_partition(site->cluster, name);
	uint64_t left = MAUI_REQUEST_WORK_OF_A_JOB;
	struct maui_request_supply *entry;

	if (partition < 0)
		return -1;
	entry = find_entry(site, (uint32_t)partition, dimension, along);
	if (!is_about(entry, (uint32_t)partition, dimension, along)) {
		if (!maui_request_may_work(site, &left, s->class_count) ||
		    maui_gres_supply(s, (uint32_t)partition, dimension, along,
				     &site->cluster->arena, &entry->supply))
			return -1;
		entry->partition = (uint32_t)partition;
		entry->dimension = dimension;
		entry->along = along;
	}
	*ret = entry->supply;
	return 0;
}
