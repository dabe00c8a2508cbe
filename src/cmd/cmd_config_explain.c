/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_config_explain.c - maui config explain NAME: a parameter's or an attribute's schema entry */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/need.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "config/schema/schema.h"

const struct maui_command maui_config_explain_usage = {
	.synopsis = "maui config explain NAME [--json]",
	.about = "NAME is a parameter (FSINTERVAL), an older spelling of one (UFSWEIGHT), or an "
		 "attribute of the *CFG family (MAXJOB, USERCFG.FSTARGET). It may be as in a file: "
		 "'USERCFG[john] MAXJOB'. Of a *CFG family (SRCFG) all its attributes are listed, "
		 "too.",
	.operands = 1,
	.missing = "which NAME?",
	.notes = "Exit status: 0 done, 1 no such NAME, 2 usage.",
};

static const char *index_text(const struct maui_param *row)
{
	static const char *const texts[] = {
		[MAUI_INDEX_NONE] = "",
		[MAUI_INDEX_PARTITION] = "[partition]",
		[MAUI_INDEX_CRED] = "[name]",
		[MAUI_INDEX_QOS] = "[qos]",
		[MAUI_INDEX_SR] = "[reservation]",
		[MAUI_INDEX_STACK] = "[n]",
		[MAUI_INDEX_OTHER] = "[x]",
	};

	return texts[row->index];
}

/* "USERCFG, GROUPCFG" of an attribute. */
static const char *family_text(const struct maui_param *row, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (unsigned family = 1; family <= MAUI_FAMILY_LAST && at < size; family <<= 1) {
		const char *name = maui_schema_family_name(family);

		if (name && row->family & family)
			at += (size_t)snprintf(buf + at, size - at, "%s%s[]", at ? ", " : "", name);
	}
	return buf;
}

enum { INDENT = 12, WIDTH = 80 };

/* "  label     text", the text wrapped at blanks. */
static void print_line(const char *label, const char *text)
{
	int column = INDENT;

	if (*text == '\0')
		return;
	printf("  %-9s", label);
	while (*text != '\0') {
		int length = (int)strcspn(text, " ");

		if (column + 1 + length > WIDTH && column > INDENT) {
			printf("\n%*s", INDENT - 1, "");
			column = INDENT;
		}
		printf(" %.*s", length, text);
		column += 1 + length;
		text += length + (text[length] == ' ');
	}
	printf("\n");
}

/* "NONE, DEDICATEDPS (also PSDEDICATED)" of "NONE DEDICATEDPS=PSDEDICATED". */
static void print_words(const char *words)
{
	const char *separator = "  one of    ";

	while (*words != '\0') {
		size_t length = strcspn(words, " "), name = strcspn(words, " =");

		printf("%s%.*s", separator, (int)name, words);
		if (name < length)
			printf(" (also %.*s)", (int)(length - name - 1), words + name + 1);
		separator = ", ";
		words += length + (words[length] == ' ');
	}
	if (*separator == ',')
		printf("\n");
}

/* The meaning with the source's own name: "Manual 7.1.5." is of Maui. The caller frees it. */
static char *make_meaning(const struct maui_param *row)
{
	static const char word[] = "Manual ";
	struct maui_strbuf out = { 0 };
	const char *at = row->meaning, *found;

	for (; (found = strstr(at, word)); at = found + sizeof(word) - 1)
		maui_strbuf_addf(&out, "%.*sMaui's manual, ", (int)(found - at), at);
	maui_strbuf_addf(&out, "%s", at);
	return maui_need(maui_strbuf_steal(&out));
}

static void print_meaning(const char *label, const struct maui_param *row)
{
	char *meaning = make_meaning(row);

	print_line(label, meaning);
	free(meaning);
}

/* What stands behind USERCFG[name]: each attribute that has an effect, or will have. */
static void print_attrs(unsigned family)
{
	for (size_t i = 0; i < maui_schema_attr_count; i++) {
		const struct maui_param *row = &maui_schema_attrs[i];

		if (!(row->family & family) || row->status == MAUI_UNSUPPORTED ||
		    row->status == MAUI_SLURM_CONF)
			continue;
		printf("  attribute  %s%s%s%s\n", row->name, *row->def ? " (default " : "",
		       row->def, *row->def ? ")" : "");
		print_meaning("", row);
	}
}

static void print_entry(const struct maui_param *row, bool attr)
{
	char text[256];

	printf("%s%s\n", row->name, attr ? "" : index_text(row));
	print_meaning("meaning", row);
	print_line("of", attr ? family_text(row, text, sizeof(text)) : "");
	print_line("type", maui_type_name(row->type));
	print_line("unit", row->unit);
	print_line("default", row->def);
	print_words(row->words);
	if (row->min != 0 || row->max != 0)
		printf("  range     %.15g to %.15g\n", row->min, row->max);
	print_line("status", maui_status_name(row->status));
	print_line("note", row->note);
	if (row->type == MAUI_TYPE_ATTRS)
		print_attrs(row->family);
}

#define ENTRY_FIELDS(F, R)                                                    \
	F(R, TEXT, name, "")                                                  \
	F(R, TEXT, index, "`[partition]`; empty: none")                       \
	F(R, TEXT, of, "of an attribute: `USERCFG[], GROUPCFG[]`")            \
	F(R, TEXT, type, "")                                                  \
	F(R, TEXT, unit, "")                                                  \
	F(R, TEXT_AS, def, "", "default")                                     \
	F(R, TEXT, words, "as in the schema: `NONE DEDICATEDPS=PSDEDICATED`") \
	F(R, TEXT, status, "honoured, different, not yet ...")                \
	F(R, TEXT, note, "")                                                  \
	F(R, TEXT, meaning, "")                                               \
	F(R, MAYBE_TEXTS, attributes, "of a *CFG family")
MAUI_RECORD(maui_config_entry, ENTRY_FIELDS);
MAUI_RECORD_TYPE(maui_config_entry, ENTRY_FIELDS);

#define EXPLAINED_FIELDS(F, R) F(R, LIST, entries, "", maui_config_entry)
MAUI_RECORD(maui_config_explained, EXPLAINED_FIELDS);
MAUI_RECORD_TYPE(maui_config_explained, EXPLAINED_FIELDS);

/* Collects entries for --json. */
struct listing {
	struct maui_config_entry *entries;
	size_t count, alloc;
	struct maui_arena arena;
};

/* The names of the family's attributes. */
static void list_attrs(struct listing *list, unsigned family, struct maui_config_entry *ret)
{
	const char **names = maui_need(
		maui_arena_alloc_list(&list->arena, maui_schema_attr_count, sizeof(*names)));

	ret->attributes = names;
	for (size_t i = 0; i < maui_schema_attr_count; i++)
		if (maui_schema_attrs[i].family & family)
			names[ret->attributes_count++] = maui_schema_attrs[i].name;
}

static void add_entry(struct listing *list, const struct maui_param *row, bool attr)
{
	char text[256], *meaning = make_meaning(row);
	struct maui_config_entry *entry;

	family_text(row, text, sizeof(text));
	list->entries =
		maui_need_more(list->entries, list->count, &list->alloc, sizeof(*list->entries));
	entry = &list->entries[list->count++];
	*entry = (struct maui_config_entry){
		.name = row->name,
		.index = attr ? "" : index_text(row),
		.of = attr ? maui_need(maui_arena_strdup(&list->arena, text)) : "",
		.type = maui_type_name(row->type),
		.unit = row->unit,
		.def = row->def,
		.words = row->words,
		.status = maui_status_name(row->status),
		.note = row->note,
		.meaning = maui_need(maui_arena_strdup(&list->arena, meaning)),
	};
	free(meaning);
	if (row->type == MAUI_TYPE_ATTRS)
		list_attrs(list, row->family, entry);
}

/* One entry printed, or collected for --json. */
static void emit(struct listing *list, const struct maui_param *row, bool attr)
{
	if (list)
		add_entry(list, row, attr);
	else
		print_entry(row, attr);
}

/* "USERCFG.FSTARGET": the family's bit, *name moved behind the point; else all families. */
static unsigned cut_family(const char **name)
{
	for (unsigned family = 1; family <= MAUI_FAMILY_LAST; family <<= 1) {
		const char *of = maui_schema_family_name(family);
		size_t length = of ? strlen(of) : 0;

		if (of && strncasecmp(*name, of, length) == 0 && (*name)[length] == '.') {
			*name += length + 1;
			return family;
		}
	}
	return ~0u;
}

static size_t emit_attrs(struct listing *list, unsigned family, const char *name)
{
	const struct maui_alias *alias = maui_schema_find_attr_alias(family, name);
	size_t count = 0;

	if (alias && !list)
		printf("%s: older spelling of %s\n", alias->name, alias->attr);
	if (alias)
		name = alias->attr;
	for (size_t i = 0; i < maui_schema_attr_count; i++) {
		const struct maui_param *row = &maui_schema_attrs[i];

		if (!(row->family & family) || strcasecmp(row->name, name) != 0)
			continue;
		emit(list, row, true);
		count++;
	}
	return count;
}

/* MAXJOBPERUSER is an older parameter and an attribute of its own. */
static bool is_attr_besides(const struct maui_alias *alias, const char *name)
{
	return strcasecmp(alias->attr, name) != 0 && !maui_schema_find_attr_alias(~0u, name);
}

/* Everything of that name: parameter, alias, attributes. Returns how many entries. */
static size_t explain(struct listing *list, const char *name)
{
	const struct maui_param *param = maui_schema_find_param(name);
	const struct maui_alias *alias = param ? NULL : maui_schema_find_alias(name);
	unsigned family = cut_family(&name);

	if (family != ~0u)
		return emit_attrs(list, family, name);
	if (alias && !list)
		printf("%s: older spelling of %s%s%s%s%s\n", alias->name, alias->param,
		       alias->attr ? "[" : "", alias->attr && alias->index ? alias->index : "",
		       alias->attr ? "] " : "", alias->attr ? alias->attr : "");
	if (alias && alias->attr)
		return emit_attrs(list, maui_schema_find_param(alias->param)->family, alias->attr) +
		       (is_attr_besides(alias, name) ? emit_attrs(list, ~0u, name) : 0);
	if (alias)
		param = maui_schema_find_param(alias->param);
	if (param)
		emit(list, param, false);
	return (param ? 1 : 0) + emit_attrs(list, family, name);
}

static int unknown(const char *name)
{
	const char *guess = maui_schema_suggest(0, name);

	for (unsigned family = 1; !guess && family <= MAUI_FAMILY_LAST; family <<= 1)
		guess = maui_schema_suggest(family, name);
	fprintf(stderr, "maui config explain: error: no parameter or attribute '%s'%s%s%s\n", name,
		guess ? " (did you mean " : "", guess ? guess : "", guess ? "?)" : "");
	return MAUI_EXIT_ERROR;
}

/* The name in a piece of a file: USERCFG.MAXJOB of "USERCFG[john] MAXJOB[GROUP]=5". false: too
 * long for one. */
static bool strip(const char *piece, char *name, size_t size)
{
	size_t at = 0;

	while (*piece != '\0' && *piece != '=') {
		size_t gap = strspn(piece, " \t");

		if (*piece == '[') {
			piece += strcspn(piece, "]");
			piece += *piece == ']';
			continue;
		}
		piece += gap;
		if (gap > 0 && (at == 0 || strchr("[=", *piece)))
			continue;
		if (at + 1 >= size)
			return false;
		name[at++] = gap > 0 ? '.' : *piece++;
	}
	name[at] = '\0';
	return true;
}

static void print_json(const struct maui_tool_common *common, const struct listing *listing)
{
	const struct maui_config_explained explained = { .entries = listing->entries,
							 .entries_count = listing->count };

	maui_cmd_print_report_json(common, &maui_config_explained_type, &explained);
}

int maui_cmd_config_explain(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui config explain",
					   .command = &maui_config_explain_usage };
	char name[256];
	struct listing listing = { 0 };
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	if (!strip(*common.operands, name, sizeof(name)) ||
	    explain(common.json ? &listing : NULL, name) == 0)
		rc = unknown(*common.operands);
	else if (common.json)
		print_json(&common, &listing);
	free(listing.entries);
	maui_arena_finish(&listing.arena);
	return rc;
}
