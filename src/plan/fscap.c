/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fscap.c - fairshare caps as violations */

#include "plan/fscap.h"

/* What a cap is compared with. */
struct usage {
	enum maui_cred_kind kind;
	const char *name;
	double used, total;
};

static void describe(const struct maui_fs_target *cap, const char *attr, const struct usage *usage,
		     struct maui_violation *ret)
{
	bool percent = cap->kind == MAUI_FS_CAP_RELATIVE;

	*ret = (struct maui_violation){
		.kind = MAUI_VIOLATION_FAIRSHARE,
		.level = MAUI_LIMIT_HARD,
		.resource = percent ? MAUI_RESOURCE_COUNT : MAUI_RESOURCE_PS,
		.cred = (int)usage->kind,
		.name = usage->name,
		.second = MAUI_LIMITED_COUNT,
		.limit = attr,
		.value = cap->value,
		.in_use = percent ? maui_fairshare_percent(usage->used, usage->total) : usage->used,
	};
}

/* Whether the cap, FSTARGET or FSCAP, is reached; adds it to the list if there is room. */
static bool add_reached(const struct maui_config *config, const struct maui_fs_target *cap,
			const char *attr, const struct usage *usage, struct maui_violation *at)
{
	if (cap->kind != MAUI_FS_CAP_ABSOLUTE && cap->kind != MAUI_FS_CAP_RELATIVE)
		return false;
	if (!maui_fairshare_blocked(config, *cap, usage->used, usage->total))
		return false;
	if (at)
		describe(cap, attr, usage, at);
	return true;
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
		const struct maui_cred_config *own = maui_config_cred(config, order[i], name);
		const struct usage of = { order[i], name,
					  maui_fs_table_usage(usage, order[i], name), total };

		found += add_reached(config, &own->fstarget, "FSTARGET", &of,
				     found < size ? &list[found] : NULL);
		found += add_reached(config, &own->fscap, "FSCAP", &of,
				     found < size ? &list[found] : NULL);
	}
	return found;
}
