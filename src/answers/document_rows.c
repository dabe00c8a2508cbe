/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document_rows.c - rows of what a plan has: instances, active jobs, jobs with a reservation */
#include "answers/document_publish.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "model/decision.h"
#include "model/gres.h"
#include "model/mirror.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "reservation/placement/placement.h"
#include "answers/rsv_text.h"

/* Nodes of a row, in its arena; totals are added up. */
static struct maui_document_node *nodes_of(struct maui_document *p, struct maui_document_rsv *row,
					   uint32_t count)
{
	struct maui_document_node *nodes =
		maui_arena_alloc(&p->arena, (count + 1) * sizeof(*nodes));

	if (!nodes)
		p->failed = true;
	row->nodes = nodes;
	return nodes;
}

static void add_node(struct maui_document_rsv *row, struct maui_document_node *nodes, uint32_t node,
		     int64_t tasks, int64_t procs)
{
	nodes[row->node_count++] = (struct maui_document_node){ node, tasks, procs };
	row->tasks += tasks;
	row->procs += procs;
}

static void instance_nodes(struct maui_document *p, const struct maui_snapshot *snapshot,
			   const struct maui_rsv *rsv, const struct maui_rsv_instance *instance,
			   struct maui_document_rsv *row)
{
	struct maui_document_node *nodes = nodes_of(p, row, instance->place_count);

	for (uint32_t i = 0; nodes && i < instance->place_count; i++) {
		const struct maui_rsv_place *place = &instance->places[i];

		if (place->node < p->node_count)
			add_node(row, nodes, place->node, place->tasks,
				 maui_standing_procs(snapshot, rsv, place));
	}
}

static const char *joined(struct maui_arena *arena, const struct maui_words *words)
{
	size_t length = 1, at = 0;
	char *text;

	for (size_t i = 0; i < words->count; i++)
		length += strlen(words->list[i]) + 1;
	text = words->count ? maui_arena_alloc(arena, length) : NULL;
	for (size_t i = 0; text && i < words->count; i++)
		at += (size_t)sprintf(text + at, "%s%s", i ? "," : "", words->list[i]);
	return text;
}

/* The texts are in the document's arena twice, because maui_document_add() copies what a row points
 * to. */
struct maui_document_rsv *maui_document_add_instance(struct maui_document *p,
						     const struct maui_snapshot *snapshot,
						     const struct maui_rsv *rsv,
						     const struct maui_rsv_instance *instance,
						     bool standing)
{
	struct maui_document_rsv row = {
		.name = maui_rsv_ordinal_name(rsv, instance->ordinal, &p->arena),
		.stable = maui_rsv_stable_name(rsv, instance->day, MAUI_MIRROR_PREFIX, &p->arena),
		.srcfg = standing ? rsv->name : NULL,
		.day = instance->day,
		.rsv = instance->rsv,
		.type = standing            ? MAUI_DOCUMENT_STANDING :
			rsv->acl.count == 0 ? MAUI_DOCUMENT_SYSTEM :
					      MAUI_DOCUMENT_USER,
		.start_s = instance->start_s,
		.end_s = instance->end_s,
		.partition = rsv->partition,
		.wanted = instance->wanted,
		.missing = instance->missing,
		.flags = maui_rsv_text_flags(rsv, &p->arena),
		.acl = maui_rsv_text_acl(rsv, &p->arena),
		.triggers = maui_rsv_text_triggers(rsv, &p->arena),
		.owner = maui_rsv_text_owner(rsv, &p->arena),
		.charge_account = rsv->charge_account,
		.subtype = rsv->subtype,
		.task_procs = rsv->task.procs,
		.task_mem_mb = rsv->task.mem_mb,
		.task_disk_mb = rsv->task.disk_mb,
		.task_count = rsv->task_count,
		.hosts = rsv->hosts,
		.features = joined(&p->arena, &rsv->features),
		.state = MAUI_JOB_NO_STATE,
		.uid = (uid_t)-1,
	};

	instance_nodes(p, snapshot, rsv, instance, &row);
	return maui_document_add(p, &row);
}

static void job_row(struct maui_document_rsv *row, const struct maui_snapshot *snapshot,
		    uint32_t creds, char *name, size_t size, uint64_t id)
{
	snprintf(name, size, "%" PRIu64, id);
	row->name = name;
	row->job_id = id;
	row->array_task = MAUI_NO_TASK;
	row->type = MAUI_DOCUMENT_JOB;
	for (int i = 0; creds < snapshot->cred_count && i < MAUI_CRED_COUNT; i++)
		row->cred[i] = snapshot->creds[creds].cred[i];
	row->partition = row->cred[MAUI_CRED_CLASS];
}

/* Whether the resource has types of which the job has some: these are named instead. */
static bool has_types(const struct maui_snapshot *s, const int64_t *held, const char *name)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++) {
		const char *other = maui_gres_name(s, d);

		if (other && held[d] > 0 && maui_gres_is_type_of(other, name))
			return true;
	}
	return false;
}

/* Without memory some are missing. */
static void add_gres(struct maui_document_rsv *row, const struct maui_snapshot *s,
		     const struct maui_active *job, struct maui_arena *arena)
{
	int64_t *held = NULL;
	const char **list = NULL;

	if (s->amount_count > MAUI_AMOUNT_FIXED) {
		held = maui_arena_alloc_list(arena, s->amount_count, sizeof(*held));
		list = maui_arena_alloc_list(arena, s->amount_count, sizeof(*list));
	}
	for (uint32_t i = 0; held && i < job->piece_count; i++)
		for (unsigned d = 0; job->pieces[i].amounts && d < s->amount_count; d++)
			held[d] += job->pieces[i].amounts[d];
	for (unsigned d = MAUI_AMOUNT_FIXED; held && list && d < s->amount_count; d++) {
		const char *name = maui_gres_name(s, d);

		if (!name || held[d] == 0 || has_types(s, held, name))
			continue;
		list[row->gres_count] = maui_arena_printf(arena, "%s:%" PRId64, name, held[d]);
		row->gres_count += list[row->gres_count] != NULL;
	}
	row->gres = list;
}

struct maui_document_rsv *maui_document_add_active(struct maui_document *p,
						   const struct maui_snapshot *snapshot,
						   uint32_t active, uid_t uid)
{
	const struct maui_active *job = &snapshot->active[active];
	struct maui_document_rsv row = { .start_s = job->start_s,
					 .end_s = job->no_limit ? MAUI_NEVER : job->end_s,
					 .rsv = UINT32_MAX,
					 .state = job->suspended ? MAUI_JOB_SUSPENDED :
								   MAUI_JOB_RUNNING,
					 .uid = uid };
	struct maui_document_node *nodes = nodes_of(p, &row, job->piece_count);
	char name[32];

	job_row(&row, snapshot, job->creds, name, sizeof(name), job->id);
	add_gres(&row, snapshot, job, &p->arena);
	for (uint32_t i = 0; nodes && i < job->piece_count; i++) {
		const struct maui_piece *piece = &job->pieces[i];
		int64_t procs = piece->amounts ? piece->amounts[MAUI_AMOUNT_PROCS] : 0;

		row.resumes += piece->resumes;
		if (piece->node < p->node_count)
			add_node(&row, nodes, piece->node, procs, procs);
	}
	if (row.procs < job->procs) /* some of them are those of other jobs, too */
		row.procs = job->procs;
	return maui_document_add(p, &row);
}

struct maui_document_rsv *maui_document_add_job_rsv(struct maui_document *p,
						    const struct maui_snapshot *snapshot,
						    const struct maui_reservation *job_rsv,
						    uid_t uid)
{
	const struct maui_idle *job = &snapshot->idle[job_rsv->job];
	struct maui_document_rsv row = { .start_s = job_rsv->start_s,
					 .end_s = job_rsv->end_s,
					 .rsv = UINT32_MAX,
					 .state = MAUI_JOB_IDLE,
					 .uid = uid };
	struct maui_document_node *nodes = nodes_of(p, &row, job_rsv->place_count);
	char name[32];

	job_row(&row, snapshot, job->rows[job_rsv->row].creds, name, sizeof(name), job->id);
	for (uint32_t i = 0; nodes && i < job_rsv->place_count; i++) {
		const struct maui_place *place = &job_rsv->places[i];

		if (place->node < p->node_count)
			add_node(&row, nodes, place->node, place->tasks, place->procs);
	}
	return maui_document_add(p, &row);
}

void maui_document_name_task(struct maui_document *p, struct maui_document_rsv *row, uint32_t array,
			     uint32_t task, uint32_t first, uint32_t last)
{
	row->array_job_id = array;
	row->array_task = task;
	if (array == 0)
		return;
	if (task != MAUI_NO_TASK)
		row->name = maui_arena_printf(&p->arena, "%" PRIu32 "_%" PRIu32, array, task);
	else if (first != MAUI_NO_TASK)
		row->name = maui_arena_printf(&p->arena, "%" PRIu32 "_[%" PRIu32 "-%" PRIu32 "]",
					      array, first, last);
	else
		return;
	p->failed |= !row->name;
}

int maui_document_index_jobs(const struct maui_document *p, struct maui_hashtable *ret)
{
	for (size_t i = 0; i < p->rsv_count; i++)
		if (p->rsvs[i].type == MAUI_DOCUMENT_JOB &&
		    maui_hashtable_set_id(ret, (uint32_t)p->rsvs[i].job_id, &p->rsvs[i]))
			return -1;
	return 0;
}
