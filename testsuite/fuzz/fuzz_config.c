/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_config.c - any bytes as a maui.cfg, with a second file that it may include
 *
 * A line "%%%" divides the two; the second is "b.cfg" beside the first. Slashes become '_', so that
 * nothing else of the machine is read.
 *
 * What is accepted must be accepted again from the text that is kept as the good one, without an
 * error, and mean the same. What is not accepted has an error that says so, and never that memory
 * was short.
 */
#include <math.h>
#include <unistd.h>

#include "base/limits.h"
#include "config/config.h"
#include "fuzz.h"

static char directory[] = "/tmp/fuzz_config.XXXXXX";
static char path[64], included_path[64];

static void remove_directory(void)
{
	unlink(included_path);
	rmdir(directory);
}

static void make_directory(void)
{
	if (*path)
		return;
	FUZZ_CHECK(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/maui.cfg", directory);
	snprintf(included_path, sizeof(included_path), "%s/b.cfg", directory);
	atexit(remove_directory);
}

/* Writes the part behind "%%%", if any, to b.cfg. Returns the length of the part in front. */
static size_t put_included(const char *text, size_t size)
{
	const char *mark = memmem(text, size, "\n%%%\n", 5);
	FILE *file;

	unlink(included_path);
	if (!mark)
		return size;
	file = fopen(included_path, "w");
	FUZZ_CHECK(file);
	fwrite(mark + 5, 1, size - (size_t)(mark + 5 - text), file);
	FUZZ_CHECK(fclose(file) == 0);
	return (size_t)(mark + 1 - text);
}

static void check_diags(const struct maui_diags *diags)
{
	char buf[MAUI_DIAG_MAX_TEXT + 128];

	for (size_t i = 0; i < diags->count; i++) {
		FUZZ_CHECK(maui_diag_format(&diags->list[i], buf, sizeof(buf)) < sizeof(buf));
		for (const char *at = buf; *at; at++)
			FUZZ_CHECK((unsigned char)*at >= ' ' && *at != 0x7f);
	}
}

static void check_priority(const struct maui_priority_config *priority)
{
	for (int i = 0; i < MAUI_COMP_COUNT; i++)
		FUZZ_CHECK(isfinite(priority->component_weight[i]) &&
			   isfinite(priority->component_cap[i]));
	for (int i = 0; i < MAUI_FACTOR_COUNT; i++)
		FUZZ_CHECK(isfinite(priority->weight[i]) && isfinite(priority->cap[i]));
}

/* As limit.h has it: set at both levels or at none, soft never above hard. */
static void check_limit(struct maui_limit limit)
{
	FUZZ_CHECK((limit.soft == 0) == (limit.hard == 0));
	FUZZ_CHECK(limit.soft >= -1 && limit.hard >= -1);
	FUZZ_CHECK(limit.hard == -1 || (limit.soft >= 0 && limit.soft <= limit.hard));
}

static void check_limits(const struct maui_cred_config *cred)
{
	for (int kind = 0; kind < MAUI_LIMIT_KIND_COUNT; kind++)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			check_limit(cred->limits[kind][r]);
	for (size_t i = 0; i < cred->pair_limits.count; i++) {
		const struct maui_pair_limit *pair = &cred->pair_limits.list[i];
		struct maui_pair_values values;

		check_limit(pair->limit);
		FUZZ_CHECK(pair->second < MAUI_CRED_COUNT && pair->kind <= MAUI_LIMIT_IDLE);
		FUZZ_CHECK(!pair->name || *pair->name);
		if (pair->limit.hard == 0 || !pair->name)
			continue;
		FUZZ_CHECK(maui_pair_limits_find(&cred->pair_limits, &cred->pair_limits,
						 pair->second, pair->name, &values));
		FUZZ_CHECK(values.of[pair->kind][pair->resource].hard == pair->limit.hard);
	}
	FUZZ_CHECK(cred->flags >> MAUI_QOS_FLAG_COUNT == 0);
}

static void check_creds(const struct maui_config *config, enum maui_cred_kind kind)
{
	const struct maui_creds *creds = &config->creds[kind];

	FUZZ_CHECK(maui_config_cred(config, kind, NULL));
	FUZZ_CHECK(maui_config_cred(config, kind, "no such name")->priority == 0 ||
		   creds->count > 0);
	for (size_t i = 0; i < creds->count; i++) {
		const struct maui_cred_config *cred = &creds->list[i];

		FUZZ_CHECK(maui_config_cred(config, kind, cred->name) == cred || !*cred->name ||
			   !strcmp(cred->name, "DEFAULT"));
		FUZZ_CHECK(i == 0 || strcmp(creds->list[i - 1].name, cred->name) < 0);
		FUZZ_CHECK(cred->fstarget.kind == MAUI_FS_TARGET_NONE ||
			   (isfinite(cred->fstarget.value) && cred->fstarget.value > 0));
		FUZZ_CHECK(isfinite(cred->class_weight) && isfinite(cred->qtweight));
		FUZZ_CHECK(isfinite(cred->xfweight) && isfinite(cred->xftarget));
		check_limits(cred);
	}
}

/* What config.h says of an accepted configuration. */
static void check_config(const struct maui_config *config)
{
	check_priority(&config->priority);
	for (size_t i = 0; i < config->partition_count; i++) {
		check_priority(&config->partitions[i].priority);
		FUZZ_CHECK(maui_config_priority(config, config->partitions[i].name) ==
			   &config->partitions[i].priority);
	}
	for (int kind = 0; kind < MAUI_CRED_COUNT; kind++)
		check_creds(config, (enum maui_cred_kind)kind);
	check_limits(&config->system);
	FUZZ_CHECK(config->fs_interval_s > 0);
	FUZZ_CHECK(config->fs_depth >= 1 && config->fs_depth <= MAUI_FS_MAX_DEPTH);
	FUZZ_CHECK(config->fs_decay >= 0 && config->fs_decay <= 1);
	FUZZ_CHECK(config->poll_interval_s >= 1);
	FUZZ_CHECK(config->default_walltime_s >= -1);
	FUZZ_CHECK(config->refs == 1);
	FUZZ_CHECK(config->file_count >= 1 && config->file_count <= MAUI_CONFIG_MAX_FILES);
	FUZZ_CHECK(!config->text[config->text_length]);
}

static void check_same_settings(const struct maui_config *a, const struct maui_config *b)
{
	FUZZ_CHECK(a->setting_count == b->setting_count);
	for (size_t i = 0; i < a->setting_count; i++) {
		const struct maui_setting *one = &a->settings[i], *other = &b->settings[i];

		FUZZ_CHECK(one->param == other->param && one->attr == other->attr);
		FUZZ_CHECK(!strcmp(one->value, other->value));
		FUZZ_CHECK(!one->replaced == !other->replaced);
	}
}

/* The text that is kept: one file, accepted as well, with the same in it. */
static void check_good(const struct maui_config *config, const struct maui_config_context *context)
{
	struct maui_diags diags = { 0 };
	struct maui_config *again;

	unlink(included_path);
	again = maui_config_parse(path, config->text, config->text_length, context, &diags);
	FUZZ_CHECK(again);
	FUZZ_CHECK(again->file_count == 1);
	FUZZ_CHECK(again->text_length == config->text_length &&
		   !memcmp(again->text, config->text, config->text_length));
	check_same_settings(config, again);
	maui_config_unref(again);
	maui_diags_finish(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct maui_config_context context = { .scheduler_type = "sched/backfill" };
	char *text = fuzz_text(data, size);
	struct maui_diags diags = { 0 };
	struct maui_config *config;

	make_directory();
	for (size_t i = 0; i < size; i++)
		text[i] = text[i] == '/' ? '_' : text[i];
	config = maui_config_parse(path, text, put_included(text, size), &context, &diags);
	FUZZ_CHECK((config != NULL) == (diags.seen[MAUI_ERROR] == 0) && !diags.no_memory);
	check_diags(&diags);
	if (config) {
		check_config(config);
		check_good(config, &context);
		maui_config_unref(config);
	}
	maui_diags_finish(&diags);
	free(text);
	return 0;
}
