/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - NodeName lines: what each node has */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/hostrange.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "slurmconf/conf.h"
#include "slurmconf/reading.h"

/* ---- gres ---- */

/* Calls for each name and count of "gpu:a100:4(S:0),mps:8"; counts of one name are added up. */
typedef int (*gres_fn)(struct maui_conf_reading *r, const char *name, size_t length, int64_t count,
		       int64_t *amounts);

static int64_t gres_count(const char *text)
{
	static const char steps[] = "kmgt";
	char *end;
	int64_t count = maui_number_read(text, &end);
	const char *step = *end ? strchr(steps, tolower((unsigned char)*end)) : NULL;

	for (; step && step >= steps; step--)
		count = count > MAUI_NUMBER_MAX / 1024 ? MAUI_NUMBER_MAX : count * 1024;
	return count;
}

static int each_gres(struct maui_conf_reading *r, const char *list, gres_fn call, int64_t *amounts)
{
	while (list && *list) {
		size_t length = strcspn(list, ","), name = strcspn(list, ":,(");
		size_t plain = strcspn(list, ",(");
		const char *last = list + plain;
		int64_t count = 1;

		while (last > list && last[-1] != ':')
			last--;
		if (last > list && *last >= '0' && *last <= '9')
			count = gres_count(last);
		if (call(r, list, name, count, amounts))
			return -1;
		list += length + (list[length] == ',');
	}
	return 0;
}

static int find_gres(const struct maui_slurmconf *conf, const char *name, size_t length)
{
	for (unsigned g = 0; g < conf->gres_count; g++)
		if (strlen(conf->gres[g]) == length && strncmp(conf->gres[g], name, length) == 0)
			return (int)g;
	return -1;
}

static int note_gres(struct maui_conf_reading *r, const char *name, size_t length, int64_t count,
		     int64_t *amounts)
{
	struct maui_slurmconf *conf = r->conf;
	char **grown;

	(void)count;
	(void)amounts;
	if (find_gres(conf, name, length) >= 0)
		return 0;
	grown = maui_array_grow(conf->gres, conf->gres_count, &r->gres_alloc, sizeof(*grown));
	if (!grown)
		return maui_conf_no_memory(r);
	conf->gres = grown;
	grown[conf->gres_count] = strndup(name, length);
	return grown[conf->gres_count++] ? 0 : maui_conf_no_memory(r);
}

static int add_gres(struct maui_conf_reading *r, const char *name, size_t length, int64_t count,
		    int64_t *amounts)
{
	int g = find_gres(r->conf, name, length);

	if (g >= 0)
		amounts[MAUI_AMOUNT_FIXED + g] += count;
	return 0;
}

int maui_conf_note_gres(struct maui_conf_reading *r, const struct maui_conf_line *line)
{
	return each_gres(r, maui_conf_value(line, "Gres"), note_gres, NULL);
}

/* ---- processors ---- */

struct processors {
	int64_t cpus, cores, threads, special;
};

/* What Slurm keeps in 16 bits, and takes for 1 where it is 0. */
static int64_t at_least_one(struct maui_conf_entry *entry, const char *key)
{
	int64_t value = maui_conf_entry_number(entry, key, UINT16_MAX, 1);

	return value > 0 ? value : 1;
}

static bool has_key(const struct maui_conf_entry *entry, const char *key)
{
	return maui_conf_entry_text(entry, key) != NULL;
}

/* Sockets of the node; Sockets= counts those of all boards. `cpus` 0: not named. */
static int64_t read_sockets(struct maui_conf_entry *entry, int64_t cpus, int64_t per_socket)
{
	int64_t boards = at_least_one(entry, "Boards");

	if (has_key(entry, "SocketsPerBoard"))
		return boards * at_least_one(entry, "SocketsPerBoard");
	if (has_key(entry, "Sockets"))
		return at_least_one(entry, "Sockets");
	return cpus > 0 && cpus % per_socket == 0 ? cpus / per_socket : boards;
}

/* Processors in "0-1,4". */
static int64_t count_listed(const char *list)
{
	int64_t count = 0;

	while (*list) {
		char *end;
		int64_t first = maui_number_read(list, &end), last = first;

		if (end == list)
			return 0;
		if (*end == '-')
			last = maui_number_read(end + 1, &end);
		count += last >= first ? last - first + 1 : 0;
		list = end + (*end == ',');
		if (*end != '\0' && *end != ',')
			return 0;
	}
	return count;
}

/* Processors that no job gets. */
static int64_t read_special(struct maui_conf_entry *entry, const struct processors *p)
{
	const char *list = maui_conf_entry_text(entry, "CPUSpecList");
	int64_t count = list ? count_listed(list) : 0;
	int64_t cores = maui_conf_entry_number(entry, "CoreSpecCount", UINT16_MAX, 0);

	if (count > 0 && count < p->cpus)
		return count;
	return (cores < p->cores ? cores : 1) * p->threads;
}

static struct processors read_processors(struct maui_conf_entry *entry)
{
	int64_t threads = at_least_one(entry, "ThreadsPerCore");
	int64_t per_socket = at_least_one(entry, "CoresPerSocket");
	const char *key = has_key(entry, "CPUs") ? "CPUs" : "Procs";
	int64_t cpus = has_key(entry, key) ? at_least_one(entry, key) : 0;
	int64_t sockets = read_sockets(entry, cpus, per_socket * threads);
	struct processors p = { .cores = sockets * per_socket, .threads = threads };

	p.cpus = cpus;
	if (cpus != sockets && cpus != p.cores && cpus != p.cores * threads)
		p.cpus = p.cores * threads;
	if (p.cpus > UINT16_MAX)
		maui_conf_entry_fail(entry, "more than 65535 processors");
	if (p.cpus < p.cores * threads)
		p.threads = 1; /* then CPUs= counts cores */
	p.special = read_special(entry, &p);
	return p;
}

/* ---- the line ---- */

static int read_amounts(struct maui_conf_reading *r, struct maui_conf_entry *entry, int64_t *have,
			uint32_t *ret_unit)
{
	struct processors p = read_processors(entry);
	int64_t memory = maui_conf_entry_number(entry, "RealMemory", MAUI_NUMBER_MAX, 1);
	int64_t special = maui_conf_entry_number(entry, "MemSpecLimit", MAUI_NUMBER_MAX, 0);

	*ret_unit = r->rules.by_cpu ? 1 : (uint32_t)p.threads;
	have[MAUI_AMOUNT_PROCS] = p.cpus - p.special;
	have[MAUI_AMOUNT_MEM] = special < memory ? memory - special : memory;
	have[MAUI_AMOUNT_DISK] = maui_conf_entry_number(entry, "TmpDisk", UINT32_MAX, 0);
	return each_gres(r, maui_conf_entry_text(entry, "Gres"), add_gres, have);
}

static const char *const out_of_use[] = { "DOWN", "DRAIN", "FAIL", "FUTURE" };

enum {
	OUT_OF_USE = sizeof(out_of_use) / sizeof(out_of_use[0]),
	IN_USE,
	NO_STATE, /* Slurm has no such state */
};

/* IN_USE, NO_STATE, or the index of the state in out_of_use. */
static uint8_t read_state(const char *state)
{
	static const char *const whole[] = { "UNKNOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED" };
	static const char *const begins[] = { "CLOUD", "EXTERNAL" };

	for (uint8_t i = 0; i < OUT_OF_USE; i++) {
		bool longer = strcmp(out_of_use[i], "DRAIN") == 0 ||
			      strcmp(out_of_use[i], "FAIL") == 0; /* DRAINED, FAILING */

		if (longer ? strncasecmp(state, out_of_use[i], strlen(out_of_use[i])) == 0 :
			     strcasecmp(state, out_of_use[i]) == 0)
			return i;
	}
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (strcasecmp(state, whole[i]) == 0)
			return IN_USE;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncasecmp(state, begins[i], strlen(begins[i])) == 0)
			return IN_USE;
	return NO_STATE;
}

static uint8_t read_node_state(struct maui_conf_entry *entry)
{
	const char *text = maui_conf_entry_text(entry, "State");
	uint8_t state = text ? read_state(text) : IN_USE;

	if (state == NO_STATE)
		maui_conf_entry_refuse(entry, "State", text, "no state of a node");
	return state;
}

/* Slurm reads a-b and a,b of Port= as if brackets stood around them. */
static int expand_addresses(struct maui_conf_entry *entry, const char *key, const char *text,
			    struct maui_words *ret)
{
	struct maui_strbuf ports = { 0 };
	int rc;

	if (strcmp(key, "Port") != 0 || text[0] == '[')
		return maui_hostrange_expand(text, ret, NULL);
	maui_strbuf_addf(&ports, "[%s]", text);
	if (ports.failed)
		maui_conf_entry_fail(entry, "out of memory");
	rc = ports.failed ? -1 : maui_hostrange_expand(ports.text, ret, NULL);
	maui_strbuf_finish(&ports);
	return rc;
}

/* An address of a line is one for all its nodes, or one for each. */
static void check_addresses(struct maui_conf_entry *entry, size_t nodes)
{
	static const char *const keys[] = { "NodeAddr", "BcastAddr", "NodeHostname", "Port" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *text = maui_conf_entry_text(entry, keys[i]);
		struct maui_words list = { 0 };

		if (text && expand_addresses(entry, keys[i], text, &list) == 0 && list.count > 1 &&
		    list.count != nodes)
			maui_conf_entry_refuse(entry, keys[i], text,
					       "neither one for all nodes nor one for each");
		maui_words_finish(&list);
	}
}

/* Either name in the line counts before those in its DEFAULT lines. */
static const char *read_features(const struct maui_conf_entry *entry)
{
	const char *features = maui_conf_value(entry->line, "Feature");

	if (!features)
		features = maui_conf_value(entry->line, "Features");
	return features ? features :
			  maui_conf_entry_text(entry, maui_conf_value(entry->base, "Feature") ?
							      "Feature" :
							      "Features");
}

static void set_usable(struct maui_node *node, uint8_t state)
{
	node->usable_from_s = state == IN_USE ? 0 : MAUI_NEVER;
	node->state = state == IN_USE ? MAUI_REASON_NONE : MAUI_REASON_NODE_STATE;
}

static int add_nodes(struct maui_conf_reading *r, struct maui_node *node, uint32_t *member_of,
		     const struct maui_words *names, uint8_t state)
{
	struct maui_snapshot *s = r->conf->snapshot;

	set_usable(node, state);
	for (size_t i = 0; i < names->count; i++) {
		uint8_t *states = maui_array_grow(r->states, s->node_count, &r->state_alloc, 1);

		if (!states)
			return maui_conf_no_memory(r);
		r->states = states;
		states[s->node_count] = state;
		node->id = s->node_count;
		node->name = names->list[i];
		node->partition_count =
			maui_conf_memberships(r, node->name, node->features, member_of);
		if (maui_snapshot_add_node(s, node) < 0)
			return maui_conf_no_memory(r);
	}
	return 0;
}

/* The nodes of a line, once there is memory for what they have. */
static int read_nodes(struct maui_conf_reading *r, struct maui_conf_entry *entry, const char *names,
		      int64_t *have, uint32_t *member_of)
{
	struct maui_node node = {
		.have = have,
		.partitions = member_of,
		.features = read_features(entry),
		.weight = (uint32_t)maui_conf_entry_number(entry, "Weight", UINT32_MAX, 1),
	};
	struct maui_words list = { 0 };
	uint8_t state;
	int rc;

	if (strcasecmp(names, "ALL") == 0)
		maui_conf_entry_fail(entry, "ALL is no name of a node");
	state = read_node_state(entry);
	rc = read_amounts(r, entry, have, &node.unit);
	if (rc == 0)
		rc = maui_hostrange_expand(names, &list, r->err);
	if (rc == 0)
		check_addresses(entry, list.count);
	if (rc == 0 && !entry->failed)
		rc = add_nodes(r, &node, member_of, &list, state);
	else
		rc = -1;
	maui_words_finish(&list);
	return rc;
}

int maui_conf_read_nodes(struct maui_conf_reading *r, const struct maui_conf_line *line,
			 const char *names)
{
	struct maui_conf_entry entry = {
		.path = r->path, .line = line, .base = &r->node_default, .err = r->err
	};
	uint32_t *member_of = calloc(r->partition_count + 1, sizeof(*member_of));
	int64_t *have = calloc(r->conf->snapshot->amount_count, sizeof(*have));
	int rc = member_of && have ? read_nodes(r, &entry, names, have, member_of) :
				     maui_conf_no_memory(r);

	free(member_of);
	free(have);
	return rc;
}

/* ---- all nodes ---- */

int maui_conf_read_down(struct maui_conf_reading *r, const struct maui_conf_line *line,
			const char *names)
{
	struct maui_conf_down *grown =
		maui_array_grow(r->downs, r->down_count, &r->down_alloc, sizeof(*grown));
	const char *state = maui_conf_value(line, "State");
	uint8_t known = state ? read_state(state) : 0; /* DOWN */

	if (!grown)
		return maui_conf_no_memory(r);
	r->downs = grown;
	if (known == NO_STATE)
		return maui_conf_note(r, "DownNodes=%s: State=%s is no state, and does not count",
				      names, state);
	if (state && strcasecmp(state, "UNKNOWN") == 0)
		return 0;
	grown += r->down_count++;
	*grown = (struct maui_conf_down){ .state = known };
	return maui_hostrange_expand(names, &grown->nodes, r->err);
}

static int compare_nodes(const void *a, const void *b)
{
	return strcmp((*(const struct maui_node *const *)a)->name,
		      (*(const struct maui_node *const *)b)->name);
}

static int set_down(struct maui_conf_reading *r, struct maui_node *const *sorted,
		    const struct maui_conf_down *down)
{
	struct maui_node key = { 0 }, *at = &key, *const * found;

	for (size_t i = 0; i < down->nodes.count; i++) {
		key.name = down->nodes.list[i];
		found = bsearch(&at, sorted, r->conf->snapshot->node_count, sizeof(*sorted),
				compare_nodes);
		if (found) {
			set_usable(*found, down->state);
			r->states[*found - r->conf->snapshot->nodes] = down->state;
		} else if (maui_conf_note(r, "DownNodes: there is no node %s", key.name))
			return -1;
	}
	return 0;
}

/* What nodes in use have counts, and a note names the others. */
static int count_nodes(struct maui_conf_reading *r)
{
	struct maui_snapshot *s = r->conf->snapshot;
	int64_t procs[IN_USE + 1] = { 0 };
	size_t nodes[IN_USE + 1] = { 0 };
	int rc = 0;

	for (uint32_t n = 0; n < s->node_count; n++) {
		const int64_t *have = s->nodes[n].have;

		nodes[r->states[n]]++;
		procs[r->states[n]] += have[MAUI_AMOUNT_PROCS];
		if (r->states[n] != IN_USE)
			continue;
		s->totals.mem_mb += (double)have[MAUI_AMOUNT_MEM];
		s->totals.disk_mb += (double)have[MAUI_AMOUNT_DISK];
	}
	s->totals.procs = (double)procs[IN_USE];
	for (size_t i = 0; i < OUT_OF_USE && rc == 0; i++)
		if (nodes[i] > 0)
			rc = maui_conf_note(
				r, "%zu node%s of %lld processor%s%s %s: no job starts there",
				nodes[i], maui_plural(nodes[i]), (long long)procs[i],
				maui_plural((size_t)procs[i]), nodes[i] == 1 ? " is" : " are",
				out_of_use[i]);
	return rc;
}

int maui_conf_finish_nodes(struct maui_conf_reading *r)
{
	struct maui_snapshot *s = r->conf->snapshot;
	struct maui_node **sorted = calloc(s->node_count + 1, sizeof(struct maui_node *));
	int rc = 0;

	if (!sorted)
		return maui_conf_no_memory(r);
	for (uint32_t i = 0; i < s->node_count; i++)
		sorted[i] = &s->nodes[i];
	qsort(sorted, s->node_count, sizeof(struct maui_node *), compare_nodes);
	for (uint32_t i = 1; rc == 0 && i < s->node_count; i++)
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
			rc = maui_err_set(r->err, "%s: NodeName=%s: the node is named twice",
					  r->path, sorted[i]->name);
	for (size_t i = 0; rc == 0 && i < r->down_count; i++)
		rc = set_down(r, sorted, &r->downs[i]);
	free(sorted);
	return rc ? rc : count_nodes(r);
}

void maui_conf_downs_finish(struct maui_conf_reading *r)
{
	for (size_t i = 0; i < r->down_count; i++)
		maui_words_finish(&r->downs[i].nodes);
	free(r->downs);
	free(r->states);
}
