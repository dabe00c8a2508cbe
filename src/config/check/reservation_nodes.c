/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation_nodes.c - reservations that the nodes of the cluster cannot hold (RSV-5, CFG-7) */

#include "config/check/reservation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hostexpr.h"
#include "base/hostnames.h"
#include "base/hostrange.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "config/check/private.h"
#include "config/parse.h"
#include "model/features.h"
#include "model/snapshot.h"

struct table {
	const struct maui_check_node *nodes;
	size_t count;
	const char **names;
	struct maui_hostnames *sorted;
	bool *scratch;
	uint32_t *match; /* indices of the nodes that HOSTLIST matches */
};

/* The last setting of the attribute, which is in force. */
static const struct maui_setting *find_setting(const struct maui_config *config,
					       const struct maui_rsv *rsv, const char *attr)
{
	for (size_t i = config->setting_count; i-- > 0;) {
		const struct maui_setting *s = &config->settings[i];

		if (s->attr && s->param->family == MAUI_FAMILY_SR &&
		    strcmp(s->attr->name, attr) == 0 && strcmp(s->index, rsv->name) == 0)
			return s;
	}
	return NULL;
}

static void add_diagnostic(const struct maui_config *config, const struct maui_rsv *rsv,
			   const char *attr, enum maui_severity severity, struct maui_diags *diags,
			   const char *text)
{
	const struct maui_setting *s =
		maui_diags_keep(diags, severity) ? find_setting(config, rsv, attr) : NULL;
	const struct maui_diag_place place = maui_check_place_of_rsv(rsv, s);

	maui_diags_add_at(diags, severity, &place, "SRCFG[%.300s] %s", rsv->name, text);
}

static bool is_eligible(const struct maui_rsv *rsv, const struct maui_check_node *node)
{
	for (size_t i = 0; i < rsv->features.count; i++)
		if (!maui_features_match(rsv->features.list[i], node->features))
			return false;
	return !rsv->partition || maui_list_has(node->partitions, rsv->partition);
}

static int64_t at_most(int64_t tasks, int64_t wanted, int64_t has)
{
	if (wanted == 0)
		return tasks;
	if (wanted == -1)
		return tasks < 1 ? tasks : 1;
	return has / wanted < tasks ? has / wanted : tasks;
}

/* How many tasks the node holds when it is empty. */
static int64_t count_tasks(const struct maui_rsv *rsv, const struct maui_check_node *node)
{
	const struct maui_rsv_task *task = &rsv->task;
	int64_t tasks = task->procs == -1 ? 1 : INT32_MAX;

	if (!is_eligible(rsv, node))
		return 0;
	if (task->procs != -1) {
		tasks = at_most(tasks, task->procs, node->procs);
		tasks = at_most(tasks, task->mem_mb, node->mem_mb);
		tasks = at_most(tasks, task->disk_mb, node->disk_mb);
	}
	return tasks < rsv->tasks_per_node ? 0 : tasks;
}

/* ---- why no node could hold one task ---- */

/* The greatest amount of each resource among the eligible nodes. */
static struct maui_check_node find_most(const struct maui_rsv *rsv, const struct table *table,
					size_t *ret_eligible)
{
	struct maui_check_node most = { .procs = 0 };

	*ret_eligible = 0;
	for (size_t i = 0; i < table->count; i++) {
		const struct maui_check_node *node = &table->nodes[i];

		if (!is_eligible(rsv, node))
			continue;
		++*ret_eligible;
		most.procs = most.procs > node->procs ? most.procs : node->procs;
		most.mem_mb = most.mem_mb > node->mem_mb ? most.mem_mb : node->mem_mb;
		most.disk_mb = most.disk_mb > node->disk_mb ? most.disk_mb : node->disk_mb;
	}
	return most;
}

/* Appends "PROCS 17 (CPUs: 16 at most)" for each resource of which one task needs more than any
 * node has. */
static void add_shortage(const struct maui_rsv *rsv, const struct maui_check_node *most,
			 struct maui_strbuf *text)
{
	const struct {
		const char *name, *conf;
		int64_t wanted, most;
	} amounts[] = { { "PROCS", "CPUs", rsv->task.procs, most->procs },
			{ "MEM", "RealMemory", rsv->task.mem_mb, most->mem_mb },
			{ "DISK", "TmpDisk", rsv->task.disk_mb, most->disk_mb } };
	int64_t each = rsv->tasks_per_node > 1 ? rsv->tasks_per_node : 1;
	bool any = false;

	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
		if (amounts[i].wanted <= 0 || amounts[i].most / each >= amounts[i].wanted)
			continue;
		maui_strbuf_addf(text, "%s%s %" PRId64, any ? ", nor " : " has ", amounts[i].name,
				 amounts[i].wanted);
		if (each > 1)
			maui_strbuf_addf(text, " for each of TPN=%" PRId64 " tasks", each);
		maui_strbuf_addf(text, " (%s: %" PRId64 " at most)", amounts[i].conf,
				 amounts[i].most);
		any = true;
	}
	if (!any)
		maui_strbuf_addf(text, " has all resources of a task");
}

static void report_no_nodes(const struct maui_config *config, const struct maui_rsv *rsv,
			    const struct table *table, struct maui_diags *diags)
{
	struct maui_strbuf text = { 0 };
	size_t eligible;
	struct maui_check_node most = find_most(rsv, table, &eligible);

	if (table->count > 0 && eligible == 0)
		return; /* its PARTITION or NODEFEATURES has a warning already */
	if (rsv->task.procs == -1 && rsv->tasks_per_node > 1)
		return; /* the parser has reported it */
	maui_strbuf_addf(&text, "gets no nodes: TASKCOUNT is %" PRId64 ", and no %snode",
			 rsv->task_count, eligible < table->count ? "such " : "");
	if (table->count == 0)
		maui_strbuf_addf(&text, " exists");
	else
		add_shortage(rsv, &most, &text);
	if (!text.failed)
		add_diagnostic(config, rsv, "TASKCOUNT", MAUI_WARNING, diags, text.text);
	maui_strbuf_finish(&text);
}

/* An unknown or empty PARTITION does not restrict the nodes here: maui_config_check_known()
 * reports it. */
static bool is_in_partition(const struct maui_rsv *rsv, const struct maui_check_node *node)
{
	return !rsv->partition || maui_list_has(node->partitions, rsv->partition);
}

/* Whether a node of the reservation's partition has the feature; *ret_in: number of nodes in the
 * partition. */
static bool has_feature(const struct maui_rsv *rsv, const struct table *table, const char *feature,
			size_t *ret_in)
{
	*ret_in = 0;
	for (size_t i = 0; i < table->count; i++) {
		if (!is_in_partition(rsv, &table->nodes[i]))
			continue;
		++*ret_in;
		if (maui_features_match(feature, table->nodes[i].features))
			return true;
	}
	return false;
}

/* Warns of features that no node has, and of features that no node has together. */
static void check_features(const struct maui_config *config, const struct maui_rsv *rsv,
			   const struct table *table, struct maui_diags *diags)
{
	bool any = false;
	char text[512];

	for (size_t f = 0; f < rsv->features.count; f++) {
		const char *feature = rsv->features.list[f];
		size_t in;

		if (has_feature(rsv, table, feature, &in))
			continue;
		if (in == 0)
			return;
		snprintf(text, sizeof(text),
			 "NODEFEATURES: no node%s has '%.200s': nothing is "
			 "reserved",
			 in < table->count ? " of its PARTITION" : "", feature);
		add_diagnostic(config, rsv, "NODEFEATURES", MAUI_WARNING, diags, text);
		any = true;
	}
	for (size_t i = 0; i < table->count && !any; i++)
		any = is_eligible(rsv, &table->nodes[i]);
	if (!any && rsv->features.count > 1)
		add_diagnostic(config, rsv, "NODEFEATURES", MAUI_WARNING, diags,
			       "NODEFEATURES: no node has all of them: nothing is reserved");
}

/* ---- each reservation ---- */

static void check_count(const struct maui_config *config, const struct maui_rsv *rsv,
			const struct table *table, struct maui_diags *diags)
{
	int64_t sum = 0, usable = 0;
	char text[256];

	/* further nodes complete a HOSTLIST that is too short */
	for (size_t i = 0; i < table->count && sum < rsv->task_count; i++) {
		int64_t tasks = count_tasks(rsv, &table->nodes[i]);

		usable += tasks > 0;
		sum = sum + tasks < rsv->task_count ? sum + tasks : rsv->task_count;
	}
	if (rsv->task_count <= 0 || sum == rsv->task_count)
		return;
	if (usable == 0) {
		report_no_nodes(config, rsv, table, diags);
		return;
	}
	snprintf(text, sizeof(text),
		 "stays partial: TASKCOUNT is %" PRId64 ", and the %" PRId64
		 " node%s that could hold such tasks %s room for %" PRId64,
		 rsv->task_count, usable, maui_plural(usable), usable == 1 ? "has" : "have", sum);
	add_diagnostic(config, rsv, "TASKCOUNT", MAUI_WARNING, diags, text);
}

enum { NAMES_MAX = 32 }; /* more nodes are shown as ranges */

static void add_matches(struct maui_strbuf *text, const struct table *table, size_t matched)
{
	const char **names = calloc(matched, sizeof(*names));
	char *ranges;

	for (size_t i = 0; names && i < matched; i++)
		names[i] = table->names[table->match[i]];
	ranges = names && matched > NAMES_MAX ? maui_hostrange_fold(names, matched) : NULL;
	if (ranges)
		maui_strbuf_addf(text, ": %s", ranges);
	for (size_t i = 0; names && !ranges && i < matched && !text->failed; i++)
		maui_strbuf_addf(text, "%s%s", i > 0 ? "," : ": ", names[i]);
	free(ranges);
	free(names);
}

static void report_matches(const struct maui_config *config, const struct maui_rsv *rsv,
			   const struct table *table, size_t matched, struct maui_diags *diags)
{
	struct maui_strbuf text = { 0 };

	maui_strbuf_addf(&text, "HOSTLIST means %zu node%s", matched, maui_plural(matched));
	if (matched > 0)
		add_matches(&text, table, matched);
	if (!text.failed)
		add_diagnostic(config, rsv, "HOSTLIST", MAUI_NOTE, diags, text.text);
	maui_strbuf_finish(&text);
}

/* `unmatched`: the first item of HOSTLIST that matches no node. */
static void report_unmatched(const struct maui_config *config, const struct maui_rsv *rsv,
			     const char *unmatched, bool any, struct maui_diags *diags)
{
	char text[512];

	snprintf(text, sizeof(text), "HOSTLIST: '%.200s' matches no node: %s", unmatched,
		 any ? "the others are reserved" : "nothing is reserved");
	add_diagnostic(config, rsv, "HOSTLIST", MAUI_WARNING, diags, text);
}

/* Warns at a byte of HOSTLIST. */
static void warn_at(const struct maui_config *config, const struct maui_rsv *rsv, size_t at,
		    const char *text, struct maui_diags *diags)
{
	const struct maui_setting *s =
		maui_diags_keep(diags, MAUI_WARNING) ? find_setting(config, rsv, "HOSTLIST") : NULL;
	struct maui_diag_place place = maui_check_place_of_rsv(rsv, s);

	if (s)
		maui_setting_place(s, at, &place.line, &place.column);
	maui_diags_add_at(diags, MAUI_WARNING, &place, "SRCFG[%.300s] HOSTLIST: %s", rsv->name,
			  text);
}

/* Warns of an item that matches other nodes than intended, and of nodes that do not exist. */
static void check_items(const struct maui_config *config, const struct maui_rsv *rsv,
			const struct table *table, const struct maui_hostexpr *expr,
			struct maui_diags *diags)
{
	char text[sizeof(((struct maui_err *)NULL)->text) + 32];
	struct maui_err doubt;
	size_t at;

	if (maui_hostexpr_doubt(expr, table->sorted, &at, &doubt))
		warn_at(config, rsv, at, doubt.text, diags);
	if (maui_hostexpr_missing(expr, table->sorted, &at, &doubt) > 0) {
		snprintf(text, sizeof(text), "%s: the others are reserved", doubt.text);
		warn_at(config, rsv, at, text, diags);
	}
}

/* Returns whether the reservation may have nodes: it has no HOSTLIST, or a host of it exists. */
static bool check_hosts(const struct maui_config *config, const struct maui_rsv *rsv,
			struct table *table, bool matches, struct maui_diags *diags)
{
	struct maui_hostexpr *expr = NULL;
	const char *unmatched = NULL;
	struct maui_err err;
	ssize_t matched;

	if (!rsv->hosts || maui_hostexpr_parse(rsv->hosts, &expr, &err))
		return true; /* the parser has reported it */
	matched = maui_hostexpr_list(expr, table->sorted, table->scratch, table->match, &unmatched,
				     &err);
	diags->no_memory |= matched < 0 && err.no_memory;
	if (matched < 0)
		add_diagnostic(config, rsv, "HOSTLIST", MAUI_WARNING, diags, err.text);
	else if (unmatched)
		report_unmatched(config, rsv, unmatched, matched > 0, diags);
	if (matched > 0)
		check_items(config, rsv, table, expr, diags);
	if (matched >= 0 && matches && (matched > 0 || !unmatched))
		report_matches(config, rsv, table, (size_t)matched, diags);
	maui_hostexpr_destroy(expr);
	return matched != 0;
}

static void finish_table(struct table *table)
{
	maui_hostnames_destroy(table->sorted);
	free(table->names);
	free(table->scratch);
	free(table->match);
}

static int make_table(struct table *table, const struct maui_check_node *nodes, size_t count)
{
	*table = (struct table){ .nodes = nodes,
				 .count = count,
				 .names = calloc(count + 1, sizeof(*table->names)),
				 .scratch = calloc(count + 1, sizeof(*table->scratch)),
				 .match = calloc(count + 1, sizeof(*table->match)) };
	for (size_t i = 0; i < count && table->names; i++)
		table->names[i] = nodes[i].name;
	if (table->names && table->scratch && table->match)
		table->sorted = maui_hostnames_create(table->names, count);
	if (table->sorted)
		return 0;
	finish_table(table);
	return -1;
}

void maui_config_check_nodes(const struct maui_config *config, const struct maui_check_node *nodes,
			     size_t count, bool matches, struct maui_diags *diags)
{
	struct table table;

	if (config->rsv_count == 0 || make_table(&table, nodes, count))
		return;
	for (size_t i = 0; i < config->rsv_count; i++) {
		bool any = check_hosts(config, &config->rsvs[i], &table, matches, diags);

		check_features(config, &config->rsvs[i], &table, diags);
		if (any)
			check_count(config, &config->rsvs[i], &table, diags);
	}
	finish_table(&table);
}

/* ---- the nodes of a snapshot ---- */

static bool is_same_place(const struct maui_node *a, const struct maui_node *b)
{
	return a->partition_count == b->partition_count &&
	       (a->partition_count == 0 ||
		memcmp(a->partitions, b->partitions, a->partition_count * sizeof(*a->partitions)) ==
			0);
}

/* The names of the node's partitions: "batch,old". NULL without memory. */
static const char *join_partitions(const struct maui_snapshot *s, const struct maui_node *node,
				   struct maui_arena *arena)
{
	struct maui_strbuf text = { 0 };
	char *joined = NULL;

	for (uint32_t i = 0; i < node->partition_count; i++)
		maui_strbuf_addf(&text, "%s%s", i > 0 ? "," : "",
				 s->partitions[node->partitions[i]].name);
	if (!text.failed)
		joined = maui_arena_strdup(arena, text.text ? text.text : "");
	maui_strbuf_finish(&text);
	return joined;
}

static int64_t amount(const struct maui_snapshot *s, const struct maui_node *node, unsigned which)
{
	return which < s->amount_count ? node->have[which] : 0;
}

void maui_config_check_snapshot(const struct maui_config *config, const struct maui_snapshot *s,
				bool matches, struct maui_diags *diags)
{
	struct maui_arena arena = { 0 };
	struct maui_check_node *nodes =
		maui_arena_alloc(&arena, (s->node_count + 1u) * sizeof(*nodes));
	bool whole = nodes;

	maui_config_check_node_names(config, s, diags);
	for (uint32_t i = 0; i < s->node_count && whole; i++) {
		const struct maui_node *node = &s->nodes[i];
		bool again = i > 0 && is_same_place(node, node - 1);

		nodes[i] = (struct maui_check_node){
			.name = node->name,
			.procs = amount(s, node, MAUI_AMOUNT_PROCS),
			.mem_mb = amount(s, node, MAUI_AMOUNT_MEM),
			.disk_mb = amount(s, node, MAUI_AMOUNT_DISK),
			.features = node->features,
			/* most nodes have the same partitions as the one before */
			.partitions =
				again ? nodes[i - 1].partitions : join_partitions(s, node, &arena),
		};
		whole = nodes[i].partitions;
	}
	if (whole)
		maui_config_check_nodes(config, nodes, s->node_count, matches, diags);
	maui_arena_finish(&arena);
}
