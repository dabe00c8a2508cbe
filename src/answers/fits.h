/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.h - answers "fits": what is free now for a user's next job
 *
 * Rules: CMD-40, CMD-41.
 */
#ifndef MAUI_ANSWERS_FITS_H
#define MAUI_ANSWERS_FITS_H

#include "answers/question.h"

/* In: struct maui_fits_args. Out: struct maui_fits; NULL with an error: wrong arguments, an unknown
 * partition, no plan, no memory. */
const void *maui_answer_fits(const struct maui_question *q, const void *args);

#endif
