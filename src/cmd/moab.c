/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moab.c - Moab's commands in the words of Maui's commands
 *
 * Rules: CMD-70.
 */

#include "cmd/moab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/need.h"
#include "cmd/cmd.h"

#define TASKS "TASKS=="

/* The words that are left, and those of Maui's command so far. */
struct translation {
	char **rest;
	char **words;
	size_t count;
	char *text;      /* room for a word that is in no argument, behind the words */
	char *resources; /* of setres: behind its options */
};

static void add(struct translation *t, const char *word)
{
	t->words[t->count++] = (char *)word;
}

static void add_rest(struct translation *t)
{
	while (*t->rest)
		add(t, *t->rest++);
}

/* The option for a word such as "user" in front of the jobs, or the default. */
static void add_hold(struct translation *t, const char *usual)
{
	static const struct {
		const char *word, *option;
	} holds[] = { { "user", "-u" },  { "batch", "-b" }, { "system", "-s" },
		      { "defer", "-b" }, { "all", NULL },   { NULL, NULL } };
	const char *option = usual;

	for (size_t i = 0; *t->rest && holds[i].word; i++)
		if (strcasecmp(*t->rest, holds[i].word) == 0) {
			option = holds[i].option;
			t->rest++;
			break;
		}
	if (option)
		add(t, option);
	add_rest(t);
}

static void set_hold(struct translation *t)
{
	add_hold(t, "-b");
}

static void release_hold(struct translation *t)
{
	add_hold(t, NULL);
}

/* "+5" is added to the job's own priority, "5" and "=5" replace it. */
static void set_priority(struct translation *t)
{
	const char *priority = *t->rest;

	if (priority && *priority == '+') {
		add(t, "-r");
		priority += 1 + (priority[1] == '=');
	} else if (priority && *priority == '=') {
		priority++;
	}
	if (priority) {
		add(t, priority);
		t->rest++;
	}
	add_rest(t);
}

/* "user==bob", as in -a of mrsvctl, or "user:bob", as behind -q of mcredctl. NULL: no kind of
 * credential. */
static const char *option_of(const char *text, const char *sign, const char *const *options,
			     const char **ret_name)
{
	static const char *const kinds[] = { "user", "group", "acct", "account", "class", "qos" };
	const char *at = strstr(text, sign);

	for (size_t i = 0; at && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i]) == (size_t)(at - text) &&
		    strncasecmp(text, kinds[i], (size_t)(at - text)) == 0) {
			*ret_name = at + strlen(sign);
			return options[i];
		}
	return NULL;
}

/* mcredctl -q limit user:bob: what is asked is in the answer, whichever the word. */
static void show_credential(struct translation *t)
{
	static const char *const options[] = { "-u", "-g", "-a", "-a", "-c", "-Q" };

	for (bool asked = true; *t->rest; t->rest++) {
		const char *name, *option = option_of(*t->rest, ":", options, &name);

		if (option) {
			add(t, option);
			add(t, name);
		} else if (!asked || **t->rest == '-') {
			add(t, *t->rest);
		}
		asked &= **t->rest == '-';
	}
}

/* One option of mrsvctl -c; false: it is the same in setres. */
static bool add_setres_option(struct translation *t)
{
	static const char *const options[] = { "-u", "-g", "-a", "-a", "-q", "-Q" };
	const char *word = t->rest[0], *value = t->rest[1], *option, *name;

	if (!value)
		return false;
	if (strcmp(word, "-h") == 0 || strcmp(word, "-t") == 0) {
		if (t->resources) /* setres refuses the second word */
			add(t, t->resources);
		t->resources = (char *)value;
		if (word[1] == 't') {
			sprintf(t->text, TASKS "%s", value);
			t->resources = t->text;
		}
	} else if (strcmp(word, "-a") == 0 && (option = option_of(value, "==", options, &name))) {
		add(t, option);
		add(t, name);
	} else if (strcmp(word, "-F") == 0) {
		add(t, "-x");
		add(t, value);
	} else {
		return false;
	}
	t->rest += 2;
	return true;
}

static void make_reservation(struct translation *t)
{
	while (*t->rest)
		if (!add_setres_option(t))
			add(t, *t->rest++);
	if (t->resources)
		add(t, t->resources);
}

static void show_reservation(struct translation *t)
{
	if (*t->rest && strcasecmp(*t->rest, "all") == 0)
		t->rest++;
	add_rest(t);
}

static const struct form {
	const char *command, *option; /* option NULL: none */
	const char *verb, *words;
	void (*translate)(struct translation *t);
} forms[] = {
	{ "mdiag", NULL, "diagnose", "OPTION [NAME]", add_rest },
	{ "mshow", "-a", "showbf", "[OPTION...]", add_rest },
	{ "mjobctl", "-h", "sethold", "[user|system|batch] JOB...", set_hold },
	{ "mjobctl", "-u", "releasehold", "[user|system|batch|all] JOB...", release_hold },
	{ "mjobctl", "-c", "canceljob", "JOB...", add_rest },
	{ "mjobctl", "-p", "setspri", "[+]PRIORITY JOB...", set_priority },
	{ "mjobctl", "-x", "runjob", "JOB", add_rest },
	{ "mrsvctl", "-c", "setres", "[-a user==LIST] [-h HOSTS | -t TASKS] [OPTION...]",
	  make_reservation },
	{ "mrsvctl", "-r", "releaseres", "NAME...", add_rest },
	{ "mrsvctl", "-q", "showres", "[all | NAME]", show_reservation },
	{ "mcredctl", "-q", "diagnose", "[limit|policies|profile] user:NAME", show_credential },
};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

bool maui_moab_is_command(const char *name)
{
	for (size_t i = 0; i < FORMS; i++)
		if (strcmp(forms[i].command, name) == 0)
			return true;
	return false;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_forms(FILE *out, const char *command)
{
	const char *before = "usage:";

	for (size_t i = 0; i < FORMS; i++)
		if (strcmp(forms[i].command, command) == 0) {
			fprintf(out, "%s %s%s%s %s\n       = %s\n", before, command,
				forms[i].option ? " " : "", forms[i].option ? forms[i].option : "",
				forms[i].words, forms[i].verb);
			before = "      ";
		}
}

static int say_usage(const char *command, const char *word)
{
	bool help = word && strcmp(word, "--help") == 0;

	if (!help && word)
		fprintf(stderr, "%s: error: slurm-maui has no %s %s\n", command, command, word);
	print_forms(help ? stdout : stderr, command);
	return help ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}

static size_t longest(char *const *words)
{
	size_t most = 0;

	for (; *words; words++)
		if (strlen(*words) > most)
			most = strlen(*words);
	return most;
}

enum { MORE_WORDS = 8 }; /* than arguments: the verb, an option or two for one of them, the end */

char **maui_moab_translate(int argc, char **argv, int *ret_status)
{
	const char *command = last_name(argv[0]), *word = argc > 1 ? argv[1] : NULL;

	for (size_t i = 0; i < FORMS; i++) {
		const struct form *form = &forms[i];
		struct translation t = { .rest = argv + (form->option ? 2 : 1) };

		if (strcmp(form->command, command) != 0 || !word || strcmp(word, "--help") == 0 ||
		    (form->option && strcmp(form->option, word) != 0))
			continue;
		t.words = maui_need(malloc(((size_t)argc + MORE_WORDS) * sizeof(*t.words) +
					   sizeof(TASKS) + longest(argv)));
		t.text = (char *)(t.words + argc + MORE_WORDS);
		add(&t, form->verb);
		form->translate(&t);
		add(&t, NULL);
		return t.words;
	}
	*ret_status = say_usage(command, word);
	return NULL;
}
