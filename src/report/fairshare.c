/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - the picture of fairshare: usage of each credential, its target, its windows
 *
 * Credentials with a target come first. The bar is the share of all usage, with the windows'
 * weights; the tick is the target. Beside it stands a column for each window, the oldest first.
 * Sentences below say when usage is back at a target.
 *
 * Rules: CMD-38.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/pictures.h"
#include "report/read.h"
#include "report/svg.h"
#include "report/words.h"

enum {
	LEFT = 220,  /* names end here */
	RIGHT = 560, /* bars end here at most */
	WORDS = 240, /* columns that the words behind a bar may have */
	WINDOWS = MAUI_SVG_WIDTH - 170,
	TOP = 34,
	HEIGHT = 36,
	BAR = 24,
	MOST = 30,         /* credentials */
	MOST_WINDOWS = 24, /* the newest ones */
};

struct chart {
	struct maui_strbuf *out;
	json_object *fairshare;
	json_object *shown[MOST];
	int count;
	double most; /* percent at RIGHT */
	int64_t now_s;
};

static double positive(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

static bool has_target(json_object *credential)
{
	return json_object_is_type(maui_read(credential, "target"), json_type_object);
}

/* The target as a share of all usage; an absolute cap is in processor-seconds. */
static double target_percent(const struct chart *c, json_object *credential)
{
	json_object *target = maui_read(credential, "target");
	double value = positive(maui_read_real(target, "value"));
	double total = maui_read_real(c->fairshare, "total");

	if (strcmp(maui_read_text(target, "kind"), "absolute_cap") != 0)
		return value;
	return total > 0 ? positive(100 * value / total) : 0;
}

/* Credentials with a target, then those with the largest usage. */
static int compare(const void *a, const void *b)
{
	json_object *one = *(json_object *const *)a, *two = *(json_object *const *)b;
	double p = maui_read_real(one, "percent"), q = maui_read_real(two, "percent");
	int order;

	if (has_target(one) != has_target(two))
		return has_target(one) ? -1 : 1;
	order = strcmp(maui_read_text(one, "kind"), maui_read_text(two, "kind"));
	if (has_target(one) && order != 0)
		return order;
	return p > q ? -1 :
	       p < q ? 1 :
		       strcmp(maui_read_text(one, "name"), maui_read_text(two, "name"));
}

static int choose(struct chart *c)
{
	json_object *list = maui_read(c->fairshare, "credentials");
	size_t count = maui_read_length(list);
	json_object **all = calloc(count + 1, sizeof(json_object *));

	if (!all)
		return -1;
	for (size_t i = 0; i < count; i++)
		all[i] = maui_read_element(list, i);
	if (count > 1)
		qsort(all, count, sizeof(json_object *), compare);
	for (size_t i = 0; i < count && c->count < MOST; i++) {
		double percent = positive(maui_read_real(all[i], "percent"));
		double target = target_percent(c, all[i]);

		c->shown[c->count++] = all[i];
		c->most = percent > c->most ? percent : c->most;
		c->most = target > c->most && target <= 100 ? target : c->most;
	}
	free(all);
	c->most = c->most > 0 ? c->most : 1;
	return 0;
}

static int x_of(const struct chart *c, double percent)
{
	double share = percent / c->most;

	return LEFT + (int)((share < 1 ? share : 1) * (RIGHT - LEFT));
}

/* By the rule of maui share and diagnose -f (CMD-26). */
static const char *class_of(json_object *credential)
{
	return !has_target(credential)                                      ? "k6" :
	       json_object_get_boolean(maui_read(credential, "off_target")) ? "over" :
									      "under";
}

/* "38.5 % of 25.0 %"; what the target is, if it is no plain one. */
static void words_of(const struct chart *c, json_object *credential, char *text, size_t size)
{
	const char *kind = maui_read_text(maui_read(credential, "target"), "kind");
	double percent = maui_read_real(credential, "percent");
	bool held = json_object_get_boolean(maui_read(credential, "held"));

	if (!*kind) {
		snprintf(text, size, "%.1f %%", percent);
		return;
	}
	snprintf(text, size, "%.1f %%, %s %.1f %%%s", percent,
		 strcmp(kind, "target") == 0  ? "target" :
		 strcmp(kind, "floor") == 0   ? "floor" :
		 strcmp(kind, "ceiling") == 0 ? "ceiling" :
						"cap",
		 target_percent(c, credential), held ? ", held" : "");
}

/* When usage is back at the target, if that is known. */
static bool forecast_of(const struct chart *c, json_object *credential, char *text, size_t size)
{
	json_object *forecast = maui_read(credential, "forecast");
	int64_t same_s = maui_read_time(forecast, "at_present_rate");
	int64_t nothing_s = maui_read_time(forecast, "running_nothing");
	const char *what =
		json_object_get_boolean(maui_read(credential, "held")) ? "below the cap again" :
		json_object_get_boolean(maui_read(forecast, "above"))  ? "back at the target" :
									 "reaches the target";
	char when[64];

	if (!forecast || (same_s == MAUI_NEVER && nothing_s == MAUI_NEVER))
		return false;
	maui_words_moment(same_s != MAUI_NEVER ? same_s : nothing_s, c->now_s, when, sizeof(when));
	snprintf(text, size, "%s %s %s", what, when,
		 same_s != MAUI_NEVER ? "at this rate" : "if nothing more runs");
	return true;
}

/* On paper there are no titles. */
static void add_forecasts(const struct chart *c)
{
	char text[128];

	for (int i = 0; i < c->count; i++) {
		if (!forecast_of(c, c->shown[i], text, sizeof(text)))
			continue;
		maui_strbuf_addf(c->out, "<p>");
		maui_svg_escape(c->out, maui_read_text(c->shown[i], "kind"));
		maui_strbuf_addf(c->out, " ");
		maui_svg_escape(c->out, maui_read_text(c->shown[i], "name"));
		maui_strbuf_addf(c->out, ": %s.</p>\n", text);
	}
}

/* A column for each window: the share of that window's usage. */
static void draw_windows(const struct chart *c, json_object *credential, int y)
{
	json_object *used = maui_read(credential, "used"), *windows;
	size_t count = maui_read_length(used);
	int width;

	windows = maui_read(c->fairshare, "windows");
	count = count < MOST_WINDOWS ? count : MOST_WINDOWS;
	width = count ? (MAUI_SVG_WIDTH - 10 - WINDOWS) / (int)count : 0;
	width = width > 30 ? 30 : width;
	for (size_t i = 0; i < count; i++) {
		json_object *window = maui_read_element(windows, i);
		double total = maui_read_real(window, "total");
		double share =
			total > 0 ? positive(maui_read_double(maui_read_element(used, i)) / total) :
				    0;
		int height = (int)((share < 1 ? share : 1) * BAR);
		int x = WINDOWS + (int)(count - 1 - i) * width;

		maui_strbuf_addf(c->out,
				 "<g class=\"k6\"><title>window %zu%s: %.1f %% of its usage, "
				 "weight %.3g</title>",
				 i, i == 0 ? " (now)" : "", 100 * share,
				 maui_read_real(window, "weight"));
		maui_svg_rect(c->out,
			      (struct maui_svg_box){ x, y + HEIGHT - 6 - (height + 1),
						     width > 3 ? width - 2 : width, height + 1 });
		maui_strbuf_addf(c->out, "</g>");
	}
}

static void draw_credential(const struct chart *c, json_object *credential, int y)
{
	const char *kind = maui_read_text(credential, "kind");
	const char *name = maui_read_text(credential, "name");
	double percent = positive(maui_read_real(credential, "percent"));
	double target = target_percent(c, credential);
	int end = x_of(c, percent), tick = x_of(c, target);
	struct maui_svg_box bar = { LEFT, y + (HEIGHT - BAR) / 2, end - LEFT, BAR };
	char words[96], title[MAUI_WORDS_SIZE], label[MAUI_WORDS_SIZE];

	words_of(c, credential, words, sizeof(words));
	snprintf(label, sizeof(label), "%.20s %.600s", kind, name);
	snprintf(title, sizeof(title), "%.20s %.600s: %s; adds %+.0f to priority", kind, name,
		 words, maui_read_real(credential, "points"));
	maui_svg_group(c->out, class_of(credential), label, title);
	maui_svg_name(c->out, (struct maui_svg_box){ 0, y, LEFT - 4, HEIGHT }, MAUI_SVG_SMALL,
		      MAUI_SVG_END, label);
	if (bar.width > 0)
		maui_svg_rect(c->out, bar);
	maui_svg_name(
		c->out,
		(struct maui_svg_box){ (end > tick || !has_target(credential) ? end : tick) + 6, y,
				       WORDS, HEIGHT },
		MAUI_SVG_SMALL, MAUI_SVG_START, words);
	maui_svg_group_end(c->out);
	if (has_target(credential))
		maui_svg_line(c->out, "target", tick, y + 2, tick, y + HEIGHT - 2);
	draw_windows(c, credential, y);
	maui_strbuf_addf(c->out, "\n");
}

static void draw(const struct chart *c, const char *id)
{
	size_t windows = maui_read_length(maui_read(c->fairshare, "windows"));
	int bottom = TOP + c->count * HEIGHT;
	struct maui_svg_legend legend = { LEFT, bottom + 8, LEFT, MAUI_SVG_WIDTH };
	char text[96];

	snprintf(text, sizeof(text), "%zu window%s", windows, windows == 1 ? "" : "s");
	maui_svg_begin(c->out, id, "Fairshare: usage against targets",
		       "The share of all usage of each credential, its target as a tick, and its "
		       "share of each window, the oldest first",
		       legend.y + MAUI_SVG_LINE + 4);
	maui_svg_name(c->out, (struct maui_svg_box){ LEFT, 4, RIGHT - LEFT, TOP - 6 },
		      MAUI_SVG_SMALL, MAUI_SVG_START, "share of all usage");
	maui_svg_name(c->out,
		      (struct maui_svg_box){ WINDOWS - 6, 4, MAUI_SVG_WIDTH - WINDOWS, TOP - 6 },
		      MAUI_SVG_SMALL, MAUI_SVG_START, text);
	for (int i = 0; i < c->count; i++)
		draw_credential(c, c->shown[i], TOP + i * HEIGHT);
	maui_svg_legend(c->out, &legend, "under", "on target");
	maui_svg_legend(c->out, &legend, "over", "off target");
	maui_svg_end(c->out);
	add_forecasts(c);
}

void maui_picture_fairshare(struct maui_strbuf *out, const char *id, json_object *report)
{
	struct chart c = { .out = out,
			   .fairshare = maui_read(report, "fairshare"),
			   .now_s = maui_read_number(report, "time") };

	if (strcmp(maui_read_text(c.fairshare, "policy"), "NONE") == 0)
		maui_strbuf_addf(out, "<p>FSPOLICY is NONE: usage is not counted.</p>\n");
	else if (maui_read_length(maui_read(c.fairshare, "credentials")) == 0)
		maui_strbuf_addf(out, "<p>No usage is known that fairshare could count.</p>\n");
	else if (choose(&c))
		out->failed = true;
	else
		draw(&c, id);
}
