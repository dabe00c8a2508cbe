/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.h - a generic resource of several nodes */
#ifndef MAUI_VERBS_GRES_H
#define MAUI_VERBS_GRES_H

#include "record/record.h"

#define MAUI_GRES_FIELDS(F, R)                             \
	F(R, TEXT, name, "gpu, and of each type gpu:a100") \
	F(R, INT, total, "of nodes that are up")           \
	F(R, INT, unused, "those that no job has")
MAUI_RECORD(maui_gres, MAUI_GRES_FIELDS);

#endif
