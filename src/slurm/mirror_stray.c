/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror_stray.c - reservations of Slurm's that are not known as ours: listed, taken, told of */

#include "slurm/mirror_private.h"

#include "base/hash.h"
#include "slurm/mirror_stray.h"

static int64_t start_of(const slurmctld_resv_t *resv_ptr)
{
	return resv_ptr->start_time_first ? resv_ptr->start_time_first : resv_ptr->start_time;
}

static int read_stray(const slurmctld_resv_t *resv_ptr, struct maui_arena *arena,
		      struct maui_mirror_stray *ret)
{
	const struct maui_mirror_form *root = &maui_mirror_forms[MAUI_MIRROR_BY_ROOT];
	struct maui_mirror_seen seen = { 0 };

	maui_mirror_form_see(root, resv_ptr, &seen);
	*ret = (struct maui_mirror_stray){ .name = maui_arena_strdup(arena, resv_ptr->name),
					   .id = resv_ptr->resv_id,
					   .start_s = start_of(resv_ptr),
					   .end_s = resv_ptr->end_time,
					   .form = seen.form || seen.old_form,
					   .sure = seen.old_form &&
						   xstrcmp(resv_ptr->users, root->users) != 0 };
	return ret->name ? 0 : -1;
}

/* A microsecond each, of those of others. */
static int read_all(const struct maui_mirrors *mirrors, struct maui_arena *arena,
		    struct maui_mirror_stray **ret, uint32_t *ret_count)
{
	size_t size = ((size_t)list_count(resv_list) + 1) * sizeof(**ret);
	maui_compat_iterator_t iterator;
	const slurmctld_resv_t *resv_ptr;
	int rc = 0;

	*ret = maui_arena_alloc(arena, size);
	if (!*ret)
		return -1;
	iterator = list_iterator_create(resv_list);
	while (rc == 0 && (resv_ptr = list_next(iterator)))
		if (resv_ptr->name && !maui_mirror_is_ours(mirrors, resv_ptr))
			rc = read_stray(resv_ptr, arena, &(*ret)[(*ret_count)++]);
	list_iterator_destroy(iterator);
	return rc;
}

int maui_mirror_strays(const struct maui_mirrors *mirrors, struct maui_arena *arena,
		       struct maui_hold_times *reads, struct maui_mirror_stray **ret,
		       uint32_t *ret_count)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	int64_t since;
	int rc = 0;

	*ret = NULL;
	*ret_count = 0;
	lock_slurmctld(locks);
	since = maui_hold_clock_us();
	if (resv_list)
		rc = read_all(mirrors, arena, ret, ret_count);
	maui_hold_note(reads, since);
	unlock_slurmctld(locks);
	return rc;
}

static int name_nodes(const slurmctld_resv_t *resv_ptr, struct maui_arena *arena, const char ***ret,
		      uint32_t *ret_count)
{
	int64_t size = resv_ptr->node_bitmap ? bit_set_count(resv_ptr->node_bitmap) : 0;
	node_record_t *node_ptr;

	*ret_count = 0;
	*ret = maui_arena_alloc(arena, ((size_t)size + 1) * sizeof(**ret));
	for (int i = 0; *ret && *ret_count < size && (node_ptr = next_node(&i)); i++) {
		if (!bit_test(resv_ptr->node_bitmap, i))
			continue;
		(*ret)[*ret_count] = maui_arena_strdup(arena, node_ptr->name);
		if (!(*ret)[(*ret_count)++])
			return -1;
	}
	return *ret ? 0 : -1;
}

static int take(struct maui_mirrors *mirrors, const slurmctld_resv_t *resv_ptr,
		struct maui_arena *arena, const char ***ret_nodes, uint32_t *ret_count)
{
	const char *list = resv_ptr->node_list ? resv_ptr->node_list : "";
	struct maui_mirror_kept mirror = { .name = resv_ptr->name,
					   .id = resv_ptr->resv_id,
					   .start_s = start_of(resv_ptr),
					   .end_s = resv_ptr->end_time,
					   .nodes = maui_hash_text(list, 0) };

	return name_nodes(resv_ptr, arena, ret_nodes, ret_count) ||
			       maui_mirrors_put(mirrors, &mirror) ?
		       -1 :
		       0;
}

int maui_mirror_take(struct maui_mirrors *mirrors, const struct maui_mirror_stray *stray,
		     struct maui_arena *arena, struct maui_hold_times *reads,
		     const char ***ret_nodes, uint32_t *ret_count)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	const slurmctld_resv_t *resv_ptr;
	int64_t since;
	int rc = 1;

	lock_slurmctld(locks);
	since = maui_hold_clock_us();
	resv_ptr = resv_list ? find_resv_name((char *)stray->name) : NULL;
	if (resv_ptr && resv_ptr->resv_id == stray->id)
		rc = take(mirrors, resv_ptr, arena, ret_nodes, ret_count);
	maui_hold_note(reads, since);
	unlock_slurmctld(locks);
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
