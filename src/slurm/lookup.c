/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lookup.c - the table of nodes that a capture belongs to; finds gres, licences, partitions and
 * reservations in a captured cluster
 */

#include "slurm/compat.h"

#include "slurm/capture/cluster.h"

#include <stdatomic.h>

#include "base/hash.h"

static atomic_uint_fast64_t changes;

void maui_cluster_table_changed(void)
{
	atomic_fetch_add(&changes, 1);
}

/* slurmctld reports a reconfigure. Nodes made and deleted while it runs show in the stamp of the
 * partitions, which are built again then. */
uint64_t maui_cluster_table(void)
{
	uint64_t hash = maui_hash_mix(1, atomic_load(&changes));

	hash = maui_hash_mix(hash, (uint64_t)slurm_conf.last_update);
	hash = maui_hash_mix(hash, (uint64_t)last_part_update);
	hash = maui_hash_mix(hash, (uint64_t)node_record_count);
	return maui_hash_mix(hash, (uintptr_t)node_record_table_ptr);
}

bool maui_cluster_is_current(uint64_t table)
{
	return maui_cluster_table() == table;
}

/* Whether an amount is called KIND/NAME or KIND/NAME:TYPE. */
static bool is_called(const char *amount, const char *kind, const char *name, const char *type)
{
	size_t kind_length = strlen(kind), name_length = strlen(name);

	if (strncmp(amount, kind, kind_length) != 0 ||
	    strncmp(amount + kind_length, name, name_length) != 0)
		return false;
	amount += kind_length + name_length;
	if (!type || !*type)
		return *amount == '\0';
	return *amount == ':' && strcmp(amount + 1, type) == 0;
}

static int find_amount(const struct maui_cluster *cluster, const char *kind, const char *name,
		       const char *type)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; name && d < cluster->amount_count; d++)
		if (is_called(cluster->amounts[d], kind, name, type))
			return (int)d;
	return -1;
}

int maui_cluster_gres(const struct maui_cluster *cluster, const char *name, const char *type)
{
	return find_amount(cluster, "gres/", name, type);
}

int maui_cluster_license(const struct maui_cluster *cluster, const char *name)
{
	return find_amount(cluster, "license/", name, NULL);
}

const struct maui_cluster_reservation *maui_cluster_reservation(const struct maui_cluster *cluster,
								const char *name)
{
	for (uint32_t i = 0; name && i < cluster->reservation_count; i++)
		if (strcmp(cluster->reservations[i].name, name) == 0)
			return &cluster->reservations[i];
	return NULL;
}

int64_t maui_cluster_claim(const struct maui_cluster *cluster, const char *reservation)
{
	const struct maui_cluster_reservation *found =
		maui_cluster_reservation(cluster, reservation);

	return found ? found->claim : -1;
}
