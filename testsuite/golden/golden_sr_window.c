/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_sr_window.c - cases of the feature "sr_window": when a standing reservation is
 *
 * Rules: RSV-1, RSV-2, RSV-4.
 */

#include "golden.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/strbuf.h"
#include "reservation/windows/windows.h"

/* The name in "SRCFG[<name>] ..." or an older spelling of it. Its length; 0: the line has none. */
static size_t find_name(const char *line, const char **ret_name)
{
	size_t word, length;

	line += strspn(line, " \t");
	word = strcspn(line, "[ \t=\n");
	if (line[word] != '[' ||
	    (strncasecmp(line, "SR", 2) != 0 && strncasecmp(line, "QOSLIST[", 8) != 0))
		return 0;
	*ret_name = line + word + 1;
	length = strcspn(*ret_name, "]\n");
	return (*ret_name)[length] == ']' ? length : 0;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/* Whether a line before `line` is about the same reservation. */
static bool seen_before(const char *text, const char *line, const char *name, size_t length)
{
	const char *other;

	for (; text < line; text = next_line(text))
		if (find_name(text, &other) == length && strncmp(other, name, length) == 0)
			return true;
	return false;
}

struct maui_config *golden_rsv_config(struct golden_case *c)
{
	const char *text = c->config_text, *name;
	struct maui_strbuf all = { 0 };
	struct maui_config *config;

	for (const char *line = text; *line; line = next_line(line)) {
		size_t length = find_name(line, &name);

		if (length && !seen_before(text, line, name, length))
			maui_strbuf_addf(&all, "SRCFG[%.*s] TASKCOUNT=1\n", (int)length, name);
	}
	maui_strbuf_addf(&all, "%s", text);
	if (all.failed) {
		golden_fault(c, "no memory");
		return NULL;
	}
	c->config_text = all.text;
	config = golden_config(c);
	c->config_text = text;
	maui_strbuf_finish(&all);
	return config;
}

static const struct maui_rsv *find_rsv(struct golden_case *c, const struct maui_config *config)
{
	const char *name = golden_get_text(c->inputs, "name");

	for (size_t i = 0; name && i < config->rsv_count; i++)
		if (strcmp(config->rsvs[i].name, name) == 0)
			return &config->rsvs[i];
	golden_fault(c, "inputs.name: no such SRCFG");
	return NULL;
}

/* What has begun is expected from now on. */
static void expect_window(struct golden_case *c, const struct maui_rsv *rsv, int64_t now,
			  const struct maui_rsv_instance *got, json_object *want)
{
	char id[256];

	golden_check_known(c, want, "expected.windows[]", "id start end day");
	snprintf(id, sizeof(id), "%s.%u", rsv->name, got->ordinal);
	golden_expect_text(c, want, "id", id);
	golden_expect_int(c, want, "start", got->start_s < now ? now : got->start_s);
	golden_expect_int(c, want, "day", got->day);
	if (!golden_get(want, "end") != (got->end_s == MAUI_NEVER))
		golden_fault(c, "%s: has an end or has none", id);
	else if (got->end_s != MAUI_NEVER)
		golden_expect_int(c, want, "end", got->end_s);
}

static void run_windows(struct golden_case *c, const struct maui_rsv *rsv)
{
	json_object *windows = golden_get(c->expected, "windows");
	int64_t now = golden_get_int(c->inputs, "now", 0);
	struct maui_rsv_instance *list;
	struct maui_arena arena = { 0 };
	uint32_t count;

	if (maui_standing_windows(rsv, now, &arena, &list, &count))
		golden_fault(c, "no memory");
	else if (!windows || json_object_array_length(windows) != count)
		golden_fault(c, "windows: expected %zu, got %u",
			     windows ? json_object_array_length(windows) : 0, count);
	else
		for (uint32_t i = 0; i < count; i++)
			expect_window(c, rsv, now, &list[i], json_object_array_get_idx(windows, i));
	maui_arena_finish(&arena);
}

void golden_run_sr_window(struct golden_case *c)
{
	const char *zone = golden_get_text(c->inputs, "TZ");
	struct maui_config *config = golden_rsv_config(c);
	const struct maui_rsv *rsv;

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs", "name now TZ");
	golden_check_known(c, c->expected, "expected", "windows");
	setenv("TZ", zone ? zone : "UTC", 1);
	tzset();
	rsv = find_rsv(c, config);
	if (rsv)
		run_windows(c, rsv);
	maui_config_unref(config);
}
