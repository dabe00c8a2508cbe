/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_main.c - a main for fuzz targets that replays inputs, with any compiler
 *
 *	fuzz_X [-r ROUNDS] [-s SEED] [-w FILE] FILE|DIRECTORY...
 *
 * Each file, and each file of a directory, is one input. Prints their names, so that a finding is
 * that of the last one, and how many there were. Then come as many ROUNDS (0) with changed inputs,
 * each with its own seed from SEED (a fresh one) on; -w writes the changed input of the last round
 * to a file, which keeps a finding if it goes into the corpus. Exits with 1 when an input cannot be
 * read or there was none; a finding ends the program as it does under libFuzzer.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../seeds.h"
#include "fuzz.h"

enum { MOST_EDITS = 8, MOST_LENGTH = 1 << 16 };

struct input {
	uint8_t *data;
	size_t size;
};

static struct input *inputs;
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
	inputs = reallocarray(inputs, count + 1, sizeof(*inputs));
	FUZZ_CHECK(inputs);
	inputs[count++] = (struct input){ data, size };
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

static size_t pick(size_t below)
{
	return below > 0 ? seeds_random() % below : 0;
}

/* Replaces `gone` bytes at a place by others. */
static void splice(struct input *input, size_t at, size_t gone, const uint8_t *by, size_t size)
{
	uint8_t *changed = malloc(input->size - gone + size + 1);

	FUZZ_CHECK(changed);
	if (at > 0)
		memcpy(changed, input->data, at);
	if (size > 0)
		memcpy(changed + at, by, size);
	if (input->size > at + gone)
		memcpy(changed + at + size, input->data + at + gone, input->size - at - gone);
	free(input->data);
	*input = (struct input){ changed, input->size - gone + size };
}

/* A byte changes or is inserted, a part is left out, or a part of any input comes in between. */
static void edit(struct input *input)
{
	const struct input *other = &inputs[pick(count)];
	size_t at = pick(input->size + 1), from = pick(other->size), left = input->size - at;
	uint8_t byte = (uint8_t)seeds_random();

	switch (pick(4)) {
	case 0:
		splice(input, at, left > 0, &byte, 1);
		break;
	case 1:
		splice(input, at, pick(left + 1), NULL, 0);
		break;
	case 2:
		splice(input, at, 0, &byte, 1);
		break;
	default:
		splice(input, at, 0, other->data + from, pick(other->size - from + 1));
		break;
	}
}

static void write_input(const char *path, const struct input *input)
{
	FILE *file = fopen(path, "wb");

	FUZZ_CHECK(file && fwrite(input->data, 1, input->size, file) == input->size);
	fclose(file);
}

/* Runs a changed copy of some input, of exactly its size. */
static void run_changed(uint64_t seed, const char *path)
{
	struct input input = { NULL, 0 };
	const struct input *model;

	seeds_state = seed;
	model = &inputs[pick(count)];
	splice(&input, 0, 0, model->data, model->size);
	for (size_t i = 1 + pick(MOST_EDITS); i > 0 && input.size < MOST_LENGTH; i--)
		edit(&input);
	input.data = realloc(input.data, input.size ? input.size : 1);
	FUZZ_CHECK(input.data);
	if (path)
		write_input(path, &input);
	LLVMFuzzerTestOneInput(input.data, input.size);
	free(input.data);
}

static void run_rounds(char **argv, unsigned rounds, uint64_t seed, const char *path)
{
	seeds_watch();
	printf("%s: %u rounds from seed %llu\n", argv[0], rounds, (unsigned long long)seed);
	fflush(stdout);
	for (unsigned i = 0; i < rounds; i++) {
		snprintf(seeds_last_words, sizeof(seeds_last_words),
			 "seed %llu failed; again, and the input for the corpus: "
			 "%s -r 1 -s %llu -w INPUT %s\n",
			 (unsigned long long)(seed + i), argv[0], (unsigned long long)(seed + i),
			 argv[optind]);
		run_changed(seed + i, path);
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = 0;
	uint64_t seed = seeds_fresh();
	const char *path = NULL;
	struct stat st;
	int result = 0, option;

	while ((option = getopt(argc, argv, "r:s:w:")) != -1)
		if (option == 'r')
			rounds = (unsigned)strtoul(optarg, NULL, 10);
		else if (option == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (option == 'w')
			path = optarg;
		else
			return EXIT_FAILURE;
	for (int i = optind; i < argc; i++) {
		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
			result |= replay_directory(argv[i]);
		else
			result |= replay_file(argv[i]);
	}
	printf("%u inputs replayed\n", count);
	if (count > 0)
		run_rounds(argv, rounds, seed, path);
	for (unsigned i = 0; i < count; i++)
		free(inputs[i].data);
	free(inputs);
	return result == 0 && count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
