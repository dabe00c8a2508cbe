/* SPDX-License-Identifier: GPL-2.0-or-later */
/* params.c - every parameter of maui.cfg, sorted by name
 *
 * The rows lie in four files by their first letter, each sorted. Defaults are what we do; where
 * Maui's differ the note says so. Source of names and types: Maui 3.3 manual, appendix F, and the
 * names its parser knows beyond that.
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
