/* SPDX-License-Identifier: GPL-2.0-or-later */
/* weights.c - weights of factors whose component weighs nothing, and weights and priorities of
 * credentials that pass the highest or the lowest priority by themselves
 *
 * Rules: CFG-14.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"
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

/* The lowest priority that jobs differ by. Without ENABLENEGJOBPRIORITY they are raised to 1, but
 * other factors may make up for less than the highest priority. */
static int64_t lowest(const struct maui_priority_config *weights)
{
	return weights->enable_negative ? -MAUI_PRIORITY_MAX : -MAUI_PUBLISHED_MAX;
}

/* 1: above the highest priority, -1: below the lowest. */
static int passes(const struct maui_priority_config *weights, double product)
{
	return product > (double)MAUI_PUBLISHED_MAX ? 1 :
	       product < (double)lowest(weights)    ? -1 :
						      0;
}

/* "above 4000000000", "below 1" */
static const char *bound_text(const struct maui_priority_config *weights, int side, char *buf,
			      size_t size)
{
	snprintf(buf, size, "%s %" PRId64, side > 0 ? "above" : "below",
		 side > 0                 ? MAUI_PUBLISHED_MAX :
		 weights->enable_negative ? lowest(weights) :
					    INT64_C(1));
	return buf;
}

/* Warns of weights by which a single unit of the factor passes a bound. */
static void check_product(const struct maui_setting *s, const struct maui_priority_config *weights,
			  enum maui_factor factor, struct maui_diags *diags)
{
	enum maui_component component = maui_factor_component(factor);
	double product = weights->weight[factor] * weights->component_weight[component];
	int side = passes(weights, product);
	char subject[MAUI_SUBJECT_SIZE], bound[32];

	if (side != 0)
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s x %s is %.4g: all jobs %s rank the same",
			       maui_check_subject(s, subject), name_of_weight(component), product,
			       bound_text(weights, side, bound, sizeof(bound)));
}

/* ---- PRIORITY of credentials ---- */

enum { NAMED_MAX = 3 }; /* others that a warning names */

/* A PRIORITY that passes a bound by itself. */
struct passer {
	const struct maui_setting *s;
	double product;
	int side;
};

static double product_of(const struct maui_config *config, const struct maui_setting *s)
{
	enum maui_cred_kind kind = maui_check_kind(s);
	const struct maui_priority_config *weights = &config->priority;
	int64_t priority;

	if (!s->attr || !maui_setting_counts(s) || kind == MAUI_CRED_COUNT || !s->index ||
	    strcmp(s->attr->name, "PRIORITY") != 0)
		return 0;
	priority = strcmp(s->index, "DEFAULT") == 0 ?
			   config->creds[kind].default_priority :
			   maui_config_cred(config, kind, s->index)->priority;
	return weights->component_weight[MAUI_COMP_CRED] *
	       weights->weight[MAUI_FACTOR_USER + (int)kind] * (double)priority;
}

/* The others beyond the same bound: "; as do those of USERCFG[b], CLASSCFG[c] and 2 more". */
static void name_others(const struct passer *passers, size_t count, const struct passer *one,
			struct maui_strbuf *out)
{
	size_t others = 0;

	for (size_t i = 0; i < count; i++) {
		const struct maui_setting *s = passers[i].s;

		if (&passers[i] == one || passers[i].side != one->side || ++others > NAMED_MAX)
			continue;
		maui_strbuf_addf(out, "%s%s[%.64s]", others == 1 ? ", as jobs of " : ", ",
				 s->param->name, s->index);
	}
	if (others > NAMED_MAX)
		maui_strbuf_addf(out, " and %zu more", others - NAMED_MAX);
}

static void warn_of(const struct maui_config *config, const struct passer *passers, size_t count,
		    const struct passer *one, struct maui_diags *diags)
{
	enum maui_cred_kind kind = maui_check_kind(one->s);
	struct maui_strbuf others = { 0 };
	char bound[32];

	name_others(passers, count, one, &others);
	maui_diags_add(diags, MAUI_WARNING, one->s->file, one->s->line, one->s->column,
		       "%s[%s] PRIORITY x %sWEIGHT x CREDWEIGHT is %.4g: all jobs %s rank the "
		       "same%s",
		       one->s->param->name, one->s->index,
		       maui_factor_name((enum maui_factor)(MAUI_FACTOR_USER + (int)kind)),
		       one->product, bound_text(&config->priority, one->side, bound, sizeof(bound)),
		       others.text ? others.text : "");
	maui_strbuf_finish(&others);
}

static void check_priorities(const struct maui_config *config, struct maui_diags *diags)
{
	struct passer *passers = calloc(config->setting_count + 1, sizeof(*passers));
	size_t count = 0;

	for (size_t i = 0; passers && i < config->setting_count; i++) {
		struct passer one = { .s = &config->settings[i] };

		one.product = product_of(config, one.s);
		one.side = passes(&config->priority, one.product);
		if (one.side != 0)
			passers[count++] = one;
	}
	for (size_t i = 0; i < count; i++)
		if (i < MAUI_DIAG_MAX)
			warn_of(config, passers, count, &passers[i], diags);
	free(passers);
}

/* ---- weights ---- */

void maui_check_weights(const struct maui_config *config, struct maui_diags *diags)
{
	check_priorities(config, diags);
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		enum maui_factor factor = s->attr ? MAUI_FACTOR_COUNT : factor_of(s->param);
		const struct maui_priority_config *weights;
		enum maui_component component;
		char subject[MAUI_SUBJECT_SIZE];

		if (factor == MAUI_FACTOR_COUNT || !maui_setting_counts(s))
			continue;
		weights = maui_config_priority(config, s->index);
		component = maui_factor_component(factor);
		if (weights->component_weight[component] != 0)
			check_product(s, weights, factor, diags);
		if (weights->weight[factor] == 0 || weights->component_weight[component] != 0)
			continue;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s has no effect: %s is 0", maui_check_subject(s, subject),
			       name_of_weight(component));
	}
}
