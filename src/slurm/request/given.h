/* SPDX-License-Identifier: GPL-2.0-or-later */
/* given.h - whether the user gave a value of a job: 0, NO_VAL and INFINITE mean not */
#ifndef MAUI_SLURM_REQUEST_GIVEN_H
#define MAUI_SLURM_REQUEST_GIVEN_H

#include "slurm/abi.h"

static inline bool maui_given16(uint16_t value)
{
	return value != 0 && value != NO_VAL16 && value != INFINITE16;
}

static inline bool maui_given32(uint32_t value)
{
	return value != 0 && value != NO_VAL && value != INFINITE;
}

#endif
