/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden.h - cases with expected results: what the features of the runner share
 *
 * A case is a JSON object with id, feature, config, inputs, expected (README.md here describes the
 * fields of each feature). A feature compares every field of `expected`. An unknown field in inputs
 * or expected is a fault, so no field is ignored silently.
 */
#ifndef MAUI_TESTSUITE_GOLDEN_H
#define MAUI_TESTSUITE_GOLDEN_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "model/job.h"

/* One case being run. */
struct golden_case {
	const char *id;
	const char *config_text; /* "" when the case has none */
	json_object *inputs, *expected;
	double tolerance;  /* relative */
	const char *blank; /* parameter to parse the configuration without; NULL: none */
	FILE *out;         /* where faults go; NULL: nowhere */
	unsigned faults;
};

struct golden_feature {
	const char *name;
	void (*run)(struct golden_case *c);
};

extern const struct golden_feature golden_features[];
extern const size_t golden_feature_count;

void golden_run_priority(struct golden_case *c);
void golden_run_fairshare(struct golden_case *c);
void golden_run_config(struct golden_case *c);
void golden_run_qos(struct golden_case *c);
void golden_run_accrual(struct golden_case *c);
void golden_run_throttling(struct golden_case *c);
void golden_run_backfill(struct golden_case *c);
void golden_run_plan(struct golden_case *c);
void golden_run_acl(struct golden_case *c);
void golden_run_sr_window(struct golden_case *c);
void golden_run_rsv(struct golden_case *c);

/* ---- files (golden_file.c) ---- */

struct golden_file {
	const char *path;
	json_object *root;
	json_object *cases; /* array, borrowed of root */
	double tolerance;
};

/* -1 with a message on stderr. */
int golden_file_open(struct golden_file *file, const char *path);
void golden_file_close(struct golden_file *file);

/* The feature that runs a case; NULL: none yet. */
const struct golden_feature *golden_feature_of(json_object *test);
const char *golden_id(json_object *test); /* "?" without one */

/* Runs one case and returns whether it passed; faults are printed to `out`. */
bool golden_run(const struct golden_file *file, json_object *test, const char *blank, FILE *out);

/* ---- helpers of the features (golden_case.c) ---- */

/* The member of an object; NULL if it is missing or null, or the object is NULL. */
json_object *golden_get(json_object *object, const char *name);
double golden_get_number(json_object *object, const char *name, double missing);
int64_t golden_get_int(json_object *object, const char *name, int64_t missing);
bool golden_get_bool(json_object *object, const char *name, bool missing);
const char *golden_get_text(json_object *object, const char *name); /* NULL: missing */

/* The case's configuration, to be unref'ed; NULL after a fault. */
struct maui_config *golden_config(struct golden_case *c);

/* The same for cases about times and access of reservations, which need not say what is reserved:
 * one task each, unless the case sets something else. */
struct maui_config *golden_rsv_config(struct golden_case *c);

void golden_fault(struct golden_case *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A fault for every member of `object` that is not among the blank separated `names`; `what` is
 * the object's name in the message. */
void golden_check_known(struct golden_case *c, json_object *object, const char *what,
			const char *names);

/* Each compares with expected.<name> when that is there. */
void golden_expect_number(struct golden_case *c, json_object *expected, const char *name,
			  double got);
void golden_expect_int(struct golden_case *c, json_object *expected, const char *name, int64_t got);
void golden_expect_bool(struct golden_case *c, json_object *expected, const char *name, bool got);
/* got NULL is JSON's null. */
void golden_expect_text(struct golden_case *c, json_object *expected, const char *name,
			const char *got);

/* ---- jobs (golden_job.c) ---- */

/* The members of a job that golden_read_job() reads: credentials, amounts of each task, and a
 * quantity of all tasks under its own name. */
#define GOLDEN_QUANTITY(name, what) " " #name
#define GOLDEN_JOB                                                             \
	"user group account qos class tasks procs_per_task mem swap disk gpu " \
	"wclimit elapsed" MAUI_JOB_QUANTITIES(GOLDEN_QUANTITY)

void golden_read_job(const struct maui_config *config, json_object *in, struct maui_job *ret);

/* inputs.system */
void golden_read_totals(struct golden_case *c, const struct maui_config *config,
			struct maui_totals *ret);

/* ---- the schema (golden_schema.c) ---- */

/* Calls `each` for every parameter and attribute that is honoured, also if it is honoured
 * differently. `name` is the argument for --blank: NAME, or FAMILY.ATTRIBUTE with the first family
 * that has the attribute; `test` is the id of the case that proves it, "" if the schema names
 * none. */
void golden_each_honoured(void (*each)(const char *name, const char *test, void *data), void *data);

#endif
