/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - functions shared by the files of config/build */
#ifndef MAUI_CONFIG_BUILD_PRIVATE_H
#define MAUI_CONFIG_BUILD_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "config/build/build.h"
#include "config/value.h"

/* ---- store.c ---- */

/* Reports the result of parsing a setting's value: an error if a used value is bad, a warning for
 * each skipped word of a list, at the position of the word. _at: for the byte `offset` of the
 * value; SIZE_MAX: for the whole value. */
void maui_build_report_at(const struct maui_setting *s, size_t offset,
			  enum maui_value_result result, const struct maui_err *err,
			  struct maui_diags *diags);
void maui_build_report(const struct maui_setting *s, enum maui_value_result result,
		       const struct maui_err *err, struct maui_diags *diags);

/* Stores one setting in `base`, the struct that its row's offset counts from. false: not stored; a
 * diagnostic has the reason. */
bool maui_build_store(struct maui_setting *s, void *base, struct maui_diags *diags);

/* ---- moab.c: ADMINCFG[n], FSTREE[name] ---- */

/* Called early: turns settings of Moab's into Maui's, and adds some; accounts are folded
 * already. -1 only without memory. */
int maui_build_moab(struct maui_config *config, struct maui_diags *diags);

/* ---- creds.c: USERCFG[name] and its like ---- */

/* Folds the accounts in the settings to lower case, as slurmctld does. */
void maui_build_creds_fold_accounts(struct maui_config *config);

/* Stores a setting of a credential; a new object is added. Settings must be sorted by object.
 * Settings of reservations and parameters are skipped. -1 only without memory. */
int maui_build_cred(struct maui_config *config, struct maui_setting *s, struct maui_diags *diags);

/* Called once, after all settings are stored: fills attributes that objects do not set from
 * DEFAULT. -1 without memory. */
int maui_build_creds_inherit(struct maui_config *config);

/* ---- limits.c: throttling limits ---- */

/* Whether the setting is a count such as MAXJOBPERUSERCOUNT that its switch (MAXJOBPERUSERPOLICY
 * OFF) turns off. */
bool maui_build_switched_off(const struct maui_config *config, const struct maui_setting *s);

/* A limit with a second dimension: MAXJOB[USER:steve], MAXJOBPERUSER. */
bool maui_build_is_pair(const struct maui_setting *s);

/* Fills all of `ret` but the limit; its name is borrowed from the setting. -1: the second dimension
 * is not valid, or this limit has none. */
int maui_build_pair(const struct maui_setting *s, struct maui_pair_limit *ret,
		    struct maui_err *err);

/* Copies the limits that the object does not set from its kind's DEFAULT, each by itself
 * (THR-4). */
void maui_build_inherit_limits(struct maui_cred_config *cred, const struct maui_cred_config *from);

/* ---- numbers.c: NODECFG[name] PRIORITY, GRESCFG[name] WEIGHT ---- */

/* Called after replaced settings are marked. -1 without memory. */
int maui_build_numbers(struct maui_config *config, struct maui_diags *diags);
void maui_build_numbers_finish(struct maui_config *config);

/* ---- stacks.c: RESERVATIONDEPTH[n], RESERVATIONQOSLIST[n] ---- */

/* Makes stack 0, which is always there, with depth 1. -1 without memory. */
int maui_build_stacks_init(struct maui_config *config);

/* The stack that a setting's index names; a new stack has depth 0. Without an index: stack 0. NULL:
 * the index is not a number, which is reported, or no memory. */
struct maui_stack_config *maui_build_stack(struct maui_config *config,
					   const struct maui_setting *setting,
					   struct maui_diags *diags);

/* Sorts by number, because a job belongs to the first stack that lists its QOS. */
void maui_build_stacks_sort(struct maui_config *config);
void maui_build_stacks_finish(struct maui_config *config);

/* ---- reservation.c: SRCFG[name] ---- */

/* Whether the attribute's value can be read. */
bool maui_build_rsv_counts(const struct maui_setting *s, struct maui_err *err);

/* Fills config->rsvs, after replaced settings are marked. -1 only without memory. */
int maui_build_rsvs(struct maui_config *config, struct maui_diags *diags);
void maui_build_rsvs_finish(struct maui_config *config);

#endif
