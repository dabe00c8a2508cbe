/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cred.h - the five kinds of credential a job carries
 *
 * user, group and account as Slurm has them; class = Slurm's partition (also Maui's partition);
 * qos = Slurm's QOS, or the text that job_submit/maui kept.
 */
#ifndef MAUI_MODEL_CRED_H
#define MAUI_MODEL_CRED_H

#include <stdbool.h>

enum maui_cred_kind {
	MAUI_CRED_USER,
	MAUI_CRED_GROUP,
	MAUI_CRED_ACCOUNT,
	MAUI_CRED_QOS,
	MAUI_CRED_CLASS,
	MAUI_CRED_COUNT
};

/* "user", "group", "account", "qos", "class"; NULL behind the last. */
extern const char *const maui_cred_names[MAUI_CRED_COUNT + 1];
const char *maui_cred_name(enum maui_cred_kind kind);

/* Reads a kind in any case; "acct" is account (FS files of Maui). MAUI_CRED_COUNT: no such kind. */
enum maui_cred_kind maui_cred_parse(const char *text);

/* Users and groups: a bit for each kind. */
enum { MAUI_CRED_IDS = 1 << MAUI_CRED_USER | 1 << MAUI_CRED_GROUP };

/* Whether a job claims its name of this kind, unless it is known: accounts and QOS, which only
 * slurmdbd would verify, and the number of a user or group without a name, of which one person may
 * have thousands (subordinate ids). */
static inline bool maui_cred_is_claimed(enum maui_cred_kind kind)
{
	return kind != MAUI_CRED_CLASS;
}

/* The name of what all jobs of users without a name claim together, and of names beyond bounds. */
#define MAUI_CRED_OTHERS "[others]"

/* An account's name as slurmctld has it: in lower case (ASCII), in place. */
void maui_cred_fold_account(char *name);
bool maui_cred_is_folded(const char *name);

#endif
