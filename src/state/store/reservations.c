/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - reservations, instances, mirrors and released instances in the state */

#include "state/store/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static void finish_instance(struct maui_store_instance *instance)
{
	for (size_t i = 0; i < instance->node_count; i++)
		free(instance->nodes[i].name);
	free(instance->nodes);
	free(instance->period.rsv);
	*instance = (struct maui_store_instance){ 0 };
}

void maui_store_finish_rsvs(struct maui_store *store)
{
	for (size_t i = 0; i < store->rsv_count; i++)
		maui_rsv_finish(&store->rsvs[i]);
	for (size_t i = 0; i < store->instance_count; i++)
		finish_instance(&store->instances[i]);
	for (size_t i = 0; i < store->mirror_count; i++)
		free(store->mirrors[i].name);
	for (size_t i = 0; i < store->released_count; i++)
		free(store->released[i].period.rsv);
	free(store->rsvs);
	free(store->instances);
	free(store->mirrors);
	free(store->released);
	maui_store_finish_records(store);
}

/* ---- adding ---- */

int maui_store_copy_period(const struct maui_store_period *period, struct maui_store_period *ret)
{
	ret->day = period->day;
	ret->rsv = strdup(period->rsv);
	return ret->rsv ? 0 : -1;
}

int maui_store_add_rsv(struct maui_store *store, const struct maui_rsv *rsv)
{
	struct maui_rsv *grown =
		maui_array_grow(store->rsvs, store->rsv_count, &store->rsv_alloc, sizeof(*grown));

	if (!grown)
		return -1;
	store->rsvs = grown;
	if (maui_rsv_copy(rsv, &grown[store->rsv_count]))
		return -1;
	store->rsv_count++;
	return 0;
}

int maui_store_add_instance(struct maui_store *store, const struct maui_store_instance *instance)
{
	struct maui_store_instance *grown = maui_array_grow(store->instances, store->instance_count,
							    &store->instance_alloc, sizeof(*grown));
	struct maui_store_instance copy = *instance;

	copy.period.rsv = NULL;
	copy.node_alloc = instance->node_count;
	copy.nodes = calloc(instance->node_count + 1, sizeof(*copy.nodes));
	copy.node_count = 0;
	if (grown)
		store->instances = grown;
	if (!grown || !copy.nodes || maui_store_copy_period(&instance->period, &copy.period)) {
		finish_instance(&copy);
		return -1;
	}
	for (; copy.node_count < instance->node_count; copy.node_count++) {
		struct maui_store_instance_node *node = &copy.nodes[copy.node_count];

		*node = instance->nodes[copy.node_count];
		node->name = strdup(node->name);
		if (!node->name) {
			finish_instance(&copy);
			return -1;
		}
	}
	grown[store->instance_count++] = copy;
	return 0;
}

int maui_store_add_mirror(struct maui_store *store, const struct maui_store_mirror *mirror)
{
	struct maui_store_mirror *grown = maui_array_grow(store->mirrors, store->mirror_count,
							  &store->mirror_alloc, sizeof(*grown));
	struct maui_store_mirror copy = *mirror;

	if (!grown)
		return -1;
	store->mirrors = grown;
	copy.name = strdup(mirror->name);
	if (!copy.name)
		return -1;
	grown[store->mirror_count++] = copy;
	return 0;
}

static struct maui_store_released *find_released(const struct maui_store *store,
						 const struct maui_store_period *period)
{
	for (size_t i = 0; i < store->released_count; i++)
		if (store->released[i].period.day == period->day &&
		    strcmp(store->released[i].period.rsv, period->rsv) == 0)
			return &store->released[i];
	return NULL;
}

int maui_store_add_released(struct maui_store *store, const struct maui_store_period *period,
			    uint64_t hash)
{
	struct maui_store_released *grown = find_released(store, period);

	if (grown) {
		grown->hash = hash;
		return 0;
	}
	grown = maui_array_grow(store->released, store->released_count, &store->released_alloc,
				sizeof(*grown));
	if (!grown)
		return -1;
	store->released = grown;
	if (maui_store_copy_period(period, &grown[store->released_count].period))
		return -1;
	grown[store->released_count++].hash = hash;
	return 0;
}

size_t maui_store_drop_released(struct maui_store *store, const char *rsv, int32_t day)
{
	size_t before = store->released_count, left = 0;

	for (size_t i = 0; i < before; i++) {
		struct maui_store_period *period = &store->released[i].period;

		if ((day == INT32_MIN || period->day == day) && strcmp(period->rsv, rsv) == 0)
			free(period->rsv);
		else
			store->released[left++] = store->released[i];
	}
	store->released_count = left;
	return before - left;
}

void maui_store_drop_instances(struct maui_store *store)
{
	for (size_t i = 0; i < store->instance_count; i++)
		finish_instance(&store->instances[i]);
	store->instance_count = 0;
}

/* ---- reading; 1: invalid, -1: no memory ---- */

int maui_store_read_period(json_object *object, struct maui_store_period *ret)
{
	int64_t day = maui_store_get_int(object, "day");

	ret->rsv = (char *)maui_store_get_text(object, "rsv");
	ret->day = (int32_t)day;
	return !ret->rsv || !*ret->rsv || day < 0 || day > INT32_MAX;
}

int64_t maui_store_read_end(json_object *object)
{
	int64_t end_s = maui_store_get_int(object, "end");

	return end_s ? end_s : MAUI_NEVER;
}

static int read_rsv(json_object *object, struct maui_store *store)
{
	struct maui_rsv rsv = { .owner_kind = -1 };
	int rc = maui_store_read_rsv(object, &rsv);

	if (rc == 0)
		rc = maui_store_add_rsv(store, &rsv);
	maui_rsv_finish(&rsv);
	return rc;
}

static int read_instance(json_object *object, struct maui_store *store)
{
	struct maui_store_instance instance = { .start_s = maui_store_get_int(object, "start"),
						.end_s = maui_store_read_end(object),
						.made = maui_store_get_bool(object, "made") };
	json_object *nodes = maui_store_get_list(object, "nodes");
	int rc = maui_store_read_period(object, &instance.period);

	if (rc == 0)
		rc = !nodes || instance.end_s <= instance.start_s;
	if (rc == 0)
		rc = maui_store_read_nodes(nodes, &instance);
	if (rc == 0)
		rc = maui_store_add_instance(store, &instance);
	instance.period.rsv = NULL; /* the object's */
	finish_instance(&instance);
	return rc;
}

static int read_mirror(json_object *object, struct maui_store *store)
{
	const char *nodes = maui_store_get_text(object, "nodes");
	const struct maui_store_mirror mirror = {
		.name = (char *)maui_store_get_text(object, "name"), /* the object's */
		.id = maui_store_get_count(object, "id"),
		.start_s = maui_store_get_int(object, "start"),
		.end_s = maui_store_get_int(object, "end"),
		.nodes = nodes ? strtoull(nodes, NULL, 16) : 0,
		.administrative = maui_store_get_bool(object, "administrative"),
		.deleted_s = maui_store_get_int(object, "deleted"),
	};

	if (!mirror.name || !*mirror.name || !mirror.id)
		return 1;
	return maui_store_add_mirror(store, &mirror);
}

static int read_released(json_object *object, struct maui_store *store)
{
	const char *hash = maui_store_get_text(object, "form");
	struct maui_store_period period;

	if (maui_store_read_period(object, &period))
		return 1;
	return maui_store_add_released(store, &period, hash ? strtoull(hash, NULL, 16) : 0);
}

int maui_store_read_rsvs(json_object *root, struct maui_store *store)
{
	static const struct {
		const char *key;
		int (*read)(json_object *object, struct maui_store *store);
	} lists[] = {
		{ "reservations", read_rsv },
		{ "instances", read_instance },
		{ "mirrors", read_mirror },
		{ "released", read_released },
		{ "records", maui_store_read_record },
		{ "due", maui_store_read_pending },
		{ "triggers", maui_store_read_trigger },
	};

	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		json_object *list = maui_store_get_list(root, lists[l].key);

		for (size_t i = 0; list && i < json_object_array_length(list); i++) {
			json_object *one = json_object_array_get_idx(list, i);
			int rc = json_object_is_type(one, json_type_object) ?
					 lists[l].read(one, store) :
					 1;

			if (rc < 0)
				return -1;
			store->skipped += rc > 0;
		}
	}
	return 0;
}

/* ---- writing ---- */

/* Begins an element of a list. */
static void begin(struct maui_strbuf *out, const char *list, size_t i)
{
	if (i == 0)
		maui_strbuf_addf(out, ", \"%s\": [\n", list);
	else
		maui_strbuf_addf(out, ",\n");
}

static void end(struct maui_strbuf *out, size_t count)
{
	if (count > 0)
		maui_strbuf_addf(out, "\n]");
}

void maui_store_format_period(const struct maui_store_period *period, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "{\"rsv\": ");
	maui_store_put_text(out, period->rsv);
	maui_store_put_count(out, "day", period->day);
}

static void format_instance(const struct maui_store_instance *instance, struct maui_strbuf *out)
{
	maui_store_format_period(&instance->period, out);
	maui_store_put_count(out, "start", instance->start_s);
	maui_store_put_count(out, "end", instance->end_s == MAUI_NEVER ? 0 : instance->end_s);
	maui_store_put_true(out, "made", instance->made);
	maui_strbuf_addf(out, ", \"nodes\": ");
	maui_store_format_nodes(instance, out);
	maui_strbuf_addf(out, "}");
}

static void format_mirror(const struct maui_store_mirror *mirror, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "{\"name\": ");
	maui_store_put_text(out, mirror->name);
	maui_store_put_count(out, "id", mirror->id);
	maui_store_put_count(out, "start", mirror->start_s);
	maui_store_put_count(out, "end", mirror->end_s);
	maui_strbuf_addf(out, ", \"nodes\": \"%" PRIx64 "\"", mirror->nodes);
	maui_store_put_true(out, "administrative", mirror->administrative);
	maui_store_put_count(out, "deleted", mirror->deleted_s);
	maui_strbuf_addf(out, "}");
}

void maui_store_format_rsvs(const struct maui_store *store, struct maui_strbuf *out)
{
	const struct maui_store *saved = store->rsv_store ? store->rsv_store : store;

	for (size_t i = 0; i < saved->rsv_count; i++) {
		begin(out, "reservations", i);
		maui_store_format_rsv(&saved->rsvs[i], out);
	}
	end(out, saved->rsv_count);
	for (size_t i = 0; i < saved->instance_count; i++) {
		begin(out, "instances", i);
		format_instance(&saved->instances[i], out);
	}
	end(out, saved->instance_count);
	for (size_t i = 0; i < store->mirror_count; i++) {
		begin(out, "mirrors", i);
		format_mirror(&store->mirrors[i], out);
	}
	end(out, store->mirror_count);
	for (size_t i = 0; i < saved->released_count; i++) {
		begin(out, "released", i);
		maui_store_format_period(&saved->released[i].period, out);
		maui_strbuf_addf(out, ", \"form\": \"%" PRIx64 "\"}", saved->released[i].hash);
	}
	end(out, saved->released_count);
	for (size_t i = 0; i < saved->record_count; i++) {
		begin(out, "records", i);
		maui_store_format_record(&saved->records[i], out);
	}
	end(out, saved->record_count);
	for (size_t i = 0; i < saved->pending_count; i++) {
		begin(out, "due", i);
		maui_store_format_pending(&saved->pending[i], out);
	}
	end(out, saved->pending_count);
	for (size_t i = 0; i < store->trigger_count; i++) {
		begin(out, "triggers", i);
		maui_store_format_trigger(&store->triggers[i], out);
	}
	end(out, store->trigger_count);
}
