/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.c - the keys of slurm.conf, and the forms of their values */

#include "slurmconf/keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"

enum form { TEXT, NUMBER_16, NUMBER_32, NUMBER_64, YES_NO };

struct key {
	const char *name;
	enum form form;
};

static const struct key node_keys[] = {
	{ "BcastAddr", TEXT },
	{ "Boards", NUMBER_16 },
	{ "CoreSpecCount", NUMBER_16 },
	{ "CoresPerSocket", NUMBER_16 },
	{ "CpuBind", TEXT },
	{ "CPUs", NUMBER_16 },
	{ "CPUSpecList", TEXT },
	{ "Feature", TEXT },
	{ "Features", TEXT },
	{ "Gres", TEXT },
	{ "GresConf", TEXT },
	{ "MemSpecLimit", NUMBER_64 },
	{ "NodeAddr", TEXT },
	{ "NodeHostname", TEXT },
	{ "Parameters", TEXT },
	{ "Port", TEXT },
	{ "Procs", NUMBER_16 },
	{ "RealMemory", NUMBER_64 },
	{ "Reason", TEXT },
	{ "RestrictedCoresPerGPU", NUMBER_16 },
	{ "Sockets", NUMBER_16 },
	{ "SocketsPerBoard", NUMBER_16 },
	{ "State", TEXT },
	{ "SuspendTime", TEXT },
	{ "ThreadsPerCore", NUMBER_16 },
	{ "TmpDisk", NUMBER_32 },
	{ "Topology", TEXT },
	{ "TRESWeights", TEXT },
	{ "Weight", NUMBER_32 },
	{ NULL, TEXT },
};
static const struct key partition_keys[] = {
	{ "AllocNodes", TEXT },
	{ "AllowAccounts", TEXT },
	{ "AllowGroups", TEXT },
	{ "AllowQos", TEXT },
	{ "Alternate", TEXT },
	{ "CpuBind", TEXT },
	{ "DefCPUPerGPU", NUMBER_64 },
	{ "DefMemPerCPU", NUMBER_64 },
	{ "DefMemPerGPU", NUMBER_64 },
	{ "DefMemPerNode", NUMBER_64 },
	{ "Default", YES_NO },
	{ "DefaultTime", TEXT },
	{ "DenyAccounts", TEXT },
	{ "DenyQos", TEXT },
	{ "DisableRootJobs", YES_NO },
	{ "Exclusive", TEXT },
	{ "ExclusiveTopo", YES_NO },
	{ "ExclusiveUser", YES_NO },
	{ "GraceTime", NUMBER_32 },
	{ "Hidden", YES_NO },
	{ "LLN", YES_NO },
	{ "MaxCPUsPerNode", NUMBER_32 },
	{ "MaxCPUsPerSocket", NUMBER_32 },
	{ "MaxMemPerCPU", NUMBER_64 },
	{ "MaxMemPerNode", NUMBER_64 },
	{ "MaxNodes", NUMBER_32 },
	{ "MaxTime", TEXT },
	{ "MinNodes", NUMBER_32 },
	{ "Nodes", TEXT },
	{ "OverSubscribe", TEXT },
	{ "OverTimeLimit", TEXT },
	{ "PowerDownOnIdle", YES_NO },
	{ "PreemptMode", TEXT },
	{ "Priority", NUMBER_16 },
	{ "PriorityJobFactor", NUMBER_16 },
	{ "PriorityTier", NUMBER_16 },
	{ "QOS", TEXT },
	{ "ReqResv", YES_NO },
	{ "ResumeTimeout", NUMBER_16 },
	{ "RootOnly", YES_NO },
	{ "SelectTypeParameters", TEXT },
	{ "Shared", TEXT },
	{ "State", TEXT },
	{ "SuspendTime", TEXT },
	{ "SuspendTimeout", NUMBER_16 },
	{ "Topology", TEXT },
	{ "TRESBillingWeights", TEXT },
	{ NULL, TEXT },
};
static const struct key nodeset_keys[] = { { "Feature", TEXT }, { "Nodes", TEXT }, { NULL, TEXT } };
static const struct key down_keys[] = { { "Reason", TEXT }, { "State", TEXT }, { NULL, TEXT } };

/* The first key of such a line, and the others. */
static const struct {
	const char *name;
	const struct key *keys;
} kinds[MAUI_CONF_KINDS] = {
	[MAUI_CONF_CLUSTER] = { NULL, NULL },
	[MAUI_CONF_NODES] = { "NodeName", node_keys },
	[MAUI_CONF_PARTITION] = { "PartitionName", partition_keys },
	[MAUI_CONF_NODESET] = { "NodeSet", nodeset_keys },
	[MAUI_CONF_DOWN_NODES] = { "DownNodes", down_keys },
};

/* Keys of the whole cluster. */
static const char *const cluster_keys[] = {
	"AccountingStorageBackupHost",
	"AccountingStorageEnforce",
	"AccountingStorageExternalHost",
	"AccountingStorageHost",
	"AccountingStorageLoc",
	"AccountingStorageParameters",
	"AccountingStoragePass",
	"AccountingStoragePort",
	"AccountingStorageTRES",
	"AccountingStorageType",
	"AccountingStorageUser",
	"AccountingStoreFlags",
	"AccountingStoreJobComment",
	"AcctGatherEnergyType",
	"AcctGatherFilesystemType",
	"AcctGatherInfinibandType",
	"AcctGatherInterconnectType",
	"AcctGatherNodeFreq",
	"AcctGatherProfileType",
	"AllowSpecResourcesUsage",
	"AuthAltParameters",
	"AuthAltTypes",
	"AuthInfo",
	"AuthType",
	"BackupAddr",
	"BackupController",
	"BatchStartTimeout",
	"BcastExclude",
	"BcastParameters",
	"BurstBufferParameters",
	"BurstBufferType",
	"CertgenParameters",
	"CertgenType",
	"CertmgrParameters",
	"CertmgrType",
	"CliFilterParameters",
	"CliFilterPlugins",
	"ClusterName",
	"CommunicationParameters",
	"CompleteWait",
	"ControlAddr",
	"ControlMachine",
	"CoreSpecPlugin",
	"CpuFreqDef",
	"CpuFreqGovernors",
	"CredType",
	"CryptoType",
	"DataParserParameters",
	"DebugFlags",
	"DefCPUPerGPU",
	"DefMemPerCPU",
	"DefMemPerGPU",
	"DefMemPerNode",
	"DependencyParameters",
	"DisableRootJobs",
	"EioTimeout",
	"EnforcePartLimits",
	"Epilog",
	"EpilogMsgTime",
	"EpilogSlurmctld",
	"EpilogTimeout",
	"ExtSensorsFreq",
	"ExtSensorsType",
	"FairShareDampeningFactor",
	"FastSchedule",
	"FederationParameters",
	"FirstJobId",
	"FrontendName",
	"GetEnvTimeout",
	"GpuFreqDef",
	"GresTypes",
	"GroupUpdateForce",
	"GroupUpdateTime",
	"HashPlugin",
	"HealthCheckInterval",
	"HealthCheckNodeState",
	"HealthCheckProgram",
	"HealthCheckTimeout",
	"HttpParserType",
	"InactiveLimit",
	"InteractiveStepOptions",
	"JobAcctGatherFrequency",
	"JobAcctGatherParams",
	"JobAcctGatherType",
	"JobCompHost",
	"JobCompLoc",
	"JobCompParams",
	"JobCompPass",
	"JobCompPassScript",
	"JobCompPort",
	"JobCompType",
	"JobCompUser",
	"JobContainerType",
	"JobCredentialPrivateKey",
	"JobCredentialPublicCertificate",
	"JobFileAppend",
	"JobRequeue",
	"JobSubmitPlugins",
	"KeepAliveTime",
	"KillOnBadExit",
	"KillWait",
	"LaunchParameters",
	"LaunchType",
	"LicenseParameters",
	"Licenses",
	"LogTimeFormat",
	"MailDomain",
	"MailProg",
	"MaxArraySize",
	"MaxBatchRequeue",
	"MaxDBDMsgs",
	"MaxJobCount",
	"MaxJobId",
	"MaxMemPerCPU",
	"MaxMemPerNode",
	"MaxNodeCount",
	"MaxStepCount",
	"MaxTasksPerNode",
	"MCSParameters",
	"MCSPlugin",
	"MessageTimeout",
	"MetricsAuthUsers",
	"MetricsParameters",
	"MetricsType",
	"MinJobAge",
	"MpiDefault",
	"MpiParams",
	"NamespaceType",
	"NodeFeaturesPlugins",
	"OverTimeLimit",
	"PluginDir",
	"PlugStackConfig",
	"PowerAction",
	"PowerParameters",
	"PowerPlugin",
	"PreemptExemptTime",
	"PreemptMode",
	"PreemptParameters",
	"PreemptType",
	"PrEpParameters",
	"PrEpPlugins",
	"PriorityCalcPeriod",
	"PriorityDecayHalfLife",
	"PriorityFavorSmall",
	"PriorityFlags",
	"PriorityMaxAge",
	"PriorityParameters",
	"PrioritySiteFactorParameters",
	"PrioritySiteFactorPlugin",
	"PriorityType",
	"PriorityUsageResetPeriod",
	"PriorityWeightAge",
	"PriorityWeightAssoc",
	"PriorityWeightFairshare",
	"PriorityWeightJobSize",
	"PriorityWeightPartition",
	"PriorityWeightQOS",
	"PriorityWeightTRES",
	"PrivateData",
	"ProctrackType",
	"Prolog",
	"PrologEpilogTimeout",
	"PrologFlags",
	"PrologSlurmctld",
	"PrologTimeout",
	"PropagatePrioProcess",
	"PropagateResourceLimits",
	"PropagateResourceLimitsExcept",
	"RebootProgram",
	"ReconfigFlags",
	"RequeueExit",
	"RequeueExitHold",
	"ResumeFailProgram",
	"ResumeProgram",
	"ResumeRate",
	"ResumeTimeout",
	"ResvEpilog",
	"ResvOverRun",
	"ResvProlog",
	"ReturnToService",
	"RoutePlugin",
	"SallocDefaultCommand",
	"SbcastParameters",
	"SchedulerAuth",
	"SchedulerParameters",
	"SchedulerTimeSlice",
	"SchedulerType",
	"ScronParameters",
	"SelectType",
	"SelectTypeParameters",
	"SlurmctldAddr",
	"SlurmctldDebug",
	"SlurmctldHost",
	"SlurmctldHttpAuthParameters",
	"SlurmctldLogFile",
	"SlurmctldParameters",
	"SlurmctldPidFile",
	"SlurmctldPlugstack",
	"SlurmctldPort",
	"SlurmctldPrimaryOffProg",
	"SlurmctldPrimaryOnProg",
	"SlurmctldSyslogDebug",
	"SlurmctldTimeout",
	"SlurmdDebug",
	"SlurmdHttpAuthParameters",
	"SlurmdLogFile",
	"SlurmdParameters",
	"SlurmdPidFile",
	"SlurmdPort",
	"SlurmdSpoolDir",
	"SlurmdSyslogDebug",
	"SlurmdTimeout",
	"SlurmdUser",
	"SlurmSchedLogFile",
	"SlurmSchedLogLevel",
	"SlurmUser",
	"SrunEpilog",
	"SrunPortRange",
	"SrunProlog",
	"StateSaveLocation",
	"SuspendExcNodes",
	"SuspendExcParts",
	"SuspendExcStates",
	"SuspendProgram",
	"SuspendRate",
	"SuspendTime",
	"SuspendTimeout",
	"SwitchParameters",
	"SwitchType",
	"TaskEpilog",
	"TaskPlugin",
	"TaskPluginParam",
	"TaskProlog",
	"TCPTimeout",
	"TLSParameters",
	"TLSType",
	"TmpFS",
	"TopologyParam",
	"TopologyPlugin",
	"TrackWCKey",
	"TreeWidth",
	"UnkillableStepProgram",
	"UnkillableStepTimeout",
	"UrlParserType",
	"UsePAM",
	"VSizeFactor",
	"WaitTime",
	"X11Parameters",
};
/* Of these, the lines that have further keys. */
static const char *const long_lines[] = { "FrontendName", "PowerAction", "SlurmctldHost" };

static bool is_listed(const char *const *list, size_t count, const char *name)
{
	size_t i = 0;

	while (i < count && strcasecmp(list[i], name) != 0)
		i++;
	return i < count;
}

enum maui_conf_kind maui_conf_kind_of(const struct maui_conf_line *line)
{
	int kind = MAUI_CONF_KINDS - 1;

	while (kind > MAUI_CONF_CLUSTER &&
	       (line->count == 0 || strcasecmp(line->pairs[0].key, kinds[kind].name) != 0))
		kind--;
	return (enum maui_conf_kind)kind;
}

const char *maui_conf_read_number(const char *value, int64_t max, bool thousands, int64_t *ret)
{
	char *end;
	int64_t number;

	if (strcasecmp(value, "INFINITE") == 0 || strcasecmp(value, "UNLIMITED") == 0) {
		*ret = max;
		return NULL;
	}
	errno = 0;
	number = strtoll(value, &end, 0);
	if (thousands && (*end == 'k' || *end == 'K')) {
		number = number > MAUI_NUMBER_MAX / 1024 ? MAUI_NUMBER_MAX : number * 1024;
		end++;
	}
	if (*end != '\0')
		return "not a number";
	if (*value == '-' || number > max || errno == ERANGE)
		return "out of range";
	*ret = number;
	return NULL;
}

const char *maui_conf_read_yes(const char *value, bool *ret)
{
	static const char *const yes[] = { "YES", "UP", "TRUE", "1" };
	static const char *const no[] = { "NO", "DOWN", "FALSE", "0" };

	*ret = is_listed(yes, sizeof(yes) / sizeof(yes[0]), value);
	return *ret || is_listed(no, sizeof(no) / sizeof(no[0]), value) ? NULL :
									  "neither YES nor NO";
}

static const char *check_value(enum form form, const char *value)
{
	int64_t number;
	bool yes;

	switch (form) {
	case NUMBER_16:
		return maui_conf_read_number(value, UINT16_MAX, false, &number);
	case NUMBER_32:
		return maui_conf_read_number(value, UINT32_MAX, true, &number);
	case NUMBER_64:
		return maui_conf_read_number(value, MAUI_NUMBER_MAX, true, &number);
	case YES_NO:
		return maui_conf_read_yes(value, &yes);
	case TEXT:
		break;
	}
	return NULL;
}

static int check_pair(const struct maui_conf_line *line, const struct key *keys,
		      const struct maui_conf_pair *pair, const char **ret_unknown,
		      struct maui_err *err)
{
	const char *wrong;

	while (keys->name && strcasecmp(keys->name, pair->key) != 0)
		keys++;
	if (!keys->name) {
		*ret_unknown = pair->key;
		return 0;
	}
	wrong = check_value(keys->form, pair->value);
	return wrong ? maui_err_set(err, "%s: %.64s=%.100s: %s=%.100s is %s", line->path,
				    line->pairs[0].key, line->pairs[0].value, keys->name,
				    pair->value, wrong) :
		       0;
}

int maui_conf_check_line(const struct maui_conf_line *line, const char **ret_unknown,
			 struct maui_err *err)
{
	enum maui_conf_kind kind = maui_conf_kind_of(line);

	*ret_unknown = NULL;
	if (line->rest)
		return maui_err_set(err, "%s:%" PRIu64 ": '%.100s' is not KEY=value", line->path,
				    line->number, line->rest);
	for (size_t i = 1; kinds[kind].keys && i < line->count; i++)
		if (check_pair(line, kinds[kind].keys, &line->pairs[i], ret_unknown, err))
			return -1;
	if (kind != MAUI_CONF_CLUSTER)
		return 0;
	if (!is_listed(cluster_keys, sizeof(cluster_keys) / sizeof(cluster_keys[0]),
		       line->pairs[0].key))
		*ret_unknown = line->pairs[0].key;
	else if (line->count > 1 &&
		 !is_listed(long_lines, sizeof(long_lines) / sizeof(char *), line->pairs[0].key))
		return maui_err_set(err, "%s:%" PRIu64 ": %.64s must be alone in its line",
				    line->path, line->number, line->pairs[0].key);
	return 0;
}
