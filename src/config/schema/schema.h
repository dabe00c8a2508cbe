/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schema.h - every parameter and every *CFG attribute of maui.cfg, one row each
 *
 * Only these tables know a name, its type, default, meaning and status. The parser, `maui config
 * check / show / explain` and the test that blanks every honoured parameter read them. To add a
 * parameter, add a row. Source: Maui 3.3 administrator's manual, appendix F and the chapters named
 * in `meaning`.
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

/* The meaning of the index [X] behind a name. */
enum maui_index {
	MAUI_INDEX_NONE,
	MAUI_INDEX_PARTITION, /* [0] or none: all partitions */
	MAUI_INDEX_CRED,      /* USERCFG[steve]; DEFAULT is the template */
	MAUI_INDEX_QOS,       /* a QOS name (old parameters) */
	MAUI_INDEX_SR,        /* a standing reservation's name or old number */
	MAUI_INDEX_STACK,     /* RESERVATIONDEPTH[n] */
	MAUI_INDEX_OTHER,     /* a node, generic resource, resource manager, client */
};

enum maui_status {
	MAUI_HONOURED,
	MAUI_NOT_YET,   /* ignored with a warning until implemented. note: what to do meanwhile */
	MAUI_DIFFERENT, /* honoured, but not as in Maui. note: the difference */
	/* ignored. note: the setting of slurm.conf, or of Slurm, that has the same effect */
	MAUI_SLURM_CONF,
	MAUI_UNSUPPORTED, /* ignored. note: why */
	MAUI_STATUS_COUNT
};

/* Where a value is stored. */
enum maui_scope {
	MAUI_SCOPE_RAW,      /* kept as text for `show`, no code reads it */
	MAUI_SCOPE_SETTINGS, /* no field: config/build reads the settings themselves */
	MAUI_SCOPE_CONFIG,   /* offset in struct maui_config */
	MAUI_SCOPE_PRIORITY, /* offset in struct maui_priority_config, per partition */
	MAUI_SCOPE_PLANNING, /* offset in struct maui_planning_config, per partition */
	MAUI_SCOPE_STACK,    /* offset in struct maui_stack_config, per stack number */
	MAUI_SCOPE_CRED,     /* offset in struct maui_cred_config */
	MAUI_SCOPE_PERUSER,  /* like CRED, as a two-dimensional limit: short for ATTR[USER] */
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
	MAUI_FAMILY_GRES = 1 << 9,
	MAUI_FAMILY_ADMIN = 1 << 10,     /* ADMINCFG, of Moab */
	MAUI_FAMILY_TREE = 1 << 11,      /* FSTREE, of Moab */
	MAUI_FAMILY_DEEP_TREE = 1 << 12, /* FSTREE of several levels, after it was read */
	MAUI_FAMILY_LAST = MAUI_FAMILY_DEEP_TREE,
	/* the five credentials, bit (1 << enum maui_cred_kind) */
	MAUI_FAMILY_CREDS = (1 << 5) - 1,
	MAUI_FAMILY_LIMITS = (1 << 6) - 1, /* the credentials and SYSCFG */
};

struct maui_param {
	const char *name; /* Maui's published spelling, upper case */
	enum maui_type type;
	/* default as written in a maui.cfg, slurm-maui's and not Maui's; "": none */
	const char *def;
	const char *unit; /* "", "s", "MB", "min", "proc-s", "%" , ... */
	/* separated by blanks, for WORD, WORDS and FSPOLICY; other spellings of a word follow
	 * it: "NONE DEDICATEDPS=PSDEDICATED" */
	const char *words;
	enum maui_index index;
	/* parameter of type ATTRS: the bit of its family; attribute: mask of the families that
	 * have it */
	unsigned family;
	enum maui_status status;
	const char *note;    /* see enum maui_status; "" if plainly honoured */
	const char *meaning; /* one or two sentences, with the manual's chapter */
	/* honoured and different: the test that fails when the parameter is ignored */
	const char *test;
	enum maui_scope scope;
	size_t offset;
	double min, max; /* INT, NUMBER, TIME; both 0 = any */
	bool in_setres;  /* of SRCFG: a reservation of setres may have it, too */
	size_t place;    /* in the list before it was sorted */
	bool of_moab;    /* no release of Maui has it */
	/* WORD: a word that the parameter does not have is an error, since whichever value stayed
	 * could start jobs that the administrator did not want */
	bool word_needed;
};

/* An older spelling. With `attr`, "NAME[x] v" means FAMILY[x] ATTR=v; with `index` too, "NAME v"
 * means FAMILY[index] ATTR=v. */
struct maui_alias {
	const char *name;
	const char *param; /* canonical parameter */
	const char *attr;  /* NULL: another name of the parameter */
	const char *index; /* NULL: the index of the line is kept */
};

/* Sorted by name, any case, when the program begins. */
extern const struct maui_param *const maui_schema_params;
extern const size_t maui_schema_param_count;
extern const struct maui_param *const maui_schema_attrs;
extern const size_t maui_schema_attr_count;
extern const struct maui_alias maui_schema_aliases[]; /* of parameters */
extern const size_t maui_schema_alias_count;
/* Aliases of attributes: {"MAXTIME", "SRCFG", "TIMELIMIT", NULL}. `param` is the only family with
 * this spelling; NULL: all families. */
extern const struct maui_alias maui_schema_attr_aliases[];
extern const size_t maui_schema_attr_alias_count;

/* For the tables themselves: rows made from lists of the model stand behind the others. */
void maui_schema_sort(struct maui_param *rows, size_t count);

/* Binary search, any case; NULL: no such name. Aliases are not searched. */
const struct maui_param *maui_schema_find_param(const char *name);
const struct maui_param *maui_schema_find_attr(unsigned family, const char *name);
const struct maui_alias *maui_schema_find_alias(const char *name);
const struct maui_alias *maui_schema_find_attr_alias(unsigned family, const char *name);

/* The closest known name (aliases included) within a third of its length, or NULL. family 0:
 * parameters. */
const char *maui_schema_suggest(unsigned family, const char *name);

/* Position in row->words of a word, in any case and any of its spellings; -1: not in the row. */
int maui_schema_word(const struct maui_param *row, const char *text, size_t length);

/* The first spelling of the word at that position, and its length. */
const char *maui_schema_word_at(const struct maui_param *row, int position, size_t *ret_length);

/* "NONE, DEDICATEDPS, UTILIZEDPS": row->words without other spellings, for a message. "..." stands
 * for words that do not fit. */
char *maui_schema_word_list(const struct maui_param *row, char *buf, size_t size);

/* "USERCFG": the parameter whose attributes are of this family (one bit). NULL: of several. */
const char *maui_schema_family_name(unsigned family);

const char *maui_type_name(enum maui_type type);
const char *maui_status_name(enum maui_status status);

#endif
