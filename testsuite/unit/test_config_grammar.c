/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_grammar.c - settings from lines, and the diagnostics of syntax
 *
 * Rules: CFG-1, CFG-3.
 */
#include "config/config.h"

#include <stdio.h>

#include "parsed.h"
#include "rows.h"

/* Every setting as NAME[index].ATTR[sub]=value, in angle brackets; (...) where a later one won. */
static void list_settings(const struct maui_config *config, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < config->setting_count && at + 256 < size; i++) {
		const struct maui_setting *s = &config->settings[i];

		at += (size_t)snprintf(buf + at, size - at, s->replaced ? "(%s" : "<%s",
				       s->param->name);
		if (s->index)
			at += (size_t)snprintf(buf + at, size - at, "[%s]", s->index);
		if (s->attr)
			at += (size_t)snprintf(buf + at, size - at, ".%s", s->attr->name);
		if (s->sub)
			at += (size_t)snprintf(buf + at, size - at, "[%s]", s->sub);
		at += (size_t)snprintf(buf + at, size - at, s->replaced ? "=%s)" : "=%s>",
				       s->value);
	}
}

struct form {
	const char *name, *text, *settings;
	const char *said; /* all of it; NULL: nothing */
};

#define AGAIN(position, what, line) \
	"maui.cfg:" position ": note: " what " has no effect: line " line " sets it again\n"

static const struct form forms[] = {
	{ "nothing", "", "", NULL },
	/* separators */
	{ "blank", "FSDEPTH 4", "<FSDEPTH=4>", NULL },
	{ "tabs", "\tFSDEPTH\t\t4\t", "<FSDEPTH=4>", NULL },
	{ "equals", "FSDEPTH=4", "<FSDEPTH=4>", NULL },
	{ "equals with blanks", "FSDEPTH = 4", "<FSDEPTH=4>", NULL },
	{ "equals and blank", "FSDEPTH= 4\nFSDECAY =1", "<FSDEPTH=4><FSDECAY=1>", NULL },
	{ "quotes", "FSDEPTH \"4\"", "<FSDEPTH=4>", NULL },
	{ "index", "FSCAP[batch] 4\nFSCAP[debug]=5\nFSCAP[big] = 6",
	  "<FSCAP[batch]=4><FSCAP[debug]=5><FSCAP[big]=6>", NULL },
	{ "index, no blank", "FSCAP[batch]4", "<FSCAP[batch]=4>", NULL },
	{ "all partitions", "FSCAP[0] 4\nFSCAP[ALL] 5", "<FSCAP[0]=4><FSCAP[ALL]=5>", NULL },
	/* names */
	{ "case of a name", "fsDepth 4\nusercfg[Amy] priority=5",
	  "<FSDEPTH=4><USERCFG[Amy].PRIORITY=5>", "" /* weights: see test_check.c */ },
	{ "synonyms", "ACCTCFG[a] PRIORITY=0\nSYSTEMCFG QDEF=std\nUFSWEIGHT 1",
	  "<ACCOUNTCFG[a].PRIORITY=0><SYSCFG.QDEF=std><FSUSERWEIGHT=1>", "" },
	{ "spellings that sites use", "SERVWEIGHT 2\nRESOURCEWEIGHT 3\nMAXJOBPERUSER 4",
	  "<SERVICEWEIGHT=2><RESWEIGHT=3><USERCFG[DEFAULT].MAXJOB=4>", "" },
	{ "further spellings that sites use", "MAXPROCPERUSER 5\nMAXNODEPERUSER 6",
	  "<USERCFG[DEFAULT].MAXPROC=5><USERCFG[DEFAULT].MAXNODE=6>", "" },
	{ "old parameters", "QOSPRIORITY[hi] 0\nQOSTARGETQT[hi] 0", /* become attributes */
	  "<QOSCFG[hi].PRIORITY=0><QOSCFG[hi].QTTARGET=0>", "" },
	/* attributes */
	{ "several", "QOSCFG[hi] QTWEIGHT=1\tXFWEIGHT=2  PRIORITY=0",
	  "<QOSCFG[hi].QTWEIGHT=1><QOSCFG[hi].XFWEIGHT=2><QOSCFG[hi].PRIORITY=0>", NULL },
	{ "blanks around =", "QOSCFG[hi] QTWEIGHT = 1 XFWEIGHT= 2 PRIORITY =0",
	  "<QOSCFG[hi].QTWEIGHT=1><QOSCFG[hi].XFWEIGHT=2><QOSCFG[hi].PRIORITY=0>", NULL },
	{ "attributes behind =", "QOSCFG[hi] = QTWEIGHT=1", "<QOSCFG[hi].QTWEIGHT=1>", NULL },
	{ "an object without attributes", "USERCFG[amy]", "", NULL },
	{ "continued", "QOSCFG[hi] QTWEIGHT=1 \\\n  XFWEIGHT=2",
	  "<QOSCFG[hi].QTWEIGHT=1><QOSCFG[hi].XFWEIGHT=2>", NULL },
	{ "= inside a value", "LOGFILE=a=b", "<LOGFILE=a=b>", "" },
	{ "second dimension", "CLASSCFG[fast] MAXPROC[USER:steve]=3,5",
	  "<CLASSCFG[fast].MAXPROC[USER:steve]=3,5>", "" },
	{ "families not looked into", "RMCFG[base] TYPE=PBS HOST=x",
	  "<RMCFG[base]=TYPE=PBS HOST=x>", "" },
	/* repetition */
	{ "last wins", "FSDEPTH 4\nFSDEPTH 5\nFSCAP[a] 1\nFSCAP 2\nFSCAP[a] 3",
	  "(FSDEPTH=4)<FSDEPTH=5>(FSCAP[a]=1)<FSCAP=2><FSCAP[a]=3>",
	  AGAIN("1:1", "FSDEPTH: 4", "2") AGAIN("3:1", "FSCAP[a]: 1", "5") },
	{ "lines merge, attributes replace",
	  "QOSCFG[hi] QTWEIGHT=1 XFWEIGHT=2\nQOSCFG[lo] XFWEIGHT=3\nQOSCFG[hi] XFWEIGHT=4",
	  "<QOSCFG[hi].QTWEIGHT=1>(QOSCFG[hi].XFWEIGHT=2)<QOSCFG[lo].XFWEIGHT=3>"
	  "<QOSCFG[hi].XFWEIGHT=4>",
	  AGAIN("1:23", "QOSCFG[hi] XFWEIGHT: 2", "3") },
	{ "access lists append",
	  "SRCFG[a] TPN=1 USERLIST=amy\nSRCFG[a] USERLIST=bob TPN=2 HOSTLIST=n",
	  "(SRCFG[a].TPN=1)<SRCFG[a].USERLIST=amy><SRCFG[a].USERLIST=bob><SRCFG[a].TPN=2>"
	  "<SRCFG[a].HOSTLIST=n>",
	  "" },
	{ "a list with more of it",
	  "QOSCFG[hi] PRIORITY=1\nQOSCFG[lo] PRIORITY=2\nUSERCFG[amy] QLIST=lo\n"
	  "USERCFG[amy] MAXJOB=1 QLIST+=hi QLIST+=hi:lo",
	  "<QOSCFG[hi].PRIORITY=1><QOSCFG[lo].PRIORITY=2>(USERCFG[amy].QLIST=lo)"
	  "<USERCFG[amy].MAXJOB=1>(USERCFG[amy].QLIST=lo,hi)<USERCFG[amy].QLIST=lo,hi,hi:lo>",
	  "" },
	{ "more of no list, and of another user's",
	  "QOSCFG[lo] PRIORITY=2\nUSERCFG[bob] QLIST=lo\nUSERCFG[amy] QLIST+=lo",
	  "<QOSCFG[lo].PRIORITY=2><USERCFG[bob].QLIST=lo><USERCFG[amy].QLIST=lo>", "" },
	{ "words, and a name in quotes",
	  "QOSCFG[hi] QFLAGS=NOBF\nQOSCFG[hi] QFLAGS+=PREEMPTOR\nUSERCFG[amy] QLIST=hi\n"
	  "USERCFG[amy] QLIST+=\"h i\"",
	  "(QOSCFG[hi].FLAGS=NOBF)<QOSCFG[hi].FLAGS=NOBF,PREEMPTOR>(USERCFG[amy].QLIST=hi)"
	  "<USERCFG[amy].QLIST=hi,\"h i\">",
	  "" },
	{ "more of an access list",
	  "SRCFG[a] TPN=1 HOSTLIST=n USERLIST=amy\nSRCFG[a] USERLIST+=bob",
	  "<SRCFG[a].TPN=1><SRCFG[a].HOSTLIST=n><SRCFG[a].USERLIST=amy><SRCFG[a].USERLIST=bob>",
	  "" },
	{ "operators that mean nothing here",
	  "QOSCFG[hi] QFLAGS=NOBF\nUSERCFG[amy] QLIST=hi MAXJOB=2\n"
	  "USERCFG[amy] MAXJOB+=3 QLIST-=hi QLIST^=lo",
	  "<QOSCFG[hi].FLAGS=NOBF><USERCFG[amy].QLIST=hi><USERCFG[amy].MAXJOB=2>",
	  "maui.cfg:3:14: warning: MAXJOB+= is not read, ignoring: write the whole value, "
	  "MAXJOB=<value>\n"
	  "maui.cfg:3:24: warning: QLIST-= is not read, ignoring: write the whole value, "
	  "QLIST=<value>\n"
	  "maui.cfg:3:34: warning: QLIST^= is not read, ignoring: write the whole value, "
	  "QLIST=<value>\n" },
	{ "an operator of what Slurm has", "NODECFG[n1] FEATURES+=fast,big",
	  "<NODECFG[n1].FEATURES=fast,big>",
	  "maui.cfg:1:13: warning: NODECFG[n1] FEATURES belongs to Slurm, ignoring: Feature= of "
	  "the NodeName line\n" },
	{ "an old spelling is the same thing", "QOSCFG[hi] QTWEIGHT=1\nQOSQTWEIGHT[hi] 2",
	  "(QOSCFG[hi].QTWEIGHT=1)<QOSCFG[hi].QTWEIGHT=2>",
	  AGAIN("1:12", "QOSCFG[hi] QTWEIGHT: 1", "2") },
	/* unknown names: a warning, and the rest counts */
	{ "unknown parameter", "FSINTERVALL 5\nFSDEPTH 4", "<FSDEPTH=4>",
	  "maui.cfg:1:1: warning: unknown parameter 'FSINTERVALL', ignoring (did you mean "
	  "FSINTERVAL?)\n" },
	{ "like nothing known", "FSDEPTH 4\n  XYZZYPLUGH 5", "<FSDEPTH=4>",
	  "maui.cfg:2:3: warning: unknown parameter 'XYZZYPLUGH', ignoring\n" },
	{ "unknown attribute", "USERCFG[amy] FSTARGT=5 PRIORITY=0", "<USERCFG[amy].PRIORITY=0>",
	  "maui.cfg:1:14: warning: unknown attribute 'FSTARGT', ignoring (did you mean "
	  "FSTARGET?)\n" },
	{ "unknown attribute, continued line", "USERCFG[amy] \\\n   FSTARGT=5", "",
	  "maui.cfg:2:4: warning: unknown attribute 'FSTARGT', ignoring (did you mean "
	  "FSTARGET?)\n" },
	{ "of another family", "USERCFG[amy] REQUESTGEOMETRY=5", "",
	  "maui.cfg:1:14: warning: unknown attribute 'REQUESTGEOMETRY', ignoring\n" },
	{ "unknown word", "USERCFG[amy] hello", "",
	  "maui.cfg:1:14: warning: unknown attribute 'hello', ignoring\n" },
};

TEST_ROWS(grammar, form, forms, row)
{
	struct parsed p = parse(row->text);
	char got[2048];

	cr_assert(p.config != NULL, "%s: not accepted: %s", row->name, p.said);
	list_settings(p.config, got, sizeof(got));
	cr_expect(strcmp(got, row->settings) == 0, "%s: expected %s, got %s", row->name,
		  row->settings, got);
	/* "": something is said, of the meaning, which is another test's business */
	if (!row->said || *row->said != '\0')
		cr_expect(strcmp(p.said, row->said ? row->said : "") == 0,
			  "%s: expected\n%sgot\n%s", row->name, row->said ? row->said : "", p.said);
	parsed_finish(&p);
}

struct list {
	const char *name, *text, *settings;
	unsigned blanks; /* warnings of a blank in a list */
};

/* Blanks in lists, as in the manual's own examples (CFG-1) */
static const struct list lists[] = {
	{ "example 4 as printed", "SRCFG[special] TASKCOUNT=1 QOSLIST=high low special-",
	  "<SRCFG[special].TASKCOUNT=1><SRCFG[special].QOSLIST=high,low,special->", 2 },
	{ "another attribute ends it", "SRCFG[s] QOSLIST=high low- TASKCOUNT=32",
	  "<SRCFG[s].QOSLIST=high,low-><SRCFG[s].TASKCOUNT=32>", 1 },
	{ "neutral markers", "SRCFG[s] QOSLIST=normal= high debug= low- TASKCOUNT=1",
	  "<SRCFG[s].QOSLIST=normal=,high,debug=,low-><SRCFG[s].TASKCOUNT=1>", 3 },
	{ "a neutral marker at the end", "SRCFG[s] TASKCOUNT=1 QOSLIST=high normal=",
	  "<SRCFG[s].TASKCOUNT=1><SRCFG[s].QOSLIST=high,normal=>", 1 },
	{ "old parameter, blanks are its form",
	  "SRTASKCOUNT[0] 1\nSRQOSLIST[0] normal= high debug= low-",
	  "<SRCFG[0].TASKCOUNT=1><SRCFG[0].QOSLIST=normal= high debug= low->", 0 },
	{ "the manual's short spelling", "SRTASKCOUNT[0] 1\nQOSLIST[0] normal= high debug= low-",
	  "<SRCFG[0].TASKCOUNT=1><SRCFG[0].QOSLIST=normal= high debug= low->", 0 },
	{ "each list by itself", "SRCFG[s] TASKCOUNT=1 USERLIST=a b CLASSLIST=c d",
	  "<SRCFG[s].TASKCOUNT=1><SRCFG[s].USERLIST=a,b><SRCFG[s].CLASSLIST=c,d>", 2 },
	{ "QLIST", "USERCFG[amy] QLIST=hi lo", "<USERCFG[amy].QLIST=hi,lo>", 1 },
};

static unsigned count_text(const char *text, const char *what)
{
	unsigned count = 0;

	for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
		count++;
	return count;
}

TEST_ROWS(grammar, blanks_in_lists, lists, row)
{
	struct parsed p = parse(row->text);
	char got[2048];

	cr_assert(p.config != NULL, "%s: not accepted: %s", row->name, p.said);
	list_settings(p.config, got, sizeof(got));
	cr_expect(strcmp(got, row->settings) == 0, "%s: expected %s, got %s", row->name,
		  row->settings, got);
	cr_expect(count_text(p.said, "blank inside the list") == row->blanks, "%s: said\n%s",
		  row->name, p.said);
	cr_expect(count_text(p.said, "unknown") == 0, "%s: said\n%s", row->name, p.said);
	parsed_finish(&p);
}

struct wrong {
	const char *name, *text, *said; /* the whole of it */
};

static const struct wrong wrongs[] = {
	{ "no value", "FSDEPTH", "maui.cfg:1:1: error: FSDEPTH has no value\n" },
	{ "no value behind =", "\n FSDEPTH =\n", "maui.cfg:2:2: error: FSDEPTH has no value\n" },
	{ "attribute without value", "USERCFG[amy] PRIORITY",
	  "maui.cfg:1:14: error: PRIORITY has no value: write PRIORITY=<value>\n" },
	{ "attribute, = and nothing", "USERCFG[amy] PRIORITY=\nUSERWEIGHT 1",
	  "maui.cfg:1:14: error: PRIORITY has no value\n" },
	{ "a value that is the next attribute", "QOSCFG[hi] QTWEIGHT= XFWEIGHT=2",
	  "maui.cfg:1:12: error: QTWEIGHT has no value\n" },
	{ "no index", "USERCFG PRIORITY=1",
	  "maui.cfg:1:1: error: USERCFG needs a name: USERCFG[name]\n" },
	{ "empty index", "USERCFG[] PRIORITY=1",
	  "maui.cfg:1:1: error: USERCFG needs a name: USERCFG[name]\n" },
	{ "old parameter without index", "QOSPRIORITY 5",
	  "maui.cfg:1:1: error: QOSPRIORITY needs a name: QOSPRIORITY[name]\n" },
	{ "index not closed", "FSDEPTH 4\nFSCAP[batch 4\n",
	  "maui.cfg:2:6: error: '[' without ']' behind FSCAP\n" },
	{ "nameless index not closed", "FSDEPTH 4\n  [batch 4\n",
	  "maui.cfg:2:3: error: '[' without ']', and without a name before it\n" },
	{ "second dimension not closed", "USERCFG[amy] MAXJOB[GROUP=4",
	  "maui.cfg:1:20: error: '[' without ']' behind MAXJOB\n" },
	{ "number", "FSDEPTH four",
	  "maui.cfg:1:1: error: FSDEPTH needs a whole number, got 'four'\n" },
	{ "a number that is too large", "USERWEIGHT 1\nUSERCFG[a] PRIORITY=99999999999999999999",
	  "maui.cfg:2:12: error: PRIORITY: '99999999999999999999' is out of range\n" },
	{ "a number that is too small", "USERWEIGHT 1\nUSERCFG[a] PRIORITY=-99999999999999999999",
	  "maui.cfg:2:12: error: PRIORITY: '-99999999999999999999' is out of range\n" },
	{ "the message has the bounds", "FSDEPTH 99999999999999999999",
	  "maui.cfg:1:1: error: FSDEPTH must be between 1 and 1024, got '99999999999999999999'\n" },
	{ "out of bounds", "FSDECAY 1.5",
	  "maui.cfg:1:1: error: FSDECAY must be between 0 and 1, got '1.5'\n" },
	{ "time", "FSINTERVAL noon",
	  "maui.cfg:1:1: error: FSINTERVAL: 'noon' is not a time: expected [[[DD:]HH:]MM:]SS or "
	  "INFINITY\n" },
	{ "target", "USERCFG[amy] FSTARGET=much\nFSPOLICY DEDICATEDPS\nFSUSERWEIGHT 1",
	  "maui.cfg:1:14: error: FSTARGET needs a number with an optional + - % or ^, "
	  "got 'much'\n" },
	{ "two words for one number", "FSDEPTH 4 5",
	  "maui.cfg:1:1: error: FSDEPTH needs a whole number, got '4 5'\n" },
	{ "several errors, in the order of lines", "FSDECAY 2\nFSINTERVALL 1\nFSDEPTH 0\n",
	  "maui.cfg:1:1: error: FSDECAY must be between 0 and 1, got '2'\n"
	  "maui.cfg:2:1: warning: unknown parameter 'FSINTERVALL', ignoring (did you mean "
	  "FSINTERVAL?)\n"
	  "maui.cfg:3:1: error: FSDEPTH must be between 1 and 1024, got '0'\n" },
};

TEST_ROWS(grammar, wrong, wrongs, row)
{
	struct parsed p = parse(row->text);

	cr_expect(p.config == NULL, "%s: accepted", row->name);
	cr_expect(strcmp(p.said, row->said) == 0, "%s: expected\n%sgot\n%s", row->name, row->said,
		  p.said);
	parsed_finish(&p);
}

/* A setting has its file and line, for `show`. */
Test(grammar, origin)
{
	struct maui_config *config =
		PARSE_GOOD("\n  FSDEPTH 4\nQOSCFG[hi] QTWEIGHT=1 \\\n XFWEIGHT=2\n");
	const struct maui_setting *s = config->settings;

	cr_assert(config->setting_count == 3);
	cr_expect(s[0].line == 2 && s[0].column == 3, "%u:%u", s[0].line, s[0].column);
	cr_expect(s[1].line == 3 && s[1].column == 12, "%u:%u", s[1].line, s[1].column);
	cr_expect(s[2].line == 4 && s[2].column == 2, "%u:%u", s[2].line, s[2].column);
	cr_expect_str_eq(s[2].file, "maui.cfg", "%s", s[2].file);
	maui_config_unref(config);
}

/* ---- long messages ---- */

/* The message has all valid words and the faulty one. */
Test(grammar, long_list_of_words)
{
	struct parsed p = parse("QOSCFG[hi] FLAGS=NOTHING\n");

	cr_expect(strstr(p.said, "one of DEDICATED, IGNACCOUNT, "), "%s", p.said);
	cr_expect(strstr(p.said, ", RUNNOW, USERESERVED, got 'NOTHING', ignoring\n"), "%s", p.said);
	parsed_finish(&p);
}

Test(grammar, short_of_room_for_words)
{
	const struct maui_param *row = maui_schema_find_param("FSPOLICY");
	char text[64];

	cr_assert(row != NULL);
	for (size_t size = 4; size <= sizeof(text); size++) {
		static const char all[] = "NONE, DEDICATEDPS, DEDICATEDPES, UTILIZEDPS";
		size_t kept;

		maui_schema_word_list(row, text, size);
		cr_assert(strlen(text) < size, "%zu: %s", size, text);
		if (size >= sizeof(all)) {
			cr_expect_str_eq(text, all, "%zu: %s", size, text);
			continue;
		}
		kept = strlen(text) - strlen("...");
		cr_expect_str_eq(text + kept, "...", "%zu: %s", size, text);
		cr_expect(strncmp(text, all, kept) == 0 &&
				  (kept == 0 || strncmp(text + kept - 2, ", ", 2) == 0),
			  "%zu: %s", size, text);
	}
}

/* A cut value ends in "...". */
Test(grammar, long_value)
{
	static const char *const begins[] = { "FSDEPTH ",         "FSPOLICY ",
					      "FSDEPTHS",         "USERCFG[a] FSTARGET=",
					      "QOSCFG[a] FLAGS=", "USERCFG[a] QLIST=b " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		char text[4000];
		size_t start = strlen(begins[i]);
		bool cut = false;
		struct parsed p;

		memset(text, 'x', sizeof(text));
		memcpy(text, begins[i], start);
		p = parse_bytes(text, sizeof(text), NULL);
		for (size_t d = 0; d < p.diags.count; d++)
			cut |= strstr(p.diags.list[d].text, "x...") != NULL;
		cr_expect(cut, "%s: %s", begins[i], p.said);
		parsed_finish(&p);
	}
}
