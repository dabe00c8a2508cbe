/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check_private.h - between the files of check.c */
#ifndef MAUI_CONFIG_CHECK_PRIVATE_H
#define MAUI_CONFIG_CHECK_PRIVATE_H

#include "config/config.h"

/* "USERCFG[amy] MAXJOB", "QUEUETIMEWEIGHT[batch]", "LOGDIR"; a long one ends in "...". Returns
 * buf, which is to have MAUI_SUBJECT_SIZE bytes. */
enum { MAUI_SUBJECT_SIZE = 320 };
char *maui_check_subject(const struct maui_setting *s, char *buf);

/* Names of objects: several in one pair of brackets, QOS that are spoken of and never said. */
void maui_check_names(const struct maui_config *config, struct maui_diags *diags);

#endif
