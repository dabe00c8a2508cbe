/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.c - the nodes that a HOSTLIST matches, kept from plan to plan
 *
 * Searching for a regular expression in the names of ten thousand nodes takes a millisecond.
 * maui.cfg may have hundreds of them, and there is a plan every few seconds.
 */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "base/hostexpr.h"
#include "base/hostnames.h"
#include "reservation/placement/private.h"

struct hostlist {
	char *text;
	uint32_t *nodes;
	uint32_t count;
	bool used; /* since the last maui_standing_hosts_begin() */
};

struct maui_standing_hosts {
	struct maui_hashtable lists; /* by the text of the list */
	uint64_t nodes;              /* hash of all node names */
	/* set while lists are matched; NULL: not needed yet */
	const char **names;
	struct maui_hostnames *sorted;
	bool *scratch;
	uint32_t *found;
};

struct maui_standing_hosts *maui_standing_hosts_create(void)
{
	return calloc(1, sizeof(struct maui_standing_hosts));
}

static void destroy_list(struct hostlist *list)
{
	free(list->text);
	free(list->nodes);
	free(list);
}

static bool keep_used(void *value, void *arg)
{
	struct hostlist *list = value;

	(void)arg;
	if (list->used)
		return true;
	destroy_list(list);
	return false;
}

static void drop_lists(struct maui_standing_hosts *hosts)
{
	struct hostlist *list;

	for (size_t at = 0; (list = maui_hashtable_next(&hosts->lists, &at));)
		destroy_list(list);
	maui_hashtable_finish(&hosts->lists);
}

void maui_standing_hosts_end(struct maui_standing_hosts *hosts)
{
	maui_hostnames_destroy(hosts->sorted);
	free(hosts->names);
	free(hosts->scratch);
	free(hosts->found);
	hosts->sorted = NULL;
	hosts->names = NULL;
	hosts->scratch = NULL;
	hosts->found = NULL;
	/* without memory unused lists stay until the next time */
	maui_hashtable_sweep(&hosts->lists, keep_used, NULL);
}

void maui_standing_hosts_destroy(struct maui_standing_hosts *hosts)
{
	if (!hosts)
		return;
	drop_lists(hosts);
	free(hosts);
}

static const char *name_of(const struct maui_snapshot *s, uint32_t node)
{
	return s->nodes[node].name ? s->nodes[node].name : "";
}

void maui_standing_hosts_begin(struct maui_standing_hosts *hosts, const struct maui_snapshot *s)
{
	uint64_t hash = s->node_count;
	struct hostlist *list;

	for (uint32_t n = 0; n < s->node_count; n++)
		hash = maui_hash_text(name_of(s, n), hash);
	if (hash != hosts->nodes)
		drop_lists(hosts);
	hosts->nodes = hash;
	for (size_t at = 0; (list = maui_hashtable_next(&hosts->lists, &at));)
		list->used = false;
}

static int prepare_names(struct maui_standing_hosts *hosts, const struct maui_snapshot *s)
{
	size_t count = s->node_count + 1u;

	if (hosts->sorted)
		return 0;
	hosts->names = calloc(count, sizeof(*hosts->names));
	hosts->scratch = calloc(count, sizeof(*hosts->scratch));
	hosts->found = calloc(count, sizeof(*hosts->found));
	if (!hosts->names || !hosts->scratch || !hosts->found)
		return -1;
	for (uint32_t n = 0; n < s->node_count; n++)
		hosts->names[n] = name_of(s, n);
	hosts->sorted = maui_hostnames_create(hosts->names, s->node_count);
	return hosts->sorted ? 0 : -1;
}

/* How many nodes match, 0 by a faulty list; -1 without memory. */
static ssize_t search_nodes(struct maui_standing_hosts *hosts, const char *text)
{
	struct maui_hostexpr *expr = NULL;
	struct maui_err err = { .text = "" };
	ssize_t found = maui_hostexpr_parse(text, &expr, &err);

	if (found == 0)
		found = maui_hostexpr_list(expr, hosts->sorted, hosts->scratch, hosts->found, NULL,
					   &err);
	maui_hostexpr_destroy(expr);
	return found >= 0 ? found : err.no_memory ? -1 : 0;
}

static struct hostlist *make_list(struct maui_standing_hosts *hosts, const char *text)
{
	ssize_t found = search_nodes(hosts, text);
	size_t count = (size_t)found;
	struct hostlist *list = found >= 0 ? calloc(1, sizeof(*list)) : NULL;

	if (!list)
		return NULL;
	list->text = strdup(text);
	list->nodes = calloc(count + 1, sizeof(*list->nodes));
	if (!list->text || !list->nodes) {
		destroy_list(list);
		return NULL;
	}
	memcpy(list->nodes, hosts->found, count * sizeof(*list->nodes));
	list->count = (uint32_t)count;
	return list;
}

static bool has_text(const void *value, const void *text)
{
	const struct hostlist *list = value;

	return strcmp(list->text, text) == 0;
}

int maui_standing_match(struct maui_standing_hosts *hosts, const struct maui_snapshot *s,
			const char *text, const uint32_t **ret, uint32_t *ret_count)
{
	uint64_t hash = maui_hash_text(text, 0);
	struct hostlist *list = maui_hashtable_find(&hosts->lists, hash, has_text, text);

	if (!list) {
		list = prepare_names(hosts, s) ? NULL : make_list(hosts, text);
		if (!list)
			return -1;
		if (maui_hashtable_add(&hosts->lists, hash, list)) {
			destroy_list(list);
			return -1;
		}
	}
	list->used = true;
	*ret = list->nodes;
	*ret_count = list->count;
	return 0;
}
