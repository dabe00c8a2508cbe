/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui.c - `maui <verb>`: finds the verb and runs it
 *
 * Bash completes from the verbs that --help lists.
 *
 * Rules: CMD-50.
 */

#include "maui_config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/masked.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/moab.h"
#include "tool/print.h"

static const struct maui_cmd_verb *const verbs[] = {
#define ROW(name) &maui_command_##name,
	MAUI_COMMANDS(ROW)
};

static void print_help(FILE *out)
{
	fprintf(out, "usage: maui VERB [ARGUMENT...]\n\nverbs:\n");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i]->what)
			fprintf(out, "  %-12s %s\n", verbs[i]->name, verbs[i]->what);
	fprintf(out, "\n'maui VERB --help' tells more. Exit status: 0 done, 1 error, 2 usage.\n");
}

static const char *last_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

/* `showres` is `maui showres`: the one it was called as, or NULL. */
static maui_cmd_fn find_alone(const char *path)
{
	const char *name = last_name(path);

	for (size_t i = 0; name && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i]->alone && strcmp(name, verbs[i]->name) == 0)
			return verbs[i]->run;
	return NULL;
}

/* The verb that a mistyped word may have meant; NULL: none. */
static const char *suggest(const char *word)
{
	unsigned least = (unsigned)strlen(word) / 3 + 1;
	const char *closest = NULL;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		unsigned distance = maui_words_distance(word, verbs[i]->name, least);

		if (distance < least) {
			least = distance;
			closest = verbs[i]->name;
		}
	}
	return closest;
}

/* Commands of Maui that have no verb, and what does the same. */
static const char *replacement(const char *word)
{
	static const struct {
		const char *name, *use;
	} commands[] = {
		{ "schedctl", "changeparam, systemctl" },
		{ "setqos", "scontrol update jobid=JOB qos=QOS" },
		{ "showgrid", "showstats -f" },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(word, commands[i].name) == 0)
			return commands[i].use;
	return NULL;
}

static int unknown_verb(const char *verb)
{
	const char *closest = suggest(verb), *use = replacement(verb);

	if (use) {
		fprintf(stderr, "maui: error: there is no command %s: use %s\n", verb, use);
		return MAUI_EXIT_USAGE;
	}

	fprintf(stderr, "maui: error: no verb '%s'%s%s%s; maui --help lists the verbs\n", verb,
		closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
	return MAUI_EXIT_USAGE;
}

/* argv[0] is one of Moab's commands. */
static int run_moab(int argc, char **argv)
{
	int status = MAUI_EXIT_OK, count = 0;
	char **words = maui_moab_translate(argc, argv, &status);

	if (!words)
		return status;
	while (words[count])
		count++;
	status = find_alone(words[0])(count, words);
	free(words);
	return status;
}

static int run(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	maui_cmd_fn alone = find_alone(argc > 0 ? argv[0] : NULL);

	if (alone)
		return alone(argc, argv);
	if (argc > 0 && maui_moab_is_command(last_name(argv[0])))
		return run_moab(argc, argv);
	if (maui_moab_is_command(verb))
		return run_moab(argc - 1, argv + 1);
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 || strcmp(verb, "help") == 0) {
		print_help(stdout);
		return MAUI_EXIT_OK;
	}
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0)
		verb = "version";
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verb, verbs[i]->name) == 0)
			return verbs[i]->run(argc - 1, argv + 1);
	if (*verb != '\0')
		return unknown_verb(verb);
	print_help(stderr);
	return MAUI_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	maui_mask_stream(&stderr, STDERR_FILENO);
	return maui_tool_end("maui", run(argc, argv));
}
