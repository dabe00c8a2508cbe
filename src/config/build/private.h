/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - between the files of config/build */
#ifndef MAUI_CONFIG_BUILD_PRIVATE_H
#define MAUI_CONFIG_BUILD_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "config/build/build.h"
#include "config/value.h"

/* ---- build.c ---- */

/* Says what became of a setting's value: an error when it is bad and somebody would read it. Of a
 * list of words each that was passed over, at its place; _at: of what stands at a byte of it,
 * SIZE_MAX: of it all. */
void maui_build_say_at(const struct maui_setting *s, size_t offset, enum maui_value_result result,
		       const struct maui_err *err, struct maui_diags *diags);
void maui_build_say(const struct maui_setting *s, enum maui_value_result result,
		    const struct maui_err *err, struct maui_diags *diags);

/* Stores one setting in `base`, the struct that its row's offset counts from. false: it is not
 * stored, and a diagnostic says why. */
bool maui_build_store(struct maui_setting *s, void *base, struct maui_diags *diags);

/* ---- creds.c: USERCFG[name] and its like ---- */

/* slurmctld has accounts in lower case: so have the settings after it. */
void maui_build_creds_fold_accounts(struct maui_config *config);

/* Stores a setting of an object, which is made when it is new; settings come sorted by object. Of
 * reservations and parameters nothing is done. -1 only without memory. */
int maui_build_cred(struct maui_config *config, struct maui_setting *s, struct maui_diags *diags);

/* Once all settings are stored: what DEFAULT says, for those that do not say it. -1 without
 * memory. */
int maui_build_creds_inherit(struct maui_config *config);

/* ---- limits.c: what is special about throttling limits ---- */

/* MAXJOBPERUSERCOUNT and the like, with MAXJOBPERUSERPOLICY OFF: the count is without effect. */
bool maui_build_switched_off(const struct maui_config *config, const struct maui_setting *s);

/* A limit with a second dimension: MAXJOB[USER:steve], MAXJOBPERUSER. */
bool maui_build_is_pair(const struct maui_setting *s);

/* Of such a setting all but the limit; the name is borrowed from it. -1: no such second
 * dimension, or a limit that has none. */
int maui_build_pair(const struct maui_setting *s, struct maui_pair_limit *ret,
		    struct maui_err *err);

/* Limits that the object does not set from its kind's DEFAULT, each by itself (THR-4). */
void maui_build_inherit_limits(struct maui_cred_config *cred, const struct maui_cred_config *from);

/* ---- nodes.c: NODECFG[name] PRIORITY ---- */

/* Out of the settings, once those that a later line replaces are marked. -1 without memory. */
int maui_build_nodes(struct maui_config *config);
void maui_build_nodes_finish(struct maui_config *config);

/* ---- stacks.c: RESERVATIONDEPTH[n], RESERVATIONQOSLIST[n] ---- */

/* Makes stack 0, which is always there, with depth 1. -1 without memory. */
int maui_build_stacks_init(struct maui_config *config);

/* The stack that a setting's index names, made when it is new, with depth 0; a setting without
 * index means stack 0. NULL: no number, which is said, or no memory. */
struct maui_stack_config *maui_build_stack(struct maui_config *config,
					   const struct maui_setting *setting,
					   struct maui_diags *diags);

/* By number: the first stack that matches a job is its own. */
void maui_build_stacks_sort(struct maui_config *config);
void maui_build_stacks_finish(struct maui_config *config);

/* ---- reservation.c: SRCFG[name] ---- */

/* Whether a further line for the same attribute adds to it: access lists and triggers. */
bool maui_build_rsv_appends(const struct maui_param *attr);

/* Fills config->rsvs out of the settings, once those that a later line replaces are marked. -1 only
 * without memory. */
int maui_build_rsvs(struct maui_config *config, struct maui_diags *diags);
void maui_build_rsvs_finish(struct maui_config *config);

#endif
