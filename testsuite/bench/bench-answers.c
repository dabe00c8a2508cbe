/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-answers.c - how long commands take on a large cluster, from their start to their end
 *
 * A full cluster of 10,000 nodes with 10,000 waiting jobs (mix.h), then with 100,000, is
 * published on a query socket; the commands run as a user runs them. Prints the median of five
 * runs of each, and the target. With CROWD (testsuite/bench/many-clients) instead: 5,000 nodes and
 * 4,600 waiting jobs, while 110 user ids without a name ask for snapshots, twelve at a time each;
 * prints how long showq of another user and of root takes. Always succeeds: a figure of another
 * machine is no test.
 * bench-answers MAUI [CROWD]
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answers/document_publish.h"
#include "answers/verbs.h"
#include "bench.h"
#include "mix_document.h"
#include "plan/finished.h"
#include "query/server.h"

enum { RUNS = 5, WORDS = 8, CROWD_UIDS = 110, AT_A_TIME = 12, ASKED = 100, USER = 1001 };

static const char config_text[] = "RESERVATIONDEPTH 10\nQUEUETIMEWEIGHT 1\nXFACTORWEIGHT 10\n"
				  "CREDWEIGHT 1\nUSERWEIGHT 10\nRESWEIGHT 1\nPROCWEIGHT 1\n"
				  "FSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 10\n";

/* Milliseconds of one run as the user; its output goes nowhere. */
static double run_once(const char *maui, char *const *argv, uid_t uid)
{
	double start = bench_wall_ms();
	int status = 0, null;
	pid_t pid = fork();

	if (pid == 0) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		if (uid == getuid() || setuid(uid) == 0)
			execv(maui, argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
		bench_die(argv[1]);
	return bench_wall_ms() - start;
}

static void measure(const char *maui, const char *line, int target_ms)
{
	char *text = strdup(line), *rest = text, *argv[WORDS] = { (char *)"maui" };
	double times[RUNS];
	size_t count = 1;

	while (count < WORDS - 1 && (argv[count] = strsep(&rest, " ")))
		count++;
	for (int i = 0; i < RUNS; i++)
		times[i] = run_once(maui, argv, getuid());
	qsort(times, RUNS, sizeof(times[0]), bench_by_value);
	printf("%-28s %6.0f ms", line, times[RUNS / 2]);
	if (target_ms > 0)
		printf(" (target %d)", target_ms);
	printf("\n");
	fflush(stdout);
	free(text);
}

static void measure_in_crowd(const char *maui, const char *who, uid_t uid, double target_ms)
{
	char *argv[] = { (char *)"maui", (char *)"showq", NULL };
	double times[ASKED];

	for (int i = 0; i < ASKED; i++)
		times[i] = run_once(maui, argv, uid);
	qsort(times, ASKED, sizeof(times[0]), bench_by_value);
	printf("showq of %-19s %6.0f ms, p99 %.0f ms (target %.0f)\n", who, times[ASKED / 2],
	       times[ASKED * 99 / 100], target_ms);
	fflush(stdout);
}

static enum maui_query_naming get_naming(uid_t uid, void *arg)
{
	(void)arg;
	return uid <= USER ? MAUI_QUERY_NAMED : MAUI_QUERY_WITHOUT_NAME;
}

/* Its clients ask until `end` is closed. */
static pid_t start_crowd(const char *crowd, const char *path, int *end)
{
	char uids[16], clients[16];
	int ends[2];
	pid_t pid;

	snprintf(uids, sizeof(uids), "%d", CROWD_UIDS);
	snprintf(clients, sizeof(clients), "%d", CROWD_UIDS * AT_A_TIME);
	if (pipe2(ends, O_CLOEXEC))
		bench_die("no pipe");
	pid = fork();
	if (pid == 0) {
		dup2(ends[0], STDIN_FILENO);
		execl(crowd, crowd, "--uids", uids, path, clients, "0", "snapshot", NULL);
		_exit(127);
	}
	close(ends[0]);
	*end = ends[1];
	return pid;
}

static void run_in_crowd(const char *maui, const char *crowd, const char *path)
{
	int end, status;
	pid_t pid = start_crowd(crowd, path, &end);

	sleep(3);
	measure_in_crowd(maui, "another user", USER, 1000);
	measure_in_crowd(maui, "root", 0, 200);
	close(end);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		bench_die("the crowd has not begun");
}

static void wake(void *arg)
{
	(void)arg;
}

static void run_commands(const char *maui, uint32_t jobs, uint64_t last)
{
	char line[64];

	measure(maui, "showq", 1000);
	measure(maui, "showq -i", 0);
	measure(maui, "queue", 0);
	snprintf(line, sizeof(line), "checkjob -v %llu", (unsigned long long)last);
	measure(maui, line, 50);
	measure(maui, "showbf", 50);
	if (jobs <= 10000) {
		measure(maui, "diagnose -p", 200);
		measure(maui, "diagnose -j", 0);
		measure(maui, "showres", 0);
		measure(maui, "showstate", 0);
		measure(maui, "metrics", 0);
		measure(maui, "report -o -", 2000);
		measure(maui, "snapshot -", 0);
	}
}

/* Serves a full cluster with so many waiting jobs, and runs the commands. */
static void run(const char *maui, const char *crowd, const char *path, uint32_t nodes,
		uint32_t jobs)
{
	struct maui_document *p = bench_mix_document(config_text, nodes, nodes, jobs, 100);
	const struct maui_snapshot *s = p->plan->snapshot;
	uint64_t last = s->idle[s->idle_count - 1].id;
	struct maui_query_options options = {
		.path = path, .service = &maui_answers, .wake = wake, .naming = get_naming
	};
	struct maui_err err;
	struct maui_query_server *server = maui_query_start(&options, &err);

	if (!server)
		bench_die(err.text);
	maui_query_publish(server, p);
	printf("%u nodes, %u waiting jobs\n", nodes, s->idle_count);
	if (crowd)
		run_in_crowd(maui, crowd, path);
	else
		run_commands(maui, jobs, last);
	maui_query_stop(server);
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/bench-answers.XXXXXX", path[64];

	if (argc < 2 || argc > 3 || !mkdtemp(dir)) {
		fprintf(stderr, "usage: bench-answers MAUI [CROWD]\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/q/socket", dir);
	setenv("MAUI_SOCKET", path, 1);
	if (argc == 3 && chmod(dir, 0755) == 0) {
		run(argv[1], argv[2], path, 5000, 4600);
	} else {
		run(argv[1], NULL, path, 10000, 10000);
		run(argv[1], NULL, path, 10000, 100000);
	}
	path[strlen(dir) + 2] = '\0';
	return rmdir(path) == 0 && rmdir(dir) == 0 ? 0 : 1;
}
