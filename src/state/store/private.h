/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - reading and writing JSON, for this folder only */
#ifndef MAUI_STATE_STORE_PRIVATE_H
#define MAUI_STATE_STORE_PRIVATE_H

#include <json-c/json.h>

#include "state/store/store.h"

/* What is absent or of another type: 0, NULL, false. */
int64_t maui_store_get_int(json_object *object, const char *key);
const char *maui_store_get_text(json_object *object, const char *key); /* the object's */
bool maui_store_get_bool(json_object *object, const char *key);
json_object *maui_store_get_list(json_object *object, const char *key);
/* Into 32 bits; what does not fit is 0, as if it were not there. */
uint32_t maui_store_get_count(json_object *object, const char *key);

/* JSON text of a string; `, "key": ` and the value, unless it is 0, NULL, false. */
void maui_store_put_text(struct maui_strbuf *out, const char *text);
void maui_store_put_count(struct maui_strbuf *out, const char *key, int64_t value);
void maui_store_put_named(struct maui_strbuf *out, const char *key, const char *text);
void maui_store_put_true(struct maui_strbuf *out, const char *key, bool value);

/* reservations.c: all about reservations. One that makes no sense is left out and counted. -1
 * without memory. */
int maui_store_read_rsvs(json_object *root, struct maui_store *store);
void maui_store_format_rsvs(const struct maui_store *store, struct maui_strbuf *out);
void maui_store_finish_rsvs(struct maui_store *store);

/* The period that an element of a list begins with. Reading: `rsv` is the object's; 1: none. */
int maui_store_copy_period(const struct maui_store_period *period, struct maui_store_period *ret);
int maui_store_read_period(json_object *object, struct maui_store_period *ret);
void maui_store_format_period(const struct maui_store_period *period, struct maui_strbuf *out);
int64_t maui_store_read_end(json_object *object);

/* records.c: one element. Reading: 1: it makes no sense; -1 without memory. */
int maui_store_read_record(json_object *object, struct maui_store *store);
int maui_store_read_pending(json_object *object, struct maui_store *store);
int maui_store_read_trigger(json_object *object, struct maui_store *store);
void maui_store_format_record(const struct maui_store_record *record, struct maui_strbuf *out);
void maui_store_format_pending(const struct maui_store_pending *due, struct maui_strbuf *out);
void maui_store_format_trigger(const struct maui_store_trigger *trigger, struct maui_strbuf *out);
void maui_store_finish_records(struct maui_store *store);

/* reservation.c: what an administrative reservation asks for. 1: it makes no sense; -1 without
 * memory; `ret` is for maui_rsv_finish() in any case. */
int maui_store_read_rsv(json_object *object, struct maui_rsv *ret);
void maui_store_format_rsv(const struct maui_rsv *rsv, struct maui_strbuf *out);

/* nodes.c: nodes with tasks, ranges of numbers written as such: ["c[1-4]*2", "d7"] is two
 * tasks on each of four, and one. 1: it makes no sense; -1 without memory. */
int maui_store_read_nodes(json_object *list, struct maui_store_instance *ret);
void maui_store_format_nodes(const struct maui_store_instance *instance, struct maui_strbuf *out);

#endif
