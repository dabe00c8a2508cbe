/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records.c - usage records, pending idle time and triggers of reservations in the state */

#include "state/store/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sort.h"

static void finish_record(struct maui_store_record *record)
{
	free(record->period.rsv);
	free(record->account);
	free(record->owner);
	free(record->job_ids);
}

void maui_store_finish_pending(struct maui_store_pending *pending)
{
	free(pending->period.rsv);
	free(pending->account);
	free(pending->owner);
}

void maui_store_finish_records(struct maui_store *store)
{
	for (size_t i = 0; i < store->record_count; i++)
		finish_record(&store->records[i]);
	for (size_t i = 0; i < store->pending_count; i++)
		maui_store_finish_pending(&store->pending[i]);
	for (size_t i = 0; i < store->trigger_count; i++) {
		free(store->triggers[i].period.rsv);
		free(store->triggers[i].marks);
	}
	free(store->records);
	free(store->pending);
	free(store->triggers);
}

int maui_store_copy_payers(const char *account, const char *owner, char **ret_account,
			   char **ret_owner)
{
	char *copy = account ? strdup(account) : NULL, *other = owner ? strdup(owner) : NULL;

	if ((account && !copy) || (owner && !other)) {
		free(copy);
		free(other);
		return -1;
	}
	*ret_account = copy;
	*ret_owner = other;
	return 0;
}

int maui_store_add_record(struct maui_store *store, const struct maui_store_record *record)
{
	struct maui_store_record *grown = maui_array_grow(store->records, store->record_count,
							  &store->record_alloc, sizeof(*grown));
	struct maui_store_record copy = *record;

	if (!grown)
		return -1;
	store->records = grown;
	copy.period.rsv = copy.account = copy.owner = NULL;
	copy.job_ids = NULL;
	if (maui_store_copy_period(&record->period, &copy.period) ||
	    maui_store_copy_payers(record->account, record->owner, &copy.account, &copy.owner) ||
	    maui_store_set_job_ids(&copy, record->job_ids, record->job_id_count)) {
		finish_record(&copy);
		return -1;
	}
	grown[store->record_count++] = copy;
	return 0;
}

int maui_store_set_job_ids(struct maui_store_record *record, const uint32_t *job_ids, size_t count)
{
	uint32_t *copy = count > 0 ? calloc(count, sizeof(*copy)) : NULL;

	if (count > 0 && !copy)
		return -1;
	for (size_t i = 0; i < count; i++)
		copy[i] = job_ids[i];
	if (count > 1)
		qsort(copy, count, sizeof(*copy), maui_sort_by_u32);
	free(record->job_ids);
	record->job_ids = copy;
	record->job_id_count = count;
	return 0;
}

int maui_store_add_pending(struct maui_store *store, const struct maui_store_pending *pending)
{
	struct maui_store_pending *grown = maui_array_grow(store->pending, store->pending_count,
							   &store->pending_alloc, sizeof(*grown));
	struct maui_store_pending copy = *pending;

	if (!grown)
		return -1;
	store->pending = grown;
	if (maui_store_copy_period(&pending->period, &copy.period))
		return -1;
	if (maui_store_copy_payers(pending->account, pending->owner, &copy.account, &copy.owner)) {
		free(copy.period.rsv);
		return -1;
	}
	grown[store->pending_count++] = copy;
	return 0;
}

void maui_store_drop_record(struct maui_store *store, size_t index)
{
	finish_record(&store->records[index]);
	store->records[index] = store->records[--store->record_count];
}

int maui_store_add_trigger(struct maui_store *store, const struct maui_store_trigger *trigger)
{
	struct maui_store_trigger *grown = maui_array_grow(store->triggers, store->trigger_count,
							   &store->trigger_alloc, sizeof(*grown));
	struct maui_store_trigger copy = *trigger;

	if (!grown)
		return -1;
	store->triggers = grown;
	copy.marks = calloc(trigger->mark_count + 1, sizeof(*copy.marks));
	if (!copy.marks || maui_store_copy_period(&trigger->period, &copy.period)) {
		free(copy.marks);
		return -1;
	}
	for (size_t i = 0; i < trigger->mark_count; i++)
		copy.marks[i] = trigger->marks[i];
	grown[store->trigger_count++] = copy;
	return 0;
}

bool maui_store_has_job_id(const struct maui_store_record *record, uint32_t job)
{
	return record->job_id_count > 0 &&
	       bsearch(&job, record->job_ids, record->job_id_count, sizeof(job), maui_sort_by_u32);
}

/* ---- reading ---- */

/* The jobs of a record. -1 without memory. */
static int read_job_ids(json_object *object, struct maui_store_record *ret)
{
	json_object *list = maui_store_get_list(object, "users");
	size_t count = list ? json_object_array_length(list) : 0;

	ret->job_ids = count > 0 ? calloc(count, sizeof(*ret->job_ids)) : NULL;
	if (count > 0 && !ret->job_ids)
		return -1;
	for (size_t i = 0; i < count; i++) {
		int64_t id = json_object_get_int64(json_object_array_get_idx(list, i));

		if (id > 0 && id <= UINT32_MAX)
			ret->job_ids[ret->job_id_count++] = (uint32_t)id;
	}
	return 0;
}

int maui_store_read_record(json_object *object, struct maui_store *store)
{
	int rc;
	struct maui_store_record record = {
		.account = (char *)maui_store_get_text(object, "account"),
		.owner = (char *)maui_store_get_text(object, "owner"),
		.end_s = maui_store_read_end(object),
		.from_s = maui_store_get_int(object, "from"),
		.until_s = maui_store_get_int(object, "until"),
		.reserved_ps = maui_store_get_int(object, "reserved"),
		.used_ps = maui_store_get_int(object, "used"),
		.idle_ps = maui_store_get_int(object, "idle"),
		.all_used_ps = maui_store_get_int(object, "all_used"),
		.all_idle_ps = maui_store_get_int(object, "all_idle"),
		.reserved_procs = maui_store_get_int(object, "reserved_procs"),
		.used_procs = maui_store_get_int(object, "used_procs"),
		.idle_procs = maui_store_get_int(object, "idle_procs"),
		.was_used = maui_store_get_bool(object, "was_used"),
		.idle_since_s = maui_store_get_int(object, "idle_since"),
	};

	if (maui_store_read_period(object, &record.period) || record.from_s <= 0 ||
	    record.until_s < record.from_s || record.reserved_ps < 0 || record.used_ps < 0 ||
	    record.idle_ps < 0 || record.all_used_ps < 0 || record.all_idle_ps < 0 ||
	    record.reserved_procs < 0 || record.used_procs < 0 || record.idle_procs < 0)
		return 1;
	rc = read_job_ids(object, &record) || maui_store_add_record(store, &record) ? -1 : 0;
	free(record.job_ids);
	return rc;
}

int maui_store_read_pending(json_object *object, struct maui_store *store)
{
	struct maui_store_pending pending = {
		.account = (char *)maui_store_get_text(object, "account"),
		.owner = (char *)maui_store_get_text(object, "owner"),
		.from_s = maui_store_get_int(object, "from"),
		.until_s = maui_store_get_int(object, "until"),
		.reserved_ps = maui_store_get_int(object, "reserved"),
		.used_ps = maui_store_get_int(object, "used"),
		.idle_ps = maui_store_get_int(object, "idle"),
	};

	if (maui_store_read_period(object, &pending.period) || pending.from_s <= 0 ||
	    pending.until_s <= pending.from_s || pending.reserved_ps < 0 || pending.used_ps < 0 ||
	    pending.idle_ps < 0)
		return 1;
	return maui_store_add_pending(store, &pending);
}

/* A mark: [fired, idle since]. */
static int read_mark(json_object *pair, struct maui_store_mark *ret)
{
	if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
		return 1;
	ret->fired = json_object_get_boolean(json_object_array_get_idx(pair, 0));
	ret->idle_since_s = json_object_get_int64(json_object_array_get_idx(pair, 1));
	return ret->idle_since_s < 0;
}

/* A list of its own: earlier releases read the marks as pairs. */
static uint64_t read_hash(json_object *hashes, size_t i)
{
	json_object *hash = hashes ? json_object_array_get_idx(hashes, i) : NULL;

	return json_object_is_type(hash, json_type_string) ?
		       strtoull(json_object_get_string(hash), NULL, 16) :
		       0;
}

int maui_store_read_trigger(json_object *object, struct maui_store *store)
{
	struct maui_store_trigger trigger = { .made_s = maui_store_get_int(object, "made"),
					      .start_s = maui_store_get_int(object, "start"),
					      .end_s = maui_store_read_end(object),
					      .gone_s = maui_store_get_int(object, "gone"),
					      .done = maui_store_get_bool(object, "done") };
	json_object *marks = maui_store_get_list(object, "marks");
	json_object *hashes = maui_store_get_list(object, "forms");
	size_t count = marks ? json_object_array_length(marks) : 0;
	int rc = maui_store_read_period(object, &trigger.period);

	trigger.marks = calloc(count + 1, sizeof(*trigger.marks));
	if (!trigger.marks)
		return -1;
	for (size_t i = 0; i < count && rc == 0; i++) {
		rc = read_mark(json_object_array_get_idx(marks, i), &trigger.marks[i]);
		trigger.marks[i].hash = read_hash(hashes, i);
	}
	trigger.mark_count = count;
	if (rc == 0)
		rc = maui_store_add_trigger(store, &trigger);
	free(trigger.marks);
	return rc;
}

/* ---- writing ---- */

static void put_end(struct maui_strbuf *out, int64_t end_s)
{
	maui_store_put_count(out, "end", end_s == MAUI_NEVER ? 0 : end_s);
}

void maui_store_format_record(const struct maui_store_record *record, struct maui_strbuf *out)
{
	maui_store_format_period(&record->period, out);
	maui_store_put_named(out, "account", record->account);
	maui_store_put_named(out, "owner", record->owner);
	put_end(out, record->end_s);
	maui_store_put_count(out, "from", record->from_s);
	maui_store_put_count(out, "until", record->until_s);
	maui_store_put_count(out, "reserved", record->reserved_ps);
	maui_store_put_count(out, "used", record->used_ps);
	maui_store_put_count(out, "idle", record->idle_ps);
	maui_store_put_count(out, "all_used", record->all_used_ps);
	maui_store_put_count(out, "all_idle", record->all_idle_ps);
	maui_store_put_count(out, "reserved_procs", record->reserved_procs);
	maui_store_put_count(out, "used_procs", record->used_procs);
	maui_store_put_count(out, "idle_procs", record->idle_procs);
	maui_store_put_true(out, "was_used", record->was_used);
	for (size_t i = 0; i < record->job_id_count; i++)
		maui_strbuf_addf(out, "%s%" PRIu32, i ? ", " : ", \"users\": [",
				 record->job_ids[i]);
	maui_strbuf_addf(out, "%s", record->job_id_count > 0 ? "]" : "");
	maui_store_put_count(out, "idle_since", record->idle_since_s);
	maui_strbuf_addf(out, "}");
}

void maui_store_format_pending(const struct maui_store_pending *pending, struct maui_strbuf *out)
{
	maui_store_format_period(&pending->period, out);
	maui_store_put_named(out, "account", pending->account);
	maui_store_put_named(out, "owner", pending->owner);
	maui_store_put_count(out, "from", pending->from_s);
	maui_store_put_count(out, "until", pending->until_s);
	maui_store_put_count(out, "reserved", pending->reserved_ps);
	maui_store_put_count(out, "used", pending->used_ps);
	maui_store_put_count(out, "idle", pending->idle_ps);
	maui_strbuf_addf(out, "}");
}

void maui_store_format_trigger(const struct maui_store_trigger *trigger, struct maui_strbuf *out)
{
	maui_store_format_period(&trigger->period, out);
	maui_store_put_count(out, "made", trigger->made_s);
	maui_store_put_count(out, "start", trigger->start_s);
	put_end(out, trigger->end_s);
	maui_store_put_count(out, "gone", trigger->gone_s);
	maui_store_put_true(out, "done", trigger->done);
	maui_strbuf_addf(out, ", \"marks\": [");
	for (size_t i = 0; i < trigger->mark_count; i++)
		maui_strbuf_addf(out, "%s[%s, %lld]", i ? ", " : "",
				 trigger->marks[i].fired ? "true" : "false",
				 (long long)trigger->marks[i].idle_since_s);
	maui_strbuf_addf(out, "], \"forms\": [");
	for (size_t i = 0; i < trigger->mark_count; i++)
		maui_strbuf_addf(out, "%s\"%" PRIx64 "\"", i ? ", " : "", trigger->marks[i].hash);
	maui_strbuf_addf(out, "]}");
}
