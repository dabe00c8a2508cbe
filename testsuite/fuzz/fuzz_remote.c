/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_remote.c - any line of the other side over TCP, and any bytes in its credential
 *
 * The input is what one side receives: lines of JSON with a credential or a seal, and an answer. A
 * credential decodes to its own text, as if its maker had a key of the cluster.
 */
#include "fuzz.h"
#include "query/client.h"
#include "query/credential.h"
#include "query/message.h"

static const char challenge[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
/* The head that a request of this challenge has, and that no other bytes may replace. */
#define HEAD "slurm-maui query request 1\n"

static char *encode(const struct maui_query_auth *auth, const char *bytes, size_t length,
		    uid_t reader, struct maui_err *err)
{
	(void)auth;
	(void)reader;
	(void)err;
	return fuzz_text((const uint8_t *)bytes, length);
}

/* Credentials have no NUL in them; what they decode to may: here each '@' is one. */
static char *decode(const struct maui_query_auth *auth, const char *credential, size_t *ret_length,
		    uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err)
{
	char *bytes = fuzz_text((const uint8_t *)credential, strlen(credential));

	(void)auth;
	(void)err;
	*ret_length = strlen(credential);
	for (size_t i = 0; i < *ret_length; i++)
		bytes[i] = bytes[i] == '@' ? '\0' : bytes[i];
	*ret_uid = 1000;
	*ret_gid = 1000;
	return bytes;
}

static const struct maui_query_auth auth = { .encode = encode, .decode = decode };

static void open_request(const char *credential)
{
	struct maui_err err = { .text = "" };
	const char *text = NULL;
	size_t length = 0;
	uid_t uid;
	gid_t gid;
	char *bytes =
		maui_request_open(&auth, challenge, credential, &text, &length, &uid, &gid, &err);

	FUZZ_CHECK(bytes || *err.text);
	if (!bytes)
		return;
	FUZZ_CHECK(strncmp(credential, HEAD, strlen(HEAD)) == 0);
	FUZZ_CHECK(strncmp(credential + strlen(HEAD), challenge, strlen(challenge)) == 0);
	FUZZ_CHECK(text + length == bytes + strlen(credential));
	free(bytes);
}

/* A credential of any other text is no seal of an answer: the hashes do not fit. */
static void check_seal(const char *seal, const char *answer)
{
	struct maui_err err = { .text = "" };

	if (strncmp(seal, "slurm-maui query answer 1\n", 26) == 0)
		return; /* it may be a copy of the right one */
	FUZZ_CHECK(maui_answer_check(&auth, "credential", seal, answer, strlen(answer), 1000,
				     &err) < 0 &&
		   *err.text);
}

static void understand(const char *line)
{
	struct maui_query_error error = { 0 };
	json_object *result = maui_client_understand(line, strlen(line), &error);

	FUZZ_CHECK(result || (error.code != MAUI_QUERY_DONE && *error.err.text));
	json_object_put(result);
}

static void take_line(const char *line)
{
	static const char *const keys[] = { "challenge", "credential", "seal" };
	json_object *message = maui_message_parse(line, strlen(line), MAUI_MESSAGE_TEXT, NULL);
	struct maui_query_error error;
	const char *text = NULL;

	for (size_t i = 0; message && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (maui_message_text(message, keys[i], &text, &error) == 0 && text) {
			char *sealed = maui_request_seal(&auth, text, line, strlen(line), 0, NULL);

			FUZZ_CHECK((sealed != NULL) == (strlen(text) == strlen(challenge)));
			free(sealed);
			open_request(text);
			check_seal(text, line);
		}
	json_object_put(message);
	understand(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		take_line(line);
	free(text);
	return 0;
}
