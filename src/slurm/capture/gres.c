/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - reads generic resources of nodes and jobs, and licences
 *
 * A node's typed gres count twice: as gres of the name, and as gres of the name and type. Slurm
 * records the type of each gres that a job got, even if the job asked for no type.
 */

#include "slurm/capture/private.h"

#include "base/array.h"
#include "base/text.h"
#include "model/gres.h"

/* Place of a kind of gres in the list, added if it is new; -1: no memory. An empty type is none. */
static int64_t place_of_gres(struct maui_draft *draft, const char *name, const char *type,
			     bool apart)
{
	struct maui_draft_gres *grown;

	if (type && !*type)
		type = NULL;
	for (uint32_t i = 0; i < draft->gres_count; i++)
		if (maui_same_text(draft->gres[i].name, name) &&
		    maui_same_text(draft->gres[i].type, type)) {
			draft->gres[i].apart |= apart;
			return i;
		}
	grown = maui_array_grow(draft->gres, draft->gres_count, &draft->gres_alloc, sizeof(*grown));
	if (!grown) {
		draft->failed = true;
		return -1;
	}
	draft->gres = grown;
	grown += draft->gres_count;
	*grown = (struct maui_draft_gres){ .name = maui_arena_strdup(&draft->arena, name),
					   .type = maui_arena_strdup(&draft->arena, type),
					   .apart = apart };
	draft->failed |= !grown->name || (type && !grown->type);
	return draft->failed ? -1 : (int64_t)draft->gres_count++;
}

struct gres_walk {
	struct maui_draft *draft;
	struct maui_draft_count *counts;
	uint32_t count, room;
	bool apart; /* the kind that is being read */
};

static void add_count(struct gres_walk *walk, const char *name, const char *type, uint64_t count)
{
	int64_t gres = place_of_gres(walk->draft, name, type, walk->apart);

	if (gres < 0 || count > INT64_MAX / 2)
		return;
	for (uint32_t i = 0; i < walk->count; i++)
		if (walk->counts[i].gres == gres) {
			walk->counts[i].count += (int64_t)count;
			return;
		}
	if (walk->count < walk->room)
		walk->counts[walk->count++] = (struct maui_draft_count){ gres, (int64_t)count };
}

static int count_kinds(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const gres_node_state_t *state = gres->gres_data;

	*(uint32_t *)arg += 1 + (state ? state->type_cnt : 0);
	return 0;
}

static int read_kind(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const gres_node_state_t *state = gres->gres_data;
	struct gres_walk *walk = arg;

	if (!state || !gres->gres_name)
		return 0;
	walk->apart = maui_compat_is_apart(gres->config_flags);
	add_count(walk, gres->gres_name, NULL,
		  state->no_consume && state->gres_cnt_avail ? MAUI_GRES_UNCOUNTED :
							       state->gres_cnt_avail);
	for (uint16_t i = 0; i < state->type_cnt; i++)
		if (state->type_name && state->type_name[i] && *state->type_name[i])
			add_count(walk, gres->gres_name, state->type_name[i],
				  state->no_consume ? MAUI_GRES_UNCOUNTED :
						      state->type_cnt_avail[i]);
	return 0;
}

void maui_draft_read_gres(struct maui_draft *draft, maui_compat_list_t list,
			  struct maui_draft_node *ret)
{
	const struct maui_draft_node *before = draft->node_count > 0 ? ret - 1 : NULL;
	struct gres_walk walk = { .draft = draft };
	struct maui_draft_count *counts;

	if (!list)
		return;
	list_for_each(list, count_kinds, &walk.room);
	if (walk.room == 0)
		return;
	counts = walk.counts = maui_arena_alloc(&draft->arena, walk.room * sizeof(*counts));
	if (!counts) {
		draft->failed = true;
		return;
	}
	list_for_each(list, read_kind, &walk);
	ret->count_count = walk.count;
	ret->counts =
		before && before->count_count == walk.count &&
				memcmp(before->counts, counts, walk.count * sizeof(*counts)) == 0 ?
			before->counts :
			counts;
}

struct hold_walk {
	const struct maui_cluster *cluster;
	const uint32_t *places;
	uint32_t count;
	int64_t *rows;
};

static int hold_kind(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const gres_job_state_t *state = gres->gres_data;
	struct hold_walk *walk = arg;
	unsigned stride = walk->cluster->amount_count;
	int any, typed = -1;

	if (!state || !gres->gres_name || !state->gres_cnt_node_alloc)
		return 0;
	any = maui_cluster_gres(walk->cluster, gres->gres_name, NULL);
	if (state->type_name && *state->type_name)
		typed = maui_cluster_gres(walk->cluster, gres->gres_name, state->type_name);
	for (uint32_t i = 0; i < walk->count; i++) {
		uint32_t place = walk->places[i];
		uint64_t count;

		if (place >= state->node_cnt)
			continue;
		count = state->gres_cnt_node_alloc[place];
		if (count > INT64_MAX / 2) /* not consumed */
			continue;
		if (any >= 0)
			walk->rows[i * stride + (unsigned)any] += (int64_t)count;
		if (typed >= 0)
			walk->rows[i * stride + (unsigned)typed] += (int64_t)count;
	}
	return 0;
}

void maui_cluster_hold_gres(const struct maui_cluster *cluster, const job_record_t *job_ptr,
			    const uint32_t *places, uint32_t count, int64_t *rows)
{
	struct hold_walk walk = { cluster, places, count, rows };

	if (job_ptr->gres_list_alloc)
		list_for_each(job_ptr->gres_list_alloc, hold_kind, &walk);
}

static struct maui_draft_license *find_license(struct maui_draft *draft, const char *name)
{
	for (uint32_t i = 0; i < draft->license_count; i++)
		if (strcmp(draft->licenses[i].name, name) == 0)
			return &draft->licenses[i];
	return NULL;
}

static int want_license(void *x, void *arg)
{
	const licenses_t *license = x;
	struct maui_draft *draft = arg;
	struct maui_draft_license *grown;

	if (!license->name || find_license(draft, license->name))
		return 0;
	grown = maui_array_grow(draft->licenses, draft->license_count, &draft->license_alloc,
				sizeof(*grown));
	if (!grown) {
		draft->failed = true;
		return -1;
	}
	draft->licenses = grown;
	grown += draft->license_count++;
	*grown = (struct maui_draft_license){
		.name = maui_arena_strdup(&draft->arena, license->name), .total = -1
	};
	if (!grown->name) {
		draft->license_count--;
		draft->failed = true;
		return -1;
	}
	return 0;
}

void maui_draft_want_licenses(struct maui_draft *draft, const job_record_t *job_ptr)
{
	if (job_ptr->license_list)
		list_for_each(job_ptr->license_list, want_license, draft);
}

static int count_license(void *x, void *arg)
{
	const licenses_t *license = x;
	struct maui_draft_license *wanted;

	wanted = license->name ? find_license(arg, license->name) : NULL;
	if (wanted)
		wanted->total = (int64_t)license->total - maui_compat_license_deficit(license);
	return 0;
}

void maui_draft_count_licenses(struct maui_draft *draft)
{
	if (draft->license_count == 0)
		return;
	if (maui_compat_licenses())
		list_for_each(maui_compat_licenses(), count_license, draft);
}

struct license_walk {
	struct maui_draft *draft;
	int64_t *held;
	bool any;
};

static int hold_license(void *x, void *arg)
{
	const licenses_t *license = x;
	struct license_walk *walk = arg;
	const struct maui_draft_license *known;

	known = license->name ? find_license(walk->draft, license->name) : NULL;
	if (known && known->amount)
		walk->held[known->amount] += license->total;
	return 0;
}

const int64_t *maui_draft_hold_licenses(struct maui_draft *draft, const job_record_t *job_ptr)
{
	struct license_walk walk = { .draft = draft };

	if (!job_ptr->license_list || !draft->cluster->snapshot->global)
		return NULL;
	walk.held = maui_arena_alloc(&draft->cluster->arena,
				     draft->cluster->amount_count * sizeof(*walk.held));
	if (!walk.held) {
		draft->failed = true;
		return NULL;
	}
	list_for_each(job_ptr->license_list, hold_license, &walk);
	return walk.held;
}

static int keep_license(void *x, void *arg)
{
	const licenses_t *license = x;
	struct license_walk *walk = arg;

	hold_license(x, arg);
	walk->any |= license->total > 0;
	return 0;
}

const int64_t *maui_draft_keep_licenses(struct maui_draft *draft, maui_compat_list_t list)
{
	struct license_walk walk = { .draft = draft };

	if (!list || !draft->cluster->snapshot->global)
		return NULL;
	walk.held = maui_arena_alloc(&draft->cluster->arena,
				     draft->cluster->amount_count * sizeof(*walk.held));
	draft->failed |= !walk.held;
	if (walk.held)
		list_for_each(list, keep_license, &walk);
	return walk.any ? walk.held : NULL;
}
