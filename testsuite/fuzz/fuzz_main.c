/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_main.c - a main for fuzz targets that replays inputs, with any compiler
 *
 *	fuzz_X FILE|DIRECTORY...
 *
 * Each file, and each file of a directory, is one input. Prints their names, so that a finding is
 * that of the last one, and how many there were. Exits with 1 when an input cannot be read or there
 * was none; a finding ends the program as it does under libFuzzer.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned count;

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t size;

	if (!file || fstat(fileno(file), &st) < 0) {
		perror(path);
		return -1;
	}
	size = (size_t)st.st_size;
	data = malloc(size ? size : 1); /* exactly: sanitizers then see one byte too many */
	FUZZ_CHECK(data);
	if (fread(data, 1, size, file) != size) {
		fprintf(stderr, "%s: cannot read it all\n", path);
		free(data);
		fclose(file);
		return -1;
	}
	fclose(file);
	puts(path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	count++;
	return 0;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_directory(const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, is_visible, alphasort), result = 0;
	char *name;

	if (n < 0) {
		perror(path);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		FUZZ_CHECK(asprintf(&name, "%s/%s", path, entries[i]->d_name) > 0);
		result |= replay_file(name);
		free(name);
		free(entries[i]);
	}
	free(entries);
	return result;
}

int main(int argc, char **argv)
{
	struct stat st;
	int result = 0;

	for (int i = 1; i < argc; i++) {
		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
			result |= replay_directory(argv[i]);
		else
			result |= replay_file(argv[i]);
	}
	printf("%u inputs replayed\n", count);
	return result == 0 && count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
