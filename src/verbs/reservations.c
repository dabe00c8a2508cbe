/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - the verb "reservations" */

#include "verbs/reservations.h"

MAUI_RECORD_TYPE(maui_reservations_args, MAUI_RESERVATIONS_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_reservations_released, MAUI_RESERVATIONS_RELEASED_FIELDS);
MAUI_RECORD_TYPE(maui_reservations_sum, MAUI_RESERVATIONS_SUM_FIELDS);
MAUI_RECORD_TYPE(maui_reservations, MAUI_RESERVATIONS_FIELDS);

MAUI_VERB(reservations, ALL, &maui_reservations_args_type, &maui_reservations_type,
	  "reservations: of jobs, standing, administrative, and those of scontrol");
