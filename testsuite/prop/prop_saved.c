/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_saved.c - a plan of a saved snapshot equals the plan of the snapshot, byte for byte
 *
 * Random clusters with jobs, reservations of maui.cfg and of setres, released instances, job
 * reservations and fairshare windows are planned once; what that plan leaves is saved and read
 * back. The next plan of both must be the same, and so must be what is saved again.
 *
 * Rules: CMD-34.
 */

#include "prop_saved.h"

static struct maui_planner *planner, *other_planner;

/* ---- a round ---- */

static void check_again(const struct maui_saved_plan *p, const struct maui_saved_plan *again,
			const struct maui_config *config)
{
	struct maui_decisions d = { 0 }, other = { 0 };
	struct maui_strbuf one = { 0 }, two = { 0 };

	plan(planner, config, p, &d);
	prop_dump(&one, p->snapshot, &d);
	plan(other_planner, config, again, &other);
	prop_dump(&two, again->snapshot, &other);
	PROP_CHECK(strcmp(one.text, two.text) == 0, "before:\n%s\nread back:\n%s", one.text,
		   two.text);
	maui_strbuf_finish(&one);
	maui_strbuf_finish(&two);
	maui_decisions_finish(&d);
	maui_decisions_finish(&other);
}

static void round_once(void)
{
	struct maui_usage_view *usage = draw_usage();
	struct maui_config *config;
	struct maui_snapshot *s;
	struct maui_saved_plan p = { .now_s = PROP_NOW, .chunk_until_s = PROP_NOW + 10 }, again;
	struct maui_decisions d = { 0 };
	struct maui_strbuf text = { 0 }, second = { 0 };
	struct maui_err err = { .text = "" };

	draw_all();
	config = draw_config();
	s = prop_pour(&recipe, PROP_IDLE, true);
	p.snapshot = s;
	p.rsvs = rsv_list + own_count;
	p.rsv_count = rsv_count - own_count;
	p.usage = usage;
	p.config_path = "/etc/maui \"x\".cfg";
	p.config_text = config->text;
	p.config_length = config->text_length;
	plan(planner, config, &p, &d);
	keep(&p, &d);
	maui_saved_plan_write(&p, &text);
	PROP_CHECK(!text.failed, "memory");
	PROP_CHECK(maui_saved_plan_read(text.text, text.length, &again, &err) == 0, "%s\n%s",
		   err.text, text.text);
	check_again(&p, &again, config);
	maui_saved_plan_write(&again, &second);
	PROP_CHECK(p.now_s == again.now_s && strcmp(p.config_text, again.config_text) == 0, "head");
	/* the names in a fairshare window have no order */
	PROP_CHECK(text.length == second.length &&
			   strncmp(text.text, second.text, fairshare_at(text.text)) == 0,
		   "saved:\n%s\nsaved again:\n%s", text.text, second.text);
	maui_strbuf_finish(&text);
	maui_strbuf_finish(&second);
	maui_decisions_finish(&d);
	maui_saved_plan_finish(&again);
	maui_snapshot_destroy(s);
	maui_arena_finish(&p.arena);
	maui_usage_view_unref(usage);
	maui_config_unref(config);
	maui_planner_rest(planner);
	maui_planner_rest(other_planner);
}

int main(int argc, char **argv)
{
	int rc;

	setenv("TZ", "UTC", 1);
	tzset();
	planner = maui_planner_create();
	other_planner = maui_planner_create();
	rc = prop_main(argc, argv, 1000, round_once);
	for (uint32_t i = 0; i < RSVS; i++)
		maui_rsv_finish(&rsvs[i]);
	maui_planner_destroy(planner);
	maui_planner_destroy(other_planner);
	return rc;
}
