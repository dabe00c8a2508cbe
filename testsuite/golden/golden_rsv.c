/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_rsv.c - cases of the feature "rsv": how a SRCFG is understood
 *
 * Rules: RSV-5, CFG-12, CFG-13.
 */

#include "golden.h"

#include <string.h>

#include "base/strbuf.h"

static const char *const events[] = { "create", "start", "end", "minload" };
static const char *const actions[] = { "cancel", "exec", "submit" };

/* "A,B" of a mask, in the order of the schema's words. */
static void add_flags(struct maui_strbuf *text, uint64_t mask)
{
	const struct maui_param *row = maui_schema_find_attr(MAUI_FAMILY_SR, "FLAGS");
	const char *word = row->words;

	for (int bit = 0; *word != '\0'; bit++) {
		if (mask >> bit & 1)
			maui_strbuf_addf(text, "%s%.*s", text->length ? "," : "",
					 (int)strcspn(word, "= "), word);
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
}

static void expect_joined(struct golden_case *c, const char *name, struct maui_strbuf *text)
{
	golden_expect_text(c, c->expected, name, text->text ? text->text : "");
	maui_strbuf_finish(text);
}

static void expect_lists(struct golden_case *c, const struct maui_rsv *rsv)
{
	struct maui_strbuf flags = { 0 }, features = { 0 }, owner = { 0 }, triggers = { 0 };

	add_flags(&flags, rsv->flags);
	expect_joined(c, "flags", &flags);
	for (size_t i = 0; i < rsv->features.count; i++)
		maui_strbuf_addf(&features, "%s%s", i ? "," : "", rsv->features.list[i]);
	expect_joined(c, "features", &features);
	if (rsv->owner_kind >= 0)
		maui_strbuf_addf(&owner, "%s:%s",
				 maui_cred_name((enum maui_cred_kind)rsv->owner_kind), rsv->owner);
	expect_joined(c, "owner", &owner);
	for (size_t i = 0; i < rsv->trigger_count; i++) {
		const struct maui_trigger *t = &rsv->triggers[i];

		maui_strbuf_addf(&triggers, "%s%s+%lld@%g;%s@%s", i ? " " : "", events[t->event],
				 (long long)t->offset_s, t->threshold, actions[t->action],
				 t->data ? t->data : "");
	}
	expect_joined(c, "triggers", &triggers);
}

static void expect_rsv(struct golden_case *c, const struct maui_rsv *rsv)
{
	static const char *const periods[] = { "DAY", "WEEK", "INFINITY" };

	golden_expect_bool(c, c->expected, "shared", rsv->shared);
	golden_expect_text(c, c->expected, "charge_account", rsv->charge_account);
	golden_expect_text(c, c->expected, "hosts", rsv->hosts);
	golden_expect_text(c, c->expected, "partition", rsv->partition);
	golden_expect_text(c, c->expected, "period", periods[rsv->period]);
	golden_expect_int(c, c->expected, "idle_s", rsv->idle_s);
	golden_expect_int(c, c->expected, "priority", rsv->priority);
	golden_expect_int(c, c->expected, "procs", rsv->task.procs);
	golden_expect_int(c, c->expected, "mem", rsv->task.mem_mb);
	golden_expect_int(c, c->expected, "disk", rsv->task.disk_mb);
	golden_expect_int(c, c->expected, "swap", rsv->task.swap_mb);
	golden_expect_int(c, c->expected, "task_count", rsv->task_count);
	golden_expect_int(c, c->expected, "tpn", rsv->tasks_per_node);
	golden_expect_int(c, c->expected, "start_s", rsv->start_s);
	golden_expect_int(c, c->expected, "end_s", rsv->end_s);
	golden_expect_int(c, c->expected, "days", rsv->days);
	golden_expect_int(c, c->expected, "depth", rsv->depth);
	golden_expect_int(c, c->expected, "line", rsv->line);
	expect_lists(c, rsv);
}

void golden_run_rsv(struct golden_case *c)
{
	int64_t number = golden_get_int(c->inputs, "number", 0);
	struct maui_config *config = golden_config(c);

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs", "number");
	golden_check_known(c, c->expected, "expected",
			   "name shared charge_account hosts partition period idle_s priority "
			   "procs mem disk swap task_count tpn start_s end_s days depth line flags "
			   "features owner triggers");
	if (number < 0 || (size_t)number >= config->rsv_count) {
		golden_fault(c, "there are %zu reservations", config->rsv_count);
	} else {
		golden_expect_text(c, c->expected, "name", config->rsvs[number].name);
		expect_rsv(c, &config->rsvs[number]);
	}
	maui_config_unref(config);
}
