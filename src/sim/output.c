/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - writes to memory, and to the file when all of it is there */

#include "sim/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/need.h"

void maui_sim_output_open(struct maui_sim_output_file *file, const char *path)
{
	*file = (struct maui_sim_output_file){ .path = path };
	if (strcmp(path, "-") == 0)
		file->out = stdout;
	else
		file->out = maui_need(open_memstream(&file->text, &file->length));
}

static int flush_stdout(struct maui_err *err)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return maui_err_set(err, "cannot write the output%s%s", errno ? ": " : "",
			    errno ? strerror(errno) : "");
}

int maui_sim_output_close(struct maui_sim_output_file *file, struct maui_err *err)
{
	FILE *out = file->out;
	int rc;

	file->out = NULL;
	if (out == stdout)
		return flush_stdout(err);
	rc = fclose(out) == 0 ?
		     maui_file_publish(file->path, file->text, file->length, false, err) :
		     maui_err_errno(err, "cannot write %s", file->path);
	free(file->text);
	file->text = NULL;
	return rc;
}

void maui_sim_output_discard(struct maui_sim_output_file *file)
{
	if (file->out && file->out != stdout)
		fclose(file->out);
	free(file->text);
	*file = (struct maui_sim_output_file){ 0 };
}
