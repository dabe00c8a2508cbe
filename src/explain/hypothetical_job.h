/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hypothetical_job.h - a job that nobody has submitted, for src/explain only */
#ifndef MAUI_EXPLAIN_HYPOTHETICAL_JOB_H
#define MAUI_EXPLAIN_HYPOTHETICAL_JOB_H

#include "explain/offer.h"
#include "explain/private.h"
#include "model/limit.h"

/* The flags of its QOS. */
uint64_t maui_hypothetical_flags(const struct maui_explainer *x,
				 const struct maui_offer_question *q);

/* Its access table; NULL: no reservation admits it, or no memory (x->failed). */
const struct maui_access_table *maui_hypothetical_access(struct maui_explainer *x,
							 const struct maui_offer_question *q);
/* The same for jobs of which the size is not known: a reservation with a TASKLIMIT or PROCLIMIT
 * is left out. */
const struct maui_access_table *maui_hypothetical_access_of_any_size(
	struct maui_explainer *x, const struct maui_offer_question *q);

/* Its shape with this request, which the caller keeps. `exact`: EXACTPROC counts. -1 without
 * memory. */
int maui_hypothetical_shape(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct maui_request *request,
			    const struct maui_access_table *access, bool exact,
			    struct maui_shape *ret);

/* What it would count against limits with so many processors, if it holds at least `least`. */
struct maui_demand maui_hypothetical_demand(const struct maui_explainer *x,
					    const struct maui_offer_question *q, int64_t procs,
					    const struct maui_quantities *least, int64_t limit_s);

/* Why it would not start although it fits; NULL: it would. */
const char *maui_hypothetical_obstacle(const struct maui_explainer *x,
				       const struct maui_offer_question *q);

#endif
