/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.c - what showq and maui queue have in common: whose jobs are asked for */

#include "cmd/queue_ask.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "base/user.h"
#include "base/words.h"
#include "cmd/cmd.h"

struct options {
	struct maui_queue_args args;
	char me[256]; /* --me: args.user */
};

/* --me: the name of the user who asks. */
static int take_me(struct maui_tool_common *common, void *options, const struct maui_option *option,
		   const char *text)
{
	struct options *o = options;

	(void)common;
	(void)option;
	(void)text;
	maui_user_own_counted_name(o->me, sizeof(o->me));
	o->args.user = o->me;
	return MAUI_EXIT_OK;
}

const struct maui_option maui_queue_options[] = {
	MAUI_CHOICE('r', NULL, options, args.block, "active", "active jobs only"),
	MAUI_CHOICE('i', NULL, options, args.block, "idle", "idle jobs only"),
	MAUI_CHOICE('b', NULL, options, args.block, "blocked", "blocked jobs only"),
	MAUI_TEXT('u', NULL, "USER", options, args.user,
		  "jobs of this user, or of a list: a,b; so with the next four"),
	MAUI_TEXT('g', NULL, "GROUP", options, args.group, "jobs of this group"),
	MAUI_TEXT('a', NULL, "ACCOUNT", options, args.account, "of this account"),
	MAUI_TEXT('q', NULL, "QOS", options, args.qos, "of this QOS"),
	MAUI_TEXT('c', NULL, "PARTITION", options, args.class, NULL),
	MAUI_TEXT('p', NULL, "PARTITION", options, args.class, "in this partition"),
	MAUI_READ(0, "me", NULL, NULL, take_me, "your own jobs"),
	{ 0 },
};

static bool has_waiting_jobs_of(const struct maui_queue_waiting *jobs, size_t count,
				const char *user)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(jobs[i].user, user) == 0)
			return true;
	return false;
}

static bool has_jobs_of(const struct maui_queue *queue, const char *user)
{
	for (size_t i = 0; i < queue->active_count; i++)
		if (strcmp(queue->active[i].user, user) == 0)
			return true;
	return has_waiting_jobs_of(queue->idle, queue->idle_count, user) ||
	       has_waiting_jobs_of(queue->blocked, queue->blocked_count, user);
}

/* The first name of the list that no user has; "": each is a user's. A user whom this host does not
 * know, but slurmctld's does, is known by the jobs of the answer. */
static void find_unknown_user(const struct maui_queue *queue, const char *list, char *buf,
			      size_t size)
{
	struct maui_words users = { 0 };

	*buf = '\0';
	maui_words_split(list, ",", &users);
	for (size_t i = 0; i < users.count && !*buf; i++)
		if (!has_jobs_of(queue, users.list[i]) && !getpwnam(users.list[i]))
			snprintf(buf, size, "%s", users.list[i]);
	maui_words_finish(&users);
}

int maui_queue_run(struct maui_tool_common *common, int argc, char **argv, bool wide,
		   maui_cmd_print_fn print)
{
	struct options o = { 0 };
	int rc = maui_cmd_read(common, &o, argc, argv);
	struct maui_cmd_answer answer;
	char unknown[128] = "";

	if (common->done)
		return rc;
	o.args.wide = wide || common->json || common->format || o.args.block;
	rc = maui_cmd_ask_verb(common, &maui_verb_queue, &o.args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (o.args.user && o.args.user != o.me)
		find_unknown_user(answer.record, o.args.user, unknown, sizeof(unknown));
	if (*unknown)
		rc = maui_cmd_no(common, "user", unknown);
	else if (common->json)
		maui_cmd_answer_print_json(common, &answer);
	else
		rc = print(common, &o.args, answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}
