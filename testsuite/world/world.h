/* SPDX-License-Identifier: GPL-2.0-or-later */
/* world.h - a simulated slurmctld: the symbols and records that libmaui.so uses, in one process, on
 * a virtual clock, driven by one seed
 *
 * The real libmaui.so is loaded as slurmctld loads it. Its threads are fibers of one system
 * thread; its calls for time, locks, names and writes end up here, so that every one of them can be
 * an event. testsuite/world/README.md has the parts.
 */
#ifndef MAUI_TESTSUITE_WORLD_H
#define MAUI_TESTSUITE_WORLD_H

#include "slurm/compat.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "controller/controller.h"
#include "controller/private.h"

enum {
	WORLD_NODES = 12,
	WORLD_PARTS = 3,
	WORLD_USERS = 6,
	WORLD_USER_0 = 5000, /* the first user's number */
	WORLD_JOBS = 60,     /* records at a time */
	WORLD_QUEUE = 14,    /* of which so many wait */
};

#define WORLD_SECOND INT64_C(1000000) /* the clock counts microseconds */

/* ---- world.c: the state that is not slurmctld's ---- */

struct maui_document;

struct world_node {
	char name[8];
	uint16_t cpus;
	uint64_t memory;
	uint32_t gpus;
	bool big; /* has the feature */
	bool down, drain;
	int64_t returns_us; /* 0: not set */
};

/* One run of a job, as it is: from its start to its end. */
struct world_run {
	uint32_t job_id, array_job_id, array_task_id;
	uint32_t user;
	const char *qos;                                /* NULL: none */
	uint16_t cpus[WORLD_NODES], cores[WORLD_NODES]; /* how many, and which: bits */
	uint64_t memory[WORLD_NODES];
	uint32_t gpus[WORLD_NODES];
	uint32_t procs;
	int64_t start_s, end_us; /* when it ends by itself */
	int64_t charged_s;       /* what was before is counted as used; of a run that goes on */
	bool suspended;
	int64_t left_us; /* then: how long it still lasts */
};

/* What happens in the run at hand, by the seed. */
struct world_plan {
	bool steps, kills, cuts, refusals, reconfigures, reservations, node_faults, exact, hunger;
	bool qos, licences, gpus, depends, hets, suspends;
	bool busy;          /* much happens between two holds of the locks */
	bool limits;        /* each maui.cfg has limits that are reached soon */
	bool hets_on;       /* HETJOBS ON, which a reconfigure does not change */
	bool no_defaults;   /* partitions without DefaultTime */
	bool kills_invalid; /* SchedulerParameters=kill_invalid_depend */
};

struct world {
	uint64_t seed;
	const char *dir; /* of slurm.conf's StateSaveLocation */
	FILE *log;       /* NULL: none */
	bool promises;   /* are checked */
	bool verbose;    /* the log has what slurm-maui logs, too */
	uint64_t digest; /* of all events */
	uint64_t events;
	uint64_t changes; /* everything that a plan should know: events, starts, ends, refusals */
	int64_t days;
	struct world_plan plan;
	struct world_node nodes[WORLD_NODES];
	int node_count, part_count, user_count;
	struct world_run *runs;
	size_t run_count, run_alloc;
	uint32_t next_job, next_resv;
	int64_t end_us;
	/* counters for the last line */
	uint64_t submitted, started, ended, refused, preempted, kills, cuts, cycles, starved;
};
extern struct world world;

/* Ends the program with status 1: an invariant is broken. */
void world_fault(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* One line of the log; part of the digest. */
void world_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* slurmctld ends and starts again. */
void world_restart(void);
/* Makes everything, lives until the end, and checks. */
void world_live(void);

/* ---- draws.c ---- */
/* From a file, unless NULL; what is drawn is recorded in another one, unless NULL. */
void world_draws_begin(uint64_t seed, const char *from, const char *to);
void world_draws_end(void);
/* 0 for 0 */
uint64_t world_random(uint64_t below);
bool world_chance(unsigned percent);

/* ---- clock.c ---- */
extern int64_t world_now_us;    /* monotonic */
extern int64_t world_offset_us; /* what the wall clock has more */
static inline int64_t world_wall_s(void)
{
	return (world_now_us + world_offset_us) / WORLD_SECOND;
}
int64_t world_real_us(void);

/* ---- fiber.c: threads of slurm-maui ---- */
struct world_fiber;
/* Runs all fibers that are due until none is. */
void world_fibers_run(void);
/* The earliest moment at which a fiber wants to run. */
int64_t world_fibers_due_us(void);
/* Runs the function as slurmctld's own thread that calls a plugin; true: it returned, false: the
 * process died meanwhile. */
bool world_fiber_call(void (*function)(void));
bool world_in_fiber(void);
/* Slurm's own code runs, not slurm-maui's; returns what to give back. */
struct world_outside {
	int fiber;
	bool memory;
};
struct world_outside world_leave(void);
void world_return(struct world_outside before);
/* Whether the agent itself runs, not a call of slurmctld's. */
bool world_in_agent(void);
/* The process dies after so many more calls; 0: it does not. */
void world_fibers_arm(unsigned calls);
bool world_fibers_armed(void);
bool world_fibers_died(void);
/* Forgets all fibers, as a dead process. */
void world_fibers_drop(void);
/* Runs the threads that slurm-maui has detached to their end. */
void world_fibers_end(void);
/* Whether the thread that is made next is the agent. */
void world_agent_starts(bool starts);
/* A call of slurm-maui at which the process may die. */
void world_mortal(void);
/* Something happened: the agent looks soon. */
void world_fibers_wake(void);
/* Mutexes that the thread at hand has. */
unsigned world_fiber_locks(void);
/* The context of slurm-maui, which its thread has as argument; NULL: no agent runs. */
struct maui_controller *world_controller(void);

/* ---- memory.c ---- */
/* Whose the memory is that is asked for from now on. */
bool world_memory_enter(void);
bool world_memory_out(void);
void world_memory_leave(bool before);
void world_memory_begin(void);  /* a process begins */
size_t world_memory_used(void); /* of slurm-maui */
/* After so many calls of malloc() by the library between these addresses, so many fail. A
 * process that dies, or ends, is over it. */
void world_memory_library(const char *from, const char *to);
void world_memory_fail(unsigned after, unsigned count);
/* The process is dead: its memory goes. */
void world_memory_drop(void);

/* ---- disk.c ---- */
void world_disk_begin(void);
/* The next writes fail or are cut. */
void world_disk_fail(unsigned writes);
bool world_disk_failed(void); /* since the last question */
void world_disk_close(void);  /* files that a dead process left open */
void world_disk_reopen(void); /* what fails now works again */

/* ---- product.c: opens and closes slurm-maui ---- */
extern const char *world_library;
/* The library of the build that the program is in, so that a copied build tests itself. */
const char *world_product_beside(void);
void world_product_load(void);
bool world_product_open(void);
bool world_product_close(void);
void world_product_unload(void);
void world_product_reconfigure(void);
uint32_t world_product_priority(job_record_t *job_ptr);

/* ---- locks.c ---- */
enum { WORLD_CONF, WORLD_JOB, WORLD_NODE, WORLD_PART, WORLD_LOCKS };
/* The call needs these locks: 0 none, 1 read, 2 write. */
void world_need(const char *call, int conf, int job, int node, int part);
bool world_locked(void);
/* Shows the tables to slurm-maui as far as it has the locks. */
void world_show_tables(bool all);
void world_tables_changed(void); /* after the pointers were set */
void world_locks_drop(void);
extern struct world_tables {
	List jobs, parts, resvs;
	node_record_t **nodes;
	bitstr_t *avail, *up, *idle, *share, *cg, *rs;
} world_tables;

/* ---- nodes.c ---- */
void world_nodes_make(void);
void world_nodes_free(void);
void world_nodes_update(void); /* states and bitmaps by world.nodes and runs */
void world_free_cpus(uint16_t *ret_cpus, uint64_t *ret_memory, bool all);
part_record_t *world_part(int i);

/* ---- jobs.c ---- */
job_record_t *world_job_create(void);
void world_job_free(void *job_ptr);
job_record_t *world_job_copy(job_record_t *job_ptr);
void world_job_submit(void);
void world_jobs_end_due(void);
void world_job_end(size_t run, const char *how, uint32_t state, bool requeue);
struct world_run *world_find_run(uint32_t job_id);
void world_jobs_purge(void);
void world_jobs_save(void);
void world_jobs_restore(void);
void world_jobs_find_tables(void);

void world_job_take_back(job_record_t *job_ptr); /* a start that did not become a run */

/* ---- asks.c ---- */
void world_ask(job_record_t *job_ptr);
void world_ask_more(job_record_t *job_ptr); /* what components of het jobs do not ask for */

/* ---- qos.c licences.c gres.c depend.c ---- */
void world_qos_ask(job_record_t *job_ptr);
void world_licences_make(void);
void world_licences_ask(job_record_t *job_ptr);
void world_licences_copy(job_record_t *to, const job_record_t *from);
void world_licences_check(void);
List world_gres_of_node(const struct world_node *node);
void world_gres_ask(job_record_t *job_ptr);
uint32_t world_gres_wanted(const job_record_t *job_ptr); /* on each node */
void world_gres_copy(job_record_t *to, const job_record_t *from);
void world_gres_give(job_record_t *job_ptr, uint32_t nodes);
void world_depend_ask(job_record_t *job_ptr);
void world_depend_list(job_record_t *job_ptr);
bool world_depend_test(job_record_t *job_ptr); /* as job_independent(): may end the job */
bool world_job_depends(const job_record_t *job_ptr);
void world_deadline_ask(job_record_t *job_ptr);

/* ---- het.c ---- */
void world_hets_find(void);
void world_het_join(job_record_t **components, uint32_t count);
struct world_run *world_het_run(const job_record_t *job_ptr);
void world_hets_check(void);

/* ---- preempt.c ---- */
bool world_cores_free(const struct world_run *run);
void world_suspend(struct world_run *run, job_record_t *job_ptr);
/* slurmctld takes up a run that its file of jobs says is suspended, or is not. */
void world_run_as_recorded(struct world_run *run, const job_record_t *job_ptr);
void world_resume(struct world_run *run, job_record_t *job_ptr);

/* ---- select.c ---- */
int world_select(job_record_t *job_ptr, bool test_only);
/* An update, or a new process: slurm-maui may try the job again at once. 0: all jobs. */
void world_refusals_forget(uint32_t job_id);
/* Whether a job waits whose last start was refused. */
bool world_any_refused(void);
/* When the job could run on these nodes, if jobs end by their limits: its start_time. */
int world_will_run(job_record_t *job_ptr, bitstr_t *nodes);
/* Whether the job could run if nothing else did. */
bool world_fits_empty(job_record_t *job_ptr);
/* Takes the nodes away that lack a feature which the job asks for. */
void world_features_filter(const job_record_t *job_ptr, bitstr_t *nodes);

/* ---- resv.c ---- */
void world_resv_make(void);
void world_resvs_save(void);
void world_resvs_restore(void);
void world_resv_free(void *resv_ptr);
/* Takes the nodes away that reservations keep from the job. */
int world_resv_filter(job_record_t *job_ptr, bitstr_t *nodes);

/* ---- config.c ---- */
struct world_sr {
	char name[16];
	uint32_t nodes;     /* bits */
	unsigned users;     /* bits */
	int start_h, end_h; /* 0 and 24: always */
};
struct world_config {
	int poll_s;
	bool highest;
	unsigned max_jobs, max_procs; /* of a user; 0: none */
	unsigned high_jobs;           /* of QOS high */
	bool preempts, hets;
	struct world_sr rsvs[2];
	int rsv_count;
};
/* The one that the file has, and the one that slurm-maui has read. */
extern struct world_config world_config;
const struct world_config *world_config_of(const struct maui_config *config);
bool world_config_has_rsv(const char *name);
void world_config_write(void);
void world_slurm_conf_read(void);
void world_slurm_conf_make(void);

/* ---- events.c ---- */
void world_events_plan(void);
int64_t world_events_due_us(void);
void world_events_run(void);
/* Another thread of slurmctld, between two holds of the locks. */
void world_gap(void);

/* ---- checks.c ---- */
void world_check_start(job_record_t *job_ptr, const struct world_run *run);
void world_check_limits(const struct world_run *run);
void world_check_resumed(void);
/* `nodes`: those on which slurm-maui lets the job start. */
void world_check_planned(const job_record_t *job_ptr, const bitstr_t *nodes);
bool world_may_be_preempted(const struct world_run *run);
/* A cycle begins. */
void world_check_begin(void);
/* The node table is made anew, and slurm-maui reads it. */
void world_check_nodes_made(void);
void world_check_nodes_read(void);
void world_check_event(void);
void world_check_cycle(void);
void world_check_closed(void);
void world_usage_begin(void);
void world_usage_run(const struct world_run *run, int64_t from_s, int64_t to_s);
/* From now on the plan need not keep its promise: why */
void world_promise_void(const char *why);
void world_usage_doubt(double proc_s);
void world_usage_step(int64_t step_s);

/* ---- told.c ---- */
void world_check_told(const struct maui_document *document);

#endif
