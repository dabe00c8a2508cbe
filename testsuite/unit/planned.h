/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planned.h - answers about a document `p`, which a test publishes of its plan_world `w`
 *
 *	TestSuite(queue, .init = begin, .fini = end_planned);
 */
#ifndef MAUI_TESTSUITE_PLANNED_H
#define MAUI_TESTSUITE_PLANNED_H

#include "answers/document.h"

#include "ask.h"
#include "plan_world.h"

static struct world w;
static struct maui_document *p;

static void end_planned(void)
{
	maui_document_unref(p);
	p = NULL;
	world_finish(&w);
	w = (struct world){ 0 };
}

#endif
