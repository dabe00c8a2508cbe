/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.c - maui.cfg line by line (grammar: maui-3.3 manual, appendix F)
 *
 *   NAME['['INDEX']'] [=] VALUE           one setting
 *   XXXCFG['['INDEX']'] ATTR['['SUB']']=VALUE ...   one setting an attribute
 *
 * ATTR+=VALUE adds to a list, as in Moab. A blank between double quotes belongs to the index or the
 * value (quotes.h).
 *
 * N.B. Sites write blanks into lists (QOSLIST=high low special-), as the manual itself does: the
 * words behind the blank are taken as further entries, with a warning.
 *
 * Rules: CFG-1, CFG-3, CFG-17.
 */

#include "config/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/words.h"
#include "config/lexer.h"
#include "config/quotes.h"

struct parser {
	struct maui_config *config;
	struct maui_diags *diags;
	struct maui_lexer lexer;
	const char *file; /* one of config->files */
	bool is_file;     /* a user can look up positions in it */
	bool no_memory;
};

/* NAME[index] cut out of a line, in place. */
struct name {
	char *text;
	char *index; /* NULL: none */
};

static const char *const blanks = " \t\r\v\f";

/* 0 and 0 in a text that is no file. */
static void find_position(const struct parser *p, const char *at, uint32_t *ret_line,
			  uint32_t *ret_column)
{
	*ret_line = *ret_column = 0;
	if (p->is_file)
		maui_lexer_position(&p->lexer, at, ret_line, ret_column);
}

static void complain(struct parser *p, enum maui_severity severity, const char *at, const char *fmt,
		     ...) __attribute__((format(printf, 4, 5)));

static void complain(struct parser *p, enum maui_severity severity, const char *at, const char *fmt,
		     ...)
{
	uint32_t line, column;
	char text[MAUI_DIAG_MAX_TEXT + 1]; /* so that maui_diags_add() sees when it is too long */
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	find_position(p, at, &line, &column);
	maui_diags_add(p->diags, severity, p->file, line, column, "%s", text);
}

/* Cuts NAME or NAME[index] off *at and leaves *at behind it, at a blank, a '=' or the end;
 * *ret_stop is the byte that was there. Reports an index without an end within `most` bytes and
 * returns false. */
static bool cut_name(struct parser *p, char **at, size_t most, struct name *ret, char *ret_stop)
{
	char *end = *at + strcspn(*at, "[= \t\r\v\f");

	ret->text = *at;
	ret->index = NULL;
	if (*end == '[') {
		size_t length = maui_lexer_index(end + 1, strnlen(end + 1, most));
		char *close = end + 1 + length;

		if (length == SIZE_MAX) {
			complain(p, MAUI_ERROR, end, "'[' without ']'%s%.*s",
				 end == *at ? ", and without a name before it" : " behind ",
				 (int)(end - *at), *at);
			return false;
		}
		*end = '\0';
		ret->index = end + 1;
		end = close;
		*end++ = '\0';
	}
	*ret_stop = *end;
	if (*end != '\0' && (!ret->index || *end == '=' || strchr(blanks, *end)))
		*end++ = '\0';
	*at = end;
	return true;
}

/* `at` and `value` point into the lexer's text. */
static struct maui_setting *add_setting(struct parser *p, const struct maui_param *param,
					const struct maui_param *attr, const char *index,
					const char *sub, const char *value, const char *at)
{
	struct maui_config *config = p->config;
	struct maui_setting *s, *grown = maui_array_grow(config->settings, config->setting_count,
							 &config->setting_alloc, sizeof(*grown));

	if (!grown) {
		p->no_memory = true;
		return NULL;
	}
	config->settings = grown;
	s = &grown[config->setting_count++];
	*s = (struct maui_setting){ .param = param, .attr = attr, .file = p->file };
	s->index = index ? strdup(index) : NULL;
	s->sub = sub ? strdup(sub) : NULL;
	s->value = strdup(value);
	s->quoted_index = index && strchr(index, '"');
	if (s->index)
		maui_quotes_remove(s->index);
	if (s->sub)
		maui_quotes_remove(s->sub);
	if (!s->value || (index && !s->index) || (sub && !s->sub))
		p->no_memory = true;
	find_position(p, at, &s->line, &s->column);
	find_position(p, value, &s->value_line, &s->value_column);
	s->value_length = strlen(value);
	return s;
}

void maui_setting_place(const struct maui_setting *s, size_t offset, uint32_t *ret_line,
			uint32_t *ret_column)
{
	bool known = s->value_line > 0 && offset < s->value_length;

	*ret_line = known ? s->value_line : s->line;
	*ret_column = known ? s->value_column + (uint32_t)offset : s->column;
}

static void unknown(struct parser *p, unsigned family, const char *what, const char *name,
		    const char *at)
{
	const char *guess = NULL;

	/* no suggestions for the thousands of unknown words of a binary file */
	if (p->diags->seen[MAUI_WARNING] < MAUI_DIAG_MAX)
		guess = maui_schema_suggest(family, name);
	if (guess)
		complain(p, MAUI_WARNING, at, "unknown %s '%s', ignoring (did you mean %s?)", what,
			 name, guess);
	else
		complain(p, MAUI_WARNING, at, "unknown %s '%s', ignoring", what, name);
}

/* A word behind a blank inside a list: "QOSLIST=high low". */
static void extend_list(struct parser *p, struct maui_setting *last, const char *word,
			const char *at)
{
	char *joined;

	if (strlen(last->value) + strlen(word) > MAUI_CONFIG_MAX_LIST) {
		complain(p, MAUI_ERROR, at, "list of %s longer than %u bytes", last->attr->name,
			 MAUI_CONFIG_MAX_LIST);
		return;
	}
	complain(p, MAUI_WARNING, at,
		 "blank inside the list of %s: '%s' is read as a further entry", last->attr->name,
		 word);
	if (asprintf(&joined, "%s,%s", last->value, word) < 0) {
		p->no_memory = true;
		return;
	}
	free(last->value);
	last->value = joined;
}

static const struct maui_param *find_attr(unsigned family, const char *name)
{
	const struct maui_param *attr = maui_schema_find_attr(family, name);
	const struct maui_alias *alias;

	if (attr)
		return attr;
	alias = maui_schema_find_attr_alias(family, name);
	return alias ? maui_schema_find_attr(family, alias->attr) : NULL;
}

/* Cuts the sign of Moab's operators ATTR+=, ATTR-=, ATTR&= and ATTR^= off an attribute's name; 0:
 * there is none. */
static char cut_operator(unsigned family, char *name)
{
	size_t length = strlen(name);
	char sign = length > 1 ? name[length - 1] : '\0';

	if (sign == '\0' || !strchr("+-&^", sign))
		return '\0';
	name[length - 1] = '\0';
	if (find_attr(family, name))
		return sign;
	name[length - 1] = sign;
	return '\0';
}

/* Whether the operator says something of this attribute. What slurm.conf has is only named, with
 * any operator. */
static bool is_understood(const struct maui_param *attr, char sign)
{
	bool list = attr->type == MAUI_TYPE_LIST || attr->type == MAUI_TYPE_WORDS;

	return sign == '\0' || (sign == '+' && list) ||
	       (attr->status != MAUI_HONOURED && attr->status != MAUI_DIFFERENT);
}

/* The value behind '=', up to the next blank. "ATTR = value" and "ATTR= value" are accepted if the
 * word behind the blank cannot be an attribute. */
static char *cut_value(char **at, char stop)
{
	char *value = *at;

	value += strspn(value, blanks);
	if (stop != '=') {
		if (*value != '=')
			return NULL;
		value++;
		value += strspn(value, blanks);
	} else if (value != *at && memchr(value, '=', strcspn(value, " \t\r\v\f\""))) {
		*at = value; /* the next word is an attribute, so this one has no value */
		value[-1] = '\0';
		return value - 1;
	}
	*at = value + maui_word_length(value, blanks);
	if (**at != '\0')
		*(*at)++ = '\0';
	return value;
}

/* A word with quotes that are not part of an index or a value: a further entry of a list. */
static bool parse_quoted_word(struct parser *p, const struct maui_param *param, char **at,
			      struct maui_setting *list)
{
	char *start = *at, *end;

	if (start[strcspn(start, "[= \t\r\v\f\"")] != '"')
		return false;
	end = start + maui_word_length(start, blanks);
	*at = end + (*end != '\0');
	*end = '\0';
	if (list)
		extend_list(p, list, start, start);
	else
		unknown(p, param->family, "attribute", start, start);
	return true;
}

/* One attribute of a *CFG line; leaves *at behind it. */
static void parse_attr(struct parser *p, const struct maui_param *param, const char *index,
		       char **at, size_t *last)
{
	struct maui_setting *list = *last != SIZE_MAX ? &p->config->settings[*last] : NULL;
	char *start = *at, stop, *value;
	const struct maui_param *attr;
	struct name name;
	char sign;

	if (list && list->attr->type != MAUI_TYPE_LIST)
		list = NULL;
	if (parse_quoted_word(p, param, at, list))
		return;
	if (!cut_name(p, at, MAUI_LEXER_MAX_SUB, &name, &stop)) {
		*at = start + strlen(start);
		return;
	}
	sign = stop == '=' ? cut_operator(param->family, name.text) : '\0';
	attr = find_attr(param->family, name.text);
	if (!attr && list && stop == '=' && (**at == '\0' || strchr(blanks, **at))) {
		*(*at - 1) = '='; /* "normal= high": the '=' is the neutral mark of the entry */
		if (**at != '\0')
			*(*at)++ = '\0';
		extend_list(p, list, name.text, start);
		return;
	}
	value = cut_value(at, stop);
	if (!value && list && !attr) {
		extend_list(p, list, name.text, start);
	} else if (!attr) {
		unknown(p, param->family, "attribute", name.text, start);
	} else if (!value) {
		complain(p, MAUI_ERROR, start, "%s has no value: write %s=<value>", attr->name,
			 attr->name);
	} else if (!is_understood(attr, sign)) {
		complain(p, MAUI_WARNING, start,
			 "%s%c= is not read, ignoring: write the whole value, %s=<value>",
			 attr->name, sign, attr->name);
	} else if (add_setting(p, param, attr, index, name.index, value, start)) {
		*last = p->config->setting_count - 1;
		p->config->settings[*last].adds = sign == '+';
	}
}

static void parse_attrs(struct parser *p, const struct maui_param *param, const char *index,
			char *at, const char *start)
{
	size_t last = SIZE_MAX;

	if (param->family != MAUI_FAMILY_SYS && !param->of_moab && (!index || *index == '\0')) {
		complain(p, MAUI_ERROR, start, "%s needs a name: %s[name]", param->name,
			 param->name);
		return;
	}
	if (param->family == MAUI_FAMILY_OTHER) {
		add_setting(p, param, NULL, index, NULL, at, start);
		return;
	}
	for (at += strspn(at, blanks); *at != '\0' && !p->no_memory; at += strspn(at, blanks))
		parse_attr(p, param, index, &at, &last);
}

/* Resolves an older spelling, which may stand for a parameter or for an attribute. */
static const struct maui_param *resolve_alias(const struct maui_alias *alias, const char *name,
					      const struct maui_param **ret_attr)
{
	const struct maui_param *param = maui_schema_find_param(alias ? alias->param : name);

	*ret_attr = NULL;
	if (param && alias && alias->attr)
		*ret_attr = maui_schema_find_attr(param->family, alias->attr);
	return param;
}

/* Single quotes around a value are ignored. */
static void remove_single_quotes(struct maui_setting *s)
{
	size_t length = strlen(s->value);

	if (length < 2 || s->value[0] != '\'' || s->value[length - 1] != '\'')
		return;
	memmove(s->value, s->value + 1, length - 2);
	s->value[length - 2] = '\0';
	s->value_column++;
	s->value_length -= s->value_length == length ? 2 : 1;
}

/* The text of RMCFG and its like is kept as it stands. */
static void unquote(struct parser *p, struct maui_setting *s)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	size_t skipped, known;
	char *stored;

	remove_single_quotes(s);
	if (!strchr(s->value, '"') || row->type == MAUI_TYPE_ATTRS)
		return;
	stored = maui_quotes_store(row, s->value, &skipped, &known);
	if (!stored) {
		p->no_memory = true;
		return;
	}
	free(s->value);
	s->value = stored;
	s->value_column += (uint32_t)skipped;
	if (s->value_length > known)
		s->value_length = known;
}

static void parse_line(struct parser *p, char *line)
{
	const struct maui_alias *alias;
	const struct maui_param *param, *attr;
	struct maui_setting *setting;
	char *at = line, stop;
	struct name name;

	if (!cut_name(p, &at, MAUI_CONFIG_MAX_LIST, &name, &stop))
		return;
	alias = maui_schema_find_param(name.text) ? NULL : maui_schema_find_alias(name.text);
	param = resolve_alias(alias, name.text, &attr);
	if (!param) {
		unknown(p, 0, "parameter", name.text, line);
		return;
	}
	if (alias && alias->index)
		name.index = (char *)alias->index;
	at += strspn(at, blanks);
	if (stop != '=' && *at == '=')
		at++;
	at += strspn(at, blanks);
	if (param->type == MAUI_TYPE_ATTRS && !attr) {
		parse_attrs(p, param, name.index, at, line);
		return;
	}
	if (attr && (!name.index || *name.index == '\0')) {
		complain(p, MAUI_ERROR, line, "%s needs a name: %s[name]", name.text, name.text);
		return;
	}
	setting = add_setting(p, param, attr, name.index, NULL, at, line);
	if (setting)
		setting->alias = alias;
}

int maui_config_parse_text(struct maui_config *config, const char *file, const char *text,
			   size_t length, bool is_file, struct maui_diags *diags)
{
	struct parser p = { .config = config, .diags = diags, .file = file, .is_file = is_file };
	const char *nul = memchr(text, '\0', length);
	char *line;

	if (maui_lexer_init(&p.lexer, text, length))
		return -1;
	if (nul) {
		complain(&p, MAUI_ERROR, p.lexer.text + (nul - text), "not a text file: NUL byte");
		maui_lexer_finish(&p.lexer);
		return 0;
	}
	for (size_t i = 0; i < p.lexer.open_quote_count; i++)
		complain(&p, MAUI_WARNING, p.lexer.text + p.lexer.open_quotes[i],
			 "a quote that is not closed on its line");
	if (p.lexer.open_end)
		complain(&p, MAUI_WARNING, p.lexer.text + (length ? length - 1 : 0),
			 "the file ends in a continued line: is it complete?");
	while (!p.no_memory && (line = maui_lexer_next(&p.lexer))) {
		size_t before = config->setting_count;

		parse_line(&p, line);
		for (size_t i = before; i < config->setting_count && !p.no_memory; i++)
			unquote(&p, &config->settings[i]);
	}
	maui_lexer_finish(&p.lexer);
	return p.no_memory ? -1 : 0;
}
