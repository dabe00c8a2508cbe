/* SPDX-License-Identifier: GPL-2.0-or-later */
/* creds.c - what the configuration and fairshare say about a set of credentials */

#include "plan/fscap.h"
#include "plan/private.h"

static int stack_of(const struct maui_config *config, const char *qos)
{
	for (size_t i = 0; i < config->stack_count; i++) {
		const struct maui_stack_config *stack = &config->stacks[i];

		if (stack->depth > 0 &&
		    (stack->qos.count == 0 || (qos && maui_words_contain(&stack->qos, qos))))
			return (int)i;
	}
	return -1;
}

void maui_plan_look_up(struct maui_planner *p, uint32_t creds)
{
	struct maui_plan_creds *c = &p->creds.list[creds];
	const char *const *cred = p->snapshot->creds[creds].cred;

	if (!c->known) {
		maui_priority_resolve(p->config, cred, &c->priority);
		maui_priority_prepare(&c->priority, &c->weights);
		c->flags = c->priority.cred[MAUI_CRED_QOS]->flags;
		c->stack = stack_of(p->config, cred[MAUI_CRED_QOS]);
		c->limits = maui_throttle_resolve(p->limits.throttle, cred);
		c->limit_count = c->limits ? maui_throttle_limit_count(c->limits) : 0;
		p->failed |= !c->limits;
		c->known = true;
	}
	if (c->epoch == p->iteration)
		return;
	c->epoch = p->iteration;
	c->capped = false;
	if (!p->input->usage)
		return;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		c->fs_delta[k] =
			maui_fs_table_delta(p->input->usage, p->config, (enum maui_cred_kind)k,
					    cred[k], c->priority.cred[k]);
	c->capped = maui_plan_fs_caps(p->config, p->input->usage, cred, &c->cap, 1) > 0;
}
