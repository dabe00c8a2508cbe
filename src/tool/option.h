/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option.h - a command's options in one table: how they are read, and what --help says of them
 *
 * Every command has --help, --version and --json as well, and one that prints tables --format and
 * --noheader.
 */
#ifndef MAUI_TOOL_OPTION_H
#define MAUI_TOOL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

enum { /* EXIT STATUS of every command */
       MAUI_EXIT_OK = 0,
       MAUI_EXIT_ERROR = 1,
       MAUI_EXIT_USAGE = 2,
       /* what a server answers is an exit status as well: enum maui_query_code */
};

struct maui_tool_common;
struct maui_command;
struct maui_option;

/* What the commands of one program have in common. */
struct maui_program {
	void (*print_version)(void);
	/* wrong usage as JSON, with --json; NULL: on stderr alone */
	void (*print_misuse)(const struct maui_tool_common *common, const char *text);
};

/* --help, --version, wrong usage: the rest of the command is not run. */
struct maui_tool_common {
	const char *tool; /* "showres" */
	const struct maui_program *program;
	const struct maui_command *command;
	char **operands; /* what stands behind the options; NULL behind the last */
	int operand_count;
	bool json;
	bool noheader;      /* rows only: no titles, no line before or behind them */
	const char *format; /* columns that are shown; NULL: all of the command's */
	bool done;          /* maui_options_read() has said all */
};

/* Reads a value (NULL: the option has none) into the command's options. Returns an exit status;
 * prints errors. */
typedef int (*maui_option_fn)(struct maui_tool_common *common, void *options,
			      const struct maui_option *option, const char *text);

enum maui_option_kind {
	MAUI_OPTION_FLAG,   /* bool */
	MAUI_OPTION_TEXT,   /* const char *, borrowed of argv */
	MAUI_OPTION_CHOICE, /* const char *: the word; of those with one member one may be given */
	MAUI_OPTION_COUNT,  /* int64_t: above 0 */
	MAUI_OPTION_SPAN,   /* int64_t: seconds of [[DD:]HH:]MM:SS, up to a year */
	MAUI_OPTION_PART,   /* double: above 0, at most 1 */
	MAUI_OPTION_READ,   /* by a function */
};

struct maui_option {
	char letter;       /* 0: none */
	const char *name;  /* --NAME; NULL: none */
	const char *value; /* what --help calls the value; NULL: none */
	enum maui_option_kind kind;
	size_t at;        /* of the member in the command's options */
	const char *word; /* of CHOICE; of READ what the function makes of it */
	maui_option_fn read;
	/* NULL: that of the next one holds for this one, too; "": --help does not list it */
	const char *help;
};

/* Rows of the table. `tag`: the struct of the command's options. */
/* clang-format off */
#define MAUI_FLAG(letter, name, tag, member, help) \
	{ letter, name, NULL, MAUI_OPTION_FLAG, MAUI_OFFSET(tag, member, BOOL), NULL, NULL, help }
#define MAUI_CHOICE(letter, name, tag, member, word, help) \
	{ letter, name, NULL, MAUI_OPTION_CHOICE, MAUI_OFFSET(tag, member, TEXT), word, NULL, help }
#define MAUI_TEXT(letter, name, value, tag, member, help) \
	{ letter, name, value, MAUI_OPTION_TEXT, MAUI_OFFSET(tag, member, TEXT), NULL, NULL, help }
#define MAUI_COUNT(letter, name, value, tag, member, help) \
	{ letter, name, value, MAUI_OPTION_COUNT, MAUI_OFFSET(tag, member, INT), NULL, NULL, help }
#define MAUI_SPAN(letter, name, value, tag, member, help) \
	{ letter, name, value, MAUI_OPTION_SPAN, MAUI_OFFSET(tag, member, INT), NULL, NULL, help }
#define MAUI_PART(letter, name, value, tag, member, help) \
	{ letter, name, value, MAUI_OPTION_PART, MAUI_OFFSET(tag, member, REAL), NULL, NULL, help }
#define MAUI_READ(letter, name, value, word, fn, help) \
	{ letter, name, value, MAUI_OPTION_READ, 0, word, fn, help }
#define MAUI_READ_INT(letter, name, value, tag, member, fn, help) \
	{ letter, name, value, MAUI_OPTION_READ, MAUI_OFFSET(tag, member, INT), NULL, fn, help }
/* clang-format on */

enum { MAUI_OPERANDS_ANY = -1 };

struct maui_command {
	const char *synopsis;              /* each form a line */
	const char *about;                 /* \n ends a paragraph */
	const struct maui_option *options; /* { 0 } behind the last; NULL: none of its own */
	bool table;                        /* it prints tables */
	bool numbers;                      /* operands may be numbers below 0 */
	int operands;                      /* how many there may be */
	const char *missing;               /* the error message without it; NULL: not needed */
	bool no_json;                      /* there is no --json */
	const char *json;                  /* what --json is for; NULL: one JSON object */
	const char *notes;                 /* behind the options, as `about` */
};

/* The usual notes about the exit status. */
#define MAUI_EXITS "Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached"

/* Reads the command line; `common` has tool, program and command, `options` is the struct of the
 * table. Afterwards common->operands are what is left. Returns an exit status; common->done:
 * nothing is left to do. Complaints begin with the command's name; --json holds wherever it stands,
 * also behind what is wrong. */
int maui_options_read(struct maui_tool_common *common, void *options, int argc, char **argv);

/* "showres: error: ..." on stderr, then how to ask for help, and with --json the error as JSON.
 * Returns MAUI_EXIT_USAGE. */
int maui_tool_misuse(const struct maui_tool_common *common, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints --help; nothing is left to do. */
int maui_tool_help(struct maui_tool_common *common);

/* The member of READ_INT. */
int64_t *maui_option_int(void *options, const struct maui_option *option);

/* "-t" or "--for". Returns buf. */
enum { MAUI_OPTION_NAME_SIZE = 64 };
const char *maui_option_called(const struct maui_option *option, char *buf, size_t size);

/* A count from `least` to MAUI_OPTION_COUNT_MOST; otherwise -1, and *ret is not set. */
enum { MAUI_OPTION_COUNT_MOST = 1000000000 };
int maui_option_count(const char *text, int64_t least, int64_t *ret);

#endif
