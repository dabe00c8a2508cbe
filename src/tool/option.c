/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option.c - command lines and --help, from the table of a command's options */

#include "tool/option.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/when.h"

enum {
	MOST = 40,       /* options of a command, with those that all have */
	BY_NAME = 0x100, /* getopt_long()'s value of the first --NAME */
	WIDTH = 80,      /* of --help */
	HEAD_MOST = 24,  /* columns of "-o, --output FILE"; help of a longer one begins below it */
};

static int print_help(struct maui_tool_common *common, void *options,
		      const struct maui_option *option, const char *text)
{
	(void)options;
	(void)option;
	(void)text;
	return maui_tool_help(common);
}

static int print_version(struct maui_tool_common *common, void *options,
			 const struct maui_option *option, const char *text)
{
	(void)options;
	(void)option;
	(void)text;
	common->program->print_version();
	common->done = true;
	return MAUI_EXIT_OK;
}

/* Their members are of struct maui_tool_common. */
static const struct maui_option of_tables[] = {
	MAUI_TEXT('o', "format", "COLUMN,...", maui_tool_common, format,
		  "these columns only, in this order"),
	MAUI_FLAG(0, "noheader", maui_tool_common, noheader, "rows only"),
	{ 0 },
};
static const struct maui_option as_json[] = {
	MAUI_FLAG(0, "json", maui_tool_common, json, "one JSON object"),
	{ 0 },
};
static const struct maui_option of_all[] = {
	MAUI_READ('h', "help", NULL, NULL, print_help, NULL),
	MAUI_READ('V', "version", NULL, NULL, print_version, NULL),
	{ 0 },
};

/* ---- wrong usage ---- */

/* How to ask for help stands below the error on stderr, where getopt_long() has put its own. */
static int refuse(const struct maui_tool_common *common, const char *text)
{
	if (common->json && common->program->print_misuse)
		common->program->print_misuse(common, text);
	/* an option of the command that has options of its own, "maui whatif --job", has no help */
	fprintf(stderr, "Try '%.*s --help' for more information.\n",
		strstr(common->tool, " --") ? (int)(strstr(common->tool, " --") - common->tool) :
					      (int)strlen(common->tool),
		common->tool);
	return MAUI_EXIT_USAGE;
}

int maui_tool_misuse(const struct maui_tool_common *common, const char *fmt, ...)
{
	struct maui_err err;
	va_list args;

	va_start(args, fmt);
	vsnprintf(err.text, sizeof(err.text), fmt, args);
	va_end(args);
	fprintf(stderr, "%s: error: %s\n", common->tool, err.text);
	return refuse(common, err.text);
}

/* For an unknown option, or one without its value, which getopt_long() has reported. */
static int refuse_option(const struct maui_tool_common *common, const char *word)
{
	struct maui_err err;

	maui_err_set(&err, "%s is not an option, or its value is missing", word);
	return refuse(common, err.text);
}

/* ---- --help ---- */

static bool is_row(const struct maui_option *option)
{
	return option && (option->letter || option->name);
}

/* Prints a text in words, which begin at the column `at` and from then on at `indent`. */
static void wrap(const char *text, size_t at, size_t indent)
{
	size_t column = at, room = 0;

	while (*text) {
		size_t length = strcspn(text, " \n");

		if (room > 0 && column + 1 + length > WIDTH) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (room > 0) {
			column += (size_t)printf(" ");
		}
		printf("%.*s", (int)length, text);
		column += length;
		room = 1;
		text += length;
		if (*text == '\n') {
			printf("\n%*s", (int)indent, "");
			column = indent;
			room = 0;
		}
		text += *text != '\0';
	}
	printf("\n");
}

/* "-o, --output FILE", behind those of rows that have their help in common with it. */
static void head(const struct maui_option *option, struct maui_strbuf *ret)
{
	const char *comma = ret->length > 0 ? ", " : "";

	if (option->letter)
		maui_strbuf_addf(ret, "%s-%c", comma, option->letter);
	if (option->name)
		maui_strbuf_addf(ret, "%s--%s", option->letter ? ", " : comma, option->name);
	if (option->value && option->help)
		maui_strbuf_addf(ret, " %s", option->value);
}

static size_t widest(const struct maui_option *option, size_t width)
{
	struct maui_strbuf text = { 0 };

	for (; is_row(option); option++) {
		head(option, &text);
		if (!option->help)
			continue;
		if (*option->help && text.length > width && text.length <= HEAD_MOST)
			width = text.length;
		maui_strbuf_finish(&text);
	}
	maui_strbuf_finish(&text);
	return width;
}

static void print_option(const char *text, size_t width, const char *help)
{
	size_t length = text ? strlen(text) : 0;

	printf("  %s", text ? text : "");
	if (length > width)
		printf("\n%*s", (int)width + 4, "");
	else
		printf("%*s", (int)(width - length) + 2, "");
	wrap(help, width + 4, width + 4);
}

static void print_options(const struct maui_option *option, size_t width, const char *json)
{
	struct maui_strbuf text = { 0 };

	for (; is_row(option); option++) {
		head(option, &text);
		if (!option->help)
			continue;
		if (*option->help)
			print_option(text.text, width, json ? json : option->help);
		maui_strbuf_finish(&text);
	}
	maui_strbuf_finish(&text);
}

static void print_synopsis(const char *text)
{
	printf("usage: ");
	for (; *text; text++) {
		putchar(*text);
		if (*text == '\n')
			printf("       ");
	}
	printf("\n\n");
}

int maui_tool_help(struct maui_tool_common *common)
{
	const struct maui_command *command = common->command;
	const struct maui_option *tables = command->table ? of_tables : NULL;
	const struct maui_option *json = command->no_json ? NULL : as_json;
	size_t width = widest(json, widest(tables, widest(command->options, 0)));

	print_synopsis(command->synopsis);
	wrap(command->about, 0, 0);
	printf("\n");
	print_options(command->options, width, NULL);
	print_options(tables, width, NULL);
	print_options(json, width, command->json);
	printf("\n");
	wrap(command->notes, 0, 0);
	printf("-V, --version prints the version.\n");
	common->done = true;
	return MAUI_EXIT_OK;
}

/* ---- values ---- */

int maui_option_count(const char *text, int64_t least, int64_t *ret)
{
	char *end;
	long long count;

	if (!isdigit((unsigned char)*text))
		return -1;
	count = strtoll(text, &end, 10);
	if (*end || count < least || count > MAUI_OPTION_COUNT_MOST)
		return -1;
	*ret = count;
	return 0;
}

int64_t *maui_option_int(void *options, const struct maui_option *option)
{
	return (int64_t *)((char *)options + option->at);
}

const char *maui_option_called(const struct maui_option *option, char *buf, size_t size)
{
	if (option->letter)
		snprintf(buf, size, "-%c", option->letter);
	else
		snprintf(buf, size, "--%s", option->name);
	return buf;
}

static int read_count(struct maui_tool_common *common, const struct maui_option *option,
		      int64_t *ret, const char *text)
{
	char name[MAUI_OPTION_NAME_SIZE];

	if (maui_option_count(text, 1, ret) == 0)
		return MAUI_EXIT_OK;
	return maui_tool_misuse(common, "%s %s: not a whole number from 1 to %d",
				maui_option_called(option, name, sizeof(name)), text,
				MAUI_OPTION_COUNT_MOST);
}

static int read_span(struct maui_tool_common *common, const struct maui_option *option,
		     int64_t *ret, const char *text)
{
	char name[MAUI_OPTION_NAME_SIZE];

	if (maui_duration_parse(text, ret, NULL) == 0 && *ret > 0 && *ret <= MAUI_YEAR_S)
		return MAUI_EXIT_OK;
	return maui_tool_misuse(common, "%s '%s' must be between 1 second and 1 year",
				maui_option_called(option, name, sizeof(name)), text);
}

static int read_part(struct maui_tool_common *common, const struct maui_option *option, double *ret,
		     const char *text)
{
	char name[MAUI_OPTION_NAME_SIZE], *end;
	double part = strtod(text, &end);

	if (end == text || *end != '\0' || !(part > 0 && part <= 1))
		return maui_tool_misuse(common, "%s %s: not above 0 and at most 1",
					maui_option_called(option, name, sizeof(name)), text);
	*ret = part;
	return MAUI_EXIT_OK;
}

/* "one of -r, -i, -b at a time" */
static int refuse_choice(struct maui_tool_common *common, const struct maui_option *chosen)
{
	char list[256] = "", name[MAUI_OPTION_NAME_SIZE];

	for (const struct maui_option *o = common->command->options; is_row(o); o++)
		if (o->kind == MAUI_OPTION_CHOICE && o->at == chosen->at)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 *list ? ", " : "", maui_option_called(o, name, sizeof(name)));
	return maui_tool_misuse(common, "one of %s at a time", list);
}

static int read_option(struct maui_tool_common *common, void *options,
		       const struct maui_option *option, const char *text)
{
	void *member = (char *)options + option->at;

	switch (option->kind) {
	case MAUI_OPTION_FLAG:
		*(bool *)member = true;
		return MAUI_EXIT_OK;
	case MAUI_OPTION_TEXT:
		*(const char **)member = text;
		return MAUI_EXIT_OK;
	case MAUI_OPTION_CHOICE:
		if (*(const char **)member && strcmp(*(const char **)member, option->word) != 0)
			return refuse_choice(common, option);
		*(const char **)member = option->word;
		return MAUI_EXIT_OK;
	case MAUI_OPTION_COUNT:
		return read_count(common, option, member, text);
	case MAUI_OPTION_SPAN:
		return read_span(common, option, member, text);
	case MAUI_OPTION_PART:
		return read_part(common, option, member, text);
	case MAUI_OPTION_READ:
		break;
	}
	return option->read(common, options, option, text);
}

/* ---- the line ---- */

/* The row of each option, and the struct that it fills, as getopt_long() wants them. */
struct line {
	const struct maui_option *rows[MOST];
	void *bases[MOST];
	struct option longs[MOST + 1];
	char letters[2 * MOST + 2];
	size_t count, long_count;
};

static void add_rows(struct line *line, const struct maui_option *option, void *base)
{
	size_t end = strlen(line->letters);

	for (; is_row(option) && line->count < MOST; option++) {
		if (option->letter)
			line->letters[end++] = option->letter;
		if (option->letter && option->value)
			line->letters[end++] = ':';
		if (option->name)
			line->longs[line->long_count++] =
				(struct option){ option->name,
						 option->value ? required_argument : no_argument,
						 NULL, BY_NAME + (int)line->count };
		line->bases[line->count] = base;
		line->rows[line->count++] = option;
	}
}

/* MOST: getopt_long() has found none. */
static size_t find_row(const struct line *line, int found)
{
	if (found >= BY_NAME)
		return (size_t)(found - BY_NAME);
	for (size_t i = 0; i < line->count; i++)
		if (line->rows[i]->letter == found)
			return i;
	return MOST;
}

static bool is_negative(const char *text)
{
	return text && text[0] == '-' && isdigit((unsigned char)text[1]);
}

static int read_options(struct maui_tool_common *common, struct line *line, int argc, char **argv)
{
	int found, rc = MAUI_EXIT_OK;

	while (rc == MAUI_EXIT_OK && !common->done &&
	       !(common->command->numbers && is_negative(argv[optind])) &&
	       (found = getopt_long(argc, argv, line->letters, line->longs, NULL)) != -1) {
		const char letter[] = { '-', (char)optopt, '\0' };
		size_t row = find_row(line, found);

		if (row < MOST)
			rc = read_option(common, line->bases[row], line->rows[row], optarg);
		else
			rc = refuse_option(common, optopt > 0 && optopt <= UCHAR_MAX ?
							   letter :
							   argv[optind - 1]);
	}
	return rc;
}

static int check_operands(const struct maui_tool_common *common)
{
	const struct maui_command *command = common->command;

	if (command->operands >= 0 && common->operand_count > command->operands)
		return maui_tool_misuse(common, "unexpected argument '%s'",
					common->operands[command->operands]);
	if (command->missing && common->operand_count == 0)
		return maui_tool_misuse(common, "%s", command->missing);
	return MAUI_EXIT_OK;
}

int maui_options_read(struct maui_tool_common *common, void *options, int argc, char **argv)
{
	const struct maui_command *command = common->command;
	struct line line = { .letters = "" };
	int rc;

	/* "+": what stands behind a number below 0 is not taken for an option */
	if (command->numbers)
		strcpy(line.letters, "+");
	add_rows(&line, command->options, options);
	add_rows(&line, command->table ? of_tables : NULL, common);
	add_rows(&line, command->no_json ? NULL : as_json, common);
	add_rows(&line, of_all, common);
	optind = 1;
	argv[0] = (char *)common->tool;
	for (int i = 1; !command->no_json && i < argc && strcmp(argv[i], "--") != 0; i++)
		common->json |= strcmp(argv[i], "--json") == 0;
	rc = read_options(common, &line, argc, argv);
	common->operands = argv + optind;
	common->operand_count = argc - optind;
	if (rc == MAUI_EXIT_OK && !common->done)
		rc = check_operands(common);
	common->done |= rc != MAUI_EXIT_OK;
	return rc;
}
