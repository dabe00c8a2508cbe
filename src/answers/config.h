/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - answers "config": the maui.cfg that is in force, and one that was refused */
#ifndef MAUI_ANSWERS_CONFIG_H
#define MAUI_ANSWERS_CONFIG_H

#include "answers/own_creds.h"
#include "answers/question.h"
#include "config/config.h"

/* Whether a user who is not an administrator may see the line of a setting. */
bool maui_config_shows(const struct maui_own_creds *own, const struct maui_setting *setting);

#endif
