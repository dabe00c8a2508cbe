/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostexpr.h - which nodes a HOSTLIST means
 *
 * Items are separated by ',' (or blanks, old form) outside brackets, braces and parentheses. An
 * item is, in this order (our ruling): a literal node name; ALL or [ALL] in any case: every
 * node; a Slurm range (node[01-16,20]) when every expanded name exists; an extended,
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

/* Syntax only: needs no node table. -1 with the item and what is wrong with it, also when a cap of
 * limits.h is exceeded. A range of more than MAUI_HOSTEXPR_MAX_NAMES names is refused unless it
 * is of single digits: then it is a regular expression only. The caller owns the result. */
int maui_hostexpr_parse(const char *text, struct maui_hostexpr **ret_expr, struct maui_err *err);
void maui_hostexpr_destroy(struct maui_hostexpr *expr); /* NULL is fine */

/* What matching may cost from now on, at most MAUI_HOSTEXPR_MAX_VISITS. */
void maui_hostexpr_limit(struct maui_hostexpr *expr, size_t visits);

/* `names` are the names of all nodes, each once. Sets ret_match[i] for every names[i] that an item
 * matches (clears the others). Returns how many. `ret_unmatched`, if not NULL, gets the text of the
 * first item that matched nothing (owned by expr), else NULL.
 * -1 with the item when it cannot be told: a regular expression is too costly for a name, or all
 * items for all names (maui_hostexpr_limit()), or there is no memory. Then all of ret_match is
 * cleared. */
ssize_t maui_hostexpr_match(const struct maui_hostexpr *expr, const char *const *names,
			    size_t count, bool *ret_match, const char **ret_unmatched,
			    struct maui_err *err);

/* The names of all nodes, each once, put in order for many expressions. Borrows them. NULL without
 * memory. */
struct maui_hostnames;
struct maui_hostnames *maui_hostnames_create(const char *const *names, size_t count);
void maui_hostnames_destroy(struct maui_hostnames *names); /* NULL is fine */

/* As maui_hostexpr_match(), but the indices of those that match, ascending: for lists of a few of
 * many nodes. Both arrays are as long as there are names; `scratch` is all false, before and
 * after. */
ssize_t maui_hostexpr_list(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			   bool *scratch, uint32_t *ret_list, const char **ret_unmatched,
			   struct maui_err *err);

/* The first item that is but for its numbers a range (node[10-1], node[1-10:2]): as an expression
 * it matches other nodes. 1 with what is to be said of it; 0: there is none. */
int maui_hostexpr_mistake(const struct maui_hostexpr *expr, struct maui_err *ret_text);

/* The first of the other items that was hardly meant as it is read: node* as in a shell; a range of
 * which nodes are missing, an expression therefore; a text that is no node's name and part of
 * several. 1 with what is to be said of it, and where it begins in the text that was parsed; 0:
 * there is none, or it cannot be told. */
int maui_hostexpr_doubt(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			size_t *ret_at, struct maui_err *ret_text);

#endif
