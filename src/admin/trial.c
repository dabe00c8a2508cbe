/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - keeps the reservations of a trial */

#include "admin/trial.h"

#include "answers/object.h"

json_object *maui_admin_keep_trial(struct maui_rsv *rsvs, size_t count,
				   const struct maui_rights *who, struct maui_query_error *error)
{
	struct maui_object o = maui_object_make();
	json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < count; i++) {
		json_object *name = rsvs[i].trial ? json_object_new_string(rsvs[i].name) : NULL;

		o.failed |= rsvs[i].trial && (!name || json_object_array_add(list, name) != 0);
	}
	maui_object_put(&o, "kept", list);
	if (!who->admin)
		maui_query_fail(error, MAUI_QUERY_DENIED,
				"not permitted: maui trial --keep needs ADMIN1 of maui.cfg");
	else if (o.failed)
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no memory");
	o.failed |= !who->admin;
	for (size_t i = 0; !o.failed && i < count; i++)
		rsvs[i].trial = false;
	return maui_object_finish(&o);
}
