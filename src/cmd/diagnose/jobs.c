/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - diagnose -j: jobs and what is wrong with them; diagnose -q: what blocks each blocked job
 *
 * Rules: CMD-33.
 */

#include <stdio.h>

#include "cmd/diagnose/diagnose.h"
#include "cmd/list.h"
#include "verbs/jobs.h"

#define JOB(member) offsetof(struct maui_jobs_job, member)

static const struct maui_shown columns[] = {
	{ { "Name", false }, MAUI_SHOWN_TEXT, JOB(job), 0, NULL },
	{ { "State", true }, MAUI_SHOWN_STATE, JOB(state), 0, NULL },
	{ { "Class", true }, MAUI_SHOWN_TEXT, JOB(class), 0, NULL },
	{ { "Proc", true }, MAUI_SHOWN_NUMBER, JOB(procs), 0, NULL },
	{ { "QOS", true }, MAUI_SHOWN_TEXT, JOB(qos), 0, NULL },
	{ { "WCLimit", true }, MAUI_SHOWN_SPAN, JOB(limit), 0, NULL },
	{ { "User", true }, MAUI_SHOWN_TEXT, JOB(user), 0, NULL },
	{ { "Group", true }, MAUI_SHOWN_TEXT, JOB(group), 0, NULL },
	{ { "Account", true }, MAUI_SHOWN_TEXT, JOB(account), 0, NULL },
	{ { "QueuedTime", true }, MAUI_SHOWN_SPAN, JOB(queued), 0, NULL },
	{ { "Mem", true }, MAUI_SHOWN_NUMBER, JOB(mem_mb), 0, NULL },
	{ { "Disk", true }, MAUI_SHOWN_NUMBER, JOB(disk_mb), 0, NULL },
	{ { "Features", false }, MAUI_SHOWN_TEXT, JOB(features), 0, NULL },
};
static const struct maui_shown_list shown = MAUI_SHOWN_LIST(columns);

static void print_texts(const struct maui_jobs_job *job, const char *prefix,
			const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		printf("%sjob %s %s\n", prefix, job->job, texts[i]);
}

/* "job 17 can never start: ...", below a blank line. */
static void print_warnings(const struct maui_jobs *answer)
{
	bool first = true;

	for (size_t i = 0; i < answer->jobs_count; i++) {
		const struct maui_jobs_job *job = &answer->jobs[i];

		if (first && job->messages_count > 0)
			printf("\n");
		first &= job->messages_count == 0;
		print_texts(job, "WARNING:  ", job->messages, job->messages_count);
	}
}

static int print_jobs(const struct maui_tool_common *common, const void *options,
		      const void *record)
{
	const struct maui_jobs *answer = record;
	struct maui_table *table = maui_shown_table(common, &shown);

	(void)options;
	if (!table)
		return MAUI_EXIT_USAGE;
	maui_shown_add(table, &shown, answer->jobs, answer->jobs_count, sizeof(*answer->jobs),
		       answer->time);
	maui_tool_print_table(common, table);
	if (maui_tool_rows_only(common))
		return MAUI_EXIT_OK;
	print_warnings(answer);
	maui_diagnose_show_refused(answer->refused, answer->time);
	return MAUI_EXIT_OK;
}

static int print_blocked(const struct maui_tool_common *common, const void *options,
			 const void *record)
{
	const struct maui_jobs *answer = record;
	size_t count = 0;

	(void)options;
	if (common->format)
		return maui_tool_misuse(common, "-q prints sentences, which have no columns");
	for (size_t i = 0; i < answer->jobs_count; i++)
		count += answer->jobs[i].blocked_by_count;
	if (!common->noheader)
		printf("Diagnosing blocked jobs (policylevel SOFT  partition ALL)\n\n%s",
		       count == 0 ? "no job is blocked\n" : "");
	for (size_t i = 0; i < answer->jobs_count; i++)
		print_texts(&answer->jobs[i], "", answer->jobs[i].blocked_by,
			    answer->jobs[i].blocked_by_count);
	if (!common->noheader)
		maui_diagnose_show_refused(answer->refused, answer->time);
	return MAUI_EXIT_OK;
}

static int diagnose(const struct maui_tool_common *common, const char *name, bool blocked)
{
	struct maui_jobs_args args = { .blocked = blocked };

	if (name && maui_diagnose_read_job(common, name, &args.job))
		return MAUI_EXIT_USAGE;
	return maui_cmd_show(common, &maui_verb_jobs, &args, blocked ? print_blocked : print_jobs,
			     NULL);
}

int maui_diagnose_jobs(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, name, false);
}

int maui_diagnose_blocked(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, name, true);
}
