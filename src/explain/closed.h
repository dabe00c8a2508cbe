/* SPDX-License-Identifier: GPL-2.0-or-later */
/* closed.h - why a hypothetical job does not start, even on idle nodes: the sentences
 *
 * What is closed to it is found by maui_closed_in() of hypothetical_job.h.
 *
 * Rules: CMD-42.
 */
#ifndef MAUI_EXPLAIN_CLOSED_H
#define MAUI_EXPLAIN_CLOSED_H

#include "base/strbuf.h"
#include "explain/explain.h"
#include "explain/hypothetical_job.h"

/* The parameter of slurm.conf that a rule is; NULL: the job is admitted. */
const char *maui_closed_rule_name(enum maui_admission_rule rule);
/* The first reason, in a few words; NULL: nothing is closed to the job. */
const char *maui_closed_first(const struct maui_closed *closed);
/* Writes all reasons, one a line, and those that the plan recorded in `e`. `no_starts`: of a
 * job that would start now, why none is started; NULL: jobs are. -1 without memory. */
int maui_closed_list(const struct maui_offer_question *question,
		     const struct maui_partition *partition, const struct maui_closed *closed,
		     const char *no_starts, const struct maui_explanation *e,
		     struct maui_strbuf *ret);

#endif
