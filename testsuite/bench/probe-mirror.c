/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-mirror - mirrors and starts on their nodes, as a test wants them: SchedulerType=
 * sched/mirrorprobe, for testsuite/live/test_mirror_probe.py and bench-mirrors alone
 *
 * Looks every 20 ms for the file PROBE_DIR/cmd, carries out its lines and leaves PROBE_DIR/out:
 *
 *   clear                                 nothing is wanted any more
 *   want NAME RSV START END NODES [admin] one more mirror; END may be "never", NODES is "n1,n2"
 *   sync [all|current|none]               maui_mirror_sync()
 *   start JOB PARTITION NODES             maui_start_jobs() with one order
 *   test JOB PARTITION NODES              maui_start_test()
 *   save FILE, load FILE                  the list of mirrors, as the state keeps it
 *   again                                 as after a start: nothing was looked at yet
 *   list                                  all reservations: name, number, ours or not
 *   resv JOB                              the job's record: reservation, number, pointer
 */
#include "slurm/compat.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "slurm/capture/cluster.h"
#include "slurm/capture/jobs.h"
#include "slurm/mirror/mirror.h"
#include "slurm/start/start.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

const char plugin_name[] = "slurm-maui: probe of mirrors";
const char plugin_type[] = "sched/mirrorprobe";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
int sched_p_reconfig(void);

enum { WORDS_MAX = 8 };

static const slurmctld_lock_t look_locks = { .conf = READ_LOCK,
					     .job = READ_LOCK,
					     .node = READ_LOCK };

static pthread_t thread;
static atomic_bool stopping;
static struct maui_mirrors mirrors;
static struct maui_mirror_want *wants;
static size_t want_count, want_alloc;

/* ---- reading ---- */

/* "n1,n2" as ids, ascending as the text has them. Under node READ. */
static uint32_t *read_nodes(char *text, uint32_t *ret_count)
{
	uint32_t *nodes = calloc(strlen(text) + 1, sizeof(*nodes));
	char *save = NULL;

	*ret_count = 0;
	for (char *one = strtok_r(text, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
		node_record_t *node_ptr = find_node_record(one);

		if (node_ptr)
			nodes[(*ret_count)++] = (uint32_t)node_ptr->index;
	}
	return nodes;
}

static void clear_wants(void)
{
	for (size_t i = 0; i < want_count; i++) {
		free((char *)wants[i].name);
		free((char *)wants[i].rsv);
		free((uint32_t *)wants[i].nodes);
	}
	want_count = 0;
}

static void add_want(char **word, int count)
{
	struct maui_mirror_want *grown =
		maui_array_grow(wants, want_count, &want_alloc, sizeof(*grown));
	struct maui_mirror_want want = { 0 };

	if (!grown || count < 6)
		return;
	wants = grown;
	want.name = strdup(word[1]);
	want.rsv = strdup(word[2]);
	want.rsv_index = (uint32_t)want_count;
	want.start_s = atoll(word[3]);
	want.end_s = strcmp(word[4], "never") == 0 ? MAUI_NEVER : atoll(word[4]);
	lock_slurmctld(look_locks);
	want.nodes = read_nodes(word[5], &want.count);
	unlock_slurmctld(look_locks);
	want.administrative = count > 6 && strcmp(word[6], "admin") == 0;
	wants[want_count++] = want;
}

/* ---- doing ---- */

/* Counts the known mirrors without deleted ones, which are remembered for a while. */
static size_t count_known(void)
{
	size_t count = 0;

	for (size_t i = 0; i < mirrors.count; i++)
		count += mirrors.list[i].deleted_s == 0;
	return count;
}

static void sync_mirrors(const char *mode, FILE *out)
{
	struct maui_mirror_input input = { .wants = wants, .count = want_count, .stop = &stopping };
	struct maui_mirror_result r;

	if (mode && strcmp(mode, "current") == 0)
		input.mode = MAUI_MIRROR_CURRENT;
	if (mode && strcmp(mode, "none") == 0)
		input.mode = MAUI_MIRROR_NONE;
	lock_slurmctld(look_locks);
	input.table = maui_cluster_table();
	unlock_slurmctld(look_locks);
	maui_mirror_sync(&mirrors, &input, &r);
	fprintf(out,
		"sync created=%u updated=%u deleted=%u adopted=%u put_back=%u refused=%u changed=%d "
		"table=%d left=%zu known=%zu again=%lld read_us=%u write_us=%u writes=%u sum_us=%llu\n",
		r.created, r.updated, r.deleted, r.adopted, r.put_back, r.refused, r.changed,
		r.table_changed, mirrors.left, count_known(),
		r.again_s == MAUI_NEVER ? -1LL : (long long)r.again_s, r.reads.longest_us,
		r.writes.longest_us, r.writes.count,
		(unsigned long long)(r.reads.sum_us + r.writes.sum_us));
	for (size_t i = 0; i < r.change_count; i++) {
		const struct maui_mirror_change *w = &r.changes[i];

		fprintf(out,
			"word %s group=%u deleted=%d start=%lld end=%lld moved=%d%d%d nodes=%u\n",
			w->name, w->rsv_index, w->deleted, (long long)w->start_s,
			(long long)w->end_s, w->moved_start, w->moved_end, w->moved_nodes,
			w->node_count);
	}
	maui_mirror_result_finish(&r);
}

static void start_job(char **word, bool test, FILE *out)
{
	struct maui_start_order order = { .partition = word[2] };
	struct maui_start_site site = { .mirrors = &mirrors };
	struct maui_start_result result;
	job_record_t *job_ptr;

	lock_slurmctld(look_locks);
	job_ptr = find_job_record((uint32_t)atol(word[1]));
	site.table = maui_cluster_table();
	order.nodes = read_nodes(word[3], &order.node_count);
	if (job_ptr && job_ptr->details) {
		order.job_id = job_ptr->job_id;
		order.array_job_id = job_ptr->array_job_id;
		order.submit_s = job_ptr->details->submit_time;
		order.fingerprint = maui_capture_fingerprint(job_ptr);
	}
	unlock_slurmctld(look_locks);
	if (test) {
		fprintf(out, "test code=%d\n", maui_start_test(&site, &order));
	} else {
		maui_start_jobs(&site, &order, 1, &result);
		fprintf(out, "start outcome=%d code=%d id=%u held_us=%u why=%s\n", order.outcome,
			order.code, order.started_id, result.writes.longest_us,
			order.why ? order.why : "-");
	}
	free((uint32_t *)order.nodes);
}

static void save(const char *path)
{
	struct maui_store store = { .saved_s = time(NULL) };
	struct maui_err err;

	if (maui_mirrors_to_store(&mirrors, &store) || maui_store_save(path, &store, &err))
		error("probe-mirror: cannot save");
	maui_store_finish(&store);
}

static void load(const char *path)
{
	struct maui_diags diags = { 0 };
	struct maui_store store = { 0 };

	maui_mirrors_finish(&mirrors);
	if (maui_store_load(path, &store, &diags) || maui_mirrors_from_store(&mirrors, &store))
		error("probe-mirror: cannot load");
	maui_store_finish(&store);
	maui_diags_finish(&diags);
}

static void list_all(FILE *out)
{
	maui_compat_iterator_t iterator;
	const slurmctld_resv_t *resv_ptr;

	lock_slurmctld(look_locks);
	iterator = list_iterator_create(resv_list);
	while ((resv_ptr = list_next(iterator)))
		fprintf(out, "list %s %u %s flags=%llx\n", resv_ptr->name, resv_ptr->resv_id,
			maui_mirrors_have(&mirrors, resv_ptr->name, resv_ptr->resv_id) ? "ours" :
											 "foreign",
			(unsigned long long)resv_ptr->flags);
	list_iterator_destroy(iterator);
	unlock_slurmctld(look_locks);
}

static void show_job(const char *id, FILE *out)
{
	const job_record_t *job_ptr;

	lock_slurmctld(look_locks);
	job_ptr = find_job_record((uint32_t)atol(id));
	if (job_ptr)
		fprintf(out, "resv name=%s id=%u pointer=%d list=%d priority=%u\n",
			job_ptr->resv_name ? job_ptr->resv_name : "-", job_ptr->resv_id,
			job_ptr->resv_ptr != NULL, job_ptr->resv_list != NULL, job_ptr->priority);
	unlock_slurmctld(look_locks);
}

static void execute(char *line, FILE *out)
{
	char *word[WORDS_MAX] = { 0 }, *save_ptr = NULL;
	int count = 0;

	for (char *one = strtok_r(line, " \n", &save_ptr); one && count < WORDS_MAX;
	     one = strtok_r(NULL, " \n", &save_ptr))
		word[count++] = one;
	if (count == 0)
		return;
	if (strcmp(word[0], "clear") == 0)
		clear_wants();
	else if (strcmp(word[0], "want") == 0)
		add_want(word, count);
	else if (strcmp(word[0], "sync") == 0)
		sync_mirrors(word[1], out);
	else if (strcmp(word[0], "start") == 0 && count == 4)
		start_job(word, false, out);
	else if (strcmp(word[0], "test") == 0 && count == 4)
		start_job(word, true, out);
	else if (strcmp(word[0], "save") == 0 && count == 2)
		save(word[1]);
	else if (strcmp(word[0], "load") == 0 && count == 2)
		load(word[1]);
	else if (strcmp(word[0], "again") == 0)
		mirrors.looked = false;
	else if (strcmp(word[0], "list") == 0)
		list_all(out);
	else if (strcmp(word[0], "resv") == 0 && count == 2)
		show_job(word[1], out);
	else
		fprintf(out, "unknown %s\n", word[0]);
}

static void carry_out_all(FILE *in, const char *dir)
{
	char *line = NULL, *ready, *made;
	size_t room = 0;
	FILE *out;

	if (asprintf(&ready, "%s/out", dir) < 0 || asprintf(&made, "%s/out.new", dir) < 0)
		return;
	out = fopen(made, "w");
	while (out && getline(&line, &room, in) > 0)
		execute(line, out);
	if (!out || fclose(out) || rename(made, ready))
		error("probe-mirror: %s: %m", ready);
	free(line);
	free(made);
	free(ready);
}

static void *probe(void *unused)
{
	const char *dir = getenv("PROBE_DIR");
	char *path;

	(void)unused;
	if (!dir || asprintf(&path, "%s/cmd", dir) < 0)
		return NULL;
	while (!stopping) {
		FILE *in = fopen(path, "r");

		if (in) {
			unlink(path);
			carry_out_all(in, dir);
			fclose(in);
		}
		usleep(20000);
	}
	clear_wants();
	free(wants);
	maui_mirrors_finish(&mirrors);
	free(path);
	return NULL;
}

int init(void)
{
	slurmctld_config.scheduling_disabled = true;
	return pthread_create(&thread, NULL, probe, NULL) ? SLURM_ERROR : SLURM_SUCCESS;
}

int fini(void)
{
	stopping = true;
	pthread_join(thread, NULL);
	return SLURM_SUCCESS;
}

int sched_p_reconfig(void)
{
	slurmctld_config.scheduling_disabled = true;
	maui_cluster_table_changed();
	return SLURM_SUCCESS;
}
