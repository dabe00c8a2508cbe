/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_value.h - values of SRCFG attributes with a syntax of their own: access lists, tasks, owners,
 * triggers
 *
 * maui.cfg and setres use the same syntax. On any result but MAUI_VALUE_OK err has the reason; on
 * MAUI_VALUE_BAD nothing was changed.
 */
#ifndef MAUI_CONFIG_RSV_VALUE_H
#define MAUI_CONFIG_RSV_VALUE_H

#include "config/value.h"
#include "model/rsv.h"

/* Appends the entries of a list. Entries are separated by , | : or blanks (limits: only , |), have
 * the marks of acl.h, and names may be in brackets. `kind`: enum maui_cred_kind or maui_acl_kind.
 * Accounts are stored in lower case, as in slurmctld. MAUI_VALUE_IGNORED: an entry or mark was
 * skipped; err names the first. [NONE], and -1 for TIMELIMIT, add no entry. */
enum maui_value_result maui_acl_parse(struct maui_acl *acl, int kind, const char *text,
				      struct maui_err *err);

/* Reads NAME:VALUE or NAME=VALUE pairs (PROCS:2;MEM:512), joined by ; , | + or blanks; memory in
 * MB. [ALL] is -1. A resource without a value is 0. */
enum maui_value_result maui_rsv_parse_task(struct maui_rsv_task *task, const char *text,
					   struct maui_err *err);

/* Reads USER:tom. The caller owns *ret_name; its former value is freed. */
enum maui_value_result maui_rsv_parse_owner(int *ret_kind, char **ret_name, const char *text,
					    struct maui_err *err);

/* Adds a trigger <event>[+<offset>][@<threshold>];<action>[@<data>]; ':' may replace the ';'. */
enum maui_value_result maui_rsv_parse_trigger(struct maui_rsv *rsv, const char *text,
					      struct maui_err *err);

/* Rewrites DAYS as words of `row` separated by commas. Any separator is accepted, and none is
 * needed (MONTUE, [MON;TUE]), except '-': a range stays one unknown word. The caller owns the
 * result; NULL without memory. */
char *maui_rsv_spread_days(const struct maui_param *row, const char *text);

/* The next word of such a list that is neither a day nor a run of days; false: no more. */
bool maui_rsv_next_wrong_day(const struct maui_param *row, const char *text,
			     struct maui_list_word *word);

/* The separators of the entries of a list of this kind. */
const char *maui_acl_separators(int kind);
/* The next entry of an access list; false: no more. */
bool maui_acl_next_word(int kind, const char *text, struct maui_list_word *word);

/* Removes the brackets and counts that Maui prints in lists: "[batch:2][fast]-" becomes
 * "batch,fast-". The caller owns the result; NULL without memory. */
char *maui_rsv_strip_brackets(const char *text);

/* The attribute of a kind: "USERLIST" of MAUI_CRED_USER, "TIMELIMIT" of MAUI_ACL_DURATION. */
const char *maui_acl_attr(int kind);
/* The kind of an attribute; -1: the attribute is not an access list. */
int maui_acl_kind_of(const char *attr);

#endif
