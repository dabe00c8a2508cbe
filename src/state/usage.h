/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.h - usage of each credential, one table for each fairshare window
 *
 * Only stores numbers: policy/fairshare.h gives them meaning, state/fsfile.h keeps them on disk.
 *
 * Thread safety: none.
 *
 * Rules: FS-10, FS-12.
 */
#ifndef MAUI_STATE_USAGE_H
#define MAUI_STATE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "model/cred.h"

struct maui_usage_entry {
	double value; /* proc-seconds (PE-seconds under DEDICATEDPES) */
	enum maui_cred_kind kind;
	uint32_t claims; /* of a user: names that this user's jobs were the first to have */
	char name[];
};

struct maui_usage_window {
	int64_t start_s;    /* epoch */
	int64_t interval_s; /* length */
	double total;       /* of all jobs */
	/* its file has what was used before that moment; 0: it does not say */
	int64_t charged_until_s;
	int64_t charges_from_s; /* what was used before that moment is in it: not charged again */
	bool dirty;             /* changed since the last save */
	uint64_t version;       /* how often it changed: usage_view.h */
	/* the file can be neither read nor moved, so it must not be overwritten */
	bool blocked;
	struct maui_hashtable entries; /* struct maui_usage_entry, by kind and name */
};

struct maui_usage {
	struct maui_usage_window *windows; /* newest start first */
	size_t count, alloc;
	int64_t charged_until_s; /* all jobs are charged up to then; 0: not known */
};

void maui_usage_finish(struct maui_usage *usage); /* a zeroed struct is empty */
void maui_usage_window_finish(struct maui_usage_window *window);

/* The window that begins at start_s, empty if it is new; NULL without memory. There is one
 * window for each start, as there is one file. After a change of FSINTERVAL the window has the
 * longer of both lengths. The pointer holds until the next window is added or removed. */
struct maui_usage_window *maui_usage_window(struct maui_usage *usage, int64_t start_s,
					    int64_t interval_s);
void maui_usage_remove(struct maui_usage *usage, size_t index);

/* After files were read, with the moment of which the charges of jobs are known: windows that were
 * saved later have more than these say, and are charged from their own moment on, at most `now_s`
 * (FS-10). */
void maui_usage_charge_on(struct maui_usage *usage, int64_t known_s, int64_t now_s);
/* Before all jobs are charged up to now_s. When the clock was set back, moments of before mean
 * nothing: all windows are charged, and saved with new moments. */
void maui_usage_charge_until(struct maui_usage *usage, int64_t now_s);

/* Adds usage to one credential; `name` is copied. Does not change the total. -1 without memory. */
int maui_usage_add(struct maui_usage_window *window, enum maui_cred_kind kind, const char *name,
		   double value);
/* Charges a job to each of its credentials (one of each kind; NULL or "": none). Of names that
 * jobs claim (maui_cred_is_claimed()) and that are not known (`known`: a bit for each kind), a
 * window takes MAUI_CLAIMS_OF_A_USER new ones from each user, from all users that are not known
 * together, and none as soon as it has MAUI_FS_MAX_NAMES names. Jobs under further names are
 * charged to [others]. -1 without memory. */
#define MAUI_USAGE_OTHERS MAUI_CRED_OTHERS
int maui_usage_charge(struct maui_usage_window *window, const char *const *cred, unsigned known,
		      double value);
/* The same decision for any table: the name under which a job's claim counts there. `known`: the
 * table has the name; `claims` of the job's user, counted here, NULL: no user; `used` of at most
 * `most` names. */
const char *maui_usage_claimed_name(const char *name, bool known, uint32_t *claims, size_t used,
				    size_t most);
double maui_usage_get(const struct maui_usage_window *window, enum maui_cred_kind kind,
		      const char *name);

#endif
