/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched_programs.c - programs of triggers whose file system gives no answer
 *
 * src/controller/sched/triggers.c with files, processes and a clock of this file's own.
 *
 * Rules: RSV-15.
 */
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rows.h"
#include "slurm_log.h"

#include "slurm/compat.h"

#include "base/child.h"
#include "base/trust.h"
#include "controller/sched/private.h"

#define NOW INT64_C(1763746622)

/* ---- slurmctld, and what is outside of it ---- */

static int64_t passed_s; /* beside the time that the test takes */
static bool hangs;
static sem_t answers; /* the file system, when it hangs */
static atomic_int looked, started;

/* Criterion needs it, too. */
int clock_gettime(clockid_t id, struct timespec *ret)
{
	int rc = (int)syscall(SYS_clock_gettime, id, ret);

	ret->tv_sec += passed_s;
	return rc;
}

void maui_sched_release(struct maui_iteration *it, const char *name, int32_t day)
{
	(void)it;
	(void)name;
	(void)day;
}

int maui_trust_file(const char *path, uid_t user, struct maui_err *err)
{
	(void)path;
	(void)user;
	(void)err;
	looked++;
	if (hangs)
		sem_wait(&answers);
	return 0;
}

int maui_child_start(struct maui_child *child, const char *const *argv, const char *const *env,
		     int64_t limit_s, struct maui_err *err)
{
	(void)env;
	(void)limit_s;
	(void)err;
	cr_expect_str_eq(argv[0], "/shared/program");
	*child = (struct maui_child){ .pid = 1, .output = -1 };
	started++;
	return 0;
}

bool maui_child_look(struct maui_child *child, maui_child_line_fn line, void *data, int *ret_status)
{
	(void)line;
	(void)data;
	*ret_status = 0;
	return child->pid != 0;
}

void maui_child_kill(struct maui_child *child)
{
	child->pid = 0;
}

/* ---- a reservation that begins ---- */

static struct maui_trigger trigger = { .action = MAUI_TRIGGER_EXEC,
				       .event = MAUI_TRIGGER_START,
				       .data = (char *)"/shared/program" };
static const struct maui_rsv rsv = { .name = (char *)"maint",
				     .triggers = &trigger,
				     .trigger_count = 1 };
static const struct maui_rsv *const standing[] = { &rsv };
static struct maui_rsv_instance instance = { .start_s = NOW, .end_s = NOW + 3600 };

/* The programs of a slurmctld in which the trigger has fired. */
static void begin(struct maui_controller *c, struct maui_sched *sched)
{
	struct maui_iteration it = { .c = c, .sched = sched };

	*c = (struct maui_controller){ .sched = sched, .slurm_conf_path = (char *)"/slurm.conf" };
	*sched = (struct maui_sched){ .programs = maui_sched_programs_create() };
	it.cluster.now_s = NOW;
	it.standing.list = (void *)standing;
	it.standing.count = 1;
	sched->decisions.instances = &instance;
	sched->decisions.instance_count = 1;
	sem_init(&answers, 0, 0);
	log_text[0] = '\0';
	maui_sched_triggers(&it);
	maui_sched_programs_begin(c);
	sched->decisions.instance_count = 0;
	maui_arena_finish(&it.arena);
	cr_assert(maui_sched_programs_run(sched));
}

static void look_until_over(struct maui_sched *sched)
{
	for (int i = 0; i < 10000 && maui_sched_programs_run(sched); i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		maui_sched_programs_look(sched);
	}
}

TestSuite(programs, .timeout = 60);

Test(programs, a_program_is_started_and_looked_at)
{
	struct maui_controller c;
	struct maui_sched sched;

	begin(&c, &sched);
	look_until_over(&sched);
	cr_expect(!maui_sched_programs_run(&sched) && started == 1);
	cr_expect(strstr(log_text, "/shared/program: done"), "%s", log_text);
	maui_sched_programs_end(&sched);
}

/* Others would wait for its place as long, and it would run hours late. */
Test(programs, a_program_whose_file_system_hangs_is_given_up)
{
	struct maui_controller c;
	struct maui_sched sched;

	hangs = true;
	begin(&c, &sched);
	while (looked == 0)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	maui_sched_programs_look(&sched);
	passed_s += 540;
	maui_sched_programs_look(&sched);
	cr_expect(maui_sched_programs_run(&sched), "it has ten minutes");
	passed_s += 60;
	maui_sched_programs_look(&sched);
	cr_expect(!maui_sched_programs_run(&sched));
	cr_expect(strstr(log_text, "/shared/program: not run: its file system has given no answer"),
		  "%s", log_text);
	sem_post(&answers);
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	cr_expect(started == 0, "it is late");
	maui_sched_programs_end(&sched);
}
