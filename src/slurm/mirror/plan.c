/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - what to do about one mirror: create, update, delete, adopt, or leave alone */

#include "slurm/mirror/plan.h"

#include <stdlib.h>
#include <string.h>

/* Whether times or nodes differ. */
static bool differs(const struct maui_mirror_known *known, const struct maui_mirror_seen *seen)
{
	return seen->start_s != known->start_s || seen->end_s != known->end_s ||
	       seen->nodes != known->nodes;
}

bool maui_mirror_accept(struct maui_mirror_known *known, const struct maui_mirror_seen *seen)
{
	if (!known || !known->administrative || known->id != seen->id || seen->unread ||
	    !differs(known, seen))
		return false;
	known->start_s = seen->start_s;
	known->end_s = seen->end_s;
	known->nodes = seen->nodes;
	known->table = UINT64_MAX; /* its bitmap is of other nodes */
	return true;
}

bool maui_mirror_is_tampered(const struct maui_mirror_known *known,
			     const struct maui_mirror_seen *seen, int64_t now_s)
{
	if (!known || known->deleted_s)
		return false;
	if (!seen || seen->id != known->id)
		return known->end_s > now_s;
	return differs(known, seen) || !(seen->form || seen->old_form);
}

static bool same_end(const struct maui_mirror_want *want, const struct maui_mirror_seen *seen,
		     int64_t now_s)
{
	if (want->end_s == MAUI_NEVER)
		return seen->end_s >= now_s + MAUI_MIRROR_RENEW_S;
	return seen->end_s == want->end_s;
}

/* Begins in the past are equal: a mirror may be created later than its instance began. */
static bool same_start(const struct maui_mirror_want *want, const struct maui_mirror_seen *seen,
		       int64_t now_s)
{
	return seen->start_s == want->start_s || (seen->start_s <= now_s && want->start_s <= now_s);
}

static bool lingers(const struct maui_mirror_known *known, int64_t now_s)
{
	return known->deleted_s && known->deleted_s <= now_s &&
	       now_s < known->deleted_s + MAUI_MIRROR_LINGER_S && known->end_s > now_s;
}

static enum maui_mirror_step decide_unwanted(const struct maui_mirror_known *known,
					     const struct maui_mirror_seen *seen, int64_t now_s)
{
	if (!known)
		return MAUI_MIRROR_KEEP;
	if (!seen || seen->id != known->id)
		return lingers(known, now_s) ? MAUI_MIRROR_KEEP : MAUI_MIRROR_FORGET;
	if (seen->end_s > now_s)
		return MAUI_MIRROR_DELETE;
	/* Slurm purges a second later */
	return seen->end_s < now_s ? MAUI_MIRROR_OVER : MAUI_MIRROR_KEEP;
}

/* Slurm has no reservation of this name, or one with another number. */
static enum maui_mirror_step decide_missing(const struct maui_mirror_want *want,
					    const struct maui_mirror_known *known,
					    const struct maui_mirror_seen *seen, int64_t now_s,
					    bool first)
{
	if (known && known->deleted_s)
		known = NULL; /* slurm-maui deleted it */
	bool ours = seen && (seen->form || seen->old_form);

	if (known && want->administrative && !first && known->end_s > now_s)
		return MAUI_MIRROR_GONE;
	if (!seen)
		return MAUI_MIRROR_CREATE;
	if ((!known || first) && ours && same_start(want, seen, now_s) &&
	    same_end(want, seen, now_s))
		return MAUI_MIRROR_ADOPT;
	/* slurmctld saves its reservations seconds after slurm-maui: after a crash an older mirror
	 * may be back */
	return first && ours ? MAUI_MIRROR_REMAKE : MAUI_MIRROR_NAMESAKE;
}

enum maui_mirror_step maui_mirror_decide(const struct maui_mirror_want *want,
					 const struct maui_mirror_known *known,
					 const struct maui_mirror_seen *seen, int64_t now_s,
					 bool first)
{
	if (known && known->retry_s > now_s && seen && seen->id == known->id)
		return MAUI_MIRROR_KEEP;
	if (!want)
		return decide_unwanted(known, seen, now_s);
	if (!seen || !known || seen->id != known->id)
		return decide_missing(want, known, seen, now_s, first);
	if (seen->unread)
		return MAUI_MIRROR_LOOK;
	if (want->administrative && !seen->empty && differs(known, seen))
		return MAUI_MIRROR_CHANGED;
	if (!seen->form || (!same_start(want, seen, now_s) && seen->start_s <= now_s))
		return MAUI_MIRROR_REMAKE; /* Slurm refuses to move a begin that is past */
	if (!same_start(want, seen, now_s) || !same_end(want, seen, now_s) || !seen->same_nodes)
		return MAUI_MIRROR_UPDATE;
	return MAUI_MIRROR_KEEP;
}

static int by_start(const void *a, const void *b)
{
	const struct maui_mirror_want *x = *(const struct maui_mirror_want *const *)a;
	const struct maui_mirror_want *y = *(const struct maui_mirror_want *const *)b;

	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return strcmp(x->name, y->name);
}

size_t maui_mirror_select(const struct maui_mirror_want *wants, size_t count, enum maui_mirror mode,
			  int64_t now_s, int64_t ahead_s, const struct maui_mirror_want **ret,
			  size_t *ret_left)
{
	size_t found = 0, later = 0;

	if (ahead_s > MAUI_YEAR_S)
		ahead_s = MAUI_YEAR_S;
	for (size_t i = 0; i < count && mode != MAUI_MIRROR_NONE; i++) {
		const struct maui_mirror_want *want = &wants[i];

		if (want->count == 0 || want->end_s <= now_s || want->end_s <= want->start_s)
			continue;
		if (want->start_s > now_s &&
		    (mode == MAUI_MIRROR_CURRENT || want->start_s - now_s > ahead_s)) {
			later += mode == MAUI_MIRROR_ALL;
			continue;
		}
		ret[found++] = want;
	}
	if (found > 1)
		qsort(ret, found, sizeof(*ret), by_start);
	*ret_left = found > MAUI_MIRROR_MAX ? found - MAUI_MIRROR_MAX + later : 0;
	return found > MAUI_MIRROR_MAX ? MAUI_MIRROR_MAX : found;
}
