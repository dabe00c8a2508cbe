/* SPDX-License-Identifier: GPL-2.0-or-later */
/* munge.c - credentials of MUNGE, through libmunge and the munged of this machine */
#include <munge.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "query/credential.h"

/* A context of its own for each call: contexts are not for several threads. */
static munge_ctx_t create_context(const struct maui_query_auth *auth, struct maui_err *err)
{
	munge_ctx_t ctx = munge_ctx_create();

	if (ctx && auth->socket && *auth->socket &&
	    munge_ctx_set(ctx, MUNGE_OPT_SOCKET, auth->socket) != EMUNGE_SUCCESS) {
		munge_ctx_destroy(ctx);
		ctx = NULL;
	}
	if (!ctx)
		maui_err_no_memory_for(err, "munge");
	return ctx;
}

static char *encode(const struct maui_query_auth *auth, const char *bytes, size_t length,
		    uid_t reader, struct maui_err *err)
{
	munge_ctx_t ctx = create_context(auth, err);
	char *credential = NULL;
	munge_err_t rc;

	if (!ctx)
		return NULL;
	rc = munge_ctx_set(ctx, MUNGE_OPT_TTL, MAUI_QUERY_CREDENTIAL_TTL_S);
	if (rc == EMUNGE_SUCCESS)
		rc = munge_ctx_set(ctx, MUNGE_OPT_UID_RESTRICTION, reader);
	if (rc == EMUNGE_SUCCESS)
		rc = munge_encode(&credential, ctx, bytes, (int)length);
	if (rc != EMUNGE_SUCCESS) {
		maui_err_set(err, "munge: %s", munge_strerror(rc));
		free(credential);
		credential = NULL;
	}
	munge_ctx_destroy(ctx);
	return credential;
}

/* Every result but success refuses the credential: munge_decode() returns the bytes of expired and
 * replayed ones as well. */
static char *decode(const struct maui_query_auth *auth, const char *credential, size_t *ret_length,
		    uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err)
{
	munge_ctx_t ctx = create_context(auth, err);
	void *bytes = NULL;
	char *text = NULL;
	int length = 0;
	munge_err_t rc;

	if (!ctx)
		return NULL;
	rc = munge_decode(credential, ctx, &bytes, &length, ret_uid, ret_gid);
	if (rc != EMUNGE_SUCCESS)
		maui_err_set(err, "munge: %s", munge_strerror(rc));
	else if (length < 0 || !(text = malloc((size_t)length + 1)))
		maui_err_no_memory_for(err, "munge");
	if (text) {
		if (length > 0)
			memcpy(text, bytes, (size_t)length);
		text[length] = '\0';
		*ret_length = (size_t)length;
	}
	free(bytes);
	munge_ctx_destroy(ctx);
	return text;
}

void maui_query_munge(struct maui_query_auth *ret, const char *socket)
{
	*ret = (struct maui_query_auth){ .socket = socket, .encode = encode, .decode = decode };
}
