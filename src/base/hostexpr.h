/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostexpr.h - which nodes a HOSTLIST means
 *
 * Items are separated by ',' (or blanks, old form) outside brackets, braces and parentheses. An
 * item is, in this order (our ruling): a literal node name; ALL or [ALL] in any case: every
 * node; in the form of a Slurm range (node[01-16,20]), those nodes of it that exist, unless it has
 * single digits only and no node exists (node[0-9] of node01, node02); an extended,
 * case-insensitive POSIX regular expression (base/pattern.h) searched, not anchored, in the node
 * names (Maui manual 7.1.5).
 *
 * Rules: CFG-7.
 */
#ifndef MAUI_BASE_HOSTEXPR_H
#define MAUI_BASE_HOSTEXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* for ssize_t */

#include "base/err.h"

struct maui_hostexpr;

/* Parses the text without a node table. -1 with the item and its error, or the exceeded cap of
 * limits.h. A range of more than MAUI_HOSTEXPR_MAX_NAMES names is refused, unless it has single
 * digits only. The caller owns the result. */
int maui_hostexpr_parse(const char *text, struct maui_hostexpr **ret_expr, struct maui_err *err);
void maui_hostexpr_destroy(struct maui_hostexpr *expr); /* NULL is fine */

/* Limits the cost of later matching; at most MAUI_HOSTEXPR_MAX_VISITS. */
void maui_hostexpr_limit(struct maui_hostexpr *expr, size_t visits);

/* `names`: the names of all nodes, each once. Sets ret_match[i] for every names[i] that an item
 * matches, and clears the others. Returns the number of matches. `ret_unmatched`, if not NULL,
 * gets the text of the first item that matched nothing (owned by expr), or NULL. -1 with the
 * item when matching was given up: a regular expression is too costly for a name, or all items
 * are for all names (maui_hostexpr_limit()), or no memory. Then all of ret_match is cleared. */
ssize_t maui_hostexpr_match(const struct maui_hostexpr *expr, const char *const *names,
			    size_t count, bool *ret_match, const char **ret_unmatched,
			    struct maui_err *err);

struct maui_hostnames;

/* As maui_hostexpr_match(), but lists the indices of the matching names, ascending. This is
 * cheap when few of many nodes match. Both arrays have one element for each name; `scratch` is
 * all false before and after. */
ssize_t maui_hostexpr_list(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			   bool *scratch, uint32_t *ret_list, const char **ret_unmatched,
			   struct maui_err *err);

/* Finds the first item that looks like a range but is not (node[10-1], node[1-10:2]): read as an
 * expression, the item would match other nodes. 1 with the text of a warning; 0: none. */
int maui_hostexpr_mistake(const struct maui_hostexpr *expr, struct maui_err *ret_text);

/* Finds the first other item that probably means something else than its reading: node* as in a
 * shell; a text that is not a node's name but part of several. 1 with the text of a warning, and
 * the item's index in the parsed text; 0: there is none, or matching was given up. */
int maui_hostexpr_doubt(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			size_t *ret_at, struct maui_err *ret_text);

/* Finds the nodes of ranges that do not exist, where others of the range do; not of several sets of
 * single digits (node[0-9][0-9]). 1 with "no node
 * n[3-5]" and the index of the first such item in the parsed text; 0: there is none; -1: no
 * memory. */
int maui_hostexpr_missing(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			  size_t *ret_at, struct maui_err *ret_text);

#endif
