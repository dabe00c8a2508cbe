/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_warnings.h - what `maui config check` says of the maui.cfg in force, as texts */
#ifndef MAUI_ANSWERS_CONFIG_WARNINGS_H
#define MAUI_ANSWERS_CONFIG_WARNINGS_H

#include "answers/question.h"

/* Warnings of lines that set one of these families (MAUI_FAMILY_*) or name an object of them that
 * does not exist, with `weights` also of lines that set weights; each text has its position. They
 * quote lines about all objects, so users from whom PrivateData hides any are told none. -1 without
 * memory, with the error. */
int maui_config_warnings_list(const struct maui_question *q, unsigned families, bool weights,
			      const char *const **ret, size_t *ret_count);

#endif
