/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_values.c - typed values of the configuration
 *
 * Rules: PRIO-2, FS-1, CFG-5, CFG-6.
 */
#include "config/config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "config/value.h"
#include "parsed.h"
#include "rows.h"

/* ---- defaults ---- */

Test(values, defaults)
{
	struct maui_config *config = PARSE_GOOD("");
	const struct maui_priority_config *p = &config->priority;

	for (int c = 0; c < MAUI_COMP_COUNT; c++) {
		cr_expect(p->component_weight[c] == 1, "%d", c);
		cr_expect(p->component_cap[c] <= 0, "%d", c);
	}
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		cr_expect(p->weight[f] == (f == MAUI_FACTOR_QUEUETIME), "%d", f);
		cr_expect(p->cap[f] <= 0, "%d", f);
	}
	cr_expect(p->xfminwclimit_s <= 0);
	cr_expect(!p->enable_negative && !p->reject_negative);
	cr_expect(config->fs_policy.metric == MAUI_FS_NONE && !config->fs_policy.ratio);
	cr_expect(config->fs_interval_s == 86400);
	cr_expect(config->fs_depth == 7);
	cr_expect(config->fs_decay == 1);
	cr_expect(config->accrual == MAUI_ACCRUAL_QUEUEPOLICY);
	cr_expect(config->poll_interval_s == 30);
	cr_expect(config->default_walltime_s == 864000);
	cr_expect(config->partition_count == 0 && config->setting_count == 0);
	maui_config_unref(config);
}

/* ---- one parameter at a time ---- */

struct single {
	const char *text;
	int64_t (*get)(const struct maui_config *config);
	int64_t expected;
	bool warns;
};

static int64_t interval(const struct maui_config *c)
{
	return c->fs_interval_s;
}

static int64_t poll(const struct maui_config *c)
{
	return c->poll_interval_s;
}

static int64_t accrual(const struct maui_config *c)
{
	return c->accrual;
}

/* metric, plus 10 in ratio mode */
static int64_t policy(const struct maui_config *c)
{
	return (int64_t)c->fs_policy.metric + 10 * c->fs_policy.ratio;
}

static int64_t xfmin(const struct maui_config *c)
{
	return c->priority.xfminwclimit_s;
}

static int64_t negative(const struct maui_config *c)
{
	return c->priority.enable_negative;
}

static int64_t proc_weight_thousandths(const struct maui_config *c)
{
	return llround(c->priority.weight[MAUI_FACTOR_PROC] * 1000);
}

static int64_t qttarget(const struct maui_config *c)
{
	return maui_config_cred(c, MAUI_CRED_QOS, "hi")->qttarget_s;
}

static int64_t priority(const struct maui_config *c)
{
	return maui_config_cred(c, MAUI_CRED_USER, "amy")->priority;
}

static const struct single singles[] = {
	/* CFG-5: times are right aligned, a plain number is seconds */
	{ "FSINTERVAL 3600", interval, 3600, false },
	{ "FSINTERVAL 10:30", interval, 630, true }, /* Maui itself: hours */
	{ "FSINTERVAL 12:00:00", interval, 43200, false },
	{ "FSINTERVAL 1:00:00:00", interval, 86400, false },
	{ "FSINTERVAL 90:00", interval, 5400, true },
	{ "FSINTERVAL infinity", interval, MAUI_TIME_INFINITY, false },
	{ "RMPOLLINTERVAL 1:30", poll, 90, true },
	{ "XFMINWCLIMIT -1", xfmin, -1, false },
	{ "XFMINWCLIMIT 0:02:00", xfmin, 120, false },
	{ "QOSCFG[hi] QTTARGET=1:00:00\nTARGETQUEUETIMEWEIGHT 1", qttarget, 3600, false },
	{ "QOSCFG[hi] QTTARGET=2:00\nTARGETQUEUETIMEWEIGHT 1", qttarget, 120, true },
	/* words */
	{ "FSPOLICY NONE", policy, MAUI_FS_NONE, false },
	{ "FSPOLICY DEDICATEDPS", policy, MAUI_FS_DEDICATEDPS, false },
	{ "FSPOLICY dedicatedpes", policy, MAUI_FS_DEDICATEDPES, false },
	{ "FSPOLICY PSDEDICATED", policy, MAUI_FS_DEDICATEDPS, false },
	{ "FSPOLICY DEDICATEDPS%", policy, 10 + MAUI_FS_DEDICATEDPS, false },
	{ "FSPOLICY UTILIZEDPS", policy, MAUI_FS_UTILIZEDPS, true },
	{ "FSPOLICY TRUE", policy, MAUI_FS_DEDICATEDPS, false },
	{ "FSPOLICY off", policy, MAUI_FS_NONE, false },
	{ "JOBPRIOACCRUALPOLICY ALWAYS", accrual, MAUI_ACCRUAL_ALWAYS, false },
	{ "JOBPRIOACCRUALPOLICY FullPolicy", accrual, MAUI_ACCRUAL_FULLPOLICY, false },
	{ "USESYSTEMQUEUETIME ON", accrual, MAUI_ACCRUAL_ALWAYS, false },
	{ "USESYSTEMQUEUETIME OFF", accrual, MAUI_ACCRUAL_QUEUEPOLICY, false },
	{ "USESYSTEMQUEUETIME ON\nJOBPRIOACCRUALPOLICY QUEUEPOLICY", accrual,
	  MAUI_ACCRUAL_QUEUEPOLICY, false },
	/* booleans; another word keeps the default */
	{ "ENABLENEGJOBPRIORITY 1", negative, 1, false },
	{ "ENABLENEGJOBPRIORITY True", negative, 1, false },
	{ "ENABLENEGJOBPRIORITY on", negative, 1, false },
	{ "ENABLENEGJOBPRIORITY YES", negative, 1, false },
	{ "ENABLENEGJOBPRIORITY TRUE\nENABLENEGJOBPRIORITY 0", negative, 0, false },
	{ "ENABLENEGJOBPRIORITY TRUE\nENABLENEGJOBPRIORITY No", negative, 0, false },
	{ "ENABLENEGJOBPRIORITY perhaps", negative, 0, true },
	/* numbers */
	{ "PROCWEIGHT -1", proc_weight_thousandths, -1000, false },
	{ "PROCWEIGHT +2", proc_weight_thousandths, 2000, false },
	{ "PROCWEIGHT .5", proc_weight_thousandths, 500, false },
	{ "PROCWEIGHT 3.", proc_weight_thousandths, 3000, false },
	{ "PROCWEIGHT 2.25", proc_weight_thousandths, 2250, false },
	{ "PROCWEIGHT 50%", proc_weight_thousandths, 0, true },
	{ "PROCWEIGHT 5\nPROCWEIGHT 6", proc_weight_thousandths, 6000, false },
	{ "USERCFG[amy] PRIORITY=-1000\nUSERWEIGHT 1", priority, -1000, false },
	{ "USERCFG[amy] PRIORITY=+5\nUSERWEIGHT 1", priority, 5, false },
	/* credentials' names are case sensitive */
	{ "USERCFG[AMY] PRIORITY=5\nUSERWEIGHT 1", priority, 0, false },
};

static bool has_warning(const struct parsed *p)
{
	return p->diags.seen[MAUI_WARNING] > 0;
}

TEST_ROWS(values, single, singles, row)
{
	struct parsed p = parse(row->text);
	int64_t got;

	cr_assert(p.config != NULL, "%s: not accepted: %s", row->text, p.said);
	got = row->get(p.config);
	cr_expect(got == row->expected, "%s: expected %lld, got %lld", row->text,
		  (long long)row->expected, (long long)got);
	cr_expect(has_warning(&p) == row->warns, "%s: said %s", row->text, p.said);
	parsed_finish(&p);
}

/* ---- values that are refused: the default stays, the file is not accepted ---- */

struct refused {
	const char *text;
};

static const struct refused refused[] = {
	{ "FSINTERVAL 0" },
	{ "FSINTERVAL -1" },
	{ "FSINTERVAL 1:2:3:4:5" },
	{ "FSINTERVAL 1h" },
	{ "FSINTERVAL 12:" },
	{ "FSDEPTH 0" },
	{ "FSDEPTH 1025" },
	{ "FSDEPTH 4.5" },
	{ "FSDEPTH 0x4" },
	{ "FSDEPTH 99999999999999999999" },
	{ "FSDECAY -0.1" },
	{ "FSDECAY 1.01" },
	{ "FSDECAY 1e-3" },
	{ "FSDECAY 0,5" },
	{ "FSDECAY nan" },
	{ "PROCWEIGHT inf" },
	{ "PROCWEIGHT 0x10" },
	{ "PROCWEIGHT 1.2.3" },
	{ "PROCWEIGHT --1" },
	{ "PROCWEIGHT -" },
	{ "PROCWEIGHT ." },
	{ "PROCWEIGHT five" },
	{ "RMPOLLINTERVAL 0" },
	{ "RMPOLLINTERVAL abc,20" },
	{ "RMPOLLINTERVAL 20,abc" },
	{ "RMPOLLINTERVAL 20," },
	{ "RMPOLLINTERVAL 0,0" },
	{ "RMPOLLINTERVAL INFINITY" },
	{ "USERCFG[a] PRIORITY=high" },
	{ "USERCFG[a] PRIORITY=1.5" },
	{ "USERCFG[a] FSTARGET=-5" },
	{ "USERCFG[a] FSTARGET=%" },
	{ "USERCFG[a] FSTARGET=1e3" },
	{ "QOSCFG[a] QTTARGET=soon" },
	{ "GROUPCFG[a] CLASSWEIGHT=x" },
	/* endless digits: not cut to a valid number */
	{ "USERCFG[a] FSTARGET=1111111111111111111111111111111111111111111111111111111111111111%" },
};

TEST_ROWS(values, refused, refused, row)
{
	struct parsed p = parse(row->text);

	cr_expect(p.config == NULL, "%s: accepted", row->text);
	cr_expect(p.diags.seen[MAUI_ERROR] == 1, "%s: said %s", row->text, p.said);
	parsed_finish(&p);
}

/* Words of a parameter that has not this word: the default stays, as in Maui (CFG-16). */
static const struct refused unknown_words[] = {
	{ "FSPOLICY %" },
	{ "FSPOLICY DEDICATED" },
	{ "JOBPRIOACCRUALPOLICY SOMETIMES" },
};

/* Behind a line that sets it the former value stays. */
TEST_ROWS(values, unknown_words_of_a_later_line, unknown_words, row)
{
	char text[256];
	struct parsed p;

	snprintf(text, sizeof(text), "FSPOLICY DEDICATEDPS\nJOBPRIOACCRUALPOLICY ALWAYS\n%s\n",
		 row->text);
	p = parse(text);
	cr_assert(p.config, "%s: not accepted", text);
	cr_expect(p.diags.count == 1 && p.diags.seen[MAUI_WARNING] == 1, "%s: said %s", text,
		  p.said);
	cr_expect(p.config->fs_policy.metric == MAUI_FS_DEDICATEDPS &&
			  p.config->accrual == MAUI_ACCRUAL_ALWAYS,
		  "%s: not the former value", text);
	parsed_finish(&p);
}

TEST_ROWS(values, unknown_words, unknown_words, row)
{
	struct parsed p = parse(row->text);

	cr_assert(p.config, "%s: not accepted", row->text);
	cr_expect(p.diags.seen[MAUI_WARNING] == 1, "%s: said %s", row->text, p.said);
	cr_expect(p.config->fs_policy.metric == MAUI_FS_NONE &&
			  p.config->accrual == MAUI_ACCRUAL_QUEUEPOLICY,
		  "%s: not the default", row->text);
	parsed_finish(&p);
}

/* A very long number must not crash, and is not read as infinite. */
Test(values, endless_number)
{
	char text[2048] = "PROCWEIGHT ";
	struct parsed p;

	memset(text + strlen(text), '9', 1500);
	p = parse(text);
	cr_expect(p.config == NULL, "accepted");
	parsed_finish(&p);
}

/* ---- fairshare targets ---- */

struct target {
	const char *text;
	enum maui_fs_target_kind kind;
	double value;
};

static const struct target targets[] = {
	{ "25", MAUI_FS_TARGET, 25 },
	{ "25.0", MAUI_FS_TARGET, 25 },
	{ "12.5+", MAUI_FS_TARGET_FLOOR, 12.5 },
	{ "12.5-", MAUI_FS_TARGET_CEILING, 12.5 },
	{ "1000000^", MAUI_FS_CAP_ABSOLUTE, 1e6 },
	{ "30%", MAUI_FS_CAP_RELATIVE, 30 },
	{ "30%+", MAUI_FS_CAP_RELATIVE, 30 }, /* FS-7: parsing stops behind the suffix */
	{ "0", MAUI_FS_TARGET_NONE, 0 },
	{ "0.0+", MAUI_FS_TARGET_NONE, 0 },
};

TEST_ROWS(values, target, targets, row)
{
	char text[128];
	struct maui_config *config;
	struct maui_fs_target got;

	snprintf(text, sizeof(text), "CLASSCFG[a] FSTARGET=%s", row->text);
	config = PARSE_GOOD(text);
	got = maui_config_cred(config, MAUI_CRED_CLASS, "a")->fstarget;
	cr_expect(got.kind == row->kind && got.value == row->value, "%s: got kind %d, %g",
		  row->text, (int)got.kind, got.value);
	maui_config_unref(config);
}

/* ---- QLIST ---- */

struct qlist {
	const char *text;
	enum maui_qlist_mode mode;
	const char *names;
};

static const struct qlist qlists[] = {
	{ "a", MAUI_QLIST_OR, "<a>" },         { "a,b|c:d", MAUI_QLIST_OR, "<a><b><c><d>" },
	{ ",a,,b,", MAUI_QLIST_OR, "<a><b>" }, { "a,b&", MAUI_QLIST_AND, "<a><b>" },
	{ "a:b^", MAUI_QLIST_ONLY, "<a><b>" },
};

TEST_ROWS(values, qlist, qlists, row)
{
	char text[128], got[128] = "";
	struct maui_config *config;
	const struct maui_cred_config *cred;

	snprintf(text, sizeof(text), "ACCOUNTCFG[x] QLIST=%s", row->text);
	config = PARSE_GOOD(text);
	cred = maui_config_cred(config, MAUI_CRED_ACCOUNT, "x");
	for (size_t i = 0; i < cred->qlist.count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "<%s>", cred->qlist.list[i]);
	cr_expect(strcmp(got, row->names) == 0 && cred->qlist_mode == row->mode,
		  "%s: got %s, mode %d", row->text, got, (int)cred->qlist_mode);
	maui_config_unref(config);
}

/* ---- maui_number_parse() by itself ---- */

Test(values, number_rounds_right)
{
	static const char *const texts[] = { "0.1",
					     "31.791907514",
					     "1e",
					     "123456789012345",
					     "0.000123",
					     "99999999.9999999",
					     "1.7976931348623157" };
	double got;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (maui_number_parse(texts[i], &got) == 0) {
			double exact = strtod(texts[i], NULL);

			cr_expect(fabs(got - exact) <= fabs(exact) * 3e-16, "%s: got %.17g",
				  texts[i], got);
		}
	cr_expect(maui_number_parse("1e", &got) == -1);
	cr_expect(maui_number_parse("", &got) == -1);
}
