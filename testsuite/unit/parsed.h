/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parsed.h - a maui.cfg's text parsed, with what was said about it, for unit tests */
#ifndef MAUI_TESTSUITE_PARSED_H
#define MAUI_TESTSUITE_PARSED_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"

struct parsed {
	struct maui_config *config; /* NULL: not accepted */
	struct maui_diags diags;
	char said[8192]; /* every diagnostic as it is printed, a line each */
};

static inline struct parsed parse_bytes(const char *text, size_t length,
					const struct maui_config_context *context)
{
	struct parsed p = { 0 };
	size_t at = 0;

	p.config = maui_config_parse("maui.cfg", text, length, context, &p.diags);
	for (size_t i = 0; i < p.diags.count && at + 1024 < sizeof(p.said); i++) {
		at += maui_diag_format(&p.diags.list[i], p.said + at, sizeof(p.said) - at - 1);
		p.said[at++] = '\n';
	}
	return p;
}

static inline struct parsed parse(const char *text)
{
	return parse_bytes(text, strlen(text), NULL);
}

static inline void parsed_finish(struct parsed *p)
{
	maui_config_unref(p->config);
	maui_diags_finish(&p->diags);
}

/* A configuration that must be accepted, to be unref'ed. */
#define PARSE_GOOD(text)                                                         \
	__extension__({                                                          \
		struct parsed good_ = parse(text);                               \
                                                                                 \
		cr_assert(good_.config != NULL, "not accepted: %s", good_.said); \
		maui_diags_finish(&good_.diags);                                 \
		good_.config;                                                    \
	})

#endif
