/* SPDX-License-Identifier: GPL-2.0-or-later */
/* triggers.c - runs the actions of triggers (reservation/triggers decides when a trigger fires)
 *
 * cancel  the instance is released
 * exec    the program runs as SlurmUser, by its absolute path, without a shell
 * submit  sbatch runs as SlurmUser with the script
 *
 * Programs run as children with a time limit, PROGRAMS_MAX at once; further triggers wait
 * for a free slot. The log gets their output. A program starts only after the state file says that
 * its trigger has fired, so that it runs at most once; on a full disk the program waits.
 *
 * A reservation that a user made runs no program: admin/rights.h refuses such a trigger, and this
 * file checks again. A program or script that another user could have modified is not run
 * (base/trust.h). An errand checks and starts the program, because its file system may hang; it has
 * the same time limit, so that the program does not run hours late.
 *
 * Rules: RSV-15.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/duration.h"
#include "base/errand.h"
#include "base/trust.h"

enum {
	PROGRAMS_MAX = 8, /* at once */
	LIMIT_S = 600,
	ENV_MAX = 8,
	RETRY_S = 5,
};

/* The errand that starts a program. */
struct start {
	char *argv[3], *env[ENV_MAX];
	bool sbatch; /* argv[0] is sbatch beside slurmctld, or else that of /usr/bin */
	uid_t slurm_user;
	struct maui_child child; /* pid 0: not started */
	struct maui_err err;     /* why */
};

struct maui_sched_program {
	char *name;                 /* reservation and program, for the log */
	struct start *start;        /* waits until the state is saved; NULL: begun */
	struct maui_errand *errand; /* of the start; NULL: not begun, or over */
	int64_t until_us;           /* when it is given up, maui_monotonic_us() */
	struct maui_child child;    /* runs from then on */
};

struct maui_sched_programs {
	struct maui_sched_program
		*list[PROGRAMS_MAX]; /* those that run or wait; NULL: a free slot */
	bool trigger_waits;          /* for the end of a program */
	int64_t retry_s;             /* programs wait for a save: tried again then; 0: none does */
};

struct maui_sched_programs *maui_sched_programs_create(void)
{
	return calloc(1, sizeof(struct maui_sched_programs));
}

static void log_line(void *data, const char *line)
{
	const struct maui_sched_program *program = data;

	info("slurm-maui: %s: %s", program->name, line);
}

static void log_end(const struct maui_sched_program *program, int status)
{
	if (status == MAUI_CHILD_UNKNOWN)
		error("slurm-maui: %s: ended, exit status unknown", program->name);
	else if (WIFSIGNALED(status))
		error("slurm-maui: %s: ended by signal %d", program->name, WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		error("slurm-maui: %s: exit status %d", program->name, WEXITSTATUS(status));
	else
		info("slurm-maui: %s: done", program->name);
}

bool maui_sched_programs_run(const struct maui_sched *sched)
{
	for (size_t i = 0; sched && i < PROGRAMS_MAX; i++)
		if (sched->programs->list[i])
			return true;
	return false;
}

/* Ends the program if it runs. */
static void destroy_start(void *work)
{
	struct start *start = work;

	if (!start)
		return;
	maui_child_kill(&start->child);
	for (char **text = start->argv; *text; text++)
		free(*text);
	for (char **text = start->env; *text; text++)
		free(*text);
	free(start);
}

static void destroy_program(struct maui_sched_program *program)
{
	destroy_start(program->start);
	maui_errand_drop(program->errand);
	maui_child_kill(&program->child);
	free(program->name);
	free(program);
}

static void free_slot(struct maui_sched *sched, size_t slot)
{
	destroy_program(sched->programs->list[slot]);
	sched->programs->list[slot] = NULL;
	if (sched->programs->trigger_waits)
		maui_sched_wake(sched, time(NULL)); /* a trigger waits for this slot */
	sched->programs->trigger_waits = false;
}

/* Whether the start may go on; if not, the log says so. */
static bool may_wait(const struct maui_sched_program *program)
{
	if (maui_monotonic_us() < program->until_us)
		return true;
	error("slurm-maui: %s: not run: its file system has given no answer for %d s",
	      program->name, LIMIT_S);
	return false;
}

/* Looks whether the program was started. false: it was not; the log says why. */
static bool look_at_start(struct maui_sched_program *program)
{
	struct start *start;
	bool started;

	if (!program->errand)
		return true;
	if (!maui_errand_is_over(program->errand, 0))
		return may_wait(program);
	start = maui_errand_end(program->errand);
	program->errand = NULL;
	started = start->child.pid != 0;
	if (!started)
		error("slurm-maui: %s: %s", program->name, start->err.text);
	program->child = start->child;
	start->child = (struct maui_child){ .output = -1 };
	destroy_start(start);
	return started;
}

void maui_sched_programs_look(struct maui_sched *sched)
{
	for (size_t i = 0; sched && i < PROGRAMS_MAX; i++) {
		struct maui_sched_program *program = sched->programs->list[i];
		int status;

		if (!program)
			continue;
		if (!look_at_start(program)) {
			free_slot(sched, i);
		} else if (maui_child_look(&program->child, log_line, program, &status)) {
			log_end(program, status);
			free_slot(sched, i);
		}
	}
}

/* Kills all programs when slurmctld ends. Their output up to now is logged first. */
void maui_sched_programs_end(struct maui_sched *sched)
{
	if (!sched->programs)
		return;
	maui_sched_programs_look(sched);
	for (size_t i = 0; i < PROGRAMS_MAX; i++) {
		if (!sched->programs->list[i])
			continue;
		error("slurm-maui: %s: %s, since slurmctld ends", sched->programs->list[i]->name,
		      sched->programs->list[i]->child.pid ? "ended" : "not run");
		free_slot(sched, i);
	}
	free(sched->programs);
	sched->programs = NULL;
}

/* By an errand: checks the program, and the script that sbatch reads. */
static int check_trust(char *const *argv, uid_t slurm_user, struct maui_err *err)
{
	for (; *argv; argv++)
		if (maui_trust_file(*argv, slurm_user, err))
			return -1;
	return 0;
}

static bool programs_wait(const struct maui_sched *sched)
{
	for (size_t i = 0; i < PROGRAMS_MAX; i++)
		if (sched->programs->list[i] && sched->programs->list[i]->start)
			return true;
	return false;
}

bool maui_sched_programs_due(const struct maui_sched *sched, int64_t now_s)
{
	return sched->programs->retry_s && now_s >= sched->programs->retry_s &&
	       programs_wait(sched);
}

/* By an errand: makes argv[0] the sbatch that is there. -1 with err: there is none. */
static int choose_sbatch(struct start *start)
{
	static const char usual[] = "/usr/bin/sbatch";
	char *path;

	if (!start->sbatch || access(start->argv[0], X_OK) == 0)
		return 0;
	if (access(usual, X_OK))
		return maui_err_set(&start->err, "no sbatch beside slurmctld, nor in /usr/bin");
	path = strdup(usual);
	if (!path)
		return maui_err_no_memory(&start->err);
	free(start->argv[0]);
	start->argv[0] = path;
	return 0;
}

/* The errand. */
static void run_start(void *work, const atomic_bool *stop)
{
	struct start *start = work;
	const char *const *argv = (const char *const *)start->argv;
	const char *const *env = (const char *const *)start->env;

	if (choose_sbatch(start) == 0 &&
	    check_trust(start->argv, start->slurm_user, &start->err) == 0 && !*stop)
		(void)maui_child_start(&start->child, argv, env, LIMIT_S, &start->err);
}

static void start_program(struct maui_controller *c, size_t slot)
{
	static const struct maui_errand_kind kind = { "maui_trigger", run_start, destroy_start };
	struct maui_sched_program *program = c->sched->programs->list[slot];

	program->errand = maui_errand_begin(&kind, program->start);
	program->start = NULL;
	program->until_us = maui_monotonic_us() + LIMIT_S * INT64_C(1000000);
	if (program->errand)
		return;
	error("slurm-maui: %s: not run: no memory", program->name);
	free_slot(c->sched, slot);
}

void maui_sched_programs_begin(struct maui_controller *c)
{
	struct maui_sched *sched = c->sched;
	const char *why = maui_not_saved(c);

	if (!programs_wait(sched))
		return;
	if (why) {
		if (!sched->programs->retry_s)
			error("slurm-maui: programs of triggers wait until the state is saved: %s",
			      why);
		if (!sched->programs->retry_s || time(NULL) >= sched->programs->retry_s)
			sched->programs->retry_s = time(NULL) + RETRY_S;
		maui_sched_wake(sched, sched->programs->retry_s);
		return;
	}
	sched->programs->retry_s = 0;
	for (size_t i = 0; i < PROGRAMS_MAX; i++)
		if (sched->programs->list[i] && sched->programs->list[i]->start)
			start_program(c, i);
}

/* sbatch of the same installation: <prefix>/bin beside <prefix>/sbin/slurmctld (/proc names it),
 * because the choice must not depend on PATH. Whether it is there the errand asks. NULL without
 * memory. */
static const char *sbatch_beside_slurmctld(struct maui_arena *arena)
{
	char self[PATH_MAX + sizeof("/bin/sbatch")];
	ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);

	self[length > 0 ? length : 0] = '\0';
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(self, '/');

		*(slash ? slash : self) = '\0';
	}
	return maui_arena_strdup(arena, strcat(self, "/bin/sbatch"));
}

/* NULL without memory. */
static char *make_variable(const char *name, const char *value)
{
	char *text;

	return asprintf(&text, "%s=%s", name, value) < 0 ? NULL : text;
}

/* Fills the program's environment. -1 without memory. */
static int make_environment(struct maui_iteration *it, const struct maui_rsv *rsv, int32_t day,
			    const struct maui_trigger *trigger, char **env)
{
	char date[16];
	const char *const pairs[][2] = {
		{ "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
		{ "SLURM_CONF", it->c->slurm_conf_path },
		{ "MAUI_RESERVATION", rsv->name },
		{ "MAUI_RESERVATION_DAY", date },
		{ "MAUI_EVENT", maui_trigger_event_names[trigger->event] },
	};

	snprintf(date, sizeof(date), "%" PRId32, day);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		env[i] = make_variable(pairs[i][0], pairs[i][1]);
		if (!env[i])
			return -1;
	}
	return 0;
}

static size_t find_free_slot(const struct maui_sched *sched)
{
	size_t slot = 0;

	while (slot < PROGRAMS_MAX && sched->programs->list[slot])
		slot++;
	return slot;
}

/* Whether all slots are taken. The log says so once until a slot is free again. */
static bool all_slots_taken(struct maui_sched *sched)
{
	if (find_free_slot(sched) < PROGRAMS_MAX)
		return false;
	if (!sched->programs->trigger_waits)
		info("slurm-maui: %d programs of triggers run: others wait for a place",
		     PROGRAMS_MAX);
	sched->programs->trigger_waits = true;
	return true;
}

/* For the log. NULL without memory. */
static char *program_name(const struct maui_rsv *rsv, const struct maui_trigger *trigger)
{
	char *name;

	return asprintf(&name, "reservation %s: %s", rsv->name, trigger->data) < 0 ? NULL : name;
}

/* NULL without memory. */
static struct start *make_start(struct maui_iteration *it, const struct maui_rsv *rsv, int32_t day,
				const struct maui_trigger *trigger, const char *file,
				const char *argument)
{
	struct start *start = calloc(1, sizeof(*start));

	if (!start)
		return NULL;
	start->child.output = -1;
	start->sbatch = argument;
	start->slurm_user = it->c->slurm_user;
	start->argv[0] = strdup(file);
	start->argv[1] = start->argv[0] && argument ? strdup(argument) : NULL;
	if (start->argv[0] && (!argument || start->argv[1]) &&
	    make_environment(it, rsv, day, trigger, start->env) == 0)
		return start;
	destroy_start(start);
	return NULL;
}

/* NULL without memory. */
static struct maui_sched_program *make_program(struct maui_iteration *it,
					       const struct maui_rsv *rsv, int32_t day,
					       const struct maui_trigger *trigger, const char *file,
					       const char *argument)
{
	struct maui_sched_program *program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	program->child.output = -1;
	program->start = make_start(it, rsv, day, trigger, file, argument);
	program->name = program_name(rsv, trigger);
	if (program->start && program->name)
		return program;
	destroy_program(program);
	return NULL;
}

/* Puts the program into a free slot. It starts once the state is saved. -1 without memory. */
static int queue_program(struct maui_iteration *it, const struct maui_rsv *rsv, int32_t day,
			 const struct maui_trigger *trigger, const char *file, const char *argument)
{
	struct maui_sched_program *program = make_program(it, rsv, day, trigger, file, argument);

	if (!program)
		return -1;
	it->sched->programs->list[find_free_slot(it->sched)] = program;
	return 0;
}

/* -1 without memory. */
static int queue_sbatch(struct maui_iteration *it, const struct maui_rsv *rsv, int32_t day,
			const struct maui_trigger *trigger)
{
	const char *sbatch = sbatch_beside_slurmctld(&it->arena);

	return sbatch ? queue_program(it, rsv, day, trigger, sbatch, trigger->data) : -1;
}

static int run_action(struct maui_iteration *it, const struct maui_rsv *rsv, int32_t day,
		      const struct maui_trigger *trigger)
{
	if (trigger->action == MAUI_TRIGGER_CANCEL)
		maui_sched_release(it, rsv->name, day);
	else if (rsv->by_user)
		error("slurm-maui: reservation %s belongs to a user: its triggers run no program",
		      rsv->name);
	else if (trigger->action == MAUI_TRIGGER_SUBMIT)
		return queue_sbatch(it, rsv, day, trigger);
	else
		return queue_program(it, rsv, day, trigger, trigger->data, NULL);
	return 0;
}

static bool fire_trigger(void *data, const struct maui_rsv *rsv, int32_t day,
			 const struct maui_trigger *trigger)
{
	struct maui_iteration *it = data;
	char offset[MAUI_DURATION_SIZE];

	if (trigger->action != MAUI_TRIGGER_CANCEL && !rsv->by_user && all_slots_taken(it->sched))
		return false;
	maui_duration_format(trigger->offset_s, offset, sizeof(offset));
	info("slurm-maui: reservation %s: trigger %s%s%s: %s%s%s", rsv->name,
	     maui_trigger_event_names[trigger->event], trigger->offset_s > 0 ? "+" : "",
	     trigger->offset_s > 0 ? offset : "", maui_trigger_action_names[trigger->action],
	     trigger->data ? " " : "", trigger->data ? trigger->data : "");
	if (run_action(it, rsv, day, trigger)) {
		error("slurm-maui: no memory for a trigger of reservation %s", rsv->name);
		return false;
	}
	it->save = true; /* the trigger fires once, even if slurmctld is killed */
	return true;
}

void maui_sched_triggers(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_trigger_look *looks =
		maui_arena_alloc(&it->arena, (d->instance_count + 1u) * sizeof(*looks));
	int64_t next_s;

	if (!looks || it->testing)
		return;
	for (uint32_t i = 0; i < d->instance_count; i++) {
		const struct maui_rsv_instance *instance = &d->instances[i];

		looks[i] = (struct maui_trigger_look){ .rsv = it->standing.list[instance->rsv],
						       .day = instance->day,
						       .start_s = instance->start_s,
						       .end_s = instance->end_s,
						       .reserved_procs = instance->reserved_procs,
						       .used_procs = instance->used_procs };
	}
	next_s = maui_trigger_run(&it->sched->triggers, it->standing.list, it->standing.count,
				  looks, d->instance_count, it->cluster.now_s, fire_trigger, it);
	if (next_s > 0 && next_s != MAUI_NEVER)
		maui_sched_wake(it->sched, next_s);
}
