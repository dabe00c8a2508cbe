/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_resumes.c - suspended jobs whose own cores other jobs have
 *
 * A suspended job resumes on its own cores, and the plan knows how many are free, not which. When
 * Slurm's rules refuse a resume, the job waits as long as the same jobs run on its nodes: until the
 * first of them is due to end the plan keeps nothing for it. If no other job runs there, one has
 * just ended, and the next cycle tries again.
 *
 * Rules: PRE-4.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/hash.h"

/* More suspended jobs that are refused are tried again in each cycle. */
enum { REFUSED_MAX = 256 };

struct refused {
	uint32_t job_id;
	uint64_t beside; /* which jobs ran on its nodes */
};

struct maui_refused_resumes {
	struct refused list[REFUSED_MAX];
	size_t count;
};

/* The nodes of the job, a byte each; NULL without memory. */
static bool *mark_nodes(struct maui_iteration *it, const struct maui_active *active)
{
	bool *marks = maui_arena_alloc(&it->arena, it->cluster.snapshot->node_count + 1u);

	for (uint32_t i = 0; marks && i < active->piece_count; i++)
		marks[active->pieces[i].node] = true;
	return marks;
}

static bool is_on(const struct maui_active *active, const bool *marks)
{
	uint32_t i = 0;

	while (i < active->piece_count && !marks[active->pieces[i].node])
		i++;
	return i < active->piece_count;
}

/* Stands for the jobs that run on nodes of the job: equal for equal ones, 0 for none. *ret_end_s:
 * when the first of them is due to end. */
static uint64_t list_beside(struct maui_iteration *it, const struct maui_active *active,
			    int64_t *ret_end_s)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const bool *marks = mark_nodes(it, active);
	uint64_t jobs = 0;

	*ret_end_s = MAUI_NEVER;
	for (uint32_t a = 0; marks && a < s->active_count; a++) {
		const struct maui_active *other = &s->active[a];

		if (other == active || other->suspended || !is_on(other, marks))
			continue;
		jobs += maui_hash_mix(0, other->id);
		if (other->end_s < *ret_end_s)
			*ret_end_s = other->end_s;
	}
	return jobs;
}

void maui_sched_note_refused_resume(struct maui_iteration *it, uint32_t job_id)
{
	const struct maui_active *active = maui_sched_find_active(it, job_id);
	struct maui_sched *sched = it->sched;
	uint64_t beside;
	int64_t end_s;

	if (!sched->refused_resumes) /* without memory the job is tried in each cycle */
		sched->refused_resumes = calloc(1, sizeof(*sched->refused_resumes));
	if (!active || !sched->refused_resumes || sched->refused_resumes->count == REFUSED_MAX)
		return;
	beside = list_beside(it, active, &end_s);
	if (beside)
		sched->refused_resumes->list[sched->refused_resumes->count++] =
			(struct refused){ job_id, beside };
}

void maui_sched_delay_resumes(struct maui_iteration *it)
{
	struct maui_refused_resumes *refused = it->sched->refused_resumes;
	size_t kept = 0;

	for (size_t i = 0; refused && i < refused->count; i++) {
		struct maui_active *active = maui_sched_find_active(it, refused->list[i].job_id);
		int64_t end_s;

		if (!active || !active->suspended || !active->resumable ||
		    list_beside(it, active, &end_s) != refused->list[i].beside)
			continue;
		active->resume_from_s = end_s;
		refused->list[kept++] = refused->list[i];
	}
	if (refused)
		refused->count = kept;
}
