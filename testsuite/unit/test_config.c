/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config.c - what showconfig is told, and whom PrivateData keeps from it
 *
 * Rules: CFG-9, CMD-9, CMD-32.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "config/reading.h"
#include "config/status.h"
#include "diagnosed.h"
#include "verbs/config.h"

TestSuite(config, .init = begin_diagnosed, .fini = end_diagnosed);

/* The answer, or NULL with error. */
static json_object *try(const char *name, uid_t uid, struct maui_query_error *error)
{
	const struct maui_config_args args = { .name = name };

	return ask_verb(&maui_verb_config, maui_answer_config, p, uid, &args, error);
}

static json_object *ask(const char *name, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *result = try(name, uid, &error);

	cr_assert(result, "%s", error.err.text);
	return result;
}

/* Whether the answer has this parameter with this value. */
static bool tells(const char *name, const char *value, uid_t uid)
{
	json_object *result = ask(NULL, uid), *list = member(result, "parameters");
	bool told = false;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);

		told |= strcmp(json_object_get_string(member(one, "name")), name) == 0 &&
			strcmp(json_object_get_string(member(one, "value")), value) == 0;
	}
	json_object_put(result);
	return told;
}

Test(config, a_set_parameter_has_its_line_and_others_their_default)
{
	cr_expect(tells("FSUSERWEIGHT", "5", 0) && tells("QUEUETIMECAP", "0", 0));
	cr_expect(tells("USERCFG[ann] MAXPROC", "12,16", 0));
	cr_expect(!tells("FSUSERWEIGHT", "0", 0));
}

Test(config, an_unknown_name_is_not_found)
{
	struct maui_query_error error = { 0 };

	cr_expect(!try("NIX", 0, &error) && error.code == MAUI_QUERY_NOT_FOUND);
}

Test(config, private_data_hides_lines_about_others)
{
	static const struct maui_document_user users[] = { { DIAGNOSE_ANN, "ann", "ann" } };

	cr_expect(tells("USERCFG[bob] MAXPROC", "8", DIAGNOSE_ANN));
	p->privacy.hide_users = true;
	p->privacy.hide_accounts = true;
	maui_document_know_users(p, users, 1);
	cr_expect(!tells("USERCFG[bob] MAXPROC", "8", DIAGNOSE_ANN));
	cr_expect(tells("USERCFG[bob] MAXPROC", "8", DIAGNOSE_ADMIN));
	cr_expect(tells("USERCFG[ann] MAXPROC", "12,16", DIAGNOSE_ANN));
	cr_expect(tells("USERCFG[DEFAULT] MAXJOB", "8", DIAGNOSE_ANN));
	/* of ann's jobs, not of eve's */
	cr_expect(tells("ACCOUNTCFG[physics] MAXPS", "1000000", DIAGNOSE_ANN));
	cr_expect(!tells("ACCOUNTCFG[physics] MAXPS", "1000000", DIAGNOSE_EVE));
	cr_expect(tells("QOSCFG[low] MAXJOB", "2", DIAGNOSE_EVE));
}

/* A tree is hidden with the users or the accounts that it may have: one of one level, and one that
 * is ignored. */
Test(config, private_data_hides_trees_of_shares)
{
	static const struct maui_document_user users[] = { { DIAGNOSE_ANN, "ann", "ann" } };
	const char *trees[] = { "FSTREE[top] MEMBERLIST=user:ann@3,user:bob@1\n",
				"FSTREE[top] MEMBERLIST=acct:physics,acct:chemistry@1\n" };

	maui_document_know_users(p, users, 1);
	for (size_t i = 0; i < 2; i++) {
		const char *value = strchr(trees[i], '=') + 1;
		struct maui_diags diags = { 0 };
		struct maui_config *tree =
			maui_config_parse("maui.cfg", trees[i], strlen(trees[i]), NULL, &diags);
		char *list = strndup(value, strlen(value) - 1);

		cr_assert(tree && list);
		maui_config_status_unref(p->config);
		p->config = maui_config_status_accepted(tree, "maui.cfg", &diags, 1);
		p->privacy.hide_users = p->privacy.hide_accounts = false;
		cr_expect(tells("FSTREE[top] MEMBERLIST", list, DIAGNOSE_ANN));
		p->privacy.hide_users = i == 0;
		p->privacy.hide_accounts = i == 1;
		cr_expect(!tells("FSTREE[top] MEMBERLIST", list, DIAGNOSE_ANN));
		cr_expect(tells("FSTREE[top] MEMBERLIST", list, DIAGNOSE_ADMIN));
		free(list);
		maui_config_unref(tree);
		maui_diags_finish(&diags);
	}
}

Test(config, a_refused_file_is_told_since_it_was_first_refused)
{
	struct maui_config_status *first, *second;
	struct maui_diags errors = { 0 };
	json_object *result, *refused;

	result = ask("FSPOLICY", 0);
	cr_expect(!json_object_object_get_ex(result, "refused", &refused));
	json_object_put(result);
	maui_diags_add(&errors, MAUI_ERROR, "maui.cfg", 3, 1, "wrong");
	maui_diags_add(&errors, MAUI_WARNING, "maui.cfg", 4, 1, "odd");
	first = maui_config_status_refused(p->config, "/maui.cfg", &errors, 100);
	second = maui_config_status_refused(first, "/maui.cfg", &errors, 200);
	cr_assert(second && second->config == p->config->config);
	maui_config_status_unref(p->config);
	p->config = second;
	refused = member(result = ask("FSPOLICY", 0), "refused");
	cr_expect(json_object_get_int64(member(refused, "since")) == 100);
	cr_expect(json_object_array_length(member(refused, "errors")) == 1);
	json_object_put(result);
	p->privacy.hide_users = true; /* errors quote lines */
	refused = member(result = ask("FSPOLICY", DIAGNOSE_ANN), "refused");
	cr_expect(json_object_array_length(member(refused, "errors")) == 0);
	json_object_put(result);
	maui_config_status_unref(first);
	maui_diags_finish(&errors);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Of the files that were read, other bytes count, not other times. */
Test(config, changed_files_are_noticed)
{
	char dir[] = "/tmp/maui-config-XXXXXX", path[64], included[64];
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	struct maui_err how;

	cr_assert(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/maui.cfg", dir);
	snprintf(included, sizeof(included), "%s/users.cfg", dir);
	write_file(path, "FSPOLICY DEDICATEDPS\n#INCLUDE users.cfg");
	write_file(included, "USERCFG[ann] PRIORITY=1\r\n");
	config = maui_config_load(path, NULL, &diags);
	cr_assert(config);
	cr_expect(!maui_config_has_changed(config, &how));
	write_file(included, "USERCFG[ann] PRIORITY=1\r\n");
	cr_expect(!maui_config_has_changed(config, &how));
	write_file(included, "USERCFG[ann] PRIORITY=2\r\n");
	cr_expect(maui_config_has_changed(config, &how));
	cr_expect(strstr(how.text, "users.cfg has been changed"), "%s", how.text);
	remove(included);
	cr_expect(maui_config_has_changed(config, &how));
	cr_expect(strstr(how.text, "No such file"), "%s", how.text);
	remove(path);
	remove(dir);
	maui_config_unref(config);
	maui_diags_finish(&diags);
}

/* A file system that hangs, as the owner of an errand sees it: no answer. */
Test(config, files_that_give_no_answer_are_not_waited_for)
{
	char dir[] = "/tmp/maui-config-XXXXXX", path[64], included[64];
	struct maui_diags diags = { 0 };
	struct maui_config_comparison *comparison;
	struct maui_config_reading *reading;
	struct maui_errand *compares, *reads;
	struct maui_config *config;

	cr_assert(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/maui.cfg", dir);
	snprintf(included, sizeof(included), "%s/users.cfg", dir);
	write_file(path, "FSPOLICY DEDICATEDPS\n#INCLUDE users.cfg");
	write_file(included, "USERCFG[ann] PRIORITY=1\n");
	config = maui_config_load(path, NULL, &diags);
	cr_assert(config);
	/* read() of a FIFO without a writer gives no answer before MAUI_FILE_MAX_WAIT_MS */
	cr_assert(remove(included) == 0 && mkfifo(included, 0600) == 0);
	compares = maui_config_comparison_begin(config);
	reads = maui_config_reading_begin(path, NULL);
	cr_assert(compares && reads);
	cr_expect(!maui_errand_is_over(compares, 0) && !maui_errand_is_over(reads, 100));
	cr_expect(maui_errand_is_over(compares, 60000) && maui_errand_is_over(reads, 60000));
	comparison = maui_errand_end(compares);
	cr_expect(comparison->changed && strstr(comparison->how.text, "users.cfg"), "%s",
		  comparison->how.text);
	maui_config_comparison_destroy(comparison);
	reading = maui_errand_end(reads);
	cr_expect(!reading->config && reading->diags.seen[MAUI_ERROR] == 1);
	maui_config_reading_destroy(reading);
	remove(included);
	remove(path);
	remove(dir);
	maui_config_unref(config);
	maui_diags_finish(&diags);
}

Test(config, an_errand_reads_what_a_start_reads)
{
	char dir[] = "/tmp/maui-config-XXXXXX", path[64];
	struct maui_config_reading *reading;
	struct maui_errand *reads;

	cr_assert(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/maui.cfg", dir);
	write_file(path, "RMPOLLINTERVAL 17\nNOSUCHPARAMETER 1\n");
	reads = maui_config_reading_begin(path, "sched/maui");
	cr_assert(reads && maui_errand_is_over(reads, 60000));
	reading = maui_errand_end(reads);
	cr_expect(reading->config && reading->config->poll_interval_s == 17);
	cr_expect(reading->diags.seen[MAUI_WARNING] == 1);
	maui_config_reading_destroy(reading);
	maui_config_reading_destroy(NULL);
	maui_config_comparison_destroy(NULL);
	remove(path);
	remove(dir);
}

Test(config, a_changed_file_is_told_until_it_is_read)
{
	json_object *result, *unread;

	diagnose_world_change_file(p, "cannot read /maui.cfg: No such file or directory");
	result = ask("FSPOLICY", 0);
	unread = member(result, "unread");
	cr_expect_str_eq(json_object_get_string(unread),
			 "cannot read /maui.cfg: No such file or directory");
	cr_expect(json_object_get_int64(member(result, "unread_since")) > 0);
	json_object_put(result);
	diagnose_world_change_file(p, NULL);
	result = ask("FSPOLICY", 0);
	cr_expect(!member(result, "unread"));
	json_object_put(result);
}

Test(config, more_lines_than_an_answer_may_have_are_refused)
{
	struct maui_config *config = (struct maui_config *)p->config->config;
	struct maui_setting *present = config->settings;
	size_t present_count = config->setting_count;
	struct maui_query_error error = { 0 };

	cr_assert(present_count > 0);
	config->setting_count = MAUI_QUERY_MAX_ROWS + 1;
	config->settings = calloc(config->setting_count, sizeof(*config->settings));
	cr_assert(config->settings);
	for (size_t i = 0; i < config->setting_count; i++) {
		config->settings[i] = present[0];
		config->settings[i].replaced = NULL;
	}
	cr_expect(!try(NULL, 0, &error) && error.code == MAUI_QUERY_ERROR);
	cr_expect(strstr(error.err.text, "more than 100000 lines"), "%s", error.err.text);
	free(config->settings);
	config->settings = present;
	config->setting_count = present_count;
}
