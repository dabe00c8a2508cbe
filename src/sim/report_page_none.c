/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_page_none.c - the page of simulated runs in a build without it
 *
 * Rules: CMD-38.
 */

#include "sim/report_page.h"

int maui_sim_write_page(const char *path, const struct maui_sim_outcome *outcomes,
			const struct maui_sim_cluster *const *clusters, size_t count,
			struct maui_err *err)
{
	(void)outcomes;
	(void)clusters;
	(void)count;
	return maui_err_set(err, "cannot write %s: this build has no report", path);
}
