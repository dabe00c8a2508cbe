/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.c - struct maui_rsv as a record
 *
 * Kinds and flags are words, so that the file means the same to every release. A word that this
 * release does not know makes the whole reservation invalid: an access list without the unknown
 * part might admit jobs that it must not admit.
 */

#include "state/store/private.h"

#include "base/hash.h"
#include "record/write.h"

void maui_store_pack_rsv(const struct maui_rsv *rsv, struct maui_packed_rsv *ret)
{
	bool owned = rsv->owner && rsv->owner_kind >= 0 && rsv->owner_kind < MAUI_CRED_COUNT;

	*ret = (struct maui_packed_rsv){
		.rsv = *rsv,
		.owner_kind = owned ? rsv->owner_kind : -1,
		.end_s = rsv->end_s == MAUI_NEVER ? 0 : rsv->end_s,
		.endless = rsv->end_s == MAUI_NEVER,
		.made_uid = rsv->made_uid_known ? (int64_t)rsv->made_uid : -1,
	};
	if (!owned)
		ret->rsv.owner = NULL;
}

uint64_t maui_store_rsv_hash(const struct maui_rsv *rsv)
{
	struct maui_strbuf text = { 0 };
	const struct maui_record_writer w = { .out = &text, .spaced = true, .short_escapes = true };
	struct maui_packed_rsv packed;
	uint64_t hash = 0;

	maui_store_pack_rsv(rsv, &packed);
	maui_strbuf_add(&text, "{", 1);
	maui_record_write_members(&w, &maui_packed_rsv_type, &packed);
	maui_strbuf_add(&text, "}", 1);
	if (!text.failed)
		hash = maui_hash_text(text.text, 0) | 1;
	maui_strbuf_finish(&text);
	return hash;
}

static bool is_entry(const struct maui_acl_entry *entry)
{
	return entry->affinity >= MAUI_AFFINITY_NEGATIVE &&
	       entry->affinity <= MAUI_AFFINITY_POSITIVE && entry->order >= 0 &&
	       entry->order < MAUI_ACL_ORDER_COUNT &&
	       (entry->kind > MAUI_ACL_JOBATTR || entry->name);
}

/* As config/rsv_trigger.c requires: a program has an absolute path, cancel has no program. */
static bool is_trigger(const struct maui_trigger *trigger)
{
	const char *data = trigger->data;

	return trigger->offset_s >= 0 && trigger->threshold >= 0 && trigger->threshold <= 1 &&
	       (trigger->action == MAUI_TRIGGER_CANCEL ? !data : data && *data == '/');
}

bool maui_store_unpack_rsv(const struct maui_packed_rsv *packed, struct maui_rsv *ret)
{
	*ret = packed->rsv;
	ret->owner_kind = packed->owner_kind;
	ret->end_s = packed->endless ? MAUI_NEVER : packed->end_s;
	ret->days &= 0x7f;
	ret->made_uid_known = packed->made_uid >= 0 && packed->made_uid <= UINT32_MAX;
	ret->made_uid = ret->made_uid_known ? (uint32_t)packed->made_uid : 0;
	for (size_t i = 0; i < ret->acl.count; i++)
		if (!is_entry(&ret->acl.list[i]))
			return false;
	for (size_t i = 0; i < ret->trigger_count; i++)
		if (!is_trigger(&ret->triggers[i]))
			return false;
	/* setres makes reservations of one period. A reservation that was released before it
	 * began has no length, and may still wait for its triggers. */
	return *ret->name && ret->period == MAUI_RSV_ONCE && ret->end_s >= ret->start_s &&
	       ret->depth == 1 && ret->idle_s >= 0 && ret->task_count >= 0 &&
	       ret->tasks_per_node >= 0;
}
