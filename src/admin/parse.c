/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.c - reads the attributes of a setres like those of a SRCFG
 *
 * The attributes are written as lines of a maui.cfg and parsed by its parser, so that a list, a
 * flag or a task means the same in both. A value with a character that ends a value in maui.cfg is
 * refused, because the rest would read as another attribute.
 */
#include "admin/parse.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "config/config.h"
#include "config/rsv_value.h"

/* Name of the only reservation in that text. */
#define INDEX    "setres"
#define LINE     "SRCFG[" INDEX "] "

#define FIELD(f) offsetof(struct maui_rsv, f), sizeof(((struct maui_rsv *)NULL)->f)

/* The attributes that a setres accepts, apart from access lists, which maui_acl_kind_of() knows. A
 * field is moved as a whole, with the memory that it owns. */
static const struct {
	const char *name;
	struct {
		size_t offset, size;
	} fields[3];
} known[] = {
	{ "ACCESS", { { FIELD(shared) } } },
	{ "CHARGEACCOUNT", { { FIELD(charge_account) } } },
	{ "FLAGS", { { FIELD(flags) } } },
	{ "HOSTLIST", { { FIELD(hosts) } } },
	{ "IDLETIME", { { FIELD(idle_s) } } },
	{ "NODEFEATURES", { { FIELD(features) } } },
	{ "OWNER", { { FIELD(owner_kind) }, { FIELD(owner) } } },
	{ "PARTITION", { { FIELD(partition) } } },
	{ "PRIORITY", { { FIELD(priority) } } },
	{ "RESOURCES", { { FIELD(task) } } },
	{ "TASKCOUNT", { { FIELD(task_count) } } },
	{ "TPN", { { FIELD(tasks_per_node) } } },
	{ "TRIGGER", { { FIELD(triggers) }, { FIELD(trigger_count) }, { FIELD(trigger_alloc) } } },
};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static int find_known(const char *name)
{
	for (int i = 0; i < KNOWN; i++)
		if (strcmp(known[i].name, name) == 0)
			return i;
	return -1;
}

static bool is_place(const char *name)
{
	return strcmp(name, "HOSTLIST") == 0 || strcmp(name, "TASKCOUNT") == 0;
}

static bool has_value(const struct maui_setres_args *args, const char *name)
{
	for (size_t i = 0; i < args->attributes_count; i++)
		if (strcmp(args->attributes[i].key, name) == 0 && *args->attributes[i].value)
			return true;
	return false;
}

bool maui_admin_names(const struct maui_setres_args *args, const char *attribute)
{
	for (size_t i = 0; i < args->attributes_count; i++)
		if (strcmp(args->attributes[i].key, attribute) == 0)
			return true;
	return false;
}

bool maui_admin_has_place(const struct maui_setres_args *args)
{
	return has_value(args, "HOSTLIST") || has_value(args, "TASKCOUNT");
}

static bool is_subtype(const char *name)
{
	return strcmp(name, "SUBTYPE") == 0;
}

/* Whether the value has no character that ends a value or continues a line of maui.cfg, or that a
 * terminal acts on. */
static bool is_plain(const char *value)
{
	size_t length = strlen(value), bytes;
	uint32_t character;

	for (size_t i = 0; i < length; i += bytes) {
		bytes = maui_utf8_decode(value + i, length - i, &character);
		if (bytes == 0 || maui_utf8_is_hidden(character) || strchr(" #\"'\\", value[i]))
			return false;
	}
	return true;
}

static int add_line(struct maui_strbuf *text, const char *name, const char *value,
		    struct maui_query_error *error)
{
	if (find_known(name) < 0 && maui_acl_kind_of(name) < 0 && !is_subtype(name))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%.64s is not an attribute of a reservation made by command",
				       name);
	if (!is_plain(value))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%s: a value has no blanks, quotes, control characters, '#' "
				       "or '\\' in it",
				       name);
	if (strcmp(name, "NODEFEATURES") == 0 && strlen(value) > MAUI_REQUEST_MAX_FEATURES)
		return maui_query_fail(error, MAUI_QUERY_BAD, "NODEFEATURES has at most %d bytes",
				       MAUI_REQUEST_MAX_FEATURES);
	if (is_subtype(name) && strlen(value) > MAUI_ADMIN_MAX_NAME)
		return maui_query_fail(error, MAUI_QUERY_BAD, "SUBTYPE has at most %d bytes",
				       MAUI_ADMIN_MAX_NAME);
	if (*value != '\0' && !is_subtype(name))
		maui_strbuf_addf(text, LINE "%s=%s\n", name, value);
	return 0;
}

/* Adds attributes that a SRCFG needs and a setres does not: a HOSTLIST when a change names no
 * nodes, and an access list. These values are not moved to the reservation. */
static void add_required_attributes(struct maui_strbuf *text, const struct maui_setres_args *args,
				    bool has_place, bool has_list)
{
	if (!has_place)
		maui_strbuf_addf(text, LINE "HOSTLIST=ALL\n");
	for (int kind = 0; kind < MAUI_CRED_COUNT && !has_list; kind++) {
		const char *list = maui_acl_attr(kind);

		if (maui_admin_names(args, list))
			continue;
		maui_strbuf_addf(text, LINE "%s=anybody\n", list);
		has_list = true;
	}
}

/* Writes the attributes as text of a maui.cfg. */
static int write_lines(const struct maui_setres_args *args, struct maui_strbuf *text,
		       struct maui_query_error *error)
{
	bool has_place = false, has_list = false;

	maui_strbuf_addf(text, LINE "PERIOD=INFINITY\n");
	for (size_t i = 0; i < args->attributes_count; i++) {
		const struct maui_label *one = &args->attributes[i];
		size_t before = text->length;

		if (add_line(text, one->key, one->value, error))
			return -1;
		if (text->length == before)
			continue;
		has_place |= is_place(one->key);
		has_list |= maui_acl_kind_of(one->key) >= 0;
	}
	add_required_attributes(text, args, has_place, has_list);
	return text->failed ? maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "out of memory") : 0;
}

/* The message without the reservation's name, because there is only one reservation. */
static const char *plain_text(const struct maui_diag *diag)
{
	static const char of[] = "SRCFG[" INDEX "] ", colon[] = "SRCFG[" INDEX "]: ";
	const char *text = diag->text;

	if (strncmp(text, of, sizeof(of) - 1) == 0)
		text += sizeof(of) - 1;
	else if (strncmp(text, colon, sizeof(colon) - 1) == 0)
		text += sizeof(colon) - 1;
	return text;
}

/* Returns the first error, or all warnings in one line. A setting that maui.cfg would ignore is
 * an error here: a reservation without its BYNAME is another one. */
static int read_diags(const struct maui_diags *diags, bool accepted, char **ret_warning,
		      struct maui_query_error *error)
{
	struct maui_strbuf text = { 0 };
	int rc = 0;

	for (size_t i = 0; i < diags->count && rc == 0; i++) {
		const size_t ignored = maui_diag_ignored(&diags->list[i]);

		if (ignored)
			diags->list[i].text[ignored] = '\0';
		if (diags->list[i].severity == MAUI_ERROR || ignored)
			rc = maui_query_fail(error, MAUI_QUERY_BAD, "%s",
					     plain_text(&diags->list[i]));
		else if (diags->list[i].severity == MAUI_WARNING)
			maui_strbuf_addf(&text, "%s%s", text.length ? "; " : "",
					 plain_text(&diags->list[i]));
	}
	if (rc == 0 && (!accepted || text.failed))
		rc = maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "out of memory");
	if (rc == 0 && text.length)
		*ret_warning = maui_strbuf_steal(&text);
	maui_strbuf_finish(&text);
	return rc;
}

static void swap_bytes(void *a, void *b, size_t size)
{
	unsigned char *one = a, *two = b;

	for (size_t i = 0; i < size; i++) {
		unsigned char kept = one[i];

		one[i] = two[i];
		two[i] = kept;
	}
}

static void move_field(struct maui_rsv *to, struct maui_rsv *from, int at)
{
	for (size_t i = 0; i < sizeof(known[at].fields) / sizeof(known[at].fields[0]); i++)
		swap_bytes((char *)to + known[at].fields[i].offset,
			   (char *)from + known[at].fields[i].offset, known[at].fields[i].size);
}

static void drop_kind(struct maui_acl *acl, int kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < acl->count; i++) {
		if (acl->list[i].kind == kind)
			free(acl->list[i].name);
		else
			acl->list[kept++] = acl->list[i];
	}
	acl->count = kept;
}

/* Moves the entries of the kind, in their order, behind those of other kinds. */
static int move_entries(struct maui_acl *to, struct maui_acl *from, int kind)
{
	drop_kind(to, kind);
	for (size_t i = 0; i < from->count; i++) {
		struct maui_acl_entry *grown;

		if (from->list[i].kind != kind)
			continue;
		grown = maui_array_grow(to->list, to->count, &to->alloc, sizeof(*grown));
		if (!grown)
			return -1;
		to->list = grown;
		to->list[to->count++] = from->list[i];
		from->list[i].name = NULL;
	}
	return 0;
}

/* HOSTLIST and TASKCOUNT replace the former ones together: HOSTLIST alone reserves all its hosts,
 * TASKCOUNT alone takes any nodes. */
static void move_place(struct maui_rsv *to, struct maui_rsv *from,
		       const struct maui_setres_args *args)
{
	if (!maui_admin_names(args, "HOSTLIST") && !maui_admin_names(args, "TASKCOUNT"))
		return;
	if (!has_value(args, "HOSTLIST")) { /* the HOSTLIST of add_required_attributes() */
		free(from->hosts);
		from->hosts = NULL;
	}
	move_field(to, from, find_known("HOSTLIST"));
	move_field(to, from, find_known("TASKCOUNT"));
}

/* SUBTYPE is not an attribute of SRCFG: diagnose -r shows the word. */
static int set_subtype(struct maui_rsv *to, const char *value)
{
	char *copy = *value != '\0' ? strdup(value) : NULL;

	if (*value != '\0' && !copy)
		return -1;
	free(to->subtype);
	to->subtype = copy;
	return 0;
}

/* Values of one attribute stand together. */
static bool is_first(const struct maui_label *attributes, size_t i)
{
	return i == 0 || strcmp(attributes[i].key, attributes[i - 1].key) != 0;
}

static int move_attributes(struct maui_rsv *to, struct maui_rsv *from,
			   const struct maui_setres_args *args)
{
	int rc = 0;

	for (size_t i = 0; i < args->attributes_count; i++) {
		const char *name = args->attributes[i].key;
		int kind = maui_acl_kind_of(name), at = find_known(name);

		if (is_subtype(name))
			rc |= set_subtype(to, args->attributes[i].value);
		else if (!is_first(args->attributes, i))
			continue; /* all of its values are moved */
		else if (kind >= 0)
			rc |= move_entries(&to->acl, &from->acl, kind);
		else if (at >= 0 && !is_place(name))
			move_field(to, from, at);
	}
	move_place(to, from, args);
	return rc;
}

int maui_admin_parse(struct maui_rsv *rsv, const struct maui_setres_args *args, char **ret_warning,
		     struct maui_query_error *error)
{
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config = NULL;
	int rc = write_lines(args, &text, error);

	*ret_warning = NULL;
	if (rc == 0) {
		config = maui_config_parse("setres", text.text, text.length, NULL, &diags);
		rc = read_diags(&diags, config, ret_warning, error);
	}
	/* this function has the only reference, so fields may be moved out of the configuration */
	if (rc == 0 && config->rsv_count == 1 && move_attributes(rsv, &config->rsvs[0], args))
		rc = maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "out of memory");
	if (rc != 0) {
		free(*ret_warning);
		*ret_warning = NULL;
	}
	maui_config_unref(config);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return rc;
}
