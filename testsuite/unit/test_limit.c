/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_limit.c - how much a job counts against limits, and a violated limit as one line
 *
 * Rules: THR-1, THR-3, THR-17.
 */
#include "model/limit.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "explain/violation_text.h"
#include "model/violation.h"
#include "rows.h"

/* ---- names ---- */

Test(limit, names)
{
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_JOB), "MAXJOB") == 0);
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_IDLE, MAUI_RESOURCE_PE), "MAXIPE") == 0);
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_OVERRIDE, MAUI_RESOURCE_WC), "OMAXWC") == 0);
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_OVERRIDE_IDLE, MAUI_RESOURCE_NODE),
			 "OMAXINODE") == 0);
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_SINGLE, MAUI_RESOURCE_MEM), "OMAXJMEM") == 0);
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_COUNT), "?") == 0);
	cr_expect(strcmp(maui_limit_name(MAUI_LIMIT_KIND_COUNT, MAUI_RESOURCE_JOB), "?") == 0);
	cr_expect(strcmp(maui_limited_name(MAUI_LIMITED_SYSTEM), "system") == 0);
	cr_expect(strcmp(maui_limited_name(MAUI_CRED_QOS), "qos") == 0);
}

/* ---- demand ---- */

struct count {
	const char *name;
	struct maui_job job;
	double pe;
	double ps, pe_counted, wc;
};

static const struct count counts[] = {
	{ "idle", { .procs = 4, .walltime_s = 3600 }, 4, 14400, 4, 3600 },
	{ "idle, time left over",
	  { .procs = 4, .walltime_s = 3600, .elapsed_s = 60 },
	  4,
	  14400,
	  4,
	  3600 },
	{ "active",
	  { .procs = 4, .walltime_s = 3600, .elapsed_s = 600, .active = true },
	  4,
	  12000,
	  4,
	  3000 },
	{ "at its end",
	  { .procs = 4, .walltime_s = 600, .elapsed_s = 600, .active = true },
	  4,
	  0,
	  4,
	  0 },
	{ "over its end",
	  { .procs = 4, .walltime_s = 600, .elapsed_s = 900, .active = true },
	  4,
	  0,
	  4,
	  0 },
	{ "pe is cut", { .procs = 4, .walltime_s = 10 }, 7.9, 40, 7, 10 },
	{ "pe below 1", { .procs = 1, .walltime_s = 10 }, 0.9, 10, 0, 10 },
	/* 100 x (29/100) in double precision */
	{ "pe a hair below", { .procs = 29, .walltime_s = 1 }, 28.999999999999996, 29, 29, 1 },
	{ "pe not quite", { .procs = 29, .walltime_s = 1 }, 28.9999, 29, 28, 1 },
	{ "nothing", { .procs = 0 }, 0, 0, 0, 0 },
};

TEST_ROWS(limit, demand, counts, row)
{
	struct maui_job job = row->job;
	struct maui_demand got;

	job.nodes = 3;
	job.mem_mb = 700;
	maui_demand_make(&job, row->pe, &got);
	cr_expect(got.of[MAUI_RESOURCE_JOB] == 1 && got.of[MAUI_RESOURCE_NODE] == 3 &&
			  got.of[MAUI_RESOURCE_MEM] == 700 &&
			  got.of[MAUI_RESOURCE_PROC] == job.procs,
		  "%s", row->name);
	cr_expect(got.of[MAUI_RESOURCE_PS] == row->ps, "%s: PS %g", row->name,
		  got.of[MAUI_RESOURCE_PS]);
	cr_expect(got.of[MAUI_RESOURCE_PE] == row->pe_counted, "%s: PE %g", row->name,
		  got.of[MAUI_RESOURCE_PE]);
	cr_expect(got.of[MAUI_RESOURCE_WC] == row->wc, "%s: WC %g", row->name,
		  got.of[MAUI_RESOURCE_WC]);
	maui_demand_suspend(&got, 2.5);
	cr_expect(got.of[MAUI_RESOURCE_PROC] == 0 && got.of[MAUI_RESOURCE_PS] == 0 &&
			  got.of[MAUI_RESOURCE_PE] == 2,
		  "%s: suspended", row->name);
	cr_expect(got.of[MAUI_RESOURCE_JOB] == 1 && got.of[MAUI_RESOURCE_NODE] == 3 &&
			  got.of[MAUI_RESOURCE_MEM] == 700 && got.of[MAUI_RESOURCE_WC] == row->wc,
		  "%s: suspended jobs hold the rest", row->name);
}

/* ---- one line ---- */

struct line {
	struct maui_violation violation;
	const char *text;
};

#define WHO(object, called) .cred = object, .name = called, .second = MAUI_LIMITED_COUNT
#define PAIR(other, called) .second = other, .second_name = called

static const struct line lines[] = {
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_SOFT,
	    .resource = MAUI_RESOURCE_JOB,
	    WHO(MAUI_CRED_USER, "steve"),
	    .limit = "MAXJOB",
	    .value = 2,
	    .in_use = 2,
	    .requested = 1 },
	  "MAXJOB USER steve 2/2 (soft)" },
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_PROC,
	    .cred = MAUI_CRED_CLASS,
	    .name = "fast",
	    PAIR(MAUI_CRED_USER, "steve"),
	    .limit = "MAXPROC",
	    .value = 50,
	    .in_use = 40,
	    .requested = 11 },
	  "MAXPROC CLASS fast USER steve 40+11/50 (hard)" },
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_PROC,
	    WHO(MAUI_CRED_USER, "dan"),
	    .limit = "MAXPROC",
	    .value = 16,
	    .in_use = 4,
	    .requested = 20 },
	  "MAXPROC USER dan 20/16 (hard): larger than the limit" },
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_SOFT,
	    .resource = MAUI_RESOURCE_PROC,
	    WHO(MAUI_CRED_USER, "dan"),
	    .limit = "MAXPROC",
	    .value = 16,
	    .in_use = 4,
	    .requested = 20 },
	  "MAXPROC USER dan 4+20/16 (soft)" },
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_WC,
	    WHO(MAUI_LIMITED_SYSTEM, "ALL"),
	    .limit = "MAXWC",
	    .value = 31950,
	    .in_use = 40800,
	    .requested = 59 },
	  "MAXWC SYSTEM ALL 11:20:00+59/8:52:30 (hard)" },
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_WC,
	    WHO(MAUI_CRED_QOS, "q"),
	    .limit = "MAXWC",
	    .value = 86400,
	    .in_use = 3e9,
	    .requested = 3600 },
	  "MAXWC QOS q 3000000000+1:00:00/1:00:00:00 (hard)" },
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_SOFT,
	    .resource = MAUI_RESOURCE_PS,
	    WHO(MAUI_CRED_ACCOUNT, "a b"),
	    .limit = "MAXPS",
	    .value = 7e15,
	    .in_use = 6.9e15,
	    .requested = 2e14 },
	  "MAXPS ACCOUNT a b 6900000000000000+200000000000000/7000000000000000 (soft)" },
	{ { .kind = MAUI_VIOLATION_IDLE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_JOB,
	    WHO(MAUI_CRED_GROUP, "staff"),
	    .limit = "MAXIJOB",
	    .value = 5,
	    .in_use = 5,
	    .requested = 1 },
	  "MAXIJOB GROUP staff 5/5 (hard)" },
	/* one more: a job reservation needs it */
	{ { .kind = MAUI_VIOLATION_ACTIVE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_JOB,
	    WHO(MAUI_CRED_USER, "ann"),
	    .limit = "MAXJOB",
	    .value = 3,
	    .in_use = 2,
	    .requested = 2 },
	  "MAXJOB USER ann 2+2/3 (hard)" },
	{ { .kind = MAUI_VIOLATION_JOB,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_WC,
	    WHO(MAUI_CRED_CLASS, "batch"),
	    .limit = "MAX.WCLIMIT",
	    .value = 3600,
	    .requested = 7200 },
	  "MAX.WCLIMIT CLASS batch 2:00:00/1:00:00 (hard)" },
	{ { .kind = MAUI_VIOLATION_JOB,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_PROC,
	    WHO(MAUI_LIMITED_SYSTEM, "ALL"),
	    .limit = "SYSTEMMAXPROCPERJOB",
	    .value = 128,
	    .requested = 256 },
	  "SYSTEMMAXPROCPERJOB SYSTEM ALL 256/128 (hard)" },
	{ { .kind = MAUI_VIOLATION_FAIRSHARE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_COUNT,
	    WHO(MAUI_CRED_USER, "steve"),
	    .limit = "FSTARGET",
	    .value = 25,
	    .in_use = 31.792 },
	  "FSTARGET USER steve 31.79%/25% (cap)" },
	{ { .kind = MAUI_VIOLATION_FAIRSHARE,
	    .level = MAUI_LIMIT_HARD,
	    .resource = MAUI_RESOURCE_PS,
	    WHO(MAUI_CRED_USER, "steve"),
	    .limit = "FSTARGET",
	    .value = 5000,
	    .in_use = 5001 },
	  "FSTARGET USER steve 5001/5000 (cap)" },
};

TEST_ROWS(limit, line, lines, row)
{
	char buf[MAUI_VIOLATION_SIZE], tiny[8];

	cr_expect(maui_violation_format(&row->violation, buf, sizeof(buf)) == buf);
	EXPECT_TEXT(row->text, buf, row->text);
	maui_violation_format(&row->violation, tiny, sizeof(tiny));
	cr_expect(strncmp(tiny, row->text, 7) == 0 && tiny[7] == '\0', "%s: cut to %s", row->text,
		  tiny);
}
