/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_query.c - the question that showbf and maui fits ask, as Slurm's users write it */

#include "cmd/fits_query.h"

#include <ctype.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/user.h"
#include "cmd/cmd.h"

enum { MEMORY_MOST = 1000000000 }; /* MB */

static const char *name_of(gid_t gid, char *buf, size_t size)
{
	const struct group *gr = getgrgid(gid);

	if (gr)
		snprintf(buf, size, "%s", gr->gr_name);
	return gr ? buf : NULL;
}

void maui_fits_set_caller(struct maui_fits_ask *ask)
{
	struct maui_fits_args *args = &ask->args;
	const struct passwd *pw = ask->user ? getpwnam(ask->user) : getpwuid(geteuid());
	bool found;

	ask->no_user = ask->user && !pw;
	ask->no_group = ask->group && maui_user_find_group(ask->group, &found) == 0 && !found;
	args->uid = pw ? (int64_t)pw->pw_uid : ask->user ? -1 : (int64_t)geteuid();
	if (pw)
		args->primary_group =
			name_of(pw->pw_gid, ask->primary_group, sizeof(ask->primary_group));
	maui_user_own_counted_name(ask->own_user, sizeof(ask->own_user));
	maui_user_own_counted_group(ask->own_group, sizeof(ask->own_group));
	args->user = ask->user ? ask->user : ask->own_user;
	args->group = ask->group ? ask->group : ask->user ? args->primary_group : ask->own_group;
}

int maui_fits_show(const struct maui_tool_common *common, struct maui_fits_ask *ask,
		   maui_cmd_print_fn print, const void *options)
{
	struct maui_cmd_answer answer;
	const struct maui_fits *fits;
	int rc;

	maui_fits_set_caller(ask);
	rc = maui_cmd_ask_verb(common, &maui_verb_fits, &ask->args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	fits = answer.record;
	if (ask->user && fits->known && !fits->known->user_known && ask->no_user)
		rc = maui_cmd_no(common, "user", ask->user);
	else if (ask->group && fits->known && !fits->known->group_known && ask->no_group)
		rc = maui_cmd_no(common, "group", ask->group);
	else if (common->json)
		maui_cmd_answer_print_json(common, &answer);
	else
		rc = print(common, options, fits);
	maui_cmd_answer_finish(&answer);
	return rc;
}

void maui_fits_ask_finish(struct maui_fits_ask *ask)
{
	free(ask->node_gres);
	free(ask->job_gpus);
	*ask = (struct maui_fits_ask){ 0 };
}

int maui_fits_read_nodes(const char *text, int64_t *ret_least, int64_t *ret_most)
{
	const char *dash = strchr(text, '-');
	char least[16];

	if (!dash) {
		if (maui_option_count(text, 1, ret_least))
			return -1;
		*ret_most = *ret_least;
		return 0;
	}
	if ((size_t)(dash - text) >= sizeof(least))
		return -1;
	memcpy(least, text, (size_t)(dash - text));
	least[dash - text] = '\0';
	if (maui_option_count(least, 1, ret_least) ||
	    maui_option_count(dash + 1, *ret_least, ret_most))
		return -1;
	return 0;
}

/* -1: none. */
static int parse_memory(const char *text, int64_t *ret_mb)
{
	char *end;
	long long number;

	if (!isdigit((unsigned char)*text))
		return -1;
	number = strtoll(text, &end, 10);
	if (number > MEMORY_MOST)
		return -1;
	switch (toupper((unsigned char)*end)) {
	case 'K':
		number = (number + 1023) / 1024;
		break;
	case 'G':
		number *= 1024;
		break;
	case 'T':
		number *= 1024LL * 1024;
		break;
	case 'M':
	case '\0':
		break;
	default:
		return -1;
	}
	if (*end && end[1])
		return -1;
	if (number > MEMORY_MOST)
		return -1;
	*ret_mb = number;
	return 0;
}

void maui_fits_print_account(const struct maui_fits *fits)
{
	if (!fits->account_assumed)
		return;
	if (*fits->account)
		printf("counted as a job of account %s, the default; -A names another\n",
		       fits->account);
	else
		printf("counted as a job without an account; -A names one\n");
}

int maui_fits_read_memory(const struct maui_tool_common *common, const struct maui_option *option,
			  const char *text, int64_t *ret_mb)
{
	char name[MAUI_OPTION_NAME_SIZE];

	if (parse_memory(text, ret_mb) == 0)
		return MAUI_EXIT_OK;
	return maui_tool_misuse(common,
				"%s %s: not an amount of memory of at most %d MB, as 4000 or 16G",
				maui_option_called(option, name, sizeof(name)), text, MEMORY_MOST);
}
