/* SPDX-License-Identifier: GPL-2.0-or-later */
/* munge_none.c - in place of munge.c in a build without Slurm, which has no libmunge */
#include "query/credential.h"

static char *encode(const struct maui_query_auth *auth, const char *bytes, size_t length,
		    uid_t reader, struct maui_err *err)
{
	(void)auth;
	(void)bytes;
	(void)length;
	(void)reader;
	maui_err_set(err, "this command was built without MUNGE");
	return NULL;
}

static char *decode(const struct maui_query_auth *auth, const char *credential, size_t *ret_length,
		    uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err)
{
	(void)credential;
	(void)ret_uid;
	(void)ret_gid;
	*ret_length = 0;
	return encode(auth, "", 0, 0, err);
}

void maui_query_munge(struct maui_query_auth *ret, const char *socket)
{
	*ret = (struct maui_query_auth){ .socket = socket, .encode = encode, .decode = decode };
}
