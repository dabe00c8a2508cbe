/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query.c - opens and closes the query socket of this slurmctld, and fills its documents */

#include "slurm/compat.h"

#include "controller/query.h"
#include "controller/remote.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/monotonic.h"
#include "query/path.h"
#include "answers/verbs.h"
#include "answers/document_publish.h"
#include "slurm/capture/staff.h"

enum { NAMES_S = 2 }; /* a change waits so long for the name of its user */

/* Called by the server's thread: wakes the agent. */
static void wake_agent(void *arg)
{
	struct maui_controller *c = arg;

	slurm_mutex_lock(&c->lock);
	c->submitted = true;
	pthread_cond_broadcast(&c->wake);
	slurm_mutex_unlock(&c->lock);
}

/* What is known of a user who asks. Remembers a new one for the next cycle, which looks up the
 * name; `now` begins that cycle. */
static enum maui_query_naming ask_name(struct maui_controller *c, uid_t uid, bool now)
{
	enum maui_query_naming naming = MAUI_QUERY_WITHOUT_NAME; /* when too many are remembered */
	const struct maui_name *user;

	slurm_mutex_lock(&c->lock);
	user = maui_names_get_asker(&c->names, uid);
	if (user && user->state == MAUI_NAME_RESOLVED)
		naming = MAUI_QUERY_NAMED;
	else if (user && user->state == MAUI_NAME_NEW)
		naming = MAUI_QUERY_NOT_LOOKED_UP;
	if (now && naming == MAUI_QUERY_NOT_LOOKED_UP) {
		c->submitted = true;
		pthread_cond_broadcast(&c->wake);
	}
	slurm_mutex_unlock(&c->lock);
	return naming;
}

/* Called by the server's thread when a user asks whom the document does not know: the agent looks
 * up the name and publishes another document. */
static void look_up_user(uid_t uid, void *arg)
{
	ask_name(arg, uid, true);
}

/* The next cycle, which looks up the name, need not come sooner for that. */
static enum maui_query_naming get_naming(uid_t uid, void *arg)
{
	return ask_name(arg, uid, false);
}

static void log_error(const char *text, void *arg)
{
	(void)arg;
	error("slurm-maui: %s", text);
}

/* The path of the socket; the caller frees it. Reads a directory, whose disk may be slow: call
 * without slurmctld's locks. */
static char *wanted_path(struct maui_controller *c, struct maui_err *err)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	const char *set = c->config->query_socket;
	char *pid_file, *state_dir, *path;
	uid_t slurm_user;

	if (set && *set)
		return strdup(set);
	lock_slurmctld(locks);
	pid_file = xstrdup(slurm_conf.slurmctld_pidfile);
	state_dir = xstrdup(slurm_conf.state_save_location);
	slurm_user = slurm_conf.slurm_user_id;
	unlock_slurmctld(locks);
	path = maui_query_path(pid_file, state_dir, slurm_user, err);
	xfree(pid_file);
	xfree(state_dir);
	return path;
}

static void log_no_socket(struct maui_controller *c, const struct maui_err *err)
{
	if (c->query_error && strcmp(c->query_error, err->text) == 0)
		return;
	free(c->query_error);
	c->query_error = strdup(err->text);
	error("slurm-maui: no query socket: %s; showres, setres and others are not answered",
	      err->text);
}

static void log_open(const char *path)
{
	char *dir;

	if (maui_query_path_is_open(path, &dir))
		info("slurm-maui: commands are answered on %s", path);
	else
		info("slurm-maui: commands are answered on %s, but not every user may pass %s: see "
		     "QUERYSOCKET in maui.cfg(5)",
		     path, dir ? dir : "its directories");
	free(dir);
}

static char *copy_cluster(void)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	char *name;

	lock_slurmctld(locks);
	name = xstrdup(slurm_conf.cluster_name);
	unlock_slurmctld(locks);
	return name;
}

static void open_at(struct maui_controller *c, char *path)
{
	char *cluster = copy_cluster();
	struct maui_query_options options = { .path = path,
					      .cluster = cluster,
					      .service = &maui_answers,
					      .wake = wake_agent,
					      .look_up = look_up_user,
					      .naming = get_naming,
					      .log_fault = log_error,
					      .arg = c };
	struct maui_err err;

	c->query = maui_query_start(&options, &err);
	xfree(cluster);
	if (!c->query) {
		log_no_socket(c, &err);
		free(path);
		return;
	}
	free(c->query_error);
	c->query_error = NULL;
	free(c->query_path);
	c->query_path = path;
	log_open(path);
}

void maui_controller_query_close(struct maui_controller *c)
{
	maui_controller_remote_close(c);
	maui_query_stop(c->query);
	c->query = NULL;
	free(c->query_path);
	c->query_path = NULL;
	free(c->query_error);
	c->query_error = NULL;
	c->query_retry_s = 0;
}

/* Whether the socket's file was removed, by a cleaner of temporary files for instance. It is in a
 * local directory. */
static bool is_removed(const struct maui_controller *c)
{
	struct stat found;

	return c->query && lstat(c->query_path, &found) && errno == ENOENT;
}

static bool is_wanted(const struct maui_controller *c)
{
	return maui_controller_schedules(c) || maui_controller_is_trial(c);
}

static void check_socket(struct maui_controller *c, bool reloaded)
{
	int64_t now_s = maui_monotonic_s();
	struct maui_err err;
	char *path;

	if (!is_wanted(c)) {
		maui_controller_query_close(c);
		return;
	}
	if (is_removed(c)) {
		error("slurm-maui: %s was removed: made again", c->query_path);
		maui_controller_query_close(c);
	}
	if (!reloaded && (c->query || now_s < c->query_retry_s))
		return;
	c->query_retry_s = now_s + MAUI_RETRY_S;
	path = wanted_path(c, &err);
	if (!path) {
		log_no_socket(c, &err);
	} else if (c->query && strcmp(path, c->query_path) == 0) {
		free(path);
	} else {
		maui_controller_remote_close(c);
		maui_query_stop(c->query);
		open_at(c, path);
	}
}

void maui_controller_query_check(struct maui_controller *c, bool reloaded)
{
	check_socket(c, reloaded);
	maui_controller_remote_tend(c, reloaded);
}

bool maui_controller_query_is_due(struct maui_controller *c)
{
	if (c->query)
		return maui_controller_remote_is_due(c);
	return is_wanted(c) && maui_monotonic_s() >= c->query_retry_s;
}

static void add_id(uid_t **ids, size_t *count, size_t *alloc, uid_t uid)
{
	uid_t *grown = maui_array_grow(*ids, *count, alloc, sizeof(**ids));

	if (!grown)
		return;
	*ids = grown;
	grown[(*count)++] = uid;
}

/* The ids of SlurmUser, of Slurm's operators, and of the known users of ADMIN1, ADMIN2 and ADMIN3.
 * NULL: no memory. */
static uid_t *admin_ids(struct maui_controller *c, uid_t slurm_user, const struct maui_staff *staff,
			size_t *ret_count)
{
	const struct maui_name *user;
	uid_t *ids = NULL;
	size_t count = 0, alloc = 0;

	add_id(&ids, &count, &alloc, slurm_user);
	for (size_t i = 0; i < staff->operator_count; i++)
		add_id(&ids, &count, &alloc, staff->operators[i]);
	slurm_mutex_lock(&c->lock);
	for (size_t at = 0; ids && (user = maui_hashtable_next(&c->names.users, &at));)
		if (user->state == MAUI_NAME_RESOLVED &&
		    maui_rights_is_admin(user->id, user->text, slurm_user, c->config->admins,
					 MAUI_ADMIN_LEVELS))
			add_id(&ids, &count, &alloc, user->id);
	slurm_mutex_unlock(&c->lock);
	*ret_count = count;
	return ids;
}

/* Gives the document all names of users that were looked up, so that answers know the user who
 * asks. */
static void name_users(struct maui_controller *c, struct maui_document *p)
{
	struct maui_document_user *users;
	const struct maui_name *user;
	size_t count = 0;

	slurm_mutex_lock(&c->lock);
	users = calloc(c->names.users.used + 1, sizeof(*users));
	for (size_t at = 0; users && (user = maui_hashtable_next(&c->names.users, &at));)
		if (user->state != MAUI_NAME_NEW)
			users[count++] = (struct maui_document_user){
				user->id, user->state == MAUI_NAME_RESOLVED ? user->text : NULL,
				user->text
			};
	slurm_mutex_unlock(&c->lock);
	p->failed |= !users;
	if (users)
		maui_document_know_users(p, users, count); /* the names live as long as the table */
	free(users);
}

uint16_t maui_controller_private_data(const struct maui_controller *c)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	uint16_t hidden;

	if (maui_rights_everybody_sees(c->config->admins, MAUI_ADMIN_LEVELS))
		return 0;
	lock_slurmctld(locks);
	hidden = slurm_conf.private_data;
	unlock_slurmctld(locks);
	return hidden;
}

struct maui_document *maui_controller_query_begin(struct maui_controller *c,
						  const struct maui_snapshot *snapshot,
						  int64_t now_s)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	struct maui_document *p;
	uint16_t hidden = maui_controller_private_data(c);
	size_t admin_count;
	uid_t slurm_user, *admins;
	struct maui_slurm_names *names;
	struct maui_staff staff;

	if (!c->query)
		return NULL;
	lock_slurmctld(locks);
	slurm_user = slurm_conf.slurm_user_id;
	p = maui_document_create(now_s, slurm_conf.cluster_name);
	unlock_slurmctld(locks);
	if (!p)
		return NULL;
	p->failed = maui_staff_capture(&staff, &p->arena) != 0;
	p->failed |= maui_slurm_names_capture(&names, now_s) != 0;
	maui_document_slurm_names(p, names);
	admins = admin_ids(c, slurm_user, &staff, &admin_count);
	maui_document_coordinators(p, staff.coordinators, staff.coordinator_count);
	maui_document_default_accounts(p, staff.accounts, staff.account_count);
	maui_document_hide(p, hidden & PRIVATE_DATA_JOBS, hidden & PRIVATE_DATA_RESERVATIONS,
			   admins, admin_count);
	free(admins);
	p->privacy.hide_usage = hidden & PRIVATE_DATA_USAGE;
	p->privacy.hide_users = hidden & PRIVATE_DATA_USERS;
	p->privacy.hide_accounts = hidden & PRIVATE_DATA_ACCOUNTS;
	p->privacy.hide_nodes = hidden & PRIVATE_DATA_NODES;
	p->privacy.hide_partitions = hidden & PRIVATE_DATA_PARTITIONS;
	if (hidden != 0)
		name_users(c, p);
	maui_document_set_config(p, c->config_status, SLURM_VERSION_STRING);
	maui_document_nodes(p, snapshot);
	return p;
}

int maui_controller_query_who(struct maui_controller *c, const struct maui_query_peer *peer,
			      struct maui_rights *ret, struct maui_query_error *error)
{
	const struct maui_names_patience patience = { .stop = &c->stop,
						      .deadline_s = time(NULL) + NAMES_S };
	const struct maui_name *user;

	if (!maui_names_look_up_user(&c->names, peer->uid, &c->lock, &patience) && peer->uid != 0 &&
	    peer->uid != c->slurm_user)
		return maui_query_unnamed(error, peer->uid);
	*ret = (struct maui_rights){ .uid = peer->uid, .any_creates = c->config->res_ctl_any };
	slurm_mutex_lock(&c->lock);
	user = maui_names_get_asker(&c->names, peer->uid);
	ret->name = user && user->state == MAUI_NAME_RESOLVED ? user->text : NULL;
	slurm_mutex_unlock(&c->lock);
	ret->admin =
		maui_rights_is_admin(peer->uid, ret->name, c->slurm_user, c->config->admins, 1);
	ret->jobs = validate_operator(peer->uid) ||
		    maui_rights_is_admin(peer->uid, ret->name, c->slurm_user, c->config->admins, 2);
	return 0;
}
