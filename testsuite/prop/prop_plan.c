/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_plan.c - what must hold of every plan, for any cluster, queue and configuration
 *
 *   no job gets what does not exist, what is kept for other jobs, or less than it requested
 *   a job reservation does not begin later because of jobs behind it in the queue
 *   no start breaks a hard limit, and no job reservation begins when one would be broken
 *   the same input gives the same bytes in any order
 *   under RESERVATIONPOLICY HIGHEST with full depth, job reservations are kept as time goes on, and
 *     move by no more than jobs end late
 *
 * Rules: THR-12, BF-18.
 */

#include "prop_cluster.h"

#include "prop_dump.h"
#include "prop_possible.h"

static struct prop_recipe recipe;
static struct maui_planner *planner, *other_planner;

/* ---- configurations ---- */

static const char *word(const char *const *words, unsigned count)
{
	return words[prop_pick(count)];
}

static struct prop_rules draw_config(void)
{
	static const char *const policies[] = { "FIRSTFIT", "BESTFIT", "GREEDY", "NONE",
						"PREEMPT" };
	static const char *const metrics[] = { "PROCS", "PROCSECONDS", "SECONDS", "NODES", "PE" };
	static const char *const orders[] = { "FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE",
					      "PRIORITY",       "CPULOAD",       "CONTIGUOUS",
					      "MAXBALANCE",     "FASTEST",       "SLURM" };
	const char *policy = word(policies, 5);
	struct prop_rules d = { .reserves = strcmp(policy, "NONE") && strcmp(policy, "PREEMPT") };
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };

	maui_strbuf_addf(&text, "BACKFILLPOLICY %s\nBACKFILLMETRIC %s\nBACKFILLDEPTH %u\n", policy,
			 word(metrics, 5), prop_pick(3) ? 0 : prop_pick(4));
	maui_strbuf_addf(&text, "RESERVATIONDEPTH %u\nNODEALLOCATIONPOLICY %s\nQOSWEIGHT 1\n",
			 prop_pick(5), word(orders, 9));
	maui_strbuf_addf(&text, "QOSCFG[high] PRIORITY=%u QFLAGS=%s\nQOSCFG[low] QFLAGS=%s\n",
			 prop_pick(100), prop_pick(2) ? "RESERVEALWAYS" : "PREEMPTOR",
			 prop_pick(2) ? "NORESERVATION" : "NOBF");
	if (prop_pick(4) == 0)
		maui_strbuf_addf(&text, "RESERVATIONDEPTH[1] 2\nRESERVATIONQOSLIST[1] high\n"
					"RESERVATIONQOSLIST[0] low\n");
	if (prop_pick(4) == 0) {
		d.limits = true;
		d.max_proc = 2 + prop_pick(20);
		maui_strbuf_addf(&text, "USERCFG[DEFAULT] MAXPROC=%u,%u MAXIJOB=%u\n",
				 (unsigned)d.max_proc / 2, (unsigned)d.max_proc, 1 + prop_pick(9));
	}
	if (prop_pick(6) == 0) {
		d.match = true;
		maui_strbuf_addf(&text, "JOBNODEMATCHPOLICY EXACTNODE\n");
	}
	if (recipe.users_alone && prop_pick(2)) {
		d.sole_user = true;
		maui_strbuf_addf(&text, "NODEACCESSPOLICY SINGLEUSER\n");
	}
	if (prop_pick(6) == 0)
		maui_strbuf_addf(&text, "BFCHUNKSIZE 4\nBFCHUNKDURATION 100\n");
	d.config = maui_config_parse("maui.cfg", text.text, text.length, NULL, &diags);
	PROP_CHECK(d.config, "%s", text.text);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return d;
}

/* ---- one plan ---- */

static void plan(struct maui_planner *with, const struct maui_config *config,
		 const struct maui_snapshot *s, int64_t now, struct maui_decisions *ret)
{
	const struct maui_plan_input input = { .config = config,
					       .snapshot = s,
					       .now_s = now,
					       .chunk_until_s = now + 10,
					       .want_windows = true,
					       .want_reasons = true };
	struct maui_err err;

	PROP_CHECK(maui_plan(with, &input, ret, &err) == 0, "%s", err.text);
}

/* ---- comparisons ---- */

static void check_same(const struct prop_rules *drawn, const struct maui_snapshot *s,
		       const struct maui_decisions *d)
{
	struct maui_snapshot *shuffled = prop_pour(&recipe, PROP_IDLE, true);
	struct maui_decisions again = { 0 };
	struct maui_strbuf one = { 0 }, two = { 0 };

	prop_dump(&one, s, d);
	plan(planner, drawn->config, s, PROP_NOW, &again);
	prop_dump(&two, s, &again);
	PROP_CHECK(strcmp(one.text, two.text) == 0, "planned again:\n%s\n%s", one.text, two.text);
	maui_strbuf_clear(&two);
	plan(other_planner, drawn->config, shuffled, PROP_NOW, &again);
	prop_dump(&two, shuffled, &again);
	PROP_CHECK(strcmp(one.text, two.text) == 0, "shuffled:\n%s\n%s", one.text, two.text);
	maui_strbuf_finish(&one);
	maui_strbuf_finish(&two);
	maui_decisions_finish(&again);
	maui_snapshot_destroy(shuffled);
}

/* The job at whose turn this one starts: the leader of its het job, or itself. */
static uint32_t leader_of(const struct maui_snapshot *s, uint32_t job)
{
	for (uint32_t k = 0; s->idle[job].het_id && k < s->idle_count; k++)
		if (s->idle[k].id == s->idle[job].het_id)
			return k;
	return job;
}

static uint32_t rank_of(const struct maui_snapshot *s, const struct maui_decisions *d, uint32_t job)
{
	return d->verdicts[leader_of(s, job)].rank;
}

/* The queue up to the job of this reservation alone gives it the same reservation. */
static void check_undisturbed(const struct prop_rules *drawn, const struct maui_snapshot *s,
			      const struct maui_decisions *d, const struct maui_reservation *r)
{
	struct maui_snapshot *front = prop_pour(&recipe, PROP_IDLE, false);
	struct maui_decisions alone_d = { 0 };
	uint32_t rank = rank_of(s, d, r->job), gone[PROP_IDLE], count = 0;
	const struct maui_reservation *same = NULL;

	for (uint32_t j = 0; j < front->idle_count; j++)
		for (uint32_t k = 0; k < s->idle_count; k++)
			if (s->idle[k].id == front->idle[j].id && rank_of(s, d, k) > rank)
				gone[count++] = j;
	maui_snapshot_drop_idle(front, gone, count);
	plan(other_planner, drawn->config, front, PROP_NOW, &alone_d);
	for (uint32_t i = 0; i < alone_d.reservation_count; i++) {
		const struct maui_reservation *other = &alone_d.reservations[i];

		if (front->idle[other->job].id == s->idle[r->job].id && other->copy == r->copy)
			same = other;
	}
	PROP_CHECK(same && same->start_s == r->start_s, "job %d: reserved at %d, alone at %d",
		   (int)s->idle[r->job].id, (int)r->start_s, same ? (int)same->start_s : -1);
	maui_decisions_finish(&alone_d);
	maui_snapshot_destroy(front);
}

static void check_reservations(const struct prop_rules *drawn, const struct maui_snapshot *s,
			       const struct maui_decisions *d)
{
	if (drawn->limits || !drawn->reserves)
		return;
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		uint32_t job = d->reservations[i].job;

		/* the rank of a job of several partitions is not the turn of each */
		if (!d->reservations[i].preempting && s->idle[job].row_count == 1 &&
		    s->idle[leader_of(s, job)].row_count == 1)
			check_undisturbed(drawn, s, d, &d->reservations[i]);
	}
}

static void check_one_plan(void)
{
	struct prop_rules drawn = draw_config();
	struct maui_snapshot *s = prop_pour(&recipe, PROP_IDLE, false);
	struct maui_decisions d = { 0 };

	plan(planner, drawn.config, s, PROP_NOW, &d);
	prop_check_possible(s, &drawn, &d, PROP_NOW);
	prop_check_limits(s, &drawn, &d);
	prop_check_preemptions(s, &d);
	prop_check_hets(s, &d);
	prop_check_promised(s, &drawn, &d, PROP_NOW);
	check_same(&drawn, s, &d);
	check_reservations(&drawn, s, &d);
	maui_decisions_finish(&d);
	maui_snapshot_destroy(s);
	maui_config_unref(drawn.config);
}

/* ---- job reservations over time ---- */

static struct maui_config *keeping_config(void)
{
	static const char text[] = "RESERVATIONDEPTH 1000\nRESERVATIONPOLICY HIGHEST\n";
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", text, sizeof(text) - 1, NULL, &diags);

	maui_diags_finish(&diags);
	return config;
}

static void launch(struct maui_snapshot *s, const struct maui_decisions *d, int64_t now)
{
	uint32_t gone[PROP_IDLE], count = 0;

	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];
		struct maui_active active = { .id = s->idle[start->job].id, .start_s = now };

		PROP_CHECK(maui_snapshot_launch(s, start, &active) >= 0, "launch");
	}
	for (uint32_t j = 0; j < s->idle_count; j++)
		if (d->verdicts[j].started)
			gone[count++] = j;
	maui_snapshot_drop_idle(s, gone, count);
}

/* Ends the jobs that are over, and some jobs early. */
static void end_some(struct maui_snapshot *s, int64_t now)
{
	for (uint32_t a = s->active_count; a-- > 0;)
		if (s->active[a].end_s <= now || prop_pick(6) == 0)
			maui_snapshot_drop_active(s, a);
}

/* The start of each job's last job reservation; INT64_MAX: none. */
static int64_t promised[PROP_IDLE + 1];

/* `late_s`: by so much at most jobs run longer than the last plan knew. */
static void check_kept(const struct maui_snapshot *s, const struct maui_decisions *d,
		       int64_t late_s)
{
	for (uint32_t j = 0; j < s->idle_count; j++)
		PROP_CHECK(promised[s->idle[j].id] == INT64_MAX ||
				   d->verdicts[j].estimate_s <= promised[s->idle[j].id] + late_s,
			   "job %d: promised %d, now %d, others are %d s late", (int)s->idle[j].id,
			   (int)promised[s->idle[j].id], (int)d->verdicts[j].estimate_s,
			   (int)late_s);
}

/* Has some jobs run longer. Returns by how much at most. */
static int64_t delay_some(struct maui_snapshot *s)
{
	int64_t most = 0;

	for (uint32_t a = 0; a < s->active_count; a++) {
		int64_t late_s = prop_pick(4) ? 0 : prop_pick(30);

		if (s->active[a].end_s == MAUI_NEVER)
			continue;
		s->active[a].end_s += late_s;
		most = late_s > most ? late_s : most;
	}
	return most;
}

/* `late`: jobs may end late. Reservations come at their time nevertheless: without them. */
static void check_promises(bool late)
{
	struct maui_config *config = keeping_config();
	struct maui_snapshot *s = prop_pour(&recipe, PROP_IDLE, false);
	struct maui_decisions d[2] = { { 0 }, { 0 } };
	struct maui_job_reservation job_rsvs[PROP_IDLE];
	struct prop_rules drawn = { .config = config };
	size_t count = 0;
	int64_t now = PROP_NOW, late_s = 0;

	for (uint32_t j = 0; j < s->idle_count; j++) {
		s->idle[j].copies = 1;
		prop_forget_answers(s, j);
		s->idle[j].het_id = 0;
		promised[s->idle[j].id] = INT64_MAX;
	}
	for (int step = 0; step < 12; step++) {
		struct maui_decisions *own = &d[step % 2];
		const struct maui_plan_input input = { .config = config,
						       .snapshot = s,
						       .now_s = now,
						       .job_rsvs = job_rsvs,
						       .job_rsv_count = count };

		PROP_CHECK(maui_plan(planner, &input, own, NULL) == 0, "plan");
		prop_check_possible(s, &drawn, own, now);
		check_kept(s, own, late_s);
		count = 0;
		for (uint32_t i = 0; i < own->reservation_count; i++) {
			const struct maui_reservation *r = &own->reservations[i];
			const struct maui_idle *idle = &s->idle[r->job];

			job_rsvs[count++] =
				(struct maui_job_reservation){ .job = idle->id,
							       .partition =
								       idle->rows[r->row].partition,
							       .start_s = r->start_s,
							       .places = r->places,
							       .place_count = r->place_count };
			promised[idle->id] = r->start_s;
		}
		launch(s, own, now);
		now += 1 + prop_pick(20);
		if (own->next_s < now)
			now = own->next_s;
		end_some(s, now);
		late_s = late ? delay_some(s) : 0;
	}
	maui_decisions_finish(&d[0]);
	maui_decisions_finish(&d[1]);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
}

static void round_once(void)
{
	prop_draw(&recipe);
	prop_draw_preemption(&recipe);
	prop_draw_answers(&recipe);
	prop_draw_hets(&recipe);
	check_one_plan();
	maui_planner_rest(other_planner);
	recipe.slurm_preempts = false;
	check_promises(false);
	if (recipe.claim_count == 0)
		check_promises(true);
}

int main(int argc, char **argv)
{
	int rc;

	planner = maui_planner_create();
	other_planner = maui_planner_create();
	rc = prop_main(argc, argv, 1000, round_once);
	maui_planner_destroy(planner);
	maui_planner_destroy(other_planner);
	return rc;
}
