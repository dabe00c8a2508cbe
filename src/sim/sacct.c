/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct.c - reads jobs from `sacct -P`: a line of field names, then one line for each job, with
 * `|` between the fields
 *
 *   sacct -a -X -P -S ... -o JobID,JobIDRaw,User,Group,Account,Partition,QOS,Submit,Start,End,
 *         Timelimit,ReqCPUS,AllocCPUS,NNodes,ReqMem,ReqTRES
 *
 * Needed: Submit, Start, End, and AllocCPUS or ReqCPUS. Times are local (TZ) as sacct prints them,
 * or seconds since the epoch (SLURM_TIME_FORMAT=%s). Job steps are skipped; jobs that did not run
 * are dropped. The components of a het job (JobID 15+0, 15+1) start together, if all of them ran;
 * otherwise those that ran are jobs of their own. ReqMem with suffix c or n is for each processor
 * or node, otherwise for the job. Only gres are read from ReqTRES.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/duration.h"
#include "base/lines.h"
#include "base/need.h"
#include "base/number.h"
#include "base/sort.h"
#include "model/when.h"
#include "sim/trace.h"

enum field {
	JOBID,
	JOBIDRAW,
	USER,
	GROUP,
	ACCOUNT,
	PARTITION,
	QOS,
	SUBMIT,
	START,
	END,
	TIMELIMIT,
	REQCPUS,
	ALLOCCPUS,
	NNODES,
	REQMEM,
	REQTRES,
	FIELDS
};

static const char *const names[FIELDS] = {
	"JobID", "JobIDRaw", "User",      "Group",   "Account",   "Partition", "QOS",    "Submit",
	"Start", "End",      "Timelimit", "ReqCPUS", "AllocCPUS", "NNodes",    "ReqMem", "ReqTRES",
};

enum { MOST_COLUMNS = 256 };

struct columns {
	int of[FIELDS]; /* column of each field; -1: missing */
};

/* Het jobs of which a component never ran. */
struct id_list {
	uint64_t *ids;
	size_t count, alloc;
};

/* Splits the line into fields; returns their number. */
static int split_line(char *line, char **values)
{
	int count = 0;

	for (char *rest = line, *value; count < MOST_COLUMNS && (value = strsep(&rest, "|"));)
		values[count++] = value;
	return count;
}

static int read_head(char *line, struct columns *columns, const char *path, struct maui_err *err)
{
	char *values[MOST_COLUMNS];
	int count = split_line(line, values);

	for (int f = 0; f < FIELDS; f++) {
		columns->of[f] = -1;
		for (int c = 0; c < count; c++)
			if (strcasecmp(values[c], names[f]) == 0)
				columns->of[f] = c;
	}
	for (int f = SUBMIT; f <= END; f++)
		if (columns->of[f] < 0)
			return maui_err_set(err, "%s: no field %s", path, names[f]);
	if (columns->of[REQCPUS] < 0 && columns->of[ALLOCCPUS] < 0)
		return maui_err_set(err, "%s: neither AllocCPUS nor ReqCPUS", path);
	return 0;
}

/* The value of a field; "" when the field is missing. */
static const char *get_field(const struct columns *columns, char **values, int count, enum field f)
{
	int c = columns->of[f];

	return c >= 0 && c < count ? values[c] : "";
}

/* A number of 32 bits, as in Slurm. */
static int64_t read_small(const char *text)
{
	int64_t number = maui_number_read(text, NULL);

	return number > UINT32_MAX ? UINT32_MAX : number < 0 ? 0 : number;
}

static int64_t read_count(const struct columns *columns, char **values, int count, enum field f)
{
	return read_small(get_field(columns, values, count, f));
}

/* A time; -1: none ("Unknown", "None", ""). */
static int64_t read_time(const char *text)
{
	struct tm tm = { .tm_isdst = -1 };
	char *end;
	int64_t epoch = maui_number_read(text, &end);

	if (end != text && *end == '\0')
		return epoch > 0 ? epoch : -1;
	end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	return end && *end == '\0' ? (int64_t)mktime(&tm) : -1;
}

/* 0: none, or no limit. */
static int64_t read_limit(const char *text)
{
	int64_t limit_s;

	return maui_duration_parse_slurm(text, &limit_s) || limit_s == MAUI_NEVER ? 0 : limit_s;
}

static void read_memory(const char *text, struct maui_sim_job *job)
{
	char *end;
	double mb = maui_number_read_real(text, &end);

	if (end == text || mb <= 0)
		return;
	if (*end == 'K')
		mb /= 1024;
	else if (*end == 'G')
		mb *= 1024;
	else if (*end == 'T')
		mb *= 1024 * 1024;
	end += strcspn(end, "cn");
	if (*end == 'c')
		job->mem_proc_mb = (int64_t)mb;
	else if (*end == 'n')
		job->mem_node_mb = (int64_t)mb;
	else
		job->mem_node_mb = (int64_t)mb / (job->nodes > 0 ? job->nodes : 1);
}

/* Turns "cpu=4,gres/gpu=2,mem=8G" into "gpu=1," for each of two nodes. */
static const char *read_gres(struct maui_sim_trace *trace, const char *text, uint32_t nodes)
{
	static const char prefix[] = "gres/";
	size_t length = 0;
	char *list;

	if (!strstr(text, prefix))
		return NULL;
	list = maui_need(maui_arena_alloc(&trace->arena, strlen(text) + 1));
	while ((text = strstr(text, prefix))) {
		size_t name;
		int64_t count;

		text += sizeof(prefix) - 1;
		name = strcspn(text, "=:,");
		if (text[name] != '=')
			continue; /* gres/gpu:a100 is counted as gres/gpu already */
		count = maui_number_read(text + name + 1, NULL) / (nodes > 0 ? nodes : 1);
		length +=
			(size_t)sprintf(list + length, "%.*s=%" PRId64 ",", (int)name, text, count);
	}
	return list;
}

static const char *copy_text(struct maui_sim_trace *trace, const char *text)
{
	return *text ? maui_need(maui_arena_strdup(&trace->arena, text)) : NULL;
}

/* Reads "15+2" of a component. */
static void read_component(const char *text, struct maui_sim_job *job)
{
	char *end;
	int64_t id = maui_number_read(text, &end);

	if (*end != '+' || id <= 0)
		return;
	job->het_id = (uint64_t)id;
	job->het_offset = (uint32_t)read_small(end + 1);
}

/* Reads a job. NULL, or the error. */
static const char *read_job(struct maui_sim_trace *trace, const struct columns *columns,
			    char **values, int count, struct maui_sim_job *job)
{
	int64_t start = read_time(get_field(columns, values, count, START));
	int64_t end = read_time(get_field(columns, values, count, END));
	const char *id = get_field(columns, values, count, JOBIDRAW);
	int64_t requested = read_count(columns, values, count, REQCPUS);

	if (*id == '\0')
		id = get_field(columns, values, count, JOBID);
	job->number = (uint64_t)maui_number_read(id, NULL);
	read_component(get_field(columns, values, count, JOBID), job);
	job->submit_s = read_time(get_field(columns, values, count, SUBMIT));
	if (job->submit_s < 0)
		return "no submit time";
	job->procs = read_count(columns, values, count, ALLOCCPUS);
	if (job->procs <= 0)
		job->procs = requested;
	job->run_s = start >= 0 && end > start ? end - start : 0;
	job->limit_s = read_limit(get_field(columns, values, count, TIMELIMIT));
	if (job->limit_s < job->run_s)
		job->limit_s = job->run_s;
	job->nodes = (uint32_t)read_count(columns, values, count, NNODES);
	read_memory(get_field(columns, values, count, REQMEM), job);
	job->gres = read_gres(trace, get_field(columns, values, count, REQTRES), job->nodes);
	job->cred[MAUI_CRED_USER] = copy_text(trace, get_field(columns, values, count, USER));
	job->cred[MAUI_CRED_GROUP] = copy_text(trace, get_field(columns, values, count, GROUP));
	job->cred[MAUI_CRED_ACCOUNT] = copy_text(trace, get_field(columns, values, count, ACCOUNT));
	job->cred[MAUI_CRED_CLASS] = copy_text(trace, get_field(columns, values, count, PARTITION));
	job->cred[MAUI_CRED_QOS] = copy_text(trace, get_field(columns, values, count, QOS));
	return NULL;
}

/* Counts a job that did not run. */
static void drop(struct maui_sim_trace *trace, const struct maui_sim_job *job,
		 struct id_list *incomplete)
{
	trace->dropped++;
	if (!job->het_id)
		return;
	incomplete->ids = maui_need_more(incomplete->ids, incomplete->count, &incomplete->alloc,
					 sizeof(*incomplete->ids));
	incomplete->ids[incomplete->count++] = job->het_id;
}

static void read_line(struct maui_sim_trace *trace, const struct columns *columns,
		      struct maui_lines *lines, struct id_list *incomplete,
		      const struct maui_sim_complaints *complaints)
{
	char *values[MOST_COLUMNS];
	struct maui_sim_job job = { 0 };
	int count = split_line(lines->text, values);
	const char *wrong;

	if (strchr(get_field(columns, values, count, JOBIDRAW), '.') ||
	    strchr(get_field(columns, values, count, JOBID), '.'))
		return; /* a job step */
	trace->lines++;
	wrong = read_job(trace, columns, values, count, &job);
	if (wrong)
		maui_sim_trace_junk(trace, lines->path, lines->number, wrong, complaints);
	else if (job.run_s <= 0 || job.procs <= 0)
		drop(trace, &job, incomplete);
	else
		maui_sim_trace_add(trace, &job);
}

static int compare_components(const void *a, const void *b)
{
	const struct maui_sim_job *one = *(struct maui_sim_job *const *)a;
	const struct maui_sim_job *other = *(struct maui_sim_job *const *)b;

	if (one->het_id != other->het_id)
		return one->het_id < other->het_id ? -1 : 1;
	return (one->het_offset > other->het_offset) - (one->het_offset < other->het_offset);
}

/* The components of one het job, by offset: together, or each a job of its own. */
static void join_components(struct maui_sim_job *const *list, size_t count,
			    const struct id_list *incomplete)
{
	bool dropped = incomplete->count > 0 &&
		       bsearch(&list[0]->het_id, incomplete->ids, incomplete->count,
			       sizeof(*incomplete->ids), maui_sort_by_u64);
	bool complete = count > 1 && !dropped;

	for (size_t k = 0; k < count; k++)
		complete &= list[k]->het_offset == k && list[k]->submit_s == list[0]->submit_s;
	for (size_t k = 0; k < count; k++) {
		if (complete)
			list[k]->het_count = (uint32_t)count;
		else
			list[k]->het_id = 0;
	}
}

static void join_het_jobs(struct maui_sim_trace *trace, struct id_list *incomplete)
{
	struct maui_sim_job **list = maui_need_list(trace->count, sizeof(struct maui_sim_job *));
	size_t count = 0, next;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].het_id)
			list[count++] = &trace->jobs[i];
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_components);
	if (incomplete->count > 1)
		qsort(incomplete->ids, incomplete->count, sizeof(*incomplete->ids),
		      maui_sort_by_u64);
	for (size_t i = 0; i < count; i = next) {
		for (next = i + 1; next < count && list[next]->het_id == list[i]->het_id;)
			next++;
		join_components(&list[i], next - i, incomplete);
	}
	free(list);
}

int maui_sacct_read(struct maui_sim_trace *trace, const char *path,
		    const struct maui_sim_complaints *complaints, struct maui_err *err)
{
	struct id_list incomplete = { 0 };
	struct columns columns;
	struct maui_lines lines;
	int rc;

	if (maui_lines_open(&lines, path, err))
		return -1;
	rc = maui_lines_next(&lines, err);
	if (rc == 0)
		rc = maui_err_set(err, "%s: empty", path);
	else if (rc > 0)
		rc = read_head(lines.text, &columns, path, err) ? -1 : 1;
	while (rc > 0 && (rc = maui_lines_next(&lines, err)) > 0)
		if (*lines.text)
			read_line(trace, &columns, &lines, &incomplete, complaints);
	maui_lines_close(&lines);
	if (rc == 0) {
		join_het_jobs(trace, &incomplete);
		maui_sim_trace_sort(trace);
	}
	free(incomplete.ids);
	return rc;
}
