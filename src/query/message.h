/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - what goes over the query socket: one JSON object a line, each way (README.md)
 *
 * Rules: CMD-3.
 */
#ifndef MAUI_QUERY_MESSAGE_H
#define MAUI_QUERY_MESSAGE_H

#include <json-c/json.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

#define MAUI_QUERY_VERSION 1

/* The code of an answer; also the exit status of commands. */
enum maui_query_code {
	MAUI_QUERY_DONE = 0,
	MAUI_QUERY_ERROR = 1,       /* could not be done */
	MAUI_QUERY_BAD = 2,         /* the request is wrong */
	MAUI_QUERY_UNAVAILABLE = 3, /* nobody answers, or not now */
	MAUI_QUERY_DENIED = 4,      /* not this user */
	MAUI_QUERY_NOT_FOUND = 5,   /* no such reservation */
	/* too many clients or requests: commands ask again until their time is over, and then end
	 * as if nobody had answered */
	MAUI_QUERY_BUSY = 6,
	/* no such job in the plan, but its number is higher than any there: commands ask again for
	 * MAUI_QUERY_NEW_JOB_MS, and then end as if it were not found */
	MAUI_QUERY_NOT_YET = 7,
};

struct maui_query_error {
	enum maui_query_code code;
	struct maui_err err;
};

/* Sets code and text; returns -1. `error` may be NULL. */
int maui_query_fail(struct maui_query_error *error, enum maui_query_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with MAUI_QUERY_DENIED, and "not permitted: " before the text. */
int maui_query_denied(struct maui_query_error *error, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same with MAUI_QUERY_UNAVAILABLE: "no memory" ... */
int maui_query_no_memory(struct maui_query_error *error);
/* ... and that no cycle has finished since slurmctld began. */
int maui_query_unplanned(struct maui_query_error *error);
/* BUSY: the name of the user who asks is not known yet. */
int maui_query_unnamed(struct maui_query_error *error, uid_t uid);

enum maui_message {
	MAUI_MESSAGE_TEXT, /* a challenge, a credential, a seal or an error: nothing within them */
	MAUI_MESSAGE_REQUEST,
	MAUI_MESSAGE_ANSWER,
};

/* One line without its end: a JSON object in UTF-8. The caller puts it. NULL with err: none, or one
 * of more parts than such a message has. */
json_object *maui_message_parse(const char *text, size_t length, enum maui_message kind,
				struct maui_err *err);

/* A request's verb and arguments, borrowed of it. -1 with error: not of this version, no verb,
 * `args` that are no object (absent: *ret_args is NULL). */
int maui_message_request(json_object *message, const char **ret_verb, json_object **ret_args,
			 struct maui_query_error *error);

/* Whether the request is for this cluster, or for any. -1 with error. */
int maui_message_cluster(json_object *message, const char *cluster, struct maui_query_error *error);

/* Lines with their ends; the caller frees. `args`, `result` are taken over, NULL: none. NULL
 * without memory. `cluster`: only its slurmctld is to answer; NULL: any. */
char *maui_message_format_request(const char *verb, json_object *args, const char *cluster,
				  size_t *ret_length);
/* One member of a text. */
char *maui_message_format_text(const char *key, const char *text, size_t *ret_length);
char *maui_message_format_result(json_object *result, size_t *ret_length);
/* -1 with error: a command would not read such a line, because it has too many bytes, values or
 * lists and objects. */
int maui_message_check_result(const char *line, size_t length, struct maui_query_error *error);
char *maui_message_format_error(const struct maui_query_error *error, size_t *ret_length);

/* What an answer says: 0 with *ret_result (the caller puts it), or -1 with error. */
int maui_message_answer(json_object *message, json_object **ret_result,
			struct maui_query_error *error);

/* Members of args; -1 with error when there is one of another type. Absent (args may be NULL):
 * NULL, `absent`. null counts as absent. A text must not have NUL in it. */
int maui_message_text(json_object *args, const char *key, const char **ret,
		      struct maui_query_error *error);
int maui_message_number(json_object *args, const char *key, int64_t absent, int64_t *ret,
			struct maui_query_error *error);

#endif
