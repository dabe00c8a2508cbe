/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_choose_victims.c - who goes for a preemptor, by what Slurm answers
 *
 * Rules: PRE-8.
 */

#include "controller/sched/choose_victims.h"

#include "plan_world.h"
#include "rows.h"

enum { MOST = 20, ANY = 32 };

/* A preemptor that could start when `least` of the victims `needs` go: bit i is victim i. */
struct slurm {
	uint32_t needs, least;
	unsigned left, asked;
	unsigned changes_after; /* so many questions the preemptor changes */
	struct maui_victims victims;
};

static uint32_t going(const struct maui_victims *victims)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < victims->count; i++)
		bits |= (uint32_t)victims->goes[i] << i;
	return bits;
}

static enum maui_victims_answer ask(void *data)
{
	struct slurm *s = data;
	uint32_t went = going(&s->victims) & s->needs;

	if (s->asked == s->left || s->asked == s->changes_after)
		return MAUI_VICTIMS_NOT_KNOWN;
	s->asked++;
	return (uint32_t)__builtin_popcount(went) >= s->least ? MAUI_VICTIMS_HELP :
								MAUI_VICTIMS_IN_VAIN;
}

static unsigned left(const void *data)
{
	const struct slurm *s = data;

	return s->left - s->asked;
}

static const struct {
	const char *name;
	uint32_t planned, count, needs, least;
	unsigned left, changes_after;
	enum maui_victims_answer answer;
	uint32_t goes;
	unsigned asked;
	bool fits;
} rows[] = {
	{ "the plan's victims help: one question, all of them go", 2, 4, 0x1, 1, 32, ANY,
	  MAUI_VICTIMS_HELP, 0x3, 1, false },
	{ "they do not, and there are no others", 2, 2, 0x4, 1, 32, ANY, MAUI_VICTIMS_IN_VAIN, 0, 1,
	  false },
	{ "nor do all", 2, 4, 0x10, 1, 32, ANY, MAUI_VICTIMS_IN_VAIN, 0, 2, false },
	{ "who is not needed stays, the plan's victims, too", 2, 5, 0x9, 2, 32, ANY,
	  MAUI_VICTIMS_HELP, 0x9, 7, false },
	{ "of several that would do the last ones stay", 2, 5, 0x1f, 3, 32, ANY, MAUI_VICTIMS_HELP,
	  0x7, 7, false },
	{ "a question for each victim is enough", 1, 3, 0x4, 1, 5, ANY, MAUI_VICTIMS_HELP, 0x4, 5,
	  false },
	{ "one less is not: nobody goes in this cycle", 1, 3, 0x4, 1, 4, ANY,
	  MAUI_VICTIMS_NOT_KNOWN, 0, 2, false },
	{ "16 questions for 20 victims: the first four are not asked about, and go", 1, 20, 0x80001,
	  2, 18, ANY, MAUI_VICTIMS_HELP, 0x8000f, 18, false },
	{ "15 are too few", 1, 20, 0x80001, 2, 17, ANY, MAUI_VICTIMS_NOT_KNOWN, 0, 2, false },
	{ "no question is left", 1, 3, 0x4, 1, 0, ANY, MAUI_VICTIMS_NOT_KNOWN, 0, 0, false },
	{ "the preemptor changes", 1, 3, 0x4, 1, 32, 1, MAUI_VICTIMS_NOT_KNOWN, 0, 1, false },
	{ "it changes later: who was not asked about goes", 1, 4, 0x4, 1, 32, 3, MAUI_VICTIMS_HELP,
	  0x7, 3, false },
	{ "it fits by number, and Slurm can place it now beside all: nobody goes", 1, 3, 0x4, 0, 32,
	  ANY, MAUI_VICTIMS_NOT_NEEDED, 0, 1, true },
	{ "Slurm cannot: who is needed goes", 1, 3, 0x4, 1, 32, ANY, MAUI_VICTIMS_HELP, 0x4, 6,
	  true },
	{ "no question is left for the first one", 1, 3, 0x4, 1, 0, ANY, MAUI_VICTIMS_NOT_KNOWN, 0,
	  0, true },
};

TEST_ROWS(choose_victims, choose, rows, row)
{
	bool goes[MOST];
	struct slurm slurm = {
		row->needs, row->least,         row->left,
		0,          row->changes_after, { row->planned, row->count, row->fits, goes, NULL }
	};
	const struct maui_victims_oracle oracle = { ask, left, &slurm };
	enum maui_victims_answer answer = maui_choose_victims(&slurm.victims, &oracle);

	cr_expect(answer == row->answer, "%s: answer %d", row->name, (int)answer);
	cr_expect(slurm.asked == row->asked, "%s: %u questions", row->name, slurm.asked);
	cr_expect(answer != MAUI_VICTIMS_HELP || going(&slurm.victims) == row->goes, "%s: %#x go",
		  row->name, going(&slurm.victims));
}

/* One node, two preemptors. By number b goes for A and c for B, and either may preempt d, too; c is
 * also one of those that go if Slurm cannot place A without b alone. */
static const struct {
	const char *name;
	const char *goes;   /* for A, of a plan in which b and c go */
	bool open;          /* whether Slurm is asked about B */
	const char *others; /* victims that B has */
} shared[] = {
	{ "Slurm can place A where b was", "b", true, "c d" },
	{ "it needs d's place: d goes for no other job", "d", true, "c" },
	{ "it needs c's place: B waits", "c", false, "" },
	{ "it needs all places", "b c d", false, "" },
};

static char *victims_text(const struct world *w, const struct maui_preemption *list, uint32_t count)
{
	struct maui_strbuf out = { 0 };

	for (uint32_t i = 0; i < count; i++)
		maui_strbuf_addf(&out, "%s%s", i ? " " : "", w->active_names[list[i].active]);
	return maui_strbuf_steal(&out);
}

TEST_ROWS(choose_victims, a_job_goes_for_one_preemptor, shared, row)
{
	bool goes[MOST], taken[MOST] = { false };
	struct maui_preemption list[MOST];
	struct maui_victims victims = { .list = list, .goes = goes };
	const struct maui_decisions *d;
	struct world w;
	char *text;

	world_make(&w, "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=9\nQOSWEIGHT 1\nQUEUETIMEWEIGHT 0\n",
		   "1 procs=6", NULL,
		   "b nodes=n0 procs=2 start=-1 end=100 preemptee; "
		   "c nodes=n0 procs=2 start=-2 end=100 preemptee; "
		   "d nodes=n0 procs=2 start=-3 end=100 preemptee",
		   "A procs=2 qos=now; B procs=2 qos=now", 0);
	text = world_plan(&w);
	EXPECT_TEXT("text", text, "| A@0:n0*2 B@0:n0*2 !b !c");
	free(text);
	d = &w.decisions;
	cr_expect(maui_victims_list(d, &d->preemptions[0], taken, &victims));
	text = victims_text(&w, list, victims.count);
	cr_expect(strcmp(text, "b c d") == 0 && victims.planned == 1, "%s: A has %s", row->name,
		  text);
	free(text);
	for (uint32_t i = 0; i < victims.count; i++)
		goes[i] = strstr(row->goes, w.active_names[list[i].active]);
	maui_victims_take(&victims, taken);
	cr_expect(maui_victims_list(d, &d->preemptions[1], taken, &victims) == row->open, "%s",
		  row->name);
	text = victims_text(&w, list, row->open ? victims.count : 0);
	cr_expect(strcmp(text, row->others) == 0, "%s: B has %s", row->name, text);
	free(text);
	world_finish(&w);
}
