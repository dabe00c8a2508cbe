/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preemption.c - asks Slurm's preemption plugin, and reads what it goes by
 *
 * Under preempt/qos the kinds of jobs are the QOS, under preempt/partition_prio the partitions. So
 * Slurm is asked once about each two kinds, with two jobs that have a QOS, a partition and a
 * priority and nothing else. Another plugin might look at more; sched/maui refuses it.
 */

#include "slurm/capture/preemption.h"

#include <stdlib.h>

#include "base/array.h"
#include "slurm/hold.h"

void maui_preemption_read_rules(struct maui_cluster_rules *ret)
{
	ret->preemption = MAUI_CLUSTER_PREEMPTS_NOT;
	if (slurm_conf.preempt_mode == PREEMPT_MODE_OFF)
		return;
	if (!xstrcmp(slurm_conf.preempt_type, "preempt/qos"))
		ret->preemption = MAUI_CLUSTER_PREEMPTS_BY_QOS;
	else if (!xstrcmp(slurm_conf.preempt_type, "preempt/partition_prio"))
		ret->preemption = MAUI_CLUSTER_PREEMPTS_BY_PARTITION;
	ret->youngest_first = maui_compat_preempts_youngest_first();
	ret->reclaims_licenses = maui_compat_reclaims_licenses();
}

/* ---- who may preempt whom ---- */

struct kinds {
	slurmdb_qos_rec_t **qos;   /* of each kind; NULL: there is no such QOS */
	part_record_t **partition; /* likewise */
	uint32_t count;
	uint32_t *there; /* the kinds that there are: ids of QOS have gaps */
	uint32_t there_count;
};

/* Priorities of the two jobs: the preemptor's is in the middle. */
enum { LOW = 1, MIDDLE, HIGH };

/* The two jobs of a question. */
struct question {
	const struct kinds *kinds;
	job_record_t preemptor, preemptee;
};

static bool may_preempt(struct question *q, uint32_t priority)
{
	job_queue_rec_t one = { .job_ptr = &q->preemptor,
				.part_ptr = q->preemptor.part_ptr,
				.priority = MIDDLE };
	job_queue_rec_t other = { .job_ptr = &q->preemptee,
				  .part_ptr = q->preemptee.part_ptr,
				  .priority = priority };

	q->preemptor.priority = MIDDLE;
	q->preemptee.priority = priority;
	return preempt_g_job_preempt_check(&one, &other);
}

/* Avoids questions whose answer is no: a QOS preempts those that it names and, WITHIN, its own; a
 * partition those of lower tiers. */
static bool is_worth_asking(const struct kinds *kinds, uint32_t preemptor, uint32_t preemptee)
{
	const slurmdb_qos_rec_t *qos = kinds->qos[preemptor];

	if (!qos)
		return kinds->partition[preemptor]->priority_tier >
		       kinds->partition[preemptee]->priority_tier;
	return preemptor == preemptee ||
	       (qos->preempt_bitstr && preemptee < bit_size(qos->preempt_bitstr) &&
		bit_test(qos->preempt_bitstr, preemptee));
}

static unsigned ask(struct question *q, uint32_t preemptor, uint32_t preemptee)
{
	if (!is_worth_asking(q->kinds, preemptor, preemptee))
		return 0;
	q->preemptor.qos_ptr = q->kinds->qos[preemptor];
	q->preemptor.part_ptr = q->kinds->partition[preemptor];
	q->preemptee.qos_ptr = q->kinds->qos[preemptee];
	q->preemptee.part_ptr = q->kinds->partition[preemptee];
	return (may_preempt(q, LOW) ? MAUI_PREEMPTS_LOWER : 0) |
	       (may_preempt(q, MIDDLE) ? MAUI_PREEMPTS_EQUAL : 0) |
	       (may_preempt(q, HIGH) ? MAUI_PREEMPTS_HIGHER : 0);
}

static void list_there(struct kinds *kinds)
{
	for (uint32_t kind = 0; kind < kinds->count; kind++)
		if (kinds->qos[kind] || kinds->partition[kind])
			kinds->there[kinds->there_count++] = kind;
}

/* Lists the rules of all kinds. -1 without memory. */
static int list_rules(const struct kinds *kinds, struct maui_snapshot *s)
{
	struct question question = { .kinds = kinds };
	struct maui_preemption_rule *list = NULL;
	size_t count = 0, alloc = 0;
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < kinds->there_count; i++) {
		for (uint32_t k = 0; k < kinds->there_count; k++) {
			uint32_t a = kinds->there[i], b = kinds->there[k];
			unsigned whom = ask(&question, a, b);
			struct maui_preemption_rule *grown =
				whom ? maui_array_grow(list, count, &alloc, sizeof(*list)) : list;

			if (whom && !grown) {
				rc = -1;
				break;
			}
			list = grown;
			if (whom)
				list[count++] = (struct maui_preemption_rule){ a, b, whom };
		}
	}
	if (rc == 0)
		rc = maui_snapshot_set_preemption(s, list, (uint32_t)count);
	free(list);
	return rc;
}

/* The partitions of the snapshot that have nodes. */
static void list_partitions(const struct maui_snapshot *s, struct kinds *ret)
{
	for (uint32_t p = 0; p < ret->count; p++) {
		part_record_t *part_ptr = find_part_record((char *)s->partitions[p].name);

		if (part_ptr && part_ptr->node_bitmap)
			ret->partition[p] = part_ptr;
	}
}

static uint32_t count_qos(void)
{
	maui_compat_iterator_t iterator;
	slurmdb_qos_rec_t *qos;
	uint32_t most = 0;

	if (!assoc_mgr_qos_list)
		return 1;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator)))
		most = qos->id > most ? qos->id : most;
	list_iterator_destroy(iterator);
	return most + 1;
}

static int list_qos(void *x, void *arg)
{
	slurmdb_qos_rec_t *qos = x;
	struct kinds *kinds = arg;

	kinds->qos[qos->id] = qos;
	return 0;
}

static int ask_all(struct maui_cluster *cluster)
{
	bool by_qos = cluster->rules.preemption == MAUI_CLUSTER_PREEMPTS_BY_QOS;
	struct kinds kinds = { .count = by_qos ? count_qos() : cluster->snapshot->partition_count };
	int rc = -1;

	kinds.qos = calloc(kinds.count + 1u, sizeof(*kinds.qos));
	kinds.partition = calloc(kinds.count + 1u, sizeof(*kinds.partition));
	kinds.there = calloc(kinds.count + 1u, sizeof(*kinds.there));
	if (kinds.qos && kinds.partition && kinds.there) {
		if (!by_qos)
			list_partitions(cluster->snapshot, &kinds);
		else if (assoc_mgr_qos_list)
			list_for_each(assoc_mgr_qos_list, list_qos, &kinds);
		list_there(&kinds);
		rc = list_rules(&kinds, cluster->snapshot);
	}
	free(kinds.qos);
	free(kinds.partition);
	free(kinds.there);
	return rc;
}

int maui_preemption_ask(struct maui_cluster *cluster)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .part = READ_LOCK };
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	int64_t since;
	int rc = 0;

	if (cluster->rules.preemption == MAUI_CLUSTER_PREEMPTS_NOT)
		return 0;
	lock_slurmctld(locks);
	since = maui_monotonic_us();
	assoc_mgr_lock(&qos_lock);
	rc = ask_all(cluster);
	assoc_mgr_unlock(&qos_lock);
	maui_hold_note(&cluster->reads, since);
	unlock_slurmctld(locks);
	return rc;
}

/* ---- jobs ---- */

uint32_t maui_preemption_kind(const struct maui_cluster *cluster, const job_record_t *job_ptr,
			      uint32_t partition)
{
	switch (cluster->rules.preemption) {
	case MAUI_CLUSTER_PREEMPTS_BY_QOS:
		return job_ptr->qos_ptr ? job_ptr->qos_id : 0; /* 0: no QOS */
	case MAUI_CLUSTER_PREEMPTS_BY_PARTITION:
		return partition;
	case MAUI_CLUSTER_PREEMPTS_NOT:
		break;
	}
	return 0;
}

bool maui_preemption_is_requeueable(const job_record_t *job_ptr)
{
	return job_ptr->batch_flag && job_ptr->details->requeue;
}

/* For list_find_first() as well. */
static int must_stay(void *x, void *arg)
{
	job_record_t *job_ptr = x;

	(void)arg;
	return !IS_JOB_RUNNING(job_ptr) || IS_JOB_COMPLETING(job_ptr) ||
	       job_ptr->priority > maui_compat_exempt_priority() ||
	       acct_policy_is_job_preempt_exempt(job_ptr);
}

/* HET-2: a het job is preempted as a whole, and never suspended. */
static uint16_t mode_of_all(job_record_t *leader)
{
	uint16_t mode;

	if (list_find_first(leader->het_job_list, must_stay, NULL))
		return PREEMPT_MODE_OFF;
	mode = slurm_job_preempt_mode(leader);
	return mode == PREEMPT_MODE_SUSPEND ? PREEMPT_MODE_OFF : mode;
}

uint16_t maui_preemption_mode(job_record_t *job_ptr)
{
	if (job_ptr->het_job_id)
		return job_ptr->het_job_list ? mode_of_all(job_ptr) : PREEMPT_MODE_OFF;
	return must_stay(job_ptr, NULL) ? PREEMPT_MODE_OFF : slurm_job_preempt_mode(job_ptr);
}

static enum maui_going going(job_record_t *job_ptr)
{
	switch (maui_preemption_mode(job_ptr)) {
	case PREEMPT_MODE_OFF:
		return MAUI_GOING_NEVER;
	case PREEMPT_MODE_SUSPEND:
		return MAUI_GOING_SUSPENDED;
	default:
		return MAUI_GOING_ENDED;
	}
}

/* As Slurm sorts its candidates: by the priority of the QOS or the tier of the partition, then by
 * the number of nodes. */
static uint32_t cost(const struct maui_cluster *cluster, const job_record_t *job_ptr)
{
	uint32_t nodes = job_ptr->node_cnt < 0xffff ? job_ptr->node_cnt : 0xffff, rank = 0;
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };

	if (cluster->rules.youngest_first)
		return 0;
	if (cluster->rules.preemption == MAUI_CLUSTER_PREEMPTS_BY_PARTITION) {
		rank = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
	} else {
		assoc_mgr_lock(&qos_lock);
		rank = job_ptr->qos_ptr ? job_ptr->qos_ptr->priority : 0;
		assoc_mgr_unlock(&qos_lock);
	}
	return (rank < 0xffff ? rank : 0xffff) << 16 | nodes;
}

void maui_preemption_read_active(const struct maui_cluster *cluster, job_record_t *job_ptr,
				 struct maui_active *ret)
{
	int64_t partition;

	if (cluster->rules.preemption == MAUI_CLUSTER_PREEMPTS_NOT)
		return;
	partition = job_ptr->part_ptr ? maui_snapshot_find_partition(cluster->snapshot,
								     job_ptr->part_ptr->name) :
					-1;
	ret->going = partition < 0 ? MAUI_GOING_NEVER : going(job_ptr);
	ret->warned = IS_JOB_RUNNING(job_ptr) && job_ptr->preempt_time;
	ret->het_id = job_ptr->het_job_id;
	if (ret->going == MAUI_GOING_NEVER && !ret->het_id)
		return;
	if (partition >= 0)
		ret->kind = maui_preemption_kind(cluster, job_ptr, (uint32_t)partition);
	ret->slurm_priority = job_ptr->priority;
	ret->cost = cost(cluster, job_ptr);
	ret->keeps_licenses = !cluster->rules.reclaims_licenses;
}
