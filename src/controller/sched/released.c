/* SPDX-License-Identifier: GPL-2.0-or-later */
/* released.c - releases: of administrative reservations, which end, and of instances of standing
 * reservations (RSV-21)
 *
 * A release is noted at once, and takes effect when no pointer leads to the reservation any more.
 *
 * releaseres, IDLETIME, SINGLEUSE or a trigger releases an instance. The release lasts over
 * restarts and reconfigures until the period ends, until `releaseres --undo`, or until the SRCFG
 * line changes: then the instance is planned as if it were new.
 *
 * Rules: RSV-12.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/calendar.h"
#include "answers/document_publish.h"

/* The index of a SRCFG. -1: maui.cfg no longer has it. */
static int64_t find_srcfg(const struct maui_iteration *it, const char *name, int64_t from)
{
	int64_t rsv = maui_sched_find_rsv_from(it, name, from);

	return rsv < (int64_t)it->c->config->rsv_count ? rsv : -1;
}

/* Whether the SRCFG is the one whose instance was released. A release of an older state file has
 * no hash; it gets the hash of now. */
static bool still_applies(const struct maui_rsv *rsv, struct maui_store_released *released)
{
	uint64_t hash = maui_store_rsv_hash(rsv);

	if (released->hash == 0)
		released->hash = hash;
	return hash == 0 || released->hash == hash;
}

int maui_sched_skip_released(struct maui_iteration *it)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_standing_skip *skips =
		maui_arena_alloc(&it->arena, (rsvs->released_count + 1) * sizeof(*skips));
	int64_t rsv = 0;
	uint32_t count = 0;

	if (!skips)
		return -1;
	for (size_t i = 0; i < rsvs->released_count; i++) {
		struct maui_store_released *released = &rsvs->released[i];

		rsv = find_srcfg(it, released->period.rsv, rsv);
		if (rsv >= 0 && still_applies(it->standing.list[rsv], released)) {
			skips[count] =
				(struct maui_standing_skip){ (uint32_t)rsv, released->period.day };
			rsvs->released[count++] = *released;
			continue;
		}
		info("slurm-maui: reservation %s: its SRCFG line %s, so the earlier release no "
		     "longer applies",
		     released->period.rsv, rsv < 0 ? "is gone" : "changed");
		free(released->period.rsv);
		it->save = true;
	}
	rsvs->released_count = count;
	it->standing.skips = skips;
	it->standing.skip_count = count;
	return 0;
}

void maui_sched_forget_released(struct maui_iteration *it)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	int32_t oldest = maui_calendar_date(maui_calendar_day(it->cluster.now_s) - 8);
	size_t left = 0;

	for (size_t i = 0; i < rsvs->released_count; i++) {
		struct maui_store_released *released = &rsvs->released[i];

		if (released->period.day == 0 || released->period.day >= oldest)
			rsvs->released[left++] = *released;
		else
			free(released->period.rsv);
	}
	rsvs->released_count = left;
}

void maui_sched_publish_released(const struct maui_iteration *it, struct maui_document *p)
{
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	int64_t rsv = 0;

	for (size_t i = 0; i < rsvs->released_count; i++) {
		const struct maui_store_period *period = &rsvs->released[i].period;

		rsv = find_srcfg(it, period->rsv, rsv);
		if (rsv >= 0)
			maui_document_add_released(p, it->standing.list[rsv], period->day);
	}
}

/* ---- releases of this cycle ---- */

struct maui_pending_release {
	const struct maui_pending_release *next;
	const char *name;
	int32_t day;
};

static void add_released(struct maui_iteration *it, const char *name, int32_t day)
{
	struct maui_store_period period = { (char *)name, day };
	const struct maui_config *config = it->c->config;
	uint64_t hash = 0;

	for (size_t i = 0; i < config->rsv_count && hash == 0; i++)
		if (strcmp(config->rsvs[i].name, name) == 0)
			hash = maui_store_rsv_hash(&config->rsvs[i]);
	if (maui_rsv_lists_add_released(&it->sched->rsvs, &period, hash))
		error("slurm-maui: no memory to release reservation %s", name);
}

void maui_sched_release(struct maui_iteration *it, const char *name, int32_t day)
{
	struct maui_pending_release *released = maui_arena_alloc(&it->arena, sizeof(*released));
	char *copy = maui_arena_strdup(&it->arena, name);

	if (!released || !copy) {
		error("slurm-maui: no memory to release reservation %s", name);
		return;
	}
	*released = (struct maui_pending_release){ it->pending_releases, copy, day };
	it->pending_releases = released;
}

/* Ends the reservation now. forget_ended() removes it after its triggers have fired. */
static void end_now(struct maui_rsv *rsv, int64_t now_s)
{
	rsv->end_s = now_s;
	if (rsv->start_s > now_s)
		rsv->start_s = now_s;
}

/* Removes administrative reservations that have ended. Returns whether any was removed. */
static bool forget_ended(struct maui_sched *sched, int64_t now_s)
{
	struct maui_rsv_lists *rsvs = &sched->rsvs;
	size_t left = 0;

	for (size_t i = 0; i < rsvs->rsv_count; i++) {
		struct maui_rsv *rsv = &rsvs->rsvs[i];

		if (rsv->end_s <= now_s && !maui_trigger_waits(&sched->triggers, rsv->name))
			maui_rsv_finish(rsv);
		else
			rsvs->rsvs[left++] = *rsv;
	}
	if (left == rsvs->rsv_count)
		return false;
	rsvs->rsv_count = left;
	return true;
}

bool maui_sched_end_trial_rsvs(struct maui_sched *sched)
{
	struct maui_rsv_lists *rsvs = &sched->rsvs;
	size_t left = 0;

	for (size_t i = 0; i < rsvs->rsv_count; i++) {
		struct maui_rsv *rsv = &rsvs->rsvs[i];

		if (!rsv->trial) {
			rsvs->rsvs[left++] = *rsv;
			continue;
		}
		info("slurm-maui: reservation %s of the trial is gone: SERVERMODE is no longer TEST",
		     rsv->name);
		maui_rsv_finish(rsv);
	}
	if (left == rsvs->rsv_count)
		return false;
	rsvs->rsv_count = left;
	return true;
}

void maui_sched_carry_out_releases(struct maui_iteration *it)
{
	/* setres changes the reservation before the cycle copies the cluster */
	int64_t now_s = it->cluster.now_s ? it->cluster.now_s : time(NULL);
	bool fewer = false;

	for (const struct maui_pending_release *r = it->pending_releases; r; r = r->next) {
		struct maui_rsv *rsv = maui_sched_administrative(it->sched, r->name);

		fewer |= rsv != NULL;
		if (rsv)
			end_now(rsv, now_s);
		else
			add_released(it, r->name, r->day);
		it->save = true;
		maui_sched_wake(it->sched, now_s);
	}
	it->pending_releases = NULL;
	fewer |= forget_ended(it->sched, now_s);
	if (fewer)
		maui_sched_publish_names(it);
	it->standing = (struct maui_standing_input){ 0 }; /* may point to removed reservations */
}
