/* SPDX-License-Identifier: GPL-2.0-or-later */
/* built_for.h - for which slurmctld a plugin is built, as text in the plugin's file
 *
 * `maui preflight` finds it there: only slurmctld itself can load a plugin.
 *
 * Rules: CMD-60.
 */
#ifndef MAUI_BASE_BUILT_FOR_H
#define MAUI_BASE_BUILT_FOR_H

/* Behind them stand the release, and the SHA-256 of the slurmctld that configure compared with; ""
 * for none. */
#define MAUI_BUILT_FOR        "slurm-maui is built for Slurm "
#define MAUI_BUILT_FOR_SHA256 ", slurmctld's SHA-256 is "

#endif
