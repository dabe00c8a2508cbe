/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request_features.c - --constraint, where it is about a set of nodes and not about each
 *
 * model/features.h judges one node. "[a|b]" wants one alternative for all nodes of the job, and
 * "[a*2&b*4]" so many of each: here one alternative, or one set of nodes, is chosen for the request
 * by what is idle at the moment, anew with each capture, so that what is planned can be started.
 */

#include "slurm/compat.h"

#include "slurm/request.h"

#include "model/features.h"

enum { MAX_TERMS = 64, MAX_BRACKETS = 8, MAX_ALTERNATIVES = 64 };

/* A node, while a set is chosen. */
enum mark { MARK_CHOSEN = 1, MARK_EXCLUDED = 2, MARK_REQUIRED = 4 };

struct scope {
	const struct maui_request_site *site;
	uint32_t partition;
	struct maui_request *request;
};

static bool has_partition(const struct maui_node *node, uint32_t partition)
{
	for (uint32_t i = 0; i < node->partition_count; i++)
		if (node->partitions[i] == partition)
			return true;
	return false;
}

static bool is_idle(const struct maui_node *node)
{
	return bit_test(idle_node_bitmap, node->id) && bit_test(avail_node_bitmap, node->id);
}

/* How well an alternative serves now: as many idle nodes as wanted, then nodes in service. */
static uint64_t score(const struct scope *scope, const char *constraint)
{
	const struct maui_snapshot *s = scope->site->cluster->snapshot;
	uint64_t idle = 0, in_service = 0;

	for (uint32_t n = 0; n < s->node_count; n++) {
		const struct maui_node *node = &s->nodes[n];

		if (!has_partition(node, scope->partition) ||
		    !maui_features_match(constraint, node->features))
			continue;
		idle += is_idle(node);
		in_service += bit_test(avail_node_bitmap, node->id);
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

/* `text` with its first "[a|b]" replaced by the best "(a)"; NULL: there is none, or no memory. The
 * caller frees. */
static char *resolve_bracket(const struct scope *scope, const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	size_t room = strlen(text) + 1, length;
	char *best = malloc(room), *tried = malloc(room);
	unsigned tries = 0;
	uint64_t most = 0;
	bool any = false;

	for (const char *at = open ? open + 1 : NULL;
	     best && tried && close && at <= close && tries < MAX_ALTERNATIVES;
	     at += length + 1, tries++) {
		uint64_t found;

		length = alternative(at, (size_t)(close - at));
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
	if (any)
		return best;
	free(best);
	return NULL;
}

/* "a*2" of a counted constraint. */
struct term {
	char *constraint; /* in the copy that was cut up */
	uint32_t count;
};

/* Cuts "[a*2&b*4]" or "a*2" up; 0: it is something else. */
static unsigned cut_up(char *text, struct term *terms)
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

/* Marks the `wanted` best free nodes for a term: --nodelist, idle, in service, any. Returns how
 * many there are not. */
static uint32_t choose(const struct scope *scope, const char *constraint, uint32_t wanted,
		       uint8_t *marks)
{
	const struct maui_snapshot *s = scope->site->cluster->snapshot;

	for (unsigned rank = 0; rank < 4 && wanted > 0; rank++) {
		for (uint32_t n = 0; n < s->node_count && wanted > 0; n++) {
			const struct maui_node *node = &s->nodes[n];
			bool fits = rank == 0 ? marks[n] & MARK_REQUIRED :
				    rank == 1 ? is_idle(node) :
				    rank == 2 ? bit_test(avail_node_bitmap, node->id) :
						true;

			if (!fits || (marks[n] & (MARK_CHOSEN | MARK_EXCLUDED)) ||
			    !has_partition(node, scope->partition) ||
			    !maui_features_match(constraint, node->features))
				continue;
			marks[n] |= MARK_CHOSEN;
			wanted--;
		}
	}
	return wanted;
}

/* All nodes but a set that has the counts are excluded. -1: no memory. */
static int choose_counted(const struct scope *scope, const struct term *terms, unsigned count)
{
	struct maui_request_site *site = (struct maui_request_site *)scope->site;
	uint32_t nodes = site->cluster->snapshot->node_count, sum = 0, missing = 0;
	struct maui_request *r = scope->request;
	uint8_t *marks = calloc(nodes + 1u, sizeof(*marks));

	if (!marks)
		return -1;
	for (uint32_t i = 0; i < r->excluded_count; i++)
		marks[r->excluded[i]] |= MARK_EXCLUDED;
	for (uint32_t i = 0; i < r->required_count; i++)
		marks[r->required[i]] |= MARK_REQUIRED;
	for (unsigned i = 0; i < count; i++) {
		missing += choose(scope, terms[i].constraint, terms[i].count, marks);
		sum += terms[i].count;
	}
	if (sum < r->nodes_min)
		missing += choose(scope, NULL, r->nodes_min - sum, marks);
	else
		r->nodes_min = sum;
	r->excluded_count = 0;
	for (uint32_t n = 0; n < nodes; n++)
		if (!(marks[n] & MARK_CHOSEN))
			site->excluded[r->excluded_count++] = n;
	r->excluded = site->excluded;
	if (missing > 0)
		site->least[MAUI_AMOUNT_PROCS] = MAUI_REQUEST_NOWHERE;
	free(marks);
	return 0;
}

/* 1: it was a counted constraint and is settled. */
static int settle_counts(const struct scope *scope, const char *text)
{
	struct term terms[MAX_TERMS];
	char *copy = strdup(text);
	unsigned count = copy ? cut_up(copy, terms) : 0;
	int result = !copy ? -1 : count == 0 ? 0 : choose_counted(scope, terms, count) ? -1 : 1;

	free(copy);
	return result;
}

/* All brackets resolved, one after the other; in the cluster's arena. NULL: no memory. */
static const char *settle_brackets(const struct scope *scope, const char *features)
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
		result = maui_arena_strdup(&scope->site->cluster->arena, text);
	free(text);
	return result;
}

static int settle_alternatives(const struct scope *scope, const char *features)
{
	struct maui_request_site *site = (struct maui_request_site *)scope->site;
	struct maui_request_settled *entry;

	for (unsigned i = 0; i < MAUI_REQUEST_SETTLED; i++) {
		entry = &site->settled[i];
		if (entry->asked && entry->partition == scope->partition &&
		    entry->nodes_min == scope->request->nodes_min &&
		    strcmp(entry->asked, features) == 0) {
			scope->request->features = entry->settled;
			return 0;
		}
	}
	entry = &site->settled[site->settled_next++ % MAUI_REQUEST_SETTLED];
	entry->partition = scope->partition;
	entry->nodes_min = scope->request->nodes_min;
	entry->asked = maui_arena_strdup(&site->cluster->arena, features);
	entry->settled = settle_brackets(scope, features);
	scope->request->features = entry->settled;
	return entry->asked && entry->settled ? 0 : -1;
}

int maui_request_features(const struct maui_request_site *site, const char *features,
			  int64_t partition, struct maui_request *request)
{
	const struct scope scope = { site, (uint32_t)partition, request };
	int settled;

	request->features = features && *features ? features : NULL;
	if (!request->features || partition < 0 || !strpbrk(features, "[*"))
		return 0;
	if (!strchr(features, '*'))
		return settle_alternatives(&scope, features);
	settled = settle_counts(&scope, features);
	if (settled == 1)
		request->features = NULL;
	return settled < 0 ? -1 : 0;
}
