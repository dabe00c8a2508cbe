/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_state.c - any bytes as a state file, and as a saved plan
 *
 * What is accepted is written, and what was written is read again with as many elements.
 */
#include "fuzz.h"
#include "state/saved_plan/saved_plan.h"
#include "state/store/store.h"

static void check_state(const char *text, size_t length)
{
	struct maui_strbuf out = { 0 };
	struct maui_store store, again;
	struct maui_err err = { .text = "" };

	if (maui_store_parse(text, length, &store, &err)) {
		FUZZ_CHECK(*err.text && !err.no_memory && !store.jobs && !store.rsvs);
		return;
	}
	maui_store_format(&store, &out);
	FUZZ_CHECK(!out.failed && maui_store_parse(out.text, out.length, &again, &err) == 0);
	FUZZ_CHECK(store.saved_s == again.saved_s && store.count == again.count);
	FUZZ_CHECK(store.job_rsv_count == again.job_rsv_count);
	FUZZ_CHECK(store.rsv_count == again.rsv_count);
	for (size_t i = 0; i < store.rsv_count; i++)
		FUZZ_CHECK(maui_store_rsv_hash(&store.rsvs[i]) ==
			   maui_store_rsv_hash(&again.rsvs[i]));
	FUZZ_CHECK(store.mirror_count == again.mirror_count);
	FUZZ_CHECK(store.released_count == again.released_count);
	FUZZ_CHECK(store.record_count == again.record_count);
	FUZZ_CHECK(store.pending_count == again.pending_count);
	FUZZ_CHECK(store.trigger_count == again.trigger_count);
	FUZZ_CHECK(store.statistics.rows.used == again.statistics.rows.used);
	FUZZ_CHECK(store.utilisation.count == again.utilisation.count);
	FUZZ_CHECK(store.trial.job_count == again.trial.job_count);
	maui_strbuf_finish(&out);
	maui_store_finish(&store);
	maui_store_finish(&again);
}

static void check_plan(const char *text, size_t length)
{
	struct maui_strbuf out = { 0 };
	struct maui_saved_plan plan, again;
	struct maui_err err = { .text = "" };

	if (maui_saved_plan_read(text, length, &plan, &err)) {
		FUZZ_CHECK(*err.text && !err.no_memory && !plan.snapshot && !plan.rsvs);
		return;
	}
	maui_saved_plan_write(&plan, &out);
	FUZZ_CHECK(!out.failed && maui_saved_plan_read(out.text, out.length, &again, &err) == 0);
	FUZZ_CHECK(plan.now_s == again.now_s && plan.rsv_count == again.rsv_count);
	FUZZ_CHECK(plan.snapshot->node_count == again.snapshot->node_count);
	FUZZ_CHECK(plan.snapshot->request_count == again.snapshot->request_count);
	FUZZ_CHECK(plan.snapshot->active_count == again.snapshot->active_count);
	FUZZ_CHECK(plan.snapshot->idle_count == again.snapshot->idle_count);
	FUZZ_CHECK(plan.waiting_count == again.waiting_count);
	FUZZ_CHECK(plan.instance_count == again.instance_count);
	FUZZ_CHECK(plan.job_rsv_count == again.job_rsv_count);
	maui_strbuf_finish(&out);
	maui_saved_plan_finish(&plan);
	maui_saved_plan_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	check_state(text, size);
	check_plan(text, size);
	free(text);
	return 0;
}
