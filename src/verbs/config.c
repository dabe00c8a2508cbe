/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - the verb "config" */

#include "verbs/config.h"

MAUI_RECORD_TYPE(maui_config_args, MAUI_CONFIG_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_config_parameter, MAUI_CONFIG_PARAMETER_FIELDS);
MAUI_RECORD_TYPE(maui_config_answer, MAUI_CONFIG_ANSWER_FIELDS);

MAUI_VERB(config, ALL, &maui_config_args_type, &maui_config_answer_type,
	  "the configuration in force, or one parameter of it");
