/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres_json.c - a list of generic resources */

#include "answers/gres_json.h"

#include <stdlib.h>

#include "answers/gres.h"
#include "model/gres.h"
#include "plan/finished.h"

void maui_gres_put(struct maui_object *o, const struct maui_snapshot *s, const int64_t *total,
		   const int64_t *used)
{
	json_object *list = json_object_new_array();

	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++) {
		struct maui_object one;

		if (!maui_gres_name(s, d) || total[d] == 0 || total[d] >= MAUI_GRES_UNCOUNTED)
			continue;
		one = maui_object_make();
		maui_object_put_text(&one, "name", maui_gres_name(s, d));
		maui_object_put_number(&one, "total", total[d]);
		maui_object_put_number(&one, "unused", total[d] > used[d] ? total[d] - used[d] : 0);
		maui_object_append(o, list, maui_object_finish(&one));
	}
	maui_object_put(o, "gres", list);
}

void maui_gres_put_all(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	const struct maui_snapshot *s = p->plan ? p->plan->snapshot : NULL;
	int64_t *total;

	if (!s || maui_document_hides_nodes(p, uid))
		return;
	total = maui_gres_sums(s);
	o->failed |= !total;
	if (total)
		maui_gres_put(o, s, total, total + s->amount_count);
	free(total);
}
