/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_rsv.c - any bytes as attributes of standing reservations
 *
 * Each line is what stands behind SRCFG[s0], SRCFG[s1], ...; ';' stays, '#' and '\' are taken out,
 * so that a line is one reservation's. What is accepted must hold what model/rsv.h promises, be
 * copied whole, have windows that are in order and do not overlap, and decide on a job in the same
 * way alone and by the table of all.
 */
#include <time.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "config/check/reservation.h"
#include "config/config.h"
#include "fuzz.h"
#include "reservation/access/access.h"
#include "reservation/windows/windows.h"

#define RSVS_MAX        32
#define DEPTH_LOOKED_AT 40

static struct maui_config *read_config(char *text)
{
	struct maui_strbuf lines = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	char *line;
	int i = 0;

	maui_strbuf_addf(&lines, "FSDEPTH 3\n");
	while ((line = strsep(&text, "\n")) && i < RSVS_MAX) {
		line[strcspn(line, "#\\")] = '\0';
		maui_strbuf_addf(&lines, "SRCFG[s%d] %s\n", i++, line);
	}
	FUZZ_CHECK(!lines.failed);
	config = maui_config_parse("maui.cfg", lines.text, lines.length, NULL, &diags);
	FUZZ_CHECK((config != NULL) == (diags.seen[MAUI_ERROR] == 0) && !diags.no_memory);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&lines);
	return config;
}

/* ---- what rsv.h and acl.h job reservation ---- */

static void check_entry(const struct maui_acl_entry *entry)
{
	FUZZ_CHECK(entry->kind >= 0 && entry->kind < MAUI_ACL_KIND_COUNT);
	FUZZ_CHECK(entry->affinity >= -1 && entry->affinity <= 1);
	if (entry->kind <= MAUI_ACL_JOBATTR) /* a name in quotes may have blanks */
		FUZZ_CHECK(entry->name && *entry->name && !strpbrk(entry->name, ",|:"));
	else
		FUZZ_CHECK(!entry->name && entry->value >= 0);
}

static void check_rsv(const struct maui_rsv *rsv)
{
	FUZZ_CHECK(rsv->name && rsv->line > 1 && rsv->file);
	for (size_t i = 0; i < rsv->acl.count; i++)
		check_entry(&rsv->acl.list[i]);
	FUZZ_CHECK(rsv->flags >> MAUI_RSV_FLAG_COUNT == 0);
	FUZZ_CHECK((rsv->owner_kind < 0) == !rsv->owner && rsv->owner_kind < MAUI_CRED_COUNT);
	FUZZ_CHECK(rsv->hosts || rsv->task_count > 0);
	FUZZ_CHECK(rsv->task_count >= 0 && rsv->tasks_per_node >= 0 && rsv->idle_s >= 0);
	FUZZ_CHECK(rsv->task.procs >= -1 && rsv->task.mem_mb >= -1 && rsv->task.disk_mb >= -1);
	FUZZ_CHECK(rsv->task.procs || rsv->task.mem_mb || rsv->task.disk_mb || rsv->task.swap_mb);
	FUZZ_CHECK(rsv->period <= MAUI_RSV_INFINITY && rsv->days > 0 && rsv->days <= 0x7f);
	FUZZ_CHECK(rsv->start_s >= 0 && rsv->end_s >= 0);
	FUZZ_CHECK(rsv->depth >= 1 && rsv->depth <= MAUI_RSV_MAX_DEPTH);
	for (size_t i = 0; i < rsv->trigger_count; i++) {
		const struct maui_trigger *t = &rsv->triggers[i];

		FUZZ_CHECK(t->offset_s >= 0 && t->threshold >= 0 && t->threshold <= 1);
		FUZZ_CHECK((t->action == MAUI_TRIGGER_CANCEL) == !t->data);
		FUZZ_CHECK(!t->data || *t->data == '/');
	}
}

static void check_copy(const struct maui_rsv *rsv)
{
	struct maui_rsv copy;

	FUZZ_CHECK(maui_rsv_copy(rsv, &copy) == 0);
	FUZZ_CHECK(copy.acl.count == rsv->acl.count && copy.features.count == rsv->features.count);
	FUZZ_CHECK(copy.trigger_count == rsv->trigger_count);
	FUZZ_CHECK(!copy.hosts == !rsv->hosts && !strcmp(copy.name, rsv->name));
	check_rsv(&copy);
	maui_rsv_finish(&copy);
}

/* ---- when ---- */

static void check_windows(const struct maui_rsv *rsv, struct maui_arena *arena)
{
	int64_t now = 1730500000; /* before Denver's autumn change */
	struct maui_rsv shallow = *rsv;
	struct maui_rsv_instance *list;
	uint32_t count;

	if (shallow.depth > DEPTH_LOOKED_AT)
		shallow.depth = DEPTH_LOOKED_AT;
	FUZZ_CHECK(maui_standing_windows(&shallow, now, arena, &list, &count) == 0);
	for (uint32_t i = 0; i < count; i++) {
		FUZZ_CHECK(list[i].start_s < list[i].end_s && list[i].end_s > now);
		FUZZ_CHECK(list[i].ordinal < (uint32_t)shallow.depth);
		FUZZ_CHECK(i == 0 || (list[i - 1].end_s <= list[i].start_s &&
				      list[i - 1].ordinal < list[i].ordinal &&
				      list[i - 1].day < list[i].day));
	}
	FUZZ_CHECK(maui_standing_next(&shallow, now) > now);
}

/* ---- for whom ---- */

static bool admits(const struct maui_rsv *rsv, const struct maui_access_job *job, int64_t overlap_s)
{
	enum maui_affinity affinity = MAUI_AFFINITY_NEUTRAL;
	enum maui_entry entry = maui_access_check(rsv, job, overlap_s, &affinity);

	FUZZ_CHECK(affinity >= MAUI_AFFINITY_NEGATIVE && affinity <= MAUI_AFFINITY_POSITIVE);
	return entry == MAUI_ENTRY_OK || entry == MAUI_ENTRY_NOT;
}

static void check_job(const struct maui_rsv *const *list, uint32_t count,
		      const struct maui_access_index *index, const struct maui_access_job *job,
		      struct maui_arena *arena)
{
	const struct maui_access_table *table = maui_access_table(index, job, arena);

	FUZZ_CHECK(table && table->count <= count && !table->only);
	for (uint32_t i = 0; i < count; i++) {
		const struct maui_access *access = maui_access_find(table, i);

		FUZZ_CHECK(admits(list[i], job, 0));
		FUZZ_CHECK(admits(list[i], job, 1) == (access != NULL));
		FUZZ_CHECK(admits(list[i], job, MAUI_NEVER) ==
			   (access && access->overlap_s == MAUI_NEVER));
		if (!access || access->overlap_s == MAUI_NEVER)
			continue;
		FUZZ_CHECK(admits(list[i], job, access->overlap_s));
		FUZZ_CHECK(!admits(list[i], job, access->overlap_s + 1));
	}
}

static void check_access(const struct maui_config *config, struct maui_arena *arena)
{
	static const struct maui_access_job jobs[] = {
		{ .cred = { "amy", "phys", "a1", "hi", "batch" }, .tasks = 1, .procs = 4 },
		{ .cred = { "bob", "chem", NULL, NULL, "fast" },
		  .tasks = 9,
		  .procs = 99,
		  .preemptee = true },
		{ .cred = { "u", NULL, "A1", "lo", NULL }, .ignore_time = true },
		{ .tasks = 1 },
	};
	const struct maui_rsv *list[RSVS_MAX];
	struct maui_access_index *index;

	for (size_t i = 0; i < config->rsv_count; i++)
		list[i] = &config->rsvs[i];
	index = maui_access_index_create(list, (uint32_t)config->rsv_count);
	FUZZ_CHECK(index);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		check_job(list, (uint32_t)config->rsv_count, index, &jobs[i], arena);
	maui_access_index_destroy(index);
}

static void check_nodes(const struct maui_config *config)
{
	static const struct maui_check_node nodes[] = {
		{ "n1", 16, 32000, 100, "wide,fddi", "batch" },
		{ "n2", 1, 1, 0, NULL, NULL },
	};
	struct maui_diags diags = { 0 };

	maui_config_check_nodes(config, nodes, 2, true, &diags);
	FUZZ_CHECK(!diags.no_memory);
	maui_diags_finish(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct maui_config *config;
	struct maui_arena arena = { 0 };

	setenv("TZ", "America/Denver", 1);
	tzset();
	config = read_config(text);
	if (config) {
		FUZZ_CHECK(config->rsv_count <= RSVS_MAX);
		for (size_t i = 0; i < config->rsv_count; i++) {
			check_rsv(&config->rsvs[i]);
			check_copy(&config->rsvs[i]);
			check_windows(&config->rsvs[i], &arena);
		}
		check_access(config, &arena);
		check_nodes(config);
	}
	maui_config_unref(config);
	maui_arena_finish(&arena);
	free(text);
	return 0;
}
