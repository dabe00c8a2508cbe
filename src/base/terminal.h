/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.h - what the terminal of a program makes of the bytes that it is sent */
#ifndef MAUI_BASE_TERMINAL_H
#define MAUI_BASE_TERMINAL_H

#include <stdbool.h>

#include "base/utf8.h"

/* Whether the locale is one of UTF-8, by its name: it need not be installed. */
bool maui_terminal_is_utf8(void);

/* How what this program prints is shown: as bytes where stdout or stderr is a terminal without
 * UTF-8. */
enum maui_display maui_terminal_display(void);

#endif
