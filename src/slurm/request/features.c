/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.c - --constraint where it is about a set of nodes, not about each node
 *
 * model/features.h judges one node. "[a|b]" wants one alternative for all nodes of the job, and
 * "[a*2&b*4]" wants so many nodes of each. Here one alternative, or one set of nodes, is chosen
 * for the request. Each capture chooses anew by the nodes that are idle now, so that the planned
 * job can start.
 */

#include "slurm/compat.h"

#include "slurm/request/request.h"

#include "model/features.h"

enum { MAX_TERMS = 64, MAX_BRACKETS = 8, MAX_ALTERNATIVES = 64 };

/* A node, while a set is chosen. */
enum mark { MARK_CHOSEN = 1, MARK_EXCLUDED = 2, MARK_REQUIRED = 4 };

struct scope {
	struct maui_request_site *site;
	uint32_t partition;
	struct maui_request *request;
	const struct maui_request_kind_count *counts; /* of the partition, by kind of nodes */
	bool *matches;                                /* room for one a kind */
	uint64_t work_left;                           /* for this job */
	bool too_long;                                /* to resolve */
};

/* Rates an alternative: first idle nodes, as many as wanted, then nodes in service. */
static uint64_t score(const struct scope *scope, const char *constraint)
{
	uint64_t idle = 0, in_service = 0;

	if (!maui_request_matches(scope->site, constraint, scope->matches))
		return 0;
	for (uint32_t k = 0; k < scope->site->kinds.count; k++) {
		if (!scope->matches[k])
			continue;
		idle += scope->counts[k].idle;
		in_service += scope->counts[k].in_service;
	}
	if (idle > scope->request->nodes_min)
		idle = scope->request->nodes_min;
	return idle << 32 | in_service;
}

/* Length of an alternative: up to '|' outside of parentheses, or the end. */
static size_t alternative(const char *text, size_t length)
{
	size_t depth = 0, i;

	for (i = 0; i < length && (depth > 0 || text[i] != '|'); i++)
		depth += (size_t)(text[i] == '(') - (size_t)(text[i] == ')');
	return i;
}

/* Whether the alternative stands before itself in the bracket. */
static bool is_repeated(const char *first, const char *at, size_t length)
{
	for (size_t before; first < at; first += before + 1) {
		before = alternative(first, (size_t)(at - first));
		if (before == length && strncmp(first, at, length) == 0)
			return true;
	}
	return false;
}

/* Whether the work budget allows one more try with a text of this length. */
static bool may_try(struct scope *scope, size_t length)
{
	if (maui_request_may_work(scope->site, &scope->work_left,
				  length * (scope->site->kinds.count + 1u)))
		return true;
	scope->too_long = true;
	return false;
}

/* `text` with its first "[a|b]" replaced by the best "(a)"; NULL: there is none, no memory, or it
 * is too long. The caller frees. */
static char *resolve_bracket(struct scope *scope, const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	size_t room = strlen(text) + 3, length; /* "[a]" becomes "(a)" */
	char *best = malloc(room), *tried = malloc(room);
	unsigned tries = 0;
	uint64_t most = 0;
	bool any = false;

	for (const char *at = open ? open + 1 : NULL;
	     best && tried && close && at <= close && tries < MAX_ALTERNATIVES; at += length + 1) {
		uint64_t found;

		length = alternative(at, (size_t)(close - at));
		if (is_repeated(open + 1, at, length))
			continue;
		if (!may_try(scope, room))
			break;
		tries++;
		snprintf(tried, room, "%.*s(%.*s)%s", (int)(open - text), text, (int)length, at,
			 close + 1);
		found = score(scope, tried);
		if (!any || found > most) {
			most = found;
			memcpy(best, tried, room);
			any = true;
		}
	}
	free(tried);
	if (any && !scope->too_long)
		return best;
	free(best);
	return NULL;
}

/* "a*2" of a counted constraint. */
struct term {
	char *constraint; /* in the split copy */
	uint32_t count;
};

/* Splits "[a*2&b*4]" or "a*2" into terms; 0: the text is something else. */
static unsigned split_terms(char *text, struct term *terms)
{
	size_t length = strlen(text);
	unsigned count = 0;
	char *rest;

	if (text[0] == '[' && text[length - 1] == ']') {
		text[length - 1] = '\0';
		text++;
	}
	for (char *one = strtok_r(text, "&", &rest); one; one = strtok_r(NULL, "&", &rest)) {
		char *star = strrchr(one, '*');

		if (count == MAX_TERMS || strpbrk(one, "[]()") || !star)
			return 0;
		*star = '\0';
		if (strchr(one, '*'))
			return 0;
		terms[count].constraint = one;
		terms[count++].count = (uint32_t)strtoul(star + 1, NULL, 10);
	}
	return count;
}

/* Lists the nodes that may be chosen, best first: --nodelist, idle, in service, others. */
static uint32_t *rank_nodes(const struct scope *scope, const uint8_t *marks, uint32_t *ret_count)
{
	const struct maui_snapshot *s = scope->site->cluster->snapshot;
	uint32_t *list = malloc((s->node_count + 1u) * sizeof(*list)), count = 0;

	for (unsigned rank = 0; list && rank < 4; rank++) {
		for (uint32_t n = 0; n < s->node_count; n++) {
			const struct maui_node *node = &s->nodes[n];
			unsigned own = marks[n] & MARK_REQUIRED              ? 0 :
				       maui_request_is_idle(node)            ? 1 :
				       bit_test(avail_node_bitmap, node->id) ? 2 :
									       3;

			if (own == rank && !(marks[n] & MARK_EXCLUDED) &&
			    maui_request_in_partition(node, scope->partition))
				list[count++] = n;
		}
	}
	*ret_count = count;
	return list;
}

/* Marks the first `wanted` unmarked nodes for a term; NULL: any node serves. Returns how many are
 * missing. */
static uint32_t mark_nodes(const struct scope *scope, const char *constraint, uint32_t wanted,
			   const uint32_t *list, uint32_t count, uint8_t *marks)
{
	const struct maui_request_site *site = scope->site;
	const struct maui_snapshot *s = site->cluster->snapshot;

	if (!maui_request_matches(site, constraint, scope->matches))
		return wanted;
	for (uint32_t i = 0; i < count && wanted > 0; i++) {
		uint32_t n = list[i];

		if ((marks[n] & MARK_CHOSEN) ||
		    !scope->matches[site->kinds.of_class[s->nodes[n].class_index]])
			continue;
		marks[n] |= MARK_CHOSEN;
		wanted--;
	}
	return wanted;
}

/* Excludes all nodes but the chosen ones. */
static void exclude_others(const struct scope *scope, const uint8_t *marks, uint32_t missing)
{
	struct maui_request_site *site = scope->site;
	struct maui_request *r = scope->request;

	r->excluded_count = 0;
	for (uint32_t n = 0; n < site->cluster->snapshot->node_count; n++)
		if (!(marks[n] & MARK_CHOSEN))
			site->excluded[r->excluded_count++] = n;
	r->excluded = site->excluded;
	if (missing > 0)
		site->least[MAUI_AMOUNT_PROCS] = MAUI_REQUEST_NOWHERE;
}

/* Chooses a set of nodes with these counts, and excludes all others. -1: no memory. */
static int choose_counted(const struct scope *scope, const struct term *terms, unsigned count)
{
	uint32_t nodes = scope->site->cluster->snapshot->node_count, missing = 0, listed = 0;
	struct maui_request *r = scope->request;
	uint8_t *marks = calloc(nodes + 1u, sizeof(*marks));
	uint32_t *list = NULL;
	uint64_t sum = 0;

	for (uint32_t i = 0; marks && i < r->excluded_count; i++)
		marks[r->excluded[i]] |= MARK_EXCLUDED;
	for (uint32_t i = 0; marks && i < r->required_count; i++)
		marks[r->required[i]] |= MARK_REQUIRED;
	if (marks)
		list = rank_nodes(scope, marks, &listed);
	if (list) {
		for (unsigned i = 0; i < count; i++) {
			missing |= mark_nodes(scope, terms[i].constraint, terms[i].count, list,
					      listed, marks);
			sum += terms[i].count;
		}
		if (sum < r->nodes_min)
			missing |= mark_nodes(scope, NULL, r->nodes_min - (uint32_t)sum, list,
					      listed, marks);
		else
			r->nodes_min = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
		exclude_others(scope, marks, missing);
	}
	free(marks);
	free(list);
	return list ? 0 : -1;
}

/* Resolves a counted constraint and sets features to NULL. -1: no memory. */
static int settle_counts(struct scope *scope, const char *text)
{
	uint64_t nodes = scope->site->cluster->snapshot->node_count;
	struct term terms[MAX_TERMS];
	char *copy = strdup(text);
	unsigned count = copy ? split_terms(copy, terms) : 0;
	int result = copy ? 0 : -1;

	/* ranking reads each node four times */
	if (count > 0 && maui_request_may_work(scope->site, &scope->work_left,
					       strlen(text) * scope->site->kinds.count +
						       (count + 6) * nodes / 5)) {
		result = choose_counted(scope, terms, count);
		scope->request->features = NULL;
	}
	free(copy);
	return result;
}

/* Resolves all brackets one after the other, in the cluster's arena. A text that would take too
 * long stays as it is. NULL: no memory. */
static const char *settle_brackets(struct scope *scope, const char *features)
{
	char *text = strdup(features), *next;
	const char *result = NULL;

	for (unsigned i = 0; text && i < MAX_BRACKETS; i++) {
		next = resolve_bracket(scope, text);
		if (!next)
			break;
		free(text);
		text = next;
	}
	if (text)
		result = maui_arena_strdup(&scope->site->cluster->arena,
					   scope->too_long ? features : text);
	free(text);
	return result;
}

/* The cache entry of a constraint. */
static struct maui_request_settled *find_settled(const struct scope *scope, const char *features)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ scope->partition;

	hash = (hash ^ scope->request->nodes_min) * UINT64_C(1099511628211);
	for (const char *c = features; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
	return &scope->site->settled[(hash ^ hash >> 32) % MAUI_REQUEST_SETTLED];
}

static int settle_alternatives(struct scope *scope, const char *features)
{
	struct maui_request_settled *entry = find_settled(scope, features);

	if (!entry->asked || entry->partition != scope->partition ||
	    entry->nodes_min != scope->request->nodes_min || strcmp(entry->asked, features) != 0) {
		entry->partition = scope->partition;
		entry->nodes_min = scope->request->nodes_min;
		entry->asked = maui_arena_strdup(&scope->site->cluster->arena, features);
		entry->settled = settle_brackets(scope, features);
	}
	scope->request->features = entry->settled;
	return entry->asked && entry->settled ? 0 : -1;
}

int maui_request_features(struct maui_request_site *site, const char *features, int64_t partition,
			  struct maui_request *request)
{
	struct scope scope = { .site = site,
			       .partition = (uint32_t)partition,
			       .request = request,
			       .work_left = MAUI_REQUEST_WORK_OF_A_JOB };
	int result;

	request->features = features && *features ? features : NULL;
	if (!request->features || partition < 0 || !strpbrk(features, "[*"))
		return 0;
	scope.counts = maui_request_kinds_count(site, scope.partition);
	scope.matches = malloc(site->kinds.count + 1u);
	if (!scope.counts || !scope.matches)
		result = -1;
	else if (strchr(features, '*'))
		result = settle_counts(&scope, features);
	else
		result = settle_alternatives(&scope, features);
	free(scope.matches);
	return result;
}

void maui_request_open_features(const char *features, struct maui_request *request)
{
	if (request->features && !strchr(features, '*'))
		request->features = features;
}
