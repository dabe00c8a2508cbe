/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - one look at all mirrors, for mirror*.c only */
#ifndef MAUI_SLURM_MIRROR_PRIVATE_H
#define MAUI_SLURM_MIRROR_PRIVATE_H

#include "slurm/compat.h"

#include "model/mirror.h"
#include "slurm/mirror/mirror.h"

/* Whether there is a user `nobody`: 1, 0, or -1 when nobody could tell. Asks the name service until
 * that answers, then no more: call without locks. */
int maui_mirror_form_nobody(void);

/* Where associations are enforced accounts=-root, otherwise users=nobody (of -1, too: Slurm will
 * refuse it, and it is tried again); and without a user of that name accounts=-root with slurmdbd,
 * users=root without. Under conf READ. */
struct maui_mirror_form maui_mirror_form_now(int nobody);

/* Sets `form` and `old_form`. Under node READ. */
void maui_mirror_form_see(const struct maui_mirror_form *form, const slurmctld_resv_t *resv_ptr,
			  struct maui_mirror_seen *seen);

/* Flags and names of one to be made. */
void maui_mirror_form_set(const struct maui_mirror_form *form, resv_desc_msg_t *desc);

/* One name: wanted, known, or both. */
struct maui_mirror_case {
	const char *name;
	char *own_name;
	const struct maui_mirror_want *want; /* NULL: not wanted */
	bitstr_t *nodes;                     /* that are wanted */
	bool present;
	struct maui_mirror_seen seen;
	enum maui_mirror_step step;
};

struct maui_mirror_cases {
	struct maui_mirrors *mirrors;
	const struct maui_mirror_input *input;
	struct maui_mirror_result *ret;
	struct maui_mirror_form form;
	bool form_unsure;              /* which of ours it should be: any is right */
	struct maui_mirror_case *list; /* by name */
	size_t count;
	int64_t now_s;
	bool over; /* some have ended: to be purged */
};

/* When it begins, or began: of one that recurs or floats, too. Under node READ. */
static inline int64_t maui_mirror_start(const slurmctld_resv_t *resv_ptr)
{
	return resv_ptr->start_time_first ? resv_ptr->start_time_first : resv_ptr->start_time;
}

/* What Slurm has under this name, into the case: in less than a microsecond for 10,000 nodes, but
 * for `thorough`, which reads the text of its nodes when their set is not the one that was compared
 * before. Under node READ. */
void maui_mirror_see(const struct maui_mirror_cases *cases, struct maui_mirror_case *one,
		     const slurmctld_resv_t *resv_ptr, bool thorough);

/* What is to be done about it, by what was seen. */
void maui_mirror_step(const struct maui_mirror_cases *cases, struct maui_mirror_case *one);

/* Looks once more, decides once more, does it. Under conf READ, job and node WRITE, part READ. */
void maui_mirror_settle(struct maui_mirror_cases *cases, struct maui_mirror_case *one);

/* Those that are over are taken away, as slurmctld does it twice a minute. Same locks. */
void maui_mirror_purge(struct maui_mirror_cases *cases);

#endif
