/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.c - what showq and maui queue have in common: whose jobs are asked for */

#include "cmd/queue_ask.h"

#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answers/verbs.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/rows.h"

enum { ME = MAUI_OPT_OWN };

static const char *key_of(int option)
{
	switch (option) {
	case 'u':
		return "user";
	case 'g':
		return "group";
	case 'a':
		return "account";
	case 'q':
		return "qos";
	case 'c':
	case 'p':
		return "class";
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
	json_object_object_add(ask->args, "user", json_object_new_string(me->pw_name));
	return MAUI_EXIT_OK;
}

static int take_option(struct maui_queue_ask *ask, int option)
{
	const char *key = key_of(option);
	bool *flag = flag_of(ask, option);

	if (option == ME)
		return take_me(ask);
	if (option == 'u')
		ask->user = optarg;
	if (flag)
		*flag = true;
	else if (key)
		json_object_object_add(ask->args, key, json_object_new_string(optarg));
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
	ask->args = json_object_new_object();
	while (!ask->common.done && rc == MAUI_EXIT_OK &&
	       (option = getopt_long(argc, argv, "hVribu:g:a:q:c:p:o:", longs, NULL)) != -1)
		rc = take_option(ask, option);
	if (!ask->common.done && rc == MAUI_EXIT_OK && optind < argc)
		rc = maui_cmd_misuse(&ask->common, "'%s': no name is expected here", argv[optind]);
	else if (!ask->common.done && rc == MAUI_EXIT_OK &&
		 ask->running + ask->idle + ask->blocked > 1)
		rc = maui_cmd_misuse(&ask->common, "one of -r, -i, -b at a time");
	if (ask->common.done || rc != MAUI_EXIT_OK) {
		ask->common.done = true;
		json_object_put(ask->args);
	}
	return rc;
}

static bool has_jobs_of(json_object *result, const char *user)
{
	static const char *const blocks[][2] = { { "active", "active_columns" },
						 { "idle", "waiting_columns" },
						 { "blocked", "waiting_columns" } };

	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		struct maui_cmd_rows rows = maui_cmd_rows(result, blocks[i][0], blocks[i][1]);
		size_t column = maui_cmd_rows_column(&rows, "user");

		for (size_t row = 0; row < rows.count; row++)
			if (strcmp(maui_cmd_rows_text(&rows, row, column), user) == 0)
				return true;
	}
	return false;
}

/* The first name of the list that is nobody's: slurmctld's host may know users whom this one does
 * not, by their jobs. "": there is none. */
static void find_nobody(json_object *result, const char *list, char *buf, size_t size)
{
	struct maui_words users = { 0 };

	*buf = '\0';
	maui_words_split(list, ",", &users);
	for (size_t i = 0; i < users.count && !*buf; i++)
		if (!has_jobs_of(result, users.list[i]) && !getpwnam(users.list[i]))
			snprintf(buf, size, "%s", users.list[i]);
	maui_words_finish(&users);
}

json_object *maui_queue_ask(struct maui_queue_ask *ask, bool wide, int *ret_status)
{
	const char *block = ask->running ? "active" :
			    ask->idle    ? "idle" :
			    ask->blocked ? "blocked" :
					   NULL;
	char nobody[128] = "";
	json_object *result;

	if (block)
		json_object_object_add(ask->args, "block", json_object_new_string(block));
	if (wide || ask->common.json)
		json_object_object_add(ask->args, "wide", json_object_new_boolean(1));
	result = maui_cmd_ask(&ask->common, MAUI_VERB_QUEUE, ask->args, ret_status);
	if (result && ask->user)
		find_nobody(result, ask->user, nobody, sizeof(nobody));
	if (!*nobody)
		return result;
	json_object_put(result);
	*ret_status = maui_cmd_no_user(&ask->common, nobody);
	return NULL;
}
