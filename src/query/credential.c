/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential.c - binds requests and answers to the credentials that travel with them */

#include "query/credential.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char request_title[] = "slurm-maui query request 1\n";
static const char answer_title[] = "slurm-maui query answer 1\n";

/* Bytes of the title and the challenge, which stand before the request. */
enum { REQUEST_HEAD = sizeof(request_title) - 1 + MAUI_QUERY_CHALLENGE };
enum { HEX = BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE) + 1 };
enum { ANSWER_TEXT = sizeof(answer_title) + 2 * HEX };

int maui_query_challenge(char ret[MAUI_QUERY_CHALLENGE], struct maui_err *err)
{
	uint8_t bytes[(MAUI_QUERY_CHALLENGE - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != (ssize_t)sizeof(bytes))
		return maui_err_errno(err, "no random bytes for a challenge");
	base16_encode_update(ret, sizeof(bytes), bytes);
	ret[MAUI_QUERY_CHALLENGE - 1] = '\0';
	return 0;
}

char *maui_request_seal(const struct maui_query_auth *auth, const char *challenge, const char *text,
			size_t length, uid_t server, struct maui_err *err)
{
	char *bytes, *credential;

	if (strlen(challenge) != MAUI_QUERY_CHALLENGE - 1) {
		maui_err_set(err, "the server's challenge has a wrong length");
		return NULL;
	}
	bytes = malloc(REQUEST_HEAD + length + 1);
	if (!bytes) {
		maui_err_no_memory(err);
		return NULL;
	}
	snprintf(bytes, REQUEST_HEAD + 1, "%s%s\n", request_title, challenge);
	memcpy(bytes + REQUEST_HEAD, text, length);
	credential = auth->encode(auth, bytes, REQUEST_HEAD + length, server, err);
	free(bytes);
	return credential;
}

char *maui_request_open(const struct maui_query_auth *auth, const char *challenge,
			const char *credential, const char **ret_text, size_t *ret_length,
			uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err)
{
	char head[REQUEST_HEAD + 1], *bytes;
	size_t length = 0;

	bytes = auth->decode(auth, credential, &length, ret_uid, ret_gid, err);
	if (!bytes)
		return NULL;
	snprintf(head, sizeof(head), "%s%s\n", request_title, challenge);
	if (length >= REQUEST_HEAD && memcmp(bytes, head, REQUEST_HEAD) == 0) {
		*ret_text = bytes + REQUEST_HEAD;
		*ret_length = length - REQUEST_HEAD;
		return bytes;
	}
	maui_err_set(err, "the credential was made for another connection or service");
	free(bytes);
	return NULL;
}

/* SHA-256 in hexadecimal digits. */
static void hash_hex(const void *data, size_t length, char ret[HEX])
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, length, data);
	sha256_digest(&context, sizeof(digest), digest);
	base16_encode_update(ret, sizeof(digest), digest);
	ret[HEX - 1] = '\0';
}

static int answer_text(const char *request_credential, const char *answer, size_t length,
		       char ret[ANSWER_TEXT])
{
	char of_request[HEX], of_answer[HEX];

	hash_hex(request_credential, strlen(request_credential), of_request);
	hash_hex(answer, length, of_answer);
	return snprintf(ret, ANSWER_TEXT, "%s%s\n%s", answer_title, of_request, of_answer);
}

char *maui_answer_seal(const struct maui_query_auth *auth, const char *request_credential,
		       const char *answer, size_t length, uid_t client, struct maui_err *err)
{
	char text[ANSWER_TEXT];
	int size = answer_text(request_credential, answer, length, text);

	return auth->encode(auth, text, (size_t)size, client, err);
}

int maui_answer_check(const struct maui_query_auth *auth, const char *request_credential,
		      const char *seal, const char *answer, size_t length, uid_t server,
		      struct maui_err *err)
{
	char text[ANSWER_TEXT], *bytes;
	int wanted = answer_text(request_credential, answer, length, text), rc = -1;
	size_t size = 0;
	uid_t uid = 0;
	gid_t gid = 0;

	bytes = auth->decode(auth, seal, &size, &uid, &gid, err);
	if (!bytes)
		return -1;
	if (uid != 0 && uid != server)
		maui_err_set(err, "user %u sealed the answer, not SlurmUser (%u)", (unsigned)uid,
			     (unsigned)server);
	else if (size != (size_t)wanted || memcmp(bytes, text, size) != 0)
		maui_err_set(err, "the seal does not belong to this answer and this request");
	else
		rc = 0;
	free(bytes);
	return rc;
}
