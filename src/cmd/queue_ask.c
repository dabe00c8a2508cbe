/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.c - what showq and maui queue have in common: whose jobs are asked for */

#include "cmd/queue_ask.h"

#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "cmd/cmd.h"

enum { ME = MAUI_OPT_OWN };

/* Where the value of the option goes; NULL: it has none. */
static const char **value_of(struct maui_queue_args *args, int option)
{
	switch (option) {
	case 'u':
		return &args->user;
	case 'g':
		return &args->group;
	case 'a':
		return &args->account;
	case 'q':
		return &args->qos;
	case 'c':
	case 'p':
		return &args->class;
	}
	return NULL;
}

static bool *flag_of(struct maui_queue_ask *ask, int option)
{
	switch (option) {
	case 'r':
		return &ask->running;
	case 'i':
		return &ask->idle;
	case 'b':
		return &ask->blocked;
	}
	return NULL;
}

/* Of the one who asks. */
static int take_me(struct maui_queue_ask *ask)
{
	const struct passwd *me = getpwuid(geteuid());

	if (!me)
		return maui_cmd_misuse(&ask->common, "--me: your user id has no name");
	snprintf(ask->me, sizeof(ask->me), "%s", me->pw_name);
	ask->args.user = ask->me;
	return MAUI_EXIT_OK;
}

static int take_option(struct maui_queue_ask *ask, int option)
{
	const char **value = value_of(&ask->args, option);
	bool *flag = flag_of(ask, option);

	if (option == ME)
		return take_me(ask);
	if (flag)
		*flag = true;
	else if (value)
		*value = optarg;
	else
		return maui_cmd_common_option(&ask->common, option);
	return MAUI_EXIT_OK;
}

int maui_queue_options(struct maui_queue_ask *ask, int argc, char **argv)
{
	static const struct option longs[] = {
		MAUI_TABLE_OPTIONS,
		MAUI_COMMON_OPTIONS,
		{ "me", no_argument, NULL, ME },
		{ 0 },
	};
	int option, rc = MAUI_EXIT_OK;

	maui_cmd_begin(&ask->common, argc, argv);
	while (!ask->common.done && rc == MAUI_EXIT_OK &&
	       (option = getopt_long(argc, argv, "hVribu:g:a:q:c:p:o:", longs, NULL)) != -1)
		rc = take_option(ask, option);
	if (!ask->common.done && rc == MAUI_EXIT_OK && optind < argc)
		rc = maui_cmd_misuse(&ask->common, "'%s': no name is expected here", argv[optind]);
	else if (!ask->common.done && rc == MAUI_EXIT_OK &&
		 ask->running + ask->idle + ask->blocked > 1)
		rc = maui_cmd_misuse(&ask->common, "one of -r, -i, -b at a time");
	ask->common.done |= rc != MAUI_EXIT_OK;
	return rc;
}

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

/* The first name of the list that is nobody's: slurmctld's host may know users whom this one does
 * not, by their jobs. "": there is none. */
static void find_nobody(const struct maui_queue *queue, const char *list, char *buf, size_t size)
{
	struct maui_words users = { 0 };

	*buf = '\0';
	maui_words_split(list, ",", &users);
	for (size_t i = 0; i < users.count && !*buf; i++)
		if (!has_jobs_of(queue, users.list[i]) && !getpwnam(users.list[i]))
			snprintf(buf, size, "%s", users.list[i]);
	maui_words_finish(&users);
}

int maui_queue_ask(struct maui_queue_ask *ask, bool wide, struct maui_cmd_answer *ret)
{
	char nobody[128] = "";
	int rc;

	ask->args.block = ask->running ? "active" :
			  ask->idle    ? "idle" :
			  ask->blocked ? "blocked" :
					 NULL;
	ask->args.wide = wide || ask->common.json;
	rc = maui_cmd_ask_verb(&ask->common, &maui_verb_queue, &ask->args, ret);
	if (rc == MAUI_EXIT_OK && ask->args.user)
		find_nobody(ret->record, ask->args.user, nobody, sizeof(nobody));
	if (!*nobody)
		return rc;
	maui_cmd_answer_finish(ret);
	return maui_cmd_no_user(&ask->common, nobody);
}
