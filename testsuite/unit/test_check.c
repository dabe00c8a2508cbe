/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_check.c - each cross-check of a well-formed maui.cfg, with and without a diagnostic
 *
 * Rules: CFG-14.
 */
#include "config/check/check.h"

#include <stdio.h>

#include "parsed.h"
#include "rows.h"

#define NOT_YET " is not implemented in this release, ignoring"

/* ---- settings without effect ---- */

struct check {
	const char *name, *text;
	const char *scheduler; /* NULL: not known */
	const char *said;      /* without notes about what this release does not have */
};

#define NO_WEIGHT(position, what, weights) \
	"maui.cfg:" position ": warning: " what " has no effect: " weights " is 0\n"
#define AGAIN(position, what, line) \
	"maui.cfg:" position ": note: " what " has no effect: line " line " sets it again\n"
#define FS_ON "FSPOLICY DEDICATEDPS\n"
#define NEED(position, what, scheduler)                                                          \
	"maui.cfg:" position ": warning: " what " need SchedulerType=sched/maui, not " scheduler \
	"\n"

#define NO_QOS(position, attr, qos)                                                              \
	"maui.cfg:" position ": warning: " attr " names QOS '" qos "', for which no QOSCFG[" qos \
	"]"                                                                                      \
	" sets anything\n"
#define ONE_OBJECT(position, what)              \
	"maui.cfg:" position ": warning: " what \
	" names one object; write a line for each of several\n"
#define TWO_FIELDS_AS(position, what, value, meant)                         \
	"maui.cfg:" position ": warning: " what ": " value                  \
	" is read as minutes and seconds, as the manual says: write " meant \
	"; for the hours and minutes that Maui 3.x read write " value ":00\n"
#define TWO_FIELDS(position, what, value) TWO_FIELDS_AS(position, what, value, "0:" value)
#define ONE_DIGIT(position, what, value)  TWO_FIELDS_AS(position, what, value, "0:0" value)
#define ABOVE(position, what, value)                          \
	"maui.cfg:" position ": warning: " what ": in " value \
	" the soft limit is above the hard limit, so the hard limit counts for both (<soft>,<hard>)\n"
#define NO_INDEX(position, what, index)                                            \
	"maui.cfg:" position ": warning: " what " takes no index: " what "[" index \
	"] is read as " what "\n"
#define RANKED_LAST(position, scheduler)                                       \
	"maui.cfg:" position                                                   \
	": warning: REJECTNEGPRIOJOBS: jobs with a priority below 0 are only " \
	"ranked last; refusing them needs SchedulerType=sched/maui, not " scheduler "\n"

static const struct check checks[] = {
	/* targets without effect (CFG-14) */
	{ "target, no policy", "USERCFG[a] FSTARGET=5\nFSUSERWEIGHT 1\n", NULL,
	  "maui.cfg:1:12: warning: FSTARGET has no effect: FSPOLICY is NONE\n" },
	{ "a weight in a component without weight", "USERWEIGHT 5\nCREDWEIGHT 0\n", NULL,
	  "maui.cfg:1:1: warning: USERWEIGHT has no effect: CREDWEIGHT is 0\n" },
	{ "a weight of 0 in a component without weight", "USERWEIGHT 0\nCREDWEIGHT 0\n", NULL, "" },
	{ "a weight in a component without weight in one partition",
	  "USERWEIGHT[p] 5\nCREDWEIGHT[p] 0\n", NULL,
	  "maui.cfg:1:1: warning: USERWEIGHT[p] has no effect: CREDWEIGHT is 0\n" },
	{ "target, no weight", FS_ON "GROUPCFG[a] FSTARGET=5\n", NULL,
	  NO_WEIGHT("2:13", "GROUPCFG[a] FSTARGET", "FSWEIGHT x FSGROUPWEIGHT") },
	{ "a target of an account with a weight for users only",
	  FS_ON "ACCOUNTCFG[a] FSTARGET=5\nFSUSERWEIGHT 1\n", NULL,
	  NO_WEIGHT("2:15", "ACCOUNTCFG[a] FSTARGET", "FSWEIGHT x FSACCOUNTWEIGHT") },
	{ "target, component weight 0", FS_ON "QOSCFG[a] FSTARGET=5-\nFSQOSWEIGHT 1\nFSWEIGHT 0\n",
	  NULL,
	  NO_WEIGHT(
		  "2:11", "QOSCFG[a] FSTARGET",
		  "FSWEIGHT x FSQOSWEIGHT") "maui.cfg:3:1: warning: FSQOSWEIGHT has no effect: FSWEIGHT is 0\n" },
	{ "target of DEFAULT", FS_ON "CLASSCFG[DEFAULT] FSTARGET=5+\n", NULL,
	  NO_WEIGHT("2:19", "CLASSCFG[DEFAULT] FSTARGET", "FSWEIGHT x FSCLASSWEIGHT") },
	{ "a target with a weight", FS_ON "USERCFG[a] FSTARGET=5\nFSUSERWEIGHT 1\n", NULL, "" },
	{ "target, weight in a partition", FS_ON "USERCFG[a] FSTARGET=5\nFSUSERWEIGHT[batch] 1\n",
	  NULL, "" },
	{ "target, weight of an old name", FS_ON "USERCFG[a] FSTARGET=5\nUFSWEIGHT 1\n", NULL, "" },
	{ "a cap needs no weight", FS_ON "USERCFG[a] FSTARGET=5%\nGROUPCFG[a] FSTARGET=500^\n",
	  NULL, "" },
	{ "a cap needs the policy", "USERCFG[a] FSTARGET=5%\n", NULL,
	  "maui.cfg:1:12: warning: FSTARGET has no effect: FSPOLICY is NONE\n" },
	{ "replaced target", FS_ON "USERCFG[a] FSTARGET=5\nUSERCFG[a] FSTARGET=5%\n", NULL,
	  AGAIN("2:12", "USERCFG[a] FSTARGET: 5", "3") },
	{ "policy switched off", "FSPOLICY NONE\nUSERCFG[a] FSTARGET=5\nFSUSERWEIGHT 1\n", NULL,
	  "maui.cfg:2:12: warning: FSTARGET has no effect: FSPOLICY is NONE\n" },
	/* priorities */
	{ "priority, no weight", "USERCFG[a] PRIORITY=5\n", NULL,
	  NO_WEIGHT("1:12", "USERCFG[a] PRIORITY", "CREDWEIGHT x USERWEIGHT") },
	{ "priority, component weight 0", "QOSCFG[a] PRIORITY=5\nQOSWEIGHT 1\nCREDWEIGHT 0\n", NULL,
	  NO_WEIGHT(
		  "1:11", "QOSCFG[a] PRIORITY",
		  "CREDWEIGHT x QOSWEIGHT") "maui.cfg:2:1: warning: QOSWEIGHT has no effect: CREDWEIGHT is 0\n" },
	{ "each object is said", "GROUPCFG[a] PRIORITY=5\nGROUPCFG[b] PRIORITY=6\n", NULL,
	  NO_WEIGHT("1:13", "GROUPCFG[a] PRIORITY", "CREDWEIGHT x GROUPWEIGHT")
		  NO_WEIGHT("2:13", "GROUPCFG[b] PRIORITY", "CREDWEIGHT x GROUPWEIGHT") },
	{ "priority with a weight", "ACCOUNTCFG[a] PRIORITY=5\nACCOUNTWEIGHT 1\n", NULL, "" },
	{ "priority with a negative weight", "ACCOUNTCFG[a] PRIORITY=5\nACCOUNTWEIGHT -1\n", NULL,
	  "" },
	{ "priority 0", "USERCFG[a] PRIORITY=0\n", NULL, "" },
	{ "class priority, a group's weight", "CLASSCFG[a] PRIORITY=5\nGROUPCFG[g] CLASSWEIGHT=2\n",
	  NULL, "" },
	{ "class priority, no weight", "CLASSCFG[a] PRIORITY=5\nGROUPCFG[g] CLASSWEIGHT=0\n", NULL,
	  NO_WEIGHT("1:13", "CLASSCFG[a] PRIORITY", "CREDWEIGHT x CLASSWEIGHT") },
	{ "a QOS has no default", "QOSWEIGHT 1\nQOSCFG[DEFAULT] PRIORITY=5\n", NULL,
	  "maui.cfg:2:17: warning: QOSCFG[DEFAULT] PRIORITY has no effect: a QOS's priority has no "
	  "default\n" },
	{ "others have", "USERWEIGHT 1\nUSERCFG[DEFAULT] PRIORITY=5\n", NULL, "" },
	{ "QOSCFG[DEFAULT] with other attributes", "QOSCFG[DEFAULT] PRIORITY=0 QTWEIGHT=1\n", NULL,
	  "" },
	/* service targets */
	{ "queue time target", "QOSCFG[a] QTTARGET=60\n", NULL,
	  NO_WEIGHT("1:11", "QOSCFG[a] QTTARGET", "TARGETWEIGHT x TARGETQUEUETIMEWEIGHT") },
	{ "expansion factor target", "QOSCFG[a] XFTARGET=2\nTARGETQUEUETIMEWEIGHT 1\n", NULL,
	  NO_WEIGHT("1:11", "QOSCFG[a] XFTARGET", "TARGETWEIGHT x TARGETXFACTORWEIGHT") },
	{ "weights that pass the highest priority",
	  "SERVICEWEIGHT 100000\nQUEUETIMEWEIGHT 100000\nCREDWEIGHT 1000\nUSERWEIGHT 1000\n"
	  "USERCFG[a] PRIORITY=4001\nUSERCFG[b] PRIORITY=4000\n",
	  NULL,
	  "maui.cfg:2:1: warning: QUEUETIMEWEIGHT x SERVICEWEIGHT is 1e+10: all jobs above "
	  "4000000000 rank the same\n"
	  "maui.cfg:5:12: warning: USERCFG[a] PRIORITY x USERWEIGHT x CREDWEIGHT is 4.001e+09: all "
	  "jobs above 4000000000 rank the same\n" },
	{ "priorities that pass the highest one together",
	  "CLASSWEIGHT 1000000\nUSERWEIGHT 1000000\nCLASSCFG[a] PRIORITY=5000\n"
	  "CLASSCFG[b] PRIORITY=6000\nUSERCFG[c] PRIORITY=7000\nCLASSCFG[d] PRIORITY=10\n",
	  NULL,
	  "maui.cfg:3:13: warning: CLASSCFG[a] PRIORITY x CLASSWEIGHT x CREDWEIGHT is 5e+09: all "
	  "jobs above 4000000000 rank the same, as jobs of CLASSCFG[b], USERCFG[c]\n"
	  "maui.cfg:4:13: warning: CLASSCFG[b] PRIORITY x CLASSWEIGHT x CREDWEIGHT is 6e+09: all "
	  "jobs above 4000000000 rank the same, as jobs of CLASSCFG[a], USERCFG[c]\n"
	  "maui.cfg:5:12: warning: USERCFG[c] PRIORITY x USERWEIGHT x CREDWEIGHT is 7e+09: all "
	  "jobs above 4000000000 rank the same, as jobs of CLASSCFG[a], CLASSCFG[b]\n" },
	{ "priorities below the lowest one",
	  "USERWEIGHT -1000000\nUSERCFG[a] PRIORITY=4001\nUSERCFG[b] PRIORITY=3000\n", NULL,
	  "maui.cfg:2:12: warning: USERCFG[a] PRIORITY x USERWEIGHT x CREDWEIGHT is -4.001e+09: all "
	  "jobs below 1 rank the same\n" },
	{ "negative priorities below the lowest one",
	  "ENABLENEGJOBPRIORITY TRUE\nUSERWEIGHT 1000000\nUSERCFG[a] PRIORITY=-1001\n"
	  "USERCFG[b] PRIORITY=-1000\nUSERCFG[c] PRIORITY=-2000\n",
	  NULL,
	  "maui.cfg:3:12: warning: USERCFG[a] PRIORITY x USERWEIGHT x CREDWEIGHT is -1.001e+09: all "
	  "jobs below -1000000000 rank the same, as jobs of USERCFG[c]\n"
	  "maui.cfg:5:12: warning: USERCFG[c] PRIORITY x USERWEIGHT x CREDWEIGHT is -2e+09: all "
	  "jobs below -1000000000 rank the same, as jobs of USERCFG[a]\n" },
	{ "a negative weight that passes the lowest priority",
	  "SERVICEWEIGHT 100000\nQUEUETIMEWEIGHT -100000\n", NULL,
	  "maui.cfg:2:1: warning: QUEUETIMEWEIGHT x SERVICEWEIGHT is -1e+10: all jobs below 1 rank "
	  "the same\n" },
	{ "targets with weights",
	  "QOSCFG[a] QTTARGET=60 XFTARGET=2\nTARGETQUEUETIMEWEIGHT 1\nTARGETXFACTORWEIGHT[b] 1\n",
	  NULL, "" },
	/* what sched/maui enforces; not in this release was said of reservations already */
	{ "limits", "USERCFG[a] MAXJOB=5\nGROUPCFG[b] MAXWC=5\nSYSTEMMAXPROCPERJOB 3\n",
	  "sched/backfill", NEED("1:12", "throttling limits", "sched/backfill") },
	{ "a limit of a single job", "\nCLASSCFG[a] MAXPROCPERJOB=5\n", "sched/builtin",
	  NEED("2:13", "throttling limits", "sched/builtin") },
	{ "limits of the system", "SYSTEMMAXJOBWALLTIME 0:10:00\n", "sched/backfill",
	  NEED("1:1", "throttling limits", "sched/backfill") },
	{ "each kind once",
	  "BACKFILLPOLICY BESTFIT\nBFCHUNKSIZE 0\nRESERVATIONDEPTH 2\nDEFERTIME 0\n"
	  "NODEALLOCATIONPOLICY MINRESOURCE\nNODEACCESSPOLICY SHARED\nPREEMPTPOLICY SUSPEND\n"
	  "QOSCFG[q] FLAGS=NOBF\n",
	  "sched/backfill",
	  NEED("1:1", "backfill parameters", "sched/backfill")
		  NEED("3:1", "job reservations", "sched/backfill")
			  NEED("4:1", "deferrals", "sched/backfill")
				  NEED("5:1", "node allocation policies", "sched/backfill")
					  NEED("7:1", "preemption policies", "sched/backfill")
						  NEED("8:11", "QOS flags", "sched/backfill") },
	{ "a trial", "SERVERMODE TEST\n", "sched/backfill", "" },
	{ "reservations", "SRCFG[a] HOSTLIST=x USERLIST=u\nSRCFG[b] HOSTLIST=y USERLIST=u\n",
	  "sched/backfill", NEED("1:10", "standing reservations", "sched/backfill") },
	{ "mirrors", "RESERVATIONMIRROR NONE\n", "sched/backfill",
	  NEED("1:1", "standing reservations", "sched/backfill") },
	{ "fairshare caps", FS_ON "USERCFG[a] FSTARGET=5%\n", "sched/backfill",
	  NEED("2:12", "fairshare caps", "sched/backfill") },
	{ "a target is no cap", FS_ON "USERCFG[a] FSTARGET=5\nFSUSERWEIGHT 1\n", "sched/backfill",
	  "" },
	{ "under sched/maui", "USERCFG[a] MAXJOB=5\nSRCFG[a] HOSTLIST=x USERLIST=u\n", "sched/maui",
	  "" },
	{ "in any case", "USERCFG[a] MAXJOB=5\n", "Sched/Maui", "" },
	{ "scheduler not known", "USERCFG[a] MAXJOB=5\nSRCFG[a] HOSTLIST=x USERLIST=u\n", NULL,
	  "" },
	{ "nothing for a scheduler", "FSDEPTH 4\n", "sched/backfill", "" },
	/* values that mean less here (FS-2, PRE-4) */
	{ "UTILIZEDPS", "\nFSPOLICY UTILIZEDPS%\n", NULL,
	  "maui.cfg:2:1: warning: FSPOLICY UTILIZEDPS is charged like DEDICATEDPS: slurmctld does "
	  "not see the cpu time of a running job\n" },
	{ "refused priorities", "REJECTNEGPRIOJOBS TRUE\n", "sched/backfill",
	  RANKED_LAST("1:1", "sched/backfill") },
	{ "REJECTNEGPRIOJOBS of a partition", "REJECTNEGPRIOJOBS[b] on\n", "sched/builtin",
	  RANKED_LAST("1:1", "sched/builtin") },
	{ "refused under sched/maui", "REJECTNEGPRIOJOBS TRUE\n", "sched/maui", "" },
	{ "an unknown scheduler", "REJECTNEGPRIOJOBS TRUE\n", NULL, "" },
	{ "not refused", "REJECTNEGPRIOJOBS TRUE\nREJECTNEGPRIOJOBS FALSE\n", "sched/backfill",
	  AGAIN("1:1", "REJECTNEGPRIOJOBS: TRUE", "2") },
	{ "no checkpoints", "PREEMPTPOLICY checkpoint\n", NULL,
	  "maui.cfg:1:1: warning: PREEMPTPOLICY CHECKPOINT is treated as REQUEUE: Slurm has no "
	  "checkpoints\n" },
	{ "no overcommitment", "PREEMPTPOLICY OVERCOMMIT\n", NULL,
	  "maui.cfg:1:1: warning: PREEMPTPOLICY OVERCOMMIT is treated as REQUEUE: Slurm does not "
	  "overcommit for a job\n" },
	{ "what Slurm can", "PREEMPTPOLICY SUSPEND\nSERVERMODE TEST\n", NULL, "" },
	{ "no code of the site", "NODEALLOCATIONPOLICY[b] LOCAL\n", NULL,
	  "maui.cfg:1:1: warning: NODEALLOCATIONPOLICY LOCAL, a site's own code in Maui, is "
	  "FIRSTAVAILABLE here\n" },
	{ "no speed", "NODEALLOCATIONPOLICY Fast\n", NULL,
	  "maui.cfg:1:1: warning: NODEALLOCATIONPOLICY FAST treats all nodes alike: Slurm's nodes "
	  "have no speed, so Weight= decides\n" },
	{ "no simulation", "SERVERMODE SIMULATION\n", NULL,
	  "maui.cfg:1:1: warning: SERVERMODE SIMULATION is treated as TEST: slurmctld does not "
	  "simulate; use maui-sim\n" },
	{ "UTILIZEDPS replaced", "FSPOLICY UTILIZEDPS\nFSPOLICY DEDICATEDPS\n", NULL,
	  AGAIN("1:1", "FSPOLICY: UTILIZEDPS", "2") },
};

/* Names that no object has, times that Maui read differently. */
static const struct check names_and_times[] = {
	/* QOS that are used and not defined */
	{ "QDEF", "QOSCFG[hi] QTWEIGHT=1\nUSERCFG[a] QDEF=hj\nUSERCFG[b] QDEF=hi\n", NULL,
	  NO_QOS("2:12", "QDEF", "hj") },
	{ "QLIST", "QOSCFG[hi] QTWEIGHT=1\nSYSCFG QLIST=lo,hi,hi2&\nUSERCFG[b] QLIST=h^\n", NULL,
	  NO_QOS("2:8", "QLIST", "hi2") NO_QOS("2:8", "QLIST", "lo") NO_QOS("3:12", "QLIST", "h") },
	{ "once a name", "USERCFG[a] QDEF=x QLIST=x,x\nGROUPCFG[b] QLIST=x\n", NULL,
	  NO_QOS("1:12", "QDEF", "x") },
	{ "replaced QDEF", "QOSCFG[hi] QTWEIGHT=1\nSYSCFG QDEF=x\nSYSCFG QDEF=hi\n", NULL,
	  AGAIN("2:8", "SYSCFG QDEF: x", "3") },
	{ "QOS said later", "SYSCFG QLIST=hi|lo^\nQOSCFG[lo] PRIORITY=0\nQOSPRIORITY[hi] 0\n", NULL,
	  "" },
	{ "a reservation's marks", "SRCFG[a] TASKCOUNT=1 QOSLIST=hi+,lo-\n", NULL, "" },
	/* several names in one pair of brackets */
	{ "comma", "USERWEIGHT 1\nUSERCFG[a,b] PRIORITY=1 QDEF=h\nQOSCFG[h] PRIORITY=0\n", NULL,
	  ONE_OBJECT("2:14", "USERCFG[a,b]") },
	{ "blank", "QOSCFG[a b] PRIORITY=0\nQOSCFG[\"c d\"] PRIORITY=0\n", NULL,
	  "maui.cfg:1:13: note: QOSCFG[a b] names one object: QOSCFG[\"a b\"] says the same\n" },
	{ "partitions", "FSCAP[a,b] 1\n", NULL, ONE_OBJECT("1:1", "FSCAP[a,b]") },
	{ "other characters", "USERCFG[a-b.c@d] PRIORITY=0\nCLASSCFG[x_y] PRIORITY=0\n", NULL, "" },
	/* times of two fields (CFG-5) */
	{ "two fields", "FSINTERVAL 24:00\n", NULL, TWO_FIELDS("1:1", "FSINTERVAL", "24:00") },
	{ "each of them", "FSINTERVAL +12:00\nXFMINWCLIMIT[b] 1:30\n", NULL,
	  TWO_FIELDS("1:1", "FSINTERVAL", "12:00") ONE_DIGIT("2:1", "XFMINWCLIMIT[b]", "1:30") },
	{ "of an attribute", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=4:00\n", NULL,
	  ONE_DIGIT("2:12", "QOSCFG[hi] QTTARGET", "4:00") },
	{ "soft of two", "USERCFG[a] MAXWC=4:00,9:00:00\n", NULL,
	  ONE_DIGIT("1:12", "USERCFG[a] MAXWC", "4:00") },
	{ "hard of two", "USERCFG[a] MAXWC=600,20:00\n", NULL,
	  TWO_FIELDS("1:12", "USERCFG[a] MAXWC", "20:00") },
	{ "of scheduling", "DEFERTIME 1:00\n", NULL, ONE_DIGIT("1:1", "DEFERTIME", "1:00") },
	{ "times with three and four fields",
	  "FSINTERVAL 3600\nDEFERTIME 0:24:00\nXFMINWCLIMIT 1:0:0:0\n", NULL, "" },
	{ "replaced time", "FSINTERVAL 24:00\nFSINTERVAL 24:00:00\n", NULL,
	  AGAIN("1:1", "FSINTERVAL: 24:00", "2") },
	{ "what is no time", "SRCFG[a] HOSTLIST=n:1 RESOURCES=MEM:2 USERLIST=u\n", NULL, "" },
};

#define IDLE(position, what, why) \
	"maui.cfg:" position ": warning: " what " has no effect: " why "\n"
#define NO_PROMISES                                                                             \
	"with RESERVATIONPOLICY NEVER, and with BACKFILLPOLICY NONE or PREEMPT, no job gets a " \
	"reservation"
#define CHUNKING "chunking needs BFCHUNKSIZE, BFCHUNKDURATION and BACKFILLPOLICY FIRSTFIT"

/* Parameters of planning that cancel each other out. */
static const struct check plannings[] = {
	{ "depth, never", "RESERVATIONDEPTH 4\nRESERVATIONPOLICY NEVER\n", NULL,
	  IDLE("1:1", "RESERVATIONDEPTH", NO_PROMISES) },
	{ "depth, no backfill", "BACKFILLPOLICY NONE\nRESERVATIONDEPTH[0] 4\n", NULL,
	  IDLE("2:1", "RESERVATIONDEPTH[0]", NO_PROMISES) },
	{ "depth 0, never", "RESERVATIONDEPTH 0\nRESERVATIONPOLICY NEVER\n", NULL, "" },
	{ "a depth with RESERVATIONPOLICY NEVER in one partition only",
	  "RESERVATIONDEPTH 4\nRESERVATIONPOLICY[b] NEVER\n", NULL, "" },
	{ "a depth with backfill in one partition only",
	  "RESERVATIONDEPTH 4\nRESERVATIONPOLICY NEVER\n"
	  "RESERVATIONPOLICY[b] HIGHEST\n",
	  NULL, "" },
	{ "retry, preempt", "RESERVATIONRETRYTIME 60\nBACKFILLPOLICY PREEMPT\n", NULL,
	  IDLE("1:1", "RESERVATIONRETRYTIME", NO_PROMISES) },
	{ "threshold without a type", "RESERVATIONTHRESHOLDVALUE 4\n", NULL,
	  IDLE("1:1", "RESERVATIONTHRESHOLDVALUE", "RESERVATIONTHRESHOLDTYPE is NONE") },
	{ "threshold", "RESERVATIONTHRESHOLDVALUE 4\nRESERVATIONTHRESHOLDTYPE BYPASS\n", NULL, "" },
	{ "duration without size", "BFCHUNKDURATION 300\n", NULL,
	  IDLE("1:1", "BFCHUNKDURATION", CHUNKING) },
	{ "size without duration", "BFCHUNKSIZE 8\nBFCHUNKDURATION 0:00\n", NULL,
	  IDLE("1:1", "BFCHUNKSIZE", CHUNKING) ONE_DIGIT("2:1", "BFCHUNKDURATION", "0:00") },
	{ "chunking", "BFCHUNKSIZE 8\nBFCHUNKDURATION 300\n", NULL, "" },
	{ "chunking, not first fit", "BFCHUNKSIZE 8\nBFCHUNKDURATION 300\nBACKFILLPOLICY GREEDY\n",
	  NULL, IDLE("1:1", "BFCHUNKSIZE", CHUNKING) IDLE("2:1", "BFCHUNKDURATION", CHUNKING) },
	{ "chunking switched off", "BFCHUNKSIZE 0\nBFCHUNKDURATION 0\n", NULL, "" },
	{ "chunk size and duration in different partitions",
	  "BFCHUNKSIZE[b] 8\nBFCHUNKDURATION[d] 300\n", NULL,
	  IDLE("1:1", "BFCHUNKSIZE[b]", CHUNKING) IDLE("2:1", "BFCHUNKDURATION[d]", CHUNKING) },
	{ "metric", "BACKFILLMETRIC SECONDS\n", NULL,
	  IDLE("1:1", "BACKFILLMETRIC", "only BACKFILLPOLICY BESTFIT and GREEDY use it") },
	{ "the usual metric", "SCHEDULINGCRITERIA PROCS\n", NULL, "" },
	{ "metric, best fit", "BACKFILLMETRIC SECONDS\nBACKFILLPOLICY BESTFIT\n", NULL, "" },
	{ "attempts", "BACKFILLMAXSCHEDULES 5\nBACKFILLPOLICY BESTFIT\n", NULL,
	  IDLE("1:1", "BACKFILLMAXSCHEDULES", "only BACKFILLPOLICY GREEDY uses it") },
	{ "order", "BFPRIORITYPOLICY DURATION\n", NULL,
	  IDLE("1:1", "BFPRIORITYPOLICY", "only BACKFILLPOLICY PREEMPT uses it") },
	{ "depth of no backfill", "BACKFILLDEPTH 5\nBACKFILLPOLICY NONE\n", NULL,
	  IDLE("1:1", "BACKFILLDEPTH", "BACKFILLPOLICY is NONE") },
	/* stacks */
	{ "hidden stack", "RESERVATIONDEPTH[2] 4\nRESERVATIONQOSLIST[2] hi\n", NULL,
	  IDLE("1:1", "RESERVATIONDEPTH[2]",
	       "stack 0 comes first and takes the jobs of every QOS; set RESERVATIONQOSLIST[0]") },
	{ "stack 0 has its own", "RESERVATIONDEPTH[2] 4\nRESERVATIONQOSLIST lo\n", NULL, "" },
	{ "stack 0 is empty", "RESERVATIONDEPTH[2] 4\nRESERVATIONDEPTH 0\n", NULL, "" },
	{ "a stack without depth", "RESERVATIONQOSLIST[3] hi\n", NULL,
	  IDLE("1:1", "RESERVATIONQOSLIST[3]", "RESERVATIONDEPTH[3] is 0") },
	/* ranks of nodes */
	{ "ranks", "NODECFG[n1] PRIORITY=5\nNODECFG[n2] PRIORITY=6\n", NULL,
	  IDLE("1:13", "NODECFG[n1] PRIORITY", "only NODEALLOCATIONPOLICY PRIORITY uses it") },
	{ "ranks in a partition", "NODECFG[n1] PRIORITY=5\nNODEALLOCATIONPOLICY[b] PRIORITY\n",
	  NULL, "" },
	{ "no ranks", "NODEALLOCATIONPOLICY PRIORITY\n", NULL,
	  "maui.cfg:1:1: warning: NODEALLOCATIONPOLICY PRIORITY treats all nodes alike: no "
	  "NODECFG[] PRIORITY is set\n" },
	/* node sets */
	{ "sets",
	  "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST a,b\nNODESETDELAY 60\n", NULL,
	  "" },
	{ "sets without a policy", "NODESETATTRIBUTE FEATURE\nNODESETDELAY 60\n", NULL,
	  IDLE("1:1", "NODESETATTRIBUTE", "NODESETPOLICY is NONE")
		  IDLE("2:1", "NODESETDELAY", "NODESETPOLICY is NONE") },
	{ "sets of nothing", "NODESETPOLICY ANYOF\n", NULL,
	  IDLE("1:1", "NODESETPOLICY", "NODESETATTRIBUTE is NONE") },
	{ "sets by speed", "NODESETPOLICY ANYOF\nNODESETATTRIBUTE PROCSPEED\n", NULL,
	  "maui.cfg:2:1: warning: NODESETATTRIBUTE PROCSPEED makes no node sets: Slurm's nodes have "
	  "no speed\n" },
	{ "which set",
	  "NODESETPOLICY FIRSTOF\nNODESETATTRIBUTE NETWORK\n"
	  "NODESETPRIORITYTYPE WORSTFIT\n",
	  NULL, IDLE("3:1", "NODESETPRIORITYTYPE", "only NODESETPOLICY ONEOF uses it") },
	/* flags */
	{ "idle flags", "QOSCFG[q] FLAGS=RUNNOW,NOBF,NTR\n", NULL,
	  "maui.cfg:1:11: warning: QOSCFG[q] FLAGS: NTR has no effect: use PRIORITY and "
	  "RESERVEALWAYS\n"
	  "maui.cfg:1:11: warning: QOSCFG[q] FLAGS: RUNNOW has no effect: use PRIORITY and "
	  "PREEMPTOR\n" },
	{ "a preemptor without any preemptee", "QOSCFG[q] FLAGS=PREEMPTOR\n", NULL,
	  "maui.cfg:1:11: warning: PREEMPTOR has no effect: no QOS has the flag PREEMPTEE\n" },
	{ "a preemptee without any preemptor", "QOSCFG[q] QFLAGS=PREEMPTEE\n", NULL,
	  "maui.cfg:1:11: warning: PREEMPTEE has no effect: no QOS has the flag PREEMPTOR\n" },
	{ "both", "QOSCFG[q] FLAGS=PREEMPTOR\nQOSCFG[r] FLAGS=PREEMPTEE\n", NULL, "" },
	{ "over soft limits", "QOSCFG[q] FLAGS=PREEMPTOR,PREEMPTSPV\n", NULL, "" },
	{ "by backfill", "QOSCFG[q] FLAGS=PREEMPTEE\nBACKFILLPOLICY PREEMPT\n", NULL, "" },
	/* idle limits */
	/* limits */
	{ "soft above hard", "USERCFG[a] MAXJOB=8,4 MAXPROC=4,8\n", NULL,
	  ABOVE("1:12", "USERCFG[a] MAXJOB", "8,4") },
	{ "soft above hard, with a colon", "SYSCFG MAXNODE=8:4\n", NULL,
	  ABOVE("1:8", "SYSCFG MAXNODE", "8:4") },
	{ "soft above hard, times", "QOSCFG[a] MAXWC=2:00:00,1:00:00\n", NULL,
	  ABOVE("1:11", "QOSCFG[a] MAXWC", "2:00:00,1:00:00") },
	{ "soft above hard, replaced", "USERCFG[a] MAXJOB=8,4\nUSERCFG[a] MAXJOB=4\n", NULL,
	  AGAIN("1:12", "USERCFG[a] MAXJOB: 8,4", "2") },
	{ "soft below hard, equal, hard without end",
	  "USERCFG[a] MAXJOB=4,8\nUSERCFG[b] MAXJOB=4,4\nUSERCFG[c] MAXJOB=4,-1\n", NULL, "" },
	{ "a limit of a user for the jobs of each user", "USERCFG[a] MAXJOB[USER]=3\n", NULL,
	  "maui.cfg:1:12: warning: USERCFG[a] MAXJOB[USER] limits the same as the line without "
	  "[USER]: a job has one user\n" },
	{ "a limit of a user for the jobs of the same user", "USERCFG[a] MAXJOB[USER:a]=3\n", NULL,
	  "maui.cfg:1:12: warning: USERCFG[a] MAXJOB[USER:a] limits the same as the line without "
	  "[USER:a]: a job has one user\n" },
	{ "a limit of a group for the jobs of another group", "GROUPCFG[a] MAXJOB[GROUP:b]=3\n",
	  NULL,
	  "maui.cfg:1:13: warning: GROUPCFG[a] MAXJOB[GROUP:b] has no effect: no job has two "
	  "groups\n" },
	{ "two dimensions", "USERCFG[a] MAXJOB[CLASS]=3\nGROUPCFG[a] MAXJOB[USER:a]=3\n", NULL,
	  "" },
	{ "a socket", "QUERYSOCKET /run/maui/socket\n", NULL, "" },
	/* indices */
	{ "an index of a parameter without indices",
	  "SYSCFG[x] MAXJOB=3 MAXPROC=4\nDEFERTIME[b] 10\n", NULL,
	  NO_INDEX("1:11", "SYSCFG", "x") NO_INDEX("2:1", "DEFERTIME", "b") },
	{ "an index of an old name", "SYSTEMCFG[x] MAXJOB=3\n", NULL,
	  NO_INDEX("1:14", "SYSCFG", "x") },
	{ "an index that says all", "SYSCFG[ALL] MAXJOB=3\nDEFERTIME[0] 10\n", NULL, "" },
	/* numbers below 0 */
	{ "below 0", "RESERVATIONDEPTH -3\nBACKFILLDEPTH[p] -1\n", NULL,
	  "maui.cfg:1:1: warning: RESERVATIONDEPTH: -3 is treated as 0: no job of the stack gets a job "
	  "reservation\n"
	  "maui.cfg:2:1: warning: BACKFILLDEPTH[p]: -1 is treated as 0: all jobs that fit are "
	  "considered\n" },
	{ "not below 0", "RESERVATIONDEPTH 0\nBACKFILLDEPTH 5\n", NULL, "" },
	{ "soft idle limit", "USERCFG[a] MAXIJOB=2,4 MAXJOB=2,4\n", NULL,
	  "maui.cfg:1:12: warning: USERCFG[a] MAXIJOB: limits of idle jobs have no soft value; "
	  "of 2,4 only the second value counts\n" },
	{ "idle limits", "USERCFG[a] MAXIJOB=2 MAXIWC=1:00:00\n", NULL, "" },
};

static const struct check refusals[] = {
	{ "a socket somewhere", "QUERYSOCKET run/socket\n", NULL,
	  "maui.cfg:1:1: error: QUERYSOCKET needs a path that begins with '/'\n" },
	{ "a socket's path is short",
	  "QUERYSOCKET /234567890123456789012345678901234567890123456789012345678901234567890"
	  "12345678901234567890123456789012345678\n",
	  NULL, "maui.cfg:1:1: error: QUERYSOCKET: a socket's path has at most 107 bytes\n" },
};

/* Removes the lines about parameters that are not implemented. */
static void drop_not_yet(char *said)
{
	char *line = said;

	while (*line != '\0') {
		size_t length = strcspn(line, "\n") + 1;
		char *hit = strstr(line, NOT_YET);

		if (hit && hit < line + length)
			memmove(line, line + length, strlen(line + length) + 1);
		else
			line += length;
	}
}

static void expect_said(const struct check *row)
{
	struct maui_config_context context = { .scheduler_type = row->scheduler };
	struct parsed p = parse_bytes(row->text, strlen(row->text), &context);

	cr_assert(p.config != NULL, "%s: not accepted: %s", row->name, p.said);
	drop_not_yet(p.said);
	cr_expect(strcmp(p.said, row->said) == 0, "%s: expected\n%sgot\n%s", row->name, row->said,
		  p.said);
	parsed_finish(&p);
}

TEST_ROWS(check, effect, checks, row)
{
	expect_said(row);
}

TEST_ROWS(check, names_and_times, names_and_times, row)
{
	expect_said(row);
}

TEST_ROWS(check, planning, plannings, row)
{
	expect_said(row);
}

TEST_ROWS(check, refused, refusals, row)
{
	struct parsed p = parse(row->text);

	cr_expect(p.config == NULL, "%s: accepted", row->name);
	cr_expect(strcmp(p.said, row->said) == 0, "%s: expected\n%sgot\n%s", row->name, row->said,
		  p.said);
	parsed_finish(&p);
}

/* ---- a file that sets nothing ---- */

struct little {
	const char *name, *text;
	bool refused; /* where something is required */
};

static const struct little littles[] = {
	{ "nothing", "", true },
	{ "blank lines", "\n\n", true },
	{ "comments", "# FSDEPTH 4\n", true },
	{ "what is not known", "FSDEBTH 4\nUSERCFG[a] PRIORTY=4\n", true },
	{ "a setting", "FSDEPTH 4\n", false },
	{ "an attribute", "USERCFG[a] PRIORITY=0\n", false },
	{ "a parameter of slurm.conf", "SERVERPORT 42559\n", false },
};

TEST_ROWS(check, sets_nothing, littles, row)
{
	struct maui_config_context context = { .require_settings = true };
	struct parsed p = parse(row->text);
	static const char text[] =
		"maui.cfg: error: has no setting that slurm-maui knows; check that the file is complete\n";

	cr_expect(p.config != NULL, "%s: refused without need: %s", row->name, p.said);
	cr_expect(strstr(p.said, text) == NULL, "%s: said without need", row->name);
	parsed_finish(&p);
	p = parse_bytes(row->text, strlen(row->text), &context);
	cr_expect((p.config == NULL) == row->refused, "%s: %s", row->name, p.said);
	cr_expect((strstr(p.said, text) != NULL) == row->refused, "%s: %s", row->name, p.said);
	parsed_finish(&p);
}

/* In UTF-16, or lost in a crash: why nothing was found in it is what has to be said. */
Test(check, no_text)
{
	static const char text[] = "\xff\xfe"
				   "F\0S\0D\0E\0P\0T\0H\0 \0"
				   "4\0\n";
	struct maui_config_context context = { .require_settings = true };
	struct parsed p = parse_bytes(text, sizeof(text), &context);

	cr_expect(!p.config);
	cr_expect_str_eq(p.said, "maui.cfg:1:4: error: not a text file: NUL byte\n", "%s", p.said);
	parsed_finish(&p);
}

/* ---- what the schema says of a parameter ---- */

struct status {
	const char *name, *text;
	const char *parameter, *family; /* family: the parameter is an attribute of it */
	const char *said;               /* up to the schema's note */
	const char *more;               /* behind it */
};

static const struct status statuses[] = {
	{ "not yet", "\n USERCFG[a] PLIST=p\nUSERCFG[b] PLIST=p", "PLIST", "USERCFG",
	  "maui.cfg:2:13: warning: USERCFG[a] PLIST is not implemented in this release, ignoring: ",
	  " (and 1 more line)" },
	{ "not yet, attribute", "USERCFG[a] CLASSWEIGHT=5\nUSERCFG[a] PLIST=p", "PLIST", "USERCFG",
	  "maui.cfg:1:12: warning: unknown attribute 'CLASSWEIGHT', ignoring\n"
	  "maui.cfg:2:12: warning: USERCFG[a] PLIST is not implemented in this release, ignoring: ",
	  "" },
	{ "on more lines", "USERCFG[a] PLIST=p\nUSERCFG[b] PLIST=p PLIST=q\nUSERCFG[a] PLIST=r",
	  "PLIST", "USERCFG",
	  "maui.cfg:1:12: warning: USERCFG[a] PLIST is not implemented in this release, ignoring: ",
	  " (and 2 more lines)" },
	{ "of the system", "SYSCFG PDEF=p", "PDEF", "SYSCFG",
	  "maui.cfg:1:8: warning: SYSCFG PDEF is not implemented in this release, ignoring: ", "" },
	{ "of an old name", "SYSTEMCFG PDEF=p", "PDEF", "SYSCFG",
	  "maui.cfg:1:11: warning: SYSCFG PDEF is not implemented in this release, ignoring: ",
	  "" },
	{ "honoured by sched/maui", "BACKFILLDEPTH 6\nUSERCFG[a] MAXJOB=5\nMAXJOBPERUSERCOUNT 5",
	  "MAXJOB", "USERCFG", "", "" },
	{ "a switch of old", "MAXJOBPERUSERCOUNT 5\nMAXJOBPERUSERPOLICY ON", "MAXJOBPERUSERPOLICY",
	  NULL, "", "" },
	{ "slurm.conf", "LOGDIR /var/log", "LOGDIR", NULL,
	  "maui.cfg:1:1: warning: LOGDIR belongs to Slurm, ignoring: ", "" },
	{ "slurm.conf, any value", "SERVERPORT nonsense", "SERVERPORT", NULL,
	  "maui.cfg:1:1: warning: SERVERPORT belongs to Slurm, ignoring: ", "" },
	{ "slurm.conf, attribute", "USERCFG[a] ADEF=x", "ADEF", "USERCFG",
	  "maui.cfg:1:12: warning: USERCFG[a] ADEF belongs to Slurm, ignoring: ", "" },
	{ "unsupported", "NODESETTOLERANCE 0.5", "NODESETTOLERANCE", NULL,
	  "maui.cfg:1:1: warning: NODESETTOLERANCE is not supported, ignoring: ", "" },
	{ "unsupported, indexed", "RMCFG[base] TYPE=PBS", "RMCFG", NULL,
	  "maui.cfg:1:1: warning: RMCFG[base] is not supported, ignoring: ", "" },
	{ "different", "SWAPWEIGHT 1\nSWAPWEIGHT[batch] 2", "SWAPWEIGHT", NULL,
	  "maui.cfg:1:1: warning: SWAPWEIGHT differs from Maui: ", " (and 1 more line)" },
	{ "honoured", "FSDEPTH 4", "FSDEPTH", NULL, "", "" },
	{ "honoured, attribute", "USERCFG[a] FSTARGET=0\nFSPOLICY DEDICATEDPS\nFSUSERWEIGHT 1",
	  "FSTARGET", "USERCFG", "", "" },
};

static const struct maui_param *find(const struct status *row)
{
	const struct maui_param *family = row->family ? maui_schema_find_param(row->family) : NULL;

	return family ? maui_schema_find_attr(family->family, row->parameter) :
			maui_schema_find_param(row->parameter);
}

/* Each is reported once, at its first line, with the text of the schema. */
TEST_ROWS(check, status, statuses, row)
{
	struct parsed p = parse(row->text);
	const struct maui_param *param = find(row);
	char expected[1024] = "";

	cr_assert(p.config != NULL && param != NULL, "%s: %s", row->name, p.said);
	if (*row->said != '\0')
		snprintf(expected, sizeof(expected), "%s%s%s\n", row->said, param->note, row->more);
	cr_expect(strcmp(p.said, expected) == 0, "%s: expected\n%sgot\n%s", row->name, expected,
		  p.said);
	parsed_finish(&p);
}

/* A faulty value of a parameter that is not implemented does not refuse the file. */
Test(check, wrong_value_of_what_is_not_read)
{
	struct parsed p = parse("USERCFG[a] PLIST=\n");

	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect(strstr(p.said, "1:12: warning: PLIST has no value, ignoring\n"), "%s", p.said);
	parsed_finish(&p);
}

/* A faulty value of an implemented parameter does. */
Test(check, wrong_value_of_what_is_read)
{
	struct parsed p = parse("BACKFILLDEPTH many\nUSERCFG[a] MAXJOB=1,2,3\n"
				"BACKFILLPOLICY SIDEWAYS\nDEFERSTARTCOUNT 0\n"
				"RESCTLPOLICY many\nSRCFG[a] TASKCOUNT=1 DEPTH=x\n");

	cr_expect(p.config == NULL, "accepted: %s", p.said);
	cr_expect(strstr(p.said, "1:1: error: BACKFILLDEPTH needs a whole number, got 'many'\n"),
		  "%s", p.said);
	cr_expect(strstr(p.said, "2:12: error: MAXJOB needs [soft,]hard, got '1,2,3'\n"), "%s",
		  p.said);
	cr_expect(strstr(p.said, "3:1: warning: BACKFILLPOLICY must be one of FIRSTFIT, BESTFIT, "
				 "GREEDY, PREEMPT, NONE, got 'SIDEWAYS', ignoring\n"),
		  "%s", p.said);
	cr_expect(strstr(p.said, "5:1: warning: RESCTLPOLICY must be one of ADMINONLY, ANY, got "
				 "'many', ignoring\n"),
		  "%s", p.said);
	cr_expect(strstr(p.said, "6:22: error: DEPTH needs a whole number, got 'x'\n"), "%s",
		  p.said);
	cr_expect(strstr(p.said,
			 "4:1: error: DEFERSTARTCOUNT must be between 1 and 1000000000, got "
			 "'0'\n"),
		  "%s", p.said);
	parsed_finish(&p);
}

/* A thousand users need no thousand warnings. */
Test(check, once_each)
{
	static char text[60000];
	struct maui_config_context context = { .scheduler_type = "sched/backfill" };
	struct parsed p;
	size_t at = 0;

	for (int i = 0; i < 1000; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "USERCFG[s%d] PLIST=p%d\n", i,
				       i);
	p = parse_bytes(text, at, &context);
	cr_assert(p.config != NULL, "%s", p.said);
	cr_expect(p.diags.count == 1, "%zu: %s", p.diags.count, p.said);
	cr_expect(strstr(p.said, " USERCFG[s0] PLIST is not") &&
			  strstr(p.said, " (and 999 more lines)\n"),
		  "%s", p.said);
	parsed_finish(&p);
}
