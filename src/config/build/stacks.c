/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stacks.c - priority stacks (BF-2) */

#include "config/build/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct maui_stack_config *add_stack(struct maui_config *config, int64_t number,
					   int64_t depth)
{
	struct maui_stack_config *grown = maui_array_grow(config->stacks, config->stack_count,
							  &config->stack_alloc, sizeof(*grown));

	if (!grown)
		return NULL;
	config->stacks = grown;
	grown += config->stack_count++;
	*grown = (struct maui_stack_config){ .number = number, .depth = depth };
	return grown;
}

int maui_build_stacks_init(struct maui_config *config)
{
	return add_stack(config, 0, 1) ? 0 : -1;
}

/* The number of a stack; -1: not a number. */
static int64_t parse_number(const char *index)
{
	size_t length = index ? strlen(index) : 0;

	if (length == 0)
		return 0;
	return length < 10 && strspn(index, "0123456789") == length ? atoll(index) : -1;
}

struct maui_stack_config *maui_build_stack(struct maui_config *config,
					   const struct maui_setting *setting,
					   struct maui_diags *diags)
{
	int64_t number = parse_number(setting->index);
	struct maui_stack_config *stack;

	if (number < 0) {
		maui_diags_add(diags, MAUI_WARNING, setting->file, setting->line, setting->column,
			       "%s[%s]: the index of a reservation stack is a number, ignoring",
			       setting->param->name, setting->index);
		return NULL;
	}
	for (size_t i = 0; i < config->stack_count; i++)
		if (config->stacks[i].number == number)
			return &config->stacks[i];
	stack = add_stack(config, number, 0);
	if (!stack)
		maui_diags_add(diags, MAUI_ERROR, setting->file, setting->line, setting->column,
			       "no memory");
	return stack;
}

static int by_number(const void *a, const void *b)
{
	const struct maui_stack_config *one = a, *two = b;

	return (one->number > two->number) - (one->number < two->number);
}

void maui_build_stacks_sort(struct maui_config *config)
{
	qsort(config->stacks, config->stack_count, sizeof(*config->stacks), by_number);
}

void maui_build_stacks_finish(struct maui_config *config)
{
	for (size_t i = 0; i < config->stack_count; i++)
		maui_words_finish(&config->stacks[i].qos);
	free(config->stacks);
}
