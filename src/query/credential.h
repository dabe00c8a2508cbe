/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential.h - who speaks at the other end of a TCP connection, and that nobody changed the words
 *
 * A request and its answer travel in the open; MUNGE credentials protect them:
 *   the server opens the connection with a challenge, random bytes that it uses once;
 *   the request's credential carries the challenge and the request itself;
 *   the answer's credential (the seal) carries the hash of the request's credential and the hash of
 *   the answer.
 * So a credential made for another connection, another service or another request is worth nothing.
 * MUNGE adds the sender's uid, a time to live, and that only the receiver decodes it, once.
 *
 * The functions of struct maui_query_auth hide libmunge, so that tests and builds without it
 * have something else in its place.
 *
 * Rules: CMD-15.
 */
#ifndef MAUI_QUERY_CREDENTIAL_H
#define MAUI_QUERY_CREDENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* Digits of a challenge with the terminating NUL. */
#define MAUI_QUERY_CHALLENGE 65

struct maui_query_auth {
	const char *socket;  /* munged's; NULL or "": MUNGE's default */
	const void *context; /* for other functions than MUNGE's */
	/* Returns a credential with these bytes, which only `reader` can decode. It has no
	 * newline; the caller frees it. NULL with err. */
	char *(*encode)(const struct maui_query_auth *auth, const char *bytes, size_t length,
			uid_t reader, struct maui_err *err);
	/* The bytes, followed by a NUL, and who encoded them; the caller frees them. NULL with
	 * err: an expired, replayed, foreign or broken credential. */
	char *(*decode)(const struct maui_query_auth *auth, const char *credential,
			size_t *ret_length, uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err);
};

/* libmunge's functions; in a build without libmunge both fail and say so. */
void maui_query_munge(struct maui_query_auth *ret, const char *socket);

/* Fills in a challenge that was never used. -1 with err: the kernel gave no random bytes. */
int maui_query_challenge(char ret[MAUI_QUERY_CHALLENGE], struct maui_err *err);

/* The client's side of a request, and the server's. maui_request_open() sets *ret_text to the
 * request within the returned bytes, which the caller frees. NULL with err. */
char *maui_request_seal(const struct maui_query_auth *auth, const char *challenge, const char *text,
			size_t length, uid_t server, struct maui_err *err);
char *maui_request_open(const struct maui_query_auth *auth, const char *challenge,
			const char *credential, const char **ret_text, size_t *ret_length,
			uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err);

/* The server's side of an answer: a credential that the caller frees, NULL with err. */
char *maui_answer_seal(const struct maui_query_auth *auth, const char *request_credential,
		       const char *answer, size_t length, uid_t client, struct maui_err *err);
/* The client's side: 0 when root or `server` sealed this answer to this request, else -1 with
 * err. */
int maui_answer_check(const struct maui_query_auth *auth, const char *request_credential,
		      const char *seal, const char *answer, size_t length, uid_t server,
		      struct maui_err *err);

#endif
