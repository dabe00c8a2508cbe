/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factor.c - names and places of the priority factors */

#include "model/factor.h"

static const struct {
	const char *name, *title;
	enum maui_component component;
} factors[MAUI_FACTOR_COUNT] = {
#define FACTOR(name, component, title, ...) { #name, title, MAUI_COMP_##component },
	MAUI_FACTORS(FACTOR)
};

static const char *const components[MAUI_COMP_COUNT] = {
#define COMPONENT(name, ...) #name,
	MAUI_COMPONENTS(COMPONENT)
};

const char *maui_factor_name(enum maui_factor factor)
{
	return factor < MAUI_FACTOR_COUNT ? factors[factor].name : "?";
}

const char *maui_factor_title(enum maui_factor factor)
{
	return factor < MAUI_FACTOR_COUNT ? factors[factor].title : "?";
}

const char *maui_component_name(enum maui_component component)
{
	return component < MAUI_COMP_COUNT ? components[component] : "?";
}

enum maui_component maui_factor_component(enum maui_factor factor)
{
	return factors[factor].component;
}
