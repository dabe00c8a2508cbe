/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case_snapshot.c - requests and credentials that a snapshot stores once: what did not fit into
 * memory is asked for again, behind others that did
 *
 * A scheduling cycle goes on with other jobs where memory was short for one. None of them may get
 * the request or the credentials of another.
 */

#include "cases.h"

#include "model/snapshot.h"

static struct maui_snapshot *snapshot;
static int64_t requests[2], creds[2];

static void make_snapshot(void)
{
	snapshot = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	if (!snapshot || maui_snapshot_seal(snapshot, NULL))
		memory_broken("snapshot");
}

static void prepare(unsigned variant)
{
	(void)variant;
	make_snapshot();
}

static int64_t add_request(int i)
{
	static const int64_t amounts[2][MAUI_AMOUNT_FIXED] = { { 1 }, { 2 } };

	return requests[i] = maui_snapshot_request(
		       snapshot, &(struct maui_request){ .nodes_min = (uint32_t)i + 1,
							 .nodes_max = (uint32_t)i + 1,
							 .per_node = amounts[i],
							 .features = i == 0 ? "gpu" : "ib" });
}

static int64_t add_creds(int i)
{
	const char *const cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = i == 0 ? "ann" : "bob" };

	return creds[i] = maui_snapshot_creds(snapshot, cred);
}

/* Those of the first job may fail: the second job's come next, and then the first job's again. */
static int act(struct maui_err *err)
{
	if (add_request(0) < 0 && (add_request(1) < 0 || add_request(0) < 0))
		return maui_err_no_memory(err);
	if (add_creds(0) < 0 && (add_creds(1) < 0 || add_creds(0) < 0))
		return maui_err_no_memory(err);
	if (add_request(1) < 0 || add_creds(1) < 0)
		return maui_err_no_memory(err);
	return 0;
}

static void show(struct maui_strbuf *out)
{
	for (int i = 0; i < 2; i++) {
		const struct maui_request *r = &snapshot->requests[requests[i]];
		const struct maui_credentials *c = &snapshot->creds[creds[i]];

		maui_strbuf_addf(out, "%u %lld %s %s\n", r->nodes_min, (long long)r->per_node[0],
				 r->features, c->cred[MAUI_CRED_USER]);
	}
	maui_strbuf_addf(out, "%u requests, %u credentials\n", snapshot->request_count,
			 snapshot->cred_count);
}

static void drop(void)
{
	maui_snapshot_destroy(snapshot);
	make_snapshot();
}

static void end(void)
{
	maui_snapshot_destroy(snapshot);
}

const struct memory_case memory_snapshot_cases[] = {
	{ "snapshot", prepare, 1, act, show, drop, end },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};
