/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - sentences for squeue and for the log
 *
 * A sentence begins with a word that users know from Slurm ("Resources", "Priority") or with the
 * name of the limit. It says what is missing before it says when that will come.
 */

#include "explain/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/moment.h"
#include "explain/advice.h"
#include "explain/text_private.h"

static void append_start(struct maui_text_line *line, const struct maui_explanation *e)
{
	if (e->start_apart)
		return;
	maui_text_when(line, e->now_s, "; starts about ", e->verdict->estimate_s);
}

/* Whether the job is behind the first jobs, for which alone the blocking reservation is looked
 * up. */
static bool is_far_behind(const struct maui_explanation *e)
{
	return !e->looked && e->ahead >= MAUI_EXPLAIN_FIRST_JOBS;
}

static enum maui_reason kind_of(enum maui_reason reason, const struct maui_explanation *e)
{
	const struct maui_node_reasons *nodes = e->nodes;

	if (reason == MAUI_REASON_RESERVED && !maui_text_lacks_nodes(nodes)) {
		if (!nodes || maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) > 0)
			return MAUI_REASON_PRIORITY;
		if (maui_text_reservations_decide(nodes))
			return MAUI_REASON_RESERVED;
	}
	if (reason == MAUI_REASON_RESERVED)
		reason = MAUI_REASON_RESOURCES;
	if (reason == MAUI_REASON_RESOURCES && maui_text_reservations_decide(nodes))
		return MAUI_REASON_RESERVED;
	if ((reason == MAUI_REASON_RESOURCES && e->behind) ||
	    (reason == MAUI_REASON_LICENCES && is_far_behind(e)))
		return MAUI_REASON_PRIORITY;
	return reason;
}

/* Writes large numbers in steps, so that the texts of a long queue do not change with each
 * start. */
static void append_ahead(struct maui_text_line *line, const struct maui_explanation *e)
{
	static const uint32_t steps[] = { 100000, 50000, 20000, 10000, 5000, 2000,
					  1000,   500,   200,   100,   50,   20 };
	size_t i = 0;

	maui_text_append(line, "Priority: ");
	while (i < sizeof(steps) / sizeof(steps[0]) && e->ahead <= steps[i])
		i++;
	if (i < sizeof(steps) / sizeof(steps[0]))
		maui_text_append(line, "more than %" PRIu32 " jobs are ahead", steps[i]);
	else if (e->ahead > 1)
		maui_text_append(line, "%" PRIu32 " jobs are ahead", e->ahead);
	else if (e->ahead == 1)
		maui_text_append(line, "1 job is ahead");
	else
		maui_text_append(line, "other jobs are ahead");
	if (e->partition)
		maui_text_append(line, " in partition %s", e->partition);
}

/* A reason of a job, and what else is known about the job. */
struct reason_of_job {
	const struct maui_explanation *e;
	const struct maui_block *block;
};

static void append_priority(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;

	size_t length;

	append_ahead(line, reason_of_job->e);
	length = line->length;
	if (nodes && nodes->wanted > maui_text_count(nodes, MAUI_REASON_NONE)) {
		maui_text_append(line, "; ");
		maui_text_needs(line, nodes, false);
	} else if (nodes && nodes->room < nodes->tasks) {
		maui_text_append(line, "; ");
		maui_text_room(line, nodes);
	}
	maui_text_shorten(line, length);
	append_start(line, reason_of_job->e);
}

static void append_nodes(struct maui_text_line *line, const struct maui_node_reasons *nodes)
{
	if (!maui_text_all_nodes(line, nodes, MAUI_REASON_NODE_BUSY, MAUI_REASON_NODE_USER))
		maui_text_append(line, "not enough is free");
}

static void append_resources(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;
	bool few =
		nodes && (nodes->wanted > maui_text_count(nodes, MAUI_REASON_NONE) || nodes->bound);
	enum maui_reason kind = kind_of(MAUI_REASON_RESOURCES, reason_of_job->e);

	if (kind == MAUI_REASON_PRIORITY) {
		append_priority(line, reason_of_job);
		return;
	}
	maui_text_append(line, "%s: ", kind == MAUI_REASON_RESERVED ? "Reserved" : "Resources");
	if (few)
		maui_text_needs(line, nodes, true);
	else if (kind == MAUI_REASON_RESERVED || !maui_text_room(line, nodes))
		append_nodes(line, nodes);
	append_start(line, reason_of_job->e);
}

/* Enough processors are idle in all, but other jobs have them reserved, or they are not on the
 * nodes that the job needs. */
static void append_reserved(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;
	bool decides = !nodes || maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) > 0 ||
		       maui_text_reservations_decide(nodes);

	if (maui_text_lacks_nodes(nodes) || !decides || (!nodes && reason_of_job->e->behind)) {
		append_resources(line, reason_of_job);
		return;
	}
	maui_text_append(line, "Reserved: ");
	if (!maui_text_all_nodes(line, nodes, MAUI_REASON_NODE_RESERVED, MAUI_REASON_NODE_CLAIMED))
		maui_text_append(line, "idle nodes are kept for jobs ahead");
	append_start(line, reason_of_job->e);
}

static void append_never(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;

	maui_text_append(line, "never fits: ");
	if (maui_text_able_nodes(nodes) > 0 && nodes->wanted > maui_text_able_nodes(nodes)) {
		maui_text_append(line, "needs %" PRIu32 " node%s, %" PRIu32 " can serve it",
				 nodes->wanted, nodes->wanted == 1 ? "" : "s",
				 maui_text_able_nodes(nodes));
		return;
	}
	if (maui_text_all_nodes(line, nodes, MAUI_REASON_NODE_FEATURES, MAUI_REASON_NODE_OTHER))
		return;
	maui_text_append(line, "%s",
			 maui_text_able_nodes(nodes) > 0 ? "it asks for more than there is" :
							   "no set of nodes can serve it");
}

static void append_down(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;
	uint32_t down = maui_text_count(nodes, MAUI_REASON_NODE_STATE);
	uint32_t silent = maui_text_count(nodes, MAUI_REASON_NODE_UNANSWERED);

	maui_text_append(line, "Nodes down: ");
	if (nodes && nodes->wanted > maui_text_able_nodes(nodes))
		maui_text_append(line, "needs %" PRIu32 " node%s, %" PRIu32 " up, ", nodes->wanted,
				 nodes->wanted == 1 ? "" : "s", maui_text_able_nodes(nodes));
	else if (down == 0)
		maui_text_append(line, "nodes it needs are ");
	if (down > 0)
		maui_text_append(line, "%" PRIu32 " ", down);
	maui_text_append(line, "down or drained");
	if (silent > 0)
		maui_text_append(line, ", %" PRIu32 " not answered yet", silent);
}

static void append_blocking(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_blocking_reservation *k = reason_of_job->e->blocking;
	int64_t now_s = reason_of_job->e->now_s, when_s;
	char text[MAUI_EXPLAIN_LINE_SIZE], moment[32] = "";
	struct maui_text_line when = { .text = moment, .size = sizeof(moment) };
	bool begun;

	if (!k)
		return;
	begun = now_s <= 0 || k->start_s <= now_s;
	when_s = begun ? k->end_s : k->start_s;
	if (now_s > 0 && when_s != MAUI_NEVER && when_s > now_s)
		maui_text_moment(&when, now_s, when_s);
	maui_text_append(
		line, "%s",
		maui_blocking_text(k, moment, begun, reason_of_job->e->exact, text, sizeof(text)));
}

static void append_limit(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_violation *violation = reason_of_job->block->violation;
	char text[MAUI_VIOLATION_SIZE];

	maui_text_append(line, "%s",
			 violation ? maui_violation_format(violation, text, sizeof(text)) :
				     "limit");
}

static void append_component(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_block *block = reason_of_job->block;

	if (block->component == 0) {
		maui_text_append(
			line, "Het job: %s",
			block->together ?
				"there are not enough nodes or licences for all its components" :
				"another component may not start");
		return;
	}
	maui_text_append(line, "Het job: component %" PRIu32 " (job %" PRIu64 ") may not start",
			 block->component_offset, block->component);
	if (block->violation) {
		maui_text_append(line, ": ");
		append_limit(line, reason_of_job);
	} else if (block->component_reason != MAUI_REASON_NONE &&
		   block->component_reason != MAUI_REASON_LIMIT &&
		   block->component_reason != MAUI_REASON_COMPONENT) {
		maui_text_append(line, ": %s", maui_reason_text(block->component_reason));
	}
}

static void append_licences(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_licence_shortage *licence = reason_of_job->e->licence;

	if (is_far_behind(reason_of_job->e)) {
		append_priority(line, reason_of_job);
		return;
	}
	maui_text_append(line, "Licenses: ");
	if (licence && licence->name)
		maui_text_append(line, "needs %" PRId64 " %s, %" PRId64 " free", licence->needed,
				 licence->name, licence->free);
	else
		maui_text_append(line, "not enough are free");
	if (licence && licence->reserved_by)
		maui_text_append(line, ", some are reserved");
	if (licence && licence->reserved_by && *licence->reserved_by)
		maui_text_append(line, " (%s)", licence->reserved_by);
	append_start(line, reason_of_job->e);
}

/* ---- what slurmctld knows of the job ---- */

static bool has_slurm_reason(const struct maui_job_conditions *c, const char *reason)
{
	return c->slurm_reason && strcmp(c->slurm_reason, reason) == 0;
}

bool maui_text_at_array_limit(const struct maui_explanation *e)
{
	return e->facts && has_slurm_reason(&e->facts->conditions, "JobArrayTaskLimit");
}

/* " and 3 more" */
static void append_more(struct maui_text_line *line, uint32_t count)
{
	if (count > MAUI_EXPLAIN_NAMED_JOBS)
		maui_text_append(line, " and %" PRIu32 " more", count - MAUI_EXPLAIN_NAMED_JOBS);
}

/* The jobs of its dependencies. */
static void append_dependencies(struct maui_text_line *line, const struct maui_job_conditions *c)
{
	for (uint32_t i = 0; i < c->dependency_count && i < MAUI_EXPLAIN_NAMED_JOBS; i++) {
		const struct maui_dependency *d = &c->dependencies[i];

		maui_text_append(line, "%s",
				 i > 0                                        ? ", " :
				 c->any_dependency && c->dependency_count > 1 ? ": one of " :
										": ");
		if (d->job == 0) {
			maui_text_append(line, "those of its user with its name (singleton)");
			continue;
		}
		maui_text_append(line, "%" PRIu32, d->job);
		if (d->task != MAUI_NO_TASK)
			maui_text_append(line, "_%" PRIu32, d->task);
	}
	append_more(line, c->dependency_count);
}

static void append_dependency(struct maui_text_line *line,
			      const struct reason_of_job *reason_of_job)
{
	const struct maui_job_conditions *c = &reason_of_job->e->facts->conditions;

	maui_text_append(line, "%s",
			 has_slurm_reason(c, "DependencyNeverSatisfied") ?
				 "its dependency can never be satisfied" :
				 maui_reason_text(MAUI_REASON_DEPENDENCY));
	append_dependencies(line, c);
}

static void append_begin_time(struct maui_text_line *line,
			      const struct reason_of_job *reason_of_job)
{
	const struct maui_slurm_facts *facts = reason_of_job->e->facts;

	maui_text_append(line, "%s",
			 facts->requeued ? "requeued; does not start before" :
					   maui_reason_text(MAUI_REASON_BEGIN_TIME));
	if (facts->conditions.begin_s > 0)
		maui_text_exact(line, facts->conditions.begin_s);
}

/* Slurm itself holds jobs, too: "ReservationDeleted", "JobHoldMaxRequeue". */
static void append_held(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_slurm_facts *facts = reason_of_job->e->facts;
	bool by_admin = has_slurm_reason(&facts->conditions, "JobHeldAdmin");

	maui_text_append(line, "%s",
			 facts->held_by_user ? "held by its user" :
			 by_admin            ? "held by an administrator" :
					       maui_reason_text(MAUI_REASON_HELD));
	if (facts->conditions.slurm_reason && !facts->held_by_user && !by_admin)
		maui_text_append(line, ": %s", facts->conditions.slurm_reason);
}

/* What Slurm's names of reasons leave open. */
static const struct {
	const char *reason, *text;
} meanings[] = {
	{ "AccountNotAllowed", "the partition does not admit its account or group" },
	{ "PartitionConfig",
	  "the partition cannot serve it, or does not admit its account, group or QOS" },
	{ "PartitionNodeLimit", "more nodes than the partition has or admits" },
	{ "PartitionTimeLimit", "a longer time limit than the partition's MaxTime" },
};

/* Slurm's own checks, and partitions that start nothing, with Slurm's name for the reason. */
static void append_slurm(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_job_conditions *c = &reason_of_job->e->facts->conditions;
	bool at_limit = maui_text_at_array_limit(reason_of_job->e);

	if (reason_of_job->block->reason == MAUI_REASON_SLURM && at_limit) {
		maui_text_append(line, "the task limit of its array (%%N) is reached");
		return;
	}
	maui_text_append(line, "%s", maui_reason_text(reason_of_job->block->reason));
	if (c->slurm_reason && !at_limit)
		maui_text_append(line, ": %s", c->slurm_reason);
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (has_slurm_reason(c, meanings[i].reason))
			maui_text_append(line, " (%s)", meanings[i].text);
}

/* ---- all reasons ---- */

/* What the line says about a reason: `text`, or what `append` appends; then these words and the
 * moment at which the reason may be over; then when the job starts. Without any of them: the
 * reason's name. */
static const struct reason_text {
	/* Slurm has its own words for it: `append` needs what slurmctld knows, and without that the
	 * line is empty */
	bool slurm;
	const char *text;
	void (*append)(struct maui_text_line *line, const struct reason_of_job *reason_of_job);
	const char *until;
	bool start;
} reason_texts[MAUI_REASON_COUNT] = {
	[MAUI_REASON_HELD] = { .slurm = true, .append = append_held },
	[MAUI_REASON_DEPENDENCY] = { .slurm = true, .append = append_dependency },
	[MAUI_REASON_BEGIN_TIME] = { .slurm = true, .append = append_begin_time },
	[MAUI_REASON_PARTITION] = { .slurm = true, .append = append_slurm },
	[MAUI_REASON_SLURM] = { .slurm = true, .append = append_slurm },
	[MAUI_REASON_DEFERRED] = { .text = "deferred after failed starts", .until = ", until " },
	[MAUI_REASON_HET] = { .text = "Het job: needs HETJOBS ON in maui.cfg, or "
				      "SchedulerType=sched/backfill" },
	[MAUI_REASON_COMPONENT] = { .append = append_component },
	[MAUI_REASON_REFUSED] = { .text = "start refused by Slurm, tried again" },
	[MAUI_REASON_NEGATIVE] = { .text = "Priority: negative, not scheduled "
					   "(REJECTNEGPRIOJOBS)" },
	[MAUI_REASON_LIMIT] = { .append = append_limit },
	[MAUI_REASON_PRIORITY] = { .append = append_priority },
	[MAUI_REASON_RESOURCES] = { .append = append_resources },
	[MAUI_REASON_LICENCES] = { .append = append_licences },
	[MAUI_REASON_ACCESS] = { .append = append_blocking },
	[MAUI_REASON_RESERVED] = { .append = append_reserved },
	[MAUI_REASON_CHUNKING] = { .text = "idle nodes are collected for larger jobs",
				   .until = " until " },
	[MAUI_REASON_NOBF] = { .text = "Priority: its QOS takes no part in backfill",
			       .start = true },
	[MAUI_REASON_NEVER_FITS] = { .append = append_never },
	[MAUI_REASON_NODES_DOWN] = { .append = append_down },
	[MAUI_REASON_BUSY] = { .text = "Resources: no suitable nodes are free", .start = true },
};

/* Writes one reason; "" if Slurm has its own words for it. */
static void append_block(struct maui_text_line *line, const struct reason_of_job *reason_of_job)
{
	enum maui_reason reason = reason_of_job->block->reason;
	const struct reason_text *reason_text = &reason_texts[reason];

	if (reason_text->slurm && !reason_of_job->e->facts)
		return;
	if (reason_text->append)
		reason_text->append(line, reason_of_job);
	else
		maui_text_append(line, "%s",
				 reason_text->text ? reason_text->text : maui_reason_text(reason));
	if (reason_text->until)
		maui_text_when(line, reason_of_job->e->now_s, reason_text->until,
			       reason_of_job->block->until_s);
	if (reason_text->start)
		append_start(line, reason_of_job->e);
}

bool maui_text_known(struct maui_text_line *line, const struct maui_explanation *e,
		     const struct maui_block *block)
{
	if (!reason_texts[block->reason].slurm || !e->facts)
		return false;
	append_block(line, &(struct reason_of_job){ e, block });
	return true;
}

/* Whether the job waits for resources. Then the blocking reservation, if any, is the reason. */
static bool is_about_resources(enum maui_reason reason)
{
	return reason == MAUI_REASON_RESOURCES || reason == MAUI_REASON_RESERVED ||
	       reason == MAUI_REASON_LICENCES || reason == MAUI_REASON_PRIORITY ||
	       reason == MAUI_REASON_NOBF;
}

enum maui_reason maui_explain_kind(const struct maui_explanation *e)
{
	const struct maui_block *first = e->verdict->blocks;

	if (!first)
		return MAUI_REASON_NONE;
	return e->blocking && is_about_resources(first->reason) ? MAUI_REASON_ACCESS :
								  kind_of(first->reason, e);
}

bool maui_explain_network_alone(const struct maui_explanation *e)
{
	const struct maui_node_reasons *nodes = e->nodes;

	return nodes && maui_explain_kind(e) == MAUI_REASON_RESOURCES && nodes->bound &&
	       !nodes->contiguous && !nodes->in_set &&
	       maui_text_count(nodes, MAUI_REASON_NONE) >= nodes->wanted &&
	       nodes->room >= nodes->tasks;
}

enum maui_reason maui_explain_reason(const struct maui_explanation *e)
{
	const struct maui_block *first = e->verdict->blocks;

	return e->blocking || e->kept_out ? MAUI_REASON_ACCESS :
	       first                      ? first->reason :
					    MAUI_REASON_PRIORITY;
}

const char *maui_explain_cause(const struct maui_explanation *e, char *buf, size_t size)
{
	const struct maui_block *first = e->verdict->blocks;
	enum maui_reason kind = maui_explain_kind(e);

	if (!first)
		return maui_reason_text(MAUI_REASON_RESOURCES);
	if (kind == MAUI_REASON_LIMIT && first->violation)
		return maui_violation_limit(first->violation, buf, size);
	if (e->blocking && (kind == MAUI_REASON_ACCESS || kind == MAUI_REASON_RESERVED)) {
		snprintf(buf, size, "reservation%s%s", e->blocking->name ? " " : "",
			 e->blocking->name ? e->blocking->name : "");
		return buf;
	}
	return maui_reason_text(kind);
}

char *maui_explain_behind_word(const char *word, const char *text, char *buf, size_t size)
{
	size_t length = word ? strlen(word) : 0;
	bool begins = word && strncmp(text, word, length) == 0 &&
		      (text[length] == ':' || text[length] == ' ');

	if (!word || begins)
		snprintf(buf, size, "%s", text);
	else
		snprintf(buf, size, "%s: %s", word, text);
	return buf;
}

static void append_block_of(struct maui_text_line *line, const struct maui_explanation *e,
			    const struct maui_block *block)
{
	struct maui_block access = { .reason = MAUI_REASON_ACCESS, .until_s = MAUI_NEVER };

	if (e->blocking && is_about_resources(block->reason))
		block = &access;
	append_block(line, &(struct reason_of_job){ e, block });
	if (line->length == 0 && !reason_texts[block->reason].slurm)
		maui_text_append(line, "%s", maui_reason_text(block->reason));
}

/* For a job that would start while nothing is started (SERVERMODE TEST, another scheduler). */
static void append_no_starts(struct maui_text_line *line, const struct maui_explanation *e)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];

	if (!e->verdict->blocks && e->verdict->started && e->facts && e->facts->no_starts)
		maui_text_append(
			line, "%s",
			maui_explain_would_start_but(e->facts->no_starts, text, sizeof(text)));
}

char *maui_explain_first(const struct maui_explanation *e, char *buf, size_t size)
{
	struct maui_text_line line = { .text = buf, .size = size };

	if (size == 0)
		return buf;
	buf[0] = '\0';
	append_no_starts(&line, e);
	if (e->verdict->blocks && e->too_late)
		maui_text_append(&line, "would start after its deadline; ");
	line = (struct maui_text_line){ .text = buf + line.length, .size = size - line.length };
	if (e->verdict->blocks)
		append_block_of(&line, e, e->verdict->blocks);
	maui_text_clean(buf);
	return buf;
}

/* The tasks of an array that an idle limit keeps out. */
static void append_idle_limit(struct maui_text_line *line, const struct maui_explanation *e)
{
	char limit[MAUI_VIOLATION_SIZE];

	if (e->verdict->idle_limit)
		maui_text_append(
			line, "%" PRIu32 " task%s: %s", e->verdict->idle_limited,
			e->verdict->idle_limited == 1 ? " waits" : "s wait",
			maui_violation_format(e->verdict->idle_limit, limit, sizeof(limit)));
}

/* The jobs that go for this one, and how long they may take. */
static void append_going(struct maui_text_line *line, const struct maui_explanation *e)
{
	const struct maui_going_jobs *going = &e->going;

	if (!e->facts || going->count == 0 || !e->facts->going[0])
		return;
	for (uint32_t i = 0; i < going->count && i < MAUI_EXPLAIN_NAMED_JOBS; i++)
		maui_text_append(line, "%s%s", i == 0 ? "jobs that go for it: " : ", ",
				 e->facts->going[i]);
	append_more(line, going->count);
	if (going->until_s > e->now_s) {
		maui_text_append(line, ", at the latest");
		maui_text_exact(line, going->until_s);
	}
}

int maui_explain_all(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation reasons = *e;

	reasons.start_apart = true;
	reasons.exact = true;
	maui_text_add_part(ret, e, append_no_starts);
	for (const struct maui_block *block = e->verdict->blocks; block; block = block->next) {
		struct maui_text_line line = { .text = text, .size = sizeof(text) };

		text[0] = '\0';
		append_block_of(&line, &reasons, block);
		if (line.length == 0)
			maui_text_append(&line, "%s", maui_reason_text(block->reason));
		maui_text_add(ret, text);
	}
	maui_text_add_part(ret, e, append_idle_limit);
	for (int r = 0; e->verdict->blocks && r < MAUI_REASON_COUNT; r++) {
		struct maui_text_line line = { .text = text, .size = sizeof(text) };

		if (maui_text_count(e->nodes, (enum maui_reason)r) == 0)
			continue;
		maui_text_nodes(&line, e->nodes, (enum maui_reason)r, true);
		maui_text_add(ret, text);
	}
	maui_text_add_part(ret, e, append_going);
	return ret->failed ? -1 : 0;
}
