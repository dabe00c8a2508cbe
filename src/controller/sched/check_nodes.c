/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check_nodes.c - warns of reservations of maui.cfg that the nodes cannot hold, and of partitions
 * that they name and that do not exist, in the log and in commands
 *
 * Checks the planner's copy when maui.cfg or the set of nodes has changed.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "config/check/reservation.h"
#include "answers/document_publish.h"

/* What the check looks at: names, and of nodes that are alike what one of them has. */
static uint64_t hash_nodes(const struct maui_snapshot *s)
{
	unsigned fixed = s->amount_count < MAUI_AMOUNT_FIXED ? s->amount_count : MAUI_AMOUNT_FIXED;
	uint64_t hash = 1;

	for (uint32_t n = 0; n < s->node_count; n++)
		hash = maui_hash_mix(maui_hash_text(s->nodes[n].name, hash),
				     s->nodes[n].class_index);
	for (uint32_t i = 0; i < s->partition_count; i++)
		hash = maui_hash_text(s->partitions[i].name, hash);
	for (uint32_t i = 0; i < s->class_count; i++) {
		const struct maui_node *node = &s->nodes[s->classes[i].sample];

		for (unsigned a = 0; a < fixed; a++)
			hash = maui_hash_mix(hash, (uint64_t)node->have[a]);
		hash = maui_hash_text(node->features ? node->features : "", hash);
		for (uint32_t p = 0; p < node->partition_count; p++)
			hash = maui_hash_text(s->partitions[node->partitions[p]].name, hash);
	}
	return hash ? hash : 1;
}

static bool has(const struct maui_diags *diags, const struct maui_diag *diag)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->list[i].line == diag->line && diags->list[i].column == diag->column &&
		    strcmp(diags->list[i].text, diag->text) == 0)
			return true;
	return false;
}

enum { LINE = MAUI_DIAG_MAX_TEXT + 1024 }; /* with the name of a file */

/* Those from `first` on that were not reported yet. */
static void log_new(const struct maui_diags *now, size_t first, const struct maui_diags *before)
{
	char text[LINE];

	for (size_t i = first; i < now->count; i++) {
		if (has(before, &now->list[i]))
			continue;
		maui_diag_format(&now->list[i], text, sizeof(text));
		info("slurm-maui: %s", text);
	}
}

void maui_sched_check_rsvs(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	const struct maui_config *config = it->c->config;
	struct maui_diags now = { 0 };
	uint64_t nodes;
	size_t own;

	if (config->rsv_count == 0 && config->node_ranks.count == 0)
		return;
	nodes = hash_nodes(it->cluster.snapshot);
	if (nodes == sched->checked)
		return;
	maui_config_check_rsvs(config, &now);
	own = now.count; /* said when maui.cfg was taken */
	maui_config_check_snapshot(config, it->cluster.snapshot, false, &now);
	maui_config_check_partitions(config, it->cluster.snapshot, true, &now);
	log_new(&now, own, &sched->warnings);
	maui_diags_sort(&now);
	maui_diags_finish(&sched->warnings);
	sched->warnings = now;
	sched->checked = nodes;
}

void maui_sched_reloaded(struct maui_sched *sched)
{
	maui_diags_finish(&sched->warnings);
	sched->checked = 0;
}

void maui_sched_publish_warnings(const struct maui_sched *sched, struct maui_document *p)
{
	char text[LINE];

	for (size_t i = 0; i < sched->warnings.count; i++) {
		maui_diag_format(&sched->warnings.list[i], text, sizeof(text));
		maui_document_warn(
			p, text, p->config && has(&p->config->warnings, &sched->warnings.list[i]));
	}
}
