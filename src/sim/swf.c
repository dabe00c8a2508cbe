/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swf.c - reads Standard Workload Format (D. Feitelson's Parallel Workloads Archive)
 *
 * A job without run time or processors is dropped. A missing estimate is the run time, missing
 * requested processors are the allocated ones. A run longer than its estimate is cut to the
 * estimate. Lines of parts of a job (status 2 to 4) are one job.
 */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/need.h"
#include "base/number.h"
#include "sim/swf.h"

enum {
	NUMBER,
	SUBMIT,
	WAIT,
	RUN,
	PROCS,
	CPU_TIME,
	MEMORY,
	PROCS_ASKED,
	TIME_ASKED,
	MEMORY_ASKED,
	STATUS,
	USER,
	GROUP,
	APPLICATION,
	QUEUE,
	PARTITION,
	PRECEDING,
	THINK_TIME,
	FIELDS,
	NEEDED = STATUS + 1, /* later fields may be missing */
};

/* Values of STATUS: an execution of a job that went on later, or the last one of such a job. The
 * job as a whole has a line with another status, if the source kept it. */
enum { FIRST_PART = 2, LAST_PART = 4 };

/* Seconds since the epoch; 0: invalid. */
static int64_t epoch_of(const char *text)
{
	int64_t epoch_s = maui_number_read(text, NULL);

	return epoch_s > 0 && epoch_s < MAUI_NUMBER_MAX ? epoch_s : 0;
}

/* Reads "; MaxProcs: 100". MaxNodes counts only without MaxProcs. */
static void read_header(struct maui_sim_trace *trace, const char *text, bool *procs_known)
{
	text += strspn(text, "; \t");
	if (strncasecmp(text, "MaxProcs:", 9) == 0) {
		trace->max_procs = maui_number_read(text + 9, NULL);
		*procs_known = trace->max_procs > 0;
	} else if (strncasecmp(text, "MaxNodes:", 9) == 0 && !*procs_known) {
		trace->max_procs = maui_number_read(text + 9, NULL);
	} else if (strncasecmp(text, "UnixStartTime:", 14) == 0) {
		trace->epoch_s = epoch_of(text + 14);
	}
}

/* Reads a number of no more than 15 digits, as most are. False: it is another one. */
static bool read_digits(const char *text, char **ret_end, double *ret)
{
	const char *at = text + (*text == '-');
	int64_t value = 0;
	int digits = 0;

	for (; *at >= '0' && *at <= '9' && digits < 15; at++, digits++)
		value = 10 * value + (*at - '0');
	if (digits == 0 || (*at != '\0' && *at != ' '))
		return false;
	*ret_end = (char *)at;
	*ret = (double)(*text == '-' ? -value : value);
	return true;
}

/* Reads the numbers of a line without their fractions. NULL, or the error. */
static const char *read_fields(const char *text, int64_t *fields)
{
	int count = 0;

	for (; count < FIELDS; count++) {
		char *end;
		double value;

		text += strspn(text, " \t");
		if (*text == '\0')
			break;
		if (!read_digits(text, &end, &value))
			value = strtod(text, &end);
		if (end == text || (*end != '\0' && !isspace((unsigned char)*end)))
			return "a field is not a number";
		if (!(value > -(double)MAUI_NUMBER_MAX && value < (double)MAUI_NUMBER_MAX))
			return "a number is out of range";
		fields[count] = (int64_t)value;
		text = end;
	}
	if (count < NEEDED)
		return "fewer than 11 fields";
	for (; count < FIELDS; count++)
		fields[count] = -1;
	return NULL;
}

struct name {
	int64_t number;
	char prefix;
	const char *text;
};

static bool is_name(const void *name, const void *key)
{
	const struct name *one = name, *two = key;

	return one->number == two->number && one->prefix == two->prefix;
}

/* A name such as "u12", once for all jobs that have it; NULL for -1. */
static const char *make_name(struct maui_swf *swf, char prefix, int64_t number)
{
	const struct name key = { .number = number, .prefix = prefix };
	uint64_t hash = maui_hash_mix((unsigned char)prefix, (uint64_t)number);
	struct name *name;
	char text[32];

	if (number < 0)
		return NULL;
	name = maui_hashtable_find(&swf->names, hash, is_name, &key);
	if (name)
		return name->text;
	snprintf(text, sizeof(text), "%c%lld", prefix, (long long)number);
	name = maui_need(maui_arena_alloc(&swf->trace->arena, sizeof(*name)));
	*name = key;
	name->text = maui_need(maui_arena_strdup(&swf->trace->arena, text));
	if (maui_hashtable_add(&swf->names, hash, name))
		maui_out_of_memory();
	return name->text;
}

/* False: the job does not count, since it never ran. */
static bool make_job(struct maui_swf *swf, const int64_t *fields, struct maui_sim_job *ret)
{
	struct maui_sim_job job = { .number = (uint64_t)fields[NUMBER],
				    .submit_s = fields[SUBMIT],
				    .run_s = fields[RUN],
				    .procs = fields[PROCS_ASKED] > 0 ? fields[PROCS_ASKED] :
								       fields[PROCS] };

	if (job.run_s <= 0 || job.procs <= 0)
		return false;
	job.limit_s = fields[TIME_ASKED] > 0 ? fields[TIME_ASKED] : 0;
	job.part = fields[STATUS] >= FIRST_PART && fields[STATUS] <= LAST_PART;
	job.cred[MAUI_CRED_USER] = make_name(swf, 'u', fields[USER] < 0 ? 0 : fields[USER]);
	job.cred[MAUI_CRED_GROUP] = make_name(swf, 'g', fields[GROUP]);
	job.cred[MAUI_CRED_CLASS] = make_name(swf, 'q', fields[QUEUE]);
	*ret = job;
	return true;
}

int maui_swf_open(struct maui_swf *swf, struct maui_sim_trace *trace, const char *path,
		  const struct maui_sim_complaints *complaints, struct maui_err *err)
{
	*swf = (struct maui_swf){ .trace = trace, .path = path, .complaints = complaints };
	return maui_lines_open(&swf->lines, path, err);
}

void maui_swf_close(struct maui_swf *swf)
{
	maui_lines_close(&swf->lines);
	maui_hashtable_finish(&swf->names);
}

/* Whether the line has a job that counts. Anything else about the line is noted. */
static bool take_line(struct maui_swf *swf, struct maui_sim_job *ret)
{
	const char *text = swf->lines.text + strspn(swf->lines.text, " \t"), *wrong;
	int64_t fields[FIELDS];

	if (*text == '\0')
		return false;
	if (*text == ';') {
		read_header(swf->trace, text, &swf->procs_known);
		return false;
	}
	swf->trace->lines++;
	wrong = read_fields(text, fields);
	if (!wrong && (fields[NUMBER] < 0 || fields[SUBMIT] < 0))
		wrong = "no job number or submit time";
	if (wrong) {
		maui_sim_trace_junk(swf->trace, swf->path, swf->lines.number, wrong,
				    swf->complaints);
		return false;
	}
	if (make_job(swf, fields, ret))
		return true;
	swf->trace->dropped++;
	return false;
}

int maui_swf_next(struct maui_swf *swf, struct maui_sim_job *ret, struct maui_err *err)
{
	int rc;

	while ((rc = maui_lines_next(&swf->lines, err)) > 0)
		if (take_line(swf, ret))
			break;
	return rc;
}

void maui_swf_limit_run(struct maui_sim_job *job)
{
	if (job->limit_s == 0)
		job->limit_s = job->run_s;
	if (job->run_s > job->limit_s)
		job->run_s = job->limit_s;
}

static int compare_numbers(const void *a, const void *b, void *jobs)
{
	size_t one = *(const size_t *)a, two = *(const size_t *)b;
	const struct maui_sim_job *list = jobs;

	if (list[one].number != list[two].number)
		return list[one].number < list[two].number ? -1 : 1;
	return (one > two) - (one < two);
}

/* The lines of one job: the parts of a whole do not count; without a whole the first part is the
 * job, and runs as long as all. */
static void join_parts(struct maui_sim_job *jobs, const size_t *list, size_t count)
{
	struct maui_sim_job *whole = NULL, *first = NULL;

	for (size_t i = 0; i < count; i++)
		if (!jobs[list[i]].part)
			whole = &jobs[list[i]];
	for (size_t i = 0; i < count; i++) {
		struct maui_sim_job *job = &jobs[list[i]];

		job->superseded = job->part && (whole || first);
		if (job->superseded && !whole)
			first->run_s += job->run_s;
		if (job->part && !first)
			first = job;
	}
}

static void join_all_parts(struct maui_sim_trace *trace)
{
	size_t *order = maui_need_list(trace->count, sizeof(*order)), next;
	bool any = false;

	for (size_t i = 0; i < trace->count; i++) {
		order[i] = i;
		any |= trace->jobs[i].part;
	}
	if (any) /* else jobs may have any numbers */
		qsort_r(order, trace->count, sizeof(*order), compare_numbers, trace->jobs);
	for (size_t i = 0; any && i < trace->count; i = next) {
		for (next = i + 1; next < trace->count &&
				   trace->jobs[order[next]].number == trace->jobs[order[i]].number;)
			next++;
		join_parts(trace->jobs, order + i, next - i);
	}
	free(order);
	trace->parts = maui_sim_trace_drop_superseded(trace);
}

int maui_swf_read(struct maui_sim_trace *trace, const char *path,
		  const struct maui_sim_complaints *complaints, struct maui_err *err)
{
	struct maui_sim_job job;
	struct maui_swf swf;
	int rc;

	if (maui_swf_open(&swf, trace, path, complaints, err))
		return -1;
	while ((rc = maui_swf_next(&swf, &job, err)) > 0)
		maui_sim_trace_add(trace, &job);
	maui_swf_close(&swf);
	if (rc)
		return rc;
	join_all_parts(trace);
	for (size_t i = 0; i < trace->count; i++)
		maui_swf_limit_run(&trace->jobs[i]);
	maui_sim_trace_sort(trace);
	return 0;
}
