/* SPDX-License-Identifier: GPL-2.0-or-later */
/* good_config.h - the last accepted maui.cfg, a copy in the state directory (maui.cfg.good) */
#ifndef MAUI_CONTROLLER_GOOD_CONFIG_H
#define MAUI_CONTROLLER_GOOD_CONFIG_H

#include "controller/private.h"

/* Logs an error; at debug level when the log has it already. */
#define maui_log_again(again, ...)          \
	do {                                \
		if (again)                  \
			debug(__VA_ARGS__); \
		else                        \
			error(__VA_ARGS__); \
	} while (0)

/* `quiet`: leaves out warnings. `again`: the log has the errors already. */
void maui_log_diags(const struct maui_diags *diags, bool quiet, bool again);

/* Saves an accepted configuration. */
void maui_save_good(const struct maui_controller *c, const struct maui_config *config);
/* Loads the saved configuration, or the `old` one before it. NULL: it is missing, truncated, or no
 * longer accepted; the log says why. */
struct maui_config *maui_load_good(const struct maui_controller *c, bool old, bool again,
				   struct maui_diags *diags);

#endif
