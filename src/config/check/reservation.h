/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.h - checks of reservations against nodes, partitions and files
 *
 * Every parse reports what is wrong with a SRCFG line by itself. These checks need more than the
 * file: the nodes, the partitions, the file system.
 */
#ifndef MAUI_CONFIG_CHECK_RESERVATION_H
#define MAUI_CONFIG_CHECK_RESERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct maui_snapshot;

/* A node as slurm.conf defines it, in any state. Strings are borrowed. */
struct maui_check_node {
	const char *name; /* unique */
	int64_t procs, mem_mb, disk_mb;
	const char *features;   /* comma separated; NULL: none */
	const char *partitions; /* names, comma separated; NULL: none */
};

/* Adds warnings for each SRCFG: host names and patterns that match no node or other nodes than
 * intended (maui_hostexpr_doubt()), and a TASKCOUNT that all its nodes together cannot hold.
 * `matches`: also a note with the nodes that each HOSTLIST matches. */
void maui_config_check_nodes(const struct maui_config *config, const struct maui_check_node *nodes,
			     size_t count, bool matches, struct maui_diags *diags);

/* Adds warnings for nodes that NODECFG names and the snapshot, with all nodes, does not have. */
void maui_config_check_node_names(const struct maui_config *config, const struct maui_snapshot *s,
				  struct maui_diags *diags);

/* Both checks with the nodes of a snapshot. */
void maui_config_check_snapshot(const struct maui_config *config, const struct maui_snapshot *s,
				bool matches, struct maui_diags *diags);

/* Adds warnings for each PARTITION without nodes. The snapshot has all nodes. Names of no partition
 * are known_names.h's. */
void maui_config_check_empty_partitions(const struct maui_config *config,
					const struct maui_snapshot *s, struct maui_diags *diags);

/* Adds a warning for each SRCFG whose name is one of these, the names of Slurm's reservations:
 * --reservation then means Slurm's. */
void maui_config_check_namesakes(const struct maui_config *config, const char *const *slurm,
				 size_t count, struct maui_diags *diags);

/* Adds warnings for the programs of TRIGGER. `refuses` returns -1 with the reason if
 * slurmctld would not run the file, 0 if it would or if that is not known here. */
typedef int (*maui_check_file_fn)(const char *path, const void *context, struct maui_err *err);
void maui_config_check_triggers(const struct maui_config *config, maui_check_file_fn refuses,
				const void *context, struct maui_diags *diags);

/* Adds the diagnostics of the SRCFG lines by themselves; part of every parse. */
void maui_config_check_rsvs(const struct maui_config *config, struct maui_diags *diags);

#endif
