/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit.c - checks and keeps the QOS of a job at its submission (QDEF, QLIST) */

#include "slurm/compat.h"

#include "controller/submit.h"
#include "controller/submit_notes.h"

#include "base/limits.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "controller/name_list.h"
#include "policy/qos.h"
#include "slurm/abi.h"

/* The user's association with an account, NULL: with the default one. NULL: none. The
 * caller holds assoc READ and user READ. */
static const slurmdb_assoc_rec_t *find_assoc(uint32_t uid, char *account, char *partition)
{
	slurmdb_assoc_rec_t asked = { .uid = uid, .acct = account, .partition = partition };
	slurmdb_assoc_rec_t *found = NULL;

	(void)assoc_mgr_fill_in_assoc(acct_db_conn, &asked, 0, &found, true);
	return found;
}

/* The account that slurmctld will give a job of the user that names this one: with slurmdbd the
 * default one also when the user has no association with it. NULL: none. By xmalloc. */
static char *account_of(uint32_t uid, char *named, char *partition)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .user = READ_LOCK };
	const slurmdb_assoc_rec_t *assoc;
	char *account;

	if (!slurm_with_slurmdbd())
		return xstrdup(named);
	assoc_mgr_lock(&locks);
	assoc = find_assoc(uid, named, partition);
	if (!assoc && named)
		assoc = find_assoc(uid, NULL, partition);
	account = xstrdup(assoc ? assoc->acct : named);
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
	if (!out.failed)
		/* the job's own names are in it */
		maui_utf8_mask(out.text, out.length, MAUI_DISPLAY_CHARACTERS);
	text = xstrdup(out.failed ? "this QOS is not allowed" : out.text);
	maui_strbuf_finish(&out);
	return text;
}

/* Leaves the partitions that exist, or the first one: slurmctld refuses a list with an unknown
 * name, but asks us before. */
static void drop_unknown(struct maui_name_list *parts)
{
	size_t kept = 0;

	for (size_t i = 0; i < parts->count; i++)
		if (find_part_record((char *)parts->names[i]))
			parts->names[kept++] = parts->names[i];
	parts->count = kept > 0 || parts->count == 0 ? kept : 1;
}

/* Whether the QOS is allowed in each of the partitions; without any, in none. */
static bool is_allowed(struct maui_controller *c, const char **cred,
		       const struct maui_name_list *parts, const char *qos, char **err_msg)
{
	size_t i = 0;
	bool ok = true;

	do {
		cred[MAUI_CRED_CLASS] = i < parts->count ? parts->names[i] : NULL;
		ok = maui_qos_allowed(c->config, cred, qos);
		if (!ok && err_msg && !*err_msg)
			*err_msg = describe_refusal(c, cred, qos);
	} while (ok && ++i < parts->count);
	return ok;
}

/* Whether each QOS of a list is allowed in each partition of a list: slurmctld may run the job with
 * any of them. Both lists are as long as users like, within bounds (is_too_long). */
static bool are_allowed(struct maui_controller *c, const char **cred, const char *partitions,
			const char *list, char **err_msg)
{
	struct maui_name_list qos, parts;
	bool ok = true;

	maui_name_list_split(list, &qos);
	maui_name_list_split(partitions, &parts);
	drop_unknown(&parts);
	for (size_t i = 0; ok && i < qos.count; i++)
		ok = is_allowed(c, cred, &parts, qos.names[i], err_msg);
	maui_name_list_finish(&parts);
	maui_name_list_finish(&qos);
	return ok;
}

static bool is_longer(const char *text)
{
	return text && strnlen(text, MAUI_NAME_MAX + 1) > MAUI_NAME_MAX;
}

/* Whether slurmctld will refuse the request, because a text is longer than 1,024 bytes. It asks its
 * plugins before, with its locks held, and a user may send megabytes. */
static bool is_too_long(const job_desc_msg_t *job_desc)
{
	return is_longer(job_desc->partition) || is_longer(job_desc->qos) ||
	       is_longer(job_desc->account);
}

/* Whether the text is one name without our separators, and with nothing that a terminal acts on. */
static bool is_name(const char *qos)
{
	return *qos != '\0' && strlen(qos) <= MAUI_NAME_MAX && !qos[strcspn(qos, ";, \t\n\"'=")] &&
	       !maui_utf8_has_hidden(qos);
}

static int refuse_name(char **err_msg)
{
	if (err_msg)
		*err_msg = xstrdup(
			"a QOS is one name without blanks, separators and control characters");
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

/* The partitions that slurmctld will give the job; NULL: none. */
static const char *parts_of(const job_desc_msg_t *job_desc)
{
	const slurmctld_resv_t *resv_ptr = NULL;

	if (job_desc->partition)
		return job_desc->partition;
	if (job_desc->reservation && *job_desc->reservation)
		resv_ptr = find_resv_name(job_desc->reservation);
	if (resv_ptr && resv_ptr->part_ptr)
		return resv_ptr->part_ptr->name;
	return default_part_loc ? default_part_loc->name : NULL;
}

static int check_qos(struct maui_controller *c, job_desc_msg_t *job_desc, char **err_msg)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 }, *qos;
	char user[MAUI_NAME_NUMBER_SIZE], group[MAUI_NAME_NUMBER_SIZE];
	const char *parts = parts_of(job_desc);
	char *comment, *first, *account;
	bool ok;

	if (job_desc->qos && *job_desc->qos && !is_name(job_desc->qos) && !slurm_with_slurmdbd())
		return refuse_name(err_msg);
	if (is_too_long(job_desc))
		return ESLURM_PATHNAME_TOO_LONG;
	first = first_part(parts); /* QDEF of the first partition of a list applies */
	account = account_of(job_desc->user_id, job_desc->account, first);
	slurm_mutex_lock(&c->lock);
	/* names of maui.cfg are known in advance; others mean nothing to QLIST */
	cred[MAUI_CRED_USER] = maui_names_known_user(&c->names, job_desc->user_id, user);
	if (job_desc->group_id != NO_VAL)
		cred[MAUI_CRED_GROUP] = maui_names_known_group(&c->names, job_desc->user_id,
							       job_desc->group_id, group);
	cred[MAUI_CRED_ACCOUNT] = account;
	cred[MAUI_CRED_CLASS] = first;
	qos = job_desc->qos && *job_desc->qos ? job_desc->qos : maui_qos_default(c->config, cred);
	ok = !qos || are_allowed(c, cred, parts, qos, err_msg);
	if (ok && qos && slurm_with_slurmdbd() && qos != job_desc->qos)
		job_desc->qos = xstrdup(qos);
	if (ok && qos && !slurm_with_slurmdbd()) {
		comment = maui_comment_with(job_desc->admin_comment, MAUI_COMMENT_QOS, qos);
		xfree(job_desc->admin_comment);
		job_desc->admin_comment = comment;
	}
	slurm_mutex_unlock(&c->lock);
	xfree(first);
	xfree(account);
	return ok ? SLURM_SUCCESS : ESLURM_INVALID_QOS;
}

int maui_submit_check(struct maui_controller *c, struct job_descriptor *job_desc, char **err_msg)
{
	int rc = check_qos(c, job_desc, err_msg);

	return rc == SLURM_SUCCESS ? maui_submit_advres(c, job_desc, err_msg) : rc;
}

/* Whether the user may update the job. slurmctld checks the same right after its plugins. */
static bool may_update(const job_record_t *job_ptr, uid_t uid)
{
	return job_ptr->user_id == uid || validate_operator(uid) ||
	       maui_compat_is_coordinator(uid, job_ptr);
}

/* Writes the record itself, which is under job WRITE here: slurmctld allows only root and SlurmUser
 * to update an admin_comment, even through a plugin, and asks us for each record of an array with
 * the same request, while each has a comment of its own. N.B. When slurmctld refuses the rest of
 * the request, this change stays. The user was allowed to make it, and could have requested it
 * alone. */
void maui_submit_keep(struct job_descriptor *job_desc, struct job_record *job_ptr, uid_t uid,
		      enum maui_comment_key key, const char *value)
{
	char **text = job_desc->admin_comment && validate_super_user(uid) ?
			      &job_desc->admin_comment :
			      &job_ptr->admin_comment;
	char *comment = maui_comment_with(*text, key, value);

	xfree(*text);
	*text = comment;
}

/* Our keys of one record of an array, which were added to the request, are not those of others. */
static void restore_comment(job_desc_msg_t *job_desc, uid_t uid)
{
	char *noted;

	if (!validate_super_user(uid))
		return;
	noted = maui_submit_noted(job_desc, MAUI_NOTE_ADMINCOMMENT);
	if (noted) {
		xfree(job_desc->admin_comment);
		job_desc->admin_comment = noted;
	} else if (job_desc->admin_comment) {
		maui_submit_note(job_desc, MAUI_NOTE_ADMINCOMMENT, job_desc->admin_comment);
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

/* Whether each QOS of the list is open to the job in this account and these partitions. */
static bool is_open(struct maui_controller *c, const job_record_t *job_ptr, const char *account,
		    const char *parts, const char *list)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_ACCOUNT] = account };
	bool ok;

	slurm_mutex_lock(&c->lock);
	cred[MAUI_CRED_USER] = maui_names_user(&c->names, job_ptr->user_id);
	cred[MAUI_CRED_GROUP] = maui_names_group(&c->names, job_ptr->user_id, job_ptr->group_id);
	ok = are_allowed(c, cred, parts, list, NULL);
	slurm_mutex_unlock(&c->lock);
	return ok;
}

/* The account that the job will have after the update. By xmalloc. */
static char *new_account(const job_desc_msg_t *job_desc, const job_record_t *job_ptr,
			 const char *parts)
{
	char *first, *account;

	if (!job_desc->account)
		return xstrdup(job_ptr->account);
	first = first_part(parts);
	account = account_of(job_ptr->user_id, job_desc->account, first);
	xfree(first);
	return account;
}

/* The job's QOS by slurmdbd, several of a list; NULL: none. By xmalloc. */
static char *own_qos(const job_record_t *job_ptr)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	const char *text = maui_compat_qos_text(job_ptr);
	char *qos;

	if (text && *text)
		return xstrdup(text);
	assoc_mgr_lock(&locks);
	qos = xstrdup(job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL);
	assoc_mgr_unlock(&locks);
	return qos;
}

/* Whether the job may keep its QOS where the update takes it. A QOS that is not open to the job
 * where it is now is Slurm's default one or an operator's word, and is kept. Without slurmdbd each
 * ranking asks QLIST again. */
static bool may_keep_qos(struct maui_controller *c, const job_record_t *job_ptr,
			 const char *account, const char *parts, uid_t uid)
{
	char *qos;
	bool ok;

	if (!slurm_with_slurmdbd() || validate_operator(uid))
		return true;
	qos = own_qos(job_ptr);
	ok = !qos || is_open(c, job_ptr, account, parts, qos) ||
	     !is_open(c, job_ptr, job_ptr->account, job_ptr->partition, qos);
	xfree(qos);
	return ok;
}

static int modify_qos(struct maui_controller *c, job_desc_msg_t *job_desc, job_record_t *job_ptr,
		      uid_t uid)
{
	bool named = job_desc->qos && *job_desc->qos, ok;
	const char *parts = job_desc->partition ? job_desc->partition : job_ptr->partition;
	char *account;

	if (!named && !job_desc->account && !job_desc->partition)
		return SLURM_SUCCESS;
	if (named && !is_name(job_desc->qos) && !slurm_with_slurmdbd())
		return ESLURM_INVALID_QOS;
	if (named && !IS_JOB_PENDING(job_ptr) && !validate_operator(uid))
		return ESLURM_JOB_NOT_PENDING; /* as in Slurm with slurmdbd */
	account = new_account(job_desc, job_ptr, parts);
	ok = named ? is_open(c, job_ptr, account, parts, job_desc->qos) :
		     may_keep_qos(c, job_ptr, account, parts, uid);
	xfree(account);
	if (!ok)
		return ESLURM_INVALID_QOS;
	if (named && !slurm_with_slurmdbd())
		maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_QOS, job_desc->qos);
	return SLURM_SUCCESS;
}

int maui_submit_modify(struct maui_controller *c, struct job_descriptor *job_desc,
		       struct job_record *job_ptr, uid_t uid)
{
	int rc;

	/* slurmctld itself refuses what the user may not update. An answer of slurm-maui would
	 * show what the job is. */
	if (!maui_abi_job_fits(job_ptr) || !may_update(job_ptr, uid))
		return SLURM_SUCCESS;
	if (is_too_long(job_desc))
		return ESLURM_PATHNAME_TOO_LONG;
	restore_comment(job_desc, uid);
	carry_key(job_desc, job_ptr, MAUI_COMMENT_QOS);
	carry_key(job_desc, job_ptr, MAUI_COMMENT_ADVRES);
	rc = modify_qos(c, job_desc, job_ptr, uid);
	return rc == SLURM_SUCCESS ? maui_submit_modify_advres(c, job_desc, job_ptr, uid) : rc;
}
