/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair_limits.h - two-dimensional limits of one object: CLASSCFG[fast] MAXPROC[USER:steve]=50
 *
 * The limit applies to the jobs of the object that share one credential of the second kind. With a
 * name behind the kind it applies only to jobs of that credential (Maui manual 6.2.1).
 */
#ifndef MAUI_CONFIG_PAIR_LIMITS_H
#define MAUI_CONFIG_PAIR_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/cred.h"
#include "model/limit.h"

struct maui_setting;

struct maui_pair_limit {
	enum maui_cred_kind second;
	char *name;                /* NULL: each credential of the second kind has its own count */
	enum maui_limit_kind kind; /* active or idle */
	enum maui_resource resource;
	struct maui_limit limit;           /* 0: not set */
	const struct maui_setting *origin; /* its line in maui.cfg */
};

/* A zeroed struct is an empty list. */
struct maui_pair_limits {
	struct maui_pair_limit *list;
	size_t count, alloc;
};

/* Limits of both kinds by resource; 0 = not set. */
struct maui_pair_values {
	struct maui_limit of[MAUI_LIMIT_IDLE + 1][MAUI_RESOURCE_COUNT];
};

/* Reads "USER" or "USER:steve". *ret_name points into `sub`, NULL without a name. -1: neither. */
int maui_pair_limit_parse_second(const char *sub, enum maui_cred_kind *ret_second,
				 const char **ret_name);

/* Adds a copy of `limit`, its name included. -1 without memory. */
int maui_pair_limits_add(struct maui_pair_limits *pairs, const struct maui_pair_limit *limit);

/* Called once after all limits are added. Of two limits for the same subject the later line
 * wins. */
void maui_pair_limits_sort(struct maui_pair_limits *pairs);

void maui_pair_limits_finish(struct maui_pair_limits *pairs);

/* The limits of jobs whose credential of kind `second` is `name` (THR-6). For each attribute the
 * object's own value (`own`) wins over that of its kind's DEFAULT (`def`, may be the same), and a
 * value for this name wins over one for every name. false: no limit is set. Both lists must be
 * sorted. */
bool maui_pair_limits_find(const struct maui_pair_limits *own, const struct maui_pair_limits *def,
			   enum maui_cred_kind second, const char *name,
			   struct maui_pair_values *ret);

#endif
