/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_families.c - families of samples as JSON */

#include "answers/metric_families.h"

#include <stdio.h>

#include "answers/object.h"

enum { NAME_SIZE = 128 };

struct maui_metric_families maui_metric_families(void)
{
	json_object *list = json_object_new_array();

	return (struct maui_metric_families){ .list = list, .failed = !list };
}

void maui_metric_begin(struct maui_metric_families *families, const char *name, const char *type,
		       const char *help)
{
	struct maui_object o = maui_object_make();
	json_object *samples = json_object_new_array(), *family;
	char whole[NAME_SIZE];

	snprintf(whole, sizeof(whole), "slurm_maui_%s", name);
	maui_object_put_text(&o, "name", whole);
	maui_object_put_text(&o, "type", type);
	maui_object_put_text(&o, "help", help);
	maui_object_put(&o, "samples", samples);
	family = maui_object_finish(&o);
	if (families->failed)
		json_object_put(family);
	else
		families->failed = !maui_list_append(families->list, family);
	families->samples = families->failed ? NULL : samples;
}

void maui_metric_add(struct maui_metric_families *families, const char *suffix,
		     const char *const *labels, double value)
{
	struct maui_object o, list;

	if (families->failed)
		return;
	o = maui_object_make();
	list = maui_object_make();
	for (; labels && labels[0]; labels += 2)
		maui_object_put_text(&list, labels[0], labels[1] ? labels[1] : "");
	maui_object_put_text(&o, "suffix", suffix);
	maui_object_put(&o, "labels", maui_object_finish(&list));
	maui_object_put(&o, "value", maui_json_decimal(value, "%.15g")); /* 0.1 stays 0.1 */
	families->failed = !maui_list_append(families->samples, maui_object_finish(&o));
}

void maui_metric_by(struct maui_metric_families *families, const char *label, const char *text,
		    double value)
{
	maui_metric_add(families, NULL, (const char *const[]){ label, text, NULL }, value);
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

json_object *maui_metric_finish(struct maui_metric_families *families)
{
	if (!families->failed)
		return families->list;
	json_object_put(families->list);
	return NULL;
}
