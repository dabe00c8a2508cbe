/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - functions shared by the files of config/check */
#ifndef MAUI_CONFIG_CHECK_PRIVATE_H
#define MAUI_CONFIG_CHECK_PRIVATE_H

#include "config/check/known_names.h"
#include "config/config.h"

/* Writes "USERCFG[amy] MAXJOB", "QUEUETIMEWEIGHT[batch]" or "LOGDIR" into buf, which must have
 * MAUI_SUBJECT_SIZE bytes; a longer text ends in "...". Returns buf. */
enum { MAUI_SUBJECT_SIZE = 320 };
char *maui_check_subject(const struct maui_setting *s, char *buf);

/* The schema row whose status applies to a setting: its attribute's, else its parameter's. */
const struct maui_param *maui_check_row(const struct maui_setting *s);

/* The kind of a *CFG[name] setting; MAUI_CRED_COUNT: not of a credential. */
enum maui_cred_kind maui_check_kind(const struct maui_setting *s);

/* Whether the value is a fairshare cap (40% or 5000^), which decides whether a job may run, not
 * when. */
bool maui_check_is_cap(const struct maui_setting *s);

/* planning.c: planning parameters that cancel each other, flags without effect. */
void maui_check_planning(const struct maui_config *config, struct maui_diags *diags);

/* weights.c: weights of factors whose component weighs nothing. */
void maui_check_weights(const struct maui_config *config, struct maui_diags *diags);

/* limits.c: soft limits above hard ones, second dimensions without effect. */
void maui_check_limits(const struct maui_config *config, struct maui_diags *diags);

/* scheduler.c: settings that only sched/maui acts on, if another scheduler is configured;
 * `scheduler` NULL: not known. */
void maui_check_scheduler(const struct maui_config *config, const char *scheduler,
			  struct maui_diags *diags);

/* names.c: several names in one pair of brackets, QOS that are used but never defined. */
void maui_check_names(const struct maui_config *config, struct maui_diags *diags);

/* The first byte that no name in Slurm or on a Unix system has; NULL: none. */
const char *maui_check_odd(const char *name);

/* admins.c: administrators whose names look like several. names_admins(): whether it is one of
 * ADMIN1, ADMIN2 and ADMIN3. */
bool maui_check_names_admins(const struct maui_setting *s);
void maui_check_admins(const struct maui_config *config, struct maui_diags *diags);

/* Calls `fn` for each of them, and adds a warning about one of them. */
void maui_check_each_admin(const struct maui_config *config, maui_mention_fn fn, void *context);
void maui_check_warn_of_admin(const struct maui_setting *s, size_t at, const char *name,
			      const char *what, struct maui_diags *diags);

/* reservation_names.c: adds a warning about a name in an attribute of a SRCFG, at its line. */
void maui_check_warn_of_rsv(const struct maui_config *config, const struct maui_rsv *rsv,
			    const char *attr, const char *name, const char *what,
			    struct maui_diags *diags);

/* The place of a diagnostic about a SRCFG: at a setting, or at its first line. */
struct maui_diag_place maui_check_place_of_rsv(const struct maui_rsv *rsv,
					       const struct maui_setting *s);

/* reservation_words.c: names in access lists that look like several names, or carry marks of
 * another scheduler. */
void maui_check_rsv_words(const struct maui_config *config, struct maui_diags *diags);

#endif
