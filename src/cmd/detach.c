/* SPDX-License-Identifier: GPL-2.0-or-later */
/* detach.c - what maui detach removes besides reservations
 *
 * Rules: CMD-7.
 */

#include "cmd/detach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/slurm_command.h"
#include "state/store/store.h"

static int complain(const char *tool, const char *what, const char *about)
{
	fprintf(stderr, "%s: error: %s: %s\n", tool, what, about);
	return -1;
}

/* ---- comments of jobs ---- */

struct comments {
	const char *tool;
	bool dry_run;
	size_t changed;
	int rc;
};

/* Drops the parts that are keys of ours; parts are separated by ';'. Whether there were any. */
static bool drop_keys(char *comment)
{
	char *to = comment, *part = comment;
	bool any = false;

	while (*part) {
		size_t length = strcspn(part, ";");
		bool more = part[length] == ';';

		if (strncmp(part + strspn(part, " "), "maui:", 5) == 0) {
			any = true;
		} else {
			if (to > comment)
				*to++ = ';';
			memmove(to, part, length);
			to += length;
		}
		part += length + more;
	}
	*to = '\0';
	return any;
}

/* A line of squeue: the number, a blank, the comment. */
static void see_comment(char *line, void *arg)
{
	struct comments *c = arg;
	char *comment = line + strcspn(line, " "), *change, *job;
	int rc = -1;

	comment[strcspn(comment, "\n")] = '\0';
	for (size_t n = strlen(comment); n > 0 && comment[n - 1] == ' '; n--)
		comment[n - 1] = '\0'; /* squeue fills its columns */
	if (!*comment || !strstr(comment, "maui:"))
		return;
	*comment++ = '\0';
	comment += strspn(comment, " ");
	if (!drop_keys(comment))
		return;
	c->changed++;
	if (c->dry_run)
		return;
	change = job = NULL;
	if (asprintf(&change, "admincomment=%s", comment) >= 0 &&
	    asprintf(&job, "jobid=%s", line) >= 0)
		rc = maui_cmd_slurm_run(c->tool, (char *[]){ (char *)"scontrol", (char *)"update",
							     job, change, NULL });
	if (rc)
		c->rc = complain(c->tool, "the AdminComment stays", line);
	free(change);
	free(job);
}

int maui_detach_comments(const char *tool, bool dry_run)
{
	struct comments c = { .tool = tool, .dry_run = dry_run };

	if (maui_cmd_slurm_ask(tool,
			       (char *[]){ (char *)"squeue", (char *)"--noheader", (char *)"--all",
					   (char *)"-O", (char *)"JobID:20,admin_comment:4096",
					   NULL },
			       see_comment, &c))
		return complain(tool, "squeue", "the AdminComment of jobs was not looked at");
	if (c.changed > 0)
		fprintf(stderr, "%s: %s keys of slurm-maui from the AdminComment of %zu job%s\n",
			tool, dry_run ? "would take" : "took", c.changed,
			c.changed == 1 ? "" : "s");
	return c.rc;
}

/* ---- administrative reservations ---- */

/* The file stays its owner's: slurmctld reads it as SlurmUser. */
static int save(const char *tool, const char *path, const struct maui_store *store)
{
	struct maui_err err;
	struct stat was;

	if (stat(path, &was) || maui_store_save(path, store, &err))
		return complain(tool, "cannot change", path);
	return chown(path, was.st_uid, was.st_gid) ? complain(tool, "cannot change", path) : 0;
}

/* With the reservations their nodes and mirrors. */
static void forget(struct maui_store *store)
{
	maui_store_drop_instances(store);
	for (size_t i = 0; i < store->mirror_count; i++)
		free(store->mirrors[i].name);
	store->mirror_count = 0;
	for (size_t i = 0; i < store->rsv_count; i++)
		maui_rsv_finish(&store->rsvs[i]);
	store->rsv_count = 0;
}

int maui_detach_state(const char *tool, const char *state_dir, bool forgets, bool dry_run)
{
	struct maui_store store = { 0 };
	struct maui_err err;
	char *path = NULL;
	int rc = 0;

	if (asprintf(&path, "%s/maui/state.json", state_dir) < 0)
		return complain(tool, "no memory", state_dir);
	if (access(path, F_OK) == 0 && maui_store_read(path, &store, &err))
		rc = complain(tool, err.text, path);
	for (size_t i = 0; i < store.rsv_count; i++)
		fprintf(stderr, "%s: reservation %s of setres %s\n", tool, store.rsvs[i].name,
			forgets && dry_run ? "would be forgotten" :
			forgets            ? "is forgotten" :
					     "comes back when sched/maui runs again (--forget)");
	if (forgets && !dry_run && rc == 0 && store.rsv_count > 0) {
		forget(&store);
		rc = save(tool, path, &store);
	}
	maui_store_finish(&store);
	free(path);
	return rc;
}
