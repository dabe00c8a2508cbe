/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif.h - what maui whatif changes before the second of its two simulations
 *
 * Texts are options as the commands take them that do the same for real.
 */
#ifndef MAUI_CMD_WHATIF_H
#define MAUI_CMD_WHATIF_H

#include <json-c/json.h>

#include "config/config.h"
#include "policy/time_limit.h"
#include "sim/engine.h"
#include "state/saved_plan/saved_plan.h"
#include "verbs/fits.h"
#include "verbs/setres.h"

struct maui_rsv;

struct maui_whatif {
	const struct maui_fits_args *job;      /* NULL: none */
	const struct maui_fits *fits;          /* what slurmctld says of the job's user */
	const struct maui_setres_args *setres; /* NULL: none */
	const char *down;                      /* HOSTLIST; NULL: none */
	const struct maui_config *config;
	/* of setres: all reservations of setres, which live as long as the simulation; the index of
	 * the one that it makes or changes; its warnings (NULL: none) */
	struct maui_rsv *made;
	size_t set;
	char *warning;
	struct maui_time_limit limit; /* of the job, after the change */
};

/* "-N 4 -t 8:00:00" as argv, with quotes as in a shell; argv[0] is "". The caller frees the array
 * alone. NULL: a quote is left open. */
char **maui_whatif_words(const char *text, int *ret_argc);

/* For maui_sim_question: carries the changes out. -1 with err. */
int maui_whatif_change(struct maui_saved_plan *plan, void *whatif, struct maui_err *err);
/* For maui_sim_question: refuses a reservation that setres would refuse after its plan. */
int maui_whatif_check(const struct maui_sim_first_plan *first, void *whatif, struct maui_err *err);
void maui_whatif_finish(struct maui_whatif *whatif);

#endif
