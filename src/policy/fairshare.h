/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.h - historical usage against targets (Maui manual 6.3)
 *
 * A window lasts FSINTERVAL and begins at a multiple of it in UTC epoch seconds. Usage of a
 * credential is the sum over FSDEPTH windows of value x FSDECAY^n, n = 0 for the current one; its
 * percentage is of the total delivered, weighted likewise.
 * After a change of FSINTERVAL, windows of another length count by their own start and length
 * (FS-8): n is the number of new intervals between their end and that of the current window,
 * rounded down, until it reaches FSDEPTH.
 * Files are in state/, the charging of jobs is in cycle/usage_charges.h.
 * Thread safety: pure functions of their arguments; callers that change usage serialise.
 *
 * Rules: FS-1, FS-4, FS-6.
 */
#ifndef MAUI_POLICY_FAIRSHARE_H
#define MAUI_POLICY_FAIRSHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "state/usage.h"

/* Start of the window that contains now_s. */
int64_t maui_fairshare_window_start(int64_t now_s, int64_t interval_s);

/* n of a window at `now`, 0 = current; -1: it has left the timeframe, or lies in the future. */
int64_t maui_fairshare_age(const struct maui_config *config, const struct maui_usage_window *window,
			   int64_t now_s);

/* Charges rate x seconds for the span [from, to) to every credential of `cred` (NULL or empty
 * entries skipped) and to the total, each part to the window it falls in; what is older than the
 * timeframe at `to` is dropped, and what a window has already (maui_usage_charge_on()). -1 only
 * without memory. */
int maui_fairshare_charge(struct maui_usage *usage, const struct maui_config *config,
			  const char *const *cred, double rate, int64_t from_s, int64_t to_s);
/* The same of a job of which not all credentials are known (state/usage.h). */
int maui_fairshare_charge_known(struct maui_usage *usage, const struct maui_config *config,
				const char *const *cred, unsigned known, double rate,
				int64_t from_s, int64_t to_s);

/* Removes windows that left the timeframe at `now`; returns how many. */
size_t maui_fairshare_expire(struct maui_usage *usage, const struct maui_config *config,
			     int64_t now_s);

/* Decayed sums at `now`, processor-seconds. An unknown credential has used 0. */
double maui_fairshare_usage(const struct maui_usage *usage, const struct maui_config *config,
			    int64_t now_s, enum maui_cred_kind kind, const char *name);
double maui_fairshare_total(const struct maui_usage *usage, const struct maui_config *config,
			    int64_t now_s);

/* 100 x usage / total, 0 when total is 0. */
double maui_fairshare_percent(double usage, double total);

/* The FS value of one credential: percent points, or a fraction in ratio mode; 0 without target,
 * for caps, and while FSPOLICY is NONE (FS-5). The total must be above 0. */
double maui_fairshare_delta(const struct maui_config *config, struct maui_fs_target target,
			    double percent);

/* Whether a fairshare cap forbids a job (FS-7): usage has reached or exceeds it. */
bool maui_fairshare_blocked(const struct maui_config *config, struct maui_fs_target target,
			    double usage, double total);

/* The percentages of all credentials at one moment, for a cycle that ranks many jobs. The caller
 * owns the table, which needs `usage` no more and keeps a reference on `config`. NULL without
 * memory. */
struct maui_fs_table;
struct maui_fs_table *maui_fs_table_create(const struct maui_usage *usage,
					   const struct maui_config *config, int64_t now_s);
void maui_fs_table_destroy(struct maui_fs_table *table); /* NULL is fine */
/* 0 for an unknown credential, a NULL name, a NULL table. */
double maui_fs_table_percent(const struct maui_fs_table *table, enum maui_cred_kind kind,
			     const char *name);
double maui_fs_table_usage(const struct maui_fs_table *table, enum maui_cred_kind kind,
			   const char *name); /* the decayed sum */
double maui_fs_table_total(const struct maui_fs_table *table);
/* The FS value of a job's credential, `cred` being what maui_config_cred() says of it; 0 as long
 * as the total is 0 (FS-5). Fast if `config` is that of the table, correct with any. */
double maui_fs_table_delta(const struct maui_fs_table *table, const struct maui_config *config,
			   enum maui_cred_kind kind, const char *name,
			   const struct maui_cred_config *cred);

#endif
