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
#include <time.h>
#include <unistd.h>

#include "answers/document_publish.h"
#include "answers/verbs.h"
#include "mix.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "query/server.h"

enum { RUNS = 5, WORDS = 8, CROWD_UIDS = 110, AT_A_TIME = 12, ASKED = 100, USER = 1001 };

static const char config_text[] = "RESERVATIONDEPTH 10\nQUEUETIMEWEIGHT 1\nXFACTORWEIGHT 10\n"
				  "CREDWEIGHT 1\nUSERWEIGHT 10\nRESWEIGHT 1\nPROCWEIGHT 1\n"
				  "FSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 10\n";

static void die(const char *what)
{
	fprintf(stderr, "bench-answers: %s\n", what);
	exit(1);
}

static void plan(struct maui_planner *planner, struct maui_snapshot *s, struct maui_config *config,
		 struct maui_decisions *d)
{
	const struct maui_plan_input input = {
		.config = config, .snapshot = s, .now_s = BENCH_NOW, .want_reasons = true
	};
	struct maui_err err;

	if (maui_plan(planner, &input, d, &err))
		die(err.text);
}

static struct maui_document *publish(struct maui_snapshot *s, struct maui_plan *finished)
{
	struct maui_document_idle *idle = calloc(s->idle_count + 1, sizeof(*idle));
	struct maui_document *p = maui_document_create(BENCH_NOW, "bench");

	if (!p || !idle)
		die("no memory");
	maui_document_nodes(p, s);
	for (uint32_t i = 0; i < s->active_count; i++)
		maui_document_add_active(p, s, i, 1000);
	for (uint32_t i = 0; i < finished->decisions.reservation_count; i++)
		maui_document_add_job_rsv(p, s, &finished->decisions.reservations[i], 1000);
	for (uint32_t i = 0; i < s->idle_count; i++)
		idle[i] = (struct maui_document_idle){ .array_task = MAUI_NO_TASK,
						       .waiting = s->idle[i].copies,
						       .uid = 1000,
						       .name = "simulation" };
	maui_document_set_plan(p, finished, idle);
	free(idle);
	return p;
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Milliseconds of one run as the user; its output goes nowhere. */
static double run_once(const char *maui, char *const *argv, uid_t uid)
{
	double start = now_ms();
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
		die(argv[1]);
	return now_ms() - start;
}

static int by_size(const void *a, const void *b)
{
	double one = *(const double *)a, two = *(const double *)b;

	return (one > two) - (one < two);
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
	qsort(times, RUNS, sizeof(times[0]), by_size);
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
	qsort(times, ASKED, sizeof(times[0]), by_size);
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
		die("no pipe");
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
		die("the crowd has not begun");
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

/* Serves the cluster with so many waiting jobs, and runs the commands. */
static void serve(const char *maui, const char *crowd, const char *path, struct maui_document *p,
		  uint64_t last)
{
	struct maui_query_options options = {
		.path = path, .service = &maui_answers, .wake = wake, .naming = get_naming
	};
	uint32_t nodes = p->plan->snapshot->node_count, jobs = p->plan->snapshot->idle_count;
	struct maui_err err;
	struct maui_query_server *server = maui_query_start(&options, &err);

	if (!server)
		die(err.text);
	maui_query_publish(server, p);
	printf("%u nodes, %u waiting jobs\n", nodes, jobs);
	if (crowd)
		run_in_crowd(maui, crowd, path);
	else
		run_commands(maui, jobs, last);
	maui_query_stop(server);
}

static void run(const char *maui, const char *crowd, const char *path, uint32_t nodes,
		uint32_t jobs)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", config_text, sizeof(config_text) - 1, NULL, &diags);
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };
	struct maui_snapshot *s;
	struct maui_plan *finished;

	bench_mix_begin();
	s = bench_mix_cluster(nodes);
	for (uint32_t j = 0; j < nodes; j++)
		bench_mix_job(s, j + 1, false);
	plan(planner, s, config, &d);
	bench_mix_activate(s, &d);
	for (uint32_t j = s->idle_count; j < jobs; j++)
		bench_mix_job(s, nodes + j + 1, false);
	plan(planner, s, config, &d);
	finished = maui_plan_finish(planner, s, 100);
	if (!finished)
		die("no memory");
	serve(maui, crowd, path, publish(s, finished), s->idle[s->idle_count - 1].id);
	maui_plan_unref(finished);
	maui_decisions_finish(&d);
	maui_planner_destroy(planner);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	maui_diags_finish(&diags);
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
