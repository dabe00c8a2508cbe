/* SPDX-License-Identifier: GPL-2.0-or-later */
/* weights.c - weights of factors whose component weighs nothing, and those that are too large
 *
 * Rules: CFG-14.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/limits.h"

#include "config/check/private.h"

/* The factor whose weight a row sets; MAUI_FACTOR_COUNT: none. */
static enum maui_factor factor_of(const struct maui_param *param)
{
	for (int f = 0; param->scope == MAUI_SCOPE_PRIORITY && f < MAUI_FACTOR_COUNT; f++)
		if (param->offset ==
		    offsetof(struct maui_priority_config, weight) + (size_t)f * sizeof(double))
			return (enum maui_factor)f;
	return MAUI_FACTOR_COUNT;
}

/* The parameter that sets the weight of a component. */
static const char *name_of_weight(enum maui_component component)
{
	size_t offset = offsetof(struct maui_priority_config, component_weight) +
			(size_t)component * sizeof(double);

	for (size_t i = 0; i < maui_schema_param_count; i++)
		if (maui_schema_params[i].scope == MAUI_SCOPE_PRIORITY &&
		    maui_schema_params[i].offset == offset)
			return maui_schema_params[i].name;
	return "?";
}

/* Warns of weights by which a single unit of the factor is above the highest priority. */
static void check_product(const struct maui_setting *s, double weight, double component_weight,
			  const char *component_name, struct maui_diags *diags)
{
	double product = weight * component_weight;
	char subject[MAUI_SUBJECT_SIZE];

	if (product > (double)MAUI_PUBLISHED_MAX || product < -(double)MAUI_PUBLISHED_MAX)
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s x %s is %.4g: all jobs above %" PRId64 " rank the same",
			       maui_check_subject(s, subject), component_name, product,
			       MAUI_PUBLISHED_MAX);
}

void maui_check_weights(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		enum maui_factor factor = s->attr ? MAUI_FACTOR_COUNT : factor_of(s->param);
		const struct maui_priority_config *weights;
		enum maui_component component;
		char subject[MAUI_SUBJECT_SIZE];

		if (factor == MAUI_FACTOR_COUNT || s->replaced)
			continue;
		weights = maui_config_priority(config, s->index);
		component = maui_factor_component(factor);
		if (weights->component_weight[component] != 0)
			check_product(s, weights->weight[factor],
				      weights->component_weight[component],
				      name_of_weight(component), diags);
		if (weights->weight[factor] == 0 || weights->component_weight[component] != 0)
			continue;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s has no effect: %s is 0", maui_check_subject(s, subject),
			       name_of_weight(component));
	}
}
