/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - answers "config": the maui.cfg that is in force, and one that was refused */
#ifndef MAUI_ANSWERS_CONFIG_H
#define MAUI_ANSWERS_CONFIG_H

#include "answers/own_creds.h"
#include "answers/question.h"
#include "config/config.h"

/* In: struct maui_config_args. Out: struct maui_config_answer; NULL with an error: no parameter has
 * the name; more lines than are listed; no memory. */
const void *maui_answer_config(const struct maui_question *q, const void *args);

/* Whether a user who is not an administrator may see the line of a setting. */
bool maui_config_shows(const struct maui_own_creds *own, const struct maui_setting *setting);

#endif
