/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query.c - what commands that ask slurmctld have in common
 *
 * Rules: CMD-15.
 */

#include "maui_config.h"

#include "cmd/query.h"

#include <ctype.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/json_print.h"
#include "base/limits.h"
#include "base/monotonic.h"
#include "base/need.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/socket.h"
#include "query/client.h"
#include "query/remote.h"
#include "query/stream.h"
#include "record/read.h"
#include "record/write.h"
#include "slurmconf/client_conf.h"

/* ---- over which socket ---- */

enum { RETRY_MIN_MS = 50, RETRY_SPREAD_MS = 250 };

static json_object *no_slurm_user(const char *user, json_object *args,
				  struct maui_query_error *error)
{
	maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no user '%s' (SlurmUser)", user);
	json_object_put(args);
	return NULL;
}

static json_object *ask_remote(const struct maui_client_conf *conf, uint16_t port,
			       const struct maui_verb *verb, json_object *args,
			       struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	struct maui_query_remote_hosts hosts = { .hosts = (const char *const *)conf->hosts,
						 .count = conf->count,
						 .port = port,
						 .cluster = conf->cluster,
						 .is_change = verb->is_change };
	json_object *result = NULL;
	char *user;

	if (maui_cmd_slurm_user(&options, &hosts.server, &user)) {
		result = no_slurm_user(user, args, error);
	} else {
		maui_query_munge(&hosts.auth, conf->munge_socket);
		result = maui_client_ask_remote(&hosts, verb->name, args, error);
	}
	free(user);
	return result;
}

/* Asks on this host. A user who sets MAUI_SOCKET trusts the server of that socket. */
static json_object *ask_here(const char *path, bool trusts, const char *verb, json_object *args,
			     struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	json_object *result;
	char *user = NULL;
	uid_t server;

	if (trusts)
		return maui_client_ask(path, NULL, verb, args, error);
	if (maui_cmd_slurm_user(&options, &server, &user))
		result = no_slurm_user(user, args, error);
	else
		result = maui_client_ask(path, &server, verb, args, error);
	free(user);
	return result;
}

static json_object *ask_once(const struct maui_verb *verb, json_object *args,
			     struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	const char *wish = getenv("MAUI_SOCKET");
	struct maui_client_conf conf = { 0 };
	char *path = maui_cmd_socket_path(error);
	bool trusts = wish && *wish;
	json_object *result = NULL;
	struct maui_err ignored;
	uint16_t port = 0;

	if (!trusts && !(path && maui_client_is_answered(path)) &&
	    maui_client_conf_read(&conf, maui_cmd_slurm_conf_path(&options), &ignored) == 0 &&
	    maui_remote_port(conf.parameters, &port, &ignored) == 0 && port > 0 && conf.count > 0)
		result = ask_remote(&conf, port, verb, args, error);
	else if (path)
		result = ask_here(path, trusts, verb->name, args, error);
	else
		json_object_put(args);
	maui_client_conf_finish(&conf);
	free(path);
	return result;
}

/* Clients that were refused together do not come back together. */
static void pause_before_retry(void)
{
	uint16_t random = 0;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = (uint16_t)getpid();
	poll(NULL, 0, RETRY_MIN_MS + random % RETRY_SPREAD_MS);
}

/* How long after the first question it is worth asking again. */
static int64_t patience_ms(enum maui_query_code code)
{
	return code == MAUI_QUERY_BUSY    ? MAUI_QUERY_CLIENT_MS :
	       code == MAUI_QUERY_NOT_YET ? MAUI_QUERY_NEW_JOB_MS :
					    0;
}

/* Over the Unix socket when one answers on this host or MAUI_SOCKET names one; else over TCP when
 * slurm.conf has maui_port. args are taken over. NULL with error. */
static json_object *ask_server(const struct maui_verb *verb, json_object *args,
			       struct maui_query_error *error)
{
	int64_t began_ms = maui_monotonic_ms();
	json_object *result;

	while (!(result = ask_once(verb, json_object_get(args), error)) &&
	       maui_monotonic_ms() < began_ms + patience_ms(error->code))
		pause_before_retry();
	if (!result && error->code == MAUI_QUERY_BUSY)
		error->code = MAUI_QUERY_UNAVAILABLE;
	if (!result && error->code == MAUI_QUERY_NOT_YET)
		error->code = MAUI_QUERY_NOT_FOUND;
	json_object_put(args);
	return result;
}

static void print_error(const struct maui_tool_common *common, const struct maui_query_error *error)
{
	fprintf(stderr, "%s: error: %s\n", common->tool, error->err.text);
}

/* ---- what is printed with --json ---- */

static const struct maui_field error_fields[] = {
	MAUI_MEMBER(maui_query_error, err.text, "error", CHARS),
	MAUI_MEMBER(maui_query_error, code, "code", COUNT),
};
MAUI_RECORD_TABLE_WITH(maui_query_error_type, maui_query_error, error_fields, .sparse = false);

#define META_FIELDS(F, R)                                              \
	F(R, TEXT, tool, "the command: `showq`, `maui config check`")  \
	F(R, TEXT, version, "of slurm-maui")                           \
	F(R, TEXT, schema, "`maui.showq.v1`, `maui.config.check.v1`")  \
	F(R, MAYBE_RAW, cluster, "of the answer; absent: it has none") \
	F(R, MAYBE_RAW, time, "of the plan or the answer; absent: none")
MAUI_RECORD(maui_cmd_meta, META_FIELDS);
MAUI_RECORD_TYPE(maui_cmd_meta, META_FIELDS);

#define HEAD_FIELDS(F, R)                                                \
	F(R, ONE, meta, "", maui_cmd_meta)                               \
	F(R, MAYBE_LIST, errors, "absent: of reports", maui_query_error) \
	F(R, MAYBE_TEXTS, warnings, "absent: of reports")
MAUI_RECORD(maui_cmd_head, HEAD_FIELDS);
MAUI_RECORD_TYPE(maui_cmd_head, HEAD_FIELDS);

static const struct maui_query_error no_errors[1];
static const char *const no_warnings[1];

/* "maui share" has the schema maui.share.v1 */
static void name_schema(const struct maui_tool_common *common, char *schema, size_t size)
{
	snprintf(schema, size, "maui.%s.v1",
		 strncmp(common->tool, "maui ", 5) == 0 ? common->tool + 5 : common->tool);
	for (char *blank = schema; (blank = strchr(blank, ' '));)
		*blank = '.';
}

/* The member of the result as JSON; text NULL: it has none. */
static struct maui_raw member(json_object *result, const char *key)
{
	json_object *value;
	struct maui_raw raw = { 0 };

	if (json_object_object_get_ex(result, key, &value))
		raw.text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
	return raw;
}

/* With the result's cluster and time; result NULL: there are none. */
static json_object *make_head(const struct maui_tool_common *common,
			      const struct maui_cmd_head *head, json_object *result)
{
	char schema[64];
	const struct maui_cmd_meta meta = { .tool = common->tool,
					    .version = MAUI_VERSION,
					    .schema = schema,
					    .cluster = member(result, "cluster"),
					    .time = member(result, "time") };
	struct maui_cmd_head named = *head;

	name_schema(common, schema, sizeof(schema));
	named.meta = &meta;
	return maui_need(maui_record_object(&maui_cmd_head_type, &named));
}

static void print_json(json_object *all)
{
	if (maui_json_print(stdout, all, maui_terminal_display()))
		maui_out_of_memory();
}

/* In place of those with the same keys, or behind all. */
static void put_members(json_object *into, json_object *from)
{
	json_object_object_foreach(from, key, value)
	{
		json_object_object_add(into, key, json_object_get(value));
	}
}

/* The head, then the result, whose own errors and warnings stand in place of the head's. Takes the
 * result over. */
static void print_all(const struct maui_tool_common *common, const struct maui_cmd_head *head,
		      json_object *result)
{
	json_object *all = make_head(common, head, result);

	put_members(all, result);
	json_object_object_del(all, "cluster");
	json_object_object_del(all, "time");
	print_json(all);
	json_object_put(result);
}

static void print_result(const struct maui_tool_common *common, json_object *result)
{
	const struct maui_cmd_head head = { .errors = no_errors, .warnings = no_warnings };

	print_all(common, &head, result);
}

void maui_cmd_print_record_json(const struct maui_tool_common *common,
				const struct maui_record_type *type, const void *record)
{
	print_result(common, maui_need(maui_record_object(type, record)));
}

void maui_cmd_print_report_json(const struct maui_tool_common *common,
				const struct maui_record_type *type, const void *record)
{
	const struct maui_cmd_head head = { 0 };

	print_all(common, &head, maui_need(maui_record_object(type, record)));
}

void maui_cmd_answer_print_json(const struct maui_tool_common *common,
				const struct maui_cmd_answer *answer)
{
	print_result(common, json_object_get(answer->json));
}

void maui_cmd_answer_print_changed(const struct maui_tool_common *common,
				   const struct maui_cmd_answer *answer, const char *without,
				   const struct maui_record_type *type, const void *record)
{
	json_object *changes = maui_need(maui_record_object(type, record));

	if (without)
		json_object_object_del(answer->json, without);
	put_members(answer->json, changes);
	json_object_put(changes);
	maui_cmd_answer_print_json(common, answer);
}

static void print_failure(const struct maui_tool_common *common,
			  const struct maui_query_error *error)
{
	const struct maui_cmd_head head = { .errors = error,
					    .errors_count = 1,
					    .warnings = no_warnings };

	print_json(make_head(common, &head, NULL));
}

/* ---- questions ---- */

static void print_misuse(const struct maui_tool_common *common, const char *text)
{
	struct maui_query_error error;

	maui_query_fail(&error, MAUI_QUERY_BAD, "%s", text);
	print_failure(common, &error);
}

int maui_cmd_read(struct maui_tool_common *common, void *options, int argc, char **argv)
{
	static const struct maui_program maui = { maui_cmd_print_version, print_misuse };

	common->program = &maui;
	return maui_options_read(common, options, argc, argv);
}

static void mask_text(json_object *text, enum maui_display display)
{
	char *copy = maui_need_copy(json_object_get_string(text));

	maui_utf8_mask(copy, strlen(copy), display);
	json_object_set_string(text, copy);
	free(copy);
}

/* Replaces control characters in all texts, which a terminal would act on. Bounded by the depth
 * that the parser of answers allows. */
static void mask_texts(json_object *value, enum maui_display display)
{
	if (json_object_is_type(value, json_type_string))
		mask_text(value, display);
	for (size_t i = 0;
	     json_object_is_type(value, json_type_array) && i < json_object_array_length(value);
	     i++)
		mask_texts(json_object_array_get_idx(value, i), display);
	if (!json_object_is_type(value, json_type_object))
		return;
	json_object_object_foreach(value, key, member)
	{
		/* records of limits, weights and labels show keys; the parser has copied them */
		maui_utf8_mask((char *)key, strlen(key), display);
		mask_texts(member, display);
	}
}

int maui_cmd_failed(const struct maui_tool_common *common, const struct maui_query_error *error)
{
	if (common->json)
		print_failure(common, error);
	print_error(common, error);
	return (int)error->code;
}

int maui_cmd_no(const struct maui_tool_common *common, const char *kind, const char *name)
{
	struct maui_query_error error;

	maui_query_fail(&error, MAUI_QUERY_NOT_FOUND, "no %s '%.64s'", kind, name);
	return maui_cmd_failed(common, &error);
}

/* `clean`: texts may be shown on a terminal. -1 with error. */
static int ask(const struct maui_verb *verb, const void *args, bool clean,
	       struct maui_cmd_answer *ret, struct maui_query_error *error)
{
	struct maui_record_reader reader = { .arena = &ret->arena };
	json_object *written = args ? maui_need(maui_record_json(verb->args, args)) : NULL;
	void *record;

	*ret = (struct maui_cmd_answer){ 0 };
	ret->json = ask_server(verb, written, error);
	if (!ret->json)
		return -1;
	if (clean)
		mask_texts(ret->json, maui_terminal_display());
	record = maui_need(maui_arena_alloc(&ret->arena, verb->answer->size));
	if (maui_record_read(&reader, verb->answer, ret->json, record))
		maui_out_of_memory();
	ret->record = record;
	return 0;
}

/* With --json, maui_json_print() escapes what a terminal must not be sent. */
int maui_cmd_try_verb(const struct maui_tool_common *common, const struct maui_verb *verb,
		      const void *args, struct maui_cmd_answer *ret, struct maui_query_error *error)
{
	return ask(verb, args, !common->json, ret, error);
}

int maui_cmd_ask_verb(const struct maui_tool_common *common, const struct maui_verb *verb,
		      const void *args, struct maui_cmd_answer *ret)
{
	struct maui_query_error error = { .code = MAUI_QUERY_ERROR };

	return ask(verb, args, !common->json, ret, &error) ? maui_cmd_failed(common, &error) :
							     MAUI_EXIT_OK;
}

int maui_cmd_show(const struct maui_tool_common *common, const struct maui_verb *verb,
		  const void *args, maui_cmd_print_fn print, const void *options)
{
	struct maui_cmd_answer answer;
	int rc = maui_cmd_ask_verb(common, verb, args, &answer);

	if (rc != MAUI_EXIT_OK)
		return rc;
	if (common->json)
		maui_cmd_answer_print_json(common, &answer);
	else
		rc = print(common, options, answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}

int maui_cmd_ask_verb_exact(const struct maui_tool_common *common, const struct maui_verb *verb,
			    const void *args, struct maui_cmd_answer *ret)
{
	struct maui_query_error error = { .code = MAUI_QUERY_ERROR };

	return ask(verb, args, false, ret, &error) ? maui_cmd_failed(common, &error) : MAUI_EXIT_OK;
}

void maui_cmd_answer_finish(struct maui_cmd_answer *answer)
{
	json_object_put(answer->json);
	maui_arena_finish(&answer->arena);
	*answer = (struct maui_cmd_answer){ 0 };
}

int64_t maui_cmd_job_id(const char *text)
{
	char *end;
	long long id;

	if (!isdigit((unsigned char)*text))
		return -1;
	id = strtoll(text, &end, 10);
	if (*end == '_' && isdigit((unsigned char)end[1]))
		end += 1 + strspn(end + 1, "0123456789");
	return *end == '\0' && id > 0 && id <= UINT32_MAX ? id : -1;
}
