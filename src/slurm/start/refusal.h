/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refusal.h - what a code of select_nodes() says: whether the job waits for nodes, waits for
 * something else, or cannot start as it is
 *
 * The kind decides what a refusal costs. After MAUI_REFUSED_NODES the job asks Slurm. After
 * MAUI_REFUSED_UNFIT it does so if a second search finds that other nodes could serve it, since
 * select_nodes() saw no others than the planned ones. Only a job that cannot start as it is counts
 * as a failed start (DEFERSTARTCOUNT).
 *
 * Rules: BF-12, BF-13.
 */
#ifndef MAUI_SLURM_START_REFUSAL_H
#define MAUI_SLURM_START_REFUSAL_H

enum maui_refusal_kind {
	MAUI_REFUSED_NOT,   /* SLURM_SUCCESS */
	MAUI_REFUSED_NODES, /* the planned nodes are taken, down, or do not match the network */
	MAUI_REFUSED_WAIT,  /* on any nodes: licences, limits, reservations, a hold */
	MAUI_REFUSED_UNFIT, /* the planned nodes could never run the job; others might */
	MAUI_REFUSED_JOB,   /* on any nodes: the request itself is at fault */
};

/* A code that no release is known to return means MAUI_REFUSED_WAIT: it costs the job a moment, and
 * neither its place nor any node. */
enum maui_refusal_kind maui_refusal_kind(int code);

#endif
