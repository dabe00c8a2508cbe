/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_row.c - a reservation of the document as a record */

#include "answers/rsv_row.h"

#include "answers/rsv_text.h"

static size_t count_texts(const char *const *texts)
{
	size_t count = 0;

	while (texts && texts[count])
		count++;
	return count;
}

/* How many nodes from here on have as much as this one. */
static uint32_t run_length(const struct maui_document_node *nodes, uint32_t count)
{
	uint32_t n = 1;

	while (n < count && nodes[n].tasks == nodes[0].tasks && nodes[n].procs == nodes[0].procs)
		n++;
	return n;
}

static size_t count_runs(const struct maui_document_rsv *row)
{
	size_t count = 0;

	for (uint32_t i = 0; i < row->node_count;
	     i += run_length(&row->nodes[i], row->node_count - i))
		count++;
	return count;
}

/* Neighbours with as much each are one element: an object a node would take ten times the
 * memory. */
static const struct maui_rsv_nodes *list_nodes(const struct maui_question *q,
					       const struct maui_document_rsv *row,
					       size_t *ret_count)
{
	struct maui_rsv_nodes *runs;
	const char **names;

	*ret_count = count_runs(row);
	runs = maui_question_alloc(q, *ret_count, sizeof(*runs));
	names = runs ? maui_question_alloc(q, row->node_count, sizeof(*names)) : NULL;
	if (!names)
		return NULL;
	for (uint32_t i = 0; i < row->node_count; i++)
		names[i] = q->document->nodes[row->nodes[i].node];
	for (uint32_t i = 0, r = 0; i < row->node_count; i += (uint32_t)runs[r++].names_count)
		runs[r] = (struct maui_rsv_nodes){
			.tasks = row->nodes[i].tasks,
			.procs = row->nodes[i].procs,
			.names = &names[i],
			.names_count = run_length(&row->nodes[i], row->node_count - i),
		};
	return runs;
}

static const struct maui_rsv_job *describe_job(const struct maui_question *q,
					       const struct maui_document_rsv *row)
{
	struct maui_rsv_job *job = maui_question_alloc(q, 1, sizeof(*job));

	if (job)
		*job = (struct maui_rsv_job){
			.state = row->state,
			.user = row->cred[MAUI_CRED_USER],
			.group = row->cred[MAUI_CRED_GROUP],
			.account = row->cred[MAUI_CRED_ACCOUNT],
			.qos = row->cred[MAUI_CRED_QOS],
			.class = row->cred[MAUI_CRED_CLASS],
		};
	return job;
}

static const struct maui_rsv_ours *describe_ours(const struct maui_question *q,
						 const struct maui_document_rsv *row)
{
	struct maui_rsv_ours *ours = maui_question_alloc(q, 1, sizeof(*ours));

	if (ours)
		*ours = (struct maui_rsv_ours){
			.flags = row->flags,
			.flags_count = count_texts(row->flags),
			.acl = row->acl,
			.acl_count = count_texts(row->acl),
			.owner = row->owner,
			.charge_account = row->charge_account,
			.subtype = row->subtype,
			.triggers = row->triggers,
			.triggers_count = count_texts(row->triggers),
			.task_procs = row->task_procs,
			.task_mem_mb = row->task_mem_mb,
			.task_disk_mb = row->task_disk_mb,
			.task_count = row->task_count,
			.host_list = row->hosts,
			.features = row->features,
			.wanted_tasks = row->wanted,
			.missing_tasks = row->missing,
			.held_by = maui_document_held_by(q->document, row, q->uid),
			.used_procs = row->used_procs,
			.used_proc_seconds = row->used_procsec,
			.idle_proc_seconds = row->idle_procsec,
		};
	return ours;
}

int maui_rsv_row_fill(const struct maui_question *q, const struct maui_document_rsv *row,
		      bool nodes, struct maui_rsv_row *ret)
{
	bool is_job = row->type == MAUI_DOCUMENT_JOB, is_slurms = row->type == MAUI_DOCUMENT_SLURM;

	*ret = (struct maui_rsv_row){
		.name = row->name,
		.stable_name = row->stable,
		.mirror = row->mirror,
		.type = maui_rsv_text_type(row->type),
		.start = row->start_s,
		.end = row->end_s,
		.duration = maui_when_length(row->start_s, row->end_s),
		.partition = row->partition,
		.node_count = row->node_count,
		.tasks = row->tasks,
		.procs = row->procs,
	};
	if (is_job && !(ret->job = describe_job(q, row)))
		return -1;
	if (!is_job && !is_slurms && !(ret->ours = describe_ours(q, row)))
		return -1;
	if (nodes && !(ret->nodes = list_nodes(q, row, &ret->nodes_count)))
		return -1;
	return 0;
}
