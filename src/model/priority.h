/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.h - a job's priority with every contribution to it (Maui manual 5.1.2) */
#ifndef MAUI_MODEL_PRIORITY_H
#define MAUI_MODEL_PRIORITY_H

#include <stdbool.h>

#include "model/factor.h"

struct maui_priority {
	double factor[MAUI_FACTOR_COUNT];  /* value after its cap, before its weight */
	double weight[MAUI_FACTOR_COUNT];  /* in force for this job (QOS additions, GROUPCFG) */
	double component[MAUI_COMP_COUNT]; /* after component cap and component weight */
	double raw;                        /* sum of the components */
	double value;                      /* after clip, ceiling and system priority; not
					       truncated */
	bool rejected;                     /* REJECTNEGPRIOJOBS refuses the job */
};

#endif
