/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.c - searches the cluster's nodes for the HOSTLIST of a setres
 *
 * Every user may send a HOSTLIST, and jobs wait during the search: an expression that costs too
 * much is refused before the plan uses it.
 */
#include "admin/hosts.h"

#include <stdlib.h>

#include "admin/warning.h"
#include "base/hostexpr.h"
#include "base/hostnames.h"
#include "base/limits.h"

/* Warns of doubtful items and missing nodes. 1: nodes are missing, and `missing` has the text. -1
 * without memory. */
static int check_items(struct maui_admin_nodes nodes, const struct maui_hostexpr *expr,
		       char **warning, struct maui_err *missing)
{
	struct maui_hostnames *names = maui_hostnames_create(nodes.names, nodes.count);
	struct maui_err doubt;
	size_t at;
	int rc;

	if (!names)
		return -1;
	if (maui_hostexpr_doubt(expr, names, &at, &doubt))
		maui_admin_warn(warning, "HOSTLIST: %s", doubt.text);
	rc = maui_hostexpr_missing(expr, names, &at, missing);
	if (rc > 0)
		maui_admin_warn(warning, "HOSTLIST: %s", missing->text);
	maui_hostnames_destroy(names);
	return rc;
}

/* What was found. `unmatched`: an item without a node, or NULL. */
static int judge(struct maui_admin_nodes nodes, const struct maui_hostexpr *expr,
		 const char *unmatched, bool best_effort, char **warning,
		 struct maui_query_error *error)
{
	struct maui_err missing;
	int rc;

	if (unmatched && !best_effort)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "no node is named or matches '%.200s'", unmatched);
	if (unmatched)
		maui_admin_warn(warning, "HOSTLIST: no node is named or matches '%s'", unmatched);
	rc = check_items(nodes, expr, warning, &missing);
	if (rc < 0)
		return maui_query_no_memory(error);
	if (rc > 0 && !best_effort)
		return maui_query_fail(error, MAUI_QUERY_BAD, "%s: BESTEFFORT takes the others",
				       missing.text);
	return 0;
}

int maui_admin_hosts(struct maui_admin_nodes nodes, const char *hosts, bool best_effort,
		     char **warning, struct maui_query_error *error)
{
	struct maui_hostexpr *expr = NULL;
	const char *unmatched = NULL;
	struct maui_err err = { .no_memory = true };
	ssize_t matched = -1;
	bool *match;
	int rc;

	if (!hosts || nodes.count == 0)
		return 0;
	match = calloc(nodes.count, sizeof(*match));
	if (match && maui_hostexpr_parse(hosts, &expr, &err) == 0 &&
	    !maui_hostexpr_mistake(expr, &err)) {
		maui_hostexpr_limit(expr, MAUI_ADMIN_MAX_VISITS);
		matched = maui_hostexpr_match(expr, nodes.names, nodes.count, match, &unmatched,
					      &err);
	}
	if (matched < 0)
		rc = err.no_memory ?
			     maui_query_no_memory(error) :
			     maui_query_fail(error, MAUI_QUERY_BAD, "HOSTLIST: %s", err.text);
	else if (matched == 0)
		rc = judge(nodes, expr, unmatched ? unmatched : hosts, false, warning, error);
	else
		rc = judge(nodes, expr, unmatched, best_effort, warning, error);
	maui_hostexpr_destroy(expr);
	free(match);
	return rc;
}
