/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.c - searches the cluster's nodes for the HOSTLIST of a setres
 *
 * Every user may send a HOSTLIST, and jobs wait during the search: an expression that costs too
 * much is refused before the plan uses it.
 */
#include "admin/hosts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hostexpr.h"
#include "base/limits.h"

/* Appends to the warnings so far. */
static int add_warning(char **warning, const char *what, const char *item, const char *end)
{
	char *text;

	if (asprintf(&text, "%s%sHOSTLIST: %s%s%s", *warning ? *warning : "", *warning ? "; " : "",
		     what, item, end) < 0)
		return -1;
	free(*warning);
	*warning = text;
	return 0;
}

/* Warns of doubtful items and missing nodes. 1: nodes are missing, and `missing` has the text. -1
 * without memory. */
static int check_items(const struct maui_document *published, const struct maui_hostexpr *expr,
		       char **warning, struct maui_err *missing)
{
	struct maui_hostnames *names =
		maui_hostnames_create(published->nodes, published->node_count);
	struct maui_err said;
	size_t at;
	int rc = names ? 0 : -1;

	if (names && maui_hostexpr_doubt(expr, names, &at, &said))
		rc = add_warning(warning, said.text, "", "");
	if (rc == 0)
		rc = maui_hostexpr_missing(expr, names, &at, missing);
	if (rc > 0 && add_warning(warning, missing->text, "", ""))
		rc = -1;
	maui_hostnames_destroy(names);
	return rc;
}

/* What was found. `unmatched`: an item without a node, or NULL. */
static int judge(const struct maui_document *published, const struct maui_hostexpr *expr,
		 const char *unmatched, bool best_effort, char **warning,
		 struct maui_query_error *error)
{
	struct maui_err missing;
	int rc;

	if (unmatched && !best_effort)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "no node is named or matches '%.200s'", unmatched);
	if (unmatched && add_warning(warning, "no node is named or matches '", unmatched, "'"))
		return maui_query_no_memory(error);
	rc = check_items(published, expr, warning, &missing);
	if (rc < 0)
		return maui_query_no_memory(error);
	if (rc > 0 && !best_effort)
		return maui_query_fail(error, MAUI_QUERY_BAD, "%s: BESTEFFORT takes the others",
				       missing.text);
	return 0;
}

int maui_admin_hosts(const struct maui_document *published, const char *hosts, bool best_effort,
		     char **warning, struct maui_query_error *error)
{
	size_t count = published ? published->node_count : 0;
	struct maui_hostexpr *expr = NULL;
	const char *unmatched = NULL;
	struct maui_err err = { "no memory" };
	ssize_t matched = -1;
	bool *match;
	int rc;

	if (!hosts || count == 0)
		return 0;
	match = calloc(count, sizeof(*match));
	if (match && maui_hostexpr_parse(hosts, &expr, &err) == 0 &&
	    !maui_hostexpr_mistake(expr, &err)) {
		maui_hostexpr_limit(expr, MAUI_ADMIN_MAX_VISITS);
		matched =
			maui_hostexpr_match(expr, published->nodes, count, match, &unmatched, &err);
	}
	if (matched < 0)
		rc = maui_query_fail(error, MAUI_QUERY_BAD, "HOSTLIST: %s", err.text);
	else if (matched == 0)
		rc = judge(published, expr, unmatched ? unmatched : hosts, false, warning, error);
	else
		rc = judge(published, expr, unmatched, best_effort, warning, error);
	maui_hostexpr_destroy(expr);
	free(match);
	return rc;
}
