/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnosed.h - answers about the document of cmd/diagnose-world, `p`
 *
 *	TestSuite(nodes, .init = begin_diagnosed, .fini = end_diagnosed);
 */
#ifndef MAUI_TESTSUITE_DIAGNOSED_H
#define MAUI_TESTSUITE_DIAGNOSED_H

#include "../cmd/diagnose-world.h"
#include "ask.h"

static struct maui_document *p;

static void begin_diagnosed(void)
{
	p = diagnose_world_publish(false);
	cr_assert(p);
}

static void end_diagnosed(void)
{
	maui_document_unref(p);
}

#endif
