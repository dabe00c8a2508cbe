/* SPDX-License-Identifier: GPL-2.0-or-later */
/* left_out.c - what partitions ask of their jobs and no simulation does, a note for each key */

#include <strings.h>

#include "slurmconf/reading.h"

static const char *const keys[MAUI_CONF_LEFT_OUT] = {
	"AllowAccounts",    "DenyAccounts",
	"AllowGroups",      "AllowQos",
	"DenyQos",          "QOS",
	"ReqResv",          "RootOnly",
	"Alternate",        "MaxCPUsPerNode",
	"MaxCPUsPerSocket", "MaxMemPerCPU",
	"MaxMemPerNode",    "DefCPUPerGPU",
	"DefMemPerGPU",     "TRESBillingWeights",
};

/* Values that ask for nothing. */
static bool asks_nothing(const char *value)
{
	static const char *const none[] = {
		"", "ALL", "NO", "FALSE", "0", "INFINITE", "UNLIMITED"
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (strcasecmp(value, none[i]) == 0)
			return true;
	return false;
}

void maui_conf_count_left_out(struct maui_conf_reading *r, const struct maui_conf_entry *entry)
{
	for (size_t i = 0; i < MAUI_CONF_LEFT_OUT; i++) {
		const char *value = maui_conf_entry_text(entry, keys[i]);

		if (value && !asks_nothing(value) && r->left_out[i].count++ == 0)
			r->left_out[i].first = r->partition_count - 1;
	}
}

int maui_conf_note_left_out(struct maui_conf_reading *r)
{
	for (size_t i = 0; i < MAUI_CONF_LEFT_OUT; i++) {
		const char *first = r->partitions ? r->partitions[r->left_out[i].first].name : "";
		size_t count = r->left_out[i].count;
		int rc = 0;

		if (count == 1)
			rc = maui_conf_note(r, "PartitionName=%s: %s is not simulated", first,
					    keys[i]);
		else if (count > 1)
			rc = maui_conf_note(r, "%s of %zu partitions is not simulated: %s ...",
					    keys[i], count, first);
		if (rc)
			return -1;
	}
	return 0;
}
