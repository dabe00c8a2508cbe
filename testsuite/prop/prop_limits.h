/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_limits.h - random limits by seed, and jobs to which they apply */
#ifndef MAUI_TESTSUITE_PROP_LIMITS_H
#define MAUI_TESTSUITE_PROP_LIMITS_H

#include "prop.h"

#include <string.h>

#include "base/strbuf.h"
#include "explain/violation_text.h"
#include "policy/throttle/throttle.h"

#define NOW INT64_C(1729916252)

enum { NAMES = 3, MOST_LIMITS = 24, MOST_JOBS = 60, PROBES = 8, FEW = 12, ANY = -1 };

static const char *const families[MAUI_LIMITED_COUNT] = { "USERCFG", "GROUPCFG", "ACCOUNTCFG",
							  "QOSCFG",  "CLASSCFG", "SYSCFG" };
static const char *const names[NAMES] = { "a", "b", "c" };

/* One line of the configuration. */
struct limit {
	int object, name;        /* name ANY: DEFAULT */
	int second, second_name; /* second ANY: none; second_name ANY: each */
	int idle, resource;
	int64_t value[MAUI_LIMIT_LEVEL_COUNT]; /* as parsed: 0 not set, -1 none */
};

struct job {
	int cred[MAUI_CRED_COUNT]; /* place in names, ANY: none */
	struct maui_job job;
	struct maui_demand demand;
	int64_t end_s;
};

static struct limit limits[MOST_LIMITS];
static unsigned limit_count;

/* ---- making things up ---- */

static inline int name_or_any(unsigned one_in)
{
	return prop_pick(one_in) == 0 ? ANY : (int)prop_pick(NAMES);
}

static inline void make_limit(struct limit *l)
{
	/* limits that some jobs meet and some do not; a resource without a row: FEW */
	static const int64_t tops[MAUI_RESOURCE_COUNT] = {
		[MAUI_RESOURCE_JOB] = 12,    [MAUI_RESOURCE_PROC] = 60, [MAUI_RESOURCE_NODE] = 30,
		[MAUI_RESOURCE_PS] = 200000, [MAUI_RESOURCE_PE] = 60,   [MAUI_RESOURCE_WC] = 50000,
		[MAUI_RESOURCE_MEM] = 9000,
	};
	int64_t soft, hard;
	unsigned top;

	l->object = (int)prop_pick(MAUI_LIMITED_COUNT);
	l->name = l->object == MAUI_LIMITED_SYSTEM ? ANY : name_or_any(3);
	l->second = prop_pick(3) == 0 ? (int)prop_pick(MAUI_CRED_COUNT) : ANY;
	l->second_name = name_or_any(2);
	l->idle = prop_pick(3) == 0;
	l->resource = (int)prop_pick(MAUI_RESOURCE_COUNT);
	top = tops[l->resource] ? (unsigned)tops[l->resource] : FEW;
	hard = prop_pick(10) == 0 ? -1 : (int64_t)prop_pick(top);
	soft = prop_pick(2) ? hard : (int64_t)prop_pick(top);
	l->value[MAUI_LIMIT_HARD] = hard;
	l->value[MAUI_LIMIT_SOFT] = soft > 0 && (hard < 0 || soft < hard) ? soft : hard;
	if (hard == 0)
		l->value[MAUI_LIMIT_SOFT] = 0;
}

/* "CLASSCFG[b] MAXPROC[USER:a]=3,5" */
static inline void write_limit(const struct limit *l, struct maui_strbuf *text)
{
	maui_strbuf_addf(text, "%s", families[l->object]);
	if (l->object != MAUI_LIMITED_SYSTEM)
		maui_strbuf_addf(text, "[%s]", l->name == ANY ? "DEFAULT" : names[l->name]);
	maui_strbuf_addf(text, " %s",
			 maui_limit_name(l->idle ? MAUI_LIMIT_IDLE : MAUI_LIMIT_ACTIVE,
					 (enum maui_resource)l->resource));
	if (l->second != ANY)
		maui_strbuf_addf(text, "[%s%s%s]", maui_cred_name((enum maui_cred_kind)l->second),
				 l->second_name == ANY ? "" : ":",
				 l->second_name == ANY ? "" : names[l->second_name]);
	maui_strbuf_addf(text, "=%lld,%lld\n", (long long)l->value[MAUI_LIMIT_SOFT],
			 (long long)l->value[MAUI_LIMIT_HARD]);
}

static inline struct maui_config *make_config(const char *more)
{
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config = NULL;

	limit_count = 1 + prop_pick(MOST_LIMITS);
	for (unsigned i = 0; i < limit_count; i++) {
		make_limit(&limits[i]);
		write_limit(&limits[i], &text);
	}
	maui_strbuf_addf(&text, "%s", more);
	if (!text.failed)
		config = maui_config_parse("maui.cfg", text.text, text.length, NULL, &diags);
	PROP_CHECK(config, "not accepted:\n%s", text.text);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return config;
}

static inline void make_job(struct job *j)
{
	double procs, nodes, mem_mb, others;

	*j = (struct job){ .end_s = 0 };
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		j->cred[k] = name_or_any(8);
		j->job.cred[k] = j->cred[k] == ANY ? NULL : names[j->cred[k]];
	}
	procs = 1 + prop_pick(8);
	nodes = 1 + prop_pick(4);
	mem_mb = prop_pick(3) * 500;
	others = prop_pick(3);
#define DRAW(name, what) j->job.name = others;
	MAUI_JOB_QUANTITIES(DRAW)
#undef DRAW
	j->job.procs = procs;
	j->job.nodes = nodes;
	j->job.mem_mb = mem_mb;
	j->job.walltime_s = 60 * (1 + prop_pick(100));
	j->end_s = NOW + (int64_t)j->job.walltime_s;
	maui_demand_make(&j->job, j->job.procs + 0.5 * prop_pick(3), &j->demand);
}

static inline const struct maui_throttle_set *set_of(struct maui_throttle *t, const struct job *job)
{
	const struct maui_throttle_set *set = maui_throttle_resolve(t, job->job.cred);

	PROP_CHECK(set, "no memory");
	return set;
}

static inline void start(struct maui_throttle *t, const struct job *job)
{
	PROP_CHECK(maui_throttle_add(t, set_of(t, job), &job->demand, job->end_s) == 0,
		   "no memory");
}

static inline void end(struct maui_throttle *t, const struct job *job)
{
	PROP_CHECK(maui_throttle_remove(t, set_of(t, job), &job->demand, job->end_s), "not there");
}

/* All that the throttle says of some jobs, as text. */
static inline void describe(struct maui_throttle *t, const struct job *probes,
			    struct maui_strbuf *text)
{
	struct maui_violation list[512];
	char line[MAUI_VIOLATION_SIZE];

	maui_strbuf_clear(text);
	for (unsigned i = 0; i < PROBES; i++) {
		const struct maui_throttle_set *set = set_of(t, &probes[i]);

		for (int level = 0; level < MAUI_LIMIT_LEVEL_COUNT; level++) {
			enum maui_limit_level at = (enum maui_limit_level)level;
			size_t count = maui_throttle_violations(set, &probes[i].demand, at,
								MAUI_THROTTLE_START, list, 512);

			PROP_CHECK(count <= maui_throttle_limit_count(set), "%zu", count);
			for (size_t v = 0; v < count; v++)
				maui_strbuf_addf(
					text, "%u %s\n", i,
					maui_violation_format(&list[v], line, sizeof(line)));
			maui_strbuf_addf(
				text, "%u when %lld\n", i,
				(long long)maui_throttle_when(t, set, &probes[i].demand, at, NOW));
		}
	}
	for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
		maui_strbuf_addf(
			text, "%.17g ",
			maui_throttle_used(t, MAUI_LIMITED_SYSTEM, NULL, (enum maui_resource)r));
}

#endif
