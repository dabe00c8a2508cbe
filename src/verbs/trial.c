/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - the verb "trial" */

#include "verbs/trial.h"

MAUI_RECORD_TYPE(maui_trial_answer_sum, MAUI_TRIAL_ANSWER_SUM_FIELDS);
MAUI_RECORD_TYPE(maui_trial_answer_cause, MAUI_TRIAL_ANSWER_CAUSE_FIELDS);
MAUI_RECORD_TYPE(maui_trial_answer_job, MAUI_TRIAL_ANSWER_JOB_FIELDS);
MAUI_RECORD_TYPE(maui_trial_answer, MAUI_TRIAL_ANSWER_FIELDS);

MAUI_VERB(trial, STAFF, NULL, &maui_trial_answer_type, "the score of SERVERMODE TEST");
