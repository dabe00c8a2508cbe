/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos.c - QDEF and QLIST (THR-13) */

#include "policy/qos.h"

#include <stdlib.h>
#include <string.h>

/* Credentials with lists, in the manual's order of precedence; SYSCFG comes last. */
static const enum maui_cred_kind order[] = { MAUI_CRED_USER, MAUI_CRED_GROUP, MAUI_CRED_ACCOUNT,
					     MAUI_CRED_CLASS };
enum { SOURCES = sizeof(order) / sizeof(order[0]) + 1 };

static void sources(const struct maui_config *config, const char *const *cred,
		    const struct maui_cred_config *ret[SOURCES])
{
	for (int i = 0; i < SOURCES - 1; i++)
		ret[i] = maui_config_cred(config, order[i], cred[order[i]]);
	ret[SOURCES - 1] = &config->system;
}

const char *maui_qos_default(const struct maui_config *config, const char *const *cred)
{
	const struct maui_cred_config *from[SOURCES];

	sources(config, cred, from);
	for (int i = 0; i < SOURCES; i++)
		if (from[i]->qdef)
			return from[i]->qdef;
	return NULL;
}

static bool lists(const struct maui_cred_config *cred, const char *qos)
{
	return maui_words_contain(&cred->qlist, qos) || (cred->qdef && !strcmp(cred->qdef, qos));
}

bool maui_qos_allowed(const struct maui_config *config, const char *const *cred, const char *qos)
{
	const struct maui_cred_config *from[SOURCES];
	bool plain = false, both = false, listed = false;

	sources(config, cred, from);
	for (int i = 0; i < SOURCES; i++)
		if (from[i]->qlist.count > 0 && from[i]->qlist_mode == MAUI_QLIST_ONLY)
			return lists(from[i], qos);
	for (int i = 0; i < SOURCES; i++) {
		if (from[i]->qlist.count > 0 && from[i]->qlist_mode == MAUI_QLIST_AND) {
			if (!lists(from[i], qos))
				return false;
			both = true;
			continue;
		}
		plain |= from[i]->qlist.count > 0 || from[i]->qdef;
		listed |= lists(from[i], qos);
	}
	/* if no other list exists, the '&' lists themselves decide */
	return !config->restricts_qos || listed || (both && !plain);
}

/* Adds a QOS if it is allowed and not in the list yet. */
static int add_allowed(const struct maui_config *config, const char *const *cred, const char *qos,
		       struct maui_words *words)
{
	char **grown;

	if (maui_words_contain(words, qos) || !maui_qos_allowed(config, cred, qos))
		return 0;
	grown = realloc(words->list, (words->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	words->list = grown;
	grown[words->count] = strdup(qos);
	return grown[words->count] ? (words->count++, 0) : -1;
}

int maui_qos_list(const struct maui_config *config, const char *const *cred,
		  struct maui_words *ret_words)
{
	const struct maui_cred_config *from[SOURCES];
	int rc = 0;

	*ret_words = (struct maui_words){ 0 };
	sources(config, cred, from);
	for (int i = 0; i < SOURCES && rc == 0; i++) {
		for (size_t q = 0; q < from[i]->qlist.count && rc == 0; q++)
			rc = add_allowed(config, cred, from[i]->qlist.list[q], ret_words);
		if (from[i]->qdef && rc == 0)
			rc = add_allowed(config, cred, from[i]->qdef, ret_words);
	}
	if (rc)
		maui_words_finish(ret_words);
	return rc;
}
