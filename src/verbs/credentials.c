/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials.c - the verb "credentials" */

#include "verbs/credentials.h"

MAUI_RECORD_TYPE(maui_credentials_args, MAUI_CREDENTIALS_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_credential_limit, MAUI_CREDENTIAL_LIMIT_FIELDS);
MAUI_RECORD_TYPE(maui_credential_members, MAUI_CREDENTIAL_MEMBERS_FIELDS);
MAUI_RECORD_TYPE(maui_credential_qos, MAUI_CREDENTIAL_QOS_FIELDS);
MAUI_RECORD_TYPE(maui_credential, MAUI_CREDENTIAL_FIELDS);
MAUI_RECORD_TYPE(maui_credentials_system, MAUI_CREDENTIALS_SYSTEM_FIELDS);
MAUI_RECORD_TYPE(maui_credentials_answer, MAUI_CREDENTIALS_FIELDS);

MAUI_VERB(credentials, ALL, &maui_credentials_args_type, &maui_credentials_answer_type,
	  "limits, priorities and use of users, groups, accounts, QOS or classes");
