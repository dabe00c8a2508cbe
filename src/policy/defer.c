/* SPDX-License-Identifier: GPL-2.0-or-later */
/* defer.c - counting refused starts and deferrals */

#include "policy/defer.h"

#include "model/when.h"

enum maui_defer_outcome maui_defer_refused(const struct maui_config *config,
					   struct maui_defer *defer, int64_t now_s)
{
	if (config->defer_time_s <= 0)
		return MAUI_DEFER_RETRY;
	if (defer->refusals < UINT32_MAX)
		defer->refusals++;
	if (defer->refusals < config->defer_start_count)
		return MAUI_DEFER_RETRY;
	if (defer->deferrals >= config->defer_count)
		return MAUI_DEFER_HOLD;
	defer->refusals = 0;
	defer->deferrals++;
	defer->until_s = maui_when_add(now_s, config->defer_time_s);
	return MAUI_DEFER_ASIDE;
}

int64_t maui_defer_until(const struct maui_config *config, struct maui_defer *defer, int64_t now_s)
{
	int64_t most = maui_when_add(now_s, config->defer_time_s);

	if (config->defer_time_s <= 0 || defer->until_s <= now_s)
		return 0;
	if (defer->until_s > most)
		defer->until_s = most;
	return defer->until_s;
}

void maui_defer_forget(struct maui_defer *defer)
{
	*defer = (struct maui_defer){ 0 };
}

int64_t maui_defer_start_deadline(const struct maui_config *config, int64_t since_s)
{
	return config->max_start_s > 0 ? maui_when_add(since_s, config->max_start_s) : MAUI_NEVER;
}
