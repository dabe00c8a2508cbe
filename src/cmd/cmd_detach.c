/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_detach.c - maui detach: removes what slurm-maui has left in slurmctld that goes on without it
 *
 * Mirrors, keys of job_submit/maui in the AdminComment of jobs, and reservations of setres in the
 * state. Reads the list of mirrors in the state file, asks scontrol which reservations there are,
 * and deletes those of the list that have name, form and end as slurm-maui made them. --all goes
 * by name and form alone, for a lost state file.
 *
 * Rules: CMD-7.
 */

#include "maui_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/detach.h"
#include "cmd/query.h"
#include "cmd/slurm_command.h"
#include "config/check/slurm_settings.h"
#include "model/mirror.h"
#include "query/message.h"
#include "state/store/store.h"

static const char tool[] = "maui detach";

struct options {
	bool all, dry_run, keep_comments, forget;
	const char *state;
	size_t removed; /* or would be */
};

static int keep_state(struct maui_tool_common *common, void *opts, const struct maui_option *option,
		      const char *text)
{
	struct options *o = opts;

	(void)common;
	(void)option;
	(void)text;
	o->forget = false;
	return MAUI_EXIT_OK;
}

static const struct maui_option known[] = {
	MAUI_FLAG('a', "all", options, all,
		  "needs no list, which may be lost: deletes every reservation with such a name, "
		  "users=nobody (or 65534, root, or accounts=-root) and "
		  "flags=FLEX,OVERLAP,IGNORE_JOBS"),
	MAUI_FLAG('n', "dry-run", options, dry_run,
		  "changes nothing, and works before another SchedulerType runs, too"),
	MAUI_FLAG(0, "keep-comments", options, keep_comments, "AdminComment of jobs stays"),
	MAUI_READ(0, "keep-state", NULL, NULL, keep_state,
		  "reservations of setres come back when sched/maui runs again (the default)"),
	MAUI_FLAG(0, "forget", options, forget, "removes them from the state"),
	MAUI_TEXT(
		0, "state", "DIR", options, state,
		"maui/state.json in DIR has the list; default: the StateSaveLocation of slurmctld"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui detach [--all] [--dry-run] [--keep-comments] [--forget] [--state DIR]",
	.about = "Deletes the Slurm reservations by which sched/maui shows its own "
		 "(maui.NAME.DAY), and the keys maui:qos= and maui:advres= in the AdminComment of "
		 "jobs. Run it when slurmctld runs with another SchedulerType again. Prints the "
		 "names of reservations on stdout and their number on stderr. A reservation that "
		 "was changed or made by others than sched/maui is left alone. Reservations of "
		 "setres are named.",
	.options = known,
	.no_json = true,
	.notes = "Exit status: 0 done, 1 error, 2 usage, 4 not permitted.",
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "maui detach: error: %s%s%s\n", what, why ? ": " : "", why ? why : "");
	return -1;
}

/* ---- what slurmctld has ---- */

struct running {
	char *state, *scheduler, *priority, *submit;
	char *path; /* of slurm-maui's state; NULL: it is not known where */
};

/* "Key   = value" */
static void take(char *text, const char *key, char **ret)
{
	char *value;

	if (strncmp(text, key, strlen(key)) != 0 || !(value = strchr(text, '=')) || *ret)
		return;
	value += 1 + strspn(value + 1, " ");
	value[strcspn(value, "\n")] = '\0';
	*ret = maui_need_copy(value);
}

static void see_config(char *text, void *arg)
{
	struct running *running = arg;

	take(text, "StateSaveLocation ", &running->state);
	take(text, "SchedulerType ", &running->scheduler);
	take(text, "PriorityType ", &running->priority);
	take(text, "JobSubmitPlugins ", &running->submit);
}

struct row {
	char *name;
	int64_t end_s;
	bool form;
};

struct rows {
	struct row *list;
	size_t count, alloc;
};

/* The value of KEY= in a line, up to the next blank; "" when it is not there. */
static void field(const char *text, const char *key, char *ret, size_t size)
{
	const char *at = text;
	size_t length = strlen(key);

	*ret = '\0';
	while ((at = strstr(at, key)) && at != text && at[-1] != ' ')
		at += length;
	if (at && at[length] == '=')
		snprintf(ret, size, "%.*s", (int)strcspn(at + length + 1, " \n"), at + length + 1);
}

static const char *or_none(const char *text)
{
	return strcmp(text, "(null)") == 0 ? NULL : text;
}

static bool are_flags(const char *flags)
{
	static const char *const foreign[] = { "MAINT",      "HOURLY",  "DAILY",      "WEEKLY",
					       "WEEKDAY",    "WEEKEND", "ANY_NODES",  "ALL_NODES",
					       "PART_NODES", "STATIC",  "TIME_FLOAT", "PURGE_COMP",
					       "MAGNETIC" };

	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (maui_list_has_any_case(flags, foreign[i]))
			return false;
	return maui_list_has_any_case(flags, "FLEX") && maui_list_has_any_case(flags, "OVERLAP") &&
	       maui_list_has_any_case(flags, "IGNORE_JOBS");
}

static void see_reservation(char *text, void *arg)
{
	struct rows *rows = arg;
	char name[1100], end[64], flags[1024], users[64], accounts[64];

	field(text, "ReservationName", name, sizeof(name));
	if (!*name)
		return;
	field(text, "EndTime", end, sizeof(end));
	field(text, "Flags", flags, sizeof(flags));
	field(text, "Users", users, sizeof(users));
	field(text, "Accounts", accounts, sizeof(accounts));
	rows->list = maui_need_more(rows->list, rows->count, &rows->alloc, sizeof(*rows->list));
	rows->list[rows->count++] = (struct row){
		.name = maui_need_copy(name),
		.end_s = strtoll(end, NULL, 10),
		.form = maui_mirror_names_nobody(or_none(users), or_none(accounts)) &&
			are_flags(flags),
	};
}

static const struct row *find_row(const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (strcmp(rows->list[i].name, name) == 0)
			return &rows->list[i];
	return NULL;
}

/* ---- what is done ---- */

static int remove_one(const struct row *row, struct options *options)
{
	char *argument;
	int rc;

	printf("%s\n", row->name);
	if (options->dry_run) {
		options->removed++;
		return 0;
	}
	argument = maui_need_text("reservationname=%s", row->name);
	rc = maui_cmd_slurm_run(tool,
				(char *[]){ (char *)"scontrol", (char *)"delete", argument, NULL });
	free(argument);
	options->removed += rc == 0;
	return rc ? complain("not removed", row->name) : 0;
}

/* What has our names and form. */
static int remove_alike(const struct rows *rows, struct options *options)
{
	int rc = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].form && maui_mirror_is_name(rows->list[i].name))
			rc |= remove_one(&rows->list[i], options);
	return rc;
}

/* What the state lists and is unchanged since. */
static int remove_listed(const char *path, const struct rows *rows, struct options *options)
{
	struct maui_store store = { 0 };
	struct maui_err err;
	int rc = 0;

	if (maui_store_read(path, &store, &err))
		rc = complain(err.text, NULL);
	for (size_t i = 0; i < store.mirror_count; i++) {
		const struct row *row = find_row(rows, store.mirrors[i].name);

		if (row && row->form && row->end_s == store.mirrors[i].end_s)
			rc |= remove_one(row, options);
		else if (row)
			fprintf(stderr,
				"maui detach: %s was changed or made by others than sched/maui: left alone\n",
				row->name);
	}
	maui_store_finish(&store);
	return rc;
}

/* Behind the names, which are what a script reads. */
static void sum_up(const struct options *options, int rc)
{
	const char *what = options->dry_run ? "would remove" : "removed";

	fflush(stdout);
	if (options->removed > 0)
		fprintf(stderr, "maui detach: %s %zu reservation%s\n", what, options->removed,
			maui_plural(options->removed));
	else if (rc == 0)
		fprintf(stderr, "maui detach: there is nothing to remove\n");
}

/* Goes on after a fault, to remove all that can be removed. */
static int remove_all(struct options *options, const struct rows *rows,
		      const struct running *running)
{
	/* priority/maui saves what it knows of jobs again */
	const struct maui_detach_from_state what = {
		.rsvs = options->forget,
		.keys = !options->keep_comments &&
			!(running->priority && strcmp(running->priority, "priority/maui") == 0),
	};
	int rc = options->all  ? remove_alike(rows, options) :
		 running->path ? remove_listed(running->path, rows, options) :
				 complain("no StateSaveLocation", NULL);

	sum_up(options, rc);
	if (!options->keep_comments)
		rc |= maui_detach_comments(tool, options->dry_run);
	if (running->path)
		rc |= maui_detach_state(tool, running->path, what, options->dry_run);
	return rc;
}

/* Whether slurmctld runs what would put everything back. */
static bool is_too_early(const struct options *options, const struct running *running)
{
	if (options->dry_run)
		return false;
	if (strcmp(running->scheduler, "sched/maui") == 0) {
		complain("slurmctld runs with sched/maui, which would put them back: change "
			 "SchedulerType and restart slurmctld first (--dry-run shows now what "
			 "would go)",
			 NULL);
		return true;
	}
	if (options->forget && running->priority &&
	    strcmp(running->priority, "priority/maui") == 0) {
		complain(
			"slurmctld runs with priority/maui, which saves the reservations of setres "
			"again: change PriorityType and restart slurmctld before --forget",
			NULL);
		return true;
	}
	if (!options->keep_comments &&
	    (maui_list_has_any_case(running->submit, "maui") ||
	     maui_list_has_any_case(running->submit, "job_submit/maui"))) {
		complain(
			"slurmctld runs with job_submit/maui, which would write its keys again: take "
			"it out of JobSubmitPlugins and restart slurmctld first, or --keep-comments",
			NULL);
		return true;
	}
	return false;
}

/* Whether the caller may not read what is to be removed. */
static bool is_denied(const char *path)
{
	bool denied = path && access(path, R_OK) != 0 && errno == EACCES;

	if (denied)
		complain("not permitted: run this as root or SlurmUser", path);
	return denied;
}

/* What slurmctld runs with, and where the state is. -1: an error is printed. */
static int ask_what_runs(const struct options *options, struct running *ret)
{
	const char *state;

	if (maui_cmd_slurm_ask(
		    tool, (char *[]){ (char *)"scontrol", (char *)"show", (char *)"config", NULL },
		    see_config, ret) ||
	    !ret->scheduler)
		return complain("slurmctld does not answer", NULL);
	state = options->state ? options->state : ret->state;
	if (state)
		ret->path = maui_need_text("%s/maui/state.json", state);
	return 0;
}

/* Returns the exit status. */
static int detach(struct options *options)
{
	struct running running = { 0 };
	struct rows rows = { 0 };
	int rc = MAUI_EXIT_ERROR;

	setenv("SLURM_TIME_FORMAT", "%s", 1);
	if (ask_what_runs(options, &running))
		rc = MAUI_EXIT_ERROR;
	else if (is_denied(running.path))
		rc = MAUI_QUERY_DENIED;
	else if (is_too_early(options, &running))
		rc = MAUI_EXIT_ERROR;
	else if (maui_cmd_slurm_ask(tool,
				    (char *[]){ (char *)"scontrol", (char *)"--oneliner",
						(char *)"show", (char *)"reservation", NULL },
				    see_reservation, &rows))
		complain("slurmctld does not answer", NULL);
	else if (remove_all(options, &rows, &running) == 0)
		rc = MAUI_EXIT_OK;
	for (size_t i = 0; i < rows.count; i++)
		free(rows.list[i].name);
	free(rows.list);
	free(running.path);
	free(running.state);
	free(running.scheduler);
	free(running.priority);
	free(running.submit);
	return rc;
}

static int run_detach(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = tool, .command = &command };
	struct options options = { 0 };
	int rc = maui_cmd_read(&common, &options, argc, argv);

	if (common.done)
		return rc;
	fflush(stdout);
	return detach(&options);
}

MAUI_SUBCOMMAND(detach, "remove reservations, when a site goes back");
