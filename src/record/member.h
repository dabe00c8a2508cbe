/* SPDX-License-Identifier: GPL-2.0-or-later */
/* member.h - members of a struct by their offsets, for this folder only */
#ifndef MAUI_RECORD_MEMBER_H
#define MAUI_RECORD_MEMBER_H

#include "record/record.h"

#define MEMBER(type, record, offset) (*(type *)((char *)(record) + (offset)))
#define VALUE(type, record, offset)  (*(const type *)((const char *)(record) + (offset)))

/* The length of a list. */
static inline size_t get_count(const struct maui_field *f, const void *record)
{
	return f->count_size == sizeof(uint32_t) ? VALUE(uint32_t, record, f->count_at) :
						   VALUE(size_t, record, f->count_at);
}

#endif
