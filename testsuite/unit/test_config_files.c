/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_files.c - files, #INCLUDE, and files that are not a maui.cfg
 *
 * Rules: CFG-2, CFG-15.
 */
#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "config/lexer.h"
#include "parsed.h"
#include "rows.h"
#include "scratch.h"

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return path;
}

static struct parsed load(const char *name)
{
	struct parsed p = { 0 };
	size_t at = 0;

	p.config = maui_config_load(path_of(name), NULL, &p.diags);
	for (size_t i = 0; i < p.diags.count && at + 1024 < sizeof(p.said); i++) {
		at += maui_diag_format(&p.diags.list[i], p.said + at, sizeof(p.said) - at - 1);
		p.said[at++] = '\n';
	}
	return p;
}

TestSuite(files, .init = scratch_enter, .fini = scratch_leave);

/* ---- #INCLUDE ---- */

/* An included file is appended, so its lines win. Its name is relative to the first file. */
Test(files, include)
{
	struct parsed p;

	put("maui.cfg", "#INCLUDE a.cfg\nFSDEPTH 3\nFSDECAY 0.5\n");
	put("a.cfg", "FSDEPTH 4 # no newline: \\\n#INCLUDE b.cfg");
	put("b.cfg", "FSINTERVAL 2:00:00\nFSINTERVALL 5\n");
	p = load("maui.cfg");
	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect(p.config->fs_depth == 4 && p.config->fs_decay == 0.5 &&
		  p.config->fs_interval_s == 7200);
	cr_expect(p.config->file_count == 3);
	cr_expect(strstr(p.said, "b.cfg:2:1: warning: unknown parameter") != NULL, "%s", p.said);
	for (size_t i = 0; i < p.config->setting_count; i++)
		cr_expect(strcmp(p.config->settings[i].param->name, "FSINTERVAL") != 0 ||
				  strstr(p.config->settings[i].file, "/b.cfg") != NULL,
			  "%s", p.config->settings[i].file);
	parsed_finish(&p);
}

Test(files, include_of_an_absolute_path)
{
	char text[300];
	struct parsed p;

	put("a.cfg", "FSDEPTH 4\n");
	snprintf(text, sizeof(text), "#INCLUDE %s\n", path_of("a.cfg"));
	put("maui.cfg", text);
	p = load("maui.cfg");
	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect(p.config->fs_depth == 4);
	parsed_finish(&p);
}

Test(files, include_of_a_missing_file)
{
	struct parsed p;

	put("maui.cfg", "FSDEPTH 4\n\n#INCLUDE missing.cfg\nFSDECAY 7\n");
	p = load("maui.cfg");
	cr_expect(p.config == NULL, "accepted");
	cr_expect(strstr(p.said, "maui.cfg:3: error: #INCLUDE: ") != NULL, "%s", p.said);
	cr_expect(strstr(p.said, "missing.cfg") != NULL, "%s", p.said);
	/* the rest of the file is read too */
	cr_expect(strstr(p.said, "maui.cfg:4:1: error: FSDECAY") != NULL, "%s", p.said);
	parsed_finish(&p);
}

Test(files, include_of_an_error)
{
	struct parsed p;

	put("maui.cfg", "#INCLUDE a.cfg\n");
	put("a.cfg", "\nFSDECAY 7\n");
	p = load("maui.cfg");
	cr_expect(p.config == NULL, "accepted");
	cr_expect(strstr(p.said, "/a.cfg:2:1: error: FSDECAY") != NULL, "%s", p.said);
	parsed_finish(&p);
}

struct loop {
	const char *name, *first, *a, *b;
	const char *said; /* @ stands for the directory */
};

static const struct loop loops[] = {
	{ "itself", "#INCLUDE maui.cfg\nFSDEPTH 0\n", "", "",
	  "@/maui.cfg:1: error: #INCLUDE: a loop: @/maui.cfg > @/maui.cfg\n"
	  "@/maui.cfg:2:1: error: FSDEPTH must be between 1 and 1024, got '0'\n" },
	{ "itself, often", "#INCLUDE maui.cfg\n#INCLUDE maui.cfg\n#INCLUDE maui.cfg\n", "", "",
	  "@/maui.cfg:1: error: #INCLUDE: a loop: @/maui.cfg > @/maui.cfg\n" },
	{ "each other", "\n#INCLUDE a.cfg\n", "#INCLUDE b.cfg\n", "\n\n#INCLUDE maui.cfg\n",
	  "@/b.cfg:3: error: #INCLUDE: a loop: @/maui.cfg > @/a.cfg > @/b.cfg > @/maui.cfg\n" },
	{ "not from the first", "#INCLUDE a.cfg\n", "#INCLUDE b.cfg\n", "#INCLUDE a.cfg\n",
	  "@/b.cfg:1: error: #INCLUDE: a loop: @/a.cfg > @/b.cfg > @/a.cfg\n" },
	{ "twice each", "#INCLUDE a.cfg\n#INCLUDE a.cfg\n", "#INCLUDE maui.cfg\n#INCLUDE a.cfg\n",
	  "",
	  "@/maui.cfg:2: warning: #INCLUDE @/a.cfg: was read already, ignoring\n"
	  "@/a.cfg:1: error: #INCLUDE: a loop: @/maui.cfg > @/a.cfg > @/maui.cfg\n"
	  "@/a.cfg:2: error: #INCLUDE: a loop: @/a.cfg > @/a.cfg\n" },
};

/* @ replaced by the directory */
static void spell_out(const char *text, char *buf, size_t size)
{
	size_t at = 0;

	for (; *text && at + sizeof(scratch) < size; text++)
		at += (size_t)snprintf(buf + at, size - at, "%.*s",
				       *text == '@' ? (int)sizeof(scratch) : 1,
				       *text == '@' ? scratch : text);
}

Test(files, include_loop)
{
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		char expected[2048] = "";
		size_t length;
		struct parsed p;

		put("maui.cfg", loops[i].first);
		put("a.cfg", loops[i].a);
		put("b.cfg", loops[i].b);
		p = load("maui.cfg");
		spell_out(loops[i].said, expected, sizeof(expected));
		length = strlen(expected);
		cr_expect(p.config == NULL, "%s: accepted", loops[i].name);
		for (char *line = strtok(expected, "\n"); line; line = strtok(NULL, "\n"))
			cr_expect(strstr(p.said, line), "%s: no %s in\n%s", loops[i].name, line,
				  p.said);
		cr_expect(strlen(p.said) == length, "%s: more said\n%s", loops[i].name, p.said);
		parsed_finish(&p);
	}
}

/* A file is read once, however often it is included. */
Test(files, include_twice)
{
	char expected[1024] = "";
	struct parsed p;

	put("maui.cfg", "#INCLUDE a.cfg\n#INCLUDE b.cfg\n#INCLUDE a.cfg\n#INCLUDE a.cfg\n");
	put("a.cfg", "FSDEPTH 4\n");
	put("b.cfg", "FSDEPTH 5\n#INCLUDE a.cfg\n");
	p = load("maui.cfg");
	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect(p.config->file_count == 3 && p.config->setting_count == 2);
	cr_expect(p.config->fs_depth == 5, "%d", (int)p.config->fs_depth);
	spell_out("@/b.cfg:2: warning: #INCLUDE @/a.cfg: was read already, ignoring\n"
		  "@/maui.cfg:3: warning: #INCLUDE @/a.cfg: was read already, ignoring\n"
		  "@/a.cfg:1:1: note: FSDEPTH: 4 has no effect: line 1 of @/b.cfg sets it again\n",
		  expected, sizeof(expected));
	cr_expect_str_eq(p.said, expected, "%s", p.said);
	parsed_finish(&p);
}

/* #INCLUDE counts only at the beginning of a line. */
Test(files, include_in_a_comment)
{
	char expected[1024] = "";
	struct parsed p;

	put("maui.cfg",
	    "FSDEPTH 4\n # x\n  #INCLUDE missing.cfg\nFSDECAY 1 #INCLUDE missing.cfg\n");
	p = load("maui.cfg");
	cr_assert(p.config != NULL, "%s", p.said);
	spell_out("@/maui.cfg:3: warning: #INCLUDE is a comment unless it begins the line\n",
		  expected, sizeof(expected));
	cr_expect_str_eq(p.said, expected, "%s", p.said);
	parsed_finish(&p);
}

/* A hundred files, each including the next: refused, and the limit is named. */
Test(files, include_too_many)
{
	char name[32], text[64];
	struct parsed p;

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%d.cfg", i);
		snprintf(text, sizeof(text), "#INCLUDE %d.cfg\n", i + 1);
		put(name, text);
	}
	p = load("0.cfg");
	cr_expect(p.config == NULL, "accepted");
	cr_expect(p.diags.count == 1 && strstr(p.said, "63.cfg:1: error: #INCLUDE ") &&
			  strstr(p.said, "64.cfg: more than 64 files or "),
		  "%s", p.said);
	parsed_finish(&p);
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%d.cfg", i);
		unlink(name);
	}
}

/* A byte order mark begins a file, not a line of the text that is kept. */
Test(files, include_with_byte_order_mark)
{
	struct parsed p, again;

	put("maui.cfg", "#INCLUDE a.cfg\n");
	put("a.cfg", "\xef\xbb\xbf"
		     "FSDEPTH 4\n");
	p = load("maui.cfg");
	cr_assert(p.config != NULL && p.diags.count == 0, "%s", p.said);
	again = parse(p.config->text);
	cr_assert(again.config != NULL && again.diags.count == 0, "%s", again.said);
	cr_expect(again.config->fs_depth == 4);
	parsed_finish(&p);
	parsed_finish(&again);
}

/* Lines that end in CR alone, in one file of two; what is kept has newlines. */
Test(files, old_mac)
{
	char expected[1024] = "";
	struct parsed p, again;

	put("maui.cfg", "# old\rFSDEPTH 4\r#INCLUDE a.cfg\r\rFSDEPTHS 5\r");
	put("a.cfg", "FSDECAY 0.5\n");
	p = load("maui.cfg");
	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect(p.config->fs_depth == 4 && p.config->fs_decay == 0.5);
	spell_out("@/maui.cfg: warning: lines end in CR, as on an old Macintosh: CR is read as "
		  "the end of a line\n"
		  "@/maui.cfg:5:1: warning: unknown parameter 'FSDEPTHS', ignoring (did you mean "
		  "FSDEPTH?)\n",
		  expected, sizeof(expected));
	cr_expect_str_eq(p.said, expected, "%s", p.said);
	again = parse(p.config->text);
	cr_assert(again.config != NULL && again.diags.count == 1, "%s", again.said);
	cr_expect(again.config->fs_depth == 4 && again.config->fs_decay == 0.5);
	parsed_finish(&p);
	parsed_finish(&again);
}

/* What is kept as the good file means the same without the others, and keeping it once more
 * changes nothing. */
Test(files, saved_text)
{
	static const char *const ends[] = { "", "\n", " \\", " \\\n", " \\ \t\n", "# x \\\n" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct parsed p, again;
		char text[128];

		snprintf(text, sizeof(text), "#INCLUDE a.cfg\n#INCLUDE b.cfg # why\nFSDEPTH 3%s",
			 ends[i]);
		put("maui.cfg", text);
		put("a.cfg", "QOSCFG[hi] QTWEIGHT=3 \\\n");
		put("b.cfg", "XFWEIGHT=4\nFSDECAY 0.5");
		p = load("maui.cfg");
		cr_assert(p.config != NULL, "%s", p.said);
		put("copy.cfg", p.config->text);
		cr_expect(strlen(p.config->text) == p.config->text_length);
		again = load("copy.cfg");
		cr_assert(again.config != NULL, "%s", again.said);
		cr_expect(again.config->file_count == 1);
		cr_expect(again.config->setting_count == p.config->setting_count,
			  "end %zu: %zu settings became %zu:\n%s", i, p.config->setting_count,
			  again.config->setting_count, p.config->text);
		cr_expect(again.config->fs_depth == 3 && again.config->fs_decay == 0.5);
		cr_expect(strcmp(again.config->text, p.config->text) == 0,
			  "end %zu: kept\n%s\nthen\n%s", i, p.config->text, again.config->text);
		parsed_finish(&p);
		parsed_finish(&again);
	}
}

Test(files, saved_text_of_one_file_is_the_file)
{
	static const char text[] = "FSDEPTH 3\n\n# a comment\nUSERCFG[a] \\\n QDEF=x\n";
	struct maui_config *config = PARSE_GOOD(text);

	cr_expect_str_eq(config->text, text, "%s", config->text);
	maui_config_unref(config);
}

/* CMD-46: the files are not read again, and each line keeps its place. */
Test(files, lines_behind_the_files)
{
	static char name[] = "changeparam by ann", depth[] = "RESERVATIONDEPTH 7",
		    bad[] = "FSDECAY x";
	char said[MAUI_DIAG_MAX_TEXT + 100];
	const struct maui_config_lines lines[] = { { name, depth }, { name, bad } };
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	struct parsed p;

	put("maui.cfg", "RESERVATIONDEPTH 2\n#INCLUDE b.cfg\nQUEUETIMEWEIGHT 5\n");
	put("b.cfg", "\n\nFSWEIGHT 3\n");
	p = load("maui.cfg");
	cr_assert(p.config != NULL, "%s", p.said);
	unlink("maui.cfg");
	unlink("b.cfg");
	config = maui_config_extend(p.config, lines, 1, NULL, &diags);
	cr_assert(config != NULL);
	cr_expect(config->setting_count == p.config->setting_count + 1);
	cr_expect_str_eq(config->settings[2].file, path_of("b.cfg"));
	cr_expect(config->settings[2].line == 3, "%u", config->settings[2].line);
	cr_expect_str_eq(config->settings[3].file, name);
	cr_expect_str_eq(config->settings[3].value, "7");
	cr_expect(config->settings[3].line == 0, "nobody can look up a line of a command");
	maui_config_unref(config);
	cr_expect(maui_config_extend(p.config, lines, 2, NULL, &diags) == NULL, "FSDECAY x");
	cr_expect(diags.seen[MAUI_ERROR] == 1);
	cr_expect_str_eq(diags.list[diags.count - 1].file, name);
	maui_diag_format(&diags.list[diags.count - 1], said, sizeof(said));
	cr_expect(strncmp(said, "changeparam by ann: error: ", 27) == 0, "%s", said);
	maui_diags_finish(&diags);
	parsed_finish(&p);
}

Test(files, cannot_be_read)
{
	struct parsed p = load("maui.cfg");

	cr_expect(p.config == NULL);
	cr_expect(p.diags.seen[MAUI_ERROR] == 1 && strstr(p.said, "maui.cfg") != NULL, "%s",
		  p.said);
	parsed_finish(&p);
	p = load("."); /* a directory */
	cr_expect(p.config == NULL);
	parsed_finish(&p);
}

/* ---- files that are not a maui.cfg ---- */

Test(junk, nul)
{
	static const char text[] = "FSDEPTH 4\nFSDECAY\0 7\nFSDEPTH 0\n";
	struct parsed p = parse_bytes(text, sizeof(text) - 1, NULL);

	cr_expect(p.config == NULL, "accepted");
	cr_expect_str_eq(p.said, "maui.cfg:2:8: error: not a text file: NUL byte\n", "%s", p.said);
	parsed_finish(&p);
}

Test(junk, too_large)
{
	size_t size = (size_t)MAUI_CONFIG_MAX_BYTES + 1;
	char *text = malloc(size);
	struct parsed p;

	cr_assert(text != NULL);
	memset(text, '\n', size);
	p = parse_bytes(text, size, NULL);
	cr_expect(p.config == NULL, "accepted");
	cr_expect_str_eq(p.said, "maui.cfg: error: larger than 16 MiB\n", "%s", p.said);
	parsed_finish(&p);
	p = parse_bytes(text, size - 1, NULL);
	cr_expect(p.config != NULL, "16 MiB of nothing: %s", p.said);
	parsed_finish(&p);
	free(text);
}

/* The same few bytes until 8 MiB are full. */
static const char *const repeated[] = {
	"A ",
	"[",
	"\\",
	"\\\n",
	"#INCLUDE x\n",
	"#INCLUDE missing\nFSDEPTH 4\n",
	"FSDEPTH x\n",
	"USERCFG[a] PRIORITY=1\n",
	"UNKNOWNTHING 1\n",
	"SRCFG[a] QOSLIST=a\n",
};

static void expect_few_diagnostics(const char *start, const char *unit)
{
	size_t size = 8u << 20, length = strlen(unit);
	char *text = malloc(size);
	struct parsed p;

	cr_assert(text != NULL);
	memcpy(text, start, strlen(start));
	for (size_t i = strlen(start); i < size; i++)
		text[i] = unit[(i - strlen(start)) % length];
	p = parse_bytes(text, size, NULL);
	cr_expect(p.diags.count <= MAUI_DIAG_MAX, "'%s' and '%s' over and over: %zu", start, unit,
		  p.diags.count);
	parsed_finish(&p);
	free(text);
}

Test(junk, endless_lines, .timeout = 300)
{
	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++)
		expect_few_diagnostics("", repeated[i]);
	expect_few_diagnostics("USERCFG[a] QLIST=", "a ");
	expect_few_diagnostics("USERCFG[a] QLIST=", "a,");
	expect_few_diagnostics("USERCFG[a] ", "PRIORITY=1 ");
	expect_few_diagnostics("USERCFG[a] ", "nothing ");
	expect_few_diagnostics("USERCFG[", "a");
	expect_few_diagnostics("FSDEPTH ", "1");
}

/* Every prefix of a file that uses the whole grammar: no crash, and errors are reported. */
Test(junk, truncated)
{
	static const char text[] =
		"# maui.cfg\nFSPOLICY DEDICATEDPS%\nFSINTERVAL 12:00:00 # comment\n"
		"USERCFG[amy] PRIORITY=5 FSTARGET=25.5+ QLIST=a,b& \\\n\tQDEF = \"x\"\n"
		"CLASSCFG[fast] MAXPROC[USER:steve]=3,5 MAXJOB[GROUP]=12\n"
		"SRCFG[s] QOSLIST=high low special- STARTTIME=1:08:00:00 HOSTLIST=node0[1-9]\n"
		"SRQOSLIST[0] normal= high\nQUEUETIMEWEIGHT[batch] -1.5\n#INCLUDE /nonexistent/x\n";

	for (size_t length = 0; length < sizeof(text); length++) {
		struct parsed p = parse_bytes(text, length, NULL);

		cr_expect(!p.config == (p.diags.seen[MAUI_ERROR] > 0), "%zu bytes", length);
		parsed_finish(&p);
	}
}

/* Bytes of all kinds, the same in every run; the second half of the rounds has words in it. */
Test(junk, binary)
{
	static const char *const words[] = {
		"USERCFG[", "] ", "PRIORITY=", "FSTARGET=", "\n", "FSDEPTH ", "SRCFG[x] USERLIST=",
		"\\\n",     "[",  "#INCLUDE ", "QLIST=",    "=",  "%",        "MAXJOB[USER:",
		"-1",       ":"
	};
	uint64_t seed = 20241126;

	for (int round = 0; round < 2000; round++) {
		char text[600];
		size_t length = 0;
		struct parsed p;

		while (length < 500) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			if (round < 1000 || seed >> 62 == 0)
				text[length++] = (char)(seed >> 40);
			else
				length += (size_t)snprintf(text + length, 64, "%s",
							   words[seed >> 60]);
		}
		p = parse_bytes(text, length, NULL);
		cr_expect(!p.config == (p.diags.seen[MAUI_ERROR] > 0), "round %d", round);
		for (size_t i = 0; i < p.diags.count; i++)
			for (const char *c = p.diags.list[i].text; *c != '\0'; c++)
				cr_assert((unsigned char)*c >= ' ', "round %d: control character",
					  round);
		parsed_finish(&p);
	}
}
