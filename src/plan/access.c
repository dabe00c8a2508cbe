/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.c - places the reservations, and finds out which of them each job may use
 *
 * Most jobs are equal in all that access lists look at. So an access table is made once for each
 * set of credentials (and other properties that an access list may name), and equal tables are
 * stored once: jobs with the same table share shapes, failed placements and backfill windows. A
 * reservation without nodes admits and blocks nothing, so it is left out.
 *
 * Rules: ACL-11.
 */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "plan/access.h"
#include "plan/private.h"
#include "reservation/access/access.h"

/* What distinguishes the jobs for which a table was made. */
struct known_jobs {
	uint32_t creds;
	const char *advres; /* NULL: none */
	int64_t tasks, procs;
	bool preemptee;
	const struct maui_access_table *table;
};

struct maui_plan_access {
	struct maui_access_index *index;
	const struct maui_standing_input *input;
	/* of each set of credentials: the jobs that differ in nothing else; NULL: no table yet */
	const struct known_jobs **plain;
	bool *placed; /* of each reservation: whether some instance has nodes */
	/* of each reservation: the length of its longest run of adjoining instances */
	int64_t *longest;
	int64_t *ends; /* of each reservation: the next end of such a run */
	/* of each reservation: its instances in decisions->instances, one after the other */
	uint32_t *first, *counts;
	int32_t *days; /* restrict_to_days(): a text has no more names than characters */
	bool by_size;  /* some access list depends on the job's tasks or processors */
	const struct maui_access_table **of_active;
	const struct maui_access_table *all;
};

/* ---- the reservations ---- */

static void note_next_cycle(struct maui_planner *p, int64_t when)
{
	if (when > p->now && when < p->out->next_s)
		p->out->next_s = when;
}

static bool goes_by_size(const struct maui_standing_input *input)
{
	for (uint32_t g = 0; g < input->count; g++)
		for (size_t i = 0; i < input->list[g]->acl.count; i++)
			if (input->list[g]->acl.list[i].kind == MAUI_ACL_TASK ||
			    input->list[g]->acl.list[i].kind == MAUI_ACL_PROC)
				return true;
	return false;
}

static int allocate(struct maui_planner *p, struct maui_plan_access *a)
{
	const struct maui_snapshot *s = p->snapshot;
	uint32_t groups = a->input->count + 1;

	a->plain = maui_arena_alloc(&p->arena, (s->cred_count + 1u) * sizeof(*a->plain));
	a->first = maui_arena_alloc(&p->arena, groups * sizeof(*a->first));
	a->counts = maui_arena_alloc(&p->arena, groups * sizeof(*a->counts));
	a->placed = maui_arena_alloc(&p->arena, groups * sizeof(*a->placed));
	a->longest = maui_arena_alloc(&p->arena, groups * sizeof(*a->longest));
	a->ends = maui_arena_alloc(&p->arena, groups * sizeof(*a->ends));
	a->days = maui_arena_alloc(&p->arena, MAUI_NAME_MAX * sizeof(*a->days));
	a->of_active = maui_arena_alloc(&p->arena, (s->active_count + 1u) * sizeof(*a->of_active));
	a->by_size = goes_by_size(a->input);
	for (uint32_t g = 0; a->ends && g < groups; g++)
		a->ends[g] = MAUI_NEVER;
	if (a->plain && a->first && a->counts && a->placed && a->longest && a->ends && a->days &&
	    a->of_active)
		return maui_plan_tables_begin(p);
	return -1;
}

static void note_instances(struct maui_planner *p, struct maui_plan_access *a)
{
	const struct maui_standing_input *input = a->input;

	for (uint32_t i = 0; i < p->out->instance_count; i++) {
		const struct maui_rsv_instance *instance = &p->out->instances[i];
		int64_t length = maui_when_length(instance->run_start_s, instance->run_end_s);

		note_next_cycle(p, instance->start_s);
		note_next_cycle(p, instance->end_s);
		if (a->counts[instance->rsv]++ == 0)
			a->first[instance->rsv] = i;
		if (instance->place_count == 0)
			continue;
		a->placed[instance->rsv] = true;
		if (length > a->longest[instance->rsv])
			a->longest[instance->rsv] = length;
		if (instance->run_end_s < a->ends[instance->rsv])
			a->ends[instance->rsv] = instance->run_end_s;
	}
	note_next_cycle(p, maui_standing_due(input, p->now));
}

/* ---- tables ---- */

/* Stores the table. A job that TIMELIMIT keeps outside now may be admitted nearer to the end of a
 * reservation, so the next cycle runs then. */
static const struct maui_access_table *store_table(struct maui_planner *p,
						   const struct maui_plan_access *a,
						   const struct maui_access_table *table)
{
	for (uint32_t i = 0; i < table->count; i++)
		if (table->list[i].overlap_s != MAUI_NEVER &&
		    a->ends[table->list[i].rsv] != MAUI_NEVER)
			note_next_cycle(p, a->ends[table->list[i].rsv] - table->list[i].overlap_s);
	return maui_plan_table_keep(p, table);
}

static int by_day(const void *a, const void *b)
{
	int32_t one = *(const int32_t *)a, two = *(const int32_t *)b;

	return (one > two) - (one < two);
}

/* Lists when the instances of a reservation on these days begin. Returns how many there are. */
static uint32_t find_starts(const struct maui_planner *p, const struct maui_plan_access *a,
			    uint32_t rsv, const int32_t *days, size_t count, int64_t *starts)
{
	const struct maui_rsv_instance *all = p->out->instances;
	uint32_t found = 0;

	for (uint32_t i = a->first[rsv]; i < a->first[rsv] + a->counts[rsv]; i++)
		if (all[i].place_count > 0 && found < count &&
		    bsearch(&all[i].day, days, count, sizeof(*days), by_day))
			starts[found++] = all[i].start_s;
	return found;
}

/* --reservation=sr.20261122 admits the job to that day's instance of the reservation only. */
static void restrict_to_days(struct maui_planner *p, const struct maui_plan_access *a,
			     const char *advres, struct maui_access *entry)
{
	const struct maui_rsv *rsv = a->input->list[entry->rsv];
	int64_t count = advres && entry->own ?
				maui_rsv_meant_days(rsv, advres, a->days, MAUI_NAME_MAX) :
				-1;
	int64_t *starts;

	if (count < 0)
		return;
	if (count > MAUI_NAME_MAX)
		count = MAUI_NAME_MAX;
	starts = maui_arena_alloc(&p->arena, (size_t)count * sizeof(*starts));
	if (!starts)
		return;
	qsort(a->days, (size_t)count, sizeof(*a->days), by_day);
	entry->starts = starts;
	entry->start_count = find_starts(p, a, entry->rsv, a->days, (size_t)count, starts);
}

/* The access lists' table without the reservations that have no nodes. For a preemptor it also has
 * the reservations with the flag PREEMPTEE, as a last resort (RSV-26). */
static const struct maui_access_table *finish_table(struct maui_planner *p,
						    struct maui_plan_access *a,
						    const struct maui_access_table *listed,
						    const char *advres, bool preemptor)
{
	const struct maui_standing_input *input = a->input;
	struct maui_access_table *table = maui_arena_alloc(&p->arena, sizeof(*table));
	uint32_t room = preemptor ? input->count : listed->count, next = 0;
	struct maui_access *list = maui_arena_alloc(&p->arena, (room + 1u) * sizeof(*list));

	if (!table || !list)
		return NULL;
	*table = (struct maui_access_table){ .list = list, .only = listed->only };
	for (uint32_t i = 0; i < room; i++) {
		uint32_t rsv = preemptor ? i : listed->list[i].rsv;
		struct maui_access entry = { .rsv = rsv,
					     .affinity = MAUI_AFFINITY_NEGATIVE,
					     .overlap_s = MAUI_NEVER,
					     .own = !listed->only };

		while (next < listed->count && listed->list[next].rsv < rsv)
			next++;
		if (next < listed->count && listed->list[next].rsv == rsv)
			entry = listed->list[next];
		else if (!maui_rsv_has(input->list[rsv], MAUI_RSV_PREEMPTEE))
			continue;
		if (!a->placed[rsv])
			continue;
		if (entry.overlap_s >= a->longest[rsv])
			entry.overlap_s = MAUI_NEVER;
		restrict_to_days(p, a, advres, &entry);
		list[table->count++] = entry;
	}
	return store_table(p, a, table);
}

static void describe(struct maui_planner *p, const struct maui_plan_access *a, uint32_t creds,
		     struct maui_access_job *job)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, creds);

	memcpy(job->cred, p->snapshot->creds[creds].cred, sizeof(job->cred));
	job->preemptee |= (c->flags & (UINT64_C(1) << MAUI_QOS_PREEMPTEE)) != 0;
	job->ignore_time = c->flags & (UINT64_C(1) << MAUI_QOS_IGNSRMAXTIME);
	job->use_reserved = c->flags & (UINT64_C(1) << MAUI_QOS_USERESERVED);
	job->use_only = job->use_reserved ? c->priority.cred[MAUI_CRED_QOS]->use_reserved : NULL;
	if (!a->by_size)
		job->tasks = job->procs = 0;
}

/* The key of a job. Jobs of one user may differ in any of it. */
static struct known_jobs known_by(uint32_t creds, const struct maui_access_job *job)
{
	return (struct known_jobs){ .creds = creds,
				    .advres = job->advres,
				    .tasks = job->tasks,
				    .procs = job->procs,
				    .preemptee = job->preemptee };
}

static uint64_t hash_of(const struct known_jobs *key)
{
	uint64_t hash = maui_hash_mix(0, key->creds);

	if (key->advres) /* may name hundreds of days */
		hash = maui_hash_struct(hash, key->advres, strlen(key->advres));
	hash = maui_hash_mix(hash, (uint64_t)key->tasks);
	return maui_hash_mix(hash, (uint64_t)key->procs << 1 | key->preemptee);
}

static bool is_known(const void *value, const void *key)
{
	const struct known_jobs *one = value, *other = key;

	return one->creds == other->creds && one->tasks == other->tasks &&
	       one->procs == other->procs && one->preemptee == other->preemptee &&
	       maui_same_text(one->advres, other->advres);
}

static const struct maui_access_table *find_table(struct maui_planner *p,
						  struct maui_plan_access *a, uint32_t creds,
						  struct maui_access_job *job)
{
	uint64_t flags = maui_plan_creds(p, creds)->flags;
	bool plain = !a->by_size && !job->advres && !job->preemptee;
	const struct maui_access_table *listed;
	struct known_jobs key, *known_jobs;
	uint64_t hash;

	if (plain && a->plain[creds]) /* true for nearly all jobs of the queue */
		return a->plain[creds]->table;
	describe(p, a, creds, job);
	key = known_by(creds, job);
	hash = hash_of(&key);
	known_jobs = maui_hashtable_find(&p->reservations.known, hash, is_known, &key);
	if (!known_jobs) {
		listed = maui_access_table(a->index, job, &p->arena);
		known_jobs = maui_arena_alloc(&p->arena, sizeof(*known_jobs));
		if (!listed || !known_jobs) {
			p->failed = true;
			return NULL;
		}
		key.table = finish_table(p, a, listed, job->advres,
					 flags & (UINT64_C(1) << MAUI_QOS_PREEMPTOR));
		*known_jobs = key;
		if (maui_hashtable_add(&p->reservations.known, hash, known_jobs)) {
			p->failed = true;
			return NULL;
		}
	}
	if (plain)
		a->plain[creds] = known_jobs;
	return known_jobs->table;
}

/* ---- tables of jobs ---- */

const struct maui_standing_input *maui_plan_standing(const struct maui_planner *p)
{
	return p->reservations.access ? p->reservations.access->input : NULL;
}

const struct maui_rsv *maui_plan_rsv(const struct maui_planner *p, uint32_t rsv)
{
	return p->reservations.access->input->list[rsv];
}

uint32_t maui_plan_rsv_count(const struct maui_planner *p)
{
	return p->reservations.access->input->count;
}

/* What access lists may look at in the job itself. The size takes a look-up, and few lists use
 * it. */
static struct maui_access_job describe_idle(const struct maui_planner *p, uint32_t job, bool size)
{
	const struct maui_idle *idle = &p->snapshot->idle[job];
	struct maui_access_job asker = { .advres = idle->advres };

	if (!size)
		return asker;
	asker.tasks = maui_request_task_count(&p->snapshot->requests[maui_idle_request(idle, 0)]);
	asker.procs = idle->procs;
	return asker;
}

const struct maui_access_table *maui_plan_access(struct maui_planner *p, uint32_t job, uint32_t row)
{
	struct maui_access_job asker;

	if (!p->reservations.access)
		return NULL;
	asker = describe_idle(p, job, p->reservations.access->by_size);
	return find_table(p, p->reservations.access, p->snapshot->idle[job].rows[row].creds,
			  &asker);
}

const struct maui_access_table *maui_plan_access_active(const struct maui_planner *p,
							uint32_t active)
{
	return p->reservations.access ? p->reservations.access->of_active[active] : NULL;
}

const struct maui_access_table *maui_plan_access_all(const struct maui_planner *p)
{
	return p->reservations.access ? p->reservations.access->all : NULL;
}

const struct maui_access_table *maui_plan_access_started(struct maui_planner *p, uint32_t index)
{
	const struct maui_active *active = &p->snapshot->active[index];
	struct maui_access_job job = { .advres = active->advres,
				       .tasks = active->asked_tasks,
				       .procs = active->asked_procs,
				       .preemptee = active->preemptee };

	return p->reservations.access ? find_table(p, p->reservations.access, active->creds, &job) :
					NULL;
}

int maui_plan_admit_active(struct maui_planner *p, struct maui_timeline *t, uint32_t index,
			   const struct maui_access_table *table)
{
	const struct maui_active *active = &p->snapshot->active[index];
	const struct maui_span span = maui_plan_admitted_span(p, active);
	const int64_t until = maui_plan_active_span(p, active).until;

	for (uint32_t n = 0; table && n < active->piece_count; n++)
		if (maui_timeline_mark_inside(t, active->pieces[n].node, span, until,
					      active->pieces[n].amounts, table))
			return -1;
	return maui_plan_has_failed(p) ? -1 : 0;
}

static int admit_active_jobs(struct maui_planner *p, struct maui_plan_access *a)
{
	for (uint32_t i = 0; i < p->snapshot->active_count; i++) {
		a->of_active[i] = maui_plan_access_started(p, i);
		if (maui_plan_admit_active(p, &p->timeline, i, a->of_active[i]))
			return -1;
	}
	return 0;
}

static int make_all_access(struct maui_planner *p, struct maui_plan_access *a)
{
	struct maui_access_table *table = maui_arena_alloc(&p->arena, sizeof(*table));
	struct maui_access *list =
		maui_arena_alloc(&p->arena, (a->input->count + 1u) * sizeof(*list));

	if (!table || !list)
		return -1;
	for (uint32_t g = 0; g < a->input->count; g++)
		list[g] = (struct maui_access){ .rsv = g, .overlap_s = MAUI_NEVER, .own = true };
	*table = (struct maui_access_table){ .list = list, .count = a->input->count };
	a->all = maui_plan_table_keep(p, table);
	return 0;
}

/* A job that names a reservation may run nowhere else, even if there are no reservations. */
static bool any_job_names_one(const struct maui_snapshot *s)
{
	for (uint32_t i = 0; i < s->idle_count; i++)
		if (s->idle[i].advres)
			return true;
	return false;
}

/* Reservations of maui.cfg live as long as the configuration. An administrative reservation may
 * change as soon as the cycle is over, so the plan makes a copy of it. -1 without memory. */
static int copy_rsvs(struct maui_planner *p, struct maui_standing_input *input)
{
	const struct maui_rsv **list =
		maui_arena_alloc(&p->arena, (input->count + 1u) * sizeof(*list));

	p->reservations.copies = calloc(input->count + 1u, sizeof(*p->reservations.copies));
	if (!list || !p->reservations.copies)
		return -1;
	for (uint32_t i = 0; i < input->count; i++) {
		list[i] = input->list[i];
		if (i < p->config->rsv_count && list[i] == &p->config->rsvs[i])
			continue;
		if (maui_rsv_copy(input->list[i],
				  &p->reservations.copies[p->reservations.copy_count]))
			return -1;
		list[i] = &p->reservations.copies[p->reservations.copy_count++];
	}
	input->list = list;
	return 0;
}

/* The flags of the credentials' QOS, for maui_standing_place(). */
static uint64_t qos_flags_of(void *planner, uint32_t creds)
{
	return maui_plan_creds(planner, creds)->flags;
}

int maui_plan_list_rsvs(struct maui_planner *p, struct maui_standing_input **ret)
{
	struct maui_standing_input *input;

	p->reservations.access = NULL;
	*ret = NULL;
	if ((!p->input->standing || p->input->standing->count == 0) &&
	    !any_job_names_one(p->snapshot))
		return 0;
	input = maui_arena_alloc(&p->arena, sizeof(*input));
	if (!input)
		return -1;
	if (p->input->standing)
		*input = *p->input->standing;
	input->qos_flags = qos_flags_of;
	input->qos_data = p;
	*ret = input;
	return copy_rsvs(p, input);
}

int maui_plan_place_rsvs(struct maui_planner *p, struct maui_standing_input *input)
{
	struct maui_plan_access *a = maui_arena_alloc(&p->arena, sizeof(*a));

	if (!a || maui_standing_place(&p->timeline, p->snapshot, input, p->now, &p->out->arena,
				      &p->out->instances, &p->out->instance_count))
		return -1;
	a->input = input;
	if (allocate(p, a) || make_all_access(p, a))
		return -1;
	note_instances(p, a);
	a->index = p->reservations.index = maui_access_index_create(input->list, input->count);
	if (!a->index)
		return -1;
	p->reservations.access = a;
	return admit_active_jobs(p, a);
}
