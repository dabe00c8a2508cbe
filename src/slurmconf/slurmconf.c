/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmconf.c - reads nodes and partitions from a slurm.conf
 *
 * The file is read twice, because gres names and partitions must be known before the first node is
 * made.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/hostrange.h"
#include "base/number.h"
#include "slurmconf/conf.h"
#include "slurmconf/slurmconf.h"

struct conf_partition {
	char *name;
	struct maui_words nodes;
	bool all;
	int64_t tier;
	double job_factor;
};

struct reading {
	struct maui_slurmconf *conf;
	const char *path;
	struct maui_err *err;
	char *node_default, *partition_default; /* the last DEFAULT lines; NULL: none */
	struct conf_partition *partitions;
	size_t partition_count, partition_alloc, gres_alloc;
	bool by_cpu;
	uint32_t node_count;
};

/* A key's value in the line, otherwise in the DEFAULT line before it. */
static int64_t get_number(const char *line, const char *base, const char *key, int64_t missing)
{
	return maui_conf_get_number(line, key,
				    base ? maui_conf_get_number(base, key, missing) : missing);
}

/* The same of what Slurm keeps in 16 bits: processors of a node and their parts. */
static int64_t get_small(const char *line, const char *base, const char *key, int64_t missing)
{
	int64_t value = get_number(line, base, key, missing);

	return value > UINT16_MAX ? UINT16_MAX : value < 0 ? 0 : value;
}

static char *get_text(const char *line, const char *base, const char *key)
{
	char *value = maui_conf_get(line, key);

	return value || !base ? value : maui_conf_get(base, key);
}

static int no_memory(const struct reading *r)
{
	return maui_err_set(r->err, "%s: no memory", r->path);
}

/* ---- first pass: partitions, names of gres ---- */

/* Calls for each name and count of "gpu:a100:4(S:0),mps:8"; counts of one name are added up. */
typedef int (*gres_fn)(struct reading *r, const char *name, size_t length, int64_t count,
		       int64_t *amounts);

static int each_gres(struct reading *r, const char *list, gres_fn call, int64_t *amounts)
{
	while (list && *list) {
		size_t length = strcspn(list, ","), name = strcspn(list, ":,(");
		size_t plain = strcspn(list, ",(");
		const char *last = list + plain;
		int64_t count = 1;

		while (last > list && last[-1] != ':')
			last--;
		if (last > list && *last >= '0' && *last <= '9')
			count = maui_number_read(last, NULL);
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

static int note_gres(struct reading *r, const char *name, size_t length, int64_t count,
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
		return no_memory(r);
	conf->gres = grown;
	grown[conf->gres_count] = strndup(name, length);
	return grown[conf->gres_count++] ? 0 : no_memory(r);
}

static int note_nodes(struct reading *r, const char *line)
{
	char *gres = maui_conf_get(line, "Gres");
	int rc = gres ? each_gres(r, gres, note_gres, NULL) : 0;

	free(gres);
	return rc;
}

static int note_partition(struct reading *r, const char *line, const char *name)
{
	struct conf_partition *p =
		maui_array_grow(r->partitions, r->partition_count, &r->partition_alloc, sizeof(*p));
	char *nodes = get_text(line, r->partition_default, "Nodes");
	char *is_default = get_text(line, r->partition_default, "Default");
	int rc = 0;

	if (p) {
		r->partitions = p;
		p += r->partition_count++;
		*p = (struct conf_partition){
			.name = strdup(name),
			.tier = get_number(line, r->partition_default, "PriorityTier", 1),
			.job_factor = (double)get_number(line, r->partition_default,
							 "PriorityJobFactor", 0),
			.all = nodes && strcasecmp(nodes, "ALL") == 0,
		};
		if (nodes && !p->all)
			rc = maui_hostrange_expand(nodes, &p->nodes, r->err);
		if (is_default && strcasecmp(is_default, "YES") == 0)
			r->conf->default_partition = (uint32_t)(r->partition_count - 1);
	}
	free(nodes);
	free(is_default);
	return p && p->name ? rc : no_memory(r);
}

static int keep_default(const struct reading *r, char **kept, const char *line)
{
	char *copy = strdup(line);

	free(*kept);
	*kept = copy;
	return copy ? 0 : no_memory(r);
}

static int read_partitions_line(void *data, const char *line)
{
	struct reading *r = data;
	char *node = maui_conf_get(line, "NodeName");
	char *partition = node ? NULL : maui_conf_get(line, "PartitionName");
	char *select = maui_conf_get(line, "SelectTypeParameters");
	char *set = maui_conf_get(line, "NodeSet"), *more = maui_conf_get(line, "MaxNodeCount");
	int rc = 0;

	r->conf->open |= set || more;

	if (select && strncasecmp(select, "CR_CPU", 6) == 0)
		r->by_cpu = true;
	if (node)
		rc = note_nodes(r, line);
	else if (partition && strcasecmp(partition, "DEFAULT") == 0)
		rc = keep_default(r, &r->partition_default, line);
	else if (partition)
		rc = note_partition(r, line, partition);
	free(node);
	free(partition);
	free(select);
	free(set);
	free(more);
	return rc;
}

/* ---- second pass: nodes ---- */

static int add_gres(struct reading *r, const char *name, size_t length, int64_t count,
		    int64_t *amounts)
{
	int g = find_gres(r->conf, name, length);

	if (g >= 0)
		amounts[MAUI_AMOUNT_FIXED + g] += count;
	return 0;
}

static void read_amounts(struct reading *r, const char *line, int64_t *have, uint32_t *ret_unit)
{
	const char *base = r->node_default;
	int64_t threads = get_small(line, base, "ThreadsPerCore", 1);
	int64_t sockets =
		get_small(line, base, "Sockets", get_small(line, base, "SocketsPerBoard", 1));
	int64_t cores = get_small(line, base, "Boards", 1) * sockets *
			get_small(line, base, "CoresPerSocket", 1);
	int64_t cpus;
	char *gres;

	cores = cores < UINT16_MAX ? cores : UINT16_MAX;
	cpus = get_small(line, base, "CPUs", get_small(line, base, "Procs", cores * threads));
	gres = get_text(line, base, "Gres");
	if (cpus < cores * threads)
		threads = 1; /* then CPUs= counts cores */
	*ret_unit = r->by_cpu || threads < 1 ? 1 : (uint32_t)threads;
	have[MAUI_AMOUNT_PROCS] = cpus - get_small(line, base, "CoreSpecCount", 0) * threads;
	have[MAUI_AMOUNT_MEM] =
		get_number(line, base, "RealMemory", 1) - get_number(line, base, "MemSpecLimit", 0);
	have[MAUI_AMOUNT_DISK] = get_number(line, base, "TmpDisk", 0);
	each_gres(r, gres, add_gres, have);
	free(gres);
}

static bool is_usable(const char *line, const char *base)
{
	static const char *const bad[] = { "DOWN", "DRAIN", "FAIL", "FUTURE" };
	char *state = get_text(line, base, "State");
	bool usable = true;

	for (size_t i = 0; state && i < sizeof(bad) / sizeof(bad[0]); i++)
		usable &= strncasecmp(state, bad[i], strlen(bad[i])) != 0;
	free(state);
	return usable;
}

static uint32_t memberships(const struct reading *r, const char *name, uint32_t *list)
{
	uint32_t count = 0;

	for (size_t p = 0; p < r->partition_count; p++)
		if (r->partitions[p].all || maui_words_contain(&r->partitions[p].nodes, name))
			list[count++] = (uint32_t)p;
	return count;
}

static int add_nodes(struct reading *r, const char *line, const char *names)
{
	struct maui_snapshot *s = r->conf->snapshot;
	uint32_t *member_of = calloc(r->partition_count + 1, sizeof(*member_of));
	char *features = get_text(line, r->node_default, "Feature");
	bool usable = is_usable(line, r->node_default);
	int64_t *have = calloc(s->amount_count, sizeof(*have));
	struct maui_node node = { .have = have, .partitions = member_of };
	struct maui_words list = { 0 };
	int rc = member_of && have ? maui_hostrange_expand(names, &list, r->err) : no_memory(r);

	if (!features)
		features = get_text(line, r->node_default, "Features");
	if (have)
		read_amounts(r, line, have, &node.unit);
	node.features = features;
	node.weight = (uint32_t)get_number(line, r->node_default, "Weight", 1);
	node.usable_from_s = usable ? 0 : MAUI_NEVER;
	node.state = usable ? MAUI_REASON_NONE : MAUI_REASON_NODE_STATE;
	for (size_t i = 0; i < list.count && rc == 0; i++) {
		node.id = r->node_count++;
		node.name = list.list[i];
		node.partition_count = memberships(r, node.name, member_of);
		s->totals.procs += (double)have[MAUI_AMOUNT_PROCS];
		s->totals.mem_mb += (double)have[MAUI_AMOUNT_MEM];
		s->totals.disk_mb += (double)have[MAUI_AMOUNT_DISK];
		rc = maui_snapshot_add_node(s, &node) < 0 ? no_memory(r) : 0;
	}
	maui_words_finish(&list);
	free(features);
	free(member_of);
	free(have);
	return rc;
}

static int read_nodes_line(void *data, const char *line)
{
	struct reading *r = data;
	char *names = maui_conf_get(line, "NodeName");
	int rc = 0;

	if (names && strcasecmp(names, "DEFAULT") == 0)
		rc = keep_default(r, &r->node_default, line);
	else if (names)
		rc = add_nodes(r, line, names);
	free(names);
	return rc;
}

/* ---- both passes ---- */

static int make_snapshot(struct reading *r)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED + r->conf->gres_count);

	r->conf->snapshot = s;
	if (!s)
		return no_memory(r);
	if (r->partition_count == 0)
		return maui_err_set(r->err, "%s: no PartitionName line", r->path);
	for (size_t i = 0; i < r->partition_count; i++) {
		const struct conf_partition *p = &r->partitions[i];
		const struct maui_partition partition = {
			.name = p->name,
			.tier = (uint32_t)p->tier,
			/* 1 is Slurm's default */
			.job_factor = p->job_factor == 1 ? 0 : p->job_factor,
		};

		if (maui_snapshot_add_partition(s, &partition) < 0)
			return no_memory(r);
	}
	return 0;
}

int maui_slurmconf_read(struct maui_slurmconf *ret, const char *path, struct maui_err *err)
{
	struct reading r = { .conf = ret, .path = path, .err = err };
	int rc;

	*ret = (struct maui_slurmconf){ 0 };
	rc = maui_conf_read(path, read_partitions_line, &r, err) || make_snapshot(&r) ||
			     maui_conf_read(path, read_nodes_line, &r, err) ?
		     -1 :
		     0;
	if (rc == 0 && ret->snapshot->node_count == 0)
		rc = maui_err_set(err, "%s: no NodeName line", path);
	if (rc == 0)
		rc = maui_snapshot_seal(ret->snapshot, err);
	for (size_t i = 0; i < r.partition_count; i++) {
		free(r.partitions[i].name);
		maui_words_finish(&r.partitions[i].nodes);
	}
	free(r.partitions);
	free(r.node_default);
	free(r.partition_default);
	return rc;
}

void maui_slurmconf_finish(struct maui_slurmconf *conf)
{
	maui_snapshot_destroy(conf->snapshot);
	for (unsigned i = 0; i < conf->gres_count; i++)
		free(conf->gres[i]);
	free(conf->gres);
	*conf = (struct maui_slurmconf){ 0 };
}
