/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_bounds.c - a planned setres: whether it has what it asked for, and what its user may have
 *
 * Rules: RSV-31, RSV-38.
 */
#include "admin/bounds.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "answers/document_publish.h"

enum { NODES = 20, PROCS = 8, NOW = 1000 };

/* Two reservations of ann's and one of root's, on nodes 18 and 19 until 1500; the last one of ann's
 * is asked about. Slurm itself has reservations of node 17 and of half of node 16 until 1500. */
static const struct {
	const char *name, *config;
	unsigned others;     /* nodes of ann's other reservation */
	unsigned nodes;      /* nodes of the one that was just planned, ... */
	unsigned first;      /* from this one on, ... */
	int64_t procs;       /* processors of each (-1: all), ... */
	int64_t start_s;     /* from then on */
	int64_t end_s;       /* its end */
	int64_t missing;     /* its missing tasks */
	bool best_effort;    /* FLAGS=BESTEFFORT */
	bool admin;          /* an administrator made it */
	bool hidden;         /* PrivateData=reservations */
	const char *refused; /* what the message says; NULL: granted */
	int64_t before;      /* its missing tasks before it was changed */
} rows[] = {
	{ "a tenth of 160 processors", "", 0, 2, 0, -1, NOW, 2000, 0, false, false, false, NULL,
	  0 },
	{ "more than a tenth", "", 0, 3, 0, -1, NOW, 2000, 0, false, false, false,
	  "may have 16 processors (RESCTLMAXPROC), and would have 24", 0 },
	{ "together with another one", "", 1, 2, 0, -1, NOW, 2000, 0, false, false, false,
	  "would have 24", 0 },
	{ "an administrator", "", 1, 20, 0, -1, NOW, 2000, 0, false, true, false, NULL, 0 },
	{ "a bound of the site's", "RESCTLMAXPROC 40\n", 2, 3, 0, -1, NOW, 2000, 0, false, false,
	  false, NULL, 0 },
	{ "processor-seconds", "RESCTLMAXPS 8000\n", 0, 1, 0, -1, NOW, 2000, 0, false, false, false,
	  NULL, 0 },
	{ "too many processor-seconds", "RESCTLMAXPS 7999\n", 0, 1, 0, -1, NOW, 2000, 0, false,
	  false, false, "may have 7999 processor-seconds (RESCTLMAXPS), and would have 8000", 0 },
	{ "a very long one", "RESCTLMAXPS 7999\n", 0, 1, 0, -1, NOW, INT64_MAX / 4, 0, false, false,
	  false, "RESCTLMAXPS", 0 },
	{ "tasks that cannot be had", "", 0, 1, 0, -1, NOW, 2000, 3, false, false, false,
	  "3 tasks missing; nothing was changed", 0 },
	{ "one task that cannot be had", "", 0, 1, 0, -1, NOW, 2000, 1, false, false, false,
	  "1 task missing; nothing was changed", 0 },
	{ "missing tasks count", "", 0, 1, 0, -1, NOW, 2000, 2, true, false, false, "would have 24",
	  0 },
	{ "on an administrator's nodes", "", 0, 1, 18, -1, NOW, 2000, 0, false, false, false,
	  "n18 is in another reservation then", 0 },
	{ "after it", "", 0, 1, 18, -1, 1500, 2000, 0, false, false, false, NULL, 0 },
	{ "beside it", "", 0, 1, 19, 4, NOW, 2000, 0, false, false, false, NULL, 0 },
	{ "partly on it", "", 0, 1, 19, 5, NOW, 2000, 0, false, false, false, "n19 is in another",
	  0 },
	{ "on nodes that Slurm itself has reserved", "", 0, 1, 17, 1, NOW, 2000, 0, false, false,
	  false, "n17 is in another reservation then", 0 },
	{ "after Slurm's", "", 0, 1, 17, -1, 1500, 2000, 0, false, false, false, NULL, 0 },
	{ "beside Slurm's", "", 0, 1, 16, 4, NOW, 2000, 0, false, false, false, NULL, 0 },
	{ "partly on Slurm's", "", 0, 1, 16, 5, NOW, 2000, 0, false, false, false,
	  "n16 is in another", 0 },
	{ "on Slurm's, which are hidden", "", 0, 2, 16, -1, NOW, 2000, 0, false, false, true,
	  "2 hosts missing; nothing was changed (-x", 0 },
	{ "on Slurm's, an administrator", "", 0, 1, 17, -1, NOW, 2000, 0, false, true, false, NULL,
	  0 },
	{ "on an administrator's nodes, which are hidden", "", 0, 1, 18, -1, NOW, 2000, 0, false,
	  false, true, "1 host missing; nothing was changed (-x", 0 },
	{ "partly on a hidden one", "", 0, 2, 18, 5, NOW, 2000, 0, false, false, true,
	  "2 hosts missing; nothing was changed (-x", 0 },
	{ "on hidden nodes, an administrator", "", 0, 1, 18, -1, NOW, 2000, 0, false, true, true,
	  NULL, 0 },
	{ "an administrator's on it", "", 0, 1, 18, -1, NOW, 2000, 0, false, true, false, NULL, 0 },
	{ "a partial one is changed", "", 0, 1, 0, -1, NOW, 2000, 3, false, true, false, NULL, 3 },
	{ "more is missing than before", "", 0, 1, 0, -1, NOW, 2000, 3, false, false, false,
	  "missing; nothing was changed", 2 },
	{ "what can be had", "", 0, 1, 0, -1, NOW, 2000, 1, true, false, false, NULL, 0 },
};

static void add_claims(struct maui_snapshot *s)
{
	const uint32_t whole = 17, half = 16;
	const int64_t amounts = PROCS / 2;

	maui_snapshot_add_claim(s, &(struct maui_claim){ .id = 1,
							 .name = "secret",
							 .rsv = MAUI_CLAIM_FOREIGN,
							 .end_s = 1500,
							 .nodes = &whole,
							 .node_count = 1 });
	maui_snapshot_add_claim(s, &(struct maui_claim){ .id = 2,
							 .name = "secret",
							 .rsv = MAUI_CLAIM_FOREIGN,
							 .end_s = 1500,
							 .nodes = &half,
							 .node_count = 1,
							 .amounts = &amounts });
}

TEST_ROWS(bounds, planned, rows, row)
{
	struct maui_rsv ann = { .name = "ann.2", .made_by = "ann", .by_user = true };
	struct maui_rsv other = { .name = "ann.1", .made_by = "ann", .by_user = true };
	struct maui_rsv root = { .name = "root.1", .made_by = "root", .task = { .procs = 4 } };
	const struct maui_rsv *list[] = { &other, &root, &ann };
	struct maui_rsv_place places[NODES], twice[] = { { .node = 18, .tasks = 2 }, { 19, 1 } };
	struct maui_rsv_instance instances[] = {
		{ .rsv = 0, .places = places, .start_s = NOW, .end_s = 2000 },
		{ .rsv = 1, .places = twice, .place_count = 2, .end_s = 1500 },
		{ .rsv = 2, .places = places + row->first, .start_s = row->start_s },
	};
	const struct maui_rights who = { .uid = 1001, .name = "ann", .admin = row->admin };
	const struct maui_standing_input input = { .list = list, .count = 3 };
	struct maui_snapshot *s = maui_snapshot_create(1);
	struct maui_document *published = maui_document_create(NOW, "test");
	struct maui_bounds_plan plan = { s, &input, instances, 3, NOW, published, row->before };
	struct maui_query_error error = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", row->config, strlen(row->config), NULL, &diags);
	const int64_t have = PROCS;
	char name[16];
	int rc;

	for (uint32_t n = 0; n < NODES; n++) {
		snprintf(name, sizeof(name), "n%u", n);
		maui_snapshot_add_node(s,
				       &(struct maui_node){ .id = n, .name = name, .have = &have });
		s->totals.procs += PROCS;
		places[n] = (struct maui_rsv_place){ .node = n, .tasks = 1 };
	}
	cr_assert(config && maui_snapshot_seal(s, NULL) == 0);
	add_claims(s);
	ann.task.procs = row->procs;
	other.task.procs = -1;
	if (row->best_effort)
		ann.flags |= 1 << MAUI_RSV_BESTEFFORT;
	instances[0].place_count = row->others;
	instances[2].place_count = row->nodes;
	instances[2].end_s = row->end_s;
	instances[2].missing = row->missing;
	instances[2].wanted = row->missing > 0 ? row->nodes + row->missing : 0;
	maui_document_hide(published, true, row->hidden, NULL, 0); /* no holders are named */
	rc = maui_bounds_planned(&plan, 2, &who, config, &error);
	cr_expect(rc == (row->refused ? -1 : 0), "%s: %s", row->name, error.err.text);
	cr_expect(!row->refused || strstr(error.err.text, row->refused), "%s: %s", row->name,
		  error.err.text);
	maui_document_unref(published);
	maui_diags_finish(&diags);
	maui_config_unref(config);
	maui_snapshot_destroy(s);
}
