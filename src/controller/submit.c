/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit.c - checks and keeps the QOS of a job at its submission (QDEF, QLIST) */

#include "slurm/compat.h"

#include "controller/submit.h"

#include "base/limits.h"
#include "base/strbuf.h"
#include "policy/qos.h"
#include "slurm/abi.h"

/* Caller has conf READ. */
static bool has_slurmdbd(void)
{
	return slurm_conf.accounting_storage_type &&
	       !xstrstr(slurm_conf.accounting_storage_type, "/none");
}

/* The user's association with an account, NULL: with the default one. NULL: none. The
 * caller holds assoc READ and user READ. */
static const slurmdb_assoc_rec_t *find_assoc(uint32_t uid, char *account, char *partition)
{
	slurmdb_assoc_rec_t asked = { .uid = uid, .acct = account, .partition = partition };
	slurmdb_assoc_rec_t *found = NULL;

	(void)assoc_mgr_fill_in_assoc(acct_db_conn, &asked, 0, &found, true);
	return found;
}

/* The account that slurmctld will give the job: with slurmdbd the default one also when the user
 * has no association with the account that the job names. NULL: none. By xmalloc. */
static char *account_of(const job_desc_msg_t *job_desc, char *partition)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .user = READ_LOCK };
	const slurmdb_assoc_rec_t *assoc;
	char *account;

	if (!has_slurmdbd())
		return xstrdup(job_desc->account);
	assoc_mgr_lock(&locks);
	assoc = find_assoc(job_desc->user_id, job_desc->account, partition);
	if (!assoc && job_desc->account)
		assoc = find_assoc(job_desc->user_id, NULL, partition);
	account = xstrdup(assoc ? assoc->acct : job_desc->account);
	assoc_mgr_unlock(&locks);
	return account;
}

/* Lists the allowed QOS for the user: "a, b and c". */
static void describe_allowed(struct maui_controller *c, const char *const *cred,
			     struct maui_strbuf *out)
{
	struct maui_words words;

	if (maui_qos_list(c->config, cred, &words))
		return;
	for (size_t i = 0; i < words.count; i++)
		maui_strbuf_addf(out, "%s%s",
				 i == 0               ? "" :
				 i + 1 == words.count ? " and " :
							", ",
				 words.list[i]);
	if (words.count == 0)
		maui_strbuf_addf(out, "none");
	maui_words_finish(&words);
}

static char *describe_refusal(struct maui_controller *c, const char *const *cred, const char *qos)
{
	struct maui_strbuf out = { 0 };
	char *text;

	/* without a user name: a new user has no name here yet */
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

/* Whether the QOS is allowed in each partition of a list. */
static bool is_allowed(struct maui_controller *c, const char **cred, const char *partitions,
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
			*err_msg = describe_refusal(c, cred, qos);
		part = part ? strtok_r(NULL, ",", &save) : NULL;
	} while (ok && part);
	xfree(copy);
	return ok;
}

/* Whether each QOS of a list is allowed in each partition of a list: slurmctld may run the job with
 * any of them. */
static bool are_allowed(struct maui_controller *c, const char **cred, const char *partitions,
			const char *list, char **err_msg)
{
	char *copy = xstrdup(list), *save = NULL;
	bool ok = true;

	for (char *qos = strtok_r(copy, ",", &save); ok && qos; qos = strtok_r(NULL, ",", &save))
		ok = is_allowed(c, cred, partitions, qos, err_msg);
	xfree(copy);
	return ok;
}

/* Whether the text is one name without our separators. */
static bool is_name(const char *qos)
{
	return *qos != '\0' && strlen(qos) <= MAUI_NAME_MAX && !qos[strcspn(qos, ";, \t\n\"'=")];
}

static int refuse_name(char **err_msg)
{
	if (err_msg)
		*err_msg = xstrdup("a QOS is one name without blanks and separators");
	return ESLURM_INVALID_QOS;
}

/* The first of a list: "two" of "two,main"; NULL for NULL. By xmalloc. */
static char *first_part(const char *parts)
{
	char *first = xstrdup(parts);

	if (first)
		first[strcspn(first, ",")] = '\0';
	return first;
}

static int check_qos(struct maui_controller *c, job_desc_msg_t *job_desc, char **err_msg)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 }, *qos;
	const char *parts = job_desc->partition;
	char *comment, *first, *account;
	bool ok;

	if (job_desc->qos && *job_desc->qos && !is_name(job_desc->qos) && !has_slurmdbd())
		return refuse_name(err_msg);
	if (!parts && default_part_loc)
		parts = default_part_loc->name;
	first = first_part(parts); /* QDEF of the first partition of a list applies */
	account = account_of(job_desc, first);
	slurm_mutex_lock(&c->lock);
	cred[MAUI_CRED_USER] = maui_names_user(&c->names, job_desc->user_id);
	if (job_desc->group_id != NO_VAL)
		cred[MAUI_CRED_GROUP] = maui_names_group(&c->names, job_desc->group_id);
	cred[MAUI_CRED_ACCOUNT] = account;
	cred[MAUI_CRED_CLASS] = first;
	qos = job_desc->qos && *job_desc->qos ? job_desc->qos : maui_qos_default(c->config, cred);
	ok = !qos || are_allowed(c, cred, parts, qos, err_msg);
	if (ok && qos && has_slurmdbd() && qos != job_desc->qos)
		job_desc->qos = xstrdup(qos);
	if (ok && qos && !has_slurmdbd()) {
		comment = maui_comment_with(job_desc->admin_comment, MAUI_COMMENT_QOS, qos);
		xfree(job_desc->admin_comment);
		job_desc->admin_comment = comment;
	}
	slurm_mutex_unlock(&c->lock);
	xfree(first);
	xfree(account);
	return ok ? SLURM_SUCCESS : ESLURM_INVALID_QOS;
}

int maui_submit_check(struct maui_controller *c, void *desc, char **err_msg)
{
	int rc = check_qos(c, desc, err_msg);

	return rc == SLURM_SUCCESS ? maui_submit_advres(c, desc, err_msg) : rc;
}

/* Whether the user may update the job. slurmctld checks the same right after its plugins. */
static bool may_update(const job_record_t *job_ptr, uid_t uid)
{
	return job_ptr->user_id == uid || validate_operator(uid) ||
	       maui_compat_is_coordinator(uid, job_ptr);
}

/* slurmctld allows only root and SlurmUser to update an admin_comment, even through a plugin. For
 * other users we write the record itself, which is under job WRITE here. N.B. When slurmctld
 * refuses the rest of the request, this change stays. The user was allowed to make it, and could
 * have requested it alone. */
void maui_submit_keep(void *desc, void *record, uid_t uid, enum maui_comment_key key,
		      const char *value)
{
	job_desc_msg_t *job_desc = desc;
	job_record_t *job_ptr = record;
	const char *old =
		job_desc->admin_comment ? job_desc->admin_comment : job_ptr->admin_comment;
	char *comment = maui_comment_with(old, key, value);

	if (validate_super_user(uid)) {
		xfree(job_desc->admin_comment);
		job_desc->admin_comment = comment;
	} else {
		xfree(job_ptr->admin_comment);
		job_ptr->admin_comment = comment;
	}
}

/* Copies our key into an operator's new admin_comment, which replaces the whole text. */
static void carry_key(job_desc_msg_t *job_desc, const job_record_t *job_ptr,
		      enum maui_comment_key key)
{
	const char *value, *own;
	size_t length, own_length;
	char *kept, *comment;

	if (!job_desc->admin_comment ||
	    !maui_comment_find(job_ptr->admin_comment, key, &value, &length) ||
	    maui_comment_find(job_desc->admin_comment, key, &own, &own_length))
		return;
	kept = xstrndup(value, length);
	comment = maui_comment_with(job_desc->admin_comment, key, kept);
	xfree(job_desc->admin_comment);
	job_desc->admin_comment = comment;
	xfree(kept);
}

static int modify_qos(struct maui_controller *c, job_desc_msg_t *job_desc, job_record_t *job_ptr,
		      uid_t uid)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 };
	const char *parts;
	bool ok;

	if (!job_desc->qos || !*job_desc->qos)
		return SLURM_SUCCESS;
	if (!is_name(job_desc->qos) && !has_slurmdbd())
		return ESLURM_INVALID_QOS;
	if (!IS_JOB_PENDING(job_ptr) && !validate_operator(uid))
		return ESLURM_JOB_NOT_PENDING; /* as in Slurm with slurmdbd */
	parts = job_desc->partition ? job_desc->partition : job_ptr->partition;
	slurm_mutex_lock(&c->lock);
	cred[MAUI_CRED_USER] = maui_names_user(&c->names, job_ptr->user_id);
	cred[MAUI_CRED_GROUP] = maui_names_group(&c->names, job_ptr->group_id);
	cred[MAUI_CRED_ACCOUNT] = job_desc->account ? job_desc->account : job_ptr->account;
	ok = are_allowed(c, cred, parts, job_desc->qos, NULL);
	slurm_mutex_unlock(&c->lock);
	if (!ok)
		return ESLURM_INVALID_QOS;
	if (!has_slurmdbd())
		maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_QOS, job_desc->qos);
	return SLURM_SUCCESS;
}

int maui_submit_modify(struct maui_controller *c, void *desc, void *record, uid_t uid)
{
	int rc;

	/* slurmctld itself refuses what the user may not update. An answer of slurm-maui would
	 * show what the job is. */
	if (!maui_abi_job_fits(record) || !may_update(record, uid))
		return SLURM_SUCCESS;
	carry_key(desc, record, MAUI_COMMENT_QOS);
	carry_key(desc, record, MAUI_COMMENT_ADVRES);
	rc = modify_qos(c, desc, record, uid);
	return rc == SLURM_SUCCESS ? maui_submit_modify_advres(c, desc, record, uid) : rc;
}
