/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.c - all verbs of the query socket */

#include "verbs/verbs.h"

#include "verbs/changejob.h"
#include "verbs/changeparam.h"
#include "verbs/config.h"
#include "verbs/credentials.h"
#include "verbs/fairshare.h"
#include "verbs/fits.h"
#include "verbs/job.h"
#include "verbs/jobs.h"
#include "verbs/keeptrial.h"
#include "verbs/metrics.h"
#include "verbs/nodes.h"
#include "verbs/priorities.h"
#include "verbs/queue.h"
#include "verbs/releaseres.h"
#include "verbs/report.h"
#include "verbs/reservations.h"
#include "verbs/resetstats.h"
#include "verbs/setres.h"
#include "verbs/snapshot.h"
#include "verbs/start.h"
#include "verbs/state.h"
#include "verbs/statistics.h"
#include "verbs/trial.h"

const struct maui_verb *const maui_verbs[] = {
	&maui_verb_changejob,
	&maui_verb_changeparam,
	&maui_verb_config,
	&maui_verb_credentials,
	&maui_verb_fairshare,
	&maui_verb_fits,
	&maui_verb_job,
	&maui_verb_jobs,
	&maui_verb_keeptrial,
	&maui_verb_metrics,
	&maui_verb_nodes,
	&maui_verb_priorities,
	&maui_verb_queue,
	&maui_verb_releaseres,
	&maui_verb_report,
	&maui_verb_reservations,
	&maui_verb_resetstats,
	&maui_verb_restoreres,
	&maui_verb_setres,
	&maui_verb_snapshot,
	&maui_verb_start,
	&maui_verb_state,
	&maui_verb_statistics,
	&maui_verb_trial,
	NULL,
};
