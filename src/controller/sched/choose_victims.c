/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_victims.c - asks about the plan's victims, then about all, then who can stay */

#include "controller/sched/choose_victims.h"

bool maui_victims_list(const struct maui_decisions *d, const struct maui_preemption *first,
		       const bool *taken, struct maui_victims *ret)
{
	ret->count = 0;
	for (uint32_t i = 0; i < d->preemption_count; i++) {
		if (!maui_is_same_preemptor(&d->preemptions[i], first))
			continue;
		if (taken[d->preemptions[i].active])
			return false;
		ret->list[ret->count++] = d->preemptions[i];
	}
	ret->planned = ret->count;
	for (uint32_t i = 0; i < d->further_count; i++)
		if (maui_is_same_preemptor(&d->further[i], first) && !taken[d->further[i].active])
			ret->list[ret->count++] = d->further[i];
	return true;
}

void maui_victims_take(const struct maui_victims *victims, bool *taken)
{
	for (uint32_t i = 0; i < victims->count; i++)
		taken[victims->list[i].active] |= victims->goes[i];
}

static void let_go(struct maui_victims *victims, uint32_t count)
{
	for (uint32_t i = 0; i < victims->count; i++)
		victims->goes[i] = i < count;
}

static void spare(struct maui_victims *victims, const struct maui_victims_oracle *oracle)
{
	for (uint32_t i = victims->count; i-- > 0;) {
		victims->goes[i] = false;
		if (oracle->ask(oracle->data) != MAUI_VICTIMS_HELP)
			victims->goes[i] = true;
	}
}

static bool can_ask_to_spare(const struct maui_victims *victims,
			     const struct maui_victims_oracle *oracle)
{
	unsigned left = oracle->left(oracle->data);

	return left >= MAUI_QUESTIONS_TO_SPARE || left >= victims->count;
}

enum maui_victims_answer maui_choose_victims(struct maui_victims *victims,
					     const struct maui_victims_oracle *oracle)
{
	enum maui_victims_answer answer;

	if (victims->fits) {
		let_go(victims, 0);
		answer = oracle->ask(oracle->data);
		if (answer != MAUI_VICTIMS_IN_VAIN)
			return answer == MAUI_VICTIMS_HELP ? MAUI_VICTIMS_NOT_NEEDED : answer;
	}
	let_go(victims, victims->planned);
	answer = oracle->ask(oracle->data);
	if (answer != MAUI_VICTIMS_IN_VAIN || victims->count == victims->planned)
		return answer;
	let_go(victims, victims->count);
	answer = oracle->ask(oracle->data);
	if (answer != MAUI_VICTIMS_HELP)
		return answer;
	if (!can_ask_to_spare(victims, oracle))
		return MAUI_VICTIMS_NOT_KNOWN;
	spare(victims, oracle);
	return MAUI_VICTIMS_HELP;
}
