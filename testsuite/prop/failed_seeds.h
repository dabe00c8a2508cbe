/* SPDX-License-Identifier: GPL-2.0-or-later */
/* failed_seeds.h - each seed that ever made a property fail; a run begins with them
 *
 * A failure prints its row. A seed means what its program draws today: when that changes, the row
 * stays, but the cause is no longer sure to come up. So a corrected cause also gets a case of its
 * own in testsuite/unit or testsuite/golden.
 */
#ifndef MAUI_TESTSUITE_FAILED_SEEDS_H
#define MAUI_TESTSUITE_FAILED_SEEDS_H

#include <stdint.h>

struct failed_seed {
	const char *program;
	uint64_t seed;
};

static const struct failed_seed failed_seeds[] = {
	{ "prop_offers", 1567883649 }, /* a row that never fits counts against no idle limit */
	{ "prop_offers", 1002313 },    /* idle limits admit another job after this plan's starts */
	{ "prop_offers", 1002924 },    /* a limit narrows a window when a job reservation begins */
	{ "prop_offers", 1004487 },    /* a job reservation moves to other nodes */
	{ "prop_offers", 1005513 },    /* reservations keep more memory than is free */
	{ "prop_offers", 1007215 },
	{ "prop_offers", 60001752 },
	{ "prop_offers", 60004799 },
	{ "prop_offers", 34412 },
	{ "prop_offers", 1336479 }, /* a job reservation given back left its user on the nodes */
	{ "prop_offers", 4003915 }, /* limits refused a place, and its reservation came too late */
	{ "prop_offers", 2778972433 },
	{ "prop_offers", 1567883649 }, /* a job counts more in another of its partitions */
	{ "prop_offers",
	  983078309 },           /* a reserved job's place that limits spare came after backfill */
	{ "prop_offers", 7239 }, /* an answer depended on the question before it */
	{ "prop_plan", 739228772 }, /* --time-min: a limit longer than its licences last */
	{ "prop_plan", 2590 },      /* a resumed job against the limits of a job reservation */
	{ "prop_plan", 22722 },     /* --switches with a bounded number of nodes */
	{ "prop_plan", 500891 },
	{ "prop_plan", 1011358 },
	{ "prop_plan", 1021199 },
	{ "prop_plan", 1024419 },
	{ "prop_plan", 40002803 },
	{ "prop_plan", 107271 },       /* the turn of a leader's second partition */
	{ "prop_plan", 2637019578 },   /* a late job reservation took more of a node */
	{ "prop_choose", 3282155464 }, /* tasks on more nodes than the job may have */
	{ "prop_choose", 3038180254 }, /* ... a required one among them */
	{ "prop_rsv", 2387669434 },    /* a job inside two of three stacked reservations */
	{ "prop_claims", 3312860135 }, /* reservations keep more memory than is free */
	{ "prop_claims", 2813987579 }, /* inside two reservations less than inside one of them */
	{ "prop_offers", 1590657586 }, /* a job reservation that passes to another job */
	{ "prop_saved", 573289332 },   /* jobs of equal priority and submission have an order */
};

#endif
