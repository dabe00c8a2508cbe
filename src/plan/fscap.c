/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fscap.c - fairshare caps as violations */

#include "plan/fscap.h"

static void describe(const struct maui_fs_target *cap, enum maui_cred_kind kind, const char *name,
		     double used, double total, struct maui_violation *ret)
{
	bool percent = cap->kind == MAUI_FS_CAP_RELATIVE;

	*ret = (struct maui_violation){
		.kind = MAUI_VIOLATION_FAIRSHARE,
		.level = MAUI_LIMIT_HARD,
		.resource = percent ? MAUI_RESOURCE_COUNT : MAUI_RESOURCE_PS,
		.cred = (int)kind,
		.name = name,
		.second = MAUI_LIMITED_COUNT,
		.limit = "FSTARGET",
		.value = cap->value,
		.in_use = percent ? maui_fairshare_percent(used, total) : used,
	};
}

size_t maui_plan_fs_caps(const struct maui_config *config, const struct maui_fs_table *usage,
			 const char *const *cred, struct maui_violation *list, size_t size)
{
	static const enum maui_cred_kind order[MAUI_CRED_COUNT] = {
		MAUI_CRED_USER, MAUI_CRED_GROUP, MAUI_CRED_ACCOUNT, MAUI_CRED_CLASS, MAUI_CRED_QOS,
	};
	double total = maui_fs_table_total(usage);
	size_t found = 0;

	for (int i = 0; i < MAUI_CRED_COUNT; i++) {
		const char *name = cred[order[i]];
		const struct maui_fs_target *cap =
			&maui_config_cred(config, order[i], name)->fstarget;
		double used;

		if (cap->kind != MAUI_FS_CAP_ABSOLUTE && cap->kind != MAUI_FS_CAP_RELATIVE)
			continue;
		used = maui_fs_table_usage(usage, order[i], name);
		if (!maui_fairshare_blocked(config, *cap, used, total))
			continue;
		if (found < size)
			describe(cap, order[i], name, used, total, &list[found]);
		found++;
	}
	return found;
}
