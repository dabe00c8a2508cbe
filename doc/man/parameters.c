/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parameters.c - writes what texts say about the parameters of maui.cfg
 *
 * Reads a text on its standard input and prints it, with what the schema (src/config/schema) says
 * in the place of some lines. So maui.cfg(5) names every parameter that maui.cfg may have, with
 * the default, words and meaning that the parser uses.
 *
 *	@PARAMETERS@	the reference of maui.cfg(5)
 *	@FACTORS@	the weights of each component, for maui.cfg(5)
 *	@WORDS@		all names, for the dictionary of fuzz_config
 *
 * Behind the line .\" @MOAB@ it prints the status of each parameter and attribute that only Moab
 * has, instead of the lines up to .\" @END@: for maui-migration(7), which is kept as it was printed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/schema/schema.h"
#include "model/factor.h"

enum { WIDTH = 78 };

/* A bound that no site reaches says nothing. */
#define HUGE 1e9

/* One word of text, as roff reads it. */
static void print_word(const char *word, int length, bool first)
{
	if (first && (*word == '.' || *word == '\''))
		fputs("\\&", stdout);
	for (int i = 0; i < length; i++)
		fputs(word[i] == '\\' ? "\\e" : (char[]){ word[i], '\0' }, stdout);
}

/* Text in lines that a manual page may have. */
static void print_text(const char *text)
{
	int column = 0;

	while (*text != '\0') {
		int length = (int)strcspn(text, " ");

		if (column > 0) {
			bool wide = column + 1 + length > WIDTH;

			putchar(wide ? '\n' : ' ');
			column = wide ? 0 : column + 1;
		}
		print_word(text, length, column == 0);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	if (column > 0)
		putchar('\n');
}

/* "One of NONE, DEDICATEDPS (also PSDEDICATED)." of "NONE DEDICATEDPS=PSDEDICATED" */
static void print_words(const char *words)
{
	char text[2048] = "One of ";
	size_t at = strlen(text);

	if (*words == '\0')
		return;
	while (*words != '\0' && at < sizeof(text)) {
		size_t length = strcspn(words, " "), name = strcspn(words, " =");

		at += (size_t)snprintf(text + at, sizeof(text) - at, "%.*s", (int)name, words);
		while (name < length && at < sizeof(text)) {
			size_t other = strcspn(words + name + 1, " =");

			at += (size_t)snprintf(text + at, sizeof(text) - at, " (or %.*s)",
					       (int)other, words + name + 1);
			name += 1 + other;
		}
		words += length + (words[length] == ' ');
		at += (size_t)snprintf(text + at, sizeof(text) - at, *words ? ", " : ".");
	}
	print_text(text);
}

static const char *index_text(const struct maui_param *row)
{
	static const char *const texts[] = {
		[MAUI_INDEX_NONE] = "",        [MAUI_INDEX_PARTITION] = "[partition]",
		[MAUI_INDEX_CRED] = "[name]",  [MAUI_INDEX_QOS] = "[qos]",
		[MAUI_INDEX_SR] = "[name]",    [MAUI_INDEX_STACK] = "[n]",
		[MAUI_INDEX_OTHER] = "[name]",
	};

	return texts[row->index];
}

/* "Of USERCFG, GROUPCFG." */
static void print_families(unsigned mask)
{
	const char *separator = "Of ";

	for (unsigned family = 1; family <= MAUI_FAMILY_LAST; family <<= 1) {
		const char *name = maui_schema_family_name(family);

		if (!name || !(mask & family))
			continue;
		printf("%s%s", separator, name);
		separator = ", ";
	}
	printf(".\n");
}

static void print_note(const struct maui_param *row)
{
	static const char *const leads[MAUI_STATUS_COUNT] = {
		[MAUI_HONOURED] = "Note: ",
		[MAUI_NOT_YET] = "Not implemented yet: ",
		[MAUI_DIFFERENT] = "Differs from Maui: ",
		[MAUI_SLURM_CONF] = "In Slurm: ",
		[MAUI_UNSUPPORTED] = "",
	};
	const char *note = row->note + strspn(row->note, "; .");
	char text[2048];

	if (*note == '\0')
		return;
	snprintf(text, sizeof(text), "%s%s%s", leads[row->status], note,
		 note[strlen(note) - 1] == '.' ? "" : ".");
	print_text(text);
}

/* "time in s, default 24:00:00" */
static void print_form(const struct maui_param *row)
{
	printf(" \\fR(%s", maui_type_name(row->type));
	if (*row->unit != '\0')
		printf(", %s", row->unit);
	if (*row->def != '\0')
		printf(", default %s", row->def);
	if (row->max > row->min && row->max < HUGE)
		printf(", %.15g to %.15g", row->min, row->max);
	printf(")\n");
}

static void print_entry(const struct maui_param *row, bool attr)
{
	printf(".TP\n\\fB%s\\fI%s", row->name, attr ? "" : index_text(row));
	print_form(row);
	print_text(row->meaning);
	if (attr && row->family != MAUI_FAMILY_SR && row->family != MAUI_FAMILY_NODE)
		print_families(row->family);
	print_words(row->words);
	print_note(row);
}

static bool has_effect(const struct maui_param *row)
{
	return row->status != MAUI_SLURM_CONF && row->status != MAUI_UNSUPPORTED;
}

static void print_attrs(const char *title, unsigned mask)
{
	printf(".SS %s\n", title);
	for (size_t i = 0; i < maui_schema_attr_count; i++)
		if ((maui_schema_attrs[i].family & mask) && has_effect(&maui_schema_attrs[i]))
			print_entry(&maui_schema_attrs[i], true);
}

/* Names with what Slurm has instead, or why there is nothing. */
static void print_without(enum maui_status status)
{
	for (size_t i = 0; i < maui_schema_param_count; i++) {
		const struct maui_param *row = &maui_schema_params[i];

		if (row->status != status || row->of_moab)
			continue;
		printf(".TP\n.B %s\n", row->name);
		print_note(row);
	}
}

/* Names of older releases, and what to write today. */
static void print_aliases(void)
{
	printf(".SH OLDER SPELLINGS\n");
	for (size_t i = 0; i < maui_schema_alias_count; i++) {
		const struct maui_alias *alias = &maui_schema_aliases[i];

		printf(".TP\n.B %s\n%s", alias->name, alias->param);
		if (alias->attr)
			printf("[%s] %s", alias->index ? alias->index : "\\fIname\\fR",
			       alias->attr);
		printf("\n");
	}
}

static void print_reference(void)
{
	printf(".SH PARAMETERS\n");
	print_text(
		"In alphabetical order. The type of the value and its default stand in brackets. A "
		"parameter with [partition] may be set for a single Slurm partition.");
	for (size_t i = 0; i < maui_schema_param_count; i++)
		if (has_effect(&maui_schema_params[i]))
			print_entry(&maui_schema_params[i], false);
	printf(".SH ATTRIBUTES\n");
	print_attrs("USERCFG, GROUPCFG, ACCOUNTCFG, QOSCFG, CLASSCFG, SYSCFG", MAUI_FAMILY_LIMITS);
	print_attrs("SRCFG", MAUI_FAMILY_SR);
	print_attrs("NODECFG", MAUI_FAMILY_NODE);
	print_attrs("GRESCFG", MAUI_FAMILY_GRES);
	print_attrs("ADMINCFG, FSTREE", MAUI_FAMILY_ADMIN | MAUI_FAMILY_TREE);
	printf(".SH PARAMETERS OF MAUI THAT SLURM HAS ELSEWHERE\n");
	print_text("They are read, named in a note, and have no effect.");
	print_without(MAUI_SLURM_CONF);
	printf(".SH PARAMETERS OF MAUI WITHOUT EFFECT\n");
	print_without(MAUI_UNSUPPORTED);
	print_aliases();
}

/* Rows that no release of Maui has, with their notes. */
static void print_moab_rows(const struct maui_param *rows, size_t count, bool attrs)
{
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].of_moab || has_effect(&rows[i]))
			continue;
		printf(".TP\n.B %s\n", rows[i].name);
		if (attrs)
			print_families(rows[i].family);
		print_note(&rows[i]);
	}
}

static void print_moab(void)
{
	printf(".SH PARAMETERS OF MOAB WITHOUT EFFECT\n");
	print_moab_rows(maui_schema_params, maui_schema_param_count, false);
	printf(".SH ATTRIBUTES OF MOAB WITHOUT EFFECT\n");
	print_moab_rows(maui_schema_attrs, maui_schema_attr_count, true);
}

/* Skips what was printed there before. */
static void skip_moab(char *line, int size)
{
	while (fgets(line, size, stdin))
		if (strcmp(line, ".\\\" @END@\n") == 0) {
			fputs(line, stdout);
			return;
		}
}

/* "RES: NODEWEIGHT, PROCWEIGHT, ...", each component a paragraph. */
static void print_factors(void)
{
	for (int c = 0; c < MAUI_COMP_COUNT; c++) {
		char text[1024];
		size_t at = 0;

		for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
			if ((int)maui_factor_component((enum maui_factor)f) == c)
				at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%sWEIGHT",
						       at ? ", " : "",
						       maui_factor_name((enum maui_factor)f));
		printf(".TP\n.B %s\n", maui_component_name((enum maui_component)c));
		print_text(text);
	}
}

/* Every row of the tables begins with its name. */
static void print_names(const void *rows, size_t count, size_t size, const char *behind)
{
	for (size_t i = 0; i < count; i++)
		printf("\"%s%s\"\n", *(const char *const *)((const char *)rows + i * size), behind);
}

static void print_dictionary(void)
{
	print_names(maui_schema_params, maui_schema_param_count, sizeof(struct maui_param), "");
	print_names(maui_schema_aliases, maui_schema_alias_count, sizeof(struct maui_alias), "");
	print_names(maui_schema_attrs, maui_schema_attr_count, sizeof(struct maui_param), "=");
	print_names(maui_schema_attr_aliases, maui_schema_attr_alias_count,
		    sizeof(struct maui_alias), "=");
}

int main(void)
{
	char line[4096];

	while (fgets(line, sizeof(line), stdin)) {
		if (strcmp(line, "@PARAMETERS@\n") == 0)
			print_reference();
		else if (strcmp(line, "@FACTORS@\n") == 0)
			print_factors();
		else if (strcmp(line, "@WORDS@\n") == 0)
			print_dictionary();
		else
			fputs(line, stdout);
		if (strcmp(line, ".\\\" @MOAB@\n") == 0) {
			print_moab();
			skip_moab(line, sizeof(line));
		}
	}
	return ferror(stdin) || fflush(stdout) == EOF;
}
