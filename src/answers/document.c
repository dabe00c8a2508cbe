/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.c - the life of a document, and how its rows are found */
#include "answers/document.h"

#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/status.h"
#include "cycle/health.h"
#include "model/mirror.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "plan/finished.h"
#include "state/statistics.h"
#include "state/usage_view.h"

struct maui_document *maui_document_create(int64_t now_s, const char *cluster)
{
	struct maui_document *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->refs = 1;
	p->now_s = now_s;
	p->cluster = maui_arena_strdup(&p->arena, cluster);
	return p;
}

struct maui_document *maui_document_ref(struct maui_document *p)
{
	if (p)
		__atomic_add_fetch(&p->refs, 1, __ATOMIC_RELAXED);
	return p;
}

void maui_document_unref(struct maui_document *p)
{
	if (!p || __atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(p->rsvs);
	free(p->warnings);
	free(p->released);
	maui_plan_unref(p->plan);
	maui_config_status_unref(p->config);
	maui_slurm_names_unref(p->slurm_names);
	maui_usage_view_unref(p->usage);
	maui_statistics_view_unref(p->statistics);
	maui_arena_finish(&p->arena);
	free(p);
}

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

bool maui_document_has_number(const struct maui_document_rsv *row, const char *name)
{
	char *end;
	unsigned long long number = strtoull(name, &end, 10);

	return row->type == MAUI_DOCUMENT_JOB && *end == '\0' && number > 0 &&
	       (row->job_id == number || row->array_job_id == number);
}

size_t maui_document_find(const struct maui_document *p, const char *name, size_t from)
{
	size_t i;

	for (i = from; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (is(row->name, name) || is(row->stable, name) || is(row->srcfg, name) ||
		    maui_document_has_number(row, name))
			break;
	}
	return i;
}

bool maui_document_is_whole(const struct maui_document *p)
{
	return !p->failed && !p->arena.failed;
}

const char *maui_document_no_starts(const struct maui_document *p)
{
	return p->health ? maui_health_no_starts(p->health) : NULL;
}

int64_t maui_document_estimate(const struct maui_document *p, uint32_t idle)
{
	const struct maui_verdict *verdict = &p->plan->decisions.verdicts[idle];
	bool would_start = verdict->started && !verdict->blocks;

	return would_start && maui_document_no_starts(p) ? MAUI_NEVER : verdict->estimate_s;
}

int maui_document_read_partitions(const struct maui_document *p, const char *text,
				  struct maui_words *ret, struct maui_query_error *error)
{
	if (maui_words_split(text, ",", ret))
		return maui_query_no_memory(error);
	if (ret->count == 0)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no partition is named");
	for (size_t i = 0; i < ret->count; i++)
		if (maui_snapshot_find_partition(p->plan->snapshot, ret->list[i]) < 0)
			return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no partition '%.64s'",
					       ret->list[i]);
	return 0;
}

size_t maui_document_count_warnings(const struct maui_document *p)
{
	return (p->config ? p->config->warnings.count : 0) + p->cluster_warnings;
}

/* Whether it is about the SRCFG that biz, biz.1 or maui.biz.20261123 means; NULL: about any. */
static bool is_about(const struct maui_document_warning *warning, const char *name)
{
	if (warning->family != MAUI_FAMILY_SR)
		return false;
	if (!name)
		return true;
	if (strncmp(name, MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) == 0)
		name += strlen(MAUI_MIRROR_PREFIX);
	return strcmp(name, warning->name) == 0 ||
	       maui_rsv_is_numbered(warning->name, name, strlen(name));
}

size_t maui_document_find_warning(const struct maui_document *p, const char *name, uid_t uid,
				  size_t from)
{
	if (maui_document_hides_rsvs(p, uid))
		return p->warning_count;
	while (from < p->warning_count && !is_about(&p->warnings[from], name))
		from++;
	return from;
}

size_t maui_document_find_released(const struct maui_document *p, const char *name, uid_t uid,
				   size_t from)
{
	if (maui_document_hides_rsvs(p, uid))
		return p->released_count;
	for (; name && from < p->released_count; from++) {
		const struct maui_document_released *one = &p->released[from];

		if (is(one->name, name) || is(one->stable, name) ||
		    maui_rsv_is_numbered(name, one->name, strlen(one->name)))
			break;
	}
	return from;
}
