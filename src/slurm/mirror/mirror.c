/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror.c - compares the wanted mirrors with Slurm's reservations, and applies the difference
 *
 * Reads all reservations under READ, with bitmaps made before. Decides again under WRITE, and
 * changes only what differs. Both take the locks for a few milliseconds at a time.
 */

#include "slurm/compat.h"

#include "slurm/mirror/mirror.h"

#include <stdlib.h>

#include "base/array.h"
#include "slurm/capture/cluster.h"
#include "slurm/mirror/private.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_mirror_case *)a)->name,
		      ((const struct maui_mirror_case *)b)->name);
}

static struct maui_mirror_case *find_case(struct maui_mirror_cases *cases, const char *name)
{
	struct maui_mirror_case key = { .name = name };

	return name && cases->count ?
		       bsearch(&key, cases->list, cases->count, sizeof(key), by_name) :
		       NULL;
}

/* The longest time limit of any partition. */
static int64_t longest_limit_s(void)
{
	maui_compat_iterator_t iterator = list_iterator_create(part_list);
	const part_record_t *part_ptr;
	int64_t longest = 0;

	while (longest != MAUI_NEVER && (part_ptr = list_next(iterator))) {
		if (part_ptr->max_time == INFINITE || part_ptr->max_time == NO_VAL)
			longest = MAUI_NEVER;
		else if ((int64_t)part_ptr->max_time * 60 > longest)
			longest = (int64_t)part_ptr->max_time * 60;
	}
	list_iterator_destroy(iterator);
	return longest;
}

/* false: the ids of the wants belong to another node table. */
static bool look_at_tables(struct maui_mirror_cases *cases, int64_t *ret_ahead_s,
			   int64_t *ret_nodes)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	int has_nobody = maui_mirror_form_nobody();
	int64_t since;
	bool current;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	current = maui_cluster_is_current(cases->input->table);
	*ret_ahead_s = longest_limit_s();
	*ret_nodes = node_record_count;
	cases->form = maui_mirror_form_now(has_nobody);
	cases->form_unsure = has_nobody < 0 && cases->form.users;
	maui_hold_note(&cases->ret->reads, since);
	unlock_slurmctld(locks);
	return current;
}

static bitstr_t *bitmap_of(const struct maui_mirror_want *want, int64_t nodes)
{
	bitstr_t *bitmap = bit_alloc(nodes);

	for (uint32_t i = 0; i < want->count; i++)
		if (want->nodes[i] < nodes)
			bit_set(bitmap, want->nodes[i]);
	return bitmap;
}

static void log_not_shown(struct maui_mirrors *mirrors, size_t left)
{
	if (left > 0 && left != mirrors->left)
		info("slurm-maui: scontrol shows the %d reservations that begin first; %zu are not "
		     "shown",
		     MAUI_MIRROR_MAX, left);
	mirrors->left = left;
}

/* Lists a case for each wanted mirror, and for each known mirror that is no longer wanted; by
 * name. false: no memory. */
static bool make_cases(struct maui_mirror_cases *cases, int64_t ahead_s, int64_t nodes)
{
	const struct maui_mirror_input *input = cases->input;
	const struct maui_mirror_want **wants = calloc(input->count + 1, sizeof(*wants));
	struct maui_mirrors *mirrors = cases->mirrors;
	size_t count = 0, left = 0;

	if (wants)
		count = maui_mirror_select(input->wants, input->count, input->mode, cases->now_s,
					   ahead_s, wants, &left);
	cases->list = calloc(count + mirrors->count + 1, sizeof(*cases->list));
	if (!wants || !cases->list) {
		free(wants);
		return false;
	}
	log_not_shown(mirrors, left);
	for (size_t i = 0; i < count; i++)
		cases->list[i] = (struct maui_mirror_case){ .name = wants[i]->name,
							    .want = wants[i],
							    .nodes = bitmap_of(wants[i], nodes) };
	free(wants);
	qsort(cases->list, count, sizeof(*cases->list), by_name);
	cases->count = count;
	/* find_case() searches the wanted ones only */
	for (size_t i = 0; i < mirrors->count; i++)
		if (!find_case(cases, mirrors->list[i].name))
			cases->list[count++].name = mirrors->list[i].name;
	cases->count = count;
	qsort(cases->list, count, sizeof(*cases->list), by_name);
	return true;
}

/* Copies the names, because the list of mirrors changes while cases are handled. */
static bool own_names(struct maui_mirror_cases *cases)
{
	for (size_t i = 0; i < cases->count; i++)
		if (!(cases->list[i].own_name = strdup(cases->list[i].name)))
			return false;
	for (size_t i = 0; i < cases->count; i++)
		cases->list[i].name = cases->list[i].own_name;
	return true;
}

/* One hold of the lock: reads Slurm's list from place `at` on. Returns the next place; SIZE_MAX:
 * the end. When the list changes between two holds, a reservation may be missed; the second
 * step looks each one up by name again. */
static size_t read_some(struct maui_mirror_cases *cases, size_t at)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	struct maui_mirror_case *one;
	slurmctld_resv_t *resv_ptr = NULL;
	maui_compat_iterator_t iterator;
	int64_t since, held_us;
	size_t place = 0;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	cases->ret->table_changed = !maui_cluster_is_current(cases->input->table);
	if (!cases->ret->table_changed && resv_list) {
		iterator = list_iterator_create(resv_list);
		while ((place <= at || maui_monotonic_us() - since < MAUI_HOLD_MAX_US) &&
		       (resv_ptr = list_next(iterator))) {
			if (place++ < at)
				continue;
			if ((one = find_case(cases, resv_ptr->name)))
				maui_mirror_see(cases, one, resv_ptr, false);
		}
		list_iterator_destroy(iterator);
	}
	held_us = maui_hold_note(&cases->ret->reads, since);
	unlock_slurmctld(locks);
	if (!resv_ptr)
		return SIZE_MAX;
	maui_hold_give_way(held_us);
	return place;
}

static void decide_all(struct maui_mirror_cases *cases)
{
	for (size_t at = 0; at != SIZE_MAX;)
		at = read_some(cases, at);
	for (size_t i = 0; i < cases->count; i++)
		maui_mirror_step(cases, &cases->list[i]);
}

/* Deletions first, then by begin. */
static int by_step(const void *a, const void *b)
{
	const struct maui_mirror_case *x = *(struct maui_mirror_case *const *)a;
	const struct maui_mirror_case *y = *(struct maui_mirror_case *const *)b;

	if (!x->want != !y->want)
		return !x->want ? -1 : 1;
	if (x->want && x->want->start_s != y->want->start_s)
		return x->want->start_s < y->want->start_s ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool may_go_on(const struct maui_mirror_cases *cases)
{
	return !cases->ret->table_changed && !(cases->input->stop && *cases->input->stop);
}

/* One hold of the locks: handles at least one case. Returns the index of the next one. */
static size_t apply_some(struct maui_mirror_cases *cases, struct maui_mirror_case **todo, size_t at,
			 size_t count)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK, .part = READ_LOCK
	};
	int64_t since, held_us;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	cases->ret->table_changed = !maui_cluster_is_current(cases->input->table);
	if (may_go_on(cases)) {
		do
			maui_mirror_apply(cases, todo[at++]);
		while (at < count && maui_monotonic_us() - since < MAUI_HOLD_MAX_US);
		maui_mirror_purge(cases);
	}
	held_us = maui_hold_note(&cases->ret->writes, since);
	unlock_slurmctld(locks);
	if (at < count)
		maui_hold_give_way(held_us);
	return at;
}

static void apply_all(struct maui_mirror_cases *cases)
{
	struct maui_mirror_case **todo =
		calloc(cases->count + 1, sizeof(struct maui_mirror_case *));
	size_t count = 0;

	cases->ret->no_memory |= !todo;
	for (size_t i = 0; todo && i < cases->count; i++)
		if (cases->list[i].step != MAUI_MIRROR_KEEP)
			todo[count++] = &cases->list[i];
	if (count > 0)
		qsort(todo, count, sizeof(struct maui_mirror_case *), by_step);
	for (size_t at = 0; at < count && may_go_on(cases);)
		at = apply_some(cases, todo, at, count);
	free(todo);
}

/* When the next mirror ends or is tried again. Slurm purges a mirror in the second after its
 * end. */
static int64_t next_due(const struct maui_mirrors *mirrors, int64_t now_s)
{
	int64_t next_s = MAUI_NEVER;

	for (size_t i = 0; i < mirrors->count; i++) {
		const struct maui_mirror_known *mirror = &mirrors->list[i];
		int64_t due_s = mirror->end_s < now_s ? now_s + 1 : mirror->end_s + 1;

		if (mirror->deleted_s && mirror->deleted_s + MAUI_MIRROR_LINGER_S < due_s)
			due_s = mirror->deleted_s + MAUI_MIRROR_LINGER_S;
		if (mirror->retry_s > now_s && mirror->retry_s < due_s)
			due_s = mirror->retry_s;
		if (due_s < next_s)
			next_s = due_s;
	}
	for (size_t i = 0; i < mirrors->note_count; i++)
		if (mirrors->notes[i].retry_s > now_s && mirrors->notes[i].retry_s < next_s)
			next_s = mirrors->notes[i].retry_s;
	return next_s;
}

void maui_mirror_sync(struct maui_mirrors *mirrors, const struct maui_mirror_input *input,
		      struct maui_mirror_result *ret)
{
	struct maui_mirror_cases cases = {
		.mirrors = mirrors, .input = input, .ret = ret, .now_s = time(NULL)
	};
	int64_t ahead_s, nodes;

	*ret = (struct maui_mirror_result){ .again_s = MAUI_NEVER };
	if (input->count == 0 && mirrors->count == 0 && mirrors->looked)
		return;
	ret->table_changed = !look_at_tables(&cases, &ahead_s, &nodes);
	if (!ret->table_changed) {
		ret->no_memory = !make_cases(&cases, ahead_s, nodes) || !own_names(&cases);
		if (!ret->no_memory) {
			decide_all(&cases);
			apply_all(&cases);
			maui_mirrors_age_notes(mirrors);
			mirrors->looked |= may_go_on(&cases);
		}
	}
	for (size_t i = 0; i < cases.count; i++) {
		FREE_NULL_BITMAP(cases.list[i].nodes);
		free(cases.list[i].own_name);
	}
	free(cases.list);
	ret->again_s = next_due(mirrors, cases.now_s);
}

void maui_mirror_result_finish(struct maui_mirror_result *result)
{
	for (size_t i = 0; i < result->change_count; i++) {
		free(result->changes[i].name);
		free(result->changes[i].nodes);
	}
	free(result->changes);
	*result = (struct maui_mirror_result){ 0 };
}
