/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - reads and writes JSON; for this folder and saved_plan/ only */
#ifndef MAUI_STATE_STORE_PRIVATE_H
#define MAUI_STATE_STORE_PRIVATE_H

#include <json-c/json.h>

#include "state/store/store.h"

/* A key that is absent or of another type reads as 0, NULL or false. */
int64_t maui_store_get_int(json_object *object, const char *key);
const char *maui_store_get_text(json_object *object, const char *key); /* the object's */
bool maui_store_get_bool(json_object *object, const char *key);
json_object *maui_store_get_list(json_object *object, const char *key);
/* Reads 32 bits; a number out of range reads as 0. */
uint32_t maui_store_get_count(json_object *object, const char *key);

/* Writes a string as JSON, or `, "key": value`; a value of 0, NULL or false is left out. */
void maui_store_put_text(struct maui_strbuf *out, const char *text);
void maui_store_put_count(struct maui_strbuf *out, const char *key, int64_t value);
void maui_store_put_named(struct maui_strbuf *out, const char *key, const char *text);
void maui_store_put_true(struct maui_strbuf *out, const char *key, bool value);

/* reservations.c: all lists about reservations. Invalid elements are skipped and counted in
 * store->skipped. -1 without memory. */
int maui_store_read_rsvs(json_object *root, struct maui_store *store);
void maui_store_format_rsvs(const struct maui_store *store, struct maui_strbuf *out);
void maui_store_finish_rsvs(struct maui_store *store);

/* statistics.c. Reading: -1 without memory. */
int maui_store_read_statistics(json_object *root, struct maui_store *store);
void maui_store_format_statistics(const struct maui_store *store, struct maui_strbuf *out);

/* trial.c */
void maui_store_read_trial(json_object *root, struct maui_store *store);
void maui_store_format_trial(const struct maui_store *store, struct maui_strbuf *out);

/* The period with which an element of a list begins. Reading: `rsv` points into the object; 1:
 * no period. */
int maui_store_copy_period(const struct maui_store_period *period, struct maui_store_period *ret);
int maui_store_read_period(json_object *object, struct maui_store_period *ret);
void maui_store_format_period(const struct maui_store_period *period, struct maui_strbuf *out);
int64_t maui_store_read_end(json_object *object);

/* records.c: one element of a list. Reading: 1: the element is invalid; -1 without memory. */
int maui_store_read_record(json_object *object, struct maui_store *store);
int maui_store_read_pending(json_object *object, struct maui_store *store);
int maui_store_read_trigger(json_object *object, struct maui_store *store);
void maui_store_format_record(const struct maui_store_record *record, struct maui_strbuf *out);
void maui_store_format_pending(const struct maui_store_pending *pending, struct maui_strbuf *out);
void maui_store_format_trigger(const struct maui_store_trigger *trigger, struct maui_strbuf *out);
void maui_store_finish_records(struct maui_store *store);

/* reservation.c: an administrative reservation. 1: invalid; -1 without memory. The caller calls
 * maui_rsv_finish() for `ret` in each case. */
int maui_store_read_rsv(json_object *object, struct maui_rsv *ret);
void maui_store_format_rsv(const struct maui_rsv *rsv, struct maui_strbuf *out);

/* nodes.c: nodes with tasks, consecutive numbers as ranges: ["c[1-4]*2", "d7"] means two tasks
 * on each of c1 to c4, and one task on d7. 1: invalid; -1 without memory. */
int maui_store_read_nodes(json_object *list, struct maui_store_instance *ret);
void maui_store_format_nodes(const struct maui_store_instance *instance, struct maui_strbuf *out);

#endif
