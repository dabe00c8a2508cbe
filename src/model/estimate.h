/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate.h - when a waiting job was expected to start, and when it was estimated */
#ifndef MAUI_MODEL_ESTIMATE_H
#define MAUI_MODEL_ESTIMATE_H

#include <stdint.h>

struct maui_estimate {
	int64_t at_s, start_s;
};

#endif
