/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.c - a recursive descent over the constraint
 *
 *   all := any ('&' any)*      any := one ('|' one)*
 *   one := '!' one | '(' all ')' | '[' all ']' | NAME ['*' NUMBER]
 */

#include "model/features.h"

#include <string.h>

enum { MAX_NESTING = 32 };

struct scan {
	const char *at;
	const char *features;
	bool counted; /* a count occurs, so '&' separates groups of nodes */
	bool wrong;
	int depth;
};

static bool is_name(char c)
{
	return c != '\0' && !strchr("&|!()[]*,", c);
}

static bool has(const char *features, const char *name, size_t length)
{
	while (features && *features) {
		size_t own = strcspn(features, ",");

		if (own == length && strncmp(features, name, length) == 0)
			return true;
		features += own + (features[own] == ',');
	}
	return false;
}

static bool all(struct scan *s);

static bool nested(struct scan *s, char close)
{
	bool counted = s->counted, result;

	s->at++;
	if (++s->depth > MAX_NESTING) {
		s->wrong = true;
		return false;
	}
	if (close == ')')
		s->counted = false; /* inside, '&' means "and" */
	result = all(s);
	s->counted = counted;
	s->depth--;
	if (*s->at != close)
		s->wrong = true;
	else
		s->at++;
	return result;
}

static bool one(struct scan *s)
{
	const char *name;
	bool result;

	if (*s->at == '!') {
		s->at++;
		if (++s->depth > MAX_NESTING)
			s->wrong = true;
		result = !s->wrong && !one(s);
		s->depth--;
		return result;
	}
	if (*s->at == '(')
		result = nested(s, ')');
	else if (*s->at == '[')
		result = nested(s, ']');
	else {
		name = s->at;
		while (is_name(*s->at))
			s->at++;
		s->wrong |= s->at == name;
		result = has(s->features, name, (size_t)(s->at - name));
	}
	if (*s->at == '*') {
		size_t digits = strspn(++s->at, "0123456789");

		s->wrong |= digits == 0;
		s->at += digits;
	}
	return result;
}

static bool any(struct scan *s)
{
	bool result = one(s);

	while (!s->wrong && *s->at == '|') {
		s->at++;
		result |= one(s);
	}
	return result;
}

static bool all(struct scan *s)
{
	bool result = any(s);

	while (!s->wrong && (*s->at == '&' || (*s->at == ',' && s->depth == 0))) {
		bool more;

		s->at++;
		more = any(s);
		result = s->counted ? result || more : result && more;
	}
	return result;
}

/* Whether the constraint is well formed; *ret_result: whether the features serve it. */
static bool read_all(const char *constraint, const char *features, bool *ret_result)
{
	struct scan s = { .at = constraint, .features = features };

	*ret_result = true;
	if (!constraint || *constraint == '\0')
		return true;
	s.counted = strchr(constraint, '*') != NULL;
	*ret_result = all(&s);
	return !s.wrong && *s.at == '\0';
}

bool maui_features_match(const char *constraint, const char *features)
{
	bool result;

	return read_all(constraint, features, &result) && result;
}

bool maui_features_valid(const char *constraint)
{
	bool result;

	return read_all(constraint, NULL, &result);
}

size_t maui_features_next(const char **at, const char **ret_name)
{
	const char *end;

	while (**at && !is_name(**at)) {
		bool counts = **at == '*';

		(*at)++;
		if (counts)
			*at += strspn(*at, "0123456789");
	}
	for (end = *at; is_name(*end); end++)
		;
	*ret_name = *at;
	*at = end;
	return (size_t)(end - *ret_name);
}
