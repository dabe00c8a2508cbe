/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait_text.h - why slurmctld keeps a waiting job, with what slurmctld knows of it
 *
 * The plan keeps jobs for reasons of its own; explain/text.h has their words. Begin times,
 * dependencies, partitions that are down and limits of Slurm are slurmctld's.
 *
 * 	begin time not reached: 22 Nov 2026 14:05:00
 * 	requeued; does not start before: 22 Nov 2026 14:05:00
 * 	waits for another job: 17, 18_3
 * 	held by an administrator
 * 	held: ReservationDeleted
 * 	would start now, but no job is started: another scheduler starts the jobs
 * 	waits for another job: one of 17, 18
 * 	refused by Slurm's own checks: PartitionNodeLimit
 *
 * Rules: CMD-21.
 */
#ifndef MAUI_ANSWERS_WAIT_TEXT_H
#define MAUI_ANSWERS_WAIT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "answers/document.h"

#define MAUI_WAIT_TEXT_SIZE 256

/* The first reason of the idle job with this index, if slurmctld keeps the job, or if the job would
 * start and nothing is started (SERVERMODE TEST); "": neither. Returns buf. */
char *maui_wait_text(const struct maui_document *p, uint32_t index, char buf[MAUI_WAIT_TEXT_SIZE]);

/* When the next task of an array at its limit (%N) may start; "": it is none. Reads all active
 * jobs. Returns buf. */
char *maui_wait_outlook(const struct maui_document *p, uint32_t index,
			char buf[MAUI_WAIT_TEXT_SIZE]);

/* The jobs that go for this one, and how long they may take; "": none. Reads all active jobs.
 * Returns buf. */
char *maui_wait_preempted(const struct maui_document *p, uint32_t index,
			  char buf[MAUI_WAIT_TEXT_SIZE]);

#endif
