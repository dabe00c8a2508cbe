/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation_names.c - partitions and programs that reservations name (Maui manual 7.1.5), and
 * names that Slurm's reservations have, too
 *
 * Rules: ACL-15, RSV-19.
 */

#include "config/check/reservation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/check/known_names.h"
#include "config/check/private.h"
#include "model/snapshot.h"

static bool is_name_byte(char c)
{
	return c != '\0' && (isalnum((unsigned char)c) || strchr("_.-@", c));
}

/* Whether the value contains the name as a whole word, with or without marks. */
static bool has_name(const char *value, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = value; (at = strcasestr(at, name)); at++)
		if ((at == value || !isalnum((unsigned char)at[-1])) &&
		    (!is_name_byte(at[length]) || at[length] == '-'))
			return true;
	return false;
}

/* The line of SRCFG[index] that contains the name, because access lists add up over lines; else the
 * last line. NULL: none. */
static const struct maui_setting *find_setting(const struct maui_config *config, const char *index,
					       const char *attr, const char *name)
{
	const struct maui_setting *any = NULL;

	for (size_t i = config->setting_count; i-- > 0;) {
		const struct maui_setting *s = &config->settings[i];

		if (!s->attr || s->param->family != MAUI_FAMILY_SR || !maui_setting_counts(s) ||
		    strcmp(s->attr->name, attr) != 0 || strcmp(s->index, index) != 0)
			continue;
		if (has_name(s->value, name))
			return s;
		any = s;
	}
	return any;
}

struct maui_diag_place maui_check_place_of_rsv(const struct maui_rsv *rsv,
					       const struct maui_setting *s)
{
	return (struct maui_diag_place){ .file = s ? s->file : rsv->file,
					 .line = s ? s->line : rsv->line,
					 .column = s ? s->column : 0,
					 .kind = MAUI_FAMILY_SR,
					 .name = rsv->name };
}

void maui_check_warn_of_rsv(const struct maui_config *config, const struct maui_rsv *rsv,
			    const char *attr, const char *name, const char *what,
			    struct maui_diags *diags)
{
	/* only the first diagnostics are kept: finding the line of each of 50,000 names took a
	 * minute */
	bool kept = maui_diags_keep(diags, MAUI_WARNING);
	const struct maui_setting *s = NULL;
	struct maui_diag_place place;

	if (kept)
		s = find_setting(config, rsv->name, attr, name);
	if (kept && !s)
		s = find_setting(config, "DEFAULT", attr, name);
	place = maui_check_place_of_rsv(rsv, s);
	maui_diags_add_at(diags, MAUI_WARNING, &place, "SRCFG[%.300s] %s: '%.200s' %s", rsv->name,
			  attr, name, what);
}

/* ---- partitions ---- */

static bool has_node(const struct maui_snapshot *s, const char *name)
{
	for (uint32_t n = 0; n < s->node_count; n++)
		for (uint32_t i = 0; i < s->nodes[n].partition_count; i++)
			if (strcmp(s->partitions[s->nodes[n].partitions[i]].name, name) == 0)
				return true;
	return false;
}

void maui_config_check_empty_partitions(const struct maui_config *config,
					const struct maui_snapshot *s, struct maui_diags *diags)
{
	for (size_t r = 0; r < config->rsv_count; r++) {
		const struct maui_rsv *rsv = &config->rsvs[r];

		if (rsv->partition && maui_snapshot_find_partition(s, rsv->partition) >= 0 &&
		    !has_node(s, rsv->partition))
			maui_check_warn_of_rsv(config, rsv, "PARTITION", rsv->partition,
					       "is a partition without nodes: nothing is reserved",
					       diags);
	}
}

/* ---- Slurm's reservations ---- */

static bool is_listed(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

void maui_config_check_namesakes(const struct maui_config *config, const char *const *slurm,
				 size_t count, struct maui_diags *diags)
{
	for (size_t r = 0; r < config->rsv_count; r++) {
		const struct maui_rsv *rsv = &config->rsvs[r];
		const struct maui_diag_place place = maui_check_place_of_rsv(rsv, NULL);

		if (is_listed(rsv->name, slurm, count))
			maui_diags_add_at(diags, MAUI_WARNING, &place,
					  "SRCFG[%.300s]: Slurm has a reservation %.200s, too: "
					  "--reservation=%.200s means Slurm's; jobs name an "
					  "instance of this one, such as %.200s.0",
					  rsv->name, rsv->name, rsv->name, rsv->name);
	}
}

/* ---- programs of triggers ---- */

void maui_config_check_triggers(const struct maui_config *config, maui_check_file_fn refuses,
				const void *context, struct maui_diags *diags)
{
	for (size_t r = 0; r < config->rsv_count; r++) {
		const struct maui_rsv *rsv = &config->rsvs[r];

		for (size_t i = 0; i < rsv->trigger_count; i++) {
			char text[sizeof(((struct maui_err *)NULL)->text) + 32];
			struct maui_err err;

			if (!rsv->triggers[i].data ||
			    refuses(rsv->triggers[i].data, context, &err) == 0)
				continue;
			snprintf(text, sizeof(text), "would not be run: %s", err.text);
			maui_check_warn_of_rsv(config, rsv, "TRIGGER", rsv->triggers[i].data, text,
					       diags);
		}
	}
}
