/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.c - struct maui_rsv as JSON
 *
 * Kinds and flags are words, so that the file means the same to every release. A word that this
 * release does not know makes the whole reservation invalid: an access list without the unknown
 * part might admit jobs that it must not admit.
 */

#include "state/store/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/words.h"

#define COUNT(words) (sizeof(words) / sizeof((words)[0]))

enum { ACL_KINDS = MAUI_ACL_KIND_COUNT - MAUI_ACL_JOBATTR };

static const char *const acl_kinds[] = {
	[MAUI_ACL_JOBATTR - MAUI_ACL_JOBATTR] = "jobattr",
	[MAUI_ACL_DURATION - MAUI_ACL_JOBATTR] = "duration",
	[MAUI_ACL_TASK - MAUI_ACL_JOBATTR] = "task",
	[MAUI_ACL_PROC - MAUI_ACL_JOBATTR] = "proc",
};
static const char *const periods[] = {
	[MAUI_RSV_DAY] = "day",
	[MAUI_RSV_WEEK] = "week",
	[MAUI_RSV_INFINITY] = "infinity",
	[MAUI_RSV_ONCE] = "once",
};
_Static_assert(COUNT(acl_kinds) == ACL_KINDS, "a word for each kind");
_Static_assert(COUNT(periods) == MAUI_RSV_ONCE + 1, "a word for each period");

/* The index of the word; -1: unknown. */
static int find_word(const char *const *words, size_t count, const char *text)
{
	for (size_t i = 0; text && i < count; i++)
		if (strcmp(words[i], text) == 0)
			return (int)i;
	return -1;
}

static int find_kind(const char *text)
{
	enum maui_cred_kind cred = text ? maui_cred_parse(text) : MAUI_CRED_COUNT;
	int other = find_word(acl_kinds, COUNT(acl_kinds), text);

	if (cred != MAUI_CRED_COUNT)
		return (int)cred;
	return other < 0 ? -1 : MAUI_ACL_JOBATTR + other;
}

static const char *kind_name(int kind)
{
	return kind < MAUI_CRED_COUNT ? maui_cred_name((enum maui_cred_kind)kind) :
					acl_kinds[kind - MAUI_ACL_JOBATTR];
}

/* ---- writing ---- */

static void format_acl(const struct maui_acl *acl, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, ", \"acl\": [");
	for (size_t i = 0; i < acl->count; i++) {
		const struct maui_acl_entry *entry = &acl->list[i];

		maui_strbuf_addf(out, "%s{\"kind\": \"%s\"", i ? ", " : "", kind_name(entry->kind));
		maui_store_put_named(out, "name", entry->name);
		maui_store_put_count(out, "value", entry->value);
		maui_store_put_count(out, "order", entry->order);
		maui_store_put_count(out, "affinity", entry->affinity);
		maui_store_put_true(out, "required", entry->required);
		maui_store_put_true(out, "deny", entry->deny);
		maui_store_put_true(out, "xor", entry->xor);
		maui_strbuf_addf(out, "}");
	}
	maui_strbuf_addf(out, "]");
}

static void format_words(const struct maui_rsv *rsv, struct maui_strbuf *out)
{
	const char *comma = "";

	maui_strbuf_addf(out, ", \"flags\": [");
	for (unsigned i = 0; i < MAUI_RSV_FLAG_COUNT; i++) {
		if (!maui_rsv_has(rsv, (enum maui_rsv_flag)i))
			continue;
		maui_strbuf_addf(out, "%s\"%s\"", comma, maui_rsv_flag_names[i]);
		comma = ", ";
	}
	maui_strbuf_addf(out, "], \"features\": [");
	for (size_t i = 0; i < rsv->features.count; i++) {
		maui_strbuf_addf(out, i ? ", " : "");
		maui_store_put_text(out, rsv->features.list[i]);
	}
	maui_strbuf_addf(out, "]");
}

static void format_triggers(const struct maui_rsv *rsv, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, ", \"triggers\": [");
	for (size_t i = 0; i < rsv->trigger_count; i++) {
		const struct maui_trigger *trigger = &rsv->triggers[i];

		maui_strbuf_addf(out, "%s{\"event\": \"%s\", \"action\": \"%s\"", i ? ", " : "",
				 maui_trigger_event_names[trigger->event],
				 maui_trigger_action_names[trigger->action]);
		maui_store_put_count(out, "offset", trigger->offset_s);
		if (trigger->threshold > 0)
			maui_strbuf_addf(out, ", \"threshold\": %.17g", trigger->threshold);
		maui_store_put_named(out, "data", trigger->data);
		maui_strbuf_addf(out, "}");
	}
	maui_strbuf_addf(out, "]");
}

static void format_task(const struct maui_rsv *rsv, struct maui_strbuf *out)
{
	maui_strbuf_addf(out,
			 ", \"task\": {\"procs\": %lld, \"mem_mb\": %lld, \"disk_mb\": %lld, "
			 "\"swap_mb\": %lld}",
			 (long long)rsv->task.procs, (long long)rsv->task.mem_mb,
			 (long long)rsv->task.disk_mb, (long long)rsv->task.swap_mb);
	maui_store_put_count(out, "tasks", rsv->task_count);
	maui_store_put_count(out, "tpn", rsv->tasks_per_node);
}

void maui_store_format_rsv(const struct maui_rsv *rsv, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "{\"name\": ");
	maui_store_put_text(out, rsv->name);
	format_acl(&rsv->acl, out);
	format_words(rsv, out);
	if (rsv->owner && rsv->owner_kind >= 0 && rsv->owner_kind < MAUI_CRED_COUNT) {
		maui_store_put_named(out, "owner_kind",
				     maui_cred_name((enum maui_cred_kind)rsv->owner_kind));
		maui_store_put_named(out, "owner", rsv->owner);
	}
	maui_store_put_named(out, "charge_account", rsv->charge_account);
	maui_store_put_named(out, "subtype", rsv->subtype);
	maui_store_put_true(out, "shared", rsv->shared);
	maui_store_put_count(out, "priority", rsv->priority);
	maui_store_put_named(out, "hosts", rsv->hosts);
	maui_store_put_named(out, "partition", rsv->partition);
	format_task(rsv, out);
	maui_store_put_named(out, "period", periods[rsv->period]);
	maui_store_put_count(out, "start", rsv->start_s);
	maui_store_put_count(out, "end", rsv->end_s == MAUI_NEVER ? 0 : rsv->end_s);
	maui_store_put_true(out, "endless", rsv->end_s == MAUI_NEVER);
	maui_store_put_count(out, "days", rsv->days);
	maui_store_put_count(out, "depth", rsv->depth);
	maui_store_put_count(out, "idle", rsv->idle_s);
	format_triggers(rsv, out);
	maui_store_put_true(out, "by_user", rsv->by_user);
	maui_store_put_true(out, "trial", rsv->trial);
	maui_store_put_named(out, "made_by", rsv->made_by);
	if (rsv->made_uid_known) /* also root's, 0 */
		maui_strbuf_addf(out, ", \"made_uid\": %" PRIu32, rsv->made_uid);
	maui_strbuf_addf(out, "}");
}

uint64_t maui_store_rsv_hash(const struct maui_rsv *rsv)
{
	struct maui_strbuf text = { 0 };
	uint64_t hash = 0;

	maui_store_format_rsv(rsv, &text);
	if (!text.failed)
		hash = maui_hash_text(text.text, 0) | 1;
	maui_strbuf_finish(&text);
	return hash;
}

/* ---- reading ---- */

static int read_text(json_object *object, const char *key, char **ret)
{
	const char *text = maui_store_get_text(object, key);

	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -1 : 0;
}

static int read_entry(json_object *object, struct maui_acl *acl)
{
	int64_t order = maui_store_get_int(object, "order");
	int64_t affinity = maui_store_get_int(object, "affinity");
	struct maui_acl_entry entry = {
		.kind = find_kind(maui_store_get_text(object, "kind")),
		.value = maui_store_get_int(object, "value"),
		.order = (int)order,
		.affinity = (int)affinity,
		.required = maui_store_get_bool(object, "required"),
		.deny = maui_store_get_bool(object, "deny"),
		.xor = maui_store_get_bool(object, "xor"),
	};
	struct maui_acl_entry *grown;

	if (entry.kind < 0 || affinity < MAUI_AFFINITY_NEGATIVE ||
	    affinity > MAUI_AFFINITY_POSITIVE || order < 0 || order >= MAUI_ACL_ORDER_COUNT)
		return 1;
	grown = maui_array_grow(acl->list, acl->count, &acl->alloc, sizeof(*grown));
	if (!grown)
		return -1;
	acl->list = grown;
	if (read_text(object, "name", &entry.name))
		return -1;
	grown[acl->count++] = entry;
	return entry.kind <= MAUI_ACL_JOBATTR && !entry.name ? 1 : 0;
}

static int read_acl(json_object *object, struct maui_acl *acl)
{
	json_object *list = maui_store_get_list(object, "acl");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		int rc = read_entry(json_object_array_get_idx(list, i), acl);

		if (rc)
			return rc;
	}
	return list ? 0 : 1;
}

static const char *text_at(json_object *list, size_t i)
{
	json_object *one = json_object_array_get_idx(list, i);

	return json_object_is_type(one, json_type_string) ? json_object_get_string(one) : NULL;
}

static int read_flags(json_object *object, struct maui_rsv *ret)
{
	json_object *list = maui_store_get_list(object, "flags");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		int flag = find_word(maui_rsv_flag_names, MAUI_RSV_FLAG_COUNT, text_at(list, i));

		if (flag < 0)
			return 1;
		ret->flags |= UINT64_C(1) << flag;
	}
	return list ? 0 : 1;
}

static int read_features(json_object *object, struct maui_rsv *ret)
{
	json_object *list = maui_store_get_list(object, "features");
	size_t count = list ? json_object_array_length(list) : 0;

	if (count == 0)
		return list ? 0 : 1;
	ret->features.list = calloc(count, sizeof(*ret->features.list));
	if (!ret->features.list)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const char *text = text_at(list, i);

		if (!text)
			return 1;
		if (!(ret->features.list[i] = strdup(text)))
			return -1;
		ret->features.count++;
	}
	return 0;
}

/* As config/rsv_trigger.c requires: a program has an absolute path, cancel has no program. */
static bool is_data_of(enum maui_trigger_action action, const char *data)
{
	return action == MAUI_TRIGGER_CANCEL ? !data : data && *data == '/';
}

static int read_trigger(json_object *object, struct maui_rsv *ret)
{
	int event = find_word(maui_trigger_event_names, MAUI_TRIGGER_EVENT_COUNT,
			      maui_store_get_text(object, "event"));
	int action = find_word(maui_trigger_action_names, MAUI_TRIGGER_ACTION_COUNT,
			       maui_store_get_text(object, "action"));
	struct maui_trigger trigger = { .event = (enum maui_trigger_event)event,
					.action = (enum maui_trigger_action)action,
					.offset_s = maui_store_get_int(object, "offset") };
	struct maui_trigger *grown;
	json_object *threshold;

	if (event < 0 || action < 0 || trigger.offset_s < 0 ||
	    !is_data_of(trigger.action, maui_store_get_text(object, "data")))
		return 1;
	if (json_object_object_get_ex(object, "threshold", &threshold))
		trigger.threshold = json_object_get_double(threshold);
	if (!(trigger.threshold >= 0 && trigger.threshold <= 1))
		return 1;
	grown = maui_array_grow(ret->triggers, ret->trigger_count, &ret->trigger_alloc,
				sizeof(*grown));
	if (!grown)
		return -1;
	ret->triggers = grown;
	if (read_text(object, "data", &trigger.data))
		return -1;
	grown[ret->trigger_count++] = trigger;
	return 0;
}

static int read_triggers(json_object *object, struct maui_rsv *ret)
{
	json_object *list = maui_store_get_list(object, "triggers");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		int rc = read_trigger(json_object_array_get_idx(list, i), ret);

		if (rc)
			return rc;
	}
	return list ? 0 : 1;
}

static int read_texts(json_object *object, struct maui_rsv *ret)
{
	const char *owner_kind = maui_store_get_text(object, "owner_kind");

	ret->owner_kind = -1;
	if (owner_kind) {
		ret->owner_kind = (int)maui_cred_parse(owner_kind);
		if (ret->owner_kind == MAUI_CRED_COUNT)
			return 1;
	}
	return read_text(object, "name", &ret->name) | read_text(object, "owner", &ret->owner) |
	       read_text(object, "charge_account", &ret->charge_account) |
	       read_text(object, "subtype", &ret->subtype) |
	       read_text(object, "hosts", &ret->hosts) |
	       read_text(object, "partition", &ret->partition) |
	       read_text(object, "made_by", &ret->made_by);
}

/* 1: the end is before the start, or the period is not one that setres can make. */
static int read_times(json_object *object, struct maui_rsv *ret)
{
	int period = find_word(periods, COUNT(periods), maui_store_get_text(object, "period"));

	ret->period = period < 0 ? MAUI_RSV_ONCE : (enum maui_rsv_period)period;
	ret->start_s = maui_store_get_int(object, "start");
	ret->end_s = maui_store_get_bool(object, "endless") ? MAUI_NEVER :
							      maui_store_get_int(object, "end");
	ret->days = (unsigned)maui_store_get_int(object, "days") & 0x7f;
	ret->depth = maui_store_get_int(object, "depth");
	ret->idle_s = maui_store_get_int(object, "idle");
	/* setres makes reservations of one period. A reservation that was released before it
	 * began has no length, and may still wait for its triggers. */
	return ret->period != MAUI_RSV_ONCE || period < 0 || ret->end_s < ret->start_s ||
	       ret->depth != 1 || ret->idle_s < 0;
}

static int read_numbers(json_object *object, struct maui_rsv *ret)
{
	json_object *task;

	ret->shared = maui_store_get_bool(object, "shared");
	ret->by_user = maui_store_get_bool(object, "by_user");
	ret->trial = maui_store_get_bool(object, "trial");
	ret->made_uid = maui_store_get_count(object, "made_uid");
	ret->made_uid_known = json_object_object_get_ex(object, "made_uid", NULL);
	ret->priority = maui_store_get_int(object, "priority");
	ret->task_count = maui_store_get_int(object, "tasks");
	ret->tasks_per_node = maui_store_get_int(object, "tpn");
	if (!json_object_object_get_ex(object, "task", &task))
		return 1;
	ret->task = (struct maui_rsv_task){ .procs = maui_store_get_int(task, "procs"),
					    .mem_mb = maui_store_get_int(task, "mem_mb"),
					    .disk_mb = maui_store_get_int(task, "disk_mb"),
					    .swap_mb = maui_store_get_int(task, "swap_mb") };
	return ret->task_count < 0 || ret->tasks_per_node < 0;
}

int maui_store_read_rsv(json_object *object, struct maui_rsv *ret)
{
	static int (*const parts[])(json_object *, struct maui_rsv *) = {
		read_texts, read_flags, read_features, read_triggers, read_times, read_numbers,
	};
	int rc = read_acl(object, &ret->acl);

	for (size_t i = 0; i < COUNT(parts) && rc == 0; i++)
		rc = parts[i](object, ret);
	return rc == 0 && (!ret->name || !*ret->name) ? 1 : rc;
}
