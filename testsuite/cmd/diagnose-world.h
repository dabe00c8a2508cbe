/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-world.h - a small cluster with a finished plan, for diagnose and showconfig
 *
 * Monday 2026-11-23 10:00:00 UTC. Nodes n1 to n4 of four processors and 8000 MB, n5 is down;
 * partitions batch (all nodes) and fast (n1). Users ann (1001), bob (1002), eve (1003); accounts
 * physics and bio; QOS high and low. Running: 101 of ann on n1 and n2, 102 of bob on n3. Waiting:
 * 201 of ann and 202 of bob in the queue, 203 of eve with a system priority, 204 of ann with a
 * priority from scontrol, 205 of bob over MAXPROC, 206 of eve held, 207 of bob larger than the
 * cluster, 208 of bob over MAXIJOB.
 */
#ifndef MAUI_TESTSUITE_DIAGNOSE_WORLD_H
#define MAUI_TESTSUITE_DIAGNOSE_WORLD_H

#include "answers/document.h"

enum { DIAGNOSE_ANN = 1001, DIAGNOSE_BOB = 1002, DIAGNOSE_EVE = 1003, DIAGNOSE_ADMIN = 500 };

/* The document with its plan; the caller unrefs it. `refused`: maui.cfg on the disk has an error.
 * NULL: stderr says why. */
struct maui_document *diagnose_world_publish(bool refused);

/* maui.cfg on the disk is not what was read, since five minutes ago; NULL: it is again. */
void diagnose_world_change_file(struct maui_document *p, const char *how);

/* The same with names of a directory: ann is LAB\ann, and groups have blanks and umlauts. */
struct maui_document *diagnose_world_publish_directory(void);

/* The same with 300 nodes of which n5 is down. */
struct maui_document *diagnose_world_publish_large(void);

/* The same without a job. */
struct maui_document *diagnose_world_publish_idle(void);

/* Users with names that have quotes, brackets and control characters used everything. */
void diagnose_world_set_hostile_usage(struct maui_document *p);

/* Gives the document the score of a trial, and lets the user who runs this see it. */
void diagnose_world_set_trial(struct maui_document *p);

#endif
