/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres_weight.c - how much generic resources count: GRESCFG WEIGHT */

#include "policy/gres_weight.h"

#include <string.h>

#include "base/limits.h"
#include "model/gres.h"

void maui_gres_weigh(const struct maui_config *config, const struct maui_snapshot *s, unsigned d,
		     double count, struct maui_job *job)
{
	const char *full = maui_gres_name(s, d), *type;
	char name[MAUI_NAME_MAX + 1];
	size_t length;

	if (!full || count == 0)
		return;
	length = strcspn(full, ":");
	if (length >= sizeof(name))
		return;
	memcpy(name, full, length);
	name[length] = '\0';
	type = full[length] ? full + length + 1 : NULL;
	if (!type && strcmp(name, "gpu") == 0)
		job->gpus += count;
	job->gres += count * maui_config_gres_weight(config, name, type);
	if (type) /* what its name has counted already */
		job->gres -= count * maui_config_gres_weight(config, name, NULL);
}
