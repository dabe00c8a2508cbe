/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.c - what only this machine can tell of a reservation: users, groups, files of triggers */

#include "cmd/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/trust.h"
#include "base/user.h"
#include "config/check/reservation.h"
#include "admin/parse.h"

static bool is_unknown(int kind, const char *name)
{
	bool found;

	return (kind == MAUI_CRED_USER ? maui_user_find(name, &found) :
					 maui_user_find_group(name, &found)) == 0 &&
	       !found;
}

/* Who may not look into a directory cannot tell. */
static int refuses(const char *path, const void *user, struct maui_err *err)
{
	if (access(path, F_OK) && errno != ENOENT && errno != ENOTDIR)
		return 0;
	return maui_trust_file(path, *(const uid_t *)user, err);
}

void maui_cmd_check_machine(const struct maui_config *config,
			    const struct maui_cmd_options *options, struct maui_diags *diags)
{
	uid_t user;
	char *name;

	if (options->slurm_conf || !maui_cmd_has_slurm_conf(options))
		return;
	maui_config_check_admins(config, is_unknown, diags);
	maui_config_check_people(config, is_unknown, diags);
	if (maui_cmd_slurm_user(options, &user, &name) == 0)
		maui_config_check_triggers(config, refuses, &user, diags);
	free(name);
}

/* Without the name, which the reservation has not got yet. */
static void add_text(json_object *warnings, const char *text)
{
	static const char of[] = "SRCFG[setres] ";

	if (strncmp(text, of, sizeof(of) - 1) == 0)
		text += sizeof(of) - 1;
	json_object_array_add(warnings, json_object_new_string(text));
}

void maui_cmd_check_attributes(json_object *attributes, json_object *warnings)
{
	const struct maui_cmd_options options = { 0 };
	struct maui_rsv rsv = { .owner_kind = -1 };
	struct maui_config *config = calloc(1, sizeof(*config));
	struct maui_diags diags = { 0 };
	struct maui_query_error error;
	char *said = NULL;

	if (config && maui_admin_parse(&rsv, attributes, &said, &error) == 0) {
		rsv.name = (char *)"setres";
		config->rsvs = &rsv;
		config->rsv_count = 1;
		maui_cmd_check_machine(config, &options, &diags);
		rsv.name = NULL;
	}
	for (size_t i = 0; i < diags.count; i++)
		add_text(warnings, diags.list[i].text);
	maui_diags_finish(&diags);
	maui_rsv_finish(&rsv);
	free(config);
	free(said);
}
