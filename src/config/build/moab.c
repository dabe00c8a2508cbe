/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moab.c - ADMINCFG[n] and FSTREE[name] as the settings of Maui's that mean the same
 *
 * In: the settings as they were read. Out: ADMINCFG[1] USERS is ADMIN1. A tree of shares with one
 * level below its root gets further settings: FSTARGET of each member, its part of all shares in
 * percent. A deeper tree is reported and ignored: a share there is a part of the parent's, which
 * no FSTARGET says.
 *
 * Rules: CFG-18.
 */

#include "config/build/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/words.h"

static const char *index_of(const struct maui_setting *s)
{
	return s->index ? s->index : "";
}

/* ---- administrators ---- */

static bool is_attr(const struct maui_setting *s, unsigned family, const char *attr)
{
	return s->attr && s->param->family == family && strcmp(s->attr->name, attr) == 0;
}

/* Levels 1 to 4 are parameters here; the fifth of Moab's is everybody. */
static void rename_admins(struct maui_setting *s, struct maui_diags *diags)
{
	const char *level = index_of(s);
	char name[] = "ADMIN?";

	if (strlen(level) != 1 || *level < '1' || *level > '4') {
		maui_diags_add(
			diags, MAUI_WARNING, s->file, s->line, s->column,
			"ADMINCFG[%.32s] USERS: levels of administrators are 1 to 4, ignoring",
			level);
		s->ignored = true;
		return;
	}
	name[sizeof(name) - 2] = *level;
	s->param = maui_schema_find_param(name);
	s->attr = NULL;
	free(s->index);
	s->index = NULL;
}

/* ---- the tree ---- */

/* A member as it is written: kind:name@share, or the name of a node of the tree. */
struct member {
	enum maui_cred_kind kind;
	char *name; /* in `word` */
	double share;
	char *word;
};

struct tree {
	struct maui_config *config;
	struct maui_diags *diags;
	size_t list; /* index of the setting MEMBERLIST; settings move when one is added */
	struct member *members;
	size_t count;
	double sum;
};

/* No site has so many, and each is looked for in the whole file. */
enum { MEMBERS_MAX = 1000 };
#define SHARE_MAX 1e9

static const struct maui_setting *find_node(const struct maui_config *config, const char *name,
					    const char *attr)
{
	const struct maui_setting *found = NULL;

	for (size_t i = 0; i < config->setting_count; i++)
		if (is_attr(&config->settings[i], MAUI_FAMILY_TREE, attr) &&
		    strcmp(index_of(&config->settings[i]), name) == 0)
			found = &config->settings[i];
	return found;
}

static void refuse(const struct tree *t, const char *name, const char *why)
{
	const struct maui_setting *s = &t->config->settings[t->list];

	maui_diags_add(t->diags, MAUI_WARNING, s->file, s->line, s->column,
		       "FSTREE[%.64s] %.64s%s, ignoring: write FSTARGET of each user or account",
		       index_of(s), name, why);
}

/* Nodes of a tree of which none has members: their shares are shares of nothing. */
static void refuse_childless(const struct tree *t)
{
	for (size_t i = 0; i < t->config->setting_count; i++) {
		const struct maui_setting *s = &t->config->settings[i];

		if (!is_attr(s, MAUI_FAMILY_TREE, "SHARES"))
			continue;
		maui_diags_add(t->diags, MAUI_WARNING, s->file, s->line, s->column,
			       "FSTREE[%.64s] SHARES: no node of the tree has members, ignoring",
			       index_of(s));
		return;
	}
}

/* Nothing of the tree has an effect: config check and migrate say so of each part. */
static void give_up(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		struct maui_setting *s = &config->settings[i];

		if (is_attr(s, MAUI_FAMILY_TREE, "MEMBERLIST") ||
		    is_attr(s, MAUI_FAMILY_TREE, "SHARES"))
			s->attr = maui_schema_find_attr(MAUI_FAMILY_DEEP_TREE, s->attr->name);
	}
}

static bool parse_kind(const char *text, size_t length, enum maui_cred_kind *ret)
{
	static const struct {
		const char *word;
		enum maui_cred_kind kind;
	} words[] = {
		{ "user", MAUI_CRED_USER },    { "group", MAUI_CRED_GROUP },
		{ "acct", MAUI_CRED_ACCOUNT }, { "account", MAUI_CRED_ACCOUNT },
		{ "class", MAUI_CRED_CLASS },  { "qos", MAUI_CRED_QOS },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].word) == length &&
		    strncasecmp(words[i].word, text, length) == 0) {
			*ret = words[i].kind;
			return true;
		}
	return false;
}

/* The share behind '@', else SHARES of a node of this name; 0: neither. */
static double share_of(const struct maui_config *config, char *word)
{
	char *at = strchr(word, '@');
	const struct maui_setting *shares;
	double share = 0;

	if (at)
		*at++ = '\0';
	shares = find_node(config, word, "SHARES");
	if (at ? maui_number_parse(at, &share) != 0 :
		 (!shares || maui_number_parse(shares->value, &share) != 0))
		return 0;
	return share > 0 && share <= SHARE_MAX ? share : 0;
}

/* false: the member is no credential with a share; reported. */
static bool read_member(struct tree *t, struct member *m)
{
	bool good = false;
	char *colon;

	m->share = share_of(t->config, m->word);
	colon = strchr(m->word, ':');
	m->name = colon ? colon + 1 : m->word;
	if (find_node(t->config, m->word, "MEMBERLIST"))
		refuse(t, m->word, " has members of its own, and only one level of shares is read");
	else if (!colon || colon[1] == '\0' ||
		 !parse_kind(m->word, (size_t)(colon - m->word), &m->kind))
		refuse(t, m->word, " is not user:, group:, acct:, class: or qos: with a name");
	else if (m->share <= 0)
		refuse(t, m->word, " has no share");
	else if (m->kind != t->members[0].kind)
		refuse(t, m->word, " is of another kind than the members before it");
	else
		good = true;
	if (good && m->kind == MAUI_CRED_ACCOUNT)
		maui_cred_fold_account(m->name); /* as in all settings */
	return good;
}

/* ':' stands between kind and name, so only ',' and '|' separate members. */
static bool read_members(struct tree *t)
{
	struct maui_words words;
	bool good;

	if (maui_words_split_names(t->config->settings[t->list].value, ",| \t", &words))
		return false;
	good = words.count > 0 && words.count <= MEMBERS_MAX;
	if (!good)
		refuse(t, "", words.count ? "more than 1000 members" : "has no members");
	t->members = calloc(words.count + 1, sizeof(*t->members));
	for (size_t i = 0; t->members && good && i < words.count; i++) {
		t->members[i].word = strdup(words.list[i]);
		good = t->members[i].word && read_member(t, &t->members[i]);
		t->sum += t->members[i].share;
		t->count = i + 1;
	}
	maui_words_finish(&words);
	return good;
}

static void free_members(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->members[i].word);
	free(t->members);
}

static const struct maui_param *family_of(enum maui_cred_kind kind)
{
	for (size_t i = 0; i < maui_schema_param_count; i++)
		if (maui_schema_params[i].type == MAUI_TYPE_ATTRS &&
		    maui_schema_params[i].family == 1u << kind)
			return &maui_schema_params[i];
	return NULL;
}

static bool has_target(const struct maui_config *config, const struct maui_param *family,
		       const char *name)
{
	for (size_t i = 0; i < config->setting_count; i++)
		if (is_attr(&config->settings[i], family->family, "FSTARGET") &&
		    strcmp(index_of(&config->settings[i]), name) == 0)
			return true;
	return false;
}

/* Adds FSTARGET of a member, unless the file has one. */
static int add_target(struct tree *t, const struct member *m, struct maui_strbuf *targets)
{
	struct maui_config *config = t->config;
	const struct maui_param *family = family_of(m->kind);
	struct maui_setting *grown, *s;
	char value[32];

	if (has_target(config, family, m->name))
		return 0;
	snprintf(value, sizeof(value), "%.4f", 100 * m->share / t->sum);
	grown = maui_array_grow(config->settings, config->setting_count, &config->setting_alloc,
				sizeof(*grown));
	if (!grown)
		return -1;
	config->settings = grown;
	s = &grown[config->setting_count++];
	*s = (struct maui_setting){ .param = family,
				    .attr = maui_schema_find_attr(family->family, "FSTARGET"),
				    .index = strdup(m->name),
				    .value = strdup(value),
				    .file = grown[t->list].file,
				    .line = grown[t->list].line,
				    .column = grown[t->list].column };
	maui_strbuf_addf(targets, "%s%s[%s] FSTARGET=%s", targets->length ? ", " : "", family->name,
			 m->name, value);
	return s->index && s->value ? 0 : -1;
}

static int add_targets(struct tree *t)
{
	struct maui_strbuf targets = { 0 };
	const struct maui_setting *s;
	int rc = 0;

	for (size_t i = 0; i < t->count && rc == 0; i++)
		rc = add_target(t, &t->members[i], &targets);
	s = &t->config->settings[t->list];
	if (rc == 0 && targets.length > 0)
		maui_diags_add(t->diags, MAUI_NOTE, s->file, s->line, s->column,
			       "FSTREE[%.64s] is read as %.512s", index_of(s), targets.text);
	maui_strbuf_finish(&targets);
	return rc;
}

/* The one MEMBERLIST of the file; 0: none, else the number of lists and the last of them. */
static size_t find_list(const struct maui_config *config, size_t *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < config->setting_count; i++)
		if (is_attr(&config->settings[i], MAUI_FAMILY_TREE, "MEMBERLIST")) {
			count += count == 0 || strcmp(index_of(&config->settings[*ret]),
						      index_of(&config->settings[i])) != 0;
			*ret = i;
		}
	return count;
}

static int read_tree(struct maui_config *config, struct maui_diags *diags)
{
	struct tree t = { .config = config, .diags = diags };
	size_t count = find_list(config, &t.list);
	size_t warnings = diags->seen[MAUI_WARNING];
	int rc = 0;

	if (count == 0)
		refuse_childless(&t);
	else if (count > 1)
		refuse(&t, "and others", ": a tree of several nodes has several levels of shares");
	else if (read_members(&t))
		rc = add_targets(&t);
	if (rc == 0 && diags->seen[MAUI_WARNING] > warnings)
		give_up(config);
	free_members(&t);
	return rc;
}

int maui_build_moab(struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++)
		if (is_attr(&config->settings[i], MAUI_FAMILY_ADMIN, "USERS"))
			rename_admins(&config->settings[i], diags);
	return read_tree(config, diags);
}
