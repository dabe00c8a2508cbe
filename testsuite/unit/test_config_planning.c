/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_planning.c - typed parameters of job reservations, backfill and node allocation
 *
 * Rules: CFG-4.
 */

#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "config/config.h"
#include "parsed.h"
#include "rows.h"

static struct maui_config *accept(const char *text)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);

	cr_assert(config, "'%s' is not accepted", text);
	maui_diags_finish(&diags);
	return config;
}

Test(config_planning, defaults)
{
	struct maui_config *c = accept("");
	const struct maui_planning_config *p = &c->planning;

	cr_expect(p->backfill_policy == MAUI_BACKFILL_FIRSTFIT, "BACKFILLPOLICY");
	cr_expect(p->backfill_metric == MAUI_METRIC_PROCS, "BACKFILLMETRIC");
	cr_expect(p->backfill_depth == 0 && p->chunk_size == 0 && p->chunk_duration_s == 0, "off");
	cr_expect(p->reservation_policy == MAUI_RESERVE_CURRENTHIGHEST, "RESERVATIONPOLICY");
	cr_expect(p->node_allocation == MAUI_ALLOC_SLURM, "NODEALLOCATIONPOLICY");
	cr_expect(c->backfill_max_schedules == 10000, "BACKFILLMAXSCHEDULES");
	cr_expect(c->node_access == MAUI_ACCESS_SHARED && c->node_match == 0, "access, match");
	cr_expect(c->defer_time_s == 3600 && c->defer_count == 24 && c->defer_start_count == 1,
		  "DEFER*");
	cr_expect(c->max_start_s == -1, "JOBMAXSTARTTIME");
	cr_expect(c->server_mode == MAUI_SERVER_NORMAL, "SERVERMODE");
	cr_assert(c->stack_count == 1, "%zu stacks", c->stack_count);
	cr_expect(c->stacks[0].number == 0 && c->stacks[0].depth == 1 &&
			  c->stacks[0].qos.count == 0,
		  "stack 0");
	maui_config_unref(c);
}

/* A field by its place, so that rows can be a table. */
#define WORD(field)  offsetof(struct maui_config, field), sizeof(int)
#define COUNT(field) offsetof(struct maui_config, field), sizeof(int64_t)

static const struct {
	const char *name, *text;
	size_t offset, size;
	int64_t value;
} rows[] = {
	{ "BACKFILLPOLICY", "BACKFILLPOLICY bestfit\n", WORD(planning.backfill_policy),
	  MAUI_BACKFILL_BESTFIT },
	{ "a false word is NONE", "BACKFILLPOLICY OFF\n", WORD(planning.backfill_policy),
	  MAUI_BACKFILL_NONE },
	{ "BACKFILLMETRIC", "BACKFILLMETRIC PESECONDS\n", WORD(planning.backfill_metric),
	  MAUI_METRIC_PESECONDS },
	{ "SCHEDULINGCRITERIA", "SCHEDULINGCRITERIA SECONDS\n", WORD(planning.backfill_metric),
	  MAUI_METRIC_SECONDS },
	{ "BACKFILLDEPTH", "BACKFILLDEPTH 12\n", COUNT(planning.backfill_depth), 12 },
	{ "BACKFILLMAXSCHEDULES", "BACKFILLMAXSCHEDULES 5\n", COUNT(backfill_max_schedules), 5 },
	{ "BFCHUNKSIZE", "BFCHUNKSIZE 4\n", COUNT(planning.chunk_size), 4 },
	{ "BFCHUNKDURATION", "BFCHUNKDURATION 00:05:00\n", COUNT(planning.chunk_duration_s), 300 },
	{ "BFPRIORITYPOLICY", "BFPRIORITYPOLICY HWDURATION\n", WORD(planning.backfill_order),
	  MAUI_BF_ORDER_HWDURATION },
	{ "RESERVATIONPOLICY", "RESERVATIONPOLICY NEVER\n", WORD(planning.reservation_policy),
	  MAUI_RESERVE_NEVER },
	{ "RESERVATIONRETRYTIME", "RESERVATIONRETRYTIME 1:30\n",
	  COUNT(planning.reservation_retry_s), 90 },
	{ "RESERVATIONTHRESHOLDTYPE", "RESERVATIONTHRESHOLDTYPE XFACTOR\n",
	  WORD(planning.threshold), MAUI_THRESHOLD_XFACTOR },
	{ "NODEALLOCATIONPOLICY", "NODEALLOCATIONPOLICY FAST\n", WORD(planning.node_allocation),
	  MAUI_ALLOC_FASTEST },
	{ "NODEACCESSPOLICY", "NODEACCESSPOLICY SINGLETASK\n", WORD(node_access),
	  MAUI_ACCESS_SINGLETASK },
	{ "JOBNODEMATCHPOLICY", "JOBNODEMATCHPOLICY EXACTNODE EXACTPROC\n", COUNT(node_match),
	  MAUI_MATCH_EXACTNODE | MAUI_MATCH_EXACTPROC },
	{ "PREEMPTPOLICY", "PREEMPTPOLICY SUSPEND\n", WORD(preempt_policy), MAUI_PREEMPT_SUSPEND },
	{ "DEFERTIME", "DEFERTIME 10:00\n", COUNT(defer_time_s), 600 },
	{ "DEFERCOUNT", "DEFERCOUNT 3\n", COUNT(defer_count), 3 },
	{ "DEFERSTARTCOUNT", "DEFERSTARTCOUNT 2\n", COUNT(defer_start_count), 2 },
	{ "JOBMAXSTARTTIME", "JOBMAXSTARTTIME 2:00\n", COUNT(max_start_s), 120 },
	{ "SERVERMODE", "SERVERMODE test\n", WORD(server_mode), MAUI_SERVER_TEST },
	{ "SERVERMODE SIMULATION", "SERVERMODE SIMULATION\n", WORD(server_mode),
	  MAUI_SERVER_SIMULATION },
};

TEST_ROWS(config_planning, value, rows, row)
{
	struct maui_config *c = accept(row->text);
	const char *at = (const char *)c + row->offset;
	int64_t value = 0;
	int word = 0;

	if (row->size == sizeof(int))
		memcpy(&word, at, sizeof(word));
	else
		memcpy(&value, at, sizeof(value));
	cr_expect(value + word == row->value, "%s: %d", row->name, (int)value + word);
	maui_config_unref(c);
}

Test(config_planning, by_partition)
{
	struct maui_config *c =
		accept("BACKFILLPOLICY[debug] NONE\nBACKFILLDEPTH 5\n"
		       "RESERVATIONTHRESHOLDVALUE[debug] 2.5\nQUEUETIMEWEIGHT[debug] 9\n");
	const struct maui_planning_config *debug = maui_config_planning(c, "debug");

	cr_expect(debug->backfill_policy == MAUI_BACKFILL_NONE, "its own");
	cr_expect(debug->backfill_depth == 5, "what holds for all");
	cr_expect(debug->threshold_value == 2.5, "a number");
	cr_expect(c->planning.backfill_policy == MAUI_BACKFILL_FIRSTFIT, "the others keep theirs");
	cr_expect(maui_config_planning(c, "batch") == &c->planning, "a partition never named");
	cr_expect(maui_config_planning(c, NULL) == &c->planning, "no partition");
	cr_expect(maui_config_priority(c, "debug")->weight[MAUI_FACTOR_QUEUETIME] == 9, "weights");
	maui_config_unref(c);
}

Test(config_planning, ranks_of_nodes)
{
	struct maui_config *c =
		accept("NODECFG[n2] PRIORITY=7 PRIORITY=5\nNODECFG[n1] PRIORITY=-3\n"
		       "NODECFG[DEFAULT] PRIORITY=2\n");

	cr_expect(maui_config_node_priority(c, "n2") == 5, "the last one counts");
	cr_expect(maui_config_node_priority(c, "n1") == -3, "its own");
	cr_expect(maui_config_node_priority(c, "n9") == 2, "DEFAULT's");
	maui_config_unref(c);
	c = accept("");
	cr_expect(maui_config_node_priority(c, "n1") == 0, "nothing said");
	maui_config_unref(c);
}

Test(config_planning, ranks_of_ranges)
{
	struct maui_config *c = accept("NODECFG[n[1-3],login] PRIORITY=7\n"
				       "NODECFG[n2] PRIORITY=5\n"
				       "NODECFG[n3 r[0-1]n[1-2]] PRIORITY=6\n"
				       "NODECFG[DEFAULT] PRIORITY=2\n");

	cr_expect(maui_config_node_priority(c, "n1") == 7, "of a range");
	cr_expect(maui_config_node_priority(c, "login") == 7, "of a list");
	cr_expect(maui_config_node_priority(c, "n2") == 5, "the last line counts");
	cr_expect(maui_config_node_priority(c, "n3") == 6, "the last line counts");
	cr_expect(maui_config_node_priority(c, "r1n2") == 6, "of two ranges");
	cr_expect(maui_config_node_priority(c, "n4") == 2, "DEFAULT's");
	maui_config_unref(c);
}

Test(config_planning, ranks_of_no_range)
{
	struct parsed p = parse("NODEALLOCATIONPOLICY PRIORITY\n"
				"NODECFG[n[3-1]] PRIORITY=7\nNODECFG[n[1-99999]] PRIORITY=5\n");

	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect_str_eq(p.said,
			 "maui.cfg:2:17: warning: NODECFG[n[3-1]]: 'n[3-1]' is not a node list, "
			 "ignoring\n"
			 "maui.cfg:3:21: warning: NODECFG[n[1-99999]]: 'n[1-99999]': more than "
			 "65536 names, ignoring\n",
			 "%s", p.said);
	parsed_finish(&p);
}

Test(config_planning, weights_of_gres)
{
	struct maui_config *c = accept("GRESCFG[gpu] WEIGHT=2\nGRESCFG[gpu:a100] WEIGHT=5.5\n"
				       "GRESCFG[fpga] WEIGHT=0.5\nGRESCFG[gpus] WEIGHT=3\n"
				       "GRESCFG[gp] WEIGHT=4\nGRESCFG[gpu:a] WEIGHT=7\n");

	cr_expect(maui_config_gres_weight(c, "gpu", "a100") == 5.5, "its own");
	cr_expect(maui_config_gres_weight(c, "gpu", "v100") == 2, "the name's");
	cr_expect(maui_config_gres_weight(c, "gpu", NULL) == 2, "without a type");
	cr_expect(maui_config_gres_weight(c, "gpu:a100", "a100") == 5.5, "with the type behind it");
	cr_expect(maui_config_gres_weight(c, "gpu:a100", NULL) == 2, "the type does not count");
	cr_expect(maui_config_gres_weight(c, "gpus", NULL) == 3, "a longer name");
	cr_expect(maui_config_gres_weight(c, "gp", "a100") == 4, "a shorter name");
	cr_expect(maui_config_gres_weight(c, "gpu", "a") == 7, "a shorter type");
	cr_expect(maui_config_gres_weight(c, "fpga", "") == 0.5, "another gres");
	cr_expect(maui_config_gres_weight(c, "shard", NULL) == 0, "not named");
	maui_config_unref(c);
	c = accept("");
	cr_expect(maui_config_gres_weight(c, "gpu", "a100") == 1, "a GPU is one");
	cr_expect(maui_config_gres_weight(c, "fpga", NULL) == 0, "nothing else counts");
	maui_config_unref(c);
}

Test(config_planning, stacks)
{
	struct maui_config *c = accept("RESERVATIONDEPTH[2] 4\nRESERVATIONQOSLIST[2] high top\n"
				       "RESERVATIONDEPTH 7\nRESERVATIONQOSLIST[1] [ALL]\n");

	cr_assert(c->stack_count == 3, "%zu stacks", c->stack_count);
	cr_expect(c->stacks[0].number == 0 && c->stacks[0].depth == 7, "without index: stack 0");
	cr_expect(c->stacks[1].number == 1 && c->stacks[1].depth == 0, "depth 0 unless set");
	cr_expect(c->stacks[1].qos.count == 0, "[ALL]");
	cr_expect(c->stacks[2].number == 2 && c->stacks[2].depth == 4, "stack 2");
	cr_expect(c->stacks[2].qos.count == 2 && maui_words_contain(&c->stacks[2].qos, "top"),
		  "its QOS");
	maui_config_unref(c);
}

Test(config_planning, a_stack_is_a_number)
{
	static const char text[] = "RESERVATIONDEPTH[high] 4\n";
	struct maui_diags diags = { 0 };
	struct maui_config *c = maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);
	bool said = false;

	cr_assert(c, "not accepted");
	for (size_t i = 0; i < diags.count; i++)
		said |= strstr(diags.list[i].text,
			       "the index of a reservation stack is a number") != NULL;
	cr_expect(said && c->stack_count == 1, "not said, or taken all the same");
	maui_diags_finish(&diags);
	maui_config_unref(c);
}
