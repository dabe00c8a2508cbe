/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - one pass over all mirrors, for the files of this folder only */
#ifndef MAUI_SLURM_MIRROR_PRIVATE_H
#define MAUI_SLURM_MIRROR_PRIVATE_H

#include "slurm/compat.h"

#include "model/mirror.h"
#include "slurm/mirror/mirror.h"

/* Whether the user exists whom a mirror names so that it admits no user: `nobody`, since 25.11 the
 * number 65534. 1, 0, or -1 while the name service gives no answer. Asks the name service until it
 * answers once: call without locks. */
int maui_mirror_form_nobody(void);

/* The form of a mirror: accounts=-root where associations are enforced, otherwise that user (also
 * for -1: Slurm refuses the mirror then, and it is tried again). When the user does not exist:
 * accounts=-root with slurmdbd, users=root without. Under conf READ. */
struct maui_mirror_form maui_mirror_form_now(int has_nobody);

/* Sets `form` and `old_form`. Under node READ. */
void maui_mirror_form_see(const struct maui_mirror_form *form, const slurmctld_resv_t *resv_ptr,
			  struct maui_mirror_seen *seen);

/* Sets flags, users and accounts of a mirror that is to be made. */
void maui_mirror_form_set(const struct maui_mirror_form *form, resv_desc_msg_t *desc);

/* What is wanted and known of one mirror. */
struct maui_mirror_case {
	const char *name;
	char *own_name;
	const struct maui_mirror_want *want; /* NULL: not wanted */
	bitstr_t *nodes;                     /* the wanted nodes */
	bool present;
	struct maui_mirror_seen seen;
	enum maui_mirror_step step;
};

struct maui_mirror_cases {
	struct maui_mirrors *mirrors;
	const struct maui_mirror_input *input;
	struct maui_mirror_result *ret;
	struct maui_mirror_form form;
	bool form_unsure; /* the right form is not known: accept every form of a mirror */
	struct maui_mirror_case *list; /* by name */
	size_t count;
	int64_t now_s;
	bool over; /* some mirrors have ended and must be purged */
};

/* Its begin, also of a repeating or floating reservation. Under node READ. */
static inline int64_t maui_mirror_start(const slurmctld_resv_t *resv_ptr)
{
	return resv_ptr->start_time_first ? resv_ptr->start_time_first : resv_ptr->start_time;
}

/* Reads Slurm's reservation of this name into the case. This takes less than a microsecond for
 * 10,000 nodes, unless `thorough` must read the text of its nodes because their bitmap has
 * changed. Under node READ. */
void maui_mirror_see(const struct maui_mirror_cases *cases, struct maui_mirror_case *one,
		     const slurmctld_resv_t *resv_ptr, bool thorough);

/* Decides the step by what was read. */
void maui_mirror_step(const struct maui_mirror_cases *cases, struct maui_mirror_case *one);

/* Reads and decides again, and applies the step. Under conf READ, job and node WRITE, part
 * READ. */
void maui_mirror_apply(struct maui_mirror_cases *cases, struct maui_mirror_case *one);

/* Purges ended mirrors, as slurmctld does twice a minute. Same locks. */
void maui_mirror_purge(struct maui_mirror_cases *cases);

#endif
