/* SPDX-License-Identifier: GPL-2.0-or-later */
/* params.c - every parameter of maui.cfg, sorted by name
 *
 * The rows are in four files by first letter, those that only Moab has in a fifth; those of
 * priority factors come from model/factor.h. A
 * default is slurm-maui's; if Maui's differs, the note says so. Source of names and types: Maui 3.3
 * manual, appendix F, and the names that Maui's parser knows beyond the manual.
 *
 * Rules: PRIO-2.
 */

#include "config/schema/rows.h"

static struct maui_param rows[] = {
#include "config/schema/params_ae.inc"
#include "config/schema/params_fm.inc"
#include "config/schema/params_nr.inc"
#include "config/schema/params_sx.inc"
#include "config/schema/params_moab.inc"
	MAUI_COMPONENTS(COMPONENT) MAUI_FACTORS(FACTOR)
};

const struct maui_param *const maui_schema_params = rows;
const size_t maui_schema_param_count = sizeof(rows) / sizeof(rows[0]);

__attribute__((constructor)) static void sort(void)
{
	maui_schema_sort(rows, maui_schema_param_count);
}
