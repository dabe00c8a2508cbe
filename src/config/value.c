/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value.c - the text of one value by the type of its schema row (CFG-5, CFG-6) */

#include "config/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/words.h"
#include "config/config.h"
#include "config/schema/moab.h"

/* strtod() depends on the locale and accepts more forms than a maui.cfg has, so only digits and one
 * point are read here. */
int maui_number_parse(const char *text, double *ret)
{
	const char *p = text + (*text == '+' || *text == '-');
	double value = 0, scale = 1;
	size_t digits = 0;

	for (; *p >= '0' && *p <= '9'; p++, digits++)
		value = value * 10 + (*p - '0');
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, digits++) {
			value = value * 10 + (*p - '0');
			scale *= 10;
		}
	if (*p != '\0' || digits == 0 || digits > 300)
		return -1;
	/* one division of two exact integers rounds like strtod() for up to 15 digits */
	value /= scale;
	*ret = *text == '-' ? -value : value;
	return 0;
}

/* Marks a message as cut: a value may be longer than any message. */
static void mark_cut(struct maui_err *err)
{
	if (err && strlen(err->text) + 1 == sizeof(err->text))
		strcpy(err->text + sizeof(err->text) - sizeof("..."), "...");
}

static enum maui_value_result check_bounds(const struct maui_param *row, double value,
					   const char *text, struct maui_err *err)
{
	if ((row->min == 0 && row->max == 0) || (value >= row->min && value <= row->max))
		return MAUI_VALUE_OK;
	maui_err_set(err, "%s must be between %.15g and %.15g, got '%s'", row->name, row->min,
		     row->max, text);
	return MAUI_VALUE_BAD;
}

static enum maui_value_result parse_number(const struct maui_param *row, const char *text,
					   double *store, struct maui_err *err)
{
	size_t length = strlen(text);
	double value;

	if (length > 1 && text[length - 1] == '%') {
		maui_err_set(err, "%s: a weight in percent ('%s') has no effect, as in Maui",
			     row->name, text);
		return MAUI_VALUE_IGNORED;
	}
	if (maui_number_parse(text, &value)) {
		maui_err_set(err, "%s needs a number, got '%s'", row->name, text);
		return MAUI_VALUE_BAD;
	}
	if (check_bounds(row, value, text, err) != MAUI_VALUE_OK)
		return MAUI_VALUE_BAD;
	if (store)
		*store = value;
	return MAUI_VALUE_OK;
}

static bool is_unlimited(const char *text)
{
	return strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITY") == 0;
}

/* Whether -1 is no limit: MAXPROCPERJOB, SYSTEMMAXPROCPERJOB. */
static bool is_limit_of_a_job(const struct maui_param *row)
{
	return strncmp(row->name, "MAX", 3) == 0 || strncmp(row->name, "SYSTEMMAX", 9) == 0;
}

static enum maui_value_result parse_int(const struct maui_param *row, const char *text,
					int64_t *store, struct maui_err *err)
{
	char *end;
	long long value;

	if (is_limit_of_a_job(row) && is_unlimited(text))
		text = "-1";
	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end != '\0') {
		maui_err_set(err, "%s needs a whole number, got '%s'", row->name, text);
		return MAUI_VALUE_BAD;
	}
	if (check_bounds(row, (double)value, text, err) != MAUI_VALUE_OK)
		return MAUI_VALUE_BAD;
	if (errno == ERANGE) {
		maui_err_set(err, "%s: '%s' is out of range", row->name, text);
		return MAUI_VALUE_BAD;
	}
	if (store)
		*store = value;
	return MAUI_VALUE_OK;
}

static enum maui_value_result parse_time(const struct maui_param *row, const char *text,
					 int64_t *store, struct maui_err *err)
{
	struct maui_err why;
	int64_t value;

	if (maui_duration_parse(text, &value, &why)) {
		maui_err_set(err, "%s: %s", row->name, why.text);
		return MAUI_VALUE_BAD;
	}
	if (check_bounds(row, (double)value, text, err) != MAUI_VALUE_OK)
		return MAUI_VALUE_BAD;
	if (store)
		*store = value;
	return MAUI_VALUE_OK;
}

static enum maui_value_result parse_bool(const struct maui_param *row, const char *text,
					 bool *store, struct maui_err *err)
{
	bool value;

	if (maui_bool_parse(text, &value)) {
		maui_err_set(err, "%s needs TRUE or FALSE, got '%s'", row->name, text);
		return MAUI_VALUE_IGNORED;
	}
	if (store)
		*store = value;
	return MAUI_VALUE_OK;
}

enum maui_value_result maui_value_wrong(const struct maui_param *row, const char *word,
					size_t length, struct maui_err *err)
{
	const char *effect = maui_moab_word(row->name, word, length);
	char words[sizeof(err->text) - 64];

	if (effect) {
		maui_err_set(err, "%s: %.*s is Moab's word, ignoring: %s", row->name, (int)length,
			     word, effect);
		mark_cut(err);
		return MAUI_VALUE_IGNORED;
	}
	maui_err_set(err, "%s must be one of %s, got '%.*s'", row->name,
		     maui_schema_word_list(row, words, sizeof(words)), (int)length, word);
	mark_cut(err);
	return row->word_needed ? MAUI_VALUE_BAD : MAUI_VALUE_IGNORED;
}

static enum maui_value_result not_a_word(const struct maui_param *row, const char *text,
					 struct maui_err *err)
{
	return maui_value_wrong(row, text, strlen(text), err);
}

static enum maui_value_result parse_word(const struct maui_param *row, const char *text, int *store,
					 struct maui_err *err)
{
	int position = maui_schema_word(row, text, strlen(text));

	if (position < 0)
		return not_a_word(row, text, err);
	if (store)
		*store = position;
	return MAUI_VALUE_OK;
}

/* FSPOLICY: a word with an optional '%'. A true boolean means DEDICATEDPS, a false one NONE. */
static enum maui_value_result parse_fspolicy(const struct maui_param *row, const char *text,
					     struct maui_fs_policy_value *store,
					     struct maui_err *err)
{
	size_t length = strlen(text);
	bool ratio = length > 0 && text[length - 1] == '%';
	int position;
	bool flag;

	if (maui_bool_parse(text, &flag) == 0)
		position = flag ? MAUI_FS_DEDICATEDPS : MAUI_FS_NONE;
	else
		position = maui_schema_word(row, text, length - ratio);
	if (position < 0)
		return not_a_word(row, text, err);
	if (store)
		*store = (struct maui_fs_policy_value){ .metric = (enum maui_fs_policy)position,
							.ratio = ratio };
	return MAUI_VALUE_OK;
}

const struct maui_fs_target_words maui_fs_target_words[MAUI_FS_TARGET_COUNT] = {
	[MAUI_FS_TARGET_NONE] = { "", "none" },
	[MAUI_FS_TARGET] = { "", "target" },
	[MAUI_FS_TARGET_FLOOR] = { "+", "floor" },
	[MAUI_FS_TARGET_CEILING] = { "-", "ceiling" },
	[MAUI_FS_CAP_ABSOLUTE] = { "^", "absolute_cap" },
	[MAUI_FS_CAP_RELATIVE] = { "%", "relative_cap" },
};

/* <number>[suffix]; text behind the suffix is ignored (FS-6, FS-7). */
static enum maui_value_result parse_fstarget(const struct maui_param *row, const char *text,
					     struct maui_fs_target *store, struct maui_err *err)
{
	struct maui_fs_target target = { .kind = MAUI_FS_TARGET };
	size_t digits = strspn(text, "0123456789.");
	char number[64];

	if (digits >= sizeof(number))
		digits = sizeof(number) - 1;
	memcpy(number, text, digits);
	number[digits] = '\0';
	for (int kind = MAUI_FS_TARGET; kind < MAUI_FS_TARGET_COUNT; kind++)
		if (text[digits] != '\0' && text[digits] == *maui_fs_target_words[kind].suffix)
			target.kind = (enum maui_fs_target_kind)kind;
	if (maui_number_parse(number, &target.value) ||
	    (target.kind == MAUI_FS_TARGET && text[digits] != '\0')) {
		maui_err_set(err, "%s needs a number with an optional + - %% or ^, got '%s'",
			     row->name, text);
		return MAUI_VALUE_BAD;
	}
	/* a cap of Moab's is a percentage, unless it says otherwise */
	if (strcmp(row->name, "FSCAP") == 0 && target.kind != MAUI_FS_CAP_ABSOLUTE)
		target.kind = MAUI_FS_CAP_RELATIVE;
	if (target.value == 0)
		target.kind = MAUI_FS_TARGET_NONE;
	if (store)
		*store = target;
	return MAUI_VALUE_OK;
}

/* One of the two numbers of a limit: -1, UNLIMITED or INFINITY means no limit, 0 not set. */
static enum maui_value_result parse_limit_part(const struct maui_param *row, const char *text,
					       int64_t *ret, struct maui_err *err)
{
	enum maui_value_result result;

	if (is_unlimited(text))
		text = "-1";
	result = row->type == MAUI_TYPE_LIMIT ? parse_int(row, text, ret, err) :
						parse_time(row, text, ret, err);

	if (result == MAUI_VALUE_OK && *ret < -1) {
		maui_err_set(err, "%s needs a limit, 0 (not set) or -1 (no limit), got '%s'",
			     row->name, text);
		return MAUI_VALUE_IGNORED;
	}
	if (row->type == MAUI_TYPE_TIMELIMIT && *ret >= MAUI_TIME_INFINITY)
		*ret = -1;
	return result;
}

/* A soft value that is missing or above the hard value is replaced by the hard value (manual
 * 6.2.4). */
static enum maui_value_result store_limit(const struct maui_param *row, const char *text,
					  struct maui_limit limit, struct maui_limit *store,
					  struct maui_err *err)
{
	if (limit.hard == 0 && limit.soft > 0) {
		maui_err_set(err, "%s: a soft limit needs a hard one (-1: none), got '%s'",
			     row->name, text);
		return MAUI_VALUE_IGNORED;
	}
	if (limit.soft <= 0 || (limit.hard >= 0 && limit.soft > limit.hard))
		limit.soft = limit.hard;
	if (store)
		*store = limit;
	return MAUI_VALUE_OK;
}

/* [soft,]hard */
static enum maui_value_result parse_limit(const struct maui_param *row, const char *text,
					  struct maui_limit *store, struct maui_err *err)
{
	enum maui_value_result result = MAUI_VALUE_OK;
	struct maui_limit limit = { 0 };
	struct maui_words words;

	if (maui_words_split(text, row->type == MAUI_TYPE_LIMIT ? ",:" : ",", &words))
		return MAUI_VALUE_BAD;
	if (words.count < 1 || words.count > 2) {
		maui_err_set(err, "%s needs [soft,]hard, got '%s'", row->name, text);
		result = MAUI_VALUE_BAD;
	}
	for (size_t i = 0; i < words.count && result == MAUI_VALUE_OK; i++)
		result = parse_limit_part(row, words.list[i],
					  i + 1 < words.count ? &limit.soft : &limit.hard, err);
	maui_words_finish(&words);
	return result == MAUI_VALUE_OK ? store_limit(row, text, limit, store, err) : result;
}

static bool is_text(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

static bool next_word(const char *text, struct maui_list_word *word)
{
	static const char separators[] = ",|: \t";

	/* the word behind USERESERVED: is the name of a reservation */
	word->after_id = is_text(text + word->at, word->length, "USERESERVED");
	word->at += word->length;
	word->at += strspn(text + word->at, separators);
	word->length = strcspn(text + word->at, separators);
	/* Moab's ADVRES:<name> is one word: the name may be that of a flag */
	if (is_text(text + word->at, word->length, "ADVRES") &&
	    text[word->at + word->length] == ':')
		word->length += 1 + strcspn(text + word->at + word->length + 1, separators);
	return word->length > 0;
}

bool maui_value_next_wrong(const struct maui_param *row, const char *text,
			   struct maui_list_word *word)
{
	while (next_word(text, word))
		if (!word->after_id && maui_schema_word(row, text + word->at, word->length) < 0)
			return true;
	return false;
}

/* Whether any word is in the row; a list without words has none that is wrong. */
static bool words_count(const struct maui_param *row, const char *text)
{
	struct maui_list_word word = { 0 }, wrong = { 0 };

	while (next_word(text, &word))
		if (maui_schema_word(row, text + word.at, word.length) >= 0)
			return true;
	return !maui_value_next_wrong(row, text, &wrong);
}

/* Stores the words as bits by their position in the row. Unknown words are skipped, known ones
 * count; without a known one the former value stays. */
static enum maui_value_result parse_words(const struct maui_param *row, const char *text,
					  uint64_t *store, struct maui_err *err)
{
	struct maui_list_word word = { 0 }, wrong = { 0 };
	uint64_t mask = 0;

	while (next_word(text, &word)) {
		int position = maui_schema_word(row, text + word.at, word.length);

		if (position >= 0)
			mask |= UINT64_C(1) << position;
	}
	if (store && words_count(row, text))
		*store = mask;
	if (!maui_value_next_wrong(row, text, &wrong))
		return MAUI_VALUE_OK;
	return maui_value_wrong(row, text + wrong.at, wrong.length, err);
}

static enum maui_value_result parse_string(const char *text, char **store)
{
	char *copy;

	if (!store)
		return MAUI_VALUE_OK;
	copy = strdup(text);
	if (!copy)
		return MAUI_VALUE_BAD;
	free(*store);
	*store = copy;
	return MAUI_VALUE_OK;
}

/* A list of names; ALL among them makes the list empty, which means every name. */
static enum maui_value_result parse_names(const char *text, struct maui_words *store)
{
	struct maui_words words;

	if (!store)
		return MAUI_VALUE_OK;
	if (maui_words_split_names(text, ",|: \t", &words))
		return MAUI_VALUE_BAD;
	maui_words_finish(store);
	*store = words;
	for (size_t i = 0; i < words.count; i++)
		if (strcasecmp(words.list[i], "ALL") == 0 ||
		    strcasecmp(words.list[i], "[ALL]") == 0 ||
		    strcasecmp(words.list[i], "[NONE]") == 0) {
			maui_words_finish(store);
			*store = (struct maui_words){ 0 };
			break;
		}
	return MAUI_VALUE_OK;
}

/* A list of users. ALL has no special meaning here: a user could have this name. */
static enum maui_value_result parse_users(const char *text, struct maui_words *store)
{
	struct maui_words words;

	if (maui_words_split_names(text, ",|: \t", &words))
		return MAUI_VALUE_BAD;
	maui_words_finish(store);
	*store = words;
	return MAUI_VALUE_OK;
}

/* Takes the '&' or '^' off the end of the last QOS. */
static enum maui_qlist_mode take_mode(struct maui_words *words)
{
	char *last = words->count ? words->list[words->count - 1] : NULL;
	size_t length = last ? strlen(last) : 0;
	char mark = length > 0 ? last[length - 1] : '\0';

	if (mark != '&' && mark != '^')
		return MAUI_QLIST_OR;
	last[length - 1] = '\0';
	if (length == 1) {
		free(last);
		words->count--;
	}
	return mark == '&' ? MAUI_QLIST_AND : MAUI_QLIST_ONLY;
}

/* QLIST; a trailing '&' or '^' is the mode in which lists combine (THR-13). */
static enum maui_value_result parse_qlist(const char *text, struct maui_cred_config *cred)
{
	struct maui_words words;

	if (!cred)
		return MAUI_VALUE_OK;
	if (maui_words_split_names(text, ",|: \t", &words))
		return MAUI_VALUE_BAD;
	cred->qlist_mode = take_mode(&words);
	maui_words_finish(&cred->qlist);
	cred->qlist = words;
	return MAUI_VALUE_OK;
}

/* RMPOLLINTERVAL of Moab may have two times, of which the longer one counts. */
static enum maui_value_result parse_times(const struct maui_param *row, const char *text,
					  int64_t *store, struct maui_err *err)
{
	const char *comma = strcmp(row->name, "RMPOLLINTERVAL") == 0 ? strchr(text, ',') : NULL;
	char *first = comma ? strndup(text, (size_t)(comma - text)) : NULL;
	struct maui_param any = *row;
	int64_t one = 0, other = 0;
	bool good;

	if (!comma)
		return parse_time(row, text, store, err);
	any.min = any.max = 0; /* the shorter one may be 0 */
	good = first && parse_time(&any, first, &one, err) == MAUI_VALUE_OK &&
	       parse_time(&any, comma + 1, &other, err) == MAUI_VALUE_OK;
	free(first);
	if (other < one)
		other = one;
	if (!good || check_bounds(row, (double)other, text, err) != MAUI_VALUE_OK)
		return MAUI_VALUE_BAD;
	if (store)
		*store = other;
	return MAUI_VALUE_OK;
}

static enum maui_value_result parse_typed(const struct maui_param *row, const char *text,
					  void *base, struct maui_err *err)
{
	void *at = base && row->scope != MAUI_SCOPE_RAW ? (char *)base + row->offset : NULL;
	double number;
	enum maui_value_result result;

	maui_err_no_memory_for(err, row->name);
	if (*text == '\0') {
		maui_err_set(err, "%s has no value", row->name);
		return MAUI_VALUE_BAD;
	}
	switch (row->type) {
	case MAUI_TYPE_INT:
		if (row->scope != MAUI_SCOPE_PRIORITY)
			return parse_int(row, text, at, err);
		result = parse_int(row, text, NULL, err);
		if (result == MAUI_VALUE_OK && at && maui_number_parse(text, &number) == 0)
			*(double *)at = number;
		return result;
	case MAUI_TYPE_NUMBER:
		return parse_number(row, text, at, err);
	case MAUI_TYPE_BOOL:
		return parse_bool(row, text, at, err);
	case MAUI_TYPE_TIME:
		return parse_times(row, text, at, err);
	case MAUI_TYPE_WORD:
		return parse_word(row, text, at, err);
	case MAUI_TYPE_WORDS:
		return parse_words(row, text, at, err);
	case MAUI_TYPE_LIMIT:
	case MAUI_TYPE_TIMELIMIT:
		return parse_limit(row, text, at, err);
	case MAUI_TYPE_FSTARGET:
		return parse_fstarget(row, text, at, err);
	case MAUI_TYPE_FSPOLICY:
		return parse_fspolicy(row, text, at, err);
	case MAUI_TYPE_LIST:
		if (row->scope == MAUI_SCOPE_STACK || row->scope == MAUI_SCOPE_RSV)
			return parse_names(text, at);
		if (row->scope == MAUI_SCOPE_CONFIG)
			return at ? parse_users(text, at) : MAUI_VALUE_OK;
		return parse_qlist(text, row->scope == MAUI_SCOPE_CRED ? base : NULL);
	default:
		return parse_string(text, at);
	}
}

enum maui_value_result maui_value_parse(const struct maui_param *row, const char *text, void *base,
					struct maui_err *err)
{
	enum maui_value_result result = parse_typed(row, text, base, err);

	if (result != MAUI_VALUE_OK)
		mark_cut(err);
	else if (err)
		err->no_memory = false; /* what it was set to before there was any need of it */
	return result;
}

bool maui_value_counts(const struct maui_param *row, const char *text, struct maui_err *err)
{
	err->no_memory = false;
	if (row->type == MAUI_TYPE_WORDS && *text != '\0')
		return words_count(row, text);
	return maui_value_parse(row, text, NULL, err) == MAUI_VALUE_OK;
}
