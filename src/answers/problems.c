/* SPDX-License-Identifier: GPL-2.0-or-later */
/* problems.c - what is wrong with the scheduler, nodes, jobs and reservations, as texts */

#include "answers/problems.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "answers/rsv_walk.h"
#include "base/hostrange.h"
#include "base/limits.h"
#include "base/words.h"
#include "config/status.h"
#include "explain/text.h"
#include "plan/finished.h"

enum {
	TEXT_SIZE = 1024,
	/* damaged state files, jobs on nodes that are down, incomplete reservations, unowned mirrors */
	MOST_OF_A_KIND = 10,
	KINDS = 4,
	/* the scheduler's, states of nodes, and of each kind one that counts the rest */
	MOST = 4 + MAUI_NODE_STATES + KINDS * (MOST_OF_A_KIND + 1),
};

struct problems {
	const struct maui_question *question;
	const struct maui_document *p;
	uid_t uid;
	const char **texts; /* MOST */
	size_t count;
	bool failed;
};

static void add_problem(struct problems *list, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add_problem(struct problems *list, const char *fmt, ...)
{
	char text[TEXT_SIZE];
	va_list args;
	char *comma;
	int length;

	va_start(args, fmt);
	length = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	comma = length >= TEXT_SIZE ? memrchr(text, ',', TEXT_SIZE - sizeof(", ...")) : NULL;
	if (comma) /* not inside the name of a node */
		snprintf(comma, sizeof(", ..."), ", ...");
	if (list->failed || list->count == MOST)
		return;
	list->texts[list->count] = maui_question_copy(list->question, text);
	list->failed = !list->texts[list->count++];
}

static void add_scheduler(struct problems *list)
{
	const struct maui_config_status *config = list->p->config;
	const char *why = maui_document_no_starts(list->p);
	char text[MAUI_NO_STARTS_SIZE];

	if (why)
		add_problem(list, "%s", maui_explain_no_starts(why, text, sizeof(text)));
	if (config && config->refused_s)
		add_problem(
			list,
			"maui.cfg is not in force: slurmctld refused the file%s; showconfig names "
			"its errors",
			config->kept_copy ? " and runs with a copy of the last good one" : "");
	if (config && config->unread)
		add_problem(
			list,
			"maui.cfg is not in force as it is on the disk: %s; maui reconfigure has "
			"slurmctld read it",
			config->unread);
}

static void add_state(struct problems *list)
{
	const struct maui_document *p = list->p;

	if (p->not_saved)
		add_problem(list, "the state is not saved: %s", p->not_saved);
	for (size_t i = 0; i < p->damage_count && i < MOST_OF_A_KIND; i++)
		add_problem(list, "when slurmctld started: %s", p->damage[i]);
	if (p->damage_count > MOST_OF_A_KIND)
		add_problem(list, "%zu more lines about damaged state files are in slurmctld's log",
			    p->damage_count - MOST_OF_A_KIND);
}

/* ---- nodes ---- */

/* "n[1-3]": the nodes in this state; the caller frees. NULL: none, or no memory. */
static char *fold_nodes(struct problems *list, const struct maui_node_use *uses,
			enum maui_node_state state, size_t *ret_count)
{
	const struct maui_snapshot *s = list->p->plan->snapshot;
	const char **names = malloc((s->node_count + 1u) * sizeof(*names));
	char *text = NULL;

	*ret_count = 0;
	list->failed |= !names;
	for (uint32_t i = 0; names && i < s->node_count; i++)
		if (maui_node_state(list->p->plan, i, &uses[i]) == state)
			names[(*ret_count)++] = s->nodes[i].name;
	if (names && *ret_count > 0) {
		text = maui_hostrange_fold(names, *ret_count);
		list->failed |= !text;
	}
	free(names);
	return text;
}

static void add_nodes(struct problems *list, const struct maui_node_use *uses)
{
	static const struct {
		enum maui_node_state state;
		const char *one, *many;
	} kinds[] = {
		{ MAUI_NODE_DOWN, "node is down", "nodes are down" },
		{ MAUI_NODE_UNKNOWN, "node has not answered yet", "nodes have not answered yet" },
		{ MAUI_NODE_DRAINED, "node is drained", "nodes are drained" },
		{ MAUI_NODE_DRAINING, "node is drained when its jobs end",
		  "nodes are drained when their jobs end" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t count;
		char *text = fold_nodes(list, uses, kinds[i].state, &count);

		if (text)
			add_problem(list, "%zu %s: %s", count,
				    count == 1 ? kinds[i].one : kinds[i].many, text);
		free(text);
	}
}

/* ---- jobs and reservations ---- */

/* Nodes of the job that are down; *ret_first: the first. */
static uint32_t count_down(const struct problems *list, const struct maui_node_use *uses,
			   const struct maui_document_rsv *row, uint32_t *ret_first)
{
	const struct maui_plan *plan = list->p->plan;
	uint32_t count = 0;

	for (uint32_t i = row->node_count; i-- > 0;) {
		uint32_t node = row->nodes[i].node;

		if (node >= plan->snapshot->node_count ||
		    maui_node_state(plan, node, &uses[node]) != MAUI_NODE_DOWN)
			continue;
		*ret_first = node;
		count++;
	}
	return count;
}

static void add_jobs(struct problems *list, const struct maui_node_use *uses)
{
	const struct maui_document *p = list->p;
	char label[MAUI_JOB_LABEL_SIZE];
	unsigned found = 0;

	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];
		uint32_t first = 0, count;

		if (!maui_document_is_active(row) || !maui_document_shows(p, row, list->uid))
			continue;
		count = count_down(list, uses, row, &first);
		if (count > 0 && found++ < MOST_OF_A_KIND)
			add_problem(list, "job %s of %s holds %s%s, %s down",
				    maui_active_label(row, label),
				    row->cred[MAUI_CRED_USER] ? row->cred[MAUI_CRED_USER] : "?",
				    p->plan->snapshot->nodes[first].name,
				    count > 1 ? " and others" : "",
				    count > 1 ? "which are" : "which is");
	}
	if (found > MOST_OF_A_KIND)
		add_problem(list, "%u more jobs hold nodes that are down", found - MOST_OF_A_KIND);
}

static void add_missing(struct problems *list, const struct maui_document_rsv *row)
{
	const char *held_by = maui_document_held_by(list->p, row, list->uid);
	char of[64];

	/* without a TASKCOUNT nothing was counted but hosts */
	if (row->wanted > 0)
		snprintf(of, sizeof(of), "%" PRId64 " task%s", row->wanted,
			 maui_plural(row->wanted));
	else
		snprintf(of, sizeof(of), "its hosts");
	add_problem(list, "reservation %s lacks %" PRId64 " of %s%s%s", row->name, row->missing, of,
		    held_by ? ": " : "", held_by ? held_by : "");
}

static void add_reservations(struct problems *list)
{
	const struct maui_document *p = list->p;
	unsigned found = 0;

	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (row->type == MAUI_DOCUMENT_JOB || row->missing <= 0 ||
		    row->start_s > p->now_s || !maui_document_shows(p, row, list->uid))
			continue;
		if (found++ < MOST_OF_A_KIND)
			add_missing(list, row);
	}
	if (found > MOST_OF_A_KIND)
		add_problem(list, "%u more reservations lack tasks", found - MOST_OF_A_KIND);
}

/* Mirrors after the state was lost. A reservation of setres adopts its mirror in the next cycle. */
static void add_unowned(struct problems *list)
{
	struct maui_rsv_walk walk = { .document = list->p, .uid = list->uid };
	const struct maui_document_rsv *row;
	unsigned found = 0;

	while ((row = maui_rsv_walk_next(&walk))) {
		if (!maui_rsv_walk_is_unowned(&walk, row) || found++ >= MOST_OF_A_KIND)
			continue;
		add_problem(list,
			    "Slurm reservation %s is a mirror whose reservation is lost: it keeps "
			    "its nodes until scontrol delete ReservationName=%s",
			    row->name, row->name);
	}
	list->failed |= walk.failed;
	maui_rsv_walk_finish(&walk);
	if (found > MOST_OF_A_KIND)
		add_problem(list, "%u more mirrors have no reservation", found - MOST_OF_A_KIND);
}

/* ---- all ---- */

int maui_problems_list(const struct maui_question *q, const struct maui_node_use *uses,
		       const char *const **ret, size_t *ret_count)
{
	struct problems list = {
		.question = q,
		.p = q->document,
		.uid = q->uid,
		.texts = maui_question_alloc(q, MOST, sizeof(*list.texts)),
	};

	if (!list.texts)
		return -1;
	add_scheduler(&list);
	add_state(&list);
	if (uses) {
		add_nodes(&list, uses);
		add_jobs(&list, uses);
	}
	add_reservations(&list);
	add_unowned(&list);
	*ret = list.texts;
	*ret_count = list.count;
	if (list.failed)
		maui_question_no_memory(q);
	return list.failed ? -1 : 0;
}
