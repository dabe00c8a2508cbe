/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partitions.c - PartitionName and NodeSet lines: which nodes are meant, what jobs get there */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/hostrange.h"
#include "base/limits.h"
#include "model/when.h"
#include "slurmconf/conf.h"
#include "slurmconf/reading.h"

/* ---- the nodes that are meant ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_conf_member *)a)->name,
		      ((const struct maui_conf_member *)b)->name);
}

static struct maui_conf_member *find_member(const struct maui_conf_partition *partition,
					    const char *name)
{
	const struct maui_conf_member key = { .name = (char *)name };

	return partition->member_count == 0 ?
		       NULL :
		       bsearch(&key, partition->members, partition->member_count, sizeof(key),
			       by_name);
}

/* The names of a sorted list, each once. */
static void drop_repeated(struct maui_conf_partition *partition)
{
	struct maui_conf_member *list = partition->members;
	size_t kept = 0;

	for (size_t i = 0; i < partition->member_count; i++)
		if (kept > 0 && strcmp(list[kept - 1].name, list[i].name) == 0)
			free(list[i].name);
		else
			list[kept++] = list[i];
	partition->member_count = kept;
}

static int read_members(struct maui_conf_reading *r, const char *nodes,
			struct maui_conf_partition *partition)
{
	struct maui_words words;

	if (maui_hostrange_expand(nodes, &words, r->err))
		return -1;
	partition->members = calloc(words.count + 1, sizeof(*partition->members));
	if (!partition->members) {
		maui_words_finish(&words);
		return maui_conf_no_memory(r);
	}
	for (size_t i = 0; i < words.count; i++)
		partition->members[i].name = words.list[i];
	partition->member_count = words.count;
	free(words.list); /* the names have moved */
	qsort(partition->members, partition->member_count, sizeof(*partition->members), by_name);
	drop_repeated(partition);
	return 0;
}

int maui_conf_read_set(struct maui_conf_reading *r, const struct maui_conf_line *line,
		       const char *name)
{
	struct maui_conf_set *grown =
		maui_array_grow(r->sets, r->set_count, &r->set_alloc, sizeof(*grown));
	const char *nodes = maui_conf_value(line, "Nodes");

	if (!grown)
		return maui_conf_no_memory(r);
	r->sets = grown;
	grown += r->set_count++;
	*grown = (struct maui_conf_set){ .name = strdup(name),
					 .feature = maui_conf_get(line, "Feature") };
	if (!grown->name)
		return maui_conf_no_memory(r);
	return nodes ? maui_hostrange_expand(nodes, &grown->nodes, r->err) : 0;
}

/* Feature= names one feature, whatever its characters mean in a --constraint. */
static bool has_feature(const char *features, const char *feature)
{
	size_t length = strlen(feature);

	while (features && *features) {
		size_t one = strcspn(features, ",");

		if (one == length && strncmp(features, feature, length) == 0)
			return true;
		features += one;
		features += *features == ',';
	}
	return false;
}

static bool is_in_set(const struct maui_conf_set *set, const char *name, const char *features)
{
	return (set->feature && has_feature(features, set->feature)) ||
	       maui_words_contain(&set->nodes, name);
}

static bool is_member(struct maui_conf_reading *r, struct maui_conf_partition *partition,
		      const char *name, const char *features)
{
	struct maui_conf_member *member = find_member(partition, name);
	bool found = partition->all || member;

	if (member)
		member->known = true;
	for (size_t i = 0; i < r->set_count && !found; i++)
		found = find_member(partition, r->sets[i].name) &&
			is_in_set(&r->sets[i], name, features);
	return found;
}

uint32_t maui_conf_memberships(struct maui_conf_reading *r, const char *name, const char *features,
			       uint32_t *list)
{
	uint32_t count = 0;

	for (size_t p = 0; p < r->partition_count; p++)
		if (is_member(r, &r->partitions[p], name, features))
			list[count++] = (uint32_t)p;
	return count;
}

int maui_conf_check_members(struct maui_conf_reading *r)
{
	for (size_t p = 0; p < r->partition_count; p++) {
		struct maui_conf_partition *partition = &r->partitions[p];

		for (size_t i = 0; i < r->set_count; i++) {
			struct maui_conf_member *set = find_member(partition, r->sets[i].name);

			if (set)
				set->known = true;
		}
		for (size_t i = 0; i < partition->member_count && !r->conf->open; i++)
			if (!partition->members[i].known)
				return maui_err_set(
					r->err, "%s: PartitionName=%s: there is no node %s",
					r->path, partition->name, partition->members[i].name);
	}
	return 0;
}

/* ---- what jobs get ---- */

/* OverSubscribe=, as Slurm takes it. */
static bool is_sharing(const char *share)
{
	static const char *const words[] = { "NO", "EXCLUSIVE", "YES", "FORCE" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(share, words[i]) == 0)
			return true;
	return strncasecmp(share, "YES:", 4) == 0 || strncasecmp(share, "FORCE:", 6) == 0;
}

/* Exclusive= is what 26.05 adds to OverSubscribe=EXCLUSIVE and ExclusiveUser=YES. */
static int read_sharing(struct maui_conf_reading *r, struct maui_conf_entry *entry,
			struct maui_conf_partition *ret)
{
	const char *share = maui_conf_entry_text(entry, "OverSubscribe");
	const char *exclusive = maui_conf_entry_text(entry, "Exclusive");

	if (!share)
		share = maui_conf_entry_text(entry, "Shared");
	if (share && !is_sharing(share))
		maui_conf_entry_refuse(entry, "OverSubscribe", share, "no way to share nodes");
	ret->of.whole_nodes = share && strcasecmp(share, "EXCLUSIVE") == 0;
	if (exclusive) {
		ret->of.whole_nodes = strcasecmp(exclusive, "NODE") == 0;
		ret->of.sole_user = strcasecmp(exclusive, "USER") == 0;
	}
	return share && strncasecmp(share, "FORCE", 5) == 0 ?
		       maui_conf_note(r, "PartitionName=%s: OverSubscribe=%s is read as NO",
				      ret->name, share) :
		       0;
}

/* As priority: Slurm's two, or the old one for both. */
static void read_priority(struct maui_conf_entry *entry, struct maui_partition *ret)
{
	int64_t old = maui_conf_entry_number(entry, "Priority", UINT16_MAX, -1);
	int64_t tier = maui_conf_entry_number(entry, "PriorityTier", UINT16_MAX, 1);
	int64_t factor = maui_conf_entry_number(entry, "PriorityJobFactor", UINT16_MAX, 0);

	ret->tier = (uint32_t)(old >= 0 ? old : tier);
	factor = old >= 0 ? old : factor;
	ret->job_factor = factor == 1 ? 0 : (double)factor; /* 1 is Slurm's default */
}

static int64_t seconds_or_none(int64_t limit_s)
{
	return limit_s == MAUI_NEVER ? 0 : limit_s;
}

/* UNLIMITED memory is none that slurmctld could add to a job. */
static int64_t read_memory(struct maui_conf_entry *entry, const char *key)
{
	int64_t mb = maui_conf_entry_number(entry, key, MAUI_NUMBER_MAX, 0);

	return mb == MAUI_NUMBER_MAX ? 0 : mb;
}

static void read_limits(struct maui_conf_entry *entry, struct maui_conf_partition *ret)
{
	int64_t most_s = maui_conf_entry_limit(entry, "MaxTime");

	ret->limits = (struct maui_conf_limits){
		.max_s = most_s,
		.max_nodes = maui_conf_entry_number(entry, "MaxNodes", UINT32_MAX, UINT32_MAX),
		.min_nodes = maui_conf_entry_number(entry, "MinNodes", UINT32_MAX, 0),
	};
	ret->of.max_limit_s = seconds_or_none(most_s);
	ret->of.default_limit_s = seconds_or_none(maui_conf_entry_limit(entry, "DefaultTime"));
	ret->of.mem_per_node = read_memory(entry, "DefMemPerNode");
	/* DefMemPerNode rules DefMemPerCPU out, whatever its value is */
	if (!maui_conf_entry_text(entry, "DefMemPerNode"))
		ret->of.mem_per_cpu = read_memory(entry, "DefMemPerCPU");
}

static bool is_up(struct maui_conf_entry *entry)
{
	static const char *const closed[] = { "DOWN", "DRAIN", "INACTIVE" };
	const char *state = maui_conf_entry_text(entry, "State");

	if (!state || strncasecmp(state, "UP", 2) == 0)
		return true;
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++)
		if (strncasecmp(state, closed[i], strlen(closed[i])) == 0)
			return false;
	maui_conf_entry_refuse(entry, "State", state, "no state of a partition");
	return true;
}

static int read_rules(struct maui_conf_reading *r, struct maui_conf_entry *entry,
		      struct maui_conf_partition *ret)
{
	/* ExclusiveUser is the only one that a DEFAULT line does not set */
	struct maui_conf_entry own = *entry;

	own.base = NULL;
	ret->of.sole_user = maui_conf_entry_yes(&own, "ExclusiveUser");
	entry->failed |= own.failed;
	ret->of.is_default = maui_conf_entry_yes(entry, "Default");
	ret->of.least_loaded = maui_conf_entry_yes(entry, "LLN");
	ret->of.down = !is_up(entry);
	read_priority(entry, &ret->of);
	read_limits(entry, ret);
	maui_conf_count_left_out(r, entry);
	return read_sharing(r, entry, ret) || entry->failed ? -1 : 0;
}

int maui_conf_read_partition(struct maui_conf_reading *r, const struct maui_conf_line *line,
			     const char *name)
{
	struct maui_conf_entry entry = {
		.path = r->path, .line = line, .base = &r->partition_default, .err = r->err
	};
	struct maui_conf_partition *grown = maui_array_grow(r->partitions, r->partition_count,
							    &r->partition_alloc, sizeof(*grown));
	const char *nodes = maui_conf_entry_text(&entry, "Nodes");
	int rc;

	if (!grown)
		return maui_conf_no_memory(r);
	for (size_t i = 0; i < r->partition_count; i++)
		if (strcmp(grown[i].name, name) == 0)
			return maui_err_set(r->err,
					    "%s: PartitionName=%s: the partition is named twice",
					    r->path, name);
	r->partitions = grown;
	grown += r->partition_count++;
	*grown = (struct maui_conf_partition){ .name = strdup(name) };
	if (!grown->name)
		return maui_conf_no_memory(r);
	grown->all = nodes && strcasecmp(nodes, "ALL") == 0;
	rc = nodes && !grown->all ? read_members(r, nodes, grown) : 0;
	rc = rc ? rc : read_rules(r, &entry, grown);
	if (grown->of.is_default) {
		r->conf->default_partition = (uint32_t)(r->partition_count - 1);
		r->conf->has_default = true;
	}
	return rc;
}

/* What a job gets that names no memory; as slurmctld does it, which has it from the partition or
 * from the cluster's line. */
static void set_memory(const struct maui_conf_rules *rules, struct maui_partition *of)
{
	if (of->mem_per_node == 0 && of->mem_per_cpu == 0) {
		of->mem_per_node = rules->mem_per_node;
		of->mem_per_cpu = rules->mem_per_cpu;
	}
	/* select/linear counts no memory unless it is told to; others depend on the release */
	of->memory_uncounted = rules->memory_known ? !rules->memory : rules->linear;
	if (of->memory_uncounted)
		of->mem_per_node = of->mem_per_cpu = 0;
	of->all_memory = rules->memory && of->mem_per_node == 0 && of->mem_per_cpu == 0;
}

int maui_conf_make_snapshot(struct maui_conf_reading *r)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED + r->conf->gres_count);

	r->conf->snapshot = s;
	r->conf->limits = calloc(r->partition_count + 1, sizeof(*r->conf->limits));
	if (!s || !r->conf->limits)
		return maui_conf_no_memory(r);
	if (r->partition_count == 0)
		return maui_err_set(r->err, "%s: no PartitionName line", r->path);
	for (size_t i = 0; i < r->partition_count; i++) {
		struct maui_partition *of = &r->partitions[i].of;

		of->name = r->partitions[i].name;
		r->conf->limits[i] = r->partitions[i].limits;
		of->whole_nodes |= r->rules.linear;
		of->least_loaded = !r->rules.linear && (of->least_loaded || r->rules.least_loaded);
		set_memory(&r->rules, of);
		if (maui_snapshot_add_partition(s, of) < 0)
			return maui_conf_no_memory(r);
	}
	return 0;
}

void maui_conf_partitions_finish(struct maui_conf_reading *r)
{
	for (size_t i = 0; i < r->partition_count; i++) {
		for (size_t m = 0; m < r->partitions[i].member_count; m++)
			free(r->partitions[i].members[m].name);
		free(r->partitions[i].members);
		free(r->partitions[i].name);
	}
	free(r->partitions);
	for (size_t i = 0; i < r->set_count; i++) {
		free(r->sets[i].name);
		free(r->sets[i].feature);
		maui_words_finish(&r->sets[i].nodes);
	}
	free(r->sets);
}
