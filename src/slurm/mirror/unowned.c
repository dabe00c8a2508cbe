/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unowned.c - reservations of Slurm's that are not known as ours: listed, taken, told of */

#include "slurm/mirror/private.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "slurm/capture/cluster.h"
#include "slurm/capture/walk.h"
#include "slurm/mirror/unowned.h"

/* ---- listed ---- */

struct look {
	const struct maui_mirrors *mirrors;
	bool (*wanted)(const void *arg, const char *name);
	const void *arg;
	struct maui_arena *arena;
	struct maui_mirror_strays *ret;
	struct maui_idmap known; /* those that were looked at, by id */
};

static int read_stray(struct look *look, const slurmctld_resv_t *resv_ptr)
{
	const struct maui_mirror_form *root = &maui_mirror_forms[MAUI_MIRROR_BY_ROOT];
	struct maui_mirror_strays *ret = look->ret;
	struct maui_mirror_stray *grown =
		maui_array_grow(ret->list, ret->count, &ret->alloc, sizeof(*grown));
	struct maui_mirror_seen seen = { 0 };
	char *name = maui_arena_strdup(look->arena, resv_ptr->name);

	if (grown)
		ret->list = grown;
	if (!grown || !name)
		return -1;
	maui_mirror_form_see(root, resv_ptr, &seen);
	grown[ret->count++] = (struct maui_mirror_stray){
		.name = name,
		.id = resv_ptr->resv_id,
		.start_s = maui_mirror_start(resv_ptr),
		.end_s = resv_ptr->end_time,
		.form = seen.form || seen.old_form,
		.sure = seen.old_form && xstrcmp(resv_ptr->users, root->users) != 0,
	};
	return 0;
}

/* Goes on with those that were not looked at, one at least, for as long as a hold may be. */
static int see_some(struct look *look, int64_t since, bool *ret_over)
{
	maui_compat_iterator_t iterator = list_iterator_create(resv_list);
	const slurmctld_resv_t *resv_ptr = NULL;
	bool late = false;
	int rc = 0;

	while (!late && rc == 0 && (resv_ptr = list_next(iterator))) {
		if (maui_idmap_get(&look->known, resv_ptr->resv_id))
			continue;
		rc = maui_idmap_set(&look->known, resv_ptr->resv_id, look);
		if (rc == 0 && resv_ptr->name && look->wanted(look->arg, resv_ptr->name) &&
		    !maui_mirror_is_ours(look->mirrors, resv_ptr))
			rc = read_stray(look, resv_ptr);
		late = maui_hold_clock_us() - since > MAUI_HOLD_MAX_US;
	}
	list_iterator_destroy(iterator);
	*ret_over = !late;
	return rc;
}

int maui_mirror_strays_find(const struct maui_mirrors *mirrors,
			    bool (*wanted)(const void *arg, const char *name), const void *arg,
			    struct maui_arena *arena, struct maui_hold_times *reads,
			    struct maui_mirror_strays *ret)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	struct look look = {
		.mirrors = mirrors, .wanted = wanted, .arg = arg, .arena = arena, .ret = ret
	};
	bool over = false;
	int rc = 0;

	*ret = (struct maui_mirror_strays){ 0 };
	while (rc == 0 && !over) {
		int64_t since, held_us;

		lock_slurmctld(locks);
		since = maui_hold_clock_us();
		over = true;
		if (resv_list)
			rc = see_some(&look, since, &over);
		held_us = maui_hold_note(reads, since);
		unlock_slurmctld(locks);
		if (rc == 0 && !over)
			maui_hold_give_way(held_us);
	}
	maui_idmap_finish(&look.known);
	return rc;
}

void maui_mirror_strays_finish(struct maui_mirror_strays *strays)
{
	free(strays->list);
	*strays = (struct maui_mirror_strays){ 0 };
}

/* ---- taken ---- */

/* From node `at` on, as many as fit into one hold; 1: the table is another. */
static int name_some(struct maui_mirror_nodes *ret, struct maui_arena *arena, int *at,
		     int64_t since, bool *ret_over)
{
	node_record_t *node_ptr = NULL;
	unsigned done = 0;

	if (!ret->names) {
		ret->table = maui_cluster_table();
		ret->count = (uint32_t)node_record_count;
		ret->names = maui_arena_alloc(arena, (ret->count + 1u) * sizeof(*ret->names));
	}
	if (!ret->names)
		return -1;
	if (!maui_cluster_is_current(ret->table))
		return 1;
	while ((node_ptr = next_node(at)) && (uint32_t)*at < ret->count) {
		ret->names[*at] = maui_arena_strdup(arena, node_ptr->name ? node_ptr->name : "");
		if (!ret->names[(*at)++])
			return -1;
		if (maui_hold_is_over(since, ++done))
			break;
	}
	*ret_over = !node_ptr;
	return 0;
}

int maui_mirror_nodes_read(struct maui_arena *arena, struct maui_hold_times *reads,
			   struct maui_mirror_nodes *ret)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	bool over = false;
	int at = 0, rc = 0;

	*ret = (struct maui_mirror_nodes){ 0 };
	while (rc == 0 && !over) {
		int64_t since, held_us;

		lock_slurmctld(locks);
		since = maui_hold_clock_us();
		rc = name_some(ret, arena, &at, since, &over);
		held_us = maui_hold_note(reads, since);
		unlock_slurmctld(locks);
		if (rc == 0 && !over)
			maui_hold_give_way(held_us);
	}
	if (rc != 0)
		ret->names = NULL;
	return rc;
}

/* 1: its set of nodes is of another table. */
static int take(struct maui_mirrors *mirrors, const slurmctld_resv_t *resv_ptr,
		bitstr_t **ret_nodes)
{
	const char *list = resv_ptr->node_list ? resv_ptr->node_list : "";
	struct maui_mirror_kept mirror = { .name = resv_ptr->name,
					   .id = resv_ptr->resv_id,
					   .start_s = maui_mirror_start(resv_ptr),
					   .end_s = resv_ptr->end_time,
					   .nodes = maui_hash_text(list, 0) };

	if (resv_ptr->node_bitmap && bit_size(resv_ptr->node_bitmap) != node_record_count)
		return 1;
	if (maui_mirrors_put(mirrors, &mirror))
		return -1;
	if (resv_ptr->node_bitmap)
		*ret_nodes = bit_copy(resv_ptr->node_bitmap);
	return 0;
}

/* Without locks: of the table that both are of. */
static int name_nodes(bitstr_t *bitmap, const struct maui_mirror_nodes *nodes,
		      struct maui_arena *arena, const char ***ret, uint32_t *ret_count)
{
	size_t size = bitmap ? (size_t)bit_set_count(bitmap) : 0;
	int64_t bit = -1;

	*ret = maui_arena_alloc(arena, (size + 1) * sizeof(**ret));
	while (*ret && bitmap && (bit = maui_cluster_next_bit(bitmap, bit + 1, nodes->count)) >= 0)
		if (nodes->names[bit]) /* not of a node that was deleted */
			(*ret)[(*ret_count)++] = nodes->names[bit];
	return *ret ? 0 : -1;
}

int maui_mirror_take(struct maui_mirrors *mirrors, const struct maui_mirror_stray *stray,
		     const struct maui_mirror_nodes *nodes, struct maui_arena *arena,
		     struct maui_hold_times *reads, const char ***ret_nodes, uint32_t *ret_count)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	const slurmctld_resv_t *resv_ptr = NULL;
	bitstr_t *bitmap = NULL;
	int64_t since, held_us;
	int rc = 1;

	*ret_count = 0;
	lock_slurmctld(locks);
	since = maui_hold_clock_us();
	if (resv_list && maui_cluster_is_current(nodes->table))
		resv_ptr = find_resv_name((char *)stray->name);
	if (resv_ptr && resv_ptr->resv_id == stray->id)
		rc = take(mirrors, resv_ptr, &bitmap);
	held_us = maui_hold_note(reads, since);
	unlock_slurmctld(locks);
	maui_hold_give_way(held_us);
	if (rc == 0 && name_nodes(bitmap, nodes, arena, ret_nodes, ret_count)) {
		maui_mirrors_drop(mirrors, stray->name);
		rc = -1;
	}
	FREE_NULL_BITMAP(bitmap);
	return rc;
}

void maui_mirror_say_namesake(struct maui_mirrors *mirrors, const char *name, uint32_t id,
			      const char *kind, const char *rsv)
{
	bool is_new;

	maui_mirrors_note(mirrors, name, id, 0, &is_new);
	if (is_new)
		error("slurm-maui: reservation %s is not ours and left alone: %s[%s] is in force, "
		      "but scontrol shows the other one under this name, and --reservation=%s means "
		      "ours; \"scontrol delete reservationname=%s\" makes room for ours",
		      name, kind, rsv, name, name);
}
