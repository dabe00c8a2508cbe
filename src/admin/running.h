/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running.h - the running jobs on nodes of a setres reservation
 *
 * Rules: RSV-38.
 */
#ifndef MAUI_ADMIN_RUNNING_H
#define MAUI_ADMIN_RUNNING_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"

/* The jobs on nodes of the reservation that still run when it begins, as far as the user may see
 * them: [{"job", "user", "end"}], at most 100; *ret_count: how many there are. NULL without
 * memory. */
json_object *maui_admin_running(const struct maui_document *p, const struct maui_document_rsv *rsv,
				uid_t uid, size_t *ret_count);

#endif
