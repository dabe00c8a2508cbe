/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reference.c - prints what is made from tables of the code: all verbs of the query socket
 * (doc/query.md), a request for each (testsuite/fuzz/corpus/query/verbs), and a saved plan
 * (doc/snapshot.md)
 *
 * `make references` writes the files; testsuite/house/references compares.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "state/saved_plan/saved_plan.h"
#include "verbs/verb.h"

enum { MOST_TYPES = 256, WIDTH = 118, INDENT = 2 };

/* Records that members name, in their order, each to be described once. */
static const struct maui_record_type *types[MOST_TYPES];
static size_t type_count;

static void add_type(const struct maui_record_type *type)
{
	for (size_t i = 0; i < type_count; i++)
		if (types[i] == type)
			return;
	if (type_count < MOST_TYPES)
		types[type_count++] = type;
}

/* What the name of a record is called: "queue active" of maui_queue_active. */
static const char *name_of(const struct maui_record_type *type)
{
	static char name[128];
	size_t i;
	const char *own = type->name + strlen("maui_");

	if (strncmp(own, "saved_", strlen("saved_")) == 0)
		own += strlen("saved_");
	snprintf(name, sizeof(name), "%s", own);
	for (i = 0; name[i]; i++)
		if (name[i] == '_')
			name[i] = ' ';
	return name;
}

/* Words with line breaks between them, behind `column` columns. */
static void print_words(const char *text, size_t column)
{
	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > INDENT && column + 1 + length > WIDTH) {
			printf("\n  ");
			column = INDENT;
		} else if (column > INDENT) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, text);
		column += length;
		text += length;
		text += *text == ' ';
	}
	putchar('\n');
}

static void print_paragraph(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > 0 && column + 1 + length > WIDTH) {
			putchar('\n');
			column = 0;
		} else if (column > 0) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, text);
		column += length;
		text += length;
		text += *text == ' ';
	}
	putchar('\n');
}

static const char *form_of(const struct maui_field *f)
{
	static const char *const forms[] = {
		[MAUI_KIND_INT] = "whole number",
		[MAUI_KIND_TIME] = "time",
		[MAUI_KIND_SMALL] = "whole number",
		[MAUI_KIND_COUNT] = "whole number",
		[MAUI_KIND_ID] = "whole number",
		[MAUI_KIND_REAL] = "number",
		[MAUI_KIND_EXACT] = "number",
		[MAUI_KIND_MILLIONTHS] = "number",
		[MAUI_KIND_ROUNDED] = "number",
		[MAUI_KIND_HUNDREDTHS] = "number",
		[MAUI_KIND_BOOL] = "true or false",
		[MAUI_KIND_TRUE] = "true or absent",
		[MAUI_KIND_TEXT] = "text",
		[MAUI_KIND_WORD] = "word",
		[MAUI_KIND_TEXTS] = "texts",
		[MAUI_KIND_INTS] = "whole numbers",
		[MAUI_KIND_INDICES] = "whole numbers",
		[MAUI_KIND_REALS] = "numbers",
		[MAUI_KIND_FULL_REALS] = "numbers",
		[MAUI_KIND_MAP] = "object of numbers",
		[MAUI_KIND_LABELS] = "object of texts",
		[MAUI_KIND_COUNTS] = "object of whole numbers",
		[MAUI_KIND_RAW] = "JSON",
		[MAUI_KIND_AMOUNTS] = "vector",
		[MAUI_KIND_VECTORS] = "vectors",
		[MAUI_KIND_VALUES] = "whole numbers",
		[MAUI_KIND_EXACT_MAP] = "object of numbers",
	};
	size_t kind = (size_t)f->kind;

	return kind < sizeof(forms) / sizeof(forms[0]) && forms[kind] ? forms[kind] : "value";
}

/* `of`: what the part of which it is a member stands for; NULL: of no part. */
static void print_field(const struct maui_field *f, const char *of)
{
	char text[2048], usual[48];
	int used = 0;

	if (f->kind == MAUI_KIND_PART) {
		for (size_t i = 0; i < f->of->count; i++)
			print_field(&f->of->fields[i], f->what);
		return;
	}
	used = printf("* `%s`", f->key);
	usual[0] = '\0';
	if (f->kind != MAUI_KIND_WORD && f->usual > 0 && f->usual < UINT32_MAX)
		snprintf(usual, sizeof(usual), ", usual: %lld", (long long)f->usual);
	if (f->kind == MAUI_KIND_COLUMNS) {
		snprintf(text, sizeof(text), "(texts): names of the values of such rows");
	} else if (f->of && f->kind != MAUI_KIND_VALUES) {
		add_type(f->of);
		snprintf(text, sizeof(text), "(%s%s)%s%s",
			 f->kind == MAUI_KIND_ROWS                               ? "rows: " :
			 f->kind == MAUI_KIND_KEYED                              ? "object: " :
			 f->kind == MAUI_KIND_ONE || f->kind == MAUI_KIND_WITHIN ? "" :
										   "list: ",
			 name_of(f->of), f->what && *f->what ? ": " : "", f->what ? f->what : "");
	} else {
		snprintf(text, sizeof(text), "(%s%s)%s%s", form_of(f), usual,
			 f->what && *f->what ? ": " : "", f->what ? f->what : "");
	}
	if (of && *of)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " (%s)", of);
	print_words(text, (size_t)used);
}

static void print_fields(const struct maui_record_type *type)
{
	for (size_t i = 0; i < type->count; i++)
		print_field(&type->fields[i], NULL);
}

static const char *const users[] = {
	[MAUI_WHO_ALL] = "every user, as far as PrivateData of slurm.conf allows",
	[MAUI_WHO_NODES] = "every user; under PrivateData=nodes for administrators and Slurm's "
			   "operators",
	[MAUI_WHO_WHOLE] = "every user; under PrivateData=nodes or partitions for administrators "
			   "and Slurm's operators",
	[MAUI_WHO_OWNER] = "every user, about what belongs to this user; for administrators, about "
			   "everything",
	[MAUI_WHO_STAFF] = "ADMIN1 to ADMIN3 of maui.cfg and Slurm's operators",
	[MAUI_WHO_ADMIN] = "root, SlurmUser and ADMIN1 of maui.cfg",
};

static void print_verb(const struct maui_verb *verb)
{
	char text[512];

	printf("\n## %s\n\n", verb->name);
	snprintf(text, sizeof(text), "%s: %s. For %s.", verb->is_change ? "Change" : "Question",
		 verb->what, users[verb->who]);
	print_paragraph(text);
	if (verb->args) {
		printf("\nArguments:\n\n");
		print_fields(verb->args);
	}
	printf("\nAnswer:\n\n");
	print_fields(verb->answer);
}

static void print_records(void)
{
	for (size_t i = 0; i < type_count; i++) { /* grows */
		printf("\n## %s\n\n", name_of(types[i]));
		print_fields(types[i]);
	}
}

static void print_head(const char *title)
{
	printf("<!-- SPDX-License-Identifier: GPL-2.0-or-later -->\n# %s\n\n", title);
}

static void print_snapshot(void)
{
	print_head("A saved plan: `maui.snapshot.v1`");
	print_paragraph(
		"One JSON object with everything that one plan is made from. `maui snapshot` writes "
		"it, `maui-sim --plan` and `maui whatif` go on from it. The plan of a saved plan "
		"equals the plan that it was saved from. This page is made from the tables of "
		"src/state/saved_plan (`make references`). Times are seconds of the epoch or lengths "
		"in seconds; a null time is no end. A member that is absent has its usual value: 0, "
		"false, none. A vector has a whole number for each of `amounts`. Later releases may "
		"add members.");
	putchar('\n');
	for (size_t i = 0; maui_saved_plan_types[i]; i++)
		print_fields(maui_saved_plan_types[i]);
	printf("* `reservations` (list): those of setres, as in the state file\n");
	print_records();
}

static void print_query(void)
{
	print_head("The verbs of the query socket");
	print_paragraph(
		"This page is made from the descriptions in src/verbs (`make references`). "
		"src/query/README.md has the form of requests and answers. Times are seconds of the "
		"epoch, durations seconds; a null time is none. New releases add members and remove "
		"none.");
	for (size_t i = 0; i < MAUI_VERB_COUNT; i++)
		print_verb(maui_verbs[i]);
	printf("\n# The records\n");
	print_records();
}

/* ---- requests for the fuzz test ---- */

static void print_requests(void)
{
	for (size_t i = 0; i < MAUI_VERB_COUNT; i++)
		printf("{\"version\":1,\"verb\":\"%s\",\"args\":{}}\n", maui_verbs[i]->name);
}

int main(int argc, char **argv)
{
	const char *page = argc == 2 ? argv[1] : "";

	if (strcmp(page, "query") == 0) {
		print_query();
	} else if (strcmp(page, "snapshot") == 0) {
		print_snapshot();
	} else if (strcmp(page, "requests") == 0) {
		print_requests();
	} else {
		fprintf(stderr, "usage: reference query|snapshot|requests\n");
		return 2;
	}
	return 0;
}
