/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.h - which of Slurm's reason codes stands behind our text
 *
 * squeue's REASON shows our text. `squeue --json`, dashboards and accounting group jobs by the code
 * (state_reason), so each of our reasons gets the code that Slurm itself would give for the same
 * cause: the Assoc... and QOS... codes for limits, Reservation for reservations.
 *
 * Rules: BF-21.
 */
#ifndef MAUI_SLURM_PUBLISH_REASON_H
#define MAUI_SLURM_PUBLISH_REASON_H

#include <stdint.h>

#include "model/reason.h"
#include "model/violation.h"

/* enum job_state_reason. WAIT_NO_REASON: the reason in the record is Slurm's own and stays.
 * `violation`: of MAUI_REASON_LIMIT; may be NULL. */
uint32_t maui_publish_reason(enum maui_reason reason, const struct maui_violation *violation);

#endif
