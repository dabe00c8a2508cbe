/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - who may reset statistics */

#include "admin/statistics.h"

#include "answers/object.h"

json_object *maui_admin_reset_statistics(struct maui_statistics *statistics,
					 const struct maui_rights *who, int64_t now_s,
					 struct maui_query_error *error)
{
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "since", now_s);
	if (!who->admin)
		maui_query_fail(error, MAUI_QUERY_DENIED,
				"not permitted: resetstats needs ADMIN1 of maui.cfg");
	else if (o.failed)
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no memory");
	o.failed |= !who->admin;
	if (!o.failed)
		maui_statistics_reset(statistics, now_s);
	return maui_object_finish(&o);
}
