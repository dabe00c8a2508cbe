/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_families.h - a list of families of samples, made one after another
 *
 * All of it is in the question's arena; texts that are given have to live as long.
 *
 * Rules: CMD-48.
 */
#ifndef MAUI_ANSWERS_METRIC_FAMILIES_H
#define MAUI_ANSWERS_METRIC_FAMILIES_H

#include <stdbool.h>

#include "answers/question.h"
#include "verbs/metrics.h"

struct maui_metric_families {
	const struct maui_question *question;
	struct maui_metric_family *list;
	size_t count, alloc;
	struct maui_metric_sample *samples; /* of the last family */
	size_t sample_alloc;
	bool failed; /* no memory */
};

/* Begins a family; `name` without the prefix slurm_maui_. */
void maui_metric_begin(struct maui_metric_families *families, const char *name, const char *type,
		       const char *help);
/* A sample of the family. `labels`: names and values in turn, NULL behind the last; NULL: none. */
void maui_metric_add(struct maui_metric_families *families, const char *suffix,
		     const char *const *labels, double value);

/* Whether a monitoring system can take the name. Others are left out: `maui metrics` replaces these
 * characters, which could make two names one, and then nothing would be taken at all. */
bool maui_metric_takes(const char *name);

/* A family with one sample without labels: a gauge, or a counter. */
void maui_metric_gauge(struct maui_metric_families *families, const char *name, const char *help,
		       double value);
void maui_metric_counter(struct maui_metric_families *families, const char *name, const char *help,
			 double value);
/* A sample with one label. */
void maui_metric_by(struct maui_metric_families *families, const char *label, const char *text,
		    double value);

#endif
