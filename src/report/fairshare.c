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

#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "report/pictures.h"
#include "report/svg.h"
#include "chart/words.h"

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
	const struct maui_fairshare *fairshare;
	const struct maui_fairshare_credential *shown[MOST];
	int count;
	double most; /* percent at RIGHT */
	int64_t now_s;
};

static double positive(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

/* The target as a share of all usage; an absolute cap is in processor-seconds. */
static double target_percent(const struct chart *c,
			     const struct maui_fairshare_credential *credential)
{
	const struct maui_fairshare_target *target = credential->target;
	double total = c->fairshare->total;

	if (!target)
		return 0;
	if (strcmp(target->kind, "absolute_cap") != 0)
		return positive(target->value);
	return total > 0 ? positive(100 * positive(target->value) / total) : 0;
}

/* Credentials with a target, then those with the largest usage. */
static int compare(const void *a, const void *b)
{
	const struct maui_fairshare_credential *one =
		*(const struct maui_fairshare_credential *const *)a;
	const struct maui_fairshare_credential *two =
		*(const struct maui_fairshare_credential *const *)b;
	int order = strcmp(one->kind, two->kind);

	if (!one->target != !two->target)
		return one->target ? -1 : 1;
	if (one->target && order != 0)
		return order;
	return one->percent > two->percent ? -1 :
	       one->percent < two->percent ? 1 :
					     strcmp(one->name, two->name);
}

static void choose(struct chart *c)
{
	size_t count = c->fairshare->credentials_count;
	const struct maui_fairshare_credential **all = maui_need_list(count, sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = &c->fairshare->credentials[i];
	if (count > 1)
		qsort(all, count, sizeof(*all), compare);
	for (size_t i = 0; i < count && c->count < MOST; i++) {
		double percent = positive(all[i]->percent);
		double target = target_percent(c, all[i]);

		c->shown[c->count++] = all[i];
		c->most = percent > c->most ? percent : c->most;
		c->most = target > c->most && target <= 100 ? target : c->most;
	}
	free(all);
	c->most = c->most > 0 ? c->most : 1;
}

static int x_of(const struct chart *c, double percent)
{
	double share = percent / c->most;

	return LEFT + (int)((share < 1 ? share : 1) * (RIGHT - LEFT));
}

/* By the rule of maui share and diagnose -f (CMD-26). */
static const char *class_of(const struct maui_fairshare_credential *credential)
{
	return !credential->target ? "k6" : credential->off_target ? "over" : "under";
}

/* "38.5 % of 25.0 %"; what the target is, if it is no plain one. */
static void words_of(const struct chart *c, const struct maui_fairshare_credential *credential,
		     char *text, size_t size)
{
	const char *kind = credential->target ? credential->target->kind : "";

	if (!*kind) {
		snprintf(text, size, "%.1f %%", credential->percent);
		return;
	}
	snprintf(text, size, "%.1f %%, %s %.1f %%%s", credential->percent,
		 strcmp(kind, "target") == 0  ? "target" :
		 strcmp(kind, "floor") == 0   ? "floor" :
		 strcmp(kind, "ceiling") == 0 ? "ceiling" :
						"cap",
		 target_percent(c, credential), credential->held ? ", held" : "");
}

/* When usage is back at the target, if that is known. */
static bool forecast_of(const struct chart *c, const struct maui_fairshare_credential *credential,
			char *text, size_t size)
{
	const struct maui_fairshare_forecast *forecast =
		credential->outlook ? credential->outlook->forecast : NULL;
	int64_t same_s = forecast ? forecast->at_present_rate : MAUI_NEVER;
	int64_t nothing_s = forecast ? forecast->running_nothing : MAUI_NEVER;
	const char *what;
	char when[64];

	if (same_s == MAUI_NEVER && nothing_s == MAUI_NEVER)
		return false;
	what = credential->held ? "below the cap again" :
	       forecast->above  ? "back at the target" :
				  "reaches the target";
	maui_moment_label(same_s != MAUI_NEVER ? same_s : nothing_s, MAUI_NOT_BEFORE, c->now_s,
			  when, sizeof(when));
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
		maui_svg_escape(c->out, c->shown[i]->kind);
		maui_strbuf_addf(c->out, " ");
		maui_svg_escape(c->out, c->shown[i]->name);
		maui_strbuf_addf(c->out, ": %s.</p>\n", text);
	}
}

/* A column for each window: the share of that window's usage. */
static void draw_windows(const struct chart *c, const struct maui_fairshare_credential *credential,
			 int y)
{
	static const struct maui_fairshare_window none;
	size_t count =
		credential->used_count < MOST_WINDOWS ? credential->used_count : MOST_WINDOWS;
	int width = count ? (MAUI_SVG_WIDTH - 10 - WINDOWS) / (int)count : 0;
	width = width > 30 ? 30 : width;
	for (size_t i = 0; i < count; i++) {
		const struct maui_fairshare_window *window =
			i < c->fairshare->windows_count ? &c->fairshare->windows[i] : &none;
		double share =
			window->total > 0 ? positive(credential->used[i] / window->total) : 0;
		int height = (int)((share < 1 ? share : 1) * BAR);
		int x = WINDOWS + (int)(count - 1 - i) * width;

		maui_strbuf_addf(c->out,
				 "<g class=\"k6\"><title>window %zu%s: %.1f %% of its usage, "
				 "weight %.3g</title>",
				 i, i == 0 ? " (now)" : "", 100 * share, window->weight);
		maui_svg_rect(c->out,
			      (struct maui_svg_box){ x, y + HEIGHT - 6 - (height + 1),
						     width > 3 ? width - 2 : width, height + 1 });
		maui_strbuf_addf(c->out, "</g>");
	}
}

static void draw_credential(const struct chart *c,
			    const struct maui_fairshare_credential *credential, int y)
{
	const char *kind = credential->kind, *name = credential->name;
	int end = x_of(c, positive(credential->percent));
	int tick = x_of(c, target_percent(c, credential));
	struct maui_svg_box bar = { LEFT, y + (HEIGHT - BAR) / 2, end - LEFT, BAR };
	char words[96], title[MAUI_WORDS_SIZE], label[MAUI_WORDS_SIZE];

	words_of(c, credential, words, sizeof(words));
	snprintf(label, sizeof(label), "%.20s %.600s", kind, name);
	snprintf(title, sizeof(title), "%.20s %.600s: %s; adds %+.0f to priority", kind, name,
		 words, credential->points);
	maui_svg_group(c->out, class_of(credential), label, title);
	maui_svg_name(c->out, (struct maui_svg_box){ 0, y, LEFT - 4, HEIGHT }, MAUI_SVG_SMALL,
		      MAUI_SVG_END, label);
	if (bar.width > 0)
		maui_svg_rect(c->out, bar);
	maui_svg_name(c->out,
		      (struct maui_svg_box){ (end > tick || !credential->target ? end : tick) + 6,
					     y, WORDS, HEIGHT },
		      MAUI_SVG_SMALL, MAUI_SVG_START, words);
	maui_svg_group_end(c->out);
	if (credential->target)
		maui_svg_line(c->out, "target", tick, y + 2, tick, y + HEIGHT - 2);
	draw_windows(c, credential, y);
	maui_strbuf_addf(c->out, "\n");
}

static void draw(const struct chart *c, const char *id)
{
	size_t windows = c->fairshare->windows_count;
	int bottom = TOP + c->count * HEIGHT;
	struct maui_svg_legend legend = { LEFT, bottom + 8, LEFT, MAUI_SVG_WIDTH };
	char text[96];

	snprintf(text, sizeof(text), "%zu window%s", windows, maui_plural(windows));
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

void maui_picture_fairshare(struct maui_strbuf *out, const char *id,
			    const struct maui_report *report)
{
	const struct maui_fairshare *fairshare = report->shares ? report->shares->fairshare : NULL;
	struct chart c = { .out = out, .fairshare = fairshare, .now_s = report->time };

	if (fairshare && strcmp(fairshare->policy, "NONE") == 0) {
		maui_strbuf_addf(out, "<p>FSPOLICY is NONE: usage is not counted.</p>\n");
	} else if (!fairshare || fairshare->credentials_count == 0) {
		maui_strbuf_addf(out, "<p>No usage is known that fairshare could count.</p>\n");
	} else {
		choose(&c);
		draw(&c, id);
	}
}
