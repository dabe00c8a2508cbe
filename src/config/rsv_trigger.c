/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_trigger.c - TRIGGER of a reservation (RSV-15)
 *
 * Both ';' and ':' may separate event and action, and a time has ':' too. So the last word that
 * names an action decides where the event ends.
 */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/limits.h"
#include "config/rsv_value.h"

#define FORM "<event>[+<offset>][@<threshold>];<action>[@<data>]"

/* Index of the word of `length` bytes; -1: not in the list. */
static int find_word(const char *const *words, size_t count, const char *text, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0)
			return (int)i;
	return -1;
}

/* The separator before the last word that names an action; NULL: no action. */
static const char *find_action(const char *text, int *ret_action)
{
	for (const char *at = text + strlen(text); at-- > text;) {
		if (*at != ';' && *at != ':')
			continue;
		*ret_action = find_word(maui_trigger_action_names, MAUI_TRIGGER_ACTION_COUNT,
					at + 1, strcspn(at + 1, "@"));
		if (*ret_action >= 0)
			return at;
	}
	return NULL;
}

static int read_offset(struct maui_trigger *trigger, const char *text, struct maui_err *err)
{
	struct maui_err why;

	if (maui_duration_parse(text, &trigger->offset_s, &why))
		return maui_err_set(err, "TRIGGER: offset: %s", why.text);
	if (*text == '+' || trigger->offset_s < 0 || trigger->offset_s >= MAUI_TIME_INFINITY)
		return maui_err_set(err, "TRIGGER: '%s' is not an offset: write [[HH:]MM:]SS",
				    text);
	return 0;
}

static int read_threshold(struct maui_trigger *trigger, const char *text, struct maui_err *err)
{
	if (!text && trigger->event == MAUI_TRIGGER_MINLOAD)
		return maui_err_set(err, "TRIGGER: minload needs @<threshold>, from 0 to 1");
	if (!text)
		return 0;
	if (trigger->event != MAUI_TRIGGER_MINLOAD)
		return maui_err_set(err, "TRIGGER: only minload has a threshold, got '@%s'", text);
	if (maui_number_parse(text, &trigger->threshold) || trigger->threshold < 0 ||
	    trigger->threshold > 1)
		return maui_err_set(err, "TRIGGER: '%s' is not a threshold from 0 to 1", text);
	return 0;
}

/* Reads <event>[+<offset>][@<threshold>] and cuts it up in place. */
static int read_event(struct maui_trigger *trigger, char *text, struct maui_err *err)
{
	char *threshold = strchr(text, '@'), *offset;
	int event;

	if (threshold)
		*threshold++ = '\0';
	offset = strchr(text, '+');
	if (offset)
		*offset++ = '\0';
	event = find_word(maui_trigger_event_names, MAUI_TRIGGER_EVENT_COUNT, text, strlen(text));
	if (event < 0)
		return maui_err_set(
			err, "TRIGGER: '%s' is not an event: use create, start, end or minload",
			text);
	trigger->event = (enum maui_trigger_event)event;
	if (offset && read_offset(trigger, offset, err))
		return -1;
	return read_threshold(trigger, threshold, err);
}

/* Reads the text behind the action's word: "" or "@<data>". The program needs an absolute path: it
 * runs as SlurmUser, so a working directory or PATH must not decide which program that is. */
static int read_data(struct maui_trigger *trigger, const char *text, struct maui_err *err)
{
	const char *action = maui_trigger_action_names[trigger->action];

	if (trigger->action == MAUI_TRIGGER_CANCEL)
		return *text == '\0' ? 0 : maui_err_set(err, "TRIGGER: cancel takes no '%s'", text);
	if (*text != '@' || text[1] != '/')
		return maui_err_set(err, "TRIGGER: %s needs an absolute path: %s@/<path>", action,
				    action);
	trigger->data = strdup(text + 1);
	return trigger->data ? 0 : maui_err_no_memory_for(err, "TRIGGER");
}

static int add_trigger(struct maui_rsv *rsv, const struct maui_trigger *trigger,
		       struct maui_err *err)
{
	struct maui_trigger *grown = maui_array_grow(rsv->triggers, rsv->trigger_count,
						     &rsv->trigger_alloc, sizeof(*grown));

	if (!grown)
		return maui_err_no_memory_for(err, "TRIGGER");
	rsv->triggers = grown;
	grown[rsv->trigger_count++] = *trigger;
	return 0;
}

enum maui_value_result maui_rsv_parse_trigger(struct maui_rsv *rsv, const char *text,
					      struct maui_err *err)
{
	struct maui_trigger trigger = { 0 };
	int action = -1;
	const char *at = find_action(text, &action);
	char *event;
	int rc;

	if (!at) {
		maui_err_set(err,
			     "TRIGGER names no cancel, exec or submit: it needs " FORM ", got '%s'",
			     text);
		return MAUI_VALUE_BAD;
	}
	trigger.action = (enum maui_trigger_action)action;
	event = strndup(text, (size_t)(at - text));
	rc = event ? read_event(&trigger, event, err) : maui_err_no_memory_for(err, "TRIGGER");
	free(event);
	if (rc == 0)
		rc = read_data(&trigger, at + 1 + strlen(maui_trigger_action_names[action]), err);
	if (rc == 0)
		rc = add_trigger(rsv, &trigger, err);
	if (rc == 0)
		return MAUI_VALUE_OK;
	free(trigger.data);
	return MAUI_VALUE_BAD;
}
