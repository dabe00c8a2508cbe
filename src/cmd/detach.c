/* SPDX-License-Identifier: GPL-2.0-or-later */
/* detach.c - what maui detach removes in addition to reservations
 *
 * Rules: CMD-7.
 */

#include "cmd/detach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/need.h"
#include "base/words.h"
#include "cmd/slurm_command.h"
#include "model/comment.h"
#include "state/store/store.h"

static int complain(const char *tool, const char *what, const char *about)
{
	fprintf(stderr, "%s: error: %s: %s\n", tool, what, about);
	return -1;
}

/* ---- comments of jobs ---- */

/* squeue fills its columns with blanks, and cuts what is longer. */
enum { JOB_WIDTH = 1024, COMMENT_WIDTH = 4096 };

struct comments {
	const char *tool;
	bool dry_run;
	bool looks_again;           /* after changes that failed */
	size_t tried, failed, kept; /* kept: rows that still have keys when it looks again */
	char job[JOB_WIDTH + 1];    /* of the current row: "17", "17_3", "17_[1-5]" */
	size_t left;                /* bytes of that row in the lines to come */
	int rc;
};

static void write_comment(struct comments *c, const char *comment)
{
	char *change = maui_need_text("admincomment=%s", comment);
	char *job = maui_need_text("jobid=%s", c->job);
	int rc = maui_cmd_slurm_run(
		c->tool, (char *[]){ (char *)"scontrol", (char *)"update", job, change, NULL });

	c->tried++;
	c->failed += rc != 0;
	free(change);
	free(job);
}

/* Notes the job of a row. A list of tasks goes without its limit: "17_[1-5%2]". */
static void read_job(struct comments *c, const char *line)
{
	char *limit;

	snprintf(c->job, sizeof(c->job), "%.*s", JOB_WIDTH, line);
	c->job[strcspn(c->job, " ")] = '\0';
	limit = strchr(c->job, '%');
	if (limit)
		strcpy(limit, "]");
}

/* Whether the line is a whole row. A comment with newlines makes a row of several lines, which have
 * as many bytes together. */
static bool is_row(struct comments *c, const char *line, size_t length)
{
	bool begins = c->left == 0;
	size_t left = begins ? JOB_WIDTH + COMMENT_WIDTH + 1 : c->left;

	if (begins)
		read_job(c, line);
	c->left = left > length + 1 ? left - length - 1 : 0;
	return begins && length == JOB_WIDTH + COMMENT_WIDTH;
}

/* Why the comment of a row cannot be changed: it would be written back cut, or to other jobs. NULL:
 * it can. */
static const char *doubt(const char *row)
{
	if (row[JOB_WIDTH - 1] != ' ' || memmem(row, JOB_WIDTH, "...", 3))
		return "belongs to more tasks than a command can name";
	return row[JOB_WIDTH + COMMENT_WIDTH - 1] != ' ' ? "may be longer than 4096 bytes" : NULL;
}

/* A line of squeue: the job, the comment. */
static void see_comment(char *line, void *arg)
{
	struct comments *c = arg;
	char *comment = line + JOB_WIDTH;
	size_t length = strcspn(line, "\n");
	const char *why;

	line[length] = '\0';
	why = is_row(c, line, length) ? doubt(line) : "has several lines";
	if (!strstr(line, "maui:"))
		return;
	if (why && !c->looks_again) {
		fprintf(stderr,
			"%s: warning: the AdminComment of job %s %s: it stays; take the keys maui: "
			"out with scontrol update\n",
			c->tool, c->job, why);
	}
	if (why)
		return;
	while (length > JOB_WIDTH && line[length - 1] == ' ')
		line[--length] = '\0';
	if (!maui_comment_remove_keys(comment))
		return;
	if (c->dry_run) {
		c->tried++;
	} else if (c->looks_again) {
		c->kept++;
		c->rc = complain(c->tool, "the AdminComment stays", c->job);
	} else {
		write_comment(c, comment);
	}
}

static int see_comments(struct comments *c)
{
	return maui_cmd_slurm_ask(c->tool,
				  (char *[]){ (char *)"squeue", (char *)"--noheader",
					      (char *)"--all", (char *)"-O",
					      (char *)"JobArrayID:1024,admin_comment:4096", NULL },
				  see_comment, c);
}

/* Tasks are named by array and task: the number of an array's head stands for all of its tasks. */
int maui_detach_comments(const char *tool, bool dry_run)
{
	struct comments c = { .tool = tool, .dry_run = dry_run };
	size_t changed;

	setenv("SLURM_BITSTR_LEN", "1000", 1); /* squeue: bytes of a list of tasks */
	if (see_comments(&c))
		return complain(tool, "squeue", "the AdminComment of jobs was not looked at");
	/* scontrol may write the comment and still fail, over another part of the job */
	c.looks_again = true;
	if (c.failed > 0 && see_comments(&c))
		return complain(tool, "squeue", "the AdminComment of jobs was not looked at again");
	/* tasks that started in between have rows of their own now */
	changed = c.tried > c.kept ? c.tried - c.kept : 0;
	if (changed > 0)
		fprintf(stderr, "%s: %s keys of slurm-maui from the AdminComment of %zu job%s\n",
			tool, dry_run ? "would take" : "took", changed, maui_plural(changed));
	return c.rc;
}

/* ---- administrative reservations ---- */

/* Else jobs would be bound again at the next switch, to what no comment says any more. Whether
 * there were any. */
static bool drop_keys(struct maui_store *store)
{
	bool any = false;

	for (size_t i = 0; i < store->count; i++) {
		struct maui_store_job *job = &store->jobs[i];

		any |= job->qos || job->advres;
		job->qos = job->advres = NULL;
	}
	return any;
}

int maui_detach_state(const char *tool, const char *path, struct maui_detach_from_state what,
		      bool dry_run)
{
	struct maui_store store = { 0 };
	struct maui_err err;
	bool changed = false;
	int rc = 0;

	if (access(path, F_OK) == 0 && maui_store_read(path, &store, &err))
		rc = complain(tool, err.text, path);
	for (size_t i = 0; i < store.rsv_count; i++)
		fprintf(stderr, "%s: reservation %s of setres %s\n", tool, store.rsvs[i].name,
			what.rsvs && dry_run ? "would be forgotten" :
			what.rsvs            ? "is forgotten" :
					       "comes back when sched/maui runs again (--forget)");
	if (what.rsvs && store.rsv_count > 0) {
		changed = true;
		/* with the reservations their nodes and mirrors */
		store.instance_count = store.mirror_count = store.rsv_count = 0;
	}
	if (what.keys)
		changed |= drop_keys(&store);
	if (changed && !dry_run && rc == 0)
		rc = maui_store_save(path, &store, &err) ? complain(tool, err.text, path) : 0;
	maui_store_finish(&store);
	return rc;
}
