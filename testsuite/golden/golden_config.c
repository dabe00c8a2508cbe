/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_config.c - cases of the feature "config": one field of the typed configuration
 *
 * For parameters that only the plugins read. A word is compared in the schema's spelling.
 *
 * Rules: PRIO-17, CFG-3, CFG-5.
 */

#include "golden.h"

#include <string.h>

/* Word number `position` of a row, without its other spellings. */
static const char *word_of(const char *parameter, int position, char *buf, size_t size)
{
	const struct maui_param *row = maui_schema_find_param(parameter);
	const char *word = row ? row->words : "";

	for (; position > 0; position--) {
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	snprintf(buf, size, "%.*s", (int)strcspn(word, "= "), word);
	return buf;
}

static void compare_word(struct golden_case *c, const char *parameter, int position,
			 const char *suffix)
{
	char word[64], text[80];

	word_of(parameter, position, word, sizeof(word));
	snprintf(text, sizeof(text), "%s%s", word, suffix);
	golden_expect_text(c, c->expected, "value", text);
}

static void poll_interval(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->poll_interval_s);
}

static void default_walltime(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->default_walltime_s);
}

static void class_walltime(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value",
			  maui_config_cred(config, MAUI_CRED_CLASS, "batch")->default_walltime_s);
}

static void fs_interval(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->fs_interval_s);
}

static void fs_depth(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->fs_depth);
}

static void fs_decay(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_number(c, c->expected, "value", config->fs_decay);
}

static void fs_policy(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "FSPOLICY", (int)config->fs_policy.metric,
		     config->fs_policy.ratio ? "%" : "");
}

static void accrual(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "JOBPRIOACCRUALPOLICY", config->accrual, "");
}

static void defer_time(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->defer_time_s);
}

static void defer_count(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->defer_count);
}

static void defer_start_count(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->defer_start_count);
}

static void max_start(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->max_start_s);
}

static void server_mode(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "SERVERMODE", config->server_mode, "");
}

static void res_depth(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->res_depth);
}

static void res_ctl(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "RESCTLPOLICY", config->res_ctl_any, "");
}

static void res_max_count(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->res_max_count);
}

static void res_max_procs(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->res_max_procs);
}

static void res_max_ps(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->res_max_ps);
}

static void res_max_length(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->res_max_length_s);
}

static void res_max_ahead(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->res_max_ahead_s);
}

static void mirror(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "RESERVATIONMIRROR", config->mirror, "");
}

static void reason_style(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "REASONTEXT", config->reason_style, "");
}

static void het_jobs(struct golden_case *c, const struct maui_config *config)
{
	compare_word(c, "HETJOBS", config->het_jobs, "");
}

static void multi_requests(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_int(c, c->expected, "value", config->multi_requests);
}

/* Names with commas between them. */
static void compare_admins(struct golden_case *c, const struct maui_words *words)
{
	char text[256] = "";

	for (size_t i = 0; i < words->count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "," : "",
			 words->list[i]);
	golden_expect_text(c, c->expected, "value", text);
}

static void admin1(struct golden_case *c, const struct maui_config *config)
{
	compare_admins(c, &config->admins[0]);
}

static void admin2(struct golden_case *c, const struct maui_config *config)
{
	compare_admins(c, &config->admins[1]);
}

static void admin3(struct golden_case *c, const struct maui_config *config)
{
	compare_admins(c, &config->admins[2]);
}

static void query_socket(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_text(c, c->expected, "value",
			   config->query_socket ? config->query_socket : "");
}

static void use_reserved(struct golden_case *c, const struct maui_config *config)
{
	golden_expect_text(c, c->expected, "value",
			   maui_config_cred(config, MAUI_CRED_QOS, "hi")->use_reserved);
}

static const struct {
	const char *name;
	void (*compare)(struct golden_case *c, const struct maui_config *config);
} fields[] = {
	{ "poll_interval_s", poll_interval },
	{ "default_walltime_s", default_walltime },
	{ "class_walltime_s", class_walltime },
	{ "fs_interval_s", fs_interval },
	{ "fs_depth", fs_depth },
	{ "fs_decay", fs_decay },
	{ "fs_policy", fs_policy },
	{ "accrual", accrual },
	{ "defer_time_s", defer_time },
	{ "defer_count", defer_count },
	{ "defer_start_count", defer_start_count },
	{ "max_start_s", max_start },
	{ "server_mode", server_mode },
	{ "res_depth", res_depth },
	{ "res_ctl", res_ctl },
	{ "res_max_count", res_max_count },
	{ "res_max_procs", res_max_procs },
	{ "res_max_ps", res_max_ps },
	{ "res_max_length", res_max_length },
	{ "res_max_ahead", res_max_ahead },
	{ "mirror", mirror },
	{ "reason_style", reason_style },
	{ "het_jobs", het_jobs },
	{ "multi_requests", multi_requests },
	{ "admin1", admin1 },
	{ "admin2", admin2 },
	{ "admin3", admin3 },
	{ "query_socket", query_socket },
	{ "use_reserved", use_reserved },
};

void golden_run_config(struct golden_case *c)
{
	const char *name = golden_get_text(c->inputs, "field");
	struct maui_config *config = golden_config(c);
	bool found = false;

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs", "field");
	golden_check_known(c, c->expected, "expected", "value");
	for (size_t i = 0; name && i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(fields[i].name, name) == 0) {
			fields[i].compare(c, config);
			found = true;
		}
	if (!found)
		golden_fault(c, "inputs.field: no such field");
	maui_config_unref(config);
}
