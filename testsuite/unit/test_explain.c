/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_explain.c - why a job does not start, in words
 *
 * Rules: THR-11, THR-17, BF-14.
 */

#include "explain/outlook.h"
#include "explain/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rows.h"

/* Sunday 22 November 2026, 12:00 UTC */
#define NOW  INT64_C(1795348800)
#define HOUR 3600
#define DAY  86400

static const struct maui_violation soft = {
	.kind = MAUI_VIOLATION_ACTIVE,
	.level = MAUI_LIMIT_SOFT,
	.resource = MAUI_RESOURCE_JOB,
	.cred = MAUI_CRED_USER,
	.second = MAUI_LIMITED_COUNT,
	.name = "steve",
	.limit = "MAXJOB",
	.value = 2,
	.in_use = 2,
	.requested = 1,
};
static const struct maui_violation odd = {
	.kind = MAUI_VIOLATION_ACTIVE,
	.level = MAUI_LIMIT_HARD,
	.resource = MAUI_RESOURCE_PROC,
	.cred = MAUI_CRED_CLASS,
	.second = MAUI_CRED_USER,
	.name = "fa|st",
	.second_name = "a\nb\u202ec\x9b"
		       "d",
	.limit = "MAXPROC",
	.value = 50,
	.in_use = 40,
	.requested = 11,
};

/* Counts of nodes in the order of their reasons; 0 ends. */
struct count {
	enum maui_reason reason;
	uint32_t nodes;
};

#define RESERVED_BY "maint, demo"

struct row {
	const char *name;
	enum maui_reason reason;
	const struct maui_violation *violation;
	int64_t until_s, estimate_s;
	uint32_t wanted;
	struct count counts[6];
	const char *first;
	int64_t tasks, room;
	uint32_t procs_per_task;
	bool behind, decides;
	enum maui_reason kind; /* NONE: as the reason */
};

#define NEVER .until_s = MAUI_NEVER, .estimate_s = MAUI_NEVER

static const struct row rows[] = {
	{ "no reason", MAUI_REASON_NONE, NEVER, .first = "" },
	{ "held: Slurm says so", MAUI_REASON_HELD, NEVER, .first = "" },
	{ "dependency", MAUI_REASON_DEPENDENCY, NEVER, .first = "" },
	{ "begin time", MAUI_REASON_BEGIN_TIME, NEVER, .first = "" },
	{ "partition", MAUI_REASON_PARTITION, NEVER, .first = "" },
	{ "Slurm's limits", MAUI_REASON_SLURM, NEVER, .first = "" },
	{ "a limit", MAUI_REASON_LIMIT, .violation = &soft, NEVER,
	  .first = "MAXJOB USER steve 2/2 (soft)" },
	{ "names with characters that would break columns", MAUI_REASON_LIMIT, .violation = &odd,
	  NEVER, .first = "MAXPROC CLASS fa_st USER a_b???c?d 40+11/50 (hard)" },
	{ "a limit without its violation", MAUI_REASON_LIMIT, NEVER, .first = "limit" },

	{ "resources, nothing known", MAUI_REASON_RESOURCES, NEVER,
	  .first = "Resources: not enough is free" },
	{ "resources, with nodes and time", MAUI_REASON_RESOURCES, .until_s = NOW + 2 * HOUR,
	  .estimate_s = NOW + 2 * HOUR + 300, .wanted = 4,
	  .counts = { { MAUI_REASON_NONE, 1 }, { MAUI_REASON_NODE_BUSY, 12 } },
	  .first = "Resources: needs 4 nodes, 1 free; starts about 14:05" },
	{ "one node", MAUI_REASON_RESOURCES, .until_s = MAUI_NEVER, .estimate_s = NOW + DAY,
	  .wanted = 1, .counts = { { MAUI_REASON_NODE_BUSY, 12 } },
	  .first = "Resources: needs 1 node, 0 free; starts about 23 Nov 12:00" },
	{ "some nodes are kept for other jobs", MAUI_REASON_RESOURCES, NEVER, .wanted = 4,
	  .counts = { { MAUI_REASON_NONE, 1 },
		      { MAUI_REASON_NODE_RESERVED, 2 },
		      { MAUI_REASON_NODE_CLAIMED, 1 } },
	  .first =
		  "Resources: needs 4 nodes, 1 free, 2 kept for others, 1 reserved by maint, demo" },
	{ "processors here and there", MAUI_REASON_RESOURCES, .estimate_s = NOW + 400 * DAY,
	  .until_s = MAUI_NEVER, .wanted = 1,
	  .counts = { { MAUI_REASON_NONE, 2 },
		      { MAUI_REASON_NODE_BUSY, 1 },
		      { MAUI_REASON_NODE_USER, 3 } },
	  .first = "Resources: 3 nodes are another user's, 1 is busy; starts about 27 Dec 2027" },
	{ "nodes enough, processors not", MAUI_REASON_RESOURCES, NEVER, .wanted = 1, .tasks = 2,
	  .room = 1, .procs_per_task = 1,
	  .counts = { { MAUI_REASON_NONE, 1 }, { MAUI_REASON_NODE_BUSY, 3 } },
	  .first = "Resources: room for 1 of 2 tasks" },
	{ "the same of larger tasks, behind others, as far as the line goes", MAUI_REASON_RESOURCES,
	  NEVER, .wanted = 1, .tasks = 6, .room = 5, .procs_per_task = 4, .behind = true,
	  .counts = { { MAUI_REASON_NONE, 2 } }, .kind = MAUI_REASON_PRIORITY,
	  .first = "Priority: 12 jobs are ahead in partition batch" },
	{ "the same of larger tasks", MAUI_REASON_RESOURCES, NEVER, .wanted = 1, .tasks = 6,
	  .room = 5, .procs_per_task = 4, .counts = { { MAUI_REASON_NONE, 2 } },
	  .first = "Resources: room for 5 of 6 tasks of 4 processors" },
	{ "the same behind others", MAUI_REASON_RESOURCES, NEVER, .wanted = 1, .tasks = 6,
	  .room = 5, .procs_per_task = 1, .behind = true, .counts = { { MAUI_REASON_NONE, 2 } },
	  .kind = MAUI_REASON_PRIORITY,
	  .first = "Priority: 12 jobs are ahead in partition batch; room for 5 of 6 tasks" },
	{ "enough by the number of nodes, and no reason at any", MAUI_REASON_RESOURCES, NEVER,
	  .wanted = 1, .counts = { { MAUI_REASON_NONE, 2 } },
	  .first = "Resources: not enough is free" },
	{ "an estimate that is past is none", MAUI_REASON_RESOURCES, .estimate_s = NOW,
	  .until_s = NOW, .first = "Resources: not enough is free" },

	{ "licences", MAUI_REASON_LICENCES, .until_s = MAUI_NEVER, .estimate_s = NOW + HOUR,
	  .first = "Licenses: not enough are free; starts about 13:00" },

	{ "other jobs are ahead", MAUI_REASON_RESOURCES, NEVER, .behind = true, .wanted = 4,
	  .kind = MAUI_REASON_PRIORITY,
	  .counts = { { MAUI_REASON_NONE, 1 },
		      { MAUI_REASON_NODE_BUSY, 2 },
		      { MAUI_REASON_NODE_RESERVED, 3 } },
	  .first = "Priority: 12 jobs are ahead in partition batch; needs 4 nodes, 1 free" },
	{ "other jobs are ahead, nothing else is known", MAUI_REASON_RESOURCES, .behind = true,
	  .until_s = MAUI_NEVER, .estimate_s = NOW + HOUR, .kind = MAUI_REASON_PRIORITY,
	  .first = "Priority: 12 jobs are ahead in partition batch; starts about 13:00" },
	{ "other jobs are ahead, with enough nodes free", MAUI_REASON_RESOURCES, NEVER,
	  .behind = true, .wanted = 1,
	  .counts = { { MAUI_REASON_NONE, 2 }, { MAUI_REASON_NODE_BUSY, 7 } },
	  .kind = MAUI_REASON_PRIORITY, .first = "Priority: 12 jobs are ahead in partition batch" },
	{ "but for a reservation, behind or not", MAUI_REASON_RESOURCES, NEVER, .behind = true,
	  .decides = true, .wanted = 4,
	  .counts = { { MAUI_REASON_NONE, 1 }, { MAUI_REASON_NODE_CLAIMED, 3 } },
	  .kind = MAUI_REASON_RESERVED,
	  .first = "Reserved: needs 4 nodes, 1 free, 3 reserved by maint, demo" },
	{ "a reservation and other reasons", MAUI_REASON_RESOURCES, NEVER, .wanted = 5,
	  .counts = { { MAUI_REASON_NONE, 1 },
		      { MAUI_REASON_NODE_BUSY, 9 },
		      { MAUI_REASON_NODE_CLAIMED, 3 } },
	  .first = "Resources: needs 5 nodes, 1 free, 3 reserved by maint, demo" },

	{ "reserved, nothing known", MAUI_REASON_RESERVED, NEVER, .kind = MAUI_REASON_PRIORITY,
	  .first = "Reserved: idle nodes are kept for other jobs" },
	{ "the reservation that keeps nodes is named", MAUI_REASON_RESERVED, .until_s = MAUI_NEVER,
	  .kind = MAUI_REASON_PRIORITY, .estimate_s = NOW + HOUR,
	  .counts = { { MAUI_REASON_NODE_RESERVED, 5 },
		      { MAUI_REASON_NODE_BUSY, 9 },
		      { MAUI_REASON_NODE_CLAIMED, 1 } },
	  .first = "Reserved: 5 nodes are kept for other jobs, 1 is reserved by maint, demo" },
	{ "a reservation that does not decide, because other jobs end", MAUI_REASON_RESERVED, NEVER,
	  .wanted = 1, .kind = MAUI_REASON_RESOURCES,
	  .counts = { { MAUI_REASON_NODE_BUSY, 9 }, { MAUI_REASON_NODE_CLAIMED, 2 } },
	  .first = "Resources: needs 1 node, 0 free, 2 reserved by maint, demo" },
	{ "the same with other jobs ahead", MAUI_REASON_RESOURCES, NEVER, .wanted = 1,
	  .behind = true, .kind = MAUI_REASON_PRIORITY,
	  .counts = { { MAUI_REASON_NODE_BUSY, 9 }, { MAUI_REASON_NODE_CLAIMED, 1 } },
	  .first = "Priority: 12 jobs are ahead in partition batch; needs 1 node, 0 free, "
		   "1 reserved" },
	{ "by a reservation alone", MAUI_REASON_RESERVED, NEVER, .wanted = 1, .decides = true,
	  .counts = { { MAUI_REASON_NODE_CLAIMED, 2 } },
	  .first = "Reserved: 2 nodes are reserved by maint, demo" },
	{ "some are kept, and too few", MAUI_REASON_RESERVED, NEVER, .wanted = 4, .behind = true,
	  .kind = MAUI_REASON_PRIORITY,
	  .counts = { { MAUI_REASON_NODE_BUSY, 9 }, { MAUI_REASON_NODE_RESERVED, 2 } },
	  .first = "Priority: 12 jobs are ahead in partition batch; needs 4 nodes, 0 free" },
	{ "idle in all, but nowhere enough", MAUI_REASON_RESERVED, NEVER, .wanted = 1,
	  .kind = MAUI_REASON_RESOURCES, .counts = { { MAUI_REASON_NODE_BUSY, 9 } },
	  .first = "Resources: needs 1 node, 0 free" },

	{ "priority", MAUI_REASON_PRIORITY, .until_s = MAUI_NEVER, .estimate_s = NOW + HOUR,
	  .first = "Priority: other jobs are ahead in partition batch; starts about 13:00" },
	{ "no backfill", MAUI_REASON_NOBF, NEVER,
	  .first = "Priority: its QOS takes no part in backfill" },
	{ "negative", MAUI_REASON_NEGATIVE, NEVER,
	  .first = "Priority: negative, not scheduled (REJECTNEGPRIOJOBS)" },
	{ "chunking", MAUI_REASON_CHUNKING, .until_s = NOW + 90, .estimate_s = MAUI_NEVER,
	  .first = "idle nodes are collected for larger jobs until 12:02" },
	{ "deferred", MAUI_REASON_DEFERRED, .until_s = NOW + HOUR, .estimate_s = MAUI_NEVER,
	  .first = "deferred after failed starts, until 13:00" },
	{ "het", MAUI_REASON_HET, NEVER,
	  .first = "Het job: needs HETJOBS ON in maui.cfg, or SchedulerType=sched/backfill" },
	{ "refused", MAUI_REASON_REFUSED, NEVER, .first = "start refused by Slurm, tried again" },

	{ "never, nothing known", MAUI_REASON_NEVER_FITS, NEVER,
	  .first = "never fits: no set of nodes can serve it" },
	{ "never fits: counted by what the nodes lack", MAUI_REASON_NEVER_FITS, NEVER, .wanted = 2,
	  .counts = { { MAUI_REASON_NODE_FEATURES, 1 },
		      { MAUI_REASON_NODE_MEM, 3 },
		      { MAUI_REASON_NODE_PARTITION, 70 } },
	  .first = "never fits: 3 nodes lack memory, 1 lacks features" },
	{ "never, the most telling first, and no longer than one likes to read",
	  MAUI_REASON_NEVER_FITS, NEVER, .wanted = 2,
	  .counts = { { MAUI_REASON_NODE_FEATURES, 1 },
		      { MAUI_REASON_NODE_EXCLUDED, 1000 },
		      { MAUI_REASON_NODE_PROCS, 2 },
		      { MAUI_REASON_NODE_DISK, 3 },
		      { MAUI_REASON_NODE_OTHER, 4 } },
	  .first =
		  "never fits: 1000 nodes are outside its request, 4 lack gres, 3 lack disk space" },
	{ "never, too few that can", MAUI_REASON_NEVER_FITS, NEVER, .wanted = 4,
	  .counts = { { MAUI_REASON_NONE, 1 },
		      { MAUI_REASON_NODE_BUSY, 1 },
		      { MAUI_REASON_NODE_MEM, 3 } },
	  .first = "never fits: needs 4 nodes, 2 can serve it" },
	{ "never, though each node could", MAUI_REASON_NEVER_FITS, NEVER, .wanted = 1,
	  .counts = { { MAUI_REASON_NONE, 2 } },
	  .first = "never fits: it asks for more than there is" },

	{ "down, nothing known", MAUI_REASON_NODES_DOWN, NEVER,
	  .first = "Nodes down: nodes it needs are down or drained" },
	{ "down", MAUI_REASON_NODES_DOWN, NEVER, .wanted = 4,
	  .counts = { { MAUI_REASON_NODE_STATE, 3 }, { MAUI_REASON_NODE_BUSY, 2 } },
	  .first = "Nodes down: needs 4 nodes, 2 up, 3 down or drained" },
	{ "down, by processors", MAUI_REASON_NODES_DOWN, NEVER, .wanted = 1,
	  .counts = { { MAUI_REASON_NODE_STATE, 3 }, { MAUI_REASON_NONE, 2 } },
	  .first = "Nodes down: 3 down or drained" },
};

/* What is known of a row's job. */
struct known {
	struct maui_block block;
	struct maui_verdict verdict;
	struct maui_node_reasons nodes;
	struct maui_explanation e;
};

static const struct maui_explanation *know(const struct row *row, struct known *k)
{
	*k = (struct known){
		.block = { .reason = row->reason,
			   .violation = row->violation,
			   .until_s = row->until_s },
		.verdict = { .estimate_s = row->estimate_s },
		.nodes = { .reserved_by = RESERVED_BY,
			   .reservations_decide = row->decides,
			   .wanted = row->wanted,
			   .tasks = row->tasks,
			   .room = row->room,
			   .procs_per_task = row->procs_per_task },
		.e = { .behind = row->behind,
		       .ahead = row->behind ? 12 : 0,
		       .partition = "batch",
		       .now_s = NOW },
	};
	for (const struct count *c = row->counts; c->nodes > 0; c++)
		k->nodes.counts[c->reason] = c->nodes;
	k->verdict.blocks = row->reason == MAUI_REASON_NONE ? NULL : &k->block;
	k->e.verdict = &k->verdict;
	k->e.nodes = row->counts[0].nodes ? &k->nodes : NULL;
	return &k->e;
}

static void in_utc(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
}

TEST_ROWS(explain, first, rows, row)
{
	char text[MAUI_EXPLAIN_LINE_SIZE], small[16];
	const struct maui_explanation *e;
	struct known known;

	in_utc();
	e = know(row, &known);
	maui_explain_first(e, text, sizeof(text));
	EXPECT_TEXT(row->name, text, row->first);
	cr_expect(maui_explain_kind(e) == (row->kind ? row->kind : row->reason), "%s: kind %d",
		  row->name, (int)maui_explain_kind(e));
	cr_expect(strlen(text) <= 80, "%s: %zu characters", row->name, strlen(text));
	maui_explain_first(e, small, sizeof(small));
	cr_expect(strlen(small) < sizeof(small) && strncmp(small, text, strlen(small)) == 0,
		  "%s: cut off as '%s'", row->name, small);
}

/* With nothing but the verdict every reason has words or is Slurm's; no text names a moment. */
TEST_ROWS(explain, without_nodes, rows, row)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct known known;

	know(row, &known);
	maui_explain_first(&(struct maui_explanation){ .verdict = &known.verdict }, text,
			   sizeof(text));
	cr_expect((*text == '\0') == (*row->first == '\0'), "%s: '%s'", row->name, text);
	cr_expect(strstr(text, "about") == NULL, "%s: '%s'", row->name, text);
}

Test(explain, in_local_time)
{
	const struct maui_block block = { .reason = MAUI_REASON_DEFERRED,
					  .until_s = NOW + 13 * HOUR };
	const struct maui_verdict verdict = { .estimate_s = MAUI_NEVER, .blocks = &block };
	const struct maui_explanation e = { .verdict = &verdict, .now_s = NOW };
	char text[MAUI_EXPLAIN_LINE_SIZE];

	setenv("TZ", "XYZ-1", 1); /* an hour east of Greenwich: 13:00 */
	tzset();
	cr_expect_str_eq(maui_explain_first(&e, text, sizeof(text)),
			 "deferred after failed starts, until 23 Nov 02:00", "%s", text);
}

Test(explain, all)
{
	const struct maui_block second = { .reason = MAUI_REASON_RESOURCES, .until_s = MAUI_NEVER };
	const struct maui_block third = { .reason = MAUI_REASON_HELD, .until_s = MAUI_NEVER };
	const struct maui_block first = { .next = &second,
					  .reason = MAUI_REASON_LIMIT,
					  .violation = &soft,
					  .until_s = MAUI_NEVER };
	const struct maui_verdict verdict = { .estimate_s = NOW + HOUR, .blocks = &first };
	const struct maui_verdict held = { .estimate_s = MAUI_NEVER, .blocks = &third };
	const struct maui_verdict nothing = { .estimate_s = NOW };
	const struct maui_node_reasons nodes = { .counts = { [MAUI_REASON_NONE] = 1,
							     [MAUI_REASON_NODE_STATE] = 2,
							     [MAUI_REASON_NODE_MEM] = 1,
							     [MAUI_REASON_NODE_CLAIMED] = 3 },
						 .reserved_by = RESERVED_BY,
						 .reservations_decide = true,
						 .wanted = 4 };
	struct maui_explanation e = { .verdict = &verdict, .nodes = &nodes, .now_s = NOW };
	struct maui_strbuf out = { 0 };

	in_utc();
	cr_assert(maui_explain_all(&e, &out) == 0, "memory");
	cr_expect_str_eq(out.text,
			 "MAXJOB USER steve 2/2 (soft)\n"
			 "Reserved: needs 4 nodes, 1 free, 3 reserved by maint, demo\n"
			 "1 node has room\n"
			 "2 nodes are down or drained\n"
			 "1 node lacks memory\n"
			 "3 nodes are reserved by maint, demo\n",
			 "'%s'", out.text);
	maui_strbuf_clear(&out);
	e.start.when_s = NOW + HOUR;
	cr_assert(maui_explain_outlook(&e, &out) == 0, "memory");
	cr_expect_str_eq(out.text, "expected to start about 13:00\n", "'%s'", out.text);
	maui_strbuf_clear(&out);
	e.start_by_s = NOW + HOUR;
	cr_assert(maui_explain_outlook(&e, &out) == 0, "memory");
	cr_expect_str_eq(out.text,
			 "expected to start about 13:00\n"
			 "the job must start by 13:00 to end before its deadline\n",
			 "'%s'", out.text);
	maui_strbuf_clear(&out);
	e.start_by_s = NOW + HOUR / 2;
	cr_assert(maui_explain_outlook(&e, &out) == 0, "memory");
	cr_expect_str_eq(out.text,
			 "expected to start about 13:00\n"
			 "the job will not start by 12:30, as its deadline requires: Slurm cancels "
			 "it then\n",
			 "'%s'", out.text);
	maui_strbuf_clear(&out);
	e.start_by_s = NOW - HOUR / 2;
	cr_assert(maui_explain_outlook(&e, &out) == 0, "memory");
	cr_expect_str_eq(out.text,
			 "expected to start about 13:00\n"
			 "the job had to start by 11:30 to end before its deadline: Slurm cancels "
			 "it\n",
			 "'%s'", out.text);
	maui_strbuf_clear(&out);
	e = (struct maui_explanation){ .verdict = &held };
	cr_assert(maui_explain_all(&e, &out) == 0, "memory");
	cr_expect_str_eq(out.text, "held\n", "'%s'", out.text);
	maui_strbuf_clear(&out);
	e = (struct maui_explanation){ .verdict = &nothing, .nodes = &nodes, .now_s = NOW };
	cr_assert(maui_explain_all(&e, &out) == 0, "memory");
	cr_expect(out.length == 0, "it starts: '%s'", out.text);
	maui_strbuf_finish(&out);
}

/* Each reason that a plan or a node can give has words. */
Test(explain, no_reason_without_words)
{
	struct maui_node_reasons nodes = { .wanted = 0 };

	for (int r = MAUI_REASON_HELD; r < MAUI_REASON_COUNT; r++) {
		const struct maui_block block = { .reason = (enum maui_reason)r,
						  .until_s = MAUI_NEVER };
		const struct maui_verdict verdict = { .blocks = &block };
		const struct maui_explanation e = { .verdict = &verdict, .nodes = &nodes };
		struct maui_strbuf out = { 0 };

		nodes.counts[r] = 2;
		cr_assert(maui_explain_all(&e, &out) == 0, "memory");
		cr_expect(out.length > 3 && !strchr(out.text, '?'), "%d: '%s'", r, out.text);
		if (r >= MAUI_REASON_NODE_STATE)
			cr_expect(strstr(out.text, "2 nodes "), "%d: '%s'", r, out.text);
		nodes.counts[r] = 0;
		maui_strbuf_finish(&out);
	}
}

/* What slurmctld knows of a job is in the text of commands, and never in that of squeue. */
Test(explain, what_slurmctld_knows)
{
	static const struct maui_dependency singleton = { .task = MAUI_NO_TASK };
	static const struct maui_dependency others[] = { { .job = 17, .task = MAUI_NO_TASK },
							 { .job = 18, .task = 3 } };
	static const struct {
		enum maui_reason reason;
		struct maui_job_conditions conditions;
		bool held_by_user, requeued;
		const char *first;
	} cases[] = {
		{ MAUI_REASON_BEGIN_TIME,
		  { .begin_s = NOW },
		  .first = "begin time not reached: 22 Nov 2026 12:00:00" },
		{ MAUI_REASON_BEGIN_TIME,
		  { .begin_s = NOW },
		  .requeued = true,
		  .first = "requeued; does not start before: 22 Nov 2026 12:00:00" },
		{ MAUI_REASON_DEPENDENCY,
		  { .dependencies = others, .dependency_count = 2, .any_dependency = true },
		  .first = "waits for another job: one of 17, 18_3" },
		{ MAUI_REASON_DEPENDENCY,
		  { .dependencies = &singleton, .dependency_count = 1 },
		  .first = "waits for another job: those of its user with its name (singleton)" },
		{ MAUI_REASON_DEPENDENCY,
		  { .slurm_reason = "DependencyNeverSatisfied" },
		  .first = "its dependency can never be satisfied" },
		{ MAUI_REASON_HELD, { 0 }, .held_by_user = true, .first = "held by its user" },
		{ MAUI_REASON_HELD,
		  { .slurm_reason = "JobHeldAdmin" },
		  .first = "held by an administrator" },
		{ MAUI_REASON_HELD,
		  { .slurm_reason = "JobHeldUser", .hold_words = "launch failed requeued held" },
		  .first = "held by Slurm: launch failed requeued held" },
		{ MAUI_REASON_HELD,
		  { .slurm_reason = "ReservationDeleted" },
		  .first = "held: ReservationDeleted" },
		{ MAUI_REASON_SLURM,
		  { .slurm_reason = "JobArrayTaskLimit" },
		  .first = "the task limit of its array (%N) is reached" },
		{ MAUI_REASON_SLURM,
		  { .slurm_reason = "PartitionNodeLimit" },
		  .first = "refused by Slurm's own checks: PartitionNodeLimit (more nodes than the "
			   "partition has or admits)" },
		{ MAUI_REASON_SLURM,
		  { .slurm_reason = "PartitionConfig" },
		  .first = "refused by Slurm's own checks: PartitionConfig (the partition cannot "
			   "serve it, or does not admit its account, group or QOS)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct maui_slurm_facts facts = { .conditions = cases[i].conditions,
							.held_by_user = cases[i].held_by_user,
							.requeued = cases[i].requeued };
		const struct maui_block block = { .reason = cases[i].reason,
						  .until_s = MAUI_NEVER };
		const struct maui_verdict verdict = { .blocks = &block };
		struct maui_explanation e = { .verdict = &verdict, .facts = &facts };
		struct maui_strbuf all = { 0 };
		char text[MAUI_EXPLAIN_LINE_SIZE];

		cr_expect_str_eq(maui_explain_first(&e, text, sizeof(text)), cases[i].first);
		cr_assert(maui_explain_all(&e, &all) == 0);
		cr_expect(strncmp(all.text, text, strlen(text)) == 0 &&
				  strcmp(all.text + strlen(text), "\n") == 0,
			  "'%s'", all.text);
		maui_strbuf_finish(&all);
		e.facts = NULL;
		cr_expect_str_eq(maui_explain_first(&e, text, sizeof(text)), "");
	}
}

Test(explain, a_text_begins_with_the_word_of_slurm_once)
{
	char text[64];

	cr_expect_str_eq(maui_explain_behind_word("Resources", "Resources: 1 is busy", text, 64),
			 "Resources: 1 is busy");
	cr_expect_str_eq(maui_explain_behind_word("Resources", "ResourcesX", text, 64),
			 "Resources: ResourcesX");
	cr_expect_str_eq(maui_explain_behind_word("QOSMaxJobs", "MAXJOB", text, 64),
			 "QOSMaxJobs: MAXJOB");
	cr_expect_str_eq(maui_explain_behind_word(NULL, "MAXJOB", text, 64), "MAXJOB");
}

Test(explain, the_cause_has_no_numbers_of_the_moment)
{
	const struct maui_block limit = { .reason = MAUI_REASON_LIMIT, .violation = &soft };
	const struct maui_block waits = { .reason = MAUI_REASON_RESOURCES };
	const struct maui_blocking_reservation biz = { .name = "biz" };
	const struct maui_verdict one = { .blocks = &limit }, two = { .blocks = &waits };
	struct maui_explanation e = { .verdict = &one };
	char text[64];

	cr_expect_str_eq(maui_explain_cause(&e, text, sizeof(text)), "MAXJOB USER steve");
	e.verdict = &two;
	cr_expect_str_eq(maui_explain_cause(&e, text, sizeof(text)), "resources");
	e.blocking = &biz;
	cr_expect_str_eq(maui_explain_cause(&e, text, sizeof(text)), "reservation biz");
}
