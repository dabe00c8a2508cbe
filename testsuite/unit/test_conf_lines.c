/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pairs that a line of slurm.conf has, by Slurm's grammar.
 *
 * testsuite/slurmconf compares whole files with Slurm's own library; this needs no Slurm.
 * Rules: CMD-13.
 */
#include "slurmconf/conf.h"

#include "scratch.h"

TestSuite(conf_lines, .init = scratch_enter, .fini = scratch_leave);

static int add_line(void *data, const struct maui_conf_line *line)
{
	char *found = data;

	for (size_t i = 0; i < line->count; i++)
		sprintf(found + strlen(found), "<%s=%s>", line->pairs[i].key, line->pairs[i].value);
	if (line->rest)
		sprintf(found + strlen(found), "(%s)", line->rest);
	return 0;
}

/* "<KEY=VALUE><KEY=VALUE>(REST)" of all lines. */
static void expect(const char *text, const char *expected)
{
	struct maui_err err = { .text = "" };
	char found[1024] = "";

	put("slurm.conf", text);
	cr_assert(maui_conf_read("slurm.conf", add_line, found, &err) == 0, "%s", err.text);
	cr_expect_str_eq(found, expected, "%s: %s", text, found);
}

Test(conf_lines, pairs)
{
	static const char *const cases[][2] = {
		{ "NodeName=n1 CPUs=4\tWeight=2\n", "<NodeName=n1><CPUs=4><Weight=2>" },
		{ "  A = b   C=  d\r\n", "<A=b><C=d>" },
		{ "A+=1 B-=2 C*=3 D/=4\n", "<A=1><B=2><C=3><D=4>" },
		{ "A=b=c,d=e\n", "<A=b=c,d=e>" },
		{ "A.b_c=1\n", "<A.b_c=1>" },
		/* quotes hold blanks and what looks like a pair, but end at the first quote */
		{ "A=\"b C=d\" E=f\n", "<A=b C=d><E=f>" },
		{ "A=\"\" B=\"c\"\n", "<A=><B=c>" },
		{ "A=\"b\"c D=e\n", "<A=\"b\"c><D=e>" },
		{ "A=\"b c\"d\n", "<A=\"b>(c\"d)" },
		{ "A=b\"c\n", "<A=b\"c>" },
		/* what is no pair */
		{ "A=b c D=e\n", "<A=b>(c D=e)" },
		{ "nonsense\n", "(nonsense)" },
		{ "A=\n", "(A=)" },
		{ "A + = b\n", "(A + = b)" },
		{ "=b\n", "(=b)" },
		/* comments, backslashes, continuations */
		{ "A=b#c\n#D=e\n  # f\n\nG=h\n", "<A=b><G=h>" },
		{ "A=b\\#c D=e\\\\#f\n", "<A=b#c><D=e\\>" },
		{ "A=\"b#c\" D=e\n", "<A=\"b>" },
		{ "A=b\\ c=d\n", "<A=b><c=d>" },
		{ "A=b\\\nc D=e \\  \n  F=g # \\\nH=i\n", "<A=bc><D=e><F=g><H=i>" },
		{ "A=b \\", "<A=b>" },
		{ "A=b \\\\\nC=d\n", "<A=b>(\\)<C=d>" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i][0], cases[i][1]);
}

Test(conf_lines, last_value_of_a_key_in_any_case)
{
	struct maui_conf_pair pairs[] = { { (char *)"CPUs", (char *)"1" },
					  { (char *)"cpus", (char *)"2" } };
	const struct maui_conf_line line = { .pairs = pairs, .count = 2 };

	cr_expect_str_eq(maui_conf_value(&line, "CPUS"), "2");
	cr_expect_null(maui_conf_value(&line, "CPU"));
}

Test(conf_lines, included_names)
{
	struct maui_err err = { .text = "" };
	char found[64] = "";

	put("nodes-mine-mine.conf", "A=b\n");
	expect("ClusterName=MINE\nInclude nodes-%c-%c.conf\n", "<ClusterName=MINE><A=b>");
	expect(" Include nodes.conf\n", "(Include nodes.conf)");
	put("slurm.conf", "Include nodes-%c.conf\nClusterName=mine\n");
	cr_expect(maui_conf_read("slurm.conf", add_line, found, &err) == -1);
	cr_expect_str_eq(err.text,
			 "slurm.conf: Include nodes-%c.conf: ClusterName must stand before");
	put("slurm.conf", "Include a b\n");
	cr_expect(maui_conf_read("slurm.conf", add_line, found, &err) == -1);
	cr_expect_str_eq(err.text, "slurm.conf:1: Include has more than a name");
}
