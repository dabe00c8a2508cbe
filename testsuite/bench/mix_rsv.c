/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_rsv.c - reservations on the cluster of mix.h, for benchmarks of plans */

#include "mix_rsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench.h"

static void admit(struct maui_rsv *r, int kind, const char *name, int64_t value)
{
	struct maui_acl_entry *grown =
		realloc(r->acl.list, (r->acl.count + 1) * sizeof(*r->acl.list));

	if (!grown)
		bench_die("no memory");
	r->acl.list = grown;
	grown[r->acl.count++] = (struct maui_acl_entry){ .kind = kind,
							 .name = name ? strdup(name) : NULL,
							 .value = value,
							 .affinity = MAUI_AFFINITY_POSITIVE };
}

static void set_range(struct maui_rsv *r, uint32_t first, uint32_t last)
{
	char text[64];

	snprintf(text, sizeof(text), "n[%05u-%05u]", first, last);
	r->hosts = strdup(text);
}

/* From another node on for each. */
static void set_hosts(struct maui_rsv *r, uint32_t index, uint32_t nodes, enum bench_rsv_kind kind)
{
	uint32_t width = kind == BENCH_WIDE ? nodes / 2 : 20;
	uint32_t first = index * (kind == BENCH_WIDE ? 211 : 20) % (nodes - width);

	set_range(r, first, first + width - 1);
}

static void make_dated(struct maui_rsv *r, uint32_t index, uint32_t nodes, enum bench_rsv_kind kind)
{
	char text[64];

	snprintf(text, sizeof(text), "sr%u", index);
	*r = (struct maui_rsv){ .name = strdup(text),
				.owner_kind = -1,
				.period = MAUI_RSV_DAY,
				.task = { .procs = -1 },
				.days = 127,
				.depth = 7,
				.start_s = 9 * 3600,
				.end_s = 17 * 3600 };
	if (kind != BENCH_DAILY) {
		r->period = MAUI_RSV_INFINITY;
		r->start_s = r->end_s = 0;
	}
	if (index % 5 == 0)
		r->task = (struct maui_rsv_task){ .procs = BENCH_PROCS / 2 };
	if (kind != BENCH_WIDE && index % 2)
		r->task_count = 20;
	else
		set_hosts(r, index, nodes, kind);
	snprintf(text, sizeof(text), "u%u", index % BENCH_USERS);
	admit(r, MAUI_CRED_USER, text, 0);
	if (index % 3 == 0)
		admit(r, MAUI_ACL_DURATION, NULL, 3600);
}

/* One of `count` reservations that together have all nodes, all day, for every user. */
static void make_named(struct maui_rsv *r, uint32_t index, uint32_t count, uint32_t nodes)
{
	uint32_t first = index * (nodes / count), last = first + nodes / count - 1;
	char text[64];

	snprintf(text, sizeof(text), "sr%u", index);
	*r = (struct maui_rsv){ .name = strdup(text),
				.owner_kind = -1,
				.period = MAUI_RSV_DAY,
				.task = { .procs = -1 },
				.days = 127,
				.depth = count == 1 ? BENCH_RSV_NAMES : 1 };
	set_range(r, first, index + 1 == count ? nodes - 1 : last);
	for (uint32_t u = 0; u < BENCH_USERS; u++) {
		snprintf(text, sizeof(text), "u%u", u);
		admit(r, MAUI_CRED_USER, text, 0);
	}
}

/* On all nodes, from now on. */
static void make_upon(struct maui_rsv *r, uint32_t nodes)
{
	*r = (struct maui_rsv){ .name = strdup("upon"),
				.owner_kind = -1,
				.period = MAUI_RSV_INFINITY,
				.task = { .procs = -1 },
				.days = 127 };
	set_range(r, 0, nodes - 1);
	admit(r, MAUI_CRED_USER, "nobody", 0);
}

void bench_rsvs_make(struct bench_rsvs *ret, struct maui_snapshot *s, uint32_t count,
		     enum bench_rsv_kind kind)
{
	struct maui_standing_targets *targets;

	*ret = (struct bench_rsvs){ .rsvs = calloc(count, sizeof(*ret->rsvs)),
				    .list = calloc(count, sizeof(*ret->list)) };
	if (!ret->rsvs || !ret->list)
		bench_die("no memory");
	for (uint32_t i = 0; i < count; i++) {
		if (kind == BENCH_UPON && i + 1 == count)
			make_upon(&ret->rsvs[i], s->node_count);
		else if (kind == BENCH_NAMED || kind == BENCH_UPON)
			make_named(&ret->rsvs[i], i, count - (kind == BENCH_UPON), s->node_count);
		else
			make_dated(&ret->rsvs[i], i, s->node_count, kind);
		ret->list[i] = &ret->rsvs[i];
	}
	if (maui_standing_targets(s, ret->list, count, &ret->arena, &targets, NULL))
		bench_die("no memory");
	ret->input = (struct maui_standing_input){ .list = ret->list,
						   .count = count,
						   .targets = targets };
}

/* Slurm's own reservations of nodes admit only jobs that name them. */
void bench_rsvs_mirror(struct maui_snapshot *s, uint32_t count)
{
	uint32_t width = s->node_count / 2, *nodes = calloc(width, sizeof(*nodes));
	char name[32];

	for (uint32_t c = 0; nodes && c < count; c++) {
		const struct maui_claim claim = { .id = c + 1,
						  .name = name,
						  .start_s = BENCH_NOW,
						  .end_s = MAUI_NEVER,
						  .nodes = nodes,
						  .node_count = width,
						  .rsv = MAUI_CLAIM_FOREIGN };

		snprintf(name, sizeof(name), "mirror%u", c);
		for (uint32_t n = 0; n < width; n++)
			nodes[n] = c * 211 % width + n;
		if (maui_snapshot_add_claim(s, &claim) < 0)
			bench_die("no memory");
	}
	free(nodes);
}

void bench_rsvs_finish(struct bench_rsvs *rsvs)
{
	for (uint32_t i = 0; i < rsvs->input.count; i++)
		maui_rsv_finish(&rsvs->rsvs[i]);
	free(rsvs->rsvs);
	free(rsvs->list);
	maui_arena_finish(&rsvs->arena);
	*rsvs = (struct bench_rsvs){ 0 };
}

void bench_rsvs_name(struct bench_rsvs *rsvs, struct maui_snapshot *s,
		     const struct maui_decisions *d, uint32_t step, bool own)
{
	const unsigned all = (1u << BENCH_RSV_NAMES) - 1;

	for (uint32_t j = 0; j < s->idle_count; j += step) {
		unsigned subset = own ? (1 + j * 40503u) % (all + 1) : all;
		struct maui_strbuf text = { 0 };

		for (uint32_t i = 0; i < d->instance_count && i < BENCH_RSV_NAMES; i++) {
			const struct maui_rsv_instance *instance = &d->instances[i];

			if (!((subset ? subset : 1) >> i & 1))
				continue;
			maui_strbuf_addf(&text, "%s%s%s", text.length > 0 ? "," : "",
					 rsvs->input.count == 1 ? "maui." : "",
					 rsvs->list[instance->rsv]->name);
			if (rsvs->input.count == 1)
				maui_strbuf_addf(&text, ".%d", (int)instance->day);
		}
		s->idle[j].advres = maui_arena_strdup(&rsvs->arena, text.text);
		maui_strbuf_finish(&text);
	}
}
