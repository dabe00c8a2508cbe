/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - between the files of check.c */
#ifndef MAUI_CONFIG_CHECK_PRIVATE_H
#define MAUI_CONFIG_CHECK_PRIVATE_H

#include "config/config.h"

/* "USERCFG[amy] MAXJOB", "QUEUETIMEWEIGHT[batch]", "LOGDIR"; a long one ends in "...". Returns
 * buf, which is to have MAUI_SUBJECT_SIZE bytes. */
enum { MAUI_SUBJECT_SIZE = 320 };
char *maui_check_subject(const struct maui_setting *s, char *buf);

/* Whose status tells what becomes of a setting: its attribute's or its parameter's row. */
const struct maui_param *maui_check_row(const struct maui_setting *s);

/* FSTARGET=40% or 5000^: decides whether a job may run, not when. */
bool maui_check_is_cap(const struct maui_setting *s);

/* Parameters of planning that cancel each other out, flags without effect (check_planning.c). */
void maui_check_planning(const struct maui_config *config, struct maui_diags *diags);

/* Soft limits above hard ones, second dimensions that are none (check_limits.c). */
void maui_check_limits(const struct maui_config *config, struct maui_diags *diags);

/* What only sched/maui acts on, under another scheduler; NULL: not known (check_scheduler.c). */
void maui_check_scheduler(const struct maui_config *config, const char *scheduler,
			  struct maui_diags *diags);

/* Names of objects: several in one pair of brackets, QOS that are spoken of and never said. */
void maui_check_names(const struct maui_config *config, struct maui_diags *diags);

/* What is in no name of Slurm's or of a system's; NULL: nothing. */
const char *maui_check_odd(const char *name);

/* Administrators: names that look like several, lines that replace others (check_admins.c). */
void maui_check_admins(const struct maui_config *config, struct maui_diags *diags);

/* Names in reservations' lists that look like several, or like marks of another scheduler's
 * (check_rsv_words.c). */
void maui_check_rsv_words(const struct maui_config *config, struct maui_diags *diags);

#endif
