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
	char *text;            /* room for words that are in no argument, behind the words */
	const char *resources; /* of setres: behind its options */
	const char *wrong;     /* an argument that no word of Maui's has; NULL: one is missing */
	const char *takes;     /* what stands there instead; NULL: nothing is wrong */
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

static const char *const kinds[] = { "user", "group", "acct", "account", "class", "qos" };
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Which kind of credential "user==bob" (mrsvctl) or "user:bob" (mcredctl) names; KINDS: none. */
static size_t kind_of(const char *text, size_t length, const char *sign, const char **ret_name)
{
	for (size_t i = 0; i < KINDS; i++) {
		size_t size = strlen(kinds[i]), all = size + strlen(sign);

		if (length > all && strncasecmp(text, kinds[i], size) == 0 &&
		    strncmp(text + size, sign, strlen(sign)) == 0) {
			*ret_name = text + all;
			return i;
		}
	}
	return KINDS;
}

/* What Moab's -q may ask of a credential; diagnose answers these all at once. */
static bool is_question(const char *word)
{
	static const char *const words[] = { "limit", "policies", "profile" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(words[i], word) == 0)
			return true;
	return false;
}

/* mcredctl -q limit user:bob */
static void show_credential(struct translation *t)
{
	static const char takes[] = "-q: takes limit, policies or profile, then user:NAME or "
				    "another KIND:NAME";
	static const char *const options[KINDS] = { "-u", "-g", "-a", "-a", "-c", "-Q" };
	bool named = false;

	for (bool asked = true; *t->rest; t->rest++) {
		const char *name;
		size_t kind = kind_of(*t->rest, strlen(*t->rest), ":", &name);

		if (kind < KINDS) {
			add(t, options[kind]);
			add(t, name);
			named = true;
		} else if (**t->rest == '-') {
			named |= strcmp(*t->rest, "--help") == 0;
			add(t, *t->rest);
		} else if (!asked || !is_question(*t->rest)) {
			t->wrong = *t->rest;
			t->takes = takes;
		}
		asked &= **t->rest == '-';
	}
	if (!named)
		t->takes = takes;
}

/* The parts of user==ann,user==bob,class==batch that belong to this option of setres, as it wants
 * them: ann:bob. NULL: none. */
static const char *members_of(struct translation *t, const char *list, size_t kind)
{
	char *begin = t->text;

	for (const char *part = list; *part; part += strcspn(part, ","), part += *part == ',') {
		size_t length = strcspn(part, ",");
		const char *name;

		if (kind_of(part, length, "==", &name) != kind)
			continue;
		t->text += sprintf(t->text, "%s%.*s", t->text == begin ? "" : ":",
				   (int)(part + length - name), name);
	}
	if (t->text == begin)
		return NULL;
	t->text++; /* behind the end of the text */
	return begin;
}

/* false: a part of it has no kind of credential that setres knows. */
static bool add_access(struct translation *t, const char *list)
{
	static const char *const options[KINDS] = { "-u", "-g", "-a", "-a", "-q", "-Q" };

	for (const char *part = list; *part; part += strcspn(part, ","), part += *part == ',') {
		const char *name;

		if (kind_of(part, strcspn(part, ","), "==", &name) == KINDS)
			return false;
	}
	for (size_t kind = 0; kind < KINDS; kind++) {
		const char *members = members_of(t, list, kind);

		if (members) {
			add(t, options[kind]);
			add(t, members);
		}
	}
	return true;
}

/* One option of mrsvctl -c; false: it is the same in setres. */
static bool add_setres_option(struct translation *t)
{
	const char *word = t->rest[0], *value = t->rest[1];

	if (!value)
		return false;
	if (strcmp(word, "-h") == 0 || strcmp(word, "-t") == 0) {
		if (t->resources) /* setres refuses the second word */
			add(t, t->resources);
		t->resources = value;
		if (word[1] == 't' && strcasecmp(value, "ALL") == 0) {
			t->resources = "ALL"; /* Moab: all nodes, as setres has it */
		} else if (word[1] == 't') {
			t->resources = t->text;
			t->text += sprintf(t->text, TASKS "%s", value) + 1;
		}
	} else if (strcmp(word, "-F") == 0) {
		add(t, "-x");
		add(t, value);
	} else if (strcmp(word, "-a") == 0) {
		if (!add_access(t, value)) {
			t->wrong = value;
			t->takes = "-a: takes KIND==NAME[,KIND==NAME], a KIND of user, group, "
				   "account, class and qos";
		}
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

/* One part of mshow -a -w class=batch,duration=3600; false: showbf has no option for it. */
static bool add_constraint(struct translation *t, const char *part, size_t length)
{
	static const struct {
		const char *key, *option;
	} keys[] = { { "user=", "-u" },     { "group=", "--group" }, { "acct=", "-a" },
		     { "account=", "-a" },  { "class=", "-c" },      { "qos=", "-q" },
		     { "duration=", "-d" }, { "minnodes=", "-n" },   { "nodefeature=", "-f" } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t size = strlen(keys[i].key);

		if (length <= size || strncasecmp(part, keys[i].key, size) != 0)
			continue;
		add(t, keys[i].option);
		add(t, t->text);
		t->text += sprintf(t->text, "%.*s", (int)(length - size), part + size) + 1;
		return true;
	}
	return false;
}

static void show_free(struct translation *t)
{
	while (*t->rest) {
		const char *list = t->rest[1];

		if (strcmp(*t->rest, "-w") != 0 || !list) {
			add(t, *t->rest++);
			continue;
		}
		for (; *list && !t->wrong; list += strcspn(list, ","), list += *list == ',')
			if (!add_constraint(t, list, strcspn(list, ",")))
				t->wrong = t->rest[1];
		if (t->wrong)
			t->takes = "-w: takes KEY=VALUE[,KEY=VALUE], a KEY of user, group, acct, "
				   "class, qos, duration, minnodes and nodefeature";
		t->rest += 2;
	}
}

static void show_reservation(struct translation *t)
{
	if (*t->rest && strcasecmp(*t->rest, "all") == 0)
		t->rest++;
	add_rest(t);
}

/* mjobctl -q diag 17 */
static void show_job(struct translation *t)
{
	add(t, "-v");
	add_rest(t);
}

static const struct form {
	const char *command, *option; /* option, perhaps with a word behind it; NULL: none */
	const char *verb, *words;
	void (*translate)(struct translation *t);
} forms[] = {
	{ "mdiag", NULL, "diagnose", "OPTION [NAME]", add_rest },
	{ "mshow", "-a", "showbf", "[-w KEY=VALUE,...] [OPTION...]", show_free },
	{ "mjobctl", "-h", "sethold", "[user|system|batch] JOB...", set_hold },
	{ "mjobctl", "-u", "releasehold", "[user|system|batch|all] JOB...", release_hold },
	{ "mjobctl", "-c", "canceljob", "JOB...", add_rest },
	{ "mjobctl", "-p", "setspri", "[+]PRIORITY JOB...", set_priority },
	{ "mjobctl", "-x", "runjob", "JOB", add_rest },
	{ "mjobctl", "-q starttime", "showstart", "JOB", add_rest },
	{ "mjobctl", "-q diag", "checkjob", "JOB", show_job },
	{ "mrsvctl", "-c", "setres", "[-a user==LIST] [-h HOSTS | -t TASKS] [OPTION...]",
	  make_reservation },
	{ "mrsvctl", "-r", "releaseres", "NAME...", add_rest },
	{ "mrsvctl", "-q", "showres", "[all | NAME]", show_reservation },
	{ "mcredctl", "-q", "diagnose", "[limit|policies|profile] user:NAME", show_credential },
};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* Forms of Moab's that slurm-maui leaves to other commands. */
static const struct {
	const char *command, *option, *instead;
} elsewhere[] = {
	{ "mjobctl", "-s", "scontrol suspend JOB" },
	{ "mjobctl", "-r", "scontrol resume JOB" },
	{ "mjobctl", "-R", "scontrol requeue JOB" },
	{ "mjobctl", "-m", "scontrol update jobid=JOB KEY=VALUE" },
	{ "mjobctl", "-N", "scancel --signal=SIGNAL JOB" },
	{ "mjobctl", "-F", "scancel JOB" },
	{ "mrsvctl", "-m", "setres -n NAME" },
	{ "mrsvctl", "-l", "mrsvctl -q" },
	{ "mcredctl", "-m", "changeparam 'USERCFG[NAME]' KEY=VALUE until maui.cfg is read again" },
	{ "mcredctl", "-l", "diagnose -u, -g, -a, -c or -Q" },
};

/* How many of the words behind the command are this option; 0: they are another one. */
static int count_option(const char *option, char *const *words)
{
	size_t length = strcspn(option, " ");

	if (strlen(words[0]) != length || strncmp(option, words[0], length) != 0)
		return 0;
	if (option[length] == '\0')
		return 1;
	return words[1] && strcasecmp(words[1], option + length + 1) == 0 ? 2 : 0;
}

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

static int print_usage(const char *command, const char *word)
{
	bool help = word && strcmp(word, "--help") == 0;
	const char *instead = NULL;

	for (size_t i = 0; !help && word && i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(elsewhere[i].command, command) == 0 &&
		    strcmp(elsewhere[i].option, word) == 0)
			instead = elsewhere[i].instead;
	if (!help && word)
		fprintf(stderr, "%s: error: slurm-maui has no %s %s%s%s\n", command, command, word,
			instead ? ": " : "", instead ? instead : "");
	if (instead)
		return MAUI_EXIT_USAGE;
	print_forms(help ? stdout : stderr, command);
	return help ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}

/* Of an argument come at most an option and a list for each kind of credential, or an option and a
 * value for each of its parts. */
enum { WORDS_OF_ONE = 2 * KINDS };

static size_t word_count(char *const *words)
{
	size_t count = WORDS_OF_ONE;

	for (; *words; words++) {
		count += WORDS_OF_ONE;
		for (const char *comma = *words; (comma = strchr(comma, ',')); comma++)
			count += 2;
	}
	return count;
}

/* Room for the texts of each argument, with what stands between them. */
static size_t text_size(char *const *words)
{
	size_t size = 0;

	for (; *words; words++)
		size += 2 * strlen(*words) + sizeof(TASKS) + KINDS;
	return size;
}

char **maui_moab_translate(int argc, char **argv, int *ret_status)
{
	const char *command = last_name(argv[0]), *word = argc > 1 ? argv[1] : NULL;
	size_t most;

	for (size_t i = 0; i < FORMS; i++) {
		const struct form *form = &forms[i];
		struct translation t = { .rest = argv + 1 };
		int count;

		if (strcmp(form->command, command) != 0 || !word || strcmp(word, "--help") == 0)
			continue;
		count = form->option ? count_option(form->option, t.rest) : 0;
		if (form->option && count == 0)
			continue;
		t.rest += count;
		most = word_count(argv);
		t.words = maui_need(malloc(most * sizeof(*t.words) + text_size(argv)));
		t.text = (char *)(t.words + most);
		add(&t, form->verb);
		form->translate(&t);
		add(&t, NULL);
		if (!t.takes)
			return t.words;
		if (t.wrong)
			fprintf(stderr, "%s: error: '%s': %s\n", command, t.wrong, t.takes);
		else
			fprintf(stderr, "%s: error: %s\n", command, t.takes);
		free(t.words);
		*ret_status = MAUI_EXIT_USAGE;
		return NULL;
	}
	*ret_status = print_usage(command, word);
	return NULL;
}
