/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.h - answers "nodes": what is configured, available and reserved */
#ifndef MAUI_ANSWERS_NODES_H
#define MAUI_ANSWERS_NODES_H

#include "answers/question.h"

/* In: struct maui_nodes_args. Out: struct maui_nodes, of the finished plan; NULL with an error: no
 * plan yet, no such node, PrivateData=nodes, more nodes than are listed, no memory. */
const void *maui_answer_nodes(const struct maui_question *q, const void *args);

#endif
