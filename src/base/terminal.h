/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.h - whether the terminal of this program shows UTF-8 */
#ifndef MAUI_BASE_TERMINAL_H
#define MAUI_BASE_TERMINAL_H

#include <stdbool.h>

#include "base/utf8.h"

/* Whether the locale is one of UTF-8, by its name: it need not be installed. */
bool maui_terminal_is_utf8(void);

/* How to print texts of other users: as bytes where stdout or stderr is a terminal without UTF-8
 * (base/utf8.h says why). */
enum maui_display maui_terminal_display(void);

#endif
