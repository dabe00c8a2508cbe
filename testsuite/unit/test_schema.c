/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_schema.c - the tables of parameters and attributes, and finding names in them
 *
 * Rules: CFG-10, CFG-13.
 */
#include "config/schema/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/config.h"
#include "config/value.h"
#include "published_names.h"
#include "rows.h"

static bool is_honoured(const struct maui_param *row)
{
	return row->status == MAUI_HONOURED || row->status == MAUI_DIFFERENT;
}

static void each_row(void (*look)(const struct maui_param *row, bool attr))
{
	for (size_t i = 0; i < maui_schema_param_count; i++)
		look(&maui_schema_params[i], false);
	for (size_t i = 0; i < maui_schema_attr_count; i++)
		look(&maui_schema_attrs[i], true);
}

/* ---- the tables ---- */

Test(schema, params_sorted_and_unique)
{
	for (size_t i = 1; i < maui_schema_param_count; i++) {
		const char *one = maui_schema_params[i - 1].name;
		const char *next = maui_schema_params[i].name;

		cr_expect(strcasecmp(one, next) < 0, "%s before %s", one, next);
	}
}

Test(schema, attrs_sorted_and_each_family_once)
{
	for (size_t i = 1; i < maui_schema_attr_count; i++) {
		const struct maui_param *one = &maui_schema_attrs[i - 1];

		cr_expect(strcasecmp(one->name, maui_schema_attrs[i].name) <= 0, "%s before %s",
			  one->name, maui_schema_attrs[i].name);
		for (size_t j = i; j < maui_schema_attr_count; j++)
			cr_expect(strcmp(one->name, maui_schema_attrs[j].name) != 0 ||
					  !(one->family & maui_schema_attrs[j].family),
				  "%s: two rows for one family", one->name);
	}
}

static void expect_aliases_sorted(const struct maui_alias *aliases, size_t count)
{
	for (size_t i = 1; i < count; i++)
		cr_expect(strcasecmp(aliases[i - 1].name, aliases[i].name) < 0, "%s before %s",
			  aliases[i - 1].name, aliases[i].name);
}

Test(schema, aliases_lead_somewhere)
{
	expect_aliases_sorted(maui_schema_aliases, maui_schema_alias_count);
	for (size_t i = 0; i < maui_schema_alias_count; i++) {
		const struct maui_alias *alias = &maui_schema_aliases[i];
		const struct maui_param *param = maui_schema_find_param(alias->param);

		cr_expect(!maui_schema_find_param(alias->name), "%s: a parameter as well",
			  alias->name);
		cr_expect(param, "%s: no %s", alias->name, alias->param);
		cr_expect(!alias->attr || maui_schema_find_attr(param->family, alias->attr),
			  "%s: %s has no %s", alias->name, alias->param, alias->attr);
		cr_expect(maui_schema_find_alias(alias->name) == alias, "%s: not found",
			  alias->name);
	}
}

Test(schema, attr_aliases_lead_somewhere)
{
	expect_aliases_sorted(maui_schema_attr_aliases, maui_schema_attr_alias_count);
	for (size_t i = 0; i < maui_schema_attr_alias_count; i++) {
		const struct maui_alias *alias = &maui_schema_attr_aliases[i];
		const struct maui_param *param =
			maui_schema_find_param(alias->param ? alias->param : "SRCFG");

		cr_assert(param && alias->attr, "%s: no family or attribute", alias->name);
		cr_expect(!maui_schema_find_attr(param->family, alias->name),
			  "%s: an attribute as well", alias->name);
		cr_expect(maui_schema_find_attr_alias(param->family, alias->name) == alias,
			  "%s: not found", alias->name);
	}
}

static void expect_whole(const struct maui_param *row, bool attr)
{
	cr_expect(row->name && row->def && row->unit && row->words && row->note && row->meaning &&
			  row->test,
		  "%s: a NULL string", row->name);
	for (const char *c = row->name; *c; c++)
		cr_expect(isupper((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '.',
			  "%s: not upper case", row->name);
	cr_expect(strlen(row->meaning) >= 20 && row->meaning[strlen(row->meaning) - 1] == '.',
		  "%s: no meaning, or no sentence: '%s'", row->name, row->meaning);
	cr_expect(row->type < MAUI_TYPE_COUNT && row->status < MAUI_STATUS_COUNT, "%s: enum",
		  row->name);
	cr_expect((row->type == MAUI_TYPE_ATTRS || attr) == (row->family != 0), "%s: family",
		  row->name);
	cr_expect((row->type == MAUI_TYPE_WORD || row->type == MAUI_TYPE_WORDS ||
		   row->type == MAUI_TYPE_FSPOLICY) == (*row->words != '\0'),
		  "%s: words", row->name);
	cr_expect(row->min <= row->max, "%s: bounds", row->name);
}

Test(schema, rows_are_whole)
{
	each_row(expect_whole);
}

/* The note of "not supported" says why, that of "not yet" what to do meanwhile. */
static void expect_note(const struct maui_param *row, bool attr)
{
	(void)attr;
	if (row->status != MAUI_HONOURED)
		cr_expect(strlen(row->note) >= 5, "%s: %s without a note", row->name,
			  maui_status_name(row->status));
	if (row->status == MAUI_NOT_YET)
		cr_expect(strncmp(row->note, "needs ", strlen("needs ")) == 0,
			  "%s: waits for what?", row->name);
}

Test(schema, notes_fit_the_status)
{
	each_row(expect_note);
}

/* Only what somebody reads, or will, has a place to be stored; what is honoured has one. */
static void expect_place(const struct maui_param *row, bool attr)
{
	enum maui_scope scope = row->scope;
	bool of_cred = scope == MAUI_SCOPE_CRED || scope == MAUI_SCOPE_PERUSER;
	bool of_rsv = scope == MAUI_SCOPE_RSV;
	size_t size = of_cred                      ? sizeof(struct maui_cred_config) :
		      of_rsv                       ? sizeof(struct maui_rsv) :
		      scope == MAUI_SCOPE_PRIORITY ? sizeof(struct maui_priority_config) :
						     sizeof(struct maui_config);

	if (scope == MAUI_SCOPE_SETTINGS)
		cr_expect(is_honoured(row) && row->offset == 0, "%s: nobody will read it",
			  row->name);
	else if (row->type == MAUI_TYPE_ATTRS)
		cr_expect(scope == MAUI_SCOPE_RAW, "%s: its attributes have places", row->name);
	else if (is_honoured(row))
		cr_expect(scope != MAUI_SCOPE_RAW, "%s: honoured and no place", row->name);
	else
		cr_expect(scope == MAUI_SCOPE_RAW || row->status == MAUI_NOT_YET,
			  "%s: a place, and nobody will read it", row->name);
	cr_expect(attr ? of_cred || of_rsv || scope <= MAUI_SCOPE_SETTINGS : !of_cred && !of_rsv,
		  "%s: scope", row->name);
	cr_expect(of_rsv ? row->family == MAUI_FAMILY_SR : true, "%s: no reservation", row->name);
	cr_expect(row->offset < size, "%s: offset", row->name);
	cr_expect(scope != MAUI_SCOPE_PRIORITY || row->index == MAUI_INDEX_PARTITION,
		  "%s: not by partition", row->name);
}

Test(schema, honoured_rows_have_a_place)
{
	each_row(expect_place);
}

Test(schema, no_two_rows_share_a_place)
{
	for (size_t i = 0; i < maui_schema_param_count; i++)
		for (size_t j = i + 1; j < maui_schema_param_count; j++) {
			const struct maui_param *a = &maui_schema_params[i];
			const struct maui_param *b = &maui_schema_params[j];

			cr_expect(a->scope <= MAUI_SCOPE_SETTINGS || a->scope != b->scope ||
					  a->offset != b->offset,
				  "%s and %s", a->name, b->name);
		}
}

/* The row of a factor's weight is that factor's: the table's arguments could be mixed up. */
Test(schema, weights_are_where_their_name_says)
{
	char name[64];

	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		const struct maui_param *weight, *cap;

		snprintf(name, sizeof(name), "%sWEIGHT", maui_factor_name((enum maui_factor)f));
		weight = maui_schema_find_param(name);
		cr_assert(weight, "no %s", name);
		cr_expect(weight->offset == offsetof(struct maui_priority_config, weight) +
						    (size_t)f * sizeof(double),
			  "%s", name);
		snprintf(name, sizeof(name), "%sCAP", maui_factor_name((enum maui_factor)f));
		cap = maui_schema_find_param(name);
		cr_assert(cap, "no %s", name);
		cr_expect(cap->offset == offsetof(struct maui_priority_config, cap) +
						 (size_t)f * sizeof(double),
			  "%s", name);
	}
}

static void expect_default_parses(const struct maui_param *row, bool attr)
{
	struct maui_err err;

	(void)attr;
	if (*row->def == '\0')
		return;
	cr_expect(maui_value_parse(row, row->def, NULL, &err) == MAUI_VALUE_OK,
		  "%s: default '%s': %s", row->name, row->def, err.text);
}

Test(schema, defaults_parse)
{
	each_row(expect_default_parses);
}

/* ---- tests named in the table ---- */

static char *read_golden(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[4096], *text;
	FILE *file;
	long size = 0;

	snprintf(path, sizeof(path), "%s/testsuite/golden/%s", top ? top : ".", name);
	file = fopen(path, "r");
	cr_assert(file, "%s: cannot be read; run me by make check", path);
	cr_assert(fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0, "%s", path);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	cr_assert(text && fread(text, 1, (size_t)size, file) == (size_t)size, "%s", path);
	fclose(file);
	return text;
}

static char *shared_cases, *own_cases, *plan_cases, *rsv_cases, *throttle_cases;

static void expect_test(const struct maui_param *row, bool attr)
{
	char id[128];

	(void)attr;
	snprintf(id, sizeof(id), "\"id\": \"%s\"", row->test);
	if (!is_honoured(row))
		cr_expect(*row->test == '\0', "%s: not honoured, but tested?", row->name);
	else
		cr_expect(strstr(own_cases, id) || strstr(shared_cases, id) ||
				  strstr(plan_cases, id) || strstr(rsv_cases, id) ||
				  strstr(throttle_cases, id),
			  "%s: no golden case '%s'; add one to a testsuite/golden/make-own*.py",
			  row->name, row->test);
}

Test(schema, honoured_rows_name_a_golden_case)
{
	shared_cases = read_golden("golden-shared.json");
	own_cases = read_golden("own.json");
	plan_cases = read_golden("own-plan.json");
	rsv_cases = read_golden("own-rsv.json");
	throttle_cases = read_golden("own-throttle.json");
	each_row(expect_test);
	free(shared_cases);
	free(own_cases);
	free(plan_cases);
	free(rsv_cases);
	free(throttle_cases);
}

/* ---- finding ---- */

Test(schema, every_published_name_is_known)
{
	static char names[sizeof(published_names)];
	unsigned count = 0;
	char *rest = NULL;

	memcpy(names, published_names, sizeof(names));
	for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
		cr_expect(maui_schema_find_param(name) || maui_schema_find_alias(name),
			  "%s: unknown", name);
		count++;
	}
	cr_expect(count == PUBLISHED_COUNT, "%u names", count);
}

Test(schema, every_row_is_found)
{
	for (size_t i = 0; i < maui_schema_param_count; i++)
		cr_expect(maui_schema_find_param(maui_schema_params[i].name) ==
				  &maui_schema_params[i],
			  "%s", maui_schema_params[i].name);
	for (size_t i = 0; i < maui_schema_attr_count; i++) {
		const struct maui_param *row = &maui_schema_attrs[i];

		for (unsigned family = 1; family <= MAUI_FAMILY_LAST; family <<= 1)
			cr_expect(!(row->family & family) ||
					  maui_schema_find_attr(family, row->name) == row,
				  "%s of family %u", row->name, family);
	}
}

struct lookup {
	const char *name;
	unsigned family;      /* 0: a parameter */
	const char *expected; /* NULL: unknown */
};

static const struct lookup lookups[] = {
	{ "FSINTERVAL", 0, "FSINTERVAL" },
	{ "fsinterval", 0, "FSINTERVAL" },
	{ "FsInterval", 0, "FSINTERVAL" },
	{ "FSINTERVA", 0, NULL },
	{ "FSINTERVALS", 0, NULL },
	{ "", 0, NULL },
	{ "AAA", 0, NULL },
	{ "ZZZ", 0, NULL },
	{ "PRIORITY", 0, NULL },
	{ "UFSWEIGHT", 0, NULL }, /* an alias only */
	{ "PRIORITY", MAUI_FAMILY_USER, "PRIORITY" },
	{ "priority", MAUI_FAMILY_NODE, "PRIORITY" },
	{ "PRIORITY", MAUI_FAMILY_SYS, NULL },
	{ "QTWEIGHT", MAUI_FAMILY_QOS, "QTWEIGHT" },
	{ "QTTARGET", MAUI_FAMILY_USER, NULL },
	{ "CLASSWEIGHT", MAUI_FAMILY_GROUP, "CLASSWEIGHT" },
	{ "CLASSWEIGHT", MAUI_FAMILY_CLASS, NULL },
	{ "QDEF", MAUI_FAMILY_SYS, "QDEF" },
	{ "QDEF", MAUI_FAMILY_QOS, NULL },
	{ "MAX.WCLIMIT", MAUI_FAMILY_CLASS, "MAX.WCLIMIT" },
	{ "OMAXJNODE", MAUI_FAMILY_QOS, "OMAXJNODE" },
	{ "OMAXJNODE", MAUI_FAMILY_ACCOUNT, NULL },
	{ "HOSTLIST", MAUI_FAMILY_SR, "HOSTLIST" },
	{ "FSINTERVAL", MAUI_FAMILY_USER, NULL },
};

TEST_ROWS(schema, find, lookups, row)
{
	const struct maui_param *got = row->family ? maui_schema_find_attr(row->family, row->name) :
						     maui_schema_find_param(row->name);

	cr_expect(row->expected ? got && strcmp(got->name, row->expected) == 0 : !got,
		  "'%s': got %s", row->name, got ? got->name : "nothing");
}

struct spelling {
	const char *name;
	unsigned family;                  /* 0: a parameter's */
	const char *param, *attr, *index; /* param NULL, family 0: none */
};

static const struct spelling spellings[] = {
	{ "UFSWEIGHT", 0, "FSUSERWEIGHT", NULL, NULL },
	{ "afsweight", 0, "FSACCOUNTWEIGHT", NULL, NULL },
	{ "ACCTCFG", 0, "ACCOUNTCFG", NULL, NULL },
	{ "SYSTEMCFG", 0, "SYSCFG", NULL, NULL },
	{ "TARGWEIGHT", 0, "TARGETWEIGHT", NULL, NULL },
	{ "SERVICEWCAP", 0, "SERVICECAP", NULL, NULL },
	{ "SCHEDULINGCRITERIA", 0, "BACKFILLMETRIC", NULL, NULL },
	{ "QOSPRIORITY", 0, "QOSCFG", "PRIORITY", NULL },
	{ "QOSTARGETQT", 0, "QOSCFG", "QTTARGET", NULL },
	{ "SRHOSTLIST", 0, "SRCFG", "HOSTLIST", NULL },
	{ "SRMAXTIME", 0, "SRCFG", "TIMELIMIT", NULL },
	{ "MAXJOBPERUSERCOUNT", 0, "USERCFG", "MAXJOB", "DEFAULT" },
	{ "MAXWCPERUSER", 0, "USERCFG", "MAXWC", "DEFAULT" },
	{ "FSUSERWEIGHT", 0, NULL, NULL, NULL },
	{ "", 0, NULL, NULL, NULL },
	{ "QFLAGS", MAUI_FAMILY_QOS, "QOSCFG", "FLAGS", NULL },
	{ "qosflags", MAUI_FAMILY_QOS, "QOSCFG", "FLAGS", NULL },
	{ "QFLAGS", MAUI_FAMILY_SR, NULL, NULL, NULL },
	{ "FLAG", MAUI_FAMILY_SR, NULL, "FLAGS", NULL },
	{ "FLAG", MAUI_FAMILY_QOS, NULL, "FLAGS", NULL },
	{ "FLAG", MAUI_FAMILY_CLASS, NULL, "FLAGS", NULL },
	{ "FLAG", MAUI_FAMILY_GRES, NULL, NULL, NULL },
	{ "MAXTIME", MAUI_FAMILY_SR, "SRCFG", "TIMELIMIT", NULL },
	{ "MAXTIME", MAUI_FAMILY_CLASS, NULL, NULL, NULL },
};

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

TEST_ROWS(schema, find_alias, spellings, row)
{
	const struct maui_alias *got = row->family ?
					       maui_schema_find_attr_alias(row->family, row->name) :
					       maui_schema_find_alias(row->name);

	if (!row->param && !row->attr)
		cr_expect(!got, "'%s': found", row->name);
	else
		cr_expect(got && same(got->param, row->param) && same(got->attr, row->attr) &&
				  same(got->index, row->index),
			  "'%s': %s", row->name, got ? "leads elsewhere" : "not found");
}

static const struct lookup suggestions[] = {
	{ "FSINTERVALL", 0, "FSINTERVAL" },
	{ "FSINTREVAL", 0, "FSINTERVAL" },
	{ "fsintervall", 0, "FSINTERVAL" },
	{ "BACKFILPOLICY", 0, "BACKFILLPOLICY" },
	{ "QUEUETIMEWIEGHT", 0, "QUEUETIMEWEIGHT" },
	{ "UFSWIEGHT", 0, "UFSWEIGHT" }, /* aliases included */
	{ "USERCFGS", 0, "USERCFG" },
	{ "FSDEPHT", 0, "FSDEPTH" },
	{ "XFWEIGHT", 0, "XFACTORWEIGHT" }, /* not FSWEIGHT, which is nearer */
	{ "xfcap", 0, "XFACTORCAP" },
	{ "QTWEIGHT", 0, "QUEUETIMEWEIGHT" },
	{ "QTCAP", 0, "QUEUETIMECAP" },
	{ "COMPLETELYELSE", 0, NULL },
	{ "XY", 0, NULL },
	{ "", 0, NULL },
	{ "ACCCOUNTLIST", MAUI_FAMILY_SR, "ACCOUNTLIST" },
	{ "FSTARGT", MAUI_FAMILY_USER, "FSTARGET" },
	{ "MAXJOBS", MAUI_FAMILY_USER, "MAXJOB" },
	{ "CPUWEIGHT", 0, "PROCWEIGHT" },          /* not PEWEIGHT */
	{ "MAXCPU", MAUI_FAMILY_USER, "MAXPROC" }, /* not MAXGPU */
	{ "MAXCORE", MAUI_FAMILY_CLASS, "MAXPROC" },
	{ "MAXCPU", MAUI_FAMILY_SR, NULL },
	{ "QTWIEGHT", MAUI_FAMILY_QOS, "QTWEIGHT" },
	{ "QTWIEGHT", MAUI_FAMILY_GROUP, NULL }, /* no attribute of that family */
	{ "MAXTIM", MAUI_FAMILY_SR, "MAXTIME" },
};

TEST_ROWS(schema, suggest, suggestions, row)
{
	const char *got = maui_schema_suggest(row->family, row->name);

	cr_expect(same(got, row->expected), "'%s': suggests %s", row->name, got ? got : "nothing");
}

Test(schema, suggest_has_no_time_for_long_words)
{
	static char longest[1 << 20];

	memset(longest, 'F', sizeof(longest) - 1);
	cr_expect(maui_schema_suggest(0, longest) == NULL, "a megabyte is no misspelt name");
}

/* ---- words ---- */

struct word {
	const char *param, *text;
	int expected;
};

static const struct word words[] = {
	{ "FSPOLICY", "NONE", MAUI_FS_NONE },
	{ "FSPOLICY", "DEDICATEDPS", MAUI_FS_DEDICATEDPS },
	{ "FSPOLICY", "PSDEDICATED", MAUI_FS_DEDICATEDPS },
	{ "FSPOLICY", "psdedicated", MAUI_FS_DEDICATEDPS },
	{ "FSPOLICY", "DEDICATEDPES", MAUI_FS_DEDICATEDPES },
	{ "FSPOLICY", "UTILIZEDPS", MAUI_FS_UTILIZEDPS },
	{ "FSPOLICY", "PSUTILIZED", MAUI_FS_UTILIZEDPS },
	{ "FSPOLICY", "DEDICATED", -1 },
	{ "FSPOLICY", "DEDICATEDPS=PSDEDICATED", -1 },
	{ "FSPOLICY", "NONE DEDICATEDPS", -1 },
	{ "FSPOLICY", " ", -1 },
	{ "FSPOLICY", "", -1 },
	{ "JOBPRIOACCRUALPOLICY", "ALWAYS", MAUI_ACCRUAL_ALWAYS },
	{ "JOBPRIOACCRUALPOLICY", "QUEUEPOLICY", MAUI_ACCRUAL_QUEUEPOLICY },
	{ "JOBPRIOACCRUALPOLICY", "FullPolicy", MAUI_ACCRUAL_FULLPOLICY },
	{ "NODEALLOCATIONPOLICY", "FAST", 7 },
	{ "NODEALLOCATIONPOLICY", "FASTEST", 7 },
	{ "NODEALLOCATIONPOLICY", "LOCAL", 8 },
	{ "BACKFILLPOLICY", "off", 4 },
	{ "LOGLEVEL", "NONE", -1 }, /* a parameter without words */
};

TEST_ROWS(schema, word, words, row)
{
	int got =
		maui_schema_word(maui_schema_find_param(row->param), row->text, strlen(row->text));

	cr_expect(got == row->expected, "%s '%s': got %d", row->param, row->text, got);
}

Test(schema, word_ends_at_its_length)
{
	const struct maui_param *row = maui_schema_find_param("FSPOLICY");

	cr_expect(maui_schema_word(row, "DEDICATEDPS%", 11) == MAUI_FS_DEDICATEDPS, "with '%%'");
	cr_expect(maui_schema_word(row, "DEDICATEDPES", 11) == -1, "cut short");
}

Test(schema, names_of_types_and_statuses)
{
	for (int t = 0; t < MAUI_TYPE_COUNT; t++)
		cr_expect(strlen(maui_type_name((enum maui_type)t)) > 2, "type %d", t);
	for (int s = 0; s < MAUI_STATUS_COUNT; s++)
		cr_expect(strlen(maui_status_name((enum maui_status)s)) > 2, "status %d", s);
	cr_expect(strcmp(maui_type_name(MAUI_TYPE_COUNT), "?") == 0, "beyond the types");
	cr_expect(strcmp(maui_status_name(MAUI_STATUS_COUNT), "?") == 0, "beyond the statuses");
}
