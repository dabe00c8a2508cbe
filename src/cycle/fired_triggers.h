/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fired_triggers.h - reads and writes the state file's list of triggers that have fired
 *
 * A trigger fires at most once, so slurmctld must know after a restart which triggers have fired.
 */
#ifndef MAUI_CYCLE_FIRED_TRIGGERS_H
#define MAUI_CYCLE_FIRED_TRIGGERS_H

#include "reservation/triggers/trigger.h"
#include "state/store/store.h"

/* -1: no memory. The store borrows texts of the tracks. */
int maui_fired_triggers_to_store(const struct maui_trigger_tracks *tracks,
				 struct maui_store *store);
int maui_fired_triggers_from_store(struct maui_trigger_tracks *tracks,
				   const struct maui_store *store);

#endif
