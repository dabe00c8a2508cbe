/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif.c - one more job, a reservation, nodes that go down: in a saved plan
 *
 * Rules: CMD-53.
 */

#include "cmd/whatif.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admin/admin.h"
#include "admin/bounds.h"
#include "base/hostexpr.h"
#include "base/need.h"
#include "base/user.h"
#include "explain/closed.h"
#include "explain/hypothetical_job.h"
#include "model/decision.h"
#include "model/gres.h"
#include "model/options.h"
#include "model/rsv.h"
#include "policy/quantities.h"
#include "policy/qos.h"

/* ---- words ---- */

/* Moves one word to *to, without its quotes. NULL: a quote is left open. */
static const char *take_word(const char *text, char **to)
{
	char quote = '\0';

	for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
		if (quote ? *text == quote : *text == '"' || *text == '\'')
			quote = quote ? '\0' : *text;
		else
			*(*to)++ = *text;
	}
	*(*to)++ = '\0';
	return quote ? NULL : text;
}

char **maui_whatif_words(const char *text, int *ret_argc)
{
	size_t most = strlen(text) / 2 + 3;
	/* the array, then its texts */
	char **words =
		maui_need_list((most + 1) * sizeof(*words) + strlen(text) + most + 1, sizeof(char));
	int count = 0;
	char *to;

	to = (char *)(words + most + 1);
	words[count++] = to;
	*to++ = '\0';
	for (;;) {
		text += strspn(text, " \t\n");
		if (!*text)
			break;
		words[count++] = to;
		text = take_word(text, &to);
		if (!text) {
			free(words);
			return NULL;
		}
	}
	words[count] = NULL;
	*ret_argc = count;
	return words;
}

/* ---- nodes that go down ---- */

/* The caller frees the list. */
static const char **node_names(const struct maui_snapshot *s)
{
	const char **names = maui_need_list(s->node_count, sizeof(*names));

	for (uint32_t n = 0; n < s->node_count; n++)
		names[n] = s->nodes[n].name ? s->nodes[n].name : "";
	return names;
}

static int set_down(struct maui_snapshot *s, const char *hosts, struct maui_err *err)
{
	const char **names = node_names(s);
	bool *match = maui_need_list(s->node_count, sizeof(*match));
	struct maui_hostexpr *list = NULL;
	const char *unmatched = NULL;
	ssize_t count = -1;

	if (maui_hostexpr_parse(hosts, &list, err) == 0)
		count = maui_hostexpr_match(list, names, s->node_count, match, &unmatched, err);
	if (count >= 0 && unmatched)
		count = maui_err_set(err, "--down: no node is named '%.64s'", unmatched);
	for (uint32_t n = 0; count >= 0 && n < s->node_count; n++)
		if (match[n])
			s->nodes[n].usable_from_s = MAUI_NEVER;
	maui_hostexpr_destroy(list);
	free(match);
	free(names);
	return count < 0 ? -1 : 0;
}

/* ---- a job ---- */

/* NULL, if the option is there without a value. */
static const char *named(const char *text)
{
	return text && *text ? text : NULL;
}

/* The named partition, else the default one, else that of the user's waiting jobs, else the first
 * one. -1: no such. */
static int64_t find_partition(const struct maui_snapshot *s, const char *name, const char *user)
{
	if (name || s->partition_count == 0)
		return maui_snapshot_find_partition(s, name);
	for (uint32_t i = 0; i < s->partition_count; i++)
		if (s->partitions[i].is_default)
			return i;
	for (uint32_t j = 0; j < s->idle_count; j++) {
		const struct maui_row *row = &s->idle[j].rows[0];
		const char *owner = s->creds[row->creds].cred[MAUI_CRED_USER];

		if (owner && strcmp(owner, user) == 0)
			return row->partition;
	}
	return 0;
}

/* Why no such job starts. The slurm.conf of slurmctld is not in the plan, so slurmctld has been
 * asked about it. NULL: the job may start. */
static const char *find_obstacle(const struct maui_whatif *w, const struct maui_snapshot *s,
				 uint32_t partition, const char *const *cred)
{
	struct maui_offer_question q = { .partition = partition, .named_s = w->job->limit };
	struct maui_closed closed;

	for (size_t i = 0; w->fits && i < w->fits->partitions_count; i++) {
		const struct maui_fits_partition *asked = &w->fits->partitions[i];

		if (strcmp(asked->name, s->partitions[partition].name) == 0 && *asked->kept_out_by)
			return asked->obstacle;
	}
	memcpy(q.cred, cred, sizeof(q.cred));
	closed = maui_closed_in(w->config, s, &q);
	return maui_closed_first(&closed);
}

/* The counts of a list of generic resources; NULL with err. */
static const int64_t *read_gres(const struct maui_snapshot *s, const char *text,
				struct maui_arena *arena, struct maui_err *err)
{
	int64_t *counts = maui_need(maui_arena_alloc(arena, s->amount_count * sizeof(*counts)));

	return text && maui_gres_add(s, text, counts, err) ? NULL : counts;
}

/* Whether the reservation is Slurm's own, as for maui fits: slurm-maui has none of the name. */
static bool names_claim(const struct maui_whatif *w, const struct maui_saved_plan *plan,
			uint32_t *ret)
{
	const char *name = named(w->job->reservation);

	for (size_t i = 0; name && i < w->config->rsv_count; i++)
		if (maui_rsv_is_meant(&w->config->rsvs[i], name))
			return false;
	for (uint32_t i = 0; name && i < plan->rsv_count; i++)
		if (maui_rsv_is_meant(plan->rsvs[i], name))
			return false;
	return name && maui_options_find_claim(plan->snapshot, name, ret);
}

/* The index of the request; -1 with err. `claim` NULL: it names no Slurm reservation. */
static int64_t add_request(struct maui_snapshot *s, uint32_t partition,
			   const struct maui_fits_args *job, const uint32_t *claim,
			   struct maui_err *err)
{
	struct maui_job_options options;
	struct maui_arena arena = { 0 };
	struct maui_request request;
	int64_t index = -1;

	maui_fits_options(job, &options);
	options.gres = read_gres(s, job->gres, &arena, err);
	options.gpus = options.gres ? read_gres(s, job->gpus, &arena, err) : NULL;
	options.claim = claim;
	if (options.gpus) {
		if (maui_options_request(s, partition, &options, &arena, &request) == 0)
			index = maui_snapshot_request(s, &request);
		if (index < 0)
			maui_out_of_memory();
	}
	maui_arena_finish(&arena);
	return index;
}

/* Behind all jobs of the plan: it has the highest number. */
static uint64_t next_number(const struct maui_snapshot *s)
{
	uint64_t highest = 0;

	for (uint32_t i = 0; i < s->idle_count; i++)
		if (s->idle[i].id > highest)
			highest = s->idle[i].id;
	for (uint32_t i = 0; i < s->active_count; i++)
		if (s->active[i].id > highest)
			highest = s->active[i].id;
	return highest + 1;
}

static int add_job(struct maui_whatif *w, struct maui_saved_plan *plan, struct maui_snapshot *s,
		   struct maui_err *err)
{
	const struct maui_fits_args *job = w->job;
	int64_t partition = find_partition(s, named(job->partition), job->user), creds, request;
	const char *obstacle;
	uint32_t claim;
	bool claimed = names_claim(w, plan, &claim);
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = job->user,
					      [MAUI_CRED_GROUP] = named(job->group),
					      [MAUI_CRED_ACCOUNT] = named(job->account),
					      [MAUI_CRED_QOS] = named(job->qos) };
	struct maui_row row = { 0 };
	struct maui_idle idle = { .id = next_number(s),
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .submit_s = plan->now_s,
				  .order = UINT64_MAX, /* behind those of the same second */
				  .queue_since_s = plan->now_s,
				  .advres = claimed ? NULL : named(job->reservation),
				  .in_reservation = claimed };

	if (partition < 0)
		return maui_err_set(err, "--job: no partition '%.64s'",
				    job->partition ? job->partition : "");
	cred[MAUI_CRED_CLASS] = s->partitions[partition].name;
	if (!cred[MAUI_CRED_QOS])
		cred[MAUI_CRED_QOS] = maui_qos_default(w->config, cred);
	obstacle = find_obstacle(w, s, (uint32_t)partition, cred);
	if (obstacle)
		return maui_err_set(err, "--job: partition '%.64s': %s",
				    s->partitions[partition].name, obstacle);
	w->limit = maui_time_limit_in(w->config, &s->partitions[partition], job->limit);
	request = add_request(s, (uint32_t)partition, job, claimed ? &claim : NULL, err);
	if (request < 0)
		return -1;
	creds = maui_snapshot_creds(s, cred);
	if (creds < 0)
		maui_out_of_memory();
	row = (struct maui_row){ .partition = (uint32_t)partition, .creds = (uint32_t)creds };
	idle.request = (uint32_t)request;
	idle.limit_s = w->limit.seconds;
	idle.procs = maui_request_task_count(&s->requests[request]) *
		     s->requests[request].procs_per_task;
	maui_quantities_ask(w->config, s, &s->requests[request], idle.procs,
			    maui_request_counted_nodes(&s->requests[request]), idle.limit_s,
			    &idle.job);
	if (maui_snapshot_add_idle(s, &idle) < 0)
		maui_out_of_memory();
	return 0;
}

/* ---- the reservation of --setres ---- */

/* Who asks, as slurmctld would see it; of SlurmUser and Slurm's operators it alone knows. */
static void find_rights(const struct maui_config *config, char *name, size_t size,
			struct maui_rights *ret)
{
	*ret = (struct maui_rights){ .uid = geteuid(), .any_creates = config->res_ctl_any };
	if (maui_user_own_name(name, size))
		ret->name = name;
	ret->admin = maui_rights_is_admin(ret->uid, ret->name, 0, config->admins, 1);
}

/* The administrative reservations of the plan become a list that setres may change, with room for
 * one more. They stay the plan's. */
static void take_list(struct maui_saved_plan *plan, struct maui_admin *admin)
{
	const struct maui_rsv **list =
		maui_need(maui_arena_alloc(&plan->arena, (plan->rsv_count + 1u) * sizeof(*list)));

	admin->list = maui_need_list(plan->rsv_count + 1u, sizeof(*admin->list));
	for (uint32_t i = 0; i < plan->rsv_count; i++) {
		admin->list[i] = *plan->rsvs[i];
		list[i] = &admin->list[i];
	}
	admin->count = plan->rsv_count;
	admin->alloc = plan->rsv_count + 1u;
	plan->rsvs = list;
}

/* Made as setres makes it, with the rights and bounds of the user, and refused as setres refuses
 * it. */
static int set_reservation(struct maui_whatif *w, struct maui_saved_plan *plan,
			   struct maui_err *err)
{
	const char **nodes = node_names(plan->snapshot);
	struct maui_admin admin = { .nodes = { nodes, plan->snapshot->node_count } };
	struct maui_query_error error;
	struct maui_rights who;
	char name[256];
	bool created;
	int rc;

	find_rights(w->config, name, sizeof(name), &who);
	take_list(plan, &admin);
	w->made = admin.list;
	rc = maui_admin_set(&admin, &who, w->config, w->setres, plan->now_s, &w->set, &created,
			    &w->warning, &error);
	free(nodes);
	if (rc != 0)
		return maui_err_set(err, "--setres: %s", error.err.text);
	if (created)
		((const struct maui_rsv **)plan->rsvs)[plan->rsv_count++] = &admin.list[w->set];
	return 0;
}

/* ---- changes of the plan ---- */

int maui_whatif_change(struct maui_saved_plan *plan, void *whatif, struct maui_err *err)
{
	struct maui_snapshot *s = (struct maui_snapshot *)plan->snapshot;
	struct maui_whatif *w = whatif;

	if (w->down && set_down(s, w->down, err))
		return -1;
	if (w->setres && set_reservation(w, plan, err))
		return -1;
	return w->job ? add_job(w, plan, s, err) : 0;
}

int maui_whatif_check(const struct maui_sim_first_plan *first, void *whatif, struct maui_err *err)
{
	const struct maui_whatif *w = whatif;
	const struct maui_bounds_plan plan = {
		.snapshot = first->snapshot,
		.standing = first->standing,
		.instances = first->decisions->instances,
		.instance_count = first->decisions->instance_count,
		.now_s = first->now_s,
	};
	struct maui_query_error error;
	struct maui_rights who;
	char name[256];

	if (!w->setres || !first->standing)
		return 0;
	find_rights(w->config, name, sizeof(name), &who);
	return maui_bounds_planned(&plan, (uint32_t)(w->config->rsv_count + w->set), &who,
				   w->config, &error) ?
		       maui_err_set(err, "--setres: %s", error.err.text) :
		       0;
}

void maui_whatif_finish(struct maui_whatif *w)
{
	free(w->made); /* the plan finishes its reservations */
	free(w->warning);
	*w = (struct maui_whatif){ 0 };
}
