/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_value.h - the little languages of reservations: access lists, tasks, owners, triggers
 *
 * Of SRCFG lines, and of what setres is given. On anything but MAUI_VALUE_OK err says why;
 * on MAUI_VALUE_BAD nothing was changed.
 */
#ifndef MAUI_CONFIG_RSV_VALUE_H
#define MAUI_CONFIG_RSV_VALUE_H

#include "config/value.h"
#include "model/rsv.h"

/* Appends the entries of a list, divided by , | : or blanks (limits: only , |), with the marks of
 * acl.h; names may stand in brackets. `kind`: enum maui_cred_kind or maui_acl_kind; accounts are
 * stored as slurmctld has them. MAUI_VALUE_IGNORED: some entry or mark was left out, err has the
 * first. [NONE], of TIMELIMIT -1 too, is no entry. */
enum maui_value_result maui_acl_parse(struct maui_acl *acl, int kind, const char *text,
				      struct maui_err *err);

/* PROCS:2;MEM:512: NAME:VALUE or NAME=VALUE, joined by ; , | + or blanks; MB. [ALL] is -1. What is
 * not named is 0. */
enum maui_value_result maui_rsv_parse_task(struct maui_rsv_task *task, const char *text,
					   struct maui_err *err);

/* USER:tom. The caller owns *ret_name; what stood in it is freed. */
enum maui_value_result maui_rsv_parse_owner(int *ret_kind, char **ret_name, const char *text,
					    struct maui_err *err);

/* Adds <event>[+<offset>][@<threshold>];<action>[@<data>], with ':' as well before the action. */
enum maui_value_result maui_rsv_parse_trigger(struct maui_rsv *rsv, const char *text,
					      struct maui_err *err);

/* DAYS as the words of `row` with commas between them: what else stands between them is of no
 * matter, and nothing need (MONTUE, [MON;TUE]). But for '-': a range is none of the words. The
 * caller owns the result; NULL without memory. */
char *maui_rsv_spread_days(const struct maui_param *row, const char *text);

/* The next word of such a list that is no day, nor several; false: there is none. */
bool maui_rsv_next_wrong_day(const struct maui_param *row, const char *text,
			     struct maui_list_word *word);

/* What stands between the entries of a list of this kind. */
const char *maui_acl_separators(int kind);
/* The next entry of an access list; false: there is none. */
bool maui_acl_next_word(int kind, const char *text, struct maui_list_word *word);

/* Names without the brackets that Maui's own lists have, nor how many of each there are:
 * "[batch:2][fast]-" is "batch,fast-". The caller owns the result; NULL without memory. */
char *maui_rsv_strip_brackets(const char *text);

/* "USERLIST" of MAUI_CRED_USER, "TIMELIMIT" of MAUI_ACL_DURATION. */
const char *maui_acl_attr(int kind);
/* The other way round; -1: no access list. */
int maui_acl_kind_of(const char *attr);

#endif
