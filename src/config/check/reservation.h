/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.h - reservations that these nodes could not hold, names that nothing has
 *
 * What a SRCFG gets wrong by itself is among the diagnostics of every parse; this is what takes a
 * node table to see.
 */
#ifndef MAUI_CONFIG_CHECK_RESERVATION_H
#define MAUI_CONFIG_CHECK_RESERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct maui_snapshot;

/* A node as slurm.conf has it, whatever its state. Strings are borrowed. */
struct maui_check_node {
	const char *name; /* each once */
	int64_t procs, mem_mb, disk_mb;
	const char *features;   /* comma separated; NULL: none */
	const char *partitions; /* names, comma separated; NULL: none */
};

/* Warnings, at their positions in maui.cfg, for each SRCFG: host names and patterns that match no
 * node, or other nodes than they seem to (maui_hostexpr_doubt()), and a TASKCOUNT that all its
 * nodes together cannot hold. `matches`: also a note for each HOSTLIST that lists the nodes it
 * matches. */
void maui_config_check_nodes(const struct maui_config *config, const struct maui_check_node *nodes,
			     size_t count, bool matches, struct maui_diags *diags);

/* The same for the nodes of a snapshot. */
void maui_config_check_snapshot(const struct maui_config *config, const struct maui_snapshot *s,
				bool matches, struct maui_diags *diags);

/* PARTITION and CLASSLIST that name no partition of the snapshot's, warnings with their position;
 * `whole`: it has all nodes, so that a partition without any is one. */
void maui_config_check_partitions(const struct maui_config *config, const struct maui_snapshot *s,
				  bool whole, struct maui_diags *diags);

/* The same of USERLIST, GROUPLIST and OWNER, where it is certain that there is nobody of that name;
 * kind: MAUI_CRED_USER or MAUI_CRED_GROUP. Accounts and QOS are in the database, which nobody here
 * asks. */
typedef bool (*maui_check_unknown_fn)(int kind, const char *name);
void maui_config_check_people(const struct maui_config *config, maui_check_unknown_fn unknown,
			      struct maui_diags *diags);

/* The same of ADMIN1, ADMIN2 and ADMIN3. */
void maui_config_check_admins(const struct maui_config *config, maui_check_unknown_fn unknown,
			      struct maui_diags *diags);

/* The same of the files of TRIGGER; `refuses` 0: it would be run, or cannot be told, -1 with
 * why not. */
typedef int (*maui_check_file_fn)(const char *path, const void *context, struct maui_err *err);
void maui_config_check_triggers(const struct maui_config *config, maui_check_file_fn refuses,
				const void *context, struct maui_diags *diags);

/* What each SRCFG gets wrong by itself, which is among the diagnostics of a parse as well. */
void maui_config_check_rsvs(const struct maui_config *config, struct maui_diags *diags);

#endif
