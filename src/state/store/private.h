/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the state file as records; for this folder and saved_plan/ only
 *
 * Most elements are the structs of store.h. The structs here are what the file has in another form:
 * pack_X() makes them from the structs of store.h, which they point to, unpack_X() checks what was
 * read.
 */
#ifndef MAUI_STATE_STORE_PRIVATE_H
#define MAUI_STATE_STORE_PRIVATE_H

#include "base/arena.h"
#include "record/record.h"
#include "state/store/store.h"

/* An administrative reservation. */
struct maui_packed_rsv {
	struct maui_rsv rsv; /* except what follows */
	int owner_kind;
	int64_t end_s; /* 0: `endless` */
	bool endless;
	int64_t made_uid; /* -1: not known */
};

/* Nodes with tasks, consecutive numbers as ranges: "c[1-4]*2" means two tasks on each of c1 to c4,
 * "d7" one task on d7. */
struct maui_packed_instance {
	struct maui_store_period period;
	int64_t start_s, end_s;
	bool made;
	const char **nodes;
	size_t node_count;
};

struct maui_packed_cell {
	int32_t procs, time; /* indices of the grid */
	struct maui_figures figures;
};

/* Jobs of one step of an error (state/estimate_errors.h). */
struct maui_packed_estimate_error {
	char *partition;
	enum maui_estimate_kind kind;
	int ahead, error; /* steps */
	uint32_t jobs;
};

struct maui_packed_statistics {
	int64_t since_s;
	double capacity_ps, used_ps;
	struct maui_figures total;
	struct maui_packed_cell *grid;
	struct maui_statistics_row *rows;
	struct maui_packed_estimate_error *errors;
	size_t grid_count, row_count, error_count;
};

struct maui_packed_trial {
	int64_t began_s, ended_s, looked_s;
	uint32_t refused;
	struct maui_trial_sum sums[MAUI_TRIAL_OUTCOMES];
	struct maui_trial_cause *causes, *refusals;
	struct maui_trial_job *jobs;
	uint32_t cause_count, refusal_count, job_count;
};

/* The whole file. */
struct maui_packed_state {
	const char *schema;
	int64_t saved_s, chunk_until_s;
	struct maui_store_job_rsv *job_rsvs;
	struct maui_store_job *jobs;
	struct maui_packed_rsv *rsvs;
	struct maui_packed_instance *instances;
	struct maui_store_mirror *mirrors;
	struct maui_store_released *released;
	struct maui_store_record *records;
	struct maui_store_pending *pending;
	struct maui_store_trigger *triggers;
	struct maui_utilisation_span *spans;
	size_t job_rsv_count, job_count, rsv_count, instance_count, mirror_count, released_count;
	size_t record_count, pending_count, trigger_count, span_count;
	const struct maui_packed_statistics *statistics; /* NULL: not begun */
	const struct maui_packed_trial *trial;           /* NULL: there was none */
};

#define MAUI_STORE_SCHEMA "maui.state.v1"
extern const struct maui_record_type maui_packed_state_type, maui_packed_rsv_type;

/* read.c. 0; -1 or MAUI_STORE_NEWER with err: `ret` is empty. */
enum { MAUI_STORE_NEWER = -2 }; /* a file of a later slurm-maui, which must stay as it is */
int maui_store_read_text(const char *text, size_t length, struct maui_store *ret,
			 struct maui_err *err);

/* reservation.c. Unpacking: false: invalid; texts and lists are still those of `packed`. */
void maui_store_pack_rsv(const struct maui_rsv *rsv, struct maui_packed_rsv *ret);
bool maui_store_unpack_rsv(const struct maui_packed_rsv *packed, struct maui_rsv *ret);

/* nodes.c. Packing: -1 without memory. Unpacking: 1: invalid, -1 without memory. */
int maui_store_pack_nodes(const struct maui_store_instance *instance, struct maui_arena *arena,
			  struct maui_packed_instance *ret);
int maui_store_unpack_nodes(const struct maui_packed_instance *packed, struct maui_arena *arena,
			    struct maui_store_instance *ret);

/* statistics.c. -1 without memory. */
int maui_store_pack_statistics(const struct maui_statistics *statistics, struct maui_arena *arena,
			       struct maui_packed_statistics *ret);
int maui_store_unpack_statistics(const struct maui_packed_statistics *packed,
				 struct maui_statistics *ret);

/* trial.c */
void maui_store_pack_trial(const struct maui_trial *trial, struct maui_packed_trial *ret);
void maui_store_unpack_trial(const struct maui_packed_trial *packed, struct maui_trial *ret);

#endif
