/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.c - the verbs of the query socket, and the records of this folder
 *
 * Their headers say what they are; they are defined here.
 */

#define MAUI_RECORDS_HERE
#include "verbs/changejob.h"
#include "verbs/changeparam.h"
#include "verbs/config.h"
#include "verbs/credentials.h"
#include "verbs/estimate_move.h"
#include "verbs/fairshare.h"
#include "verbs/fits.h"
#include "verbs/gres.h"
#include "verbs/job.h"
#include "verbs/job_args.h"
#include "verbs/jobs.h"
#include "verbs/keeptrial.h"
#include "verbs/metrics.h"
#include "verbs/nodes.h"
#include "verbs/priorities.h"
#include "verbs/queue.h"
#include "verbs/refused.h"
#include "verbs/releaseres.h"
#include "verbs/report.h"
#include "verbs/reservations.h"
#include "verbs/resetstats.h"
#include "verbs/rsv.h"
#include "verbs/setres.h"
#include "verbs/snapshot.h"
#include "verbs/start.h"
#include "verbs/state.h"
#include "verbs/statistics.h"
#include "verbs/trial.h"
#include "verbs/warnings.h"

#define ROW(tag) &maui_verb_##tag,
const struct maui_verb *const maui_verbs[MAUI_VERB_COUNT] = { MAUI_VERBS(ROW, ROW) };
