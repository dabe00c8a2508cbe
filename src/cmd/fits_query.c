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

#include "cmd/cmd.h"

enum { MOST = 1000000000 };

void maui_fits_set_caller(struct maui_fits_ask *ask, const char *user, const char *group)
{
	const struct passwd *pw = user ? getpwnam(user) : getpwuid(geteuid());
	const struct group *gr = group || !pw ? NULL : getgrgid(user ? pw->pw_gid : getegid());

	snprintf(ask->user, sizeof(ask->user), "%s", pw ? pw->pw_name : "nobody");
	if (gr)
		snprintf(ask->group, sizeof(ask->group), "%s", gr->gr_name);
	ask->args.user = user ? user : ask->user;
	ask->args.group = group ? group : gr ? ask->group : NULL;
}

int maui_fits_ask_for(const struct maui_cmd_common *common, const char *user,
		      const struct maui_fits_args *args, struct maui_cmd_answer *ret)
{
	int rc = maui_cmd_ask_verb(common, &maui_verb_fits, args, ret);
	const struct maui_fits *fits = ret->record;

	if (rc != MAUI_EXIT_OK || !user || !fits->known || fits->known->user_known ||
	    getpwnam(user))
		return rc;
	maui_cmd_answer_finish(ret);
	return maui_cmd_no_user(common, user);
}

void maui_fits_ask_finish(struct maui_fits_ask *ask)
{
	free(ask->gres);
	free(ask->gpus);
	*ask = (struct maui_fits_ask){ 0 };
}

int maui_fits_read_count(const char *text, int64_t least, int64_t *ret)
{
	char *end;
	long long count;

	if (!isdigit((unsigned char)*text))
		return -1;
	count = strtoll(text, &end, 10);
	if (*end || count < least || count > MOST)
		return -1;
	*ret = count;
	return 0;
}

int maui_fits_read_nodes(const char *text, int64_t *ret_least, int64_t *ret_most)
{
	const char *dash = strchr(text, '-');
	char least[16];

	if (!dash) {
		if (maui_fits_read_count(text, 1, ret_least))
			return -1;
		*ret_most = *ret_least;
		return 0;
	}
	if ((size_t)(dash - text) >= sizeof(least))
		return -1;
	memcpy(least, text, (size_t)(dash - text));
	least[dash - text] = '\0';
	return maui_fits_read_count(least, 1, ret_least) ||
			       maui_fits_read_count(dash + 1, *ret_least, ret_most) ?
		       -1 :
		       0;
}

int maui_fits_read_memory(const char *text, int64_t *ret_mb)
{
	char *end;
	long long number;

	if (!isdigit((unsigned char)*text))
		return -1;
	number = strtoll(text, &end, 10);
	if (number > MOST)
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
	if (number > MOST)
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
