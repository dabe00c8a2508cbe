/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - throttling limits: older switches, second dimensions, DEFAULT
 *
 * Rules: THR-4.
 */

#include "config/build/private.h"

#include <string.h>

#include "base/words.h"

/* "MAXJOBPERUSERPOLICY" of the alias "MAXJOBPERUSERCOUNT" */
static bool is_switch_of(const struct maui_param *param, const struct maui_alias *alias)
{
	size_t length = strlen(alias->name), stem = length - strlen("COUNT");

	return length > strlen("COUNT") && strcmp(alias->name + stem, "COUNT") == 0 &&
	       strncmp(param->name, alias->name, stem) == 0 &&
	       strcmp(param->name + stem, "POLICY") == 0;
}

bool maui_build_switched_off(const struct maui_config *config, const struct maui_setting *s)
{
	bool on = true;

	/* most settings stop here, so this check comes first */
	if (!s->alias || !s->alias->index || s->replaced)
		return false;
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *other = &config->settings[i];

		if (!other->attr && is_switch_of(other->param, s->alias))
			maui_bool_parse(other->value, &on);
	}
	return !on;
}

static bool is_limit(const struct maui_param *row)
{
	return row->type == MAUI_TYPE_LIMIT || row->type == MAUI_TYPE_TIMELIMIT;
}

bool maui_build_is_pair(const struct maui_setting *s)
{
	return s->attr->scope == MAUI_SCOPE_PERUSER ||
	       (s->sub && s->attr->scope == MAUI_SCOPE_CRED && is_limit(s->attr));
}

int maui_build_pair(const struct maui_setting *s, struct maui_pair_limit *ret, struct maui_err *err)
{
	const struct maui_param *row = s->attr;
	size_t place = (row->offset - offsetof(struct maui_cred_config, limits)) /
		       sizeof(struct maui_limit);
	const char *name = NULL;

	*ret = (struct maui_pair_limit){
		.second = MAUI_CRED_USER,
		.kind = (enum maui_limit_kind)(place / MAUI_RESOURCE_COUNT),
		.resource = (enum maui_resource)(place % MAUI_RESOURCE_COUNT),
		.origin = s,
	};
	if (s->sub && (row->scope == MAUI_SCOPE_PERUSER || ret->kind > MAUI_LIMIT_IDLE))
		return maui_err_set(err, "%s takes no second dimension, got [%s]", row->name,
				    s->sub);
	if (s->sub && maui_pair_limit_parse_second(s->sub, &ret->second, &name))
		return maui_err_set(err,
				    "%s[%s]: the second dimension is USER, GROUP, ACCOUNT, QOS or "
				    "CLASS, and may go on with :<name>",
				    row->name, s->sub);
	ret->name = (char *)name;
	return 0;
}

void maui_build_inherit_limits(struct maui_cred_config *cred, const struct maui_cred_config *from)
{
	for (int kind = 0; kind < MAUI_LIMIT_KIND_COUNT; kind++)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			if (cred->limits[kind][r].hard == 0)
				cred->limits[kind][r] = from->limits[kind][r];
	if (cred->min_procs == 0)
		cred->min_procs = from->min_procs;
	if (cred->max_job_procs == 0)
		cred->max_job_procs = from->max_job_procs;
	if (cred->max_job_nodes == 0)
		cred->max_job_nodes = from->max_job_nodes;
	if (cred->max_job_walltime_s == 0)
		cred->max_job_walltime_s = from->max_job_walltime_s;
	if (cred->default_walltime_s == 0)
		cred->default_walltime_s = from->default_walltime_s;
	if (cred->flags == 0)
		cred->flags = from->flags;
}
