/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_document.h - the document of a full cluster (mix.h), for benchmarks of answers
 *
 * The running jobs are what a plan of the empty machine starts.
 */
#ifndef MAUI_TESTSUITE_BENCH_MIX_DOCUMENT_H
#define MAUI_TESTSUITE_BENCH_MIX_DOCUMENT_H

#include "answers/document.h"
#include "mix.h"

/* All of user 1000. `running` jobs are offered to the empty machine; then `waiting` wait, with
 * start estimates for so many. The caller unrefs it. */
struct maui_document *bench_mix_document(const char *config_text, uint32_t nodes, uint32_t running,
					 uint32_t waiting, uint32_t estimates);

#endif
