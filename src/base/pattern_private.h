/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern_private.h - the program that pattern_parse.c writes and pattern.c runs */
#ifndef MAUI_BASE_PATTERN_PRIVATE_H
#define MAUI_BASE_PATTERN_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pattern.h"

enum maui_step_kind {
	MAUI_STEP_BYTE,  /* arg: the byte, in lower case */
	MAUI_STEP_ANY,   /* any byte */
	MAUI_STEP_SET,   /* arg: index of the set */
	MAUI_STEP_START, /* at the start of the name */
	MAUI_STEP_END,   /* at its end */
	MAUI_STEP_FORK,  /* goes on at the next step and at +arg */
	MAUI_STEP_JUMP,  /* goes on at +arg */
	MAUI_STEP_MATCH,
};

struct maui_pattern_step {
	enum maui_step_kind kind;
	int arg;
};

struct maui_pattern_set {
	uint8_t bits[32];
};

struct maui_pattern {
	struct maui_pattern_step *steps;
	size_t count;
	size_t alloc;
	struct maui_pattern_set *sets;
	size_t set_count;
	size_t set_alloc;
};

static inline bool maui_pattern_set_has(const struct maui_pattern_set *set, int c)
{
	return set->bits[c / 8] >> c % 8 & 1;
}

static inline unsigned char maui_pattern_lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Fills a zeroed pattern. On failure it is in a state fit for maui_pattern_destroy() only. */
int maui_pattern_parse(struct maui_pattern *pattern, const char *text, struct maui_err *err);

#endif
