/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_families.h - a list of families of samples, made one after another
 *
 * Goes in: names, kinds and values. Comes out: a JSON array, each with `name`, `type`, `help` and
 * `samples`; a sample has `suffix` ("_sum"; null: none), `labels` and `value`.
 *
 * Rules: CMD-48.
 */
#ifndef MAUI_ANSWERS_METRIC_FAMILIES_H
#define MAUI_ANSWERS_METRIC_FAMILIES_H

#include <json-c/json.h>
#include <stdbool.h>

struct maui_metric_families {
	json_object *list;
	json_object *samples; /* of the last family; belongs to the list */
	bool failed;
};

struct maui_metric_families maui_metric_families(void);

/* Begins a family; `name` without the prefix slurm_maui_. */
void maui_metric_begin(struct maui_metric_families *families, const char *name, const char *type,
		       const char *help);
/* A sample of the family. `labels`: names and values in turn, NULL behind the last; NULL: none. */
void maui_metric_add(struct maui_metric_families *families, const char *suffix,
		     const char *const *labels, double value);

/* A family with one sample without labels: a gauge, or a counter. */
void maui_metric_gauge(struct maui_metric_families *families, const char *name, const char *help,
		       double value);
void maui_metric_counter(struct maui_metric_families *families, const char *name, const char *help,
			 double value);
/* A sample with one label. */
void maui_metric_by(struct maui_metric_families *families, const char *label, const char *text,
		    double value);

/* The array; NULL without memory. */
json_object *maui_metric_finish(struct maui_metric_families *families);

#endif
