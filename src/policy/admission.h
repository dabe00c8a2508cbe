/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admission.h - whether a partition admits a job that nobody has submitted
 *
 * Rules: CMD-71.
 */
#ifndef MAUI_POLICY_ADMISSION_H
#define MAUI_POLICY_ADMISSION_H

#include "model/admission.h"

struct maui_admission_job {
	bool uid_known;
	uint32_t uid;
	/* of the user, whichever group the job has; NULL: not known, and no rule admits it */
	const char *primary_group;
	const char *account;      /* NULL: not known */
	const char *qos;          /* that the job names; NULL: that of its account */
	bool names_a_reservation; /* of any kind */
};

enum maui_admission_rule {
	MAUI_ADMISSION_OPEN, /* none */
	MAUI_ADMISSION_ROOT_ONLY,
	MAUI_ADMISSION_NO_ROOT,
	MAUI_ADMISSION_NEEDS_RESERVATION,
	MAUI_ADMISSION_ALLOW_GROUPS,
	MAUI_ADMISSION_ALLOW_ACCOUNTS,
	MAUI_ADMISSION_DENY_ACCOUNTS,
	MAUI_ADMISSION_ALLOW_QOS,
	MAUI_ADMISSION_DENY_QOS,
	MAUI_ADMISSION_COUNT,
};

/* The rule of the partition that keeps the job out. `a` NULL: no partition has a rule. What is not
 * known of an account or a QOS keeps no job out. */
enum maui_admission_rule maui_admission_check(const struct maui_admission *a, uint32_t partition,
					      const struct maui_admission_job *job);

/* What slurmctld's record of a partition says of a user. */
struct maui_admission_groups {
	const char *groups; /* AllowGroups, `a,b`; NULL: no such rule */
	bool has_members;   /* these groups have a member at all; else they admit nobody */
	bool listed;        /* the user is one, or is root or SlurmUser, whom each list admits */
};

/* Whether AllowGroups admits the user. Slurm's list of members may lack users whose primary group
 * it is, so that one, NULL: not known, is looked for as well; `if_unknown`: the answer where it
 * alone would decide. */
bool maui_admission_by_groups(const struct maui_admission_groups *groups, const char *primary_group,
			      bool if_unknown);

#endif
