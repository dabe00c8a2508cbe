/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apply.c - reads one mirror, applies the step that plan.h decided, and logs it */

#include "slurm/mirror/private.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "slurm/capture/cluster.h"

/* ---- reading ---- */

static bool is_same_bitmap(const bitstr_t *a, const bitstr_t *b)
{
	return a && b && bit_size((bitstr_t *)a) == bit_size((bitstr_t *)b) &&
	       bit_equal((bitstr_t *)a, (bitstr_t *)b);
}

static void release_copy(void *copy)
{
	bit_free(copy);
}

/* Reads the nodes. The text of 10,000 scattered nodes has 30 kB, so it is hashed only when the
 * bitmap has changed. */
static void read_nodes(const struct maui_mirror_cases *cases, const slurmctld_resv_t *resv_ptr,
		       bool thorough, struct maui_mirror_known *known,
		       struct maui_mirror_seen *seen)
{
	if (known && known->id != resv_ptr->resv_id)
		known = NULL;
	if (known && known->table == cases->input->table &&
	    is_same_bitmap(known->copy, resv_ptr->node_bitmap)) {
		seen->nodes = known->nodes;
		return;
	}
	seen->unread = !thorough;
	if (!thorough)
		return;
	seen->nodes = maui_hash_text(resv_ptr->node_list ? resv_ptr->node_list : "", 0);
	if (!known || seen->nodes != known->nodes || !resv_ptr->node_bitmap)
		return;
	if (known->copy)
		release_copy(known->copy);
	cases->mirrors->release = release_copy;
	known->copy = bit_copy(resv_ptr->node_bitmap);
	known->table = cases->input->table;
}

void maui_mirror_see(const struct maui_mirror_cases *cases, struct maui_mirror_case *one,
		     const slurmctld_resv_t *resv_ptr, bool thorough)
{
	one->present = resv_ptr != NULL;
	one->seen = (struct maui_mirror_seen){ 0 };
	if (!resv_ptr)
		return;
	one->seen = (struct maui_mirror_seen){
		.id = resv_ptr->resv_id,
		.start_s = maui_mirror_start(resv_ptr),
		.end_s = resv_ptr->end_time,
		.empty = !resv_ptr->node_bitmap || bit_ffs(resv_ptr->node_bitmap) < 0,
		.same_nodes = is_same_bitmap(one->nodes, resv_ptr->node_bitmap),
	};
	read_nodes(cases, resv_ptr, thorough, maui_mirrors_find(cases->mirrors, one->name),
		   &one->seen);
	maui_mirror_form_see(&cases->form, resv_ptr, &one->seen);
	one->seen.form |= cases->form_unsure && one->seen.old_form;
}

void maui_mirror_step(const struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	struct maui_mirror_note *note = maui_mirrors_note_find(cases->mirrors, one->name);
	struct maui_mirror_known *known = maui_mirrors_find(cases->mirrors, one->name);

	if (one->present && !cases->mirrors->looked && maui_mirror_accept(known, &one->seen)) {
		cases->ret->changed = true;
		info("slurm-maui: Slurm reservation %s is not as slurm-maui left it before the "
		     "start: restored",
		     one->name);
	}
	one->step = maui_mirror_decide(one->want, known, one->present ? &one->seen : NULL,
				       cases->now_s, !cases->mirrors->looked);
	if (!note)
		return;
	if (known && known->retry_s > cases->now_s)
		note->seen = true;
	/* the log has this already, and there is nothing to do for now */
	if (one->step == MAUI_MIRROR_NAMESAKE && note->id == one->seen.id) {
		note->seen = true;
		one->step = MAUI_MIRROR_KEEP;
	} else if (one->step == MAUI_MIRROR_CREATE && note->retry_s > cases->now_s) {
		note->seen = true;
		one->step = MAUI_MIRROR_KEEP;
	}
}

/* ---- log ---- */

static void log_tampering(struct maui_mirror_cases *cases, const struct maui_mirror_case *one)
{
	const struct maui_mirror_known *known = maui_mirrors_find(cases->mirrors, one->name);

	if (!one->want ||
	    !maui_mirror_is_tampered(known, one->present ? &one->seen : NULL, cases->now_s))
		return;
	cases->ret->put_back++;
	if (cases->mirrors->looked)
		info("slurm-maui: Slurm reservation %s was %s outside slurm-maui: restored, "
		     "because %s%s%s is in force",
		     one->name, one->present && known->id == one->seen.id ? "changed" : "deleted",
		     one->want->administrative ? "reservation " : "SRCFG[", one->want->rsv,
		     one->want->administrative ? "" : "]");
}

/* Counts and logs Slurm's refusal: once for each cause, until a change succeeds. */
static void note_refusal(struct maui_mirror_cases *cases, const struct maui_mirror_case *one,
			 const char *what, int code)
{
	struct maui_mirror_known *known = maui_mirrors_find(cases->mirrors, one->name);
	bool is_new;
	struct maui_mirror_note *note =
		maui_mirrors_note(cases->mirrors, one->name, 0, code, &is_new);

	cases->ret->refused++;
	if (known)
		known->retry_s = cases->now_s + MAUI_MIRROR_RETRY_S;
	if (note) /* a mirror that does not exist has its retry time in the note */
		note->retry_s = known ? 0 : cases->now_s + MAUI_MIRROR_RETRY_S;
	if (!is_new)
		return;
	if (code == ESLURM_RESERVATION_BUSY)
		info("slurm-maui: cannot %s Slurm reservation %s while jobs name it: trying again "
		     "every minute",
		     what, one->name);
	else
		error("slurm-maui: cannot %s Slurm reservation %s: %s; trying again every minute",
		      what, one->name, slurm_strerror(code));
}

/* ---- steps ---- */

static void read_again(const struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	maui_mirror_see(cases, one, resv_list ? find_resv_name((char *)one->name) : NULL, true);
}

/* Saves the mirror as Slurm has it now. */
static void record_mirror(struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	struct maui_mirror_known mirror = { .name = (char *)one->name,
					    .id = one->seen.id,
					    .start_s = one->seen.start_s,
					    .end_s = one->seen.end_s,
					    .nodes = one->seen.nodes,
					    .administrative =
						    one->want && one->want->administrative };

	cases->ret->changed = true;
	cases->ret->no_memory |= maui_mirrors_put(cases->mirrors, &mirror) != 0;
	read_again(cases, one); /* reads the bitmap of its nodes */
}

static void forget_mirror(struct maui_mirror_cases *cases, const struct maui_mirror_case *one)
{
	if (!maui_mirrors_find(cases->mirrors, one->name))
		return;
	cases->ret->changed = true;
	maui_mirrors_drop(cases->mirrors, one->name);
}

/* Remembers a deleted mirror: Slurm's state file may still have it. */
static void mark_deleted(struct maui_mirror_cases *cases, const struct maui_mirror_case *one)
{
	struct maui_mirror_known *known = maui_mirrors_find(cases->mirrors, one->name);

	if (!known)
		return;
	cases->ret->changed = true;
	known->deleted_s = cases->now_s;
}

static void create_mirror(struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	resv_desc_msg_t *desc = xmalloc(sizeof(*desc));
	const struct maui_mirror_want *want = one->want;
	int rc;

	slurm_init_resv_desc_msg(desc);
	maui_mirror_form_set(&cases->form, desc);
	desc->name = xstrdup(one->name);
	desc->node_list = bitmap2node_name(one->nodes);
	desc->start_time = want->start_s > cases->now_s ? want->start_s : cases->now_s;
	desc->end_time = maui_mirror_end(want, cases->now_s);
	rc = maui_compat_create_resv(desc);
	slurm_free_resv_desc_msg(desc);
	read_again(cases, one);
	if (rc != SLURM_SUCCESS || !one->present) {
		forget_mirror(cases, one);
		note_refusal(cases, one, "create", rc);
		return;
	}
	cases->ret->created++;
	record_mirror(cases, one);
	debug("slurm-maui: created Slurm reservation %s", one->name);
}

/* Returns 0, or Slurm's code. */
static int delete_mirror(struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	reservation_name_msg_t message = { .name = (char *)one->name };
	int rc = delete_resv(&message);

	if (rc == ESLURM_RESERVATION_BUSY)
		return rc;
	if (rc != SLURM_SUCCESS) /* an error of the database; the reservation is deleted */
		debug("slurm-maui: Slurm reservation %s: %s", one->name, slurm_strerror(rc));
	cases->ret->deleted++;
	mark_deleted(cases, one);
	debug("slurm-maui: deleted Slurm reservation %s", one->name);
	return 0;
}

static void remake_mirror(struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	int rc = delete_mirror(cases, one);

	if (rc)
		note_refusal(cases, one, "delete", rc);
	else
		create_mirror(cases, one);
}

/* Updates only what differs, because Slurm refuses to move a begin that is past, for instance. */
static void update_mirror(struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	resv_desc_msg_t *desc = xmalloc(sizeof(*desc));
	const struct maui_mirror_want *want = one->want;
	int64_t start_s = want->start_s > cases->now_s ? want->start_s : cases->now_s;
	int rc;

	slurm_init_resv_desc_msg(desc);
	desc->name = xstrdup(one->name);
	if (one->seen.start_s > cases->now_s && one->seen.start_s != start_s)
		desc->start_time = start_s;
	desc->end_time = maui_mirror_end(want, cases->now_s);
	if (!one->seen.same_nodes)
		desc->node_list = bitmap2node_name(one->nodes);
	rc = maui_compat_update_resv(desc);
	slurm_free_resv_desc_msg(desc);
	read_again(cases, one);
	if (rc == SLURM_SUCCESS && one->present && one->seen.form) {
		cases->ret->updated++;
		record_mirror(cases, one);
	} else if (rc != SLURM_SUCCESS && one->seen.form) {
		note_refusal(cases, one, "update", rc);
	} else {
		remake_mirror(cases, one); /* an update cannot undo what was changed */
	}
}

/* The nodes of a Slurm reservation. NULL without memory. */
static uint32_t *copy_node_ids(const slurmctld_resv_t *resv_ptr, uint32_t *ret_count)
{
	int64_t size = resv_ptr->node_bitmap ? bit_size(resv_ptr->node_bitmap) : 0;
	uint32_t *nodes = calloc((size_t)size + 1, sizeof(*nodes));

	*ret_count = 0;
	for (int64_t i = 0; nodes && i < size; i++)
		if (bit_test(resv_ptr->node_bitmap, i))
			nodes[(*ret_count)++] = (uint32_t)i;
	return nodes;
}

/* Reports to the caller what scontrol did to the mirror of an administrative reservation. */
static void report_change(struct maui_mirror_cases *cases, struct maui_mirror_case *one,
			  bool deleted)
{
	const struct maui_mirror_known *known = maui_mirrors_find(cases->mirrors, one->name);
	const slurmctld_resv_t *resv_ptr = deleted ? NULL : find_resv_name((char *)one->name);
	struct maui_mirror_result *ret = cases->ret;
	struct maui_mirror_change *grown = maui_array_grow(ret->changes, ret->change_count,
							   &ret->change_alloc, sizeof(*grown));
	struct maui_mirror_change change = { .name = strdup(one->name),
					     .rsv_index = one->want->rsv_index,
					     .deleted = deleted };

	if (grown)
		ret->changes = grown;
	if (resv_ptr) {
		change.moved_start = one->seen.start_s != known->start_s;
		change.moved_end = one->seen.end_s != known->end_s;
		change.moved_nodes = one->seen.nodes != known->nodes;
		change.start_s = one->seen.start_s;
		change.end_s = one->seen.end_s;
		change.nodes = copy_node_ids(resv_ptr, &change.node_count);
	}
	if (!grown || !change.name || (resv_ptr && !change.nodes)) {
		free(change.name);
		free(change.nodes);
		ret->no_memory = true; /* reported next time */
		return;
	}
	grown[ret->change_count++] = change;
	info("slurm-maui: Slurm reservation %s was %s outside slurm-maui: reservation %s is %s",
	     one->name, deleted ? "deleted" : "changed", one->want->rsv,
	     deleted ? "released" : "changed likewise");
	if (deleted)
		mark_deleted(cases, one);
	else
		record_mirror(cases, one);
}

void maui_mirror_apply(struct maui_mirror_cases *cases, struct maui_mirror_case *one)
{
	int rc = 0;

	read_again(cases, one);
	maui_mirror_step(cases, one);
	if (one->step == MAUI_MIRROR_CREATE || one->step == MAUI_MIRROR_UPDATE ||
	    one->step == MAUI_MIRROR_REMAKE)
		log_tampering(cases, one);
	switch (one->step) {
	case MAUI_MIRROR_KEEP:
	case MAUI_MIRROR_LOOK: /* done */
		break;
	case MAUI_MIRROR_CREATE:
		create_mirror(cases, one);
		break;
	case MAUI_MIRROR_ADOPT:
		cases->ret->adopted++;
		record_mirror(cases, one);
		info("slurm-maui: adopted Slurm reservation %s: it is as slurm-maui creates it",
		     one->name);
		break;
	case MAUI_MIRROR_UPDATE:
		update_mirror(cases, one);
		break;
	case MAUI_MIRROR_REMAKE:
		remake_mirror(cases, one);
		break;
	case MAUI_MIRROR_DELETE:
		rc = delete_mirror(cases, one);
		if (rc)
			note_refusal(cases, one, "delete", rc);
		break;
	case MAUI_MIRROR_OVER:
		cases->over = true;
		forget_mirror(cases, one);
		break;
	case MAUI_MIRROR_FORGET:
		forget_mirror(cases, one);
		break;
	case MAUI_MIRROR_NAMESAKE:
		maui_mirror_leave_alone(cases->mirrors, one->name, one->seen.id);
		break;
	case MAUI_MIRROR_GONE:
	case MAUI_MIRROR_CHANGED:
		report_change(cases, one, one->step == MAUI_MIRROR_GONE);
		break;
	}
}

/* Lets slurmctld purge ended mirrors. Deleting them would move their end in the database to this
 * second. */
void maui_mirror_purge(struct maui_mirror_cases *cases)
{
	if (!cases->over)
		return;
	cases->over = false;
	maui_compat_purge_reservations();
}
