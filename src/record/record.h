/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - a struct described once
 *
 * A record is a struct with a description of its members: the kind of each, its name and what it
 * means. JSON is written (write.h) and read (read.h) by the description, and nowhere else:
 *
 *	#define MAUI_FAIRSHARE_WINDOW_FIELDS(F, R)                            \
 *		F(R, TIME, start, "when the window begins")                   \
 *		F(R, ROUNDED, total, "processor-seconds that all jobs used")
 *	MAUI_RECORD(maui_fairshare_window, MAUI_FAIRSHARE_WINDOW_FIELDS);
 *
 * in a header declares struct maui_fairshare_window { int64_t start; double total; } and
 * maui_fairshare_window_type. The .c file that has MAUI_RECORD_TYPE() with the same arguments, or
 * includes the header behind `#define MAUI_RECORDS_HERE`, defines that type.
 * The key in JSON is the member's name; INT_AS, BOOL_AS and TEXT_AS have another one behind the
 * text. Kinds that hold other records name these behind the text. MAYBE_INT and MAYBE_TIME are
 * absent when they have the value behind the text; INT_OR_NULL is null when it is MAUI_NEVER,
 * ROUNDED_OR_NULL when it is NAN, ROWS_OR_NULL and MAP_OR_NULL when they are NULL. Every TEXT that
 * is NULL is null; TEXT_OR_NULL is read as NULL again, and not as "".
 * WORD names an enum, of which X_words are the words, and its value of what has no word that the
 * reader knows.
 *
 * A struct that is declared elsewhere has a table of MAUI_MEMBER rows instead.
 */
#ifndef MAUI_RECORD_RECORD_H
#define MAUI_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/when.h"

/* What a member is in C, and in JSON. A list has its length beside it, in NAME_count. */
enum maui_kind {
	/* whole numbers */
	MAUI_KIND_INT,   /* int64_t */
	MAUI_KIND_TIME,  /* int64_t, a moment or a duration in seconds; MAUI_NEVER: null */
	MAUI_KIND_SMALL, /* int32_t */
	MAUI_KIND_COUNT, /* uint32_t */
	MAUI_KIND_ID,    /* uint64_t, below 2^63 */
	/* other numbers: double */
	MAUI_KIND_REAL,       /* 15 digits, with a decimal */
	MAUI_KIND_EXACT,      /* 17 digits: what is read back is the same */
	MAUI_KIND_MILLIONTHS, /* six decimals */
	MAUI_KIND_ROUNDED,    /* four decimals */
	MAUI_KIND_HUNDREDTHS, /* two decimals */
	/* others */
	MAUI_KIND_BOOL,
	MAUI_KIND_TRUE, /* bool; false: absent */
	MAUI_KIND_TEXT, /* const char *; NULL: null */
	MAUI_KIND_WORD, /* an enum, as one of `words`; without a word: null */
	/* lists */
	MAUI_KIND_TEXTS,      /* const char *const * */
	MAUI_KIND_INTS,       /* const int64_t * */
	MAUI_KIND_INDICES,    /* const uint32_t * */
	MAUI_KIND_REALS,      /* const double *, four decimals */
	MAUI_KIND_FULL_REALS, /* const double *, 15 digits */
	MAUI_KIND_AMOUNTS, /* const int64_t *, as many as the writer and the reader say; NULL: absent */
	/* other records */
	MAUI_KIND_ONE,  /* a pointer to one: an object; NULL: null, if `nullable` */
	MAUI_KIND_PART, /* a pointer to one whose members stand beside these; NULL: absent */
	MAUI_KIND_LIST, /* a pointer to several: a list of objects */
	MAUI_KIND_ROWS, /* the same: a list of lists of values, in the order of the description */
	MAUI_KIND_COLUMNS, /* size_t, how many of their members ROWS of this record have: their keys */
	MAUI_KIND_MAP,     /* struct maui_pair *: an object of numbers of 15 digits */
	MAUI_KIND_LABELS, /* struct maui_label *: an object of texts; keys that are the same, one after
			     the other: a list of texts */
	MAUI_KIND_COUNTS, /* struct maui_count *: an object of whole numbers */
	MAUI_KIND_KEYED, /* several records: an object of objects, each under the first member, a TEXT */
	MAUI_KIND_RAW, /* struct maui_raw: JSON that nobody describes */

	/* in files, for structs that are declared elsewhere */
	MAUI_KIND_CHARS,     /* char[] inside the struct: a text; a longer one is cut */
	MAUI_KIND_HEX,       /* uint64_t: a text of hexadecimal digits */
	MAUI_KIND_FLAGS,     /* uint64_t, 1 << i for each of `words`: a list of these */
	MAUI_KIND_FIGURES,   /* double[] inside the struct, >= 0, 15 digits; what is absent is 0 */
	MAUI_KIND_EXACT_MAP, /* struct maui_pair *: an object of numbers of 17 digits */
	MAUI_KIND_WITHIN,    /* a record inside the struct: an object */
	/* const int64_t *: a list of AMOUNTS, as many as the list before it has elements, of which
	 * it has the length; null: the same as the one before */
	MAUI_KIND_VECTORS,
	/* a pointer to several: a list of one member of each, the first one of `of`. Two such lists,
	 * or ROWS and one, have the pointer and the length in common. */
	MAUI_KIND_VALUES,
};

struct maui_pair {
	const char *key;
	double value;
};

struct maui_label {
	const char *key, *value;
};

struct maui_count {
	const char *key;
	int64_t value;
};

struct json_object;

struct maui_raw {
	const char *text;         /* what is written; NULL: null */
	struct json_object *json; /* what was read, borrowed; NULL: null, or absent */
};

struct maui_record_type;

struct maui_field {
	const char *key;
	enum maui_kind kind;
	/* NULL: absent, instead of null or an empty list; a whole number is absent when it is
	 * `usual` */
	bool maybe;
	/* of ONE, ROWS, MAP and TEXT: there may be none; of numbers: MAUI_NEVER or NAN is null */
	bool nullable;
	size_t at, count_at, count_size;   /* offsets in the struct; a length is 4 or 8 bytes */
	int64_t usual;                     /* of whole numbers: the value of what is absent */
	const struct maui_record_type *of; /* of kinds that hold records */
	const char *const *words;          /* of WORD, NULL behind the last */
	const char *what;                  /* what it means, for doc/query.md; NULL: nowhere said */

	/* in files */
	size_t room;   /* of CHARS and FIGURES: bytes */
	bool needed;   /* it must be there and as described, of a list each element; `always` */
	bool always;   /* sparse records have it with its usual value, too */
	bool or_usual; /* of WORD: one that is not known is the usual one */
	bool or_null;  /* of TEXTS: some may be null, which is NULL */
};

struct maui_record_type {
	const char *name; /* of the struct */
	const struct maui_field *fields;
	size_t count, size;
	/* Members that have their usual value (`usual`, 0, false, NULL) are not written, and absent
	 * ones get it. */
	bool sparse;
	bool line; /* each has a line of its own in a list, where the writer makes any */
};

/* ---- records that are declared by their description ---- */

/* clang-format off */
#ifdef MAUI_RECORDS_HERE
#define MAUI_RECORD(tag, FIELDS) \
	struct tag { FIELDS(MAUI_RECORD_MEMBER, tag) }; \
	MAUI_RECORD_TYPE(tag, FIELDS)
#else
#define MAUI_RECORD(tag, FIELDS) \
	struct tag { FIELDS(MAUI_RECORD_MEMBER, tag) }; \
	extern const struct maui_record_type tag##_type
#endif
#define MAUI_RECORD_TYPE(tag, FIELDS) \
	static const struct maui_field tag##_fields[] = { FIELDS(MAUI_RECORD_FIELD, tag) }; \
	const struct maui_record_type tag##_type = { \
		.name = #tag, .fields = tag##_fields, \
		.count = sizeof(tag##_fields) / sizeof(tag##_fields[0]), .size = sizeof(struct tag) \
	}

#define MAUI_RECORD_MEMBER(tag, kind, name, ...) MAUI_DECLARE_##kind(name, __VA_ARGS__)
#define MAUI_RECORD_FIELD(tag, kind, name, ...)  MAUI_DESCRIBE_##kind(tag, name, __VA_ARGS__)

#define MAUI_DECLARE_INT(name, what)             int64_t name;
#define MAUI_DECLARE_TIME(name, what)            int64_t name;
#define MAUI_DECLARE_INT_OR_NULL(name, what)     int64_t name;
#define MAUI_DECLARE_REAL(name, what)            double name;
#define MAUI_DECLARE_ROUNDED(name, what)         double name;
#define MAUI_DECLARE_ROUNDED_OR_NULL(name, what) double name;
#define MAUI_DECLARE_MILLIONTHS(name, what)      double name;
#define MAUI_DECLARE_HUNDREDTHS(name, what)      double name;
#define MAUI_DECLARE_BOOL(name, what)            bool name;
#define MAUI_DECLARE_TRUE(name, what)            bool name;
#define MAUI_DECLARE_TEXT(name, what)            const char *name;
#define MAUI_DECLARE_WORD(name, what, of, none)  enum of name;
#define MAUI_DECLARE_INT_AS(name, what, key)     int64_t name;
#define MAUI_DECLARE_BOOL_AS(name, what, key)    bool name;
#define MAUI_DECLARE_TEXT_AS(name, what, key)    const char *name;
#define MAUI_DECLARE_TEXTS(name, what)           const char *const *name; size_t name##_count;
#define MAUI_DECLARE_INTS(name, what)            const int64_t *name; size_t name##_count;
#define MAUI_DECLARE_REALS(name, what)           const double *name; size_t name##_count;
#define MAUI_DECLARE_FULL_REALS(name, what)      const double *name; size_t name##_count;
#define MAUI_DECLARE_MAP(name, what)             const struct maui_pair *name; size_t name##_count;
#define MAUI_DECLARE_LABELS(name, what)          const struct maui_label *name; size_t name##_count;
#define MAUI_DECLARE_COUNTS(name, what)          const struct maui_count *name; size_t name##_count;
#define MAUI_DECLARE_RAW(name, what)             struct maui_raw name;
#define MAUI_DECLARE_ONE(name, what, of)         const struct of *name;
#define MAUI_DECLARE_ONE_OR_NULL(name, what, of) const struct of *name;
#define MAUI_DECLARE_PART(name, what, of)        const struct of *name;
#define MAUI_DECLARE_LIST(name, what, of)        const struct of *name; size_t name##_count;
#define MAUI_DECLARE_ROWS(name, what, of)        const struct of *name; size_t name##_count;
#define MAUI_DECLARE_VALUES(name, what, of)      const struct of *name; size_t name##_count;
#define MAUI_DECLARE_ROWS_OR_NULL(name, what, of) const struct of *name; size_t name##_count;
#define MAUI_DECLARE_COLUMNS(name, what, of)     size_t name;
#define MAUI_DECLARE_MAYBE_INT(name, what, none)  int64_t name;
#define MAUI_DECLARE_MAYBE_TIME(name, what, none) int64_t name;
#define MAUI_DECLARE_KEYED(name, what, of)       const struct of *name; size_t name##_count;
#define MAUI_DECLARE_MAP_OR_NULL(name, what)     const struct maui_pair *name; size_t name##_count;
#define MAUI_DECLARE_TEXT_OR_NULL(name, what)    const char *name;
#define MAUI_DECLARE_MAYBE_RAW(name, what)       struct maui_raw name;
#define MAUI_DECLARE_MAYBE_MAP(name, what)       const struct maui_pair *name; size_t name##_count;
#define MAUI_DECLARE_MAYBE_TEXT(name, what)      const char *name;
#define MAUI_DECLARE_MAYBE_TEXTS(name, what)     const char *const *name; size_t name##_count;
#define MAUI_DECLARE_MAYBE_ONE(name, what, of)   const struct of *name;
#define MAUI_DECLARE_MAYBE_LIST(name, what, of)  const struct of *name; size_t name##_count;
#define MAUI_DECLARE_MAYBE_ROWS(name, what, of)  const struct of *name; size_t name##_count;

#define MAUI_DESCRIBE_AS(tag, name, kind_, text, key_, ...) \
	{ .key = key_, .kind = MAUI_KIND_##kind_, .at = offsetof(struct tag, name), \
	  .what = text, __VA_ARGS__ },
#define MAUI_DESCRIBE(tag, name, kind_, ...) \
	MAUI_DESCRIBE_WITH(tag, name, kind_, __VA_ARGS__, )
#define MAUI_DESCRIBE_WITH(tag, name, kind_, text, ...) \
	MAUI_DESCRIBE_AS(tag, name, kind_, text, #name, __VA_ARGS__)
#define MAUI_COUNTED(tag, name) \
	.count_at = offsetof(struct tag, name##_count), .count_size = sizeof(size_t)

#define MAUI_DESCRIBE_INT(tag, name, what)        MAUI_DESCRIBE(tag, name, INT, what)
#define MAUI_DESCRIBE_TIME(tag, name, what)       MAUI_DESCRIBE(tag, name, TIME, what)
#define MAUI_DESCRIBE_INT_OR_NULL(tag, name, what) \
	MAUI_DESCRIBE(tag, name, INT, what, .nullable = true, .usual = MAUI_NEVER)
#define MAUI_DESCRIBE_REAL(tag, name, what)       MAUI_DESCRIBE(tag, name, REAL, what)
#define MAUI_DESCRIBE_ROUNDED(tag, name, what)    MAUI_DESCRIBE(tag, name, ROUNDED, what)
#define MAUI_DESCRIBE_ROUNDED_OR_NULL(tag, name, what) \
	MAUI_DESCRIBE(tag, name, ROUNDED, what, .nullable = true)
#define MAUI_DESCRIBE_MILLIONTHS(tag, name, what) MAUI_DESCRIBE(tag, name, MILLIONTHS, what)
#define MAUI_DESCRIBE_HUNDREDTHS(tag, name, what) MAUI_DESCRIBE(tag, name, HUNDREDTHS, what)
#define MAUI_DESCRIBE_BOOL(tag, name, what)       MAUI_DESCRIBE(tag, name, BOOL, what)
#define MAUI_DESCRIBE_TRUE(tag, name, what)       MAUI_DESCRIBE(tag, name, TRUE, what)
#define MAUI_DESCRIBE_TEXT(tag, name, what)       MAUI_DESCRIBE(tag, name, TEXT, what)
#define MAUI_DESCRIBE_WORD(tag, name, what, of, none) \
	MAUI_DESCRIBE(tag, name, WORD, what, .words = of##_words, .usual = none, .or_usual = true)
#define MAUI_DESCRIBE_INT_AS(tag, name, what, key)  MAUI_DESCRIBE_AS(tag, name, INT, what, key, )
#define MAUI_DESCRIBE_BOOL_AS(tag, name, what, key) MAUI_DESCRIBE_AS(tag, name, BOOL, what, key, )
#define MAUI_DESCRIBE_TEXT_AS(tag, name, what, key) MAUI_DESCRIBE_AS(tag, name, TEXT, what, key, )
#define MAUI_DESCRIBE_TEXTS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, TEXTS, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_INTS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, INTS, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_REALS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, REALS, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_FULL_REALS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, FULL_REALS, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_MAP(tag, name, what) \
	MAUI_DESCRIBE(tag, name, MAP, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_LABELS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, LABELS, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_COUNTS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, COUNTS, what, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_RAW(tag, name, what) MAUI_DESCRIBE(tag, name, RAW, what)
#define MAUI_DESCRIBE_MAP_OR_NULL(tag, name, what) \
	MAUI_DESCRIBE(tag, name, MAP, what, .nullable = true, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_ONE(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, ONE, what, .of = &record##_type)
#define MAUI_DESCRIBE_ONE_OR_NULL(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, ONE, what, .nullable = true, .of = &record##_type)
#define MAUI_DESCRIBE_PART(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, PART, what, .of = &record##_type)
#define MAUI_DESCRIBE_COLUMNS(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, COLUMNS, what, .of = &record##_type)
#define MAUI_DESCRIBE_LIST(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, LIST, what, MAUI_COUNTED(tag, name), .of = &record##_type)
#define MAUI_DESCRIBE_ROWS(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, ROWS, what, MAUI_COUNTED(tag, name), .of = &record##_type)
#define MAUI_DESCRIBE_VALUES(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, VALUES, what, MAUI_COUNTED(tag, name), .of = &record##_type)
#define MAUI_DESCRIBE_ROWS_OR_NULL(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, ROWS, what, .nullable = true, MAUI_COUNTED(tag, name), \
		      .of = &record##_type)
#define MAUI_DESCRIBE_MAYBE_INT(tag, name, what, none) \
	MAUI_DESCRIBE(tag, name, INT, what, .maybe = true, .usual = none)
#define MAUI_DESCRIBE_MAYBE_TIME(tag, name, what, none) \
	MAUI_DESCRIBE(tag, name, TIME, what, .maybe = true, .usual = none)
#define MAUI_DESCRIBE_KEYED(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, KEYED, what, MAUI_COUNTED(tag, name), .of = &record##_type)
#define MAUI_DESCRIBE_TEXT_OR_NULL(tag, name, what) \
	MAUI_DESCRIBE(tag, name, TEXT, what, .nullable = true)
#define MAUI_DESCRIBE_MAYBE_RAW(tag, name, what) MAUI_DESCRIBE(tag, name, RAW, what, .maybe = true)
#define MAUI_DESCRIBE_MAYBE_MAP(tag, name, what) \
	MAUI_DESCRIBE(tag, name, MAP, what, .maybe = true, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_MAYBE_TEXT(tag, name, what) \
	MAUI_DESCRIBE(tag, name, TEXT, what, .maybe = true)
#define MAUI_DESCRIBE_MAYBE_TEXTS(tag, name, what) \
	MAUI_DESCRIBE(tag, name, TEXTS, what, .maybe = true, MAUI_COUNTED(tag, name))
#define MAUI_DESCRIBE_MAYBE_ONE(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, ONE, what, .maybe = true, .nullable = true, .of = &record##_type)
#define MAUI_DESCRIBE_MAYBE_LIST(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, LIST, what, .maybe = true, MAUI_COUNTED(tag, name), \
		      .of = &record##_type)
#define MAUI_DESCRIBE_MAYBE_ROWS(tag, name, what, record) \
	MAUI_DESCRIBE(tag, name, ROWS, what, .maybe = true, MAUI_COUNTED(tag, name), \
		      .of = &record##_type)
/* clang-format on */

/* ---- records of structs that are declared elsewhere: rows of a table ---- */

/* The offset of a member that is what its kind is in C; another one does not compile. */
/* clang-format off */
#define MAUI_OFFSET(type, member, kind_) \
	(offsetof(struct type, member) + 0 * MAUI_HOLDS_##kind_(((struct type *)NULL)->member))
#define MAUI_HOLDS_INT(m)      _Generic(m, int64_t: 0)
#define MAUI_HOLDS_TIME(m)     _Generic(m, int64_t: 0)
#define MAUI_HOLDS_SMALL(m)    _Generic(m, int32_t: 0)
#define MAUI_HOLDS_COUNT(m)    _Generic(m, uint32_t: 0)
#define MAUI_HOLDS_ID(m)       _Generic(m, uint64_t: 0)
#define MAUI_HOLDS_HEX(m)      _Generic(m, uint64_t: 0)
#define MAUI_HOLDS_FLAGS(m)    _Generic(m, uint64_t: 0)
#define MAUI_HOLDS_REAL(m)     _Generic(m, double: 0)
#define MAUI_HOLDS_EXACT(m)    _Generic(m, double: 0)
#define MAUI_HOLDS_ROUNDED(m)  _Generic(m, double: 0)
#define MAUI_HOLDS_BOOL(m)     _Generic(m, bool: 0)
#define MAUI_HOLDS_TRUE(m)     _Generic(m, bool: 0)
#define MAUI_HOLDS_TEXT(m)     _Generic(m, char *: 0, const char *: 0)
#define MAUI_HOLDS_WORD(m)     _Generic(m, unsigned: 0, int: 0)
#define MAUI_HOLDS_CHARS(m)    _Generic(m, char *: 0)
#define MAUI_HOLDS_FIGURES(m)  _Generic(m, double *: 0)
#define MAUI_HOLDS_INTS(m)     _Generic(m, int64_t *: 0, const int64_t *: 0)
#define MAUI_HOLDS_AMOUNTS(m)  MAUI_HOLDS_INTS(m)
#define MAUI_HOLDS_VECTORS(m)  MAUI_HOLDS_INTS(m)
#define MAUI_HOLDS_INDICES(m)  _Generic(m, uint32_t *: 0, const uint32_t *: 0)
#define MAUI_HOLDS_TEXTS(m)    _Generic(m, char **: 0, const char **: 0, const char *const *: 0)
/* a pointer to records: of which type is not seen */
#define MAUI_HOLDS_ONE(m)       (0 * sizeof(*(m)))
#define MAUI_HOLDS_PART(m)      MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_LIST(m)      MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_ROWS(m)      MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_KEYED(m)     MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_MAP(m)       MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_EXACT_MAP(m) MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_VALUES(m)    MAUI_HOLDS_ONE(m)
#define MAUI_HOLDS_WITHIN(m)    0
/* clang-format on */

#define MAUI_MEMBER(type, member, key_, kind_) MAUI_MEMBER_WITH(type, member, key_, kind_, )
#define MAUI_MEMBER_USUAL(type, member, key_, kind_, usual_) \
	MAUI_MEMBER_WITH(type, member, key_, kind_, .usual = usual_)
/* What else a row has, as in .needed = true. */
#define MAUI_MEMBER_WITH(type, member, key_, kind_, ...)                                        \
	{                                                                                       \
		.key = key_, .kind = MAUI_KIND_##kind_, .at = MAUI_OFFSET(type, member, kind_), \
		__VA_ARGS__                                                                     \
	}
#define MAUI_MEMBER_INSIDE(type, member, key_, kind_, ...)                                         \
	MAUI_MEMBER_WITH(type, member, key_, kind_, .room = sizeof(((struct type *)NULL)->member), \
			 __VA_ARGS__)
#define MAUI_MEMBER_MANY(type, member, length, key_, kind_, of_) \
	MAUI_MEMBER_MANY_WITH(type, member, length, key_, kind_, .of = of_)
#define MAUI_MEMBER_MANY_WITH(type, member, length, key_, kind_, ...)                          \
	MAUI_MEMBER_WITH(type, member, key_, kind_, .count_at = offsetof(struct type, length), \
			 .count_size = sizeof(((struct type *)NULL)->length), __VA_ARGS__)

/* Such a table as a sparse record, and as one with other properties. */
#define MAUI_RECORD_TABLE(name_, tag, table) \
	MAUI_RECORD_TABLE_WITH(name_, tag, table, .sparse = true)
#define MAUI_RECORD_TABLE_WITH(name_, tag, table, ...)                                       \
	const struct maui_record_type name_ = { .name = #tag,                                \
						.fields = table,                             \
						.count = sizeof(table) / sizeof((table)[0]), \
						.size = sizeof(struct tag),                  \
						__VA_ARGS__ }

#endif
