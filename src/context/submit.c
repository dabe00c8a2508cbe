/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit.c - QDEF and QLIST at the door */

#include "slurm/compat.h"

#include "context/submit.h"

#include "base/limits.h"
#include "base/strbuf.h"
#include "policy/qos.h"
#include "slurm/abi.h"
#include "slurm/capture.h"

static bool has_slurmdbd(void)
{
	return slurm_conf.accounting_storage_type &&
	       !xstrstr(slurm_conf.accounting_storage_type, "/none");
}

/* "a, b and c", for a person. */
static void describe_allowed(struct maui_context *c, const char *const *cred,
			     struct maui_strbuf *out)
{
	struct maui_words words;

	if (maui_qos_list(c->config, cred, &words))
		return;
	for (size_t i = 0; i < words.count; i++)
		maui_strbuf_addf(out, "%s%s", i == 0 ? "" : i + 1 == words.count ? " and " : ", ",
				 words.list[i]);
	if (words.count == 0)
		maui_strbuf_addf(out, "none");
	maui_words_finish(&words);
}

static char *refusal(struct maui_context *c, const char *const *cred, const char *qos)
{
	struct maui_strbuf out = { 0 };
	char *text;

	/* no name: a user never seen before has none here yet, and he knows who he is */
	maui_strbuf_addf(&out, "QOS '%s' is not open to you", qos);
	if (cred[MAUI_CRED_ACCOUNT])
		maui_strbuf_addf(&out, ", account %s", cred[MAUI_CRED_ACCOUNT]);
	if (cred[MAUI_CRED_CLASS])
		maui_strbuf_addf(&out, ", partition %s", cred[MAUI_CRED_CLASS]);
	maui_strbuf_addf(&out, " (QLIST in maui.cfg); allowed: ");
	describe_allowed(c, cred, &out);
	text = xstrdup(out.failed ? "this QOS is not allowed" : out.text);
	maui_strbuf_finish(&out);
	return text;
}

/* A job may name several partitions; it must be allowed in each that it may run in. */
static bool allowed(struct maui_context *c, const char **cred, const char *partitions,
		    const char *qos, char **err_msg)
{
	char *copy = xstrdup(partitions), *save = NULL, *part = NULL;
	bool ok = true;

	if (copy)
		part = strtok_r(copy, ",", &save);
	do {
		cred[MAUI_CRED_CLASS] = part;
		ok = maui_qos_allowed(c->config, cred, qos);
		if (!ok && err_msg && !*err_msg)
			*err_msg = refusal(c, cred, qos);
		part = part ? strtok_r(NULL, ",", &save) : NULL;
	} while (ok && part);
	xfree(copy);
	return ok;
}

/* Replaces or adds our key in an admin_comment. Returns a new text (xmalloc). */
static char *with_qos_key(const char *comment, const char *qos)
{
	const char *name;
	size_t length;
	char *out = NULL;

	if (maui_capture_qos_key(comment, &name, &length))
		xstrfmtcat(out, "%.*s%s%s", (int)(name - comment), comment, qos, name + length);
	else if (comment && *comment)
		xstrfmtcat(out, "%s;maui:qos=%s", comment, qos);
	else
		xstrfmtcat(out, "maui:qos=%s", qos);
	return out;
}

/* Our separators cannot be part of a name. */
static bool is_name(const char *qos)
{
	return *qos != '\0' && strlen(qos) <= MAUI_NAME_MAX && !qos[strcspn(qos, ";, \t\n\"'=")];
}

static int invalid(char **err_msg)
{
	if (err_msg)
		*err_msg = xstrdup("a QOS is one name without blanks and separators");
	return ESLURM_INVALID_QOS;
}

/* "two" of "two,main"; NULL for NULL. By xmalloc. */
static char *first_part(const char *parts)
{
	char *first = xstrdup(parts);

	if (first)
		first[strcspn(first, ",")] = '\0';
	return first;
}

int maui_submit_check(struct maui_context *c, void *desc, char **err_msg)
{
	job_desc_msg_t *job_desc = desc;
	const char *cred[MAUI_CRED_COUNT] = { 0 }, *qos;
	const char *parts = job_desc->partition;
	char *comment, *first;
	bool ok;

	if (job_desc->qos && *job_desc->qos && !is_name(job_desc->qos))
		return has_slurmdbd() ? SLURM_SUCCESS : invalid(err_msg);
	if (!parts && default_part_loc)
		parts = default_part_loc->name;
	slurm_mutex_lock(&c->lock);
	cred[MAUI_CRED_USER] = maui_names_user(&c->names, job_desc->user_id);
	if (job_desc->group_id != NO_VAL)
		cred[MAUI_CRED_GROUP] = maui_names_group(&c->names, job_desc->group_id);
	cred[MAUI_CRED_ACCOUNT] = job_desc->account;
	first = first_part(parts); /* of a list the first one's QDEF counts */
	cred[MAUI_CRED_CLASS] = first;
	qos = job_desc->qos && *job_desc->qos ? job_desc->qos : maui_qos_default(c->config, cred);
	ok = !qos || allowed(c, cred, parts, qos, err_msg);
	if (ok && qos && has_slurmdbd() && qos != job_desc->qos)
		job_desc->qos = xstrdup(qos);
	if (ok && qos && !has_slurmdbd()) {
		comment = with_qos_key(job_desc->admin_comment, qos);
		xfree(job_desc->admin_comment);
		job_desc->admin_comment = comment;
	}
	slurm_mutex_unlock(&c->lock);
	xfree(first);
	return ok ? SLURM_SUCCESS : ESLURM_INVALID_QOS;
}

/* As slurmctld decides it a moment later: modify plugins are asked first. */
static bool may_update(const job_record_t *job_ptr, uid_t uid)
{
	return job_ptr->user_id == uid || validate_operator(uid) ||
	       maui_compat_is_coordinator(uid, job_ptr);
}

/* slurmctld lets nobody but root and SlurmUser update an admin_comment, not even through a plugin:
 * for the others the record itself is written, which is under job WRITE here. N.B. A request that
 * changes more than the QOS and is refused for the rest has changed the QOS then; it was open to
 * this user, who could have asked for it alone. */
static void store_qos(job_desc_msg_t *job_desc, job_record_t *job_ptr, uid_t uid)
{
	const char *old = job_desc->admin_comment ? job_desc->admin_comment :
						    job_ptr->admin_comment;
	char *comment = with_qos_key(old, job_desc->qos);

	if (validate_super_user(uid)) {
		xfree(job_desc->admin_comment);
		job_desc->admin_comment = comment;
	} else if (may_update(job_ptr, uid)) {
		xfree(job_ptr->admin_comment);
		job_ptr->admin_comment = comment;
	} else {
		xfree(comment);
	}
}

/* An operator's new admin_comment replaces the whole text; our key goes on in it. */
static void carry_key(job_desc_msg_t *job_desc, const job_record_t *job_ptr)
{
	const char *name, *own;
	size_t length, own_length;
	char *qos, *comment;

	if (!job_desc->admin_comment ||
	    !maui_capture_qos_key(job_ptr->admin_comment, &name, &length) ||
	    maui_capture_qos_key(job_desc->admin_comment, &own, &own_length))
		return;
	qos = xstrndup(name, length);
	comment = with_qos_key(job_desc->admin_comment, qos);
	xfree(job_desc->admin_comment);
	job_desc->admin_comment = comment;
	xfree(qos);
}

int maui_submit_modify(struct maui_context *c, void *desc, void *record, uid_t uid)
{
	job_desc_msg_t *job_desc = desc;
	job_record_t *job_ptr = record;
	const char *cred[MAUI_CRED_COUNT] = { 0 };
	const char *parts;
	bool ok;

	if (!maui_abi_job_fits(job_ptr))
		return SLURM_SUCCESS;
	carry_key(job_desc, job_ptr);
	if (!job_desc->qos || !*job_desc->qos)
		return SLURM_SUCCESS;
	if (!is_name(job_desc->qos))
		return has_slurmdbd() ? SLURM_SUCCESS : ESLURM_INVALID_QOS;
	if (!IS_JOB_PENDING(job_ptr) && !validate_operator(uid))
		return ESLURM_JOB_NOT_PENDING; /* as Slurm has it with slurmdbd: used is used */
	parts = job_desc->partition ? job_desc->partition : job_ptr->partition;
	slurm_mutex_lock(&c->lock);
	cred[MAUI_CRED_USER] = maui_names_user(&c->names, job_ptr->user_id);
	cred[MAUI_CRED_GROUP] = maui_names_group(&c->names, job_ptr->group_id);
	cred[MAUI_CRED_ACCOUNT] = job_desc->account ? job_desc->account : job_ptr->account;
	ok = allowed(c, cred, parts, job_desc->qos, NULL);
	slurm_mutex_unlock(&c->lock);
	if (!ok)
		return ESLURM_INVALID_QOS;
	if (!has_slurmdbd())
		store_qos(job_desc, job_ptr, uid);
	return SLURM_SUCCESS;
}
