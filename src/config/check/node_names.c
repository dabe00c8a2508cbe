/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_names.c - nodes of NODECFG that the cluster does not have (CFG-7) */

#include "config/check/reservation.h"

#include <stdlib.h>
#include <string.h>

#include "base/hostexpr.h"
#include "base/hostnames.h"
#include "base/hostrange.h"
#include "config/check/private.h"
#include "model/snapshot.h"

enum { MISSING_MAX = 1000 }; /* named in one message */

/* A NODECFG line with an effect; each line once. */
static bool names_nodes(const struct maui_config *config, size_t i)
{
	const struct maui_setting *s = &config->settings[i], *before = i > 0 ? s - 1 : NULL;

	return s->param->family == MAUI_FAMILY_NODE && s->index &&
	       maui_check_row(s)->status == MAUI_HONOURED && strcmp(s->index, "DEFAULT") != 0 &&
	       !(before && before->param == s->param && before->line == s->line &&
		 before->file == s->file && maui_check_row(before)->status == MAUI_HONOURED);
}

static void check_setting(const struct maui_setting *s, const struct maui_hostnames *all,
			  struct maui_diags *diags)
{
	const char *missing[MISSING_MAX];
	const struct maui_diag_place place = { .file = s->file,
					       .line = s->line,
					       .column = s->column,
					       .kind = MAUI_FAMILY_NODE,
					       .name = s->index };
	struct maui_words names;
	size_t count = 0;
	char *ranges;

	if (maui_hostrange_expand(s->index, &names, NULL))
		return; /* the builder has reported it */
	for (size_t i = 0; i < names.count && count < MISSING_MAX; i++)
		if (!maui_hostnames_has(all, names.list[i]))
			missing[count++] = names.list[i];
	ranges = count > 0 ? maui_hostrange_fold(missing, count) : NULL;
	if (ranges)
		maui_diags_add_at(diags, MAUI_WARNING, &place, "NODECFG[%.200s]: no node %.300s%s",
				  s->index, ranges, count == MISSING_MAX ? " ..." : "");
	free(ranges);
	maui_words_finish(&names);
}

void maui_config_check_node_names(const struct maui_config *config, const struct maui_snapshot *s,
				  struct maui_diags *diags)
{
	const char **names = calloc(s->node_count + 1u, sizeof(*names));
	struct maui_hostnames *all = NULL;

	for (uint32_t n = 0; names && n < s->node_count; n++)
		names[n] = s->nodes[n].name ? s->nodes[n].name : "";
	if (names)
		all = maui_hostnames_create(names, s->node_count);
	diags->no_memory |= !all;
	for (size_t i = 0; all && i < config->setting_count; i++)
		if (names_nodes(config, i))
			check_setting(&config->settings[i], all, diags);
	maui_hostnames_destroy(all);
	free(names);
}
