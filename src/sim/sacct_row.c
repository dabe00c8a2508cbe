/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_row.c - one row of `sacct -P` as a job
 *
 * sacct does not escape `|`. A row with more fields than the head is read from the right behind
 * the one column that can contain it. A row with an invalid value is named and does not count: a
 * guess would be a job that nobody submitted.
 */

#include "sim/sacct_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/duration.h"
#include "base/need.h"
#include "base/number.h"
#include "model/job.h"
#include "model/when.h"

static const char *const names[MAUI_SACCT_FIELDS] = {
	"JobID",  "JobIDRaw", "User",      "Group",     "Account", "Partition", "QOS",
	"Submit", "Start",    "End",       "Timelimit", "ReqCPUS", "AllocCPUS", "NNodes",
	"ReqMem", "ReqTRES",  "AllocTRES", "State",     "JobName",
};

/* Names of sacct's for the same. */
static const char *const aliases[MAUI_SACCT_FIELDS] = { [MAUI_SACCT_ALLOCCPUS] = "NCPUS",
							[MAUI_SACCT_NNODES] = "AllocNodes" };

/* ---- fields ---- */

static int split(char *line, char **values)
{
	int count = 0;

	for (char *rest = line, *value;
	     count < MAUI_SACCT_MOST_COLUMNS && (value = strsep(&rest, "|"));)
		values[count++] = value;
	return count;
}

static bool is_free_text(const char *name)
{
	static const char *const free_texts[] = { "JobName",       "Comment", "AdminComment",
						  "SystemComment", "WorkDir", "SubmitLine",
						  "Extra",         "StdIn",   "StdOut",
						  "StdErr",        "Reason",  "FailedNode" };

	for (size_t i = 0; i < sizeof(free_texts) / sizeof(free_texts[0]); i++)
		if (strcasecmp(name, free_texts[i]) == 0)
			return true;
	return false;
}

static int find_free_text(char *const *values, int count)
{
	int found = -1;

	for (int c = 0; c < count; c++) {
		if (!is_free_text(values[c]))
			continue;
		if (found >= 0)
			return -1;
		found = c;
	}
	return found;
}

int maui_sacct_head(char *line, struct maui_sacct_columns *ret, const char *path,
		    struct maui_err *err)
{
	char *values[MAUI_SACCT_MOST_COLUMNS];

	ret->count = split(line, values);
	ret->bar = ret->count > 1 && *values[ret->count - 1] == '\0';
	ret->count -= ret->bar;
	ret->free_text = find_free_text(values, ret->count);
	for (int f = 0; f < MAUI_SACCT_FIELDS; f++) {
		ret->of[f] = -1;
		for (int c = 0; c < ret->count; c++)
			if (strcasecmp(values[c], names[f]) == 0 ||
			    (aliases[f] && strcasecmp(values[c], aliases[f]) == 0))
				ret->of[f] = c;
	}
	for (int f = MAUI_SACCT_SUBMIT; f <= MAUI_SACCT_END; f++)
		if (ret->of[f] < 0)
			return maui_err_set(err, "%s: no field %s", path, names[f]);
	if (ret->of[MAUI_SACCT_REQCPUS] < 0 && ret->of[MAUI_SACCT_ALLOCCPUS] < 0 &&
	    ret->of[MAUI_SACCT_REQTRES] < 0 && ret->of[MAUI_SACCT_ALLOCTRES] < 0)
		return maui_err_set(err,
				    "%s: no processors: neither AllocCPUS nor ReqCPUS, AllocTRES "
				    "or ReqTRES",
				    path);
	return 0;
}

int maui_sacct_split(char *line, struct maui_sacct_row *row)
{
	int wanted = row->columns->count, text = row->columns->free_text;
	int count = split(line, row->values), more;

	if (row->columns->bar && count > wanted && *row->values[count - 1] == '\0')
		count--;
	more = count - wanted;
	if (more > 0 && text >= 0 && count < MAUI_SACCT_MOST_COLUMNS) {
		memmove(&row->values[text + 1], &row->values[text + 1 + more],
			(size_t)(wanted - text - 1) * sizeof(row->values[0]));
		return 0;
	}
	if (more == 0)
		return 0;
	snprintf(row->why, sizeof(row->why), "%d fields, where the head has %d", count, wanted);
	return -1;
}

const char *maui_sacct_value(const struct maui_sacct_row *row, enum maui_sacct_field field)
{
	int c = row->columns->of[field];

	return c >= 0 ? row->values[c] : "";
}

static int refuse(struct maui_sacct_row *row, enum maui_sacct_field field, const char *what)
{
	snprintf(row->why, sizeof(row->why), "%s '%.80s' is %s", names[field],
		 maui_sacct_value(row, field), what);
	return -1;
}

/* ---- values ---- */

/* A number of 32 bits, as in Slurm; 0 if there is none. */
static int read_count(struct maui_sacct_row *row, enum maui_sacct_field field, int64_t *ret)
{
	const char *text = maui_sacct_value(row, field);
	char *end;
	int64_t number = maui_number_read(text, &end);

	*ret = number > UINT32_MAX ? UINT32_MAX : number < 0 ? 0 : number;
	return *end == '\0' ? 0 : refuse(row, field, "not a number");
}

/* 2024-01-01T10:00[:00][+0100], local without the last. */
static int read_date(const char *text, int64_t *ret)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M", &tm);
	long east_s;

	if (end && *end == ':')
		end = strptime(end, ":%S", &tm);
	if (!end)
		return -1;
	if (*end == '\0') {
		*ret = (int64_t)mktime(&tm);
		return 0;
	}
	end = strptime(end, "%z", &tm);
	if (!end || *end != '\0')
		return -1;
	east_s = tm.tm_gmtoff; /* timegm() overwrites it */
	*ret = (int64_t)timegm(&tm) - east_s;
	return 0;
}

/* A time; -1: none. */
static int read_time(struct maui_sacct_row *row, enum maui_sacct_field field, int64_t *ret)
{
	static const char *const none[] = { "", "None", "Unknown", "N/A" };
	const char *text = maui_sacct_value(row, field);
	char *end;
	int64_t epoch = maui_number_read(text, &end);

	*ret = -1;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (strcasecmp(text, none[i]) == 0)
			return 0;
	if (*end == '\0') {
		*ret = epoch > 0 ? epoch : -1;
		return 0;
	}
	if (read_date(text, ret))
		return refuse(row, field, "not a time");
	return 0;
}

static int read_limit(struct maui_sacct_row *row, struct maui_sim_job *job)
{
	const char *text = maui_sacct_value(row, MAUI_SACCT_TIMELIMIT);

	job->limit_kind = MAUI_SIM_LIMIT_UNKNOWN;
	if (*text == '\0')
		return 0;
	if (strcasecmp(text, "Partition_Limit") == 0) {
		job->limit_kind = MAUI_SIM_LIMIT_PARTITION;
		return 0;
	}
	if (maui_duration_parse_partition(text, &job->limit_s))
		return refuse(row, MAUI_SACCT_TIMELIMIT, "not a time");
	if (job->limit_s == MAUI_NEVER)
		job->limit_kind = MAUI_SIM_LIMIT_NONE;
	else if (job->limit_s > 0)
		job->limit_kind = MAUI_SIM_LIMIT_NAMED;
	return 0;
}

/* "4Gc", "1.50Gn", "4000M", "0". */
static int read_memory(struct maui_sacct_row *row, struct maui_sim_job *job)
{
	static const char units[] = "KMGTP";
	const char *text = maui_sacct_value(row, MAUI_SACCT_REQMEM), *unit;
	char *end;
	double mb = maui_number_read_real(text, &end);

	if (*text == '\0')
		return 0;
	unit = end != text && *end != '\0' ? strchr(units, *end) : NULL;
	for (int step = unit ? (int)(unit - units) : 1; step != 1; step += step < 1 ? 1 : -1)
		mb = step < 1 ? mb / 1024 : mb * 1024;
	end += unit != NULL;
	if (end == text || strspn(end, "cn?") != strlen(end) || strlen(end) > 1)
		return refuse(row, MAUI_SACCT_REQMEM, "no amount of memory");
	if (mb <= 0)
		return 0;
	if (mb > (double)MAUI_NUMBER_MAX)
		mb = (double)MAUI_NUMBER_MAX;
	if (*end == 'c')
		job->mem_proc_mb = (int64_t)mb;
	else if (*end == 'n')
		job->mem_node_mb = (int64_t)mb;
	else
		job->mem_node_mb = (int64_t)mb / (job->nodes > 0 ? job->nodes : 1);
	return 0;
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

/* ---- the number ---- */

static uint32_t read_index(const char *text, char **ret_end)
{
	int64_t index = maui_number_read(text, ret_end);

	return index < 0 || index > UINT32_MAX ? 0 : (uint32_t)index;
}

/* "15", "15+2" of a component, "15_7" of a task, "15_[8-9]" of the tasks that never started. */
static int read_job_id(struct maui_sacct_row *row, struct maui_sim_job *job)
{
	const char *text = maui_sacct_value(row, MAUI_SACCT_JOBID);
	char *end;
	int64_t id = maui_number_read(text, &end);

	if (*text == '\0')
		return 0;
	if (end == text || id <= 0)
		return refuse(row, MAUI_SACCT_JOBID, "not a number");
	job->number = (uint64_t)id;
	if (*end == '_' && end[1] != '[') {
		job->array_job = (uint32_t)(id > UINT32_MAX ? UINT32_MAX : id);
		job->array_task = read_index(end + 1, &end);
	} else if (*end == '_') {
		end += strlen(end);
	}
	if (*end == '+') {
		job->het_id = (uint64_t)id;
		job->het_offset = read_index(end + 1, &end);
	}
	return *end == '\0' ? 0 : refuse(row, MAUI_SACCT_JOBID, "not a number");
}

/* JobIDRaw tells array tasks and components apart; JobID says which belong together. */
static int read_number(struct maui_sacct_row *row, struct maui_sim_job *job)
{
	const char *text = maui_sacct_value(row, MAUI_SACCT_JOBIDRAW);
	char *end;
	int64_t number = maui_number_read(text, &end);

	if (read_job_id(row, job))
		return -1;
	if (*text == '\0') {
		if (job->number || (row->columns->of[MAUI_SACCT_JOBIDRAW] < 0 &&
				    row->columns->of[MAUI_SACCT_JOBID] < 0))
			return 0;
		snprintf(row->why, sizeof(row->why), "no job number");
		return -1;
	}
	if (*end != '\0' || number <= 0)
		return refuse(row, MAUI_SACCT_JOBIDRAW, "not a number");
	job->number = (uint64_t)number;
	job->array_job = job->array_task = 0;
	return 0;
}

/* ---- the job ---- */

static int read_run(struct maui_sacct_row *row, struct maui_sim_job *job, int64_t *ret_start_s)
{
	int64_t end_s;

	if (read_time(row, MAUI_SACCT_SUBMIT, &job->submit_s) ||
	    read_time(row, MAUI_SACCT_START, ret_start_s) || read_time(row, MAUI_SACCT_END, &end_s))
		return -1;
	if (job->submit_s < 0) {
		snprintf(row->why, sizeof(row->why), "no Submit time");
		return -1;
	}
	/* a job that is cancelled while it waits ends without a start */
	if (*ret_start_s >= 0 && end_s >= 0 && end_s < *ret_start_s)
		return refuse(row, MAUI_SACCT_END, "before Start");
	job->run_s = *ret_start_s >= 0 && end_s >= 0 ? end_s - *ret_start_s : 0;
	return 0;
}

/* What the job got, or else requested, of "cpu=4,gres/gpu=2,node=1"; 0: neither field says it. */
static int64_t count_in_tres(const struct maui_sacct_row *row, const char *name)
{
	const enum maui_sacct_field fields[] = { MAUI_SACCT_ALLOCTRES, MAUI_SACCT_REQTRES };
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		for (const char *at = maui_sacct_value(row, fields[i]); *at;
		     at += strcspn(at, ","), at += *at == ',')
			if (strncmp(at, name, length) == 0 && at[length] == '=')
				return maui_number_read(at + length + 1, NULL);
	return 0;
}

static int read_size(struct maui_sacct_row *row, struct maui_sim_job *job)
{
	int64_t requested, nodes;

	if (read_count(row, MAUI_SACCT_ALLOCCPUS, &job->procs) ||
	    read_count(row, MAUI_SACCT_REQCPUS, &requested) ||
	    read_count(row, MAUI_SACCT_NNODES, &nodes))
		return -1;
	if (job->procs <= 0)
		job->procs = requested;
	if (job->procs <= 0)
		job->procs = count_in_tres(row, "cpu");
	if (nodes <= 0)
		nodes = count_in_tres(row, "node");
	job->nodes = nodes > UINT32_MAX ? UINT32_MAX : nodes < 0 ? 0 : (uint32_t)nodes;
	return read_memory(row, job);
}

static const char *copy_text(struct maui_sim_trace *trace, const struct maui_sacct_row *row,
			     enum maui_sacct_field field)
{
	const char *text = maui_sacct_value(row, field);

	return *text ? maui_need(maui_arena_strdup(&trace->arena, text)) : NULL;
}

int maui_sacct_job(struct maui_sim_trace *trace, struct maui_sacct_row *row,
		   struct maui_sim_job *ret, int64_t *ret_start_s)
{
	*ret = (struct maui_sim_job){ 0 };
	if (read_number(row, ret) || read_run(row, ret, ret_start_s) || read_limit(row, ret) ||
	    read_size(row, ret))
		return -1;
	ret->gres = read_gres(trace,
			      maui_sacct_value(row, row->columns->of[MAUI_SACCT_REQTRES] < 0 ?
							    MAUI_SACCT_ALLOCTRES :
							    MAUI_SACCT_REQTRES),
			      ret->nodes);
	ret->cred[MAUI_CRED_USER] = copy_text(trace, row, MAUI_SACCT_USER);
	ret->cred[MAUI_CRED_GROUP] = copy_text(trace, row, MAUI_SACCT_GROUP);
	ret->cred[MAUI_CRED_ACCOUNT] = copy_text(trace, row, MAUI_SACCT_ACCOUNT);
	ret->cred[MAUI_CRED_CLASS] = copy_text(trace, row, MAUI_SACCT_PARTITION);
	ret->cred[MAUI_CRED_QOS] = copy_text(trace, row, MAUI_SACCT_QOS);
	return 0;
}
