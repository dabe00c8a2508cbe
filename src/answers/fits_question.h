/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_question.h - what showbf and maui fits ask: whose job, what it requests, and where
 *
 * Rules: CMD-40.
 */
#ifndef MAUI_ANSWERS_FITS_QUESTION_H
#define MAUI_ANSWERS_FITS_QUESTION_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "answers/document.h"
#include "answers/object.h"
#include "base/arena.h"
#include "base/words.h"
#include "explain/offer.h"
#include "query/message.h"

struct maui_fits_asked {
	const struct maui_document *p;
	const struct maui_snapshot *s;
	uid_t uid;
	const char *user; /* as the question names it */
	const char *cred[MAUI_CRED_COUNT];
	char number[16];   /* the user, when slurmctld does not know the name */
	bool hides_others; /* PrivateData: only of the asker's own credentials */
	const char *features, *reservation;
	bool claimed; /* the reservation is Slurm's own: */
	uint32_t claim;
	int64_t *gres; /* of each node, in the snapshot's dimensions; NULL: none */
	int64_t *gpus; /* of the whole job */
	/* of each partition and dimension: what nodes that are up have, and what jobs have of it */
	int64_t *gres_total, *gres_used;
	struct maui_arena arena;      /* of these */
	struct maui_words partitions; /* none: all of them */
	int64_t nodes, nodes_max, tasks, cpus, mem, mem_per_cpu;
	int64_t limit_s; /* 0: the job names none; MAUI_NEVER: UNLIMITED */
	int64_t least_s, least_nodes, horizon_s, parts;
	int whole;
	bool names_memory; /* 0 is all memory of its nodes, where jobs consume memory */
	bool shaped;       /* a job of one shape is asked for */
	bool account_assumed;
	struct maui_explainer *x;
	struct maui_throttle *throttle;
};

/* A job's request, with the vectors that it points to. */
struct maui_fits_request {
	struct maui_request r;
	int64_t *per_node, *per_task, *per_proc, *least;
};

/* A request without content, whose vectors are in `amounts`: MAUI_FITS_VECTORS of the snapshot's
 * dimensions. */
enum { MAUI_FITS_VECTORS = 4 };
struct maui_fits_request maui_fits_request_in(const struct maui_fits_asked *a, int64_t *amounts);

/* Reads the arguments of the verb. -1 with error; then, too, the caller finishes `a`. */
int maui_fits_read(json_object *args, struct maui_fits_asked *a, struct maui_query_error *error);
void maui_fits_finish(struct maui_fits_asked *a);

/* Whether the partition is one of those that are asked for. */
bool maui_fits_asks(const struct maui_fits_asked *a, uint32_t partition);

/* What the partition gives a job that does not say otherwise. */
struct maui_document_partition maui_fits_rules(const struct maui_fits_asked *a, uint32_t partition);

/* Slurm's own check: the job names a limit above MaxTime, or is to last that long. */
bool maui_fits_is_too_long(const struct maui_fits_asked *a, uint32_t partition);
/* Whether maui.cfg lets the user have the QOS in the partition (THR-13). */
bool maui_fits_qos_is_open(const struct maui_fits_asked *a, const struct maui_offer_question *q);

/* The question about one partition. `request` has the vectors, and is borrowed. -1 without
 * memory. */
int maui_fits_ask(const struct maui_fits_asked *a, uint32_t partition,
		  struct maui_fits_request *request, struct maui_offer_question *ret);

/* Adds "shape": whether a job of the shape starts, and what would help. `up`: the partition starts
 * jobs. -1 without memory. */
int maui_fits_put_shape(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			bool up, struct maui_object *ret);

#endif
