/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_attributes.h - attributes of one reservation, which mean the same as those of a SRCFG: setres
 *
 * Goes in: names and values, by which a reservation is to change. The values are set as the builder
 * of maui.cfg sets them, and checked as its lines are.
 */
#ifndef MAUI_CONFIG_RSV_ATTRIBUTES_H
#define MAUI_CONFIG_RSV_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "model/rsv.h"

/* Diagnostics name the reservation by this index of SRCFG. */
#define MAUI_RSV_ATTRIBUTES_INDEX "setres"

struct maui_rsv_attribute {
	const char *name;  /* see maui_rsv_may_set() */
	const char *value; /* "": the attribute is removed */
};

/* Whether the name, in capitals, is of an attribute of SRCFG that maui_rsv_set_attributes() sets:
 * DAYS, PERIOD and what else makes a reservation recur is not. */
bool maui_rsv_may_set(const char *name);

/* Sets the attributes; the values of a name stand together. A name that may not be set is an error.
 * When HOSTLIST or TASKCOUNT is named, both are replaced. An access list, and the triggers, are
 * replaced by all values of that name, any other attribute by the last one. The checks see only
 * these attributes. Where a check needs another one (HOSTLIST, an access list), a valid value is
 * assumed. -1: an error is among the diagnostics, or there is no memory; the reservation may be
 * partly changed. */
int maui_rsv_set_attributes(struct maui_rsv *rsv, const struct maui_rsv_attribute *list,
			    size_t count, struct maui_diags *diags);

/* The text of a diagnostic without the "SRCFG[name]" in front of it: for who knows which
 * reservation it is about. */
const char *maui_rsv_plain_text(const struct maui_diag *diag, const char *name);

#endif
