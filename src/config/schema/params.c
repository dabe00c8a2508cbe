/* SPDX-License-Identifier: GPL-2.0-or-later */
/* params.c - every parameter of maui.cfg, sorted by name
 *
 * The rows are in four files by first letter, each sorted. A default is slurm-maui's; if Maui's
 * differs, the note says so. Source of names and types: Maui 3.3 manual, appendix F, and the names
 * that Maui's parser knows beyond the manual.
 *
 * Rules: PRIO-2.
 */

#include "config/schema/rows.h"

const struct maui_param maui_schema_params[] = {
#include "config/schema/params_ae.inc"
#include "config/schema/params_fm.inc"
#include "config/schema/params_nr.inc"
#include "config/schema/params_sx.inc"
};

const size_t maui_schema_param_count = sizeof(maui_schema_params) / sizeof(maui_schema_params[0]);
