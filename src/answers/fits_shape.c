/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_shape.c - whether a job of one shape starts, and what would help
 *
 * Rules: CMD-41.
 */

#include "answers/find_job.h"
#include "answers/fits_question.h"
#include "answers/lines.h"
#include "base/duration.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "policy/time_limit.h"

bool maui_fits_is_too_long(const struct maui_fits_asked *a, uint32_t partition)
{
	int64_t most_s = a->s->partitions[partition].max_limit_s;

	return most_s > 0 && (a->limit_s > most_s || a->least_s > most_s);
}

static void put_reasons(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			bool up, const struct maui_would_start *would, struct maui_object *o)
{
	struct maui_strbuf reasons = { 0 };
	char most[32];

	if (maui_fits_is_too_long(a, q->partition))
		maui_strbuf_addf(&reasons, "the time limit is above the partition's MaxTime, %s\n",
				 maui_duration_format(a->s->partitions[q->partition].max_limit_s,
						      most, sizeof(most)));
	if (!up)
		maui_strbuf_addf(&reasons, "the partition starts no jobs now\n");
	if (!maui_fits_qos_is_open(a, q))
		maui_strbuf_addf(&reasons, "QOS %s is not open to the user\n",
				 q->cred[MAUI_CRED_QOS]);
	if (would->now && maui_document_no_starts(a->p))
		maui_strbuf_addf(&reasons, "it would start now, but no job is started\n");
	o->failed |= would->e.verdict->blocks && maui_explain_all(&would->e, &reasons);
	maui_object_put(o, "reasons", maui_lines_to_json(reasons.text ? reasons.text : ""));
	maui_strbuf_finish(&reasons);
}

/* The job reservation in the way; the asker may not see whose it is. */
static void put_ahead(const struct maui_fits_asked *a, const struct maui_would_start *would,
		      struct maui_object *o)
{
	char label[MAUI_JOB_LABEL_SIZE];

	if (would->ahead == UINT32_MAX) {
		maui_object_put_null(o, "ahead_job");
		maui_object_put_null(o, "ahead_priority");
		return;
	}
	maui_object_put_text(o, "ahead_job",
			     maui_document_shows_idle(a->p, would->ahead, a->uid) ?
				     maui_waiting_label(a->p, would->ahead, label) :
				     NULL);
	maui_object_put_number(o, "ahead_priority",
			       a->p->plan->decisions.verdicts[would->ahead].published);
}

int maui_fits_put_shape(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			bool up, struct maui_object *ret)
{
	const struct maui_partition *partition = &a->s->partitions[q->partition];
	const struct maui_time_limit limit =
		maui_time_limit_in(a->p->plan->config, partition, a->limit_s);
	struct maui_offer_question asked = *q;
	struct maui_object o;
	struct maui_would_start would;
	bool never = maui_fits_is_too_long(a, q->partition) || !maui_fits_qos_is_open(a, q);
	bool stands; /* it would start, but nothing does */

	asked.limit_s = limit.seconds;
	if (partition->max_limit_s > 0 && asked.limit_s > partition->max_limit_s)
		asked.limit_s = partition->max_limit_s;
	/* fewer nodes would need other shares of --gpus */
	if (maui_explain_would_start(a->x, &asked, !a->gpus, &would))
		return -1;
	stands = would.now && maui_document_no_starts(a->p);
	o = maui_object_make();
	maui_object_put_number(&o, "limit", limit.seconds);
	maui_object_put_text(&o, "limit_from", limit.from);
	maui_object_put(&o, "starts_now",
			json_object_new_boolean(would.now && up && !never && !stands));
	maui_object_put_time(&o, "earliest", never || stands ? MAUI_NEVER : would.earliest_s);
	maui_object_put_time(&o, "starts_with_limit",
			     would.longest_s ? would.longest_s : MAUI_NEVER);
	maui_object_put_time(&o, "starts_on_nodes",
			     would.fewer_nodes ? would.fewer_nodes : MAUI_NEVER);
	maui_object_put(&o, "limited", json_object_new_boolean(would.limited));
	put_ahead(a, &would, &o);
	put_reasons(a, q, up, &would, &o);
	maui_object_put(ret, "shape", maui_object_finish(&o));
	return 0;
}
