/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation_stacked.h - node-locked reservations upon each other that together let nobody in */
#ifndef MAUI_CONFIG_CHECK_RESERVATION_STACKED_H
#define MAUI_CONFIG_CHECK_RESERVATION_STACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* Of the configuration's reservations on so many nodes. NULL without memory. */
struct maui_stacked;
struct maui_stacked *maui_stacked_create(const struct maui_config *config, size_t node_count);
void maui_stacked_destroy(struct maui_stacked *s); /* NULL is fine */

/* The hosts of the reservation of this index, each once, that it can have. True with `text` when
 * one that was noted before has some of them, and nobody can be let into both: the first of
 * those. */
bool maui_stacked_note(struct maui_stacked *s, size_t index, const uint32_t *nodes, size_t count,
		       char *text, size_t size);

#endif
