/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plugins.c - the installed slurmctld, and whether our plugins are built for it
 *
 * Each plugin has the release and the SHA-256 of its slurmctld in its file (base/built_for.h).
 *
 * Rules: CMD-60, CMD-61.
 */

#include "maui_config.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/built_for.h"
#include "base/file.h"
#include "base/need.h"
#include "cmd/preflight/preflight.h"
#include "cmd/slurm_command.h"

#ifndef MAUI_SLURM_OWN_PLUGINS /* commands built without Slurm */
#define MAUI_SLURM_OWN_PLUGINS ""
#endif

enum {
	RELEASE_SIZE = 32,
	DIGEST_SIZE = 2 * SHA256_DIGEST_SIZE + 1,
	SHORT = 8, /* digits of a digest that are shown */
	PLUGIN_MAX_BYTES = 64 << 20,
	SLURMCTLD_MAX_BYTES = 512 << 20,
};

/* slurmctld, or the one that a plugin is built for; "" not known. */
struct build {
	char release[RELEASE_SIZE];
	char digest[DIGEST_SIZE];
};

/* ---- slurmctld ---- */

/* The caller frees; NULL: not found. */
static char *find_slurmctld(const char *wanted)
{
	const char *usual = ":/usr/sbin:/usr/local/sbin:/opt/slurm/sbin", *path = getenv("PATH");
	char *dirs, *rest, *dir, *found = NULL;

	if (wanted)
		return access(wanted, X_OK) == 0 ? maui_need_copy(wanted) : NULL;
	dirs = maui_need_text("%s%s", path ? path : "", usual);
	rest = dirs;
	while (!found && (dir = strsep(&rest, ":"))) {
		if (*dir == '\0')
			continue;
		found = maui_need_text("%s/slurmctld", dir);
		if (access(found, X_OK)) {
			free(found);
			found = NULL;
		}
	}
	free(dirs);
	return found;
}

/* "slurm 24.11.5", in Debian "slurm-wlm 22.05.8" */
static void see_release(char *line, void *arg)
{
	struct build *build = arg;
	const char *blank = strchr(line, ' ');

	if (strncmp(line, "slurm", 5) == 0 && blank && !*build->release)
		snprintf(build->release, RELEASE_SIZE, "%.*s", (int)strcspn(blank + 1, " \n"),
			 blank + 1);
}

static void find_digest(const char *path, char digest[DIGEST_SIZE])
{
	uint8_t raw[SHA256_DIGEST_SIZE];
	struct sha256_ctx ctx;
	size_t length;
	char *bytes;

	if (maui_file_read(path, SLURMCTLD_MAX_BYTES, &bytes, &length, NULL))
		return;
	sha256_init(&ctx);
	sha256_update(&ctx, length, (const uint8_t *)bytes);
	sha256_digest(&ctx, sizeof(raw), raw);
	base16_encode_update(digest, sizeof(raw), raw);
	free(bytes);
}

static void look_at_slurmctld(struct maui_preflight *p, struct build *ret)
{
	char *path = find_slurmctld(p->slurmctld);

	if (!path) {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "slurmctld",
				   "%s not found: run this on slurmctld's host, or name it with "
				   "--slurmctld",
				   p->slurmctld ? p->slurmctld : "slurmctld");
		return;
	}
	maui_cmd_slurm_ask("maui preflight", (char *[]){ path, (char *)"-V", NULL }, see_release,
			   ret);
	find_digest(path, ret->digest);
	if (*ret->release)
		maui_preflight_add(p, MAUI_CHECK_OK, "slurmctld", "%s is Slurm %s", path,
				   ret->release);
	else
		maui_preflight_add(
			p, MAUI_CHECK_FAILED, "slurmctld",
			"%s is no slurmctld: its -V prints no release; name the one that "
			"will be started with --slurmctld",
			path);
	free(path);
}

/* ---- PluginDir ---- */

/* The first file of this name in the directories; the caller frees. */
static char *find_in(const char *dirs, const char *name)
{
	char *copy = maui_need_copy(dirs), *rest = copy, *dir, *path = NULL;

	while (!path && (dir = strsep(&rest, ":"))) {
		path = maui_need_text("%s/%s", dir, name);
		if (access(path, F_OK)) {
			free(path);
			path = NULL;
		}
	}
	free(copy);
	return path;
}

static void check_dirs(struct maui_preflight *p, const char *dirs)
{
	char *copy = maui_need_copy(dirs), *rest = copy, *dir,
	     *own = find_in(dirs, "select_cons_tres.so");
	bool whole = true;

	while ((dir = strsep(&rest, ":"))) {
		if (*dir && access(dir, X_OK) == 0)
			continue;
		whole = false;
		maui_preflight_add(p, MAUI_CHECK_FAILED, "PluginDir",
				   "there is no directory %s: correct PluginDir in slurm.conf",
				   dir);
	}
	if (whole && !own)
		maui_preflight_add(
			p, MAUI_CHECK_FAILED, "PluginDir",
			"%s has none of Slurm's own plugins: write their directory before "
			"it%s%s",
			dirs, *MAUI_SLURM_OWN_PLUGINS ? ", usually " : "", MAUI_SLURM_OWN_PLUGINS);
	else if (whole)
		maui_preflight_add(p, MAUI_CHECK_OK, "PluginDir", "%s", dirs);
	free(own);
	free(copy);
}

/* ---- a plugin ---- */

/* Copies what stands behind the mark in the file, up to `end`. False: it is not there. */
static bool read_mark(const char *bytes, size_t length, const char *mark, char end, char *ret,
		      size_t size)
{
	const char *at = memmem(bytes, length, mark, strlen(mark));

	if (at)
		at += strlen(mark);
	for (size_t i = 0; at && i < size && at + i < bytes + length; i++) {
		ret[i] = at[i] == end ? '\0' : at[i];
		if (at[i] == end)
			return true;
	}
	return false;
}

/* -1 with err. */
static int read_build(const char *path, struct build *ret, struct maui_err *err)
{
	struct maui_err why;
	size_t length;
	char *bytes;
	bool found;

	if (maui_file_read(path, PLUGIN_MAX_BYTES, &bytes, &length, &why))
		return maui_err_set(err, "%s", why.text);
	found = read_mark(bytes, length, MAUI_BUILT_FOR, ',', ret->release, RELEASE_SIZE) &&
		read_mark(bytes, length, MAUI_BUILT_FOR_SHA256, '\0', ret->digest, DIGEST_SIZE);
	free(bytes);
	return found ? 0 : maui_err_set(err, "%s is no plugin of slurm-maui", path);
}

static void compare(struct maui_preflight *p, const char *type, const char *path,
		    const struct build *ours, const struct build *slurmctld)
{
	static const char todo[] = "build slurm-maui for that slurmctld, or install its packages";

	if (!*slurmctld->release)
		maui_preflight_add(p, MAUI_CHECK_SKIPPED, type,
				   "%s is built for Slurm %s; slurmctld's release is not known",
				   path, ours->release);
	else if (strcmp(ours->release, slurmctld->release) != 0)
		maui_preflight_add(p, MAUI_CHECK_FAILED, type,
				   "%s is built for Slurm %s, slurmctld is Slurm %s: %s", path,
				   ours->release, slurmctld->release, todo);
	else if (!*ours->digest || !*slurmctld->digest)
		maui_preflight_add(p, MAUI_CHECK_OK, type,
				   "%s is built for Slurm %s; slurmctld compares the build when it "
				   "starts",
				   path, ours->release);
	else if (strcmp(ours->digest, slurmctld->digest) != 0)
		maui_preflight_add(p, MAUI_CHECK_FAILED, type,
				   "%s is built for Slurm %s (%.*s...), slurmctld is another build "
				   "of Slurm %s (%.*s...): %s",
				   path, ours->release, SHORT, ours->digest, slurmctld->release,
				   SHORT, slurmctld->digest, todo);
	else
		maui_preflight_add(p, MAUI_CHECK_OK, type, "%s is built for this slurmctld", path);
}

static void check_plugin(struct maui_preflight *p, const char *type, const char *dirs,
			 const struct build *slurmctld)
{
	struct build ours = { "", "" };
	char name[64], *path;
	struct maui_err err;
	int readable;

	snprintf(name, sizeof(name), "%s.so", type);
	name[strcspn(name, "/")] = '_';
	path = find_in(dirs, name);
	readable = path ? maui_preflight_access(p->slurm_user, path, R_OK) : 0;
	if (!path)
		maui_preflight_add(
			p, MAUI_CHECK_FAILED, type,
			"%s is not in %s: install slurm-maui there, or add its directory "
			"to PluginDir",
			name, dirs);
	else if (readable > 0)
		maui_preflight_add(p, MAUI_CHECK_FAILED, type,
				   "SlurmUser cannot read %s (%s): chmod it", path,
				   strerror(readable));
	else if (read_build(path, &ours, &err))
		maui_preflight_add(p, MAUI_CHECK_FAILED, type, "%s: install slurm-maui again",
				   err.text);
	else
		compare(p, type, path, &ours, slurmctld);
	free(path);
}

/* Another plugin of Slurm, or a misspelt one of slurm-maui: slurmctld does not start without the
 * file. `kind`: "sched", which a list may leave out. */
static void check_file(struct maui_preflight *p, const char *key, const char *kind,
		       const char *value, const char *dirs)
{
	const char *slash = strchr(value, '/');
	char name[128], *path;

	if (slash)
		snprintf(name, sizeof(name), "%.*s_%.90s.so", (int)(slash - value), value,
			 slash + 1);
	else
		snprintf(name, sizeof(name), "%s_%.90s.so", kind, value);
	path = find_in(dirs, name);
	if (!path)
		maui_preflight_add(p, MAUI_CHECK_FAILED, key,
				   "there is no %s in %s: slurmctld does not start with %s", name,
				   dirs, value);
	free(path);
}

/* compare() looks at these. */
static bool is_ours(const char *type)
{
	return strcmp(type, "sched/maui") == 0 || strcmp(type, "priority/maui") == 0 ||
	       strcmp(type, "job_submit/maui") == 0 || strcmp(type, "maui") == 0;
}

static void check_files(struct maui_preflight *p, const char *dirs)
{
	static const struct {
		int key;
		const char *name, *kind;
	} keys[] = {
		{ MAUI_KEY_SCHEDULER_TYPE, "SchedulerType", "sched" },
		{ MAUI_KEY_PRIORITY_TYPE, "PriorityType", "priority" },
		{ MAUI_KEY_SELECT_TYPE, "SelectType", "select" },
		{ MAUI_KEY_JOB_SUBMIT_PLUGINS, "JobSubmitPlugins", "job_submit" },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *value = p->values[keys[i].key];
		bool is_list = keys[i].key == MAUI_KEY_JOB_SUBMIT_PLUGINS;
		char *copy = maui_need_copy(value ? value : ""), *rest = copy, *one;

		while ((one = strsep(&rest, is_list ? "," : "")))
			if (*one && strcmp(one, "priority/basic") != 0 && !is_ours(one))
				check_file(p, keys[i].name, keys[i].kind, one, dirs);
		free(copy);
	}
}

void maui_preflight_plugins(struct maui_preflight *p)
{
	static const char *const types[] = { "priority/maui", "sched/maui", "job_submit/maui" };
	const char *set = p->values[MAUI_KEY_PLUGIN_DIR];
	const char *dirs = set ? set : MAUI_SLURM_OWN_PLUGINS;
	struct build slurmctld = { "", "" };

	look_at_slurmctld(p, &slurmctld);
	if (!*dirs) {
		maui_preflight_add(p, MAUI_CHECK_FAILED, "PluginDir",
				   "slurm.conf has none, and slurm-maui was built without "
				   "slurmctld's: set PluginDir");
		return;
	}
	check_dirs(p, dirs);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (maui_preflight_names(p, types[i]))
			check_plugin(p, types[i], dirs, &slurmctld);
	check_files(p, dirs);
}
