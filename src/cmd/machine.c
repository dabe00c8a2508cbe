/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.c - looks up on this machine what maui.cfg names: users, groups, programs of triggers
 *
 * A machine of the cluster knows the SlurmUser of slurm.conf. On any other machine the cluster's
 * users are unknown, and a warning about each of them would mislead: one note says what was not
 * checked.
 */

#include "maui_config.h"

#include "base/need.h"
#include "cmd/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admin/attributes.h"
#include "base/trust.h"
#include "base/user.h"
#include "config/check/known_names.h"
#include "config/check/reservation.h"

/* Accounts and QOS are in Slurm's database, and slurmctld looks for them. */
static bool is_unknown(const void *context, int kind, const char *name)
{
	bool found;

	(void)context;
	if (kind == MAUI_CRED_USER)
		return maui_user_find(name, &found) == 0 && !found;
	if (kind == MAUI_CRED_GROUP)
		return maui_user_find_group(name, &found) == 0 && !found;
	return false;
}

/* Without search permission in a directory it is unknown whether the file exists. */
static int refuses(const char *path, const void *user, struct maui_err *err)
{
	if (access(path, F_OK) && errno != ENOENT && errno != ENOTDIR)
		return 0;
	return maui_trust_file(path, *(const uid_t *)user, err);
}

/* Counts what would be looked up, and looks nothing up. */
static unsigned names_to_check;

static void count_name(const struct maui_mention *mention, void *context)
{
	(void)context;
	names_to_check += mention->kind == MAUI_CRED_USER || mention->kind == MAUI_CRED_GROUP;
}

static int count_program(const char *path, const void *context, struct maui_err *err)
{
	(void)path;
	(void)context;
	(void)err;
	names_to_check++;
	return 0;
}

static void note_unchecked(const struct maui_config *config, const char *path, const char *why,
			   struct maui_diags *diags)
{
	names_to_check = 0;
	maui_config_each_name(config, count_name, NULL);
	maui_config_check_triggers(config, count_program, NULL, diags);
	if (names_to_check > 0)
		maui_diags_add(diags, MAUI_NOTE, path, 0, 0,
			       "users, groups and programs of triggers were not checked: %s", why);
}

void maui_cmd_check_machine(const struct maui_config *config, const char *path,
			    const struct maui_cmd_options *options, struct maui_diags *diags)
{
	uid_t slurm_user;
	char *name = NULL, *why = NULL;

	if (!maui_cmd_has_slurm_conf(options))
		why = maui_need_text("there is no %s; name one with --slurm-conf",
				     maui_cmd_slurm_conf_path(options));
	else if (maui_cmd_slurm_user(options, &slurm_user, &name))
		why = maui_need_text("this machine has no user '%s', the SlurmUser of %s", name,
				     maui_cmd_slurm_conf_path(options));
	if (why && path)
		note_unchecked(config, path, why, diags);
	if (!why) {
		maui_config_check_known(config, is_unknown, NULL, diags);
		maui_config_check_triggers(config, refuses, &slurm_user, diags);
	}
	free(why);
	free(name);
}

/* Without the name, which the reservation has not got yet. */
static const char *plain_text(const char *text)
{
	static const char of[] = "SRCFG[setres] ";

	return strncmp(text, of, sizeof(of) - 1) == 0 ? text + sizeof(of) - 1 : text;
}

static void list_texts(const struct maui_diags *diags, struct maui_arena *arena,
		       struct maui_warnings *ret)
{
	const char **texts = maui_need(maui_arena_alloc_list(arena, diags->count, sizeof(*texts)));

	*ret = (struct maui_warnings){ .warnings = texts, .warnings_count = diags->count };
	for (size_t i = 0; i < diags->count; i++)
		texts[i] = maui_need(maui_arena_strdup(arena, plain_text(diags->list[i].text)));
}

void maui_cmd_check_attributes(const struct maui_setres_args *args, struct maui_arena *arena,
			       struct maui_warnings *ret)
{
	const struct maui_cmd_options options = { 0 };
	struct maui_rsv rsv = maui_rsv_defaults();
	struct maui_config *config = maui_need_list(1, sizeof(*config));
	struct maui_diags diags = { 0 };
	struct maui_query_error error;
	char *warning = NULL;

	if (maui_admin_set_attributes(&rsv, args, &warning, &error) == 0) {
		rsv.name = (char *)"setres";
		config->rsvs = &rsv;
		config->rsv_count = 1;
		maui_cmd_check_machine(config, NULL, &options, &diags);
		rsv.name = NULL;
	}
	list_texts(&diags, arena, ret);
	maui_diags_finish(&diags);
	maui_rsv_finish(&rsv);
	free(config);
	free(warning);
}
