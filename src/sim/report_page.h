/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_page.h - the page of simulated runs: nodes over time, utilisation, waiting jobs
 *
 * In: the outcomes of one or several policies. Out: the page of src/report, in which the runs stand
 * side by side with the same axis of time.
 *
 * Rules: CMD-38.
 */
#ifndef MAUI_SIM_REPORT_PAGE_H
#define MAUI_SIM_REPORT_PAGE_H

#include "base/err.h"
#include "sim/cluster.h"
#include "sim/report.h"

/* `clusters`: of each outcome, for the names of nodes; the jobs have their nodes (want_nodes of
 * the engine's options), unless the cluster is a pool. Replaces the file. */
int maui_sim_write_page(const char *path, const struct maui_sim_outcome *outcomes,
			const struct maui_sim_cluster *const *clusters, size_t count,
			struct maui_err *err);

#endif
