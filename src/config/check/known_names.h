/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_names.h - users, groups, accounts, QOS and partitions that maui.cfg names
 *
 * One walk over the file serves every check of such names, and the look-ups in advance. The caller
 * says which names exist: slurm.conf, the name service and Slurm's database are not known here.
 *
 * Rules: ACL-15.
 */
#ifndef MAUI_CONFIG_CHECK_KNOWN_NAMES_H
#define MAUI_CONFIG_CHECK_KNOWN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "model/cred.h"

struct maui_snapshot;

/* Where maui.cfg names an object. */
struct maui_mention {
	enum maui_cred_kind kind;
	const char *name;
	const struct maui_rsv *rsv;        /* of a SRCFG; NULL: of none */
	const char *attr;                  /* its attribute: "USERLIST", "OWNER", "PARTITION" */
	const struct maui_setting *admins; /* of ADMIN1, ADMIN2 or ADMIN3; NULL: of none */
	size_t at;                         /* byte of its value */
};

typedef void (*maui_mention_fn)(const struct maui_mention *mention, void *context);

/* Calls `fn` for each name; once for each object of *CFG, and once for each of its mentions in
 * SRCFG and ADMIN. DEFAULT and ALL are left out, and so are numbers, except in ADMIN: they name no
 * administrator. */
void maui_config_each_name(const struct maui_config *config, maui_mention_fn fn, void *context);

/* True only if the object certainly does not exist; kind: enum maui_cred_kind. */
typedef bool (*maui_check_unknown_fn)(const void *context, int kind, const char *name);

/* Adds a warning for each name that is unknown. It is no error: the object may come later. */
void maui_config_check_known(const struct maui_config *config, maui_check_unknown_fn unknown,
			     const void *context, struct maui_diags *diags);

/* Whether a job can get the QOS from maui.cfg, although Slurm does not know it: by QDEF, or with
 * `asked` by a name on a QLIST that the job asks for. */
bool maui_config_gives_qos(const struct maui_config *config, const char *qos, bool asked);

#endif
