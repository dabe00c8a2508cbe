/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_value.c - access lists and tasks of reservations (Maui manual 7.1.5)
 *
 * Rules: RSV-37, ACL-13, CFG-6.
 */

#include "config/rsv_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/limits.h"
#include "base/words.h"

static const char *const attrs[MAUI_ACL_KIND_COUNT] = {
	[MAUI_CRED_USER] = "USERLIST",       [MAUI_CRED_GROUP] = "GROUPLIST",
	[MAUI_CRED_ACCOUNT] = "ACCOUNTLIST", [MAUI_CRED_QOS] = "QOSLIST",
	[MAUI_CRED_CLASS] = "CLASSLIST",     [MAUI_ACL_JOBATTR] = "JOBATTRLIST",
	[MAUI_ACL_DURATION] = "TIMELIMIT",   [MAUI_ACL_TASK] = "TASKLIMIT",
	[MAUI_ACL_PROC] = "PROCLIMIT",
};

const char *maui_acl_attr(int kind)
{
	return attrs[kind];
}

int maui_acl_kind_of(const char *attr)
{
	for (int kind = 0; kind < MAUI_ACL_KIND_COUNT; kind++)
		if (strcmp(attrs[kind], attr) == 0)
			return kind;
	return -1;
}

const char *maui_acl_separators(int kind)
{
	return kind == MAUI_ACL_DURATION ? ",| \t" : ",|: \t";
}

static bool is_limit(int kind)
{
	return kind == MAUI_ACL_DURATION || kind == MAUI_ACL_TASK || kind == MAUI_ACL_PROC;
}

/* ---- one entry ---- */

static bool take_mark(char mark, struct maui_acl_entry *entry)
{
	switch (mark) {
	case '+':
		entry->affinity = MAUI_AFFINITY_POSITIVE;
		return true;
	case '-':
		entry->affinity = MAUI_AFFINITY_NEGATIVE;
		return true;
	case '=':
		entry->affinity = MAUI_AFFINITY_NEUTRAL;
		return true;
	case '*':
		return entry->required = true;
	case '!':
		return entry->deny = true;
	case '^':
		return entry->xor = true;
	default:
		return false;
	}
}

/* Takes the comparison off a limit and sets entry->value to the correction of the number that
 * follows: -1 for <, 1 for >, because all numbers are whole. */
static char *strip_order(char *word, struct maui_acl_entry *entry)
{
	static const struct {
		const char *text;
		enum maui_acl_order order;
		int64_t more;
	} orders[] = { { "<=", MAUI_ACL_AT_MOST, 0 },
		       { ">=", MAUI_ACL_AT_LEAST, 0 },
		       { "==", MAUI_ACL_EXACTLY, 0 },
		       { "<", MAUI_ACL_AT_MOST, -1 },
		       { ">", MAUI_ACL_AT_LEAST, 1 } };

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		size_t length = strlen(orders[i].text);

		if (strncmp(word, orders[i].text, length) != 0)
			continue;
		entry->order = (int)orders[i].order;
		entry->value = orders[i].more;
		return word + length;
	}
	return word;
}

/* Takes the marks off both ends of a word, in place; returns the rest. */
static char *strip_marks(char *word, struct maui_acl_entry *entry)
{
	size_t length;

	if (is_limit(entry->kind))
		word = strip_order(word, entry);
	while (*word != '\0' && take_mark(*word, entry))
		word++;
	for (length = strlen(word); length > 0 && take_mark(word[length - 1], entry); length--)
		word[length - 1] = '\0';
	return word;
}

/* Skips the entry with a warning. */
static enum maui_value_result skip_entry(struct maui_err *err, bool *ret_add, const char *attr,
					 const char *word, const char *why)
{
	*ret_add = false;
	maui_err_set(err, "%s: '%s' %s", attr, word, why);
	return MAUI_VALUE_IGNORED;
}

/* TIMELIMIT admits short jobs, so only < and <= make sense. */
static enum maui_value_result read_time(struct maui_acl_entry *entry, const char *word,
					struct maui_err *err)
{
	int64_t time;
	struct maui_err why;

	if (entry->order != MAUI_ACL_AT_MOST) {
		maui_err_set(err, "TIMELIMIT is a maximum: '%s' can have only < or <= before it",
			     word);
		return MAUI_VALUE_BAD;
	}
	if (maui_duration_parse(word, &time, &why)) {
		maui_err_set(err, "TIMELIMIT: %s", why.text);
		return MAUI_VALUE_BAD;
	}
	entry->value = time >= MAUI_TIME_INFINITY ? MAUI_NEVER : time + entry->value;
	if (entry->value < 0) {
		maui_err_set(err, "TIMELIMIT: no time is below 0");
		return MAUI_VALUE_BAD;
	}
	if (!entry->deny && !entry->xor)
		return MAUI_VALUE_OK;
	entry->deny = entry->xor = false;
	maui_err_set(err, "TIMELIMIT: ! and ^ mean nothing for '%s'", word);
	return MAUI_VALUE_IGNORED;
}

static enum maui_value_result read_limit(struct maui_acl_entry *entry, const char *word,
					 bool *ret_add, struct maui_err *err)
{
	if (entry->kind == MAUI_ACL_DURATION)
		return read_time(entry, word, err);
	entry->value += strtoll(word, NULL, 10);
	if (entry->value >= 0 && *word != '\0' && strspn(word, "0123456789") == strlen(word) &&
	    strlen(word) < 16)
		return MAUI_VALUE_OK;
	*ret_add = false;
	maui_err_set(err, "%s needs a whole number, got '%s'", attrs[entry->kind], word);
	return MAUI_VALUE_BAD;
}

static enum maui_value_result read_name(struct maui_acl_entry *entry, const char *word,
					bool *ret_add, struct maui_err *err)
{
	const char *attr = attrs[entry->kind];

	if (strpbrk(word, ",|:")) /* between quotes behind a bracket, it separated nothing */
		return skip_entry(err, ret_add, attr, word, "is no name");
	if (*word == '\0')
		return skip_entry(err, ret_add, attr, word, "is an entry without a name");
	if (strcasecmp(word, "ALL") == 0 || strcasecmp(word, "[ALL]") == 0)
		return skip_entry(err, ret_add, attr, word,
				  "in Maui means 'not set', so no job is admitted; list names");
	if (entry->kind == MAUI_ACL_JOBATTR && strcasecmp(word, "PREEMPTEE") != 0)
		return skip_entry(err, ret_add, attr, word,
				  "is not a job attribute: only PREEMPTEE is known");
	entry->name = strdup(entry->kind == MAUI_ACL_JOBATTR ? "PREEMPTEE" : word);
	if (!entry->name) {
		maui_err_no_memory_for(err, attr);
		return MAUI_VALUE_BAD;
	}
	if (entry->kind == MAUI_CRED_ACCOUNT)
		maui_cred_fold_account(entry->name);
	return MAUI_VALUE_OK;
}

/* -1 is no limit, with marks behind it, too. */
static bool stands_for_none(int kind, const char *word)
{
	return strcasecmp(word, "[NONE]") == 0 || strcasecmp(word, "NONE") == 0 ||
	       (is_limit(kind) && strncmp(word, "-1", 2) == 0 &&
		strspn(word + 2, "+-=*!^") == strlen(word + 2));
}

/* The mark - stands behind a limit: before it, it would be taken for a sign. */
static bool is_negative(int kind, const char *word)
{
	word += strspn(word, "<>=");
	return is_limit(kind) && word[0] == '-' && isdigit((unsigned char)word[1]);
}

static enum maui_value_result read_entry(struct maui_acl *acl, int kind, char *word,
					 struct maui_err *err)
{
	struct maui_acl_entry entry = { .kind = kind, .affinity = MAUI_AFFINITY_POSITIVE };
	struct maui_acl_entry *grown;
	enum maui_value_result result;
	bool add = true;

	if (stands_for_none(kind, word))
		return MAUI_VALUE_OK;
	if (is_negative(kind, word)) {
		maui_err_set(err, "%s: '%s' is below 0; the mark - stands behind the limit",
			     attrs[kind], word);
		return MAUI_VALUE_BAD;
	}
	word = strip_marks(word, &entry);
	result = is_limit(kind) ? read_limit(&entry, word, &add, err) :
				  read_name(&entry, word, &add, err);
	if (result == MAUI_VALUE_BAD || !add)
		return result;
	grown = maui_array_grow(acl->list, acl->count, &acl->alloc, sizeof(*grown));
	if (!grown) {
		free(entry.name);
		maui_err_no_memory_for(err, attrs[kind]);
		return MAUI_VALUE_BAD;
	}
	acl->list = grown;
	grown[acl->count++] = entry;
	return result;
}

enum maui_value_result maui_acl_parse(struct maui_acl *acl, int kind, const char *text,
				      struct maui_err *err)
{
	enum maui_value_result result = MAUI_VALUE_OK;
	size_t before = acl->count;
	char *plain = is_limit(kind) ? strdup(text) : maui_rsv_strip_brackets(text);
	struct maui_words words;

	if (!plain || maui_words_split_names(plain, maui_acl_separators(kind), &words)) {
		free(plain);
		maui_err_no_memory_for(err, attrs[kind]);
		return MAUI_VALUE_BAD;
	}
	free(plain);
	for (size_t i = 0; i < words.count && result != MAUI_VALUE_BAD; i++) {
		struct maui_err why;
		enum maui_value_result one = read_entry(acl, kind, words.list[i], &why);

		if (one == MAUI_VALUE_BAD || (one != MAUI_VALUE_OK && result == MAUI_VALUE_OK)) {
			if (err)
				*err = why;
			result = one;
		}
	}
	maui_words_finish(&words);
	while (result == MAUI_VALUE_BAD && acl->count > before)
		free(acl->list[--acl->count].name);
	return result;
}

/* ---- resources of a task ---- */

static int64_t *find_amount(struct maui_rsv_task *task, const char *name, size_t length)
{
	const struct {
		const char *name;
		int64_t *place;
	} names[] = { { "PROCS", &task->procs },
		      { "PROC", &task->procs },
		      { "MEM", &task->mem_mb },
		      { "DISK", &task->disk_mb },
		      { "SWAP", &task->swap_mb } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == length &&
		    strncasecmp(names[i].name, name, length) == 0)
			return names[i].place;
	return NULL;
}

/* -1: not an amount. INT32_MAX is the most, so that the product of two amounts does not
 * overflow. */
static int read_amount(const char *text, int64_t *ret)
{
	size_t length = strlen(text);

	if (strcmp(text, "-1") == 0 || strcasecmp(text, "[ALL]") == 0 ||
	    strcasecmp(text, "ALL") == 0)
		return *ret = -1, 0;
	if (length == 0 || length > 10 || strspn(text, "0123456789") != length)
		return -1;
	*ret = atoll(text);
	return *ret <= INT32_MAX ? 0 : -1;
}

static int read_amounts(struct maui_rsv_task *task, const struct maui_words *words,
			struct maui_err *err)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->list[i];
		size_t length = strcspn(word, ":=");
		int64_t *place = find_amount(task, word, length);

		if (!place)
			return maui_err_set(
				err,
				"RESOURCES: '%.*s' is not a resource of a task: use PROCS, MEM, DISK or SWAP",
				(int)(length < 100 ? length : 100), word);
		if (word[length] == '\0' || read_amount(word + length + 1, place))
			return maui_err_set(err,
					    "RESOURCES: '%s' needs %.*s:<number> from 0 to %d, "
					    "-1 for all",
					    word, (int)length, word, INT32_MAX);
	}
	if (task->procs == 0 && task->mem_mb == 0 && task->disk_mb == 0 && task->swap_mb == 0)
		return maui_err_set(err, "RESOURCES: a task needs at least one resource");
	return 0;
}

enum maui_value_result maui_rsv_parse_task(struct maui_rsv_task *task, const char *text,
					   struct maui_err *err)
{
	struct maui_rsv_task read = { 0 };
	struct maui_words words;
	int rc;

	if (maui_words_split(text, ";,|+ \t", &words)) {
		maui_err_no_memory_for(err, "RESOURCES");
		return MAUI_VALUE_BAD;
	}
	rc = read_amounts(&read, &words, err);
	maui_words_finish(&words);
	if (rc)
		return MAUI_VALUE_BAD;
	*task = read;
	return MAUI_VALUE_OK;
}

/* ---- owner ---- */

enum maui_value_result maui_rsv_parse_owner(int *ret_kind, char **ret_name, const char *text,
					    struct maui_err *err)
{
	size_t length = strcspn(text, ":");
	enum maui_cred_kind kind = MAUI_CRED_COUNT;
	char word[16], *name;

	if (length < sizeof(word)) {
		memcpy(word, text, length);
		word[length] = '\0';
		kind = maui_cred_parse(word);
	}
	if (kind == MAUI_CRED_COUNT) {
		maui_err_set(err,
			     "OWNER needs USER, GROUP, ACCOUNT, QOS or CLASS with :<name>, "
			     "got '%s'",
			     text);
		return MAUI_VALUE_BAD;
	}
	if (text[length] == '\0' || text[length + 1] == '\0') {
		maui_err_set(err, "OWNER has no name: write %s:<name>", word);
		return MAUI_VALUE_BAD;
	}
	name = strdup(text + length + 1);
	if (!name) {
		maui_err_no_memory_for(err, "OWNER");
		return MAUI_VALUE_BAD;
	}
	if (kind == MAUI_CRED_ACCOUNT)
		maui_cred_fold_account(name);
	free(*ret_name);
	*ret_name = name;
	*ret_kind = (int)kind;
	return MAUI_VALUE_OK;
}
