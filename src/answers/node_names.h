/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_names.h - the nodes of a job or a reservation as one text: "n[1-4],g1" */
#ifndef MAUI_ANSWERS_NODE_NAMES_H
#define MAUI_ANSWERS_NODE_NAMES_H

#include "answers/question.h"

/* NULL without memory, with the error. */
const char *maui_rsv_node_names(const struct maui_question *q, const struct maui_document_rsv *row);

#endif
