/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - the verb "nodes" */

#include "verbs/nodes.h"

MAUI_RECORD_TYPE(maui_nodes_args, MAUI_NODES_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_nodes_holder, MAUI_NODES_HOLDER_FIELDS);
MAUI_RECORD_TYPE(maui_nodes_node, MAUI_NODES_NODE_FIELDS);
MAUI_RECORD_TYPE(maui_nodes, MAUI_NODES_FIELDS);

MAUI_VERB(nodes, NODES, &maui_nodes_args_type, &maui_nodes_type, "nodes, and what uses them");
