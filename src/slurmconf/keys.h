/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.h - the keys of slurm.conf, and the forms of their values
 *
 * slurmctld does not start with an unknown key, an invalid value, or a line that is not made of
 * KEY=value pairs. The keys are those of Slurm 22.05 to 26.05 together.
 */
#ifndef MAUI_SLURMCONF_KEYS_H
#define MAUI_SLURMCONF_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "slurmconf/conf.h"

enum maui_conf_kind {
	MAUI_CONF_CLUSTER, /* one key and its value */
	MAUI_CONF_NODES,
	MAUI_CONF_PARTITION,
	MAUI_CONF_NODESET,
	MAUI_CONF_DOWN_NODES,
	MAUI_CONF_KINDS
};

/* By its first key. */
enum maui_conf_kind maui_conf_kind_of(const struct maui_conf_line *line);

/* Checks a line. -1 with err: Slurm takes it in no release. *ret_unknown gets a key that no known
 * release has, NULL: all are known. */
int maui_conf_check_line(const struct maui_conf_line *line, const char **ret_unknown,
			 struct maui_err *err);

/* A whole number, also in hexadecimal; UNLIMITED and INFINITE are `max`; with `thousands` also
 * "4k". NULL, or what is wrong with the value. */
const char *maui_conf_read_number(const char *value, int64_t max, bool thousands, int64_t *ret);
/* YES, UP, TRUE, 1 and their opposites, in any case. */
const char *maui_conf_read_yes(const char *value, bool *ret);

#endif
