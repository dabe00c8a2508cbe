/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last_count.c - when usage was last counted and reset: priority/multifactor's file
 *
 * Two times of eight bytes each, the most significant byte first, as Slurm packs them.
 */

#include "slurm/associations/private.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"

enum { FILE_LENGTH = 16, FILE_MAX = 4096 };

/* Made when the plugin is loaded: later a reconfigure may change slurm_conf. NULL: no memory. */
static char *path;

struct maui_last_count maui_last_count_read(void)
{
	struct maui_last_count ret = { 0 };
	struct maui_strbuf made = { 0 };
	char *text = NULL;
	uint64_t times[2];
	struct maui_err err;
	size_t length;

	free(path);
	maui_strbuf_addf(&made, "%s/priority_last_decay_ran", slurm_conf.state_save_location);
	path = maui_strbuf_steal(&made);
	if (path && maui_file_read(path, FILE_MAX, &text, &length, &err) == 0) {
		if (length < FILE_LENGTH) {
			error("slurm-maui: %s is incomplete: usage of associations is counted from now on",
			      path);
		} else {
			memcpy(times, text, sizeof(times));
			ret.counted_s = (int64_t)be64toh(times[0]);
			ret.reset_s = (int64_t)be64toh(times[1]);
		}
	} else if (path && errno != ENOENT) {
		error("slurm-maui: %s: usage of associations is counted from now on", err.text);
	}
	free(text);
	return ret;
}

void maui_last_count_write(const struct maui_last_count *last)
{
	const uint64_t times[2] = { htobe64((uint64_t)last->counted_s),
				    htobe64((uint64_t)last->reset_s) };
	struct maui_err err;

	if (path && maui_file_write(path, (const char *)times, sizeof(times), 1, &err))
		error("slurm-maui: %s", err.text);
}
