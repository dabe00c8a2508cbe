/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schema.h - everything maui.cfg may say: one row a parameter, one row a *CFG attribute
 *
 * The tables are the only place that knows a name, its type, default, meaning and what we do with
 * it; the parser, `maui config check / show / explain` and the test that blanks every honoured
 * parameter walk them. Adding a parameter is adding a row.
 * Source: Maui 3.3 administrator's manual, appendix F and the chapters named in `meaning`.
 *
 * Rules: CFG-10.
 */
#ifndef MAUI_CONFIG_SCHEMA_SCHEMA_H
#define MAUI_CONFIG_SCHEMA_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum maui_type {
	MAUI_TYPE_INT,    /* whole number, sign allowed */
	MAUI_TYPE_NUMBER, /* decimal number */
	MAUI_TYPE_BOOL,
	MAUI_TYPE_TIME,      /* duration.h */
	MAUI_TYPE_WORD,      /* one of `words`, any case */
	MAUI_TYPE_WORDS,     /* several of `words` */
	MAUI_TYPE_LIST,      /* names; separators per row */
	MAUI_TYPE_STRING,    /* the rest of the line (parameter) or up to the blank (attribute) */
	MAUI_TYPE_LIMIT,     /* [soft,]hard whole numbers */
	MAUI_TYPE_TIMELIMIT, /* [soft,]hard times */
	MAUI_TYPE_FSTARGET,  /* number with suffix + - ^ % */
	MAUI_TYPE_FSPOLICY,  /* DEDICATEDPS, ...: word with optional % */
	MAUI_TYPE_ATTRS,     /* attributes of the *CFG[] family: rows of the attribute table */
	MAUI_TYPE_COUNT
};

/* What the [X] behind a name is. */
enum maui_index {
	MAUI_INDEX_NONE,
	MAUI_INDEX_PARTITION, /* [0] or none: all partitions */
	MAUI_INDEX_CRED,      /* USERCFG[steve]; DEFAULT is the template */
	MAUI_INDEX_QOS,       /* a QOS name (old parameters) */
	MAUI_INDEX_SR,        /* a standing reservation's name or old number */
	MAUI_INDEX_STACK,     /* RESERVATIONDEPTH[n] */
	MAUI_INDEX_OTHER,     /* a node, resource manager, client */
};

enum maui_status {
	MAUI_HONOURED,
	MAUI_NOT_YET,     /* will be; today ignored with a warning. note: what to do meanwhile */
	MAUI_DIFFERENT,   /* honoured, not as Maui did. note: how */
	MAUI_SLURM_CONF,  /* ignored. note: where slurm.conf (or Slurm) has it */
	MAUI_UNSUPPORTED, /* ignored. note: why */
	MAUI_STATUS_COUNT
};

/* Where a value lands in struct maui_config. */
enum maui_scope {
	MAUI_SCOPE_RAW,      /* kept as text for `show`, nobody reads it yet */
	MAUI_SCOPE_SETTINGS, /* no place: build_*.c finds it among the settings */
	MAUI_SCOPE_CONFIG,   /* offset in struct maui_config */
	MAUI_SCOPE_PRIORITY, /* offset in struct maui_priority_config, per partition */
	MAUI_SCOPE_PLANNING, /* offset in struct maui_planning_config, per partition */
	MAUI_SCOPE_STACK,    /* offset in struct maui_stack_config, per stack number */
	MAUI_SCOPE_CRED,     /* offset in struct maui_cred_config */
	MAUI_SCOPE_PERUSER,  /* the same, as a two-dimensional limit: short for ATTR[USER] */
	MAUI_SCOPE_RSV,      /* offset in struct maui_rsv */
};

/* Families of *CFG[] parameters, as a mask for attribute rows. */
enum {
	MAUI_FAMILY_USER = 1 << 0,
	MAUI_FAMILY_GROUP = 1 << 1,
	MAUI_FAMILY_ACCOUNT = 1 << 2,
	MAUI_FAMILY_QOS = 1 << 3,
	MAUI_FAMILY_CLASS = 1 << 4,
	MAUI_FAMILY_SYS = 1 << 5,
	MAUI_FAMILY_SR = 1 << 6,
	MAUI_FAMILY_NODE = 1 << 7,
	MAUI_FAMILY_OTHER = 1 << 8, /* RMCFG AMCFG CLIENTCFG: attributes are not looked at */
	/* the five credentials, bit (1 << enum maui_cred_kind) */
	MAUI_FAMILY_CREDS = (1 << 5) - 1,
	MAUI_FAMILY_LIMITS = (1 << 6) - 1, /* credentials and SYSCFG */
};

struct maui_param {
	const char *name; /* Maui's published spelling, upper case */
	enum maui_type type;
	const char *def;   /* default as one would write it; "" = none. What WE do, not
				 Maui's binary */
	const char *unit;  /* "", "s", "MB", "min", "proc-s", "%" , ... */
	const char *words; /* blank separated, for WORD, WORDS and FSPOLICY; other spellings
				 follow: "NONE DEDICATEDPS=PSDEDICATED" */
	enum maui_index index;
	unsigned family; /* parameter: for MAUI_TYPE_ATTRS the family's bit;
				 attribute: mask of the families that have it */
	enum maui_status status;
	const char *note;    /* see enum maui_status; "" for plainly honoured */
	const char *meaning; /* one or two sentences, with the manual's chapter */
	const char *test;    /* honoured and different: the case that fails when it is ignored */
	enum maui_scope scope;
	size_t offset;
	double min, max; /* INT, NUMBER, TIME; both 0 = any */
};

/* An older spelling. `attr` set: NAME[x] v is FAMILY[x] ATTR=v; then `index` set: NAME v is
 * FAMILY[index] ATTR=v. */
struct maui_alias {
	const char *name;
	const char *param; /* canonical parameter */
	const char *attr;  /* NULL: plainly another name */
	const char *index; /* NULL: keep the line's own index */
};

extern const struct maui_param maui_schema_params[];
extern const size_t maui_schema_param_count;
extern const struct maui_param maui_schema_attrs[];
extern const size_t maui_schema_attr_count;
extern const struct maui_alias maui_schema_aliases[]; /* of parameters */
extern const size_t maui_schema_alias_count;
/* Of attributes: {"MAXTIME", "SRCFG", "TIMELIMIT", NULL}; `param` names the one family that knows
 * the spelling, NULL: any. */
extern const struct maui_alias maui_schema_attr_aliases[];
extern const size_t maui_schema_attr_alias_count;

/* Case-insensitive; NULL: no such name. Aliases are not looked at. Sorted lookup, O(log n). */
const struct maui_param *maui_schema_find_param(const char *name);
const struct maui_param *maui_schema_find_attr(unsigned family, const char *name);
const struct maui_alias *maui_schema_find_alias(const char *name);
const struct maui_alias *maui_schema_find_attr_alias(unsigned family, const char *name);

/* The closest known name (aliases included) within a third of its length, or NULL. family 0:
 * parameters. */
const char *maui_schema_suggest(unsigned family, const char *name);

/* Position in row->words of a word in any case and any of its spellings; -1: none of them. */
int maui_schema_word(const struct maui_param *row, const char *text, size_t length);

/* "NONE, DEDICATEDPS, UTILIZEDPS": row->words without their other spellings, for a message. When
 * there is no room for all, "..." stands for those left out. */
char *maui_schema_word_list(const struct maui_param *row, char *buf, size_t size);

const char *maui_type_name(enum maui_type type);
const char *maui_status_name(enum maui_status status);

#endif
