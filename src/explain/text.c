/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - why a job does not start, in sentences for squeue, the log and commands
 *
 * A sentence begins with a word that users know from Slurm, or with the name of the limit. The
 * lines on resources are those of text_resources.c.
 *
 * Rules: THR-17.
 */

#include "explain/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/moment.h"
#include "base/utf8.h"
#include "explain/text_private.h"
#include "explain/violation_text.h"
#include "model/when.h"

/* ---- a line of bounded length, with moments in local time ---- */

void maui_text_append(struct maui_text_line *line, const char *form, ...)
{
	va_list args;
	int length;

	va_start(args, form);
	length = vsnprintf(line->text + line->length, line->size - line->length, form, args);
	va_end(args);
	if (length > 0)
		line->length += (size_t)length;
	if (line->length >= line->size)
		line->length = line->size - 1;
}

void maui_text_shorten(struct maui_text_line *line, size_t least)
{
	while (line->length > MAUI_TEXT_PREFERRED && line->length > least) {
		size_t length = line->length - 1;

		while (length > least && line->text[length] != ',' && line->text[length] != ';')
			length--;
		line->text[line->length = length] = '\0';
	}
}

void maui_text_moment(struct maui_text_line *line, int64_t now_s, int64_t when_s,
		      enum maui_moment_minutes minutes)
{
	char moment[MAUI_MOMENT_SIZE];

	maui_text_append(line, "%s",
			 maui_moment_brief(when_s, minutes, now_s, moment, sizeof(moment)));
}

void maui_text_when(struct maui_text_line *line, int64_t now_s, const char *before, int64_t when_s)
{
	size_t length = line->length;

	if (now_s <= 0 || when_s <= now_s || when_s == MAUI_NEVER)
		return;
	maui_text_append(line, "%s", before);
	maui_text_moment(line, now_s, when_s, MAUI_NOT_BEFORE);
	if (line->length > MAUI_TEXT_PREFERRED)
		line->text[line->length = length] = '\0';
}

void maui_text_exact(struct maui_text_line *line, int64_t when_s)
{
	char moment[MAUI_MOMENT_SIZE];

	maui_text_append(line, ": %s", maui_moment_exact(when_s, moment, sizeof(moment)));
}

void maui_text_clean(char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == '|' || text[i] == 0x7f)
			text[i] = '_';
	maui_utf8_mask(text, length, MAUI_DISPLAY_CHARACTERS);
}

void maui_text_add(struct maui_strbuf *ret, char *text)
{
	maui_text_clean(text);
	if (*text)
		maui_strbuf_addf(ret, "%s\n", text);
}

void maui_text_add_part(struct maui_strbuf *ret, const struct maui_explanation *e,
			void (*append)(struct maui_text_line *line,
				       const struct maui_explanation *e))
{
	char text[MAUI_EXPLAIN_LINE_SIZE] = "";
	struct maui_text_line line = { .text = text, .size = sizeof(text) };

	append(&line, e);
	maui_text_add(ret, text);
}

void maui_text_start(struct maui_text_line *line, const struct maui_explanation *e)
{
	if (e->start_apart)
		return;
	maui_text_when(line, e->now_s, "; starts about ", e->verdict->estimate_s);
}

/* ---- limits ---- */

static void append_limit(struct maui_text_line *line, const struct maui_text_reason *reason_of_job)
{
	const struct maui_violation *violation = reason_of_job->block->violation;
	char text[MAUI_VIOLATION_SIZE];

	maui_text_append(line, "%s",
			 violation ? maui_violation_format(violation, text, sizeof(text)) :
				     "limit");
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
			      const struct maui_text_reason *reason_of_job)
{
	const struct maui_job_conditions *c = &reason_of_job->e->facts->conditions;

	maui_text_append(line, "%s",
			 has_slurm_reason(c, "DependencyNeverSatisfied") ?
				 "its dependency can never be satisfied" :
				 maui_reason_text(MAUI_REASON_DEPENDENCY));
	append_dependencies(line, c);
}

static void append_begin_time(struct maui_text_line *line,
			      const struct maui_text_reason *reason_of_job)
{
	const struct maui_slurm_facts *facts = reason_of_job->e->facts;

	maui_text_append(line, "%s",
			 facts->requeued ? "requeued; does not start before" :
					   maui_reason_text(MAUI_REASON_BEGIN_TIME));
	if (facts->conditions.begin_s > 0)
		maui_text_exact(line, facts->conditions.begin_s);
}

/* Slurm itself holds jobs, too: "launch failed requeued held", "ReservationDeleted". */
static void append_held(struct maui_text_line *line, const struct maui_text_reason *reason_of_job)
{
	const struct maui_slurm_facts *facts = reason_of_job->e->facts;
	const struct maui_job_conditions *c = &facts->conditions;

	if (facts->held_by_user)
		maui_text_append(line, "held by its user");
	else if (has_slurm_reason(c, "JobHeldAdmin"))
		maui_text_append(line, "held by an administrator");
	else if (c->hold_words)
		maui_text_append(line, "held by Slurm: %s", c->hold_words);
	else if (c->slurm_reason)
		maui_text_append(line, "%s: %s", maui_reason_text(MAUI_REASON_HELD),
				 c->slurm_reason);
	else
		maui_text_append(line, "%s", maui_reason_text(MAUI_REASON_HELD));
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
static void append_slurm(struct maui_text_line *line, const struct maui_text_reason *reason_of_job)
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

static void append_component(struct maui_text_line *line,
			     const struct maui_text_reason *reason_of_job)
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

/* What the line says about a reason: `text`, or what `append` appends; then these words and the
 * moment at which the reason may be over; then when the job starts. Without any of them: the
 * reason's name. */
static const struct reason_text {
	/* Slurm has its own words for it: `append` needs what slurmctld knows, and without that the
	 * line is empty */
	bool slurm;
	const char *text;
	void (*append)(struct maui_text_line *line, const struct maui_text_reason *reason_of_job);
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
	[MAUI_REASON_PRIORITY] = { .append = maui_text_priority },
	[MAUI_REASON_RESOURCES] = { .append = maui_text_resources },
	[MAUI_REASON_LICENCES] = { .append = maui_text_licences },
	[MAUI_REASON_ACCESS] = { .append = maui_text_blocking },
	[MAUI_REASON_RESERVED] = { .append = maui_text_reserved },
	[MAUI_REASON_CHUNKING] = { .text = "idle nodes are collected for larger jobs",
				   .until = " until " },
	[MAUI_REASON_NOBF] = { .text = "Priority: its QOS takes no part in backfill",
			       .start = true },
	[MAUI_REASON_NEVER_FITS] = { .append = maui_text_never },
	[MAUI_REASON_NODES_DOWN] = { .append = maui_text_down },
	[MAUI_REASON_BUSY] = { .text = "Resources: no suitable nodes are free", .start = true },
};

/* Writes one reason; "" if Slurm has its own words for it. */
static void append_block(struct maui_text_line *line, const struct maui_text_reason *reason_of_job)
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
		maui_text_start(line, reason_of_job->e);
}

bool maui_text_known(struct maui_text_line *line, const struct maui_explanation *e,
		     const struct maui_block *block)
{
	if (!reason_texts[block->reason].slurm || !e->facts)
		return false;
	append_block(line, &(struct maui_text_reason){ e, block });
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
								  maui_text_kind(first->reason, e);
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
	append_block(line, &(struct maui_text_reason){ e, block });
	if (line->length == 0 && !reason_texts[block->reason].slurm)
		maui_text_append(line, "%s", maui_reason_text(block->reason));
}

char *maui_explain_no_starts(const char *why, char *buf, size_t size)
{
	snprintf(buf, size, "no job is started: %s", why);
	return buf;
}

char *maui_explain_would_start_but(const char *why, char *buf, size_t size)
{
	char no_starts[MAUI_NO_STARTS_SIZE];

	snprintf(buf, size, "would start now, but %s",
		 maui_explain_no_starts(why, no_starts, sizeof(no_starts)));
	return buf;
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

/* The jobs that go for this one, and how long they may take. */
static void append_going(struct maui_text_line *line, const struct maui_explanation *e)
{
	const struct maui_going_jobs *going = &e->going;
	uint32_t named = 0;

	if (!e->facts || going->count == 0)
		return;
	maui_text_append(line, "jobs that go for it: ");
	for (; named < MAUI_EXPLAIN_NAMED_JOBS && e->facts->going[named]; named++)
		maui_text_append(line, "%s%s", named == 0 ? "" : ", ", e->facts->going[named]);
	if (named == 0)
		maui_text_append(line, "%" PRIu32, going->count);
	else if (going->count > named)
		maui_text_append(line, " and %" PRIu32 " more", going->count - named);
	if (going->until_s > e->now_s) {
		maui_text_append(line, ", at the latest");
		maui_text_exact(line, going->until_s);
	}
}

/* Whether the text is one of the parts of a line: "Reserved: 2 nodes are busy, 1 is reserved". */
static bool is_part(const char *lines, const char *text)
{
	size_t length = strlen(text);

	for (const char *at = lines; (at = strstr(at, text)); at += length)
		if (at >= lines + 2 && at[-1] == ' ' && strchr(":,", at[-2]) &&
		    strchr(",;\n", at[length]))
			return true;
	return false;
}

/* Adds how many nodes have this reason, unless the lines from `from` on say that. */
static void add_nodes(struct maui_strbuf *ret, size_t from, const struct maui_node_reasons *nodes,
		      enum maui_reason reason)
{
	char text[MAUI_EXPLAIN_LINE_SIZE] = "", without_noun[MAUI_EXPLAIN_LINE_SIZE] = "";
	struct maui_text_line line = { .text = text, .size = sizeof(text) };
	struct maui_text_line shorter = { .text = without_noun, .size = sizeof(without_noun) };

	if (maui_text_count(nodes, reason) == 0)
		return;
	maui_text_nodes(&line, nodes, reason, true);
	maui_text_nodes(&shorter, nodes, reason, false);
	if (ret->length == from ||
	    (!is_part(ret->text + from, text) && !is_part(ret->text + from, without_noun)))
		maui_text_add(ret, text);
}

int maui_explain_all(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	const size_t from = ret->length;
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
	for (int r = 0; e->verdict->blocks && r < MAUI_REASON_COUNT; r++)
		add_nodes(ret, from, e->nodes, (enum maui_reason)r);
	maui_text_add_part(ret, e, append_going);
	return ret->failed ? -1 : 0;
}
