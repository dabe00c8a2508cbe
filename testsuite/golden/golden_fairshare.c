/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_fairshare.c - cases of the feature "fairshare", of three shapes: usage, file, clock
 *
 * Rules: FS-1, FS-4, FS-5, FS-6, FS-7, FS-8.
 */

#include "golden.h"

#include <string.h>

#include "base/strbuf.h"
#include "policy/fairshare.h"
#include "state/fsfile.h"

/* Any moment does: this one is not the start of a window of any usual length. */
#define NOW INT64_C(1729916252)

static double element(json_object *array, size_t i)
{
	return i < json_object_array_length(array) ?
		       json_object_get_double(json_object_array_get_idx(array, i)) :
		       0;
}

/* Puts windows[i] and totals[i] into the window i intervals ago; all of them, too old ones
 * included. */
static int fill_usage(struct golden_case *c, const struct maui_config *config,
		      struct maui_usage *usage, enum maui_cred_kind kind, const char *name)
{
	json_object *windows = golden_get(c->inputs, "windows");
	json_object *totals = golden_get(c->inputs, "totals");
	int64_t current = maui_fairshare_window_start(NOW, config->fs_interval_s);

	for (size_t i = 0; i < json_object_array_length(totals); i++) {
		struct maui_usage_window *w = maui_usage_window(
			usage, current - (int64_t)i * config->fs_interval_s, config->fs_interval_s);

		if (!w || maui_usage_add(w, kind, name, element(windows, i)))
			return -1;
		w->total = element(totals, i);
	}
	return 0;
}

static void compare_usage(struct golden_case *c, const struct maui_config *config,
			  const struct maui_usage *usage, enum maui_cred_kind kind,
			  const char *name)
{
	const struct maui_cred_config *cred = maui_config_cred(config, kind, name);
	struct maui_fs_target target = cred->fstarget;
	double used = maui_fairshare_usage(usage, config, NOW, kind, name);
	double total = maui_fairshare_total(usage, config, NOW);
	double percent = maui_fairshare_percent(used, total);
	struct maui_fs_table *table = maui_fs_table_create(usage, config, NOW);

	golden_expect_number(c, c->expected, "usage", used);
	golden_expect_number(c, c->expected, "total", total);
	golden_expect_number(c, c->expected, "percent", percent);
	/* the table of all credentials must say the same */
	golden_expect_number(c, c->expected, "total", maui_fs_table_total(table));
	golden_expect_number(c, c->expected, "percent", maui_fs_table_percent(table, kind, name));
	golden_expect_number(c, c->expected, "delta",
			     total > 0 ? maui_fairshare_delta(config, target, percent) : 0);
	golden_expect_bool(c, c->expected, "blocked",
			   maui_fairshare_blocked(config, target, used, total) ||
				   maui_fairshare_blocked(config, cred->fscap, used, total));
	maui_fs_table_destroy(table);
}

static void run_usage(struct golden_case *c, const struct maui_config *config)
{
	const char *cred = golden_get_text(c->inputs, "cred");
	const char *name = golden_get_text(c->inputs, "name");
	enum maui_cred_kind kind = maui_cred_parse(cred ? cred : "");
	struct maui_usage usage = { 0 };

	/* request_proc_seconds: only Maui itself looked at the request */
	golden_check_known(c, c->inputs, "inputs", "cred name windows totals request_proc_seconds");
	golden_check_known(c, c->expected, "expected",
			   "usage total percent delta blocked blocked_code_variant");
	if (kind == MAUI_CRED_COUNT || !name)
		golden_fault(c, "inputs: no such credential");
	else if (fill_usage(c, config, &usage, kind, name))
		golden_fault(c, "no memory");
	else
		compare_usage(c, config, &usage, kind, name);
	maui_usage_finish(&usage);
}

/* Sends the file, as Maui writes it, through our writer and reader. */
static int read_lines(json_object *lines, struct maui_usage_window *ret)
{
	struct maui_usage_window window = { .start_s = NOW, .interval_s = 1 };
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };
	int rc = 0;

	json_object_object_foreach(lines, name, value)
	{
		double used = json_object_get_double(value);

		rc |= maui_usage_add(&window, MAUI_CRED_USER, name, used);
		window.total += used;
	}
	maui_fsfile_format(&window, &text);
	rc |= text.failed || maui_fsfile_parse("FS.1", text.text, text.length, ret, &diags);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	maui_usage_window_finish(&window);
	return rc;
}

static void run_file(struct golden_case *c)
{
	json_object *percent = golden_get(c->expected, "percent");
	struct maui_usage_window window = { 0 };

	golden_check_known(c, c->inputs, "inputs", "lines note");
	golden_check_known(c, c->expected, "expected", "total percent");
	if (read_lines(golden_get(c->inputs, "lines"), &window))
		golden_fault(c, "the file is not read as it was written");
	golden_expect_number(c, c->expected, "total", window.total);
	if (percent) {
		json_object_object_foreach(percent, name, value)
		{
			double used = maui_usage_get(&window, MAUI_CRED_USER, name);

			(void)value;
			golden_expect_number(c, percent, name,
					     maui_fairshare_percent(used, window.total));
		}
	}
	maui_usage_window_finish(&window);
}

static void run_clock(struct golden_case *c, const struct maui_config *config)
{
	int64_t now = golden_get_int(c->inputs, "now", 0);
	int64_t start = maui_fairshare_window_start(now, config->fs_interval_s);
	char file[64];

	golden_check_known(c, c->inputs, "inputs", "now");
	golden_check_known(c, c->expected, "expected", "window_start file next_roll");
	snprintf(file, sizeof(file), "FS.%lld", (long long)start);
	golden_expect_int(c, c->expected, "window_start", start);
	golden_expect_text(c, c->expected, "file", file);
	golden_expect_int(c, c->expected, "next_roll", start + config->fs_interval_s);
	if (maui_fsfile_start(file) != start)
		golden_fault(c, "file: %s is not read back as the start of its window", file);
}

void golden_run_fairshare(struct golden_case *c)
{
	struct maui_config *config = golden_config(c);

	if (!config)
		return;
	if (golden_get(c->inputs, "windows"))
		run_usage(c, config);
	else if (golden_get(c->inputs, "lines"))
		run_file(c);
	else
		run_clock(c, config);
	maui_config_unref(config);
}
