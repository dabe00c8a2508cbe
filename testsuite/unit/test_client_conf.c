/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a client on another host reads in slurm.conf.
 *
 * Rules: CMD-15.
 */
#include "slurmconf/client_conf.h"

#include "scratch.h"
#include "slurmconf/conf.h"

TestSuite(client_conf, .init = scratch_enter, .fini = scratch_leave);

/* "HOST HOST ...|PARAMETERS|SOCKET" of the file, behind "CLUSTER:" if there is one; "-" for what is
 * not there. */
static void expect(const char *text, const char *expected)
{
	struct maui_client_conf conf;
	struct maui_err err = { .text = "" };
	char found[1024] = "";

	put("slurm.conf", text);
	cr_assert(maui_client_conf_read(&conf, "slurm.conf", &err) == 0, "%s", err.text);
	if (conf.cluster)
		sprintf(found, "%s:", conf.cluster);
	for (size_t i = 0; i < conf.count; i++)
		sprintf(found + strlen(found), "%s%s", i ? " " : "", conf.hosts[i]);
	sprintf(found + strlen(found), "|%s|%s", conf.parameters ? conf.parameters : "-",
		conf.munge_socket ? conf.munge_socket : "-");
	cr_expect_str_eq(found, expected, "%s: %s", text, found);
	maui_client_conf_finish(&conf);
}

Test(client_conf, values)
{
	static const char *const cases[][2] = {
		{ "", "|-|-" },
		{ "SlurmctldHost=head\n", "head|-|-" },
		{ "ClusterName=a\nSlurmctldHost=head\nclustername=Big # here\n", "Big:head|-|-" },
		{ "SlurmctldHost=head(10.0.0.1)\nSlurmctldHost=spare\n", "10.0.0.1 spare|-|-" },
		{ "SlurmctldHost=a\nslurmctldaddr=v\nSlurmctldHost=b\n", "v a b|-|-" },
		{ "SlurmctldHost=\nSlurmctldHost=a()\n", "|-|-" },
		{ "SchedulerParameters=bf_max=5,maui_port=6820 # the port\n",
		  "|bf_max=5,maui_port=6820|-" },
		{ "SchedulerParameters=a\nSchedulerParameters=b\n", "|b|-" },
		{ "AuthInfo=cred_expire=60,socket=/run/m,ttl=5\n", "|-|/run/m" },
		{ "AuthInfo=cred_expire=60\n", "|-|-" },
		{ "#SlurmctldHost=a\n  SlurmctldHost=b \\\n  X=1\n", "b|-|-" },
		{ "XSlurmctldHost=a\nSlurmctldHostX=b\n", "|-|-" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i][0], cases[i][1]);
}

Test(client_conf, included_files_count_where_they_stand)
{
	mkdir("more", 0755);
	put("more/hosts", "SlurmctldHost=b\nInclude more/last\n");
	put("more/last", "SlurmctldHost=c\nSchedulerParameters=maui_port=1\n");
	expect("SlurmctldHost=a\ninclude more/hosts\nSlurmctldHost=d\n", "a b c d|maui_port=1|-");
	expect("Include=more/hosts\n", "|-|-");
}

Test(client_conf, more_hosts_than_slurm_takes)
{
	char text[1024] = "";
	struct maui_client_conf conf;

	for (int i = 0; i < 40; i++)
		strcat(text, "SlurmctldHost=x\n");
	put("slurm.conf", text);
	cr_assert(maui_client_conf_read(&conf, "slurm.conf", NULL) == 0);
	cr_expect(conf.count == MAUI_CLIENT_MAX_HOSTS);
	maui_client_conf_finish(&conf);
}

static void expect_failure(const char *text, const char *said)
{
	struct maui_client_conf conf;
	struct maui_err err = { .text = "" };

	if (text)
		put("slurm.conf", text);
	cr_expect(maui_client_conf_read(&conf, "slurm.conf", &err) < 0);
	cr_expect(strstr(err.text, said), "%s", err.text);
	cr_expect(conf.count == 0 && !conf.parameters && !conf.munge_socket);
}

Test(client_conf, files_that_cannot_be_read)
{
	expect_failure(NULL, "slurm.conf: No such file");
	expect_failure("SlurmctldHost=a\nAuthInfo=socket=/x\nInclude nowhere\n", "nowhere");
	expect_failure("SlurmctldHost=a\nInclude slurm.conf\n", "more than 16 levels");
}
