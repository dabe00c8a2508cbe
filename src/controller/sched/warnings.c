/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.c - warns of reservations of maui.cfg that the nodes cannot hold, of names in
 * maui.cfg that nothing has, and of those that a Slurm reservation has, too, in the log and in
 * commands
 *
 * Checks the planner's copy when maui.cfg, the set of nodes or known names have changed, and
 * every ten minutes: slurmdbd may have a new account or QOS. No name service is asked here: the
 * agent has looked up users and groups already (controller/names.h).
 *
 * Rules: ACL-15, CFG-7, RSV-19.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "config/check/known_names.h"
#include "config/check/reservation.h"
#include "answers/document_publish.h"
#include "slurm/capture/known.h"

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

/* The names of Slurm's own reservations: mirrors are left out. */
static uint64_t hash_reservations(const struct maui_cluster *cluster, uint64_t hash)
{
	for (uint32_t i = 0; i < cluster->reservation_count; i++)
		hash = maui_hash_text(cluster->reservations[i].name, hash);
	return hash;
}

static void check_namesakes(struct maui_iteration *it, struct maui_diags *diags)
{
	const struct maui_cluster *cluster = &it->cluster;
	const char **names =
		maui_arena_alloc(&it->arena, (cluster->reservation_count + 1u) * sizeof(*names));

	for (uint32_t i = 0; names && i < cluster->reservation_count; i++)
		names[i] = cluster->reservations[i].name;
	if (names)
		maui_config_check_namesakes(it->c->config, names, cluster->reservation_count,
					    diags);
	diags->no_memory |= !names;
}

static bool has_diag(const struct maui_diags *diags, const struct maui_diag *diag)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->list[i].line == diag->line && diags->list[i].column == diag->column &&
		    strcmp(diags->list[i].text, diag->text) == 0)
			return true;
	return false;
}

enum {
	LINE_SIZE = MAUI_DIAG_MAX_TEXT + 1024, /* with the name of a file */
	CHECK_AGAIN_S = 600,
};

/* Those from `first` on that were not reported yet. */
static void log_new(const struct maui_diags *now, size_t first, const struct maui_diags *before)
{
	char text[LINE_SIZE];

	for (size_t i = first; i < now->count; i++) {
		if (has_diag(before, &now->list[i]))
			continue;
		maui_diag_format(&now->list[i], text, sizeof(text));
		info("slurm-maui: %s", text);
	}
}

bool maui_sched_is_unknown(const void *context, int kind, const char *name)
{
	const struct maui_iteration *it = context;

	switch (kind) {
	case MAUI_CRED_CLASS:
		return maui_snapshot_find_partition(it->cluster.snapshot, name) < 0;
	case MAUI_CRED_ACCOUNT:
		return maui_slurm_lacks_account(name);
	case MAUI_CRED_QOS:
		return maui_slurm_lacks_qos(name) &&
		       !maui_config_gives_qos(it->c->config, name,
					      !(accounting_enforce & ACCOUNTING_ENFORCE_QOS));
	default:
		return maui_names_lack(&it->c->names, kind, name);
	}
}

void maui_sched_check_config(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	const struct maui_config *config = it->c->config;
	struct maui_diags now = { 0 };
	uint64_t seen = maui_hash_mix(hash_nodes(it->cluster.snapshot), it->c->names.news);
	size_t known; /* logged when maui.cfg was taken */

	seen = hash_reservations(&it->cluster, seen);
	if (seen == sched->checked && it->cluster.now_s < sched->checked_s + CHECK_AGAIN_S)
		return;
	maui_config_check_rsvs(config, &now);
	known = now.count;
	maui_config_check_snapshot(config, it->cluster.snapshot, false, &now);
	maui_config_check_empty_partitions(config, it->cluster.snapshot, &now);
	maui_config_check_known(config, maui_sched_is_unknown, it, &now);
	check_namesakes(it, &now);
	if (now.no_memory) { /* the last warnings hold until there is memory for a check */
		maui_diags_finish(&now);
		return;
	}
	log_new(&now, known, &sched->warnings);
	maui_diags_sort(&now);
	maui_diags_finish(&sched->warnings);
	sched->warnings = now;
	sched->checked = seen;
	sched->checked_s = it->cluster.now_s;
}

void maui_sched_reloaded(struct maui_sched *sched)
{
	maui_diags_finish(&sched->warnings);
	sched->checked = 0;
}

void maui_sched_publish_warnings(const struct maui_sched *sched, struct maui_document *p)
{
	const struct maui_diags *warnings = &sched->warnings;

	for (size_t i = 0; i < warnings->count; i++)
		maui_document_warn(p, &warnings->list[i],
				   p->config && has_diag(&p->config->warnings, &warnings->list[i]));
}
