/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.c - --constraint where it is about a set of nodes, not about each node
 *
 * model/features.h judges one node. "[a|b]" wants one alternative for all nodes of the job: it is
 * chosen here. Each capture chooses again, by the nodes that are idle now, so that the planned job
 * can start. "[a*2&b*4]" wants so many nodes of each: the request says how many, and Slurm which.
 */

#include "slurm/compat.h"

#include "slurm/request/request.h"

#include "model/features.h"

enum { MAX_BRACKETS = 8, MAX_ALTERNATIVES = 64 };

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

/* `text` with its first "[a|b]" replaced by the best "(a)"; NULL: none, no memory, or it
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

/* The sum of the counts of "[a*2&b*4]". */
static uint64_t sum_of_counts(const char *constraint)
{
	uint64_t sum = 0;

	for (const char *star = strchr(constraint, '*'); star; star = strchr(star + 1, '*'))
		sum += strtoul(star + 1, NULL, 10);
	return sum;
}

/* Slurm decides which nodes make up the counts. Nodes beyond their sum may be any. */
static void leave_counts(const char *constraint, struct maui_request *r)
{
	uint64_t sum = sum_of_counts(constraint);

	r->asks_slurm = true;
	if (sum > r->nodes_min)
		r->nodes_min = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
	if (r->nodes_max == 0 || r->nodes_max > sum)
		r->features = NULL;
}

/* Resolves all brackets one after the other, in the cluster's arena. A text that would take too
 * long stays as it is. NULL: no memory. */
static const char *resolve_brackets(struct scope *scope, const char *features)
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
static struct maui_request_features *find_resolved(const struct scope *scope, const char *features)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ scope->partition;

	hash = (hash ^ scope->request->nodes_min) * UINT64_C(1099511628211);
	for (const char *c = features; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
	return &scope->site->features[(hash ^ hash >> 32) % MAUI_REQUEST_FEATURES];
}

static int resolve_alternatives(struct scope *scope, const char *features)
{
	struct maui_request_features *entry = find_resolved(scope, features);

	if (!entry->asked || entry->partition != scope->partition ||
	    entry->nodes_min != scope->request->nodes_min || strcmp(entry->asked, features) != 0) {
		entry->partition = scope->partition;
		entry->nodes_min = scope->request->nodes_min;
		entry->asked = maui_arena_strdup(&scope->site->cluster->arena, features);
		entry->resolved = resolve_brackets(scope, features);
	}
	scope->request->features = entry->resolved;
	return entry->asked && entry->resolved ? 0 : -1;
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
	if (request->features && strchr(features, '*')) {
		leave_counts(features, request);
		return 0;
	}
	if (!request->features || partition < 0 || !strchr(features, '['))
		return 0;
	scope.counts = maui_request_kinds_count(site, scope.partition);
	scope.matches = malloc(site->kinds.count + 1u);
	result = scope.counts && scope.matches ? resolve_alternatives(&scope, features) : -1;
	free(scope.matches);
	return result;
}

void maui_request_open_features(const char *features, struct maui_request *request)
{
	if (request->features)
		request->features = features;
}
