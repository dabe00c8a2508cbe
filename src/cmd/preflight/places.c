/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.c - files and directories that slurmctld reads and writes for slurm-maui, and MUNGE
 *
 * Rules: CMD-63, CMD-64.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/need.h"
#include "base/trust.h"
#include "base/words.h"
#include "cmd/preflight/preflight.h"
#include "cmd/slurm_command.h"
#include "cmd/socket.h"
#include "config/config.h"
#include "query/credential.h"
#include "query/path.h"
#include "query/remote.h"

/* Where Slurm keeps its state without StateSaveLocation. */
static const char default_state_dir[] = "/var/spool";

static void add_unknown(struct maui_preflight *p, const char *name, const char *path)
{
	maui_preflight_add(p, MAUI_CHECK_SKIPPED, name,
			   "%s: what SlurmUser may do there is not known: run this as root", path);
}

/* ---- maui.cfg ---- */

static void see_scheduler(char *text, void *is_ours)
{
	if (strncmp(text, "SchedulerType ", strlen("SchedulerType ")) == 0 &&
	    strstr(text, " sched/maui"))
		*(bool *)is_ours = true;
}

/* SERVERMODE TEST under sched/maui: a mistake when slurmctld runs with another scheduler, else a
 * pause, which may go on. */
static void add_pause(struct maui_preflight *p, const char *path)
{
	char *const argv[] = { (char *)"scontrol", (char *)"show", (char *)"config", NULL };
	bool is_ours = false;

	if (maui_cmd_slurm_ask("maui preflight", argv, see_scheduler, &is_ours) || is_ours)
		maui_preflight_add(
			p, MAUI_CHECK_WARNING, "maui.cfg",
			"%s: SERVERMODE is not NORMAL: sched/maui starts no job until it is", path);
	else
		maui_preflight_add(p, MAUI_CHECK_FAILED, "maui.cfg",
				   "%s: SERVERMODE is not NORMAL: sched/maui would start no job; "
				   "take SERVERMODE out, or keep the present SchedulerType for a "
				   "trial",
				   path);
}

static void check_content(struct maui_preflight *p, const char *path)
{
	struct maui_config_context context = { .scheduler_type = p->values[MAUI_KEY_SCHEDULER_TYPE],
					       .require_settings = true };
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_load(path, &context, &diags);
	size_t count = diags.seen[MAUI_ERROR];

	if (!config)
		maui_preflight_add(p, MAUI_CHECK_FAILED, "maui.cfg",
				   "%s has %zu error%s: maui config check %s names %s", path, count,
				   maui_plural(count), path, count == 1 ? "it" : "them");
	else if (maui_preflight_names(p, "sched/maui") && config->server_mode != MAUI_SERVER_NORMAL)
		add_pause(p, path);
	else
		maui_preflight_add(p, MAUI_CHECK_OK, "maui.cfg", "%s has no errors", path);
	if (config)
		maui_preflight_features(p, config);
	maui_config_unref(config);
	maui_diags_finish(&diags);
}

/* The caller frees. */
static char *make_absolute(char *path)
{
	char *dir = path[0] != '/' ? getcwd(NULL, 0) : NULL, *full;

	if (!dir)
		return path;
	full = maui_need_text("%s/%s", dir, path);
	free(dir);
	free(path);
	return full;
}

static void check_config(struct maui_preflight *p)
{
	char *path = make_absolute(maui_cmd_config_path(p->options));
	int readable = maui_preflight_access(p->slurm_user, path, R_OK);
	struct maui_err err = { .text = "" };

	if (access(path, F_OK) != 0 && errno == ENOENT)
		maui_preflight_add(p, MAUI_CHECK_FAILED, "maui.cfg",
				   "there is no %s: write one (maui.cfg(5))", path);
	else if (readable > 0)
		maui_preflight_add(
			p, MAUI_CHECK_FAILED, "maui.cfg",
			"SlurmUser cannot read %s (%s): chgrp or chmod it, or a directory "
			"above",
			path, strerror(readable));
	else if (maui_trust_file(path, p->slurm_user, &err))
		maui_preflight_add(p, MAUI_CHECK_FAILED, "maui.cfg",
				   "%s: only root and SlurmUser may be able to change maui.cfg: "
				   "chown or chmod it",
				   err.text);
	else if (readable == MAUI_CANNOT_TELL && access(path, R_OK))
		add_unknown(p, "maui.cfg", path);
	else
		check_content(p, path);
	free(path);
}

/* ---- directories ---- */

/* Whether slurmctld will be able to make files in the directory; if not, a line says so. */
static bool can_write(struct maui_preflight *p, const char *name, const char *dir)
{
	int rc = maui_preflight_access(p->slurm_user, dir, W_OK | X_OK);
	struct stat st;

	if (rc == MAUI_CANNOT_TELL)
		add_unknown(p, name, dir);
	else if (rc == ENOENT)
		maui_preflight_add(p, MAUI_CHECK_FAILED, name,
				   "there is no directory %s: make it, owned by SlurmUser", dir);
	else if (rc)
		maui_preflight_add(p, MAUI_CHECK_FAILED, name,
				   "SlurmUser cannot write to %s (%s): chown it to SlurmUser", dir,
				   strerror(rc));
	else if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
		maui_preflight_add(p, MAUI_CHECK_FAILED, name,
				   "%s is not a directory: correct slurm.conf", dir);
	else if (stat(dir, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX))
		maui_preflight_add(p, MAUI_CHECK_FAILED, name,
				   "everybody may write to %s: chmod o-w it", dir);
	else
		return true;
	return false;
}

static void check_state(struct maui_preflight *p)
{
	const char *set = p->values[MAUI_KEY_STATE_SAVE_LOCATION];
	const char *dir = set ? set : default_state_dir;
	char *own = maui_need_text("%s/maui", dir);

	if (can_write(p, "StateSaveLocation", dir) &&
	    (access(own, F_OK) != 0 || can_write(p, "StateSaveLocation", own)))
		maui_preflight_add(p, MAUI_CHECK_OK, "StateSaveLocation",
				   "%s, slurmctld keeps the state in its maui", dir);
	free(own);
}

/* The directory that holds the socket's own, which slurmctld makes when it is not there; `dir`
 * becomes that one. */
static void go_to_existing(char *dir)
{
	*strrchr(dir, '/') = '\0';
	if (access(dir, F_OK) != 0 && errno == ENOENT && strrchr(dir, '/') > dir)
		*strrchr(dir, '/') = '\0';
}

/* `dir`: the one that slurmctld writes to. */
static void check_socket_path(struct maui_preflight *p, const char *path, const char *dir)
{
	char *closed = NULL;

	if (strlen(path) > MAUI_QUERY_PATH_MAX)
		maui_preflight_add(p, MAUI_CHECK_FAILED, "socket",
				   "%s is longer than the %d bytes of a socket's path: set "
				   "QUERYSOCKET in maui.cfg",
				   path, MAUI_QUERY_PATH_MAX);
	else if (!can_write(p, "socket", dir))
		return;
	else if (maui_query_path_is_open(path, &closed))
		maui_preflight_add(p, MAUI_CHECK_OK, "socket", "commands will be answered on %s",
				   path);
	else
		maui_preflight_add(p, MAUI_CHECK_WARNING, "socket",
				   "not every user may pass %s to %s: chmod o+x it, or set "
				   "QUERYSOCKET in maui.cfg",
				   closed ? closed : "its directories", path);
	free(closed);
}

static void check_socket(struct maui_preflight *p)
{
	struct maui_query_error error;
	char *path = maui_cmd_server_socket(p->options, &error), *dir;

	if (!path) {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "socket", "%s", error.err.text);
	} else if (path[0] != '/') {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "socket",
				   "QUERYSOCKET of maui.cfg is not an absolute path");
	} else {
		dir = maui_need_copy(path);
		go_to_existing(dir);
		check_socket_path(p, path, *dir ? dir : "/");
		free(dir);
	}
	free(path);
}

/* ---- MUNGE ---- */

/* The socket of munged that AuthInfo names, which the caller frees; NULL: the usual one. */
static char *munge_socket(const char *info)
{
	const char *at = info ? strstr(info, "socket=") : NULL;

	if (!at)
		return NULL;
	at += strlen("socket=");
	return maui_need(strndup(at, strcspn(at, ",")));
}

/* Whether a credential that munged makes is one that it reads. */
static bool munged_answers(const char *socket, struct maui_err *err)
{
	static const char probe[] = "maui preflight";
	struct maui_query_auth auth;
	char *sealed, *opened;
	size_t length;
	bool read;
	uid_t uid;
	gid_t gid;

	maui_query_munge(&auth, socket);
	sealed = auth.encode(&auth, probe, strlen(probe), geteuid(), err);
	opened = sealed ? auth.decode(&auth, sealed, &length, &uid, &gid, err) : NULL;
	read = opened != NULL;
	free(sealed);
	free(opened);
	return read;
}

static void check_munge(struct maui_preflight *p)
{
	const char *type = p->values[MAUI_KEY_AUTH_TYPE];
	struct maui_err err = { .text = "" };
	char *socket;

	if (type && strcmp(type, "auth/munge") != 0) {
		maui_preflight_add(
			p, MAUI_CHECK_SKIPPED, "MUNGE",
			"AuthType=%s: slurm-maui needs MUNGE for commands of login nodes "
			"only (maui_port)",
			type);
		return;
	}
	socket = munge_socket(p->values[MAUI_KEY_AUTH_INFO]);
	if (munged_answers(socket, &err))
		maui_preflight_add(p, MAUI_CHECK_OK, "MUNGE", "munged answers");
	else
		maui_preflight_add(p, MAUI_CHECK_FAILED, "MUNGE",
				   "%s: start munged before slurmctld, and compare AuthInfo",
				   err.text);
	free(socket);
}

/* ---- the port for login nodes ---- */

static void check_port(struct maui_preflight *p)
{
	struct maui_err err;
	uint16_t port;

	if (maui_remote_port(p->values[MAUI_KEY_SCHEDULER_PARAMETERS], &port, &err))
		maui_preflight_add(p, MAUI_CHECK_WARNING, "maui_port",
				   "%s: commands on login nodes are not answered", err.text);
	else if (port > 0)
		maui_preflight_add(p, MAUI_CHECK_OK, "maui_port",
				   "commands on login nodes are answered on port %u", port);
}

void maui_preflight_places(struct maui_preflight *p)
{
	check_config(p);
	check_state(p);
	check_socket(p);
	check_munge(p);
	check_port(p);
}
