/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - a configuration as rows: each parameter with its value, its default and its origin */
#ifndef MAUI_CONFIG_SHOW_H
#define MAUI_CONFIG_SHOW_H

#include "config/config.h"

struct maui_config_row {
	char name[320];               /* "QUEUETIMEWEIGHT[batch]", "USERCFG[amy] MAXPROC[CLASS]" */
	const char *value, *def;      /* as in maui.cfg; valid during the call */
	char origin[512];             /* "maui.cfg:12", "default" */
	const struct maui_param *row; /* of the schema: the attribute's, else the parameter's */
	const struct maui_setting *setting; /* NULL: not set */
	const char *status;                 /* "honoured", "ignored" */
	bool honoured;                      /* it has an effect, maybe another than in Maui */
};

typedef void (*maui_config_row_fn)(const struct maui_config_row *row, void *arg);

/* Calls for each parameter in the order of the schema, and for each attribute that is set. What a
 * later line replaced is left out; `set_only`: also what no line sets. A setting that is ignored
 * stands beside what is in force. */
void maui_config_show(const struct maui_config *config, bool set_only, maui_config_row_fn call,
		      void *arg);

#endif
