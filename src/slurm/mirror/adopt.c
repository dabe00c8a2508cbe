/* SPDX-License-Identifier: GPL-2.0-or-later */
/* adopt.c - Slurm reservations with our prefix that the state does not list
 *
 * Such reservations exist after the state file is lost, or when an administrator makes a
 * reservation with our prefix. Goes in: Slurm's reservations. Comes out: a list of the unowned
 * ones, and the adoption of one of them with the names of its nodes. The caller decides which one
 * is ours (controller/sched/adopt_mirrors.c).
 */

#include "slurm/mirror/private.h"

#include "base/hash.h"
#include "src/common/hostlist.h"

typedef __typeof__(hostlist_create(NULL)) hostlist; /* a pointer in every release */

static bool is_unowned(const struct maui_mirrors *mirrors, const slurmctld_resv_t *resv_ptr)
{
	return resv_ptr->name &&
	       strncmp(resv_ptr->name, MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) == 0 &&
	       !maui_mirrors_have(mirrors, resv_ptr->name, resv_ptr->resv_id);
}

static struct maui_mirror_unowned describe(const slurmctld_resv_t *resv_ptr,
					   struct maui_arena *arena)
{
	struct maui_mirror_seen seen = { 0 };

	maui_mirror_form_see(&maui_mirror_forms[MAUI_MIRROR_BY_NOBODY], resv_ptr, &seen);
	return (struct maui_mirror_unowned){
		.name = maui_arena_strdup(arena, resv_ptr->name),
		.id = resv_ptr->resv_id,
		.start_s = maui_mirror_start(resv_ptr),
		.end_s = resv_ptr->end_time,
		.form = seen.form || seen.old_form,
	};
}

/* Under node READ. -1 without memory. */
static int list_unowned(const struct maui_mirrors *mirrors, struct maui_arena *arena,
			struct maui_mirror_unowned **ret, size_t *ret_count)
{
	size_t capacity = (size_t)list_count(resv_list) + 1;
	struct maui_mirror_unowned *list = maui_arena_alloc(arena, capacity * sizeof(*list));
	maui_compat_iterator_t iterator = list_iterator_create(resv_list);
	const slurmctld_resv_t *resv_ptr;
	bool failed = !list;
	size_t count = 0;

	while (!failed && count < capacity && (resv_ptr = list_next(iterator))) {
		if (!is_unowned(mirrors, resv_ptr))
			continue;
		list[count] = describe(resv_ptr, arena);
		failed = !list[count].name;
		count += !failed;
	}
	list_iterator_destroy(iterator);
	*ret = list;
	*ret_count = count;
	return failed ? -1 : 0;
}

int maui_mirror_list_unowned(const struct maui_mirrors *mirrors, struct maui_arena *arena,
			     struct maui_hold_times *reads, struct maui_mirror_unowned **ret,
			     size_t *ret_count)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	int64_t since;
	int rc = 0;

	*ret = NULL;
	*ret_count = 0;
	lock_slurmctld(locks);
	since = maui_monotonic_us();
	if (resv_list)
		rc = list_unowned(mirrors, arena, ret, ret_count);
	maui_hold_note(reads, since);
	unlock_slurmctld(locks);
	return rc;
}

/* NULL: Slurm has no reservation of this name and number any more. xfree() it. */
static char *copy_node_list(const struct maui_mirror_unowned *one, struct maui_hold_times *reads)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	const slurmctld_resv_t *resv_ptr = NULL;
	char *nodes = NULL;
	int64_t since;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	if (resv_list)
		resv_ptr = find_resv_name((char *)one->name);
	if (resv_ptr && resv_ptr->resv_id == one->id)
		nodes = xstrdup(resv_ptr->node_list ? resv_ptr->node_list : "");
	maui_hold_note(reads, since);
	unlock_slurmctld(locks);
	return nodes;
}

/* Expands a node list such as n[1-3,7]. -1 without memory. */
static int expand_node_list(const char *nodes, struct maui_arena *arena, const char ***ret,
			    uint32_t *ret_count)
{
	hostlist hosts = hostlist_create(nodes);
	size_t room = hosts ? (size_t)hostlist_count(hosts) : 0;
	char *name;

	*ret = maui_arena_alloc(arena, (room + 1) * sizeof(**ret));
	*ret_count = 0;
	while (*ret && *ret_count < room && (name = hostlist_shift(hosts))) {
		(*ret)[*ret_count] = maui_arena_strdup(arena, name);
		free(name);
		if (!(*ret)[(*ret_count)++])
			*ret = NULL;
	}
	if (hosts)
		hostlist_destroy(hosts);
	return *ret ? 0 : -1;
}

int maui_mirror_adopt(struct maui_mirrors *mirrors, const struct maui_mirror_unowned *one,
		      struct maui_arena *arena, struct maui_hold_times *reads,
		      const char ***ret_nodes, uint32_t *ret_count)
{
	char *nodes = copy_node_list(one, reads);
	int rc = 1;

	if (nodes) {
		struct maui_mirror_known mirror = { .name = (char *)one->name,
						    .id = one->id,
						    .start_s = one->start_s,
						    .end_s = one->end_s,
						    .nodes = maui_hash_text(nodes, 0) };

		rc = expand_node_list(nodes, arena, ret_nodes, ret_count) ||
				     maui_mirrors_put(mirrors, &mirror) ?
			     -1 :
			     0;
	}
	xfree(nodes);
	return rc;
}

void maui_mirror_leave_alone(struct maui_mirrors *mirrors, const char *name, uint32_t id)
{
	bool is_new;

	maui_mirrors_note(mirrors, name, id, 0, &is_new);
	if (is_new)
		error("slurm-maui: Slurm reservation %s is left alone: its name has our prefix, "
		      "but no reservation of maui.cfg or setres in force has this name and form; "
		      "it keeps its nodes until \"scontrol delete reservationname=%s\"",
		      name, name);
}
