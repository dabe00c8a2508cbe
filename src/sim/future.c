/* SPDX-License-Identifier: GPL-2.0-or-later */
/* future.c - runs the simulation that begins with a saved plan */

#include "sim/future.h"

#include <stdio.h>

/* The maui.cfg that was in force when the plan was saved. */
static int read_config(const struct maui_saved_plan *plan, struct maui_config **ret,
		       struct maui_err *err)
{
	struct maui_diags diags = { 0 };
	char text[2048] = "no memory";

	*ret = maui_config_parse(plan->config_path, plan->config_text, plan->config_length, NULL,
				 &diags);
	for (size_t i = 0; !*ret && i < diags.count; i++)
		if (diags.list[i].severity == MAUI_ERROR) {
			maui_diag_format(&diags.list[i], text, sizeof(text));
			break;
		}
	maui_diags_finish(&diags);
	return *ret ? 0 : maui_err_set(err, "the saved maui.cfg: %.400s", text);
}

static int take_config(const struct maui_sim_question *question, struct maui_sim_future *f,
		       struct maui_err *err)
{
	if (!question->config)
		return read_config(&f->saved.plan, &f->config, err);
	f->config = maui_config_ref(question->config);
	return 0;
}

static int begin(const struct maui_sim_question *question, struct maui_sim_future *f,
		 struct maui_err *err)
{
	if (maui_saved_plan_read(question->text, question->length, &f->saved.plan, err) ||
	    take_config(question, f, err))
		return -1;
	f->saved.ends_at = question->ends_at > 0 ? question->ends_at : 1;
	f->saved.until_s = question->for_s > 0 ?
				   maui_when_add(f->saved.plan.now_s, question->for_s) :
				   MAUI_NEVER;
	if (question->change && question->change(&f->saved.plan, question->arg, err))
		return -1;
	return maui_sim_saved_begin(&f->saved, &f->cluster, &f->trace, err);
}

int maui_sim_future_run(const struct maui_sim_question *question, struct maui_sim_future *f,
			struct maui_err *err)
{
	struct maui_sim_options options = question->options;

	*f = (struct maui_sim_future){ 0 };
	if (begin(question, f, err))
		return -1;
	options.saved = &f->saved;
	if (maui_sim_run(&f->cluster, &f->trace, f->config, &options, &f->run, err))
		return -1;
	f->outcome = (struct maui_sim_outcome){ .config_path = question->label,
						.config = f->config,
						.trace = &f->trace,
						.run = &f->run };
	maui_sim_results_make(&f->trace, (int64_t)f->cluster.conf.snapshot->totals.procs,
			      &f->outcome.results);
	return 0;
}

void maui_sim_future_finish(struct maui_sim_future *f)
{
	maui_sim_results_finish(&f->outcome.results);
	maui_sim_run_finish(&f->run);
	maui_sim_cluster_finish(&f->cluster);
	maui_sim_trace_finish(&f->trace);
	maui_saved_plan_finish(&f->saved.plan);
	maui_config_unref(f->config);
	*f = (struct maui_sim_future){ 0 };
}
