/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_facts.h - whether what was found out about waiting jobs in earlier cycles still holds
 *
 * Decides about the facts that touch all jobs: partitions, node table, slurm.conf. Most are
 * compared by value. For the rest there are stamps of whole seconds, and a change in the second of
 * the one before has the same stamp. So nothing is kept from a cycle in which such a change could
 * follow; and nothing when the clock was set back, after which any stamp may come again. (A clock
 * that is set back and forth again between two cycles is not noticed.)
 *
 * Rules: BF-17.
 */
#ifndef MAUI_CYCLE_KEPT_FACTS_H
#define MAUI_CYCLE_KEPT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

/* What a cycle sees of the facts. */
struct maui_kept_look {
	uint64_t facts;  /* hash of the facts and of their stamps */
	int64_t stamp_s; /* the latest of the stamps */
	int64_t began_s; /* the clock before any of the facts was read */
	/* the clock, and one that is never set, both when the jobs of the cycle are looked at */
	int64_t clock_us, steady_us;
};

/* The same of the cycle before; zeroed: there was none. */
struct maui_kept_facts {
	uint64_t facts;
	int64_t full_us;   /* when all jobs were checked, by the steady clock; 0: never */
	int64_t offset_us; /* of the clock to the steady one */
	bool in_doubt;     /* another change may have the stamps of these facts */
};

/* Notes the look. Returns whether what the cycle before has left can be used in this one; if not,
 * all jobs are to be checked, as they are when that was `full_every_s` ago. */
bool maui_kept_facts_hold(struct maui_kept_facts *facts, const struct maui_kept_look *look,
			  int64_t full_every_s);

#endif
