/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits-world.h - a small cluster with a finished plan, for showbf and maui fits
 *
 * Monday 2026-11-23 10:00:00 UTC. Partition batch has n1 to n6 with 16 processors each, partition
 * gpu has n6. Running: 11 of ann on n1 and n2 until 12:05, 12 of bob on half of n3 without an end.
 * Waiting: 21 of ann for four whole nodes, which has n1, n2, n4 and n5 from 12:05. USERCFG[bob]
 * MAXPROC=24.
 */
#ifndef MAUI_TESTSUITE_FITS_WORLD_H
#define MAUI_TESTSUITE_FITS_WORLD_H

#include "answers/document.h"
#include "model/admission.h"

/* The document with its plan, under more `lines` of maui.cfg; the caller unrefs it. NULL: stderr
 * says why. */
struct maui_document *fits_world_publish(const char *lines);
/* The same, where the partitions batch and gpu admit by these rules, whose texts stay the caller's.
 * SlurmUser is 64. */
struct maui_document *fits_world_publish_admitting(const struct maui_admission_rules *rules);
/* The same, where gpu admits the group chemistry and uid 1002, bob, and batch not the QOS high. */
struct maui_document *fits_world_publish_closed(void);

#endif
