/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_families.c - families of samples, one after another */

#include "answers/metric_families.h"

#include <string.h>

#include "base/utf8.h"

/* The list with room for one more, moved if need be; NULL without memory. */
static void *grow(const struct maui_question *q, void *list, size_t count, size_t *alloc,
		  size_t size)
{
	void *grown;

	if (count < *alloc)
		return list;
	grown = maui_question_alloc(q, 2 * count + 8, size);
	if (!grown)
		return NULL;
	if (count > 0)
		memcpy(grown, list, count * size);
	*alloc = 2 * count + 8;
	return grown;
}

void maui_metric_begin(struct maui_metric_families *families, const char *name, const char *type,
		       const char *help)
{
	struct maui_metric_family *list;

	if (families->failed)
		return;
	name = maui_question_printf(families->question, "slurm_maui_%s", name);
	list = grow(families->question, families->list, families->count, &families->alloc,
		    sizeof(*list));
	families->failed = !name || !list;
	if (families->failed)
		return;
	families->list = list;
	list[families->count++] =
		(struct maui_metric_family){ .name = name, .type = type, .help = help };
	families->samples = NULL;
	families->sample_alloc = 0;
}

/* Names and values in turn as a list; NULL without memory. */
static const struct maui_label *make_labels(const struct maui_question *q,
					    const char *const *labels, size_t *ret_count)
{
	struct maui_label *list;
	size_t count = 0;

	while (labels && labels[2 * count])
		count++;
	list = maui_question_alloc(q, count, sizeof(*list));
	for (size_t i = 0; list && i < count; i++)
		list[i] = (struct maui_label){ labels[2 * i],
					       labels[2 * i + 1] ? labels[2 * i + 1] : "" };
	*ret_count = count;
	return list;
}

void maui_metric_add(struct maui_metric_families *families, const char *suffix,
		     const char *const *labels, double value)
{
	struct maui_metric_sample sample = { .suffix = suffix, .value = value }, *samples;
	struct maui_metric_family *family;

	if (families->failed)
		return;
	family = &families->list[families->count - 1];
	sample.labels = make_labels(families->question, labels, &sample.labels_count);
	samples = grow(families->question, families->samples, family->samples_count,
		       &families->sample_alloc, sizeof(*samples));
	families->failed = !sample.labels || !samples;
	if (families->failed)
		return;
	samples[family->samples_count++] = sample;
	families->samples = samples;
	family->samples = samples;
}

void maui_metric_by(struct maui_metric_families *families, const char *label, const char *text,
		    double value)
{
	maui_metric_add(families, NULL, (const char *const[]){ label, text, NULL }, value);
}

bool maui_metric_takes(const char *name)
{
	uint32_t c;

	for (size_t length; *name; name += length) {
		length = maui_utf8_decode(name, strnlen(name, 4), &c);
		if (length == 0 || maui_utf8_is_hidden(c))
			return false;
	}
	return true;
}

void maui_metric_gauge(struct maui_metric_families *families, const char *name, const char *help,
		       double value)
{
	maui_metric_begin(families, name, "gauge", help);
	maui_metric_add(families, NULL, NULL, value);
}

void maui_metric_counter(struct maui_metric_families *families, const char *name, const char *help,
			 double value)
{
	maui_metric_begin(families, name, "counter", help);
	maui_metric_add(families, NULL, NULL, value);
}
