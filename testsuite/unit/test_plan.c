/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan.c - rules of an iteration that no golden case decides: one row a rule
 *
 * Rules: PRIO-16, THR-7, BF-1, BF-2, BF-15, BF-26, CMD-52.
 */

#include "plan_world.h"
#include "rows.h"

struct row {
	const char *name, *config, *nodes, *claims, *running, *queue, *planned;
};

static const struct row rows[] = {
	/* ---- walk and reservations ---- */
	{ "in order of priority", "", "2 procs=4", NULL, NULL, "A procs=4; B procs=2; C procs=2",
	  "A:n0*4 B:n1*2 C:n1*2" },
	{ "a job in a Slurm reservation before all others", "", "1 procs=4", NULL, NULL,
	  "A procs=4; B procs=4 inside", "B:n0*4 | A@10:n0*4" },
	{ "depth 1: the first blocked job is reserved, the rest is backfill", "", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100",
	  "A procs=4 limit=50; B procs=4 limit=50; C procs=2 limit=100", "C:n0*2 | A@100:n0*4" },
	{ "a backfilled job may end when the reservation begins, not later", "", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 limit=50; C procs=1 limit=101; D limit=100",
	  "D:n0 | A@100:n0*4" },
	{ "depth 2", "RESERVATIONDEPTH 2\n", "1 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=4 limit=50; B procs=4 limit=50; C procs=1 limit=101",
	  "| A@100:n0*4 B@150:n0*4" },
	{ "depth 0: nothing is protected", "RESERVATIONDEPTH 0\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 limit=50; C procs=2 limit=500", "C:n0*2" },
	{ "a reservation of a job that never fits is none", "", "2 procs=4", NULL, NULL,
	  "A procs=9; B procs=8 nodes=3; C procs=4 feature=none; D procs=8", "D:n0*4+n1*4" },
	{ "a job that needs down nodes blocks no other job", "", "1 procs=4; 1 procs=4 down", NULL,
	  NULL, "A procs=8; B procs=4 limit=1000", "B:n0*4" },
	{ "a job larger than the cluster blocks no other job", "BACKFILLPOLICY NONE\n",
	  "1 procs=1; 1 procs=2; 1 procs=1", NULL, NULL, "A procs=6; B procs=5; C procs=1",
	  "C:n0" },
	{ "all that they have together is waited for", "BACKFILLPOLICY NONE\n",
	  "1 procs=1; 1 procs=2; 1 procs=1", NULL, "a nodes=n0 procs=1 end=9", "A procs=4; B", "" },
	{ "more than so many nodes have at most", "BACKFILLPOLICY NONE\n", "4 procs=1; 2 procs=4",
	  NULL, NULL, "A procs=10 nodes=1-3; B procs=9 nodes=1-3", "B:n0+n4*4+n5*4" },
	{ "more than the usable nodes have", "BACKFILLPOLICY NONE\n",
	  "1 procs=4 down; 1 procs=4; 2 procs=1", NULL, NULL, "A procs=7; B procs=6",
	  "B:n1*4+n2+n3" },
	{ "more than the nodes that it does not exclude have", "BACKFILLPOLICY NONE\n", "3 procs=4",
	  NULL, NULL, "A procs=9 not=n1; B procs=8 not=n1", "B:n0*4+n2*4" },
	{ "it names a node that cannot serve it", "BACKFILLPOLICY NONE\n",
	  "1 procs=4 feature=slow; 2 procs=4 feature=fast", NULL, NULL,
	  "A procs=2 need=n0 feature=fast; B procs=2 need=n1 not=n1; C procs=2 need=n2 feature=fast",
	  "C:n2*2" },
	{ "it names a node that is down", "BACKFILLPOLICY NONE\n", "1 procs=4 down; 1 procs=4",
	  NULL, NULL, "A procs=2 need=n0; B procs=2", "B:n1*2" },
	{ "a small named node leaves fewer nodes to choose", "BACKFILLPOLICY NONE\n",
	  "1 procs=1; 2 procs=4", NULL, NULL,
	  "A procs=6 nodes=1-2 need=n0; B procs=5 nodes=1-2 need=n0", "B:n0+n1*4" },
	{ "neighbours that there are not", "BACKFILLPOLICY NONE\n",
	  "2 procs=2; 1 procs=2 down; 3 procs=1", NULL, NULL,
	  "A procs=5 contiguous; B procs=3 nodes=1-2 contiguous; C procs=3 nodes=2 contiguous need=n3; "
	  "D procs=4 contiguous",
	  "B:n0*2+n1" },
	{ "neighbours of a node that the job names", "BACKFILLPOLICY NONE\n", "4 procs=2", NULL,
	  NULL, "A procs=4 nodes=2 contiguous need=n3; B procs=4 nodes=2 contiguous need=n1",
	  "A:n2*2+n3*2 B:n0*2+n1*2" },
	{ "a node that comes back is waited for", "", "1 procs=4; 1 procs=4 from=70", NULL, NULL,
	  "A procs=8 limit=10; B procs=4 limit=70; C procs=1 limit=71", "B:n0*4 | A@70:n0*4+n1*4" },
	{ "a job over its limit holds its node for the next second", "", "1 procs=4", NULL,
	  "a nodes=n0 procs=4 end=-5", "A procs=4 limit=10", "| A@1:n0*4" },
	{ "a running job without end: no job reservation, others start elsewhere", "", "2 procs=4",
	  NULL, "a nodes=n0 procs=4", "A procs=8; B procs=4 limit=1000", "B:n1*4" },
	{ "RESERVATIONPOLICY NEVER", "RESERVATIONPOLICY NEVER\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 limit=50; C procs=2 limit=500", "C:n0*2" },
	{ "NoReserve of the resource manager's QOS", "", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 limit=50 noreserve; C procs=2 limit=500",
	  "C:n0*2" },
	{ "BACKFILLPOLICY NONE: strict order", "BACKFILLPOLICY NONE\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=1; B procs=4; C procs=1", "A:n0" },
	{ "refused: not started, not reserved, blocks no other job", "", "1 procs=4", NULL, NULL,
	  "A procs=4 limit=50 refused; B procs=4 limit=500", "B:n0*4" },

	/* ---- stacks, flags, thresholds ---- */
	{ "RESERVATIONQOSLIST: each stack its own depth",
	  "RESERVATIONDEPTH[0] 1\nRESERVATIONQOSLIST[0] low\nRESERVATIONDEPTH[1] 2\n"
	  "RESERVATIONQOSLIST[1] high,top\n",
	  "1 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=4 qos=low; B procs=4 qos=low; C procs=4 qos=high; D procs=4 qos=top; "
	  "E procs=4 qos=high; F procs=4",
	  "| A@100:n0*4 C@110:n0*4 D@120:n0*4" },
	{ "the first stack that matches counts",
	  "RESERVATIONDEPTH[1] 5\nRESERVATIONQOSLIST[1] high\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 qos=high; B procs=4 qos=high", "| A@100:n0*4" },
	{ "RESERVEALWAYS does not use depth", "QOSCFG[vip] QFLAGS=RESERVEALWAYS\n", "1 procs=4",
	  NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=4; B procs=4; C procs=4 qos=vip; D procs=4 qos=vip",
	  "| A@100:n0*4 C@110:n0*4 D@120:n0*4" },
	{ "NORESERVATION", "QOSCFG[poor] QFLAGS=NORESERVATION\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 qos=poor; B procs=4", "| B@100:n0*4" },
	{ "NOBF takes no part in backfill", "QOSCFG[slow] QFLAGS=NOBF\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4; B procs=2 qos=slow limit=20; C procs=1",
	  "C:n0 | A@100:n0*4" },
	{ "NOBF starts in its turn", "QOSCFG[slow] QFLAGS=NOBF\n", "1 procs=4", NULL, NULL,
	  "B procs=2 qos=slow", "B:n0*2" },
	{ "threshold BYPASS is to be exceeded",
	  "RESERVATIONTHRESHOLDTYPE BYPASS\nRESERVATIONTHRESHOLDVALUE 3\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 bypass=3; B procs=4 bypass=4", "| B@100:n0*4" },
	{ "threshold QUEUETIME in seconds",
	  "RESERVATIONTHRESHOLDTYPE QUEUETIME\nRESERVATIONTHRESHOLDVALUE 600\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 wait=700; B procs=4 wait=600", "| A@100:n0*4" },
	{ "threshold XFACTOR", "RESERVATIONTHRESHOLDTYPE XFACTOR\nRESERVATIONTHRESHOLDVALUE 7\n",
	  "1 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=4 wait=600 limit=100; B procs=4 wait=601 limit=100", "| B@100:n0*4" },

	/* ---- limits ---- */
	{ "soft limits first, then the other jobs under hard limits", "USERCFG[ann] MAXPROC=2,4\n",
	  "1 procs=8", NULL, NULL,
	  "A procs=2 user=ann; B procs=2 user=ann; C procs=2 user=ann; D procs=4 user=bob",
	  "A:n0*2 D:n0*4 B:n0*2" },
	{ "a job that only hard limits allow gets the depth that is left",
	  "USERCFG[ann] MAXJOB=1,2\nRESERVATIONDEPTH 2\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100 user=ann", "A procs=4 user=ann; B procs=4 user=bob",
	  "| B@100:n0*4 A@110:n0*4" },
	{ "runjob goes before better jobs", "", "1 procs=4", NULL, NULL,
	  "A procs=4; B procs=4 limit=50 first", "B:n0*4 | A@50:n0*4" },
	{ "runjob alone passes no limit", "USERCFG[ann] MAXJOB=1\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=1 end=100 user=ann", "A user=ann first", "" },
	{ "a forced job passes limits", "USERCFG[ann] MAXJOB=1\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=1 end=100 user=ann", "A user=ann; B user=ann first force", "B:n0" },
	{ "a forced job takes no busy nodes", "", "1 procs=4", NULL, "a nodes=n0 procs=4 end=100",
	  "A first force anywhere", "| A@100:n0" },
	{ "a limited job does not block", "USERCFG[ann] MAXJOB=1\n", "1 procs=4", NULL,
	  "a nodes=n0 procs=1 end=100 user=ann", "A procs=3 user=ann; B procs=3 limit=1000",
	  "B:n0*3" },
	{ "idle limits keep a job out of the queue", "USERCFG[ann] MAXIJOB=1\n", "1 procs=4", NULL,
	  NULL, "A procs=1 user=ann; B procs=1 user=ann; C procs=1", "A:n0 C:n0" },
	{ "starts of the iteration count", "USERCFG[DEFAULT] MAXPROC=4\n", "1 procs=8", NULL, NULL,
	  "A procs=3 user=ann; B procs=2 user=ann; C procs=1 user=ann", "A:n0*3 C:n0" },

	{ "whole nodes count before the job holds them", "USERCFG[ann] MAXPROC=6\n",
	  "1 procs=4; 1 procs=8", NULL, NULL,
	  "A procs=1 nodes=2 whole user=ann; B procs=5 whole user=ann; C procs=1 whole user=ann; "
	  "D procs=1 whole user=bob",
	  "C:n0 D:n1" },
	{ "each start in whole nodes counts all of them", "USERCFG[ann] MAXPROC=16\n",
	  "1 procs=4; 3 procs=8", NULL, NULL,
	  "A procs=1 whole user=ann; B procs=1 whole user=ann; C procs=1 whole user=ann",
	  "A:n0 B:n1 | C@10:n0" },
	{ "whole nodes that can serve count", "USERCFG[ann] MAXPROC=6\n",
	  "1 procs=4; 1 procs=8 feature=big", NULL, NULL,
	  "A whole feature=big user=ann; B whole user=ann", "B:n0" },
	{ "GPUs of whole nodes count", "USERCFG[ann] MAXGPU=6\n", "2 procs=4 gpu=4", NULL, NULL,
	  "A whole user=ann; B whole user=ann", "A:n0" },
	{ "whole nodes with fewer GPUs are taken", "USERCFG[ann] MAXGPU=2\n",
	  "1 procs=4 gpu=4; 1 procs=4 gpu=2", NULL, NULL, "A whole user=ann", "A:n1" },
	{ "GPUs of the whole job count, not the shares of nodes", "USERCFG[ann] MAXGPU=3\n",
	  "3 procs=4 gpu=2", NULL, NULL,
	  "A nodes=2 procs=2 gpu=2 gpus=3 user=ann; B gpu=1 gpus=1 user=ann", "A:n0+n1 | B@10:n0" },
	{ "whole nodes that the job names count", "USERCFG[ann] MAXPROC=6\n",
	  "1 procs=4; 1 procs=8", NULL, NULL,
	  "A whole need=n1 user=ann; B whole not=n0 user=ann; C whole user=ann", "C:n0" },
	{ "all memory of nodes counts", "USERCFG[ann] MAXMEM=1500\n", "2 procs=4", NULL, NULL,
	  "A allmem user=ann; B allmem user=ann", "A:n0" },
	{ "nodes with less memory are taken", "USERCFG[ann] MAXMEM=1500\n",
	  "1 procs=4 mem=3000; 1 procs=4", NULL, NULL, "A allmem user=ann", "A:n1" },
	{ "a place over a soft limit is taken under the hard one", "USERCFG[ann] MAXPROC=8,64\n",
	  "1 procs=4; 1 procs=8", NULL, "a nodes=n0 procs=4 end=100 user=ann", "A whole user=ann",
	  "A:n1" },
	{ "a place over a hard limit blocks nobody",
	  "USERCFG[ann] MAXPROC=8\nBACKFILLPOLICY NONE\n", "1 procs=4; 1 procs=8", NULL,
	  "a nodes=n0 procs=4 end=100 user=ann", "A whole user=ann; B procs=8 nodes=1 user=bob",
	  "B:n1*8" },
	{ "and is reserved when limits allow it", "USERCFG[ann] MAXPROC=8\n",
	  "1 procs=4; 1 procs=8", NULL, "a nodes=n0 procs=4 end=100 user=ann",
	  "A whole user=ann; B procs=8 nodes=1 user=bob", "B:n1*8 | A@100:n0" },
	{ "and when they allow it is not only when a node of its own is free",
	  "USERCFG[ann] MAXPROC=8\n", "1 procs=4; 1 procs=8 feature=big; 1 procs=2 feature=big",
	  NULL,
	  "a nodes=n0 procs=4 end=100 user=ann; b nodes=n1 procs=8 end=50; "
	  "c nodes=n2 procs=2 end=9999",
	  "A whole feature=big user=ann", "| A@100:n1" },
	{ "of all places that they refuse the first that they allow",
	  "USERCFG[ann] MAXPROC=24 MAXNODE=3\n",
	  "1 procs=16 gpu=1; 4 procs=2; 1 procs=12 feature=x; 1 procs=16 feature=y", NULL,
	  "a nodes=n5 procs=12 end=100 user=ann; c nodes=n6 procs=16 end=9999",
	  "A whole procs=8 user=ann not=n5", "| A@100:n0*8" },
	{ "nodes that maui.cfg keeps for one job count as Slurm allocates them",
	  "NODEACCESSPOLICY SINGLEJOB\nUSERCFG[ann] MAXPROC=4\n", "2 procs=8", NULL, NULL,
	  "A procs=1 user=ann; B procs=1 user=ann", "A:n0 B:n1" },
	{ "job reservations of a user with MAXJOB 1 do not overlap",
	  "USERCFG[ann] MAXJOB=1\nRESERVATIONDEPTH 5\n", "2 procs=4", NULL,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=100",
	  "A procs=4 limit=50 user=ann; B procs=4 limit=50 user=ann; C procs=4 limit=70 user=bob",
	  "| A@100:n0*4 B@150:n0*4 C@100:n1*4" },
	{ "starts of this plan count when job reservations begin",
	  "USERCFG[ann] MAXJOB=2\nRESERVATIONDEPTH 5\n", "2 procs=4", NULL,
	  "a nodes=n0 procs=4 end=100",
	  "A procs=1 limit=500 user=ann; B procs=1 limit=150 user=ann; C procs=8 limit=9 user=ann",
	  "A:n1 B:n1" },
	{ "a reservation waits for a job that the plan starts",
	  "USERCFG[ann] MAXPROC=8\nRESERVATIONDEPTH 5\n", "3 procs=4", NULL,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=100",
	  "A procs=2 limit=300 user=ann; B procs=8 limit=9 user=ann", "A:n2*2" },
	{ "no start may break the limits of a job reservation; other users' and short jobs start",
	  "USERCFG[ann] MAXJOB=1\n", "2 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=4 nodes=1 need=n0 user=ann limit=50; B user=ann limit=101; C limit=101; "
	  "D user=ann limit=100",
	  "D:n0 C:n1 | A@100:n0*4" },
	{ "a start under hard limits may not break a job reservation under soft ones",
	  "USERCFG[ann] MAXJOB=1,2\n", "2 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=4 nodes=1 need=n0 user=ann limit=50; B user=ann limit=101; C user=ann limit=100; "
	  "D user=ann limit=100",
	  "C:n0 D:n0 | A@100:n0*4" },
	{ "a limit on all jobs together", "SYSCFG MAXPROC=8\n", "1 procs=4; 1 procs=8", NULL,
	  "a nodes=n0 procs=2 end=100",
	  "A procs=4 nodes=1 need=n0 limit=50; B procs=5 nodes=1 limit=101; C procs=5 nodes=1 limit=100",
	  "C:n1*5 | A@100:n0*4" },
	{ "DEFAULT holds for each", "USERCFG[DEFAULT] MAXJOB=1\n", "1 procs=8", NULL, NULL,
	  "A user=ann; B user=ann; C user=bob; D user=bob", "A:n0 C:n0" },
	{ "limits of a single job: SYSTEMMAX*, CLASSCFG, OMAXJ*",
	  "SYSTEMMAXPROCPERJOB 6\nSYSTEMMAXJOBWALLTIME 1000\nCLASSCFG[p0] MAXPROCPERJOB=4\n"
	  "QOSCFG[big] OMAXJPROC=5\n",
	  "4 procs=8", NULL, NULL,
	  "A procs=7 qos=big; B procs=5; C procs=5 qos=big; D limit=1001; E procs=4 limit=1000",
	  "C:n0*5 E:n0*3+n1" },

	/* ---- requests ---- */
	{ "all memory of its node, and one processor", "", "1 procs=4 mem=10; 1 procs=4 mem=100",
	  NULL, "a nodes=n1 procs=1 mem=5 end=100", "A allmem; B mem=1; C procs=3",
	  "A:n0 B:n1 C:n0*3" },
	{ "memory, gres, features", "", "1 procs=4 mem=10; 1 procs=4 mem=100 gpu=1 feature=fast",
	  NULL, NULL,
	  "A procs=1 mem=11; B procs=1 gpu=1; C procs=1 gpu=1; D feature=fast; E procs=4",
	  "A:n1 B:n1 D:n1 E:n0*4 | C@10:n1" },
	{ "resources that must only be configured are not consumed", "",
	  "1 procs=4 mem=10; 1 procs=4 mem=20", NULL, "a nodes=n1 procs=1 mem=20 end=100",
	  "A procs=2 least=11; B least=20; C least=21; D mem=1", "A:n1*2 B:n1 D:n0" },
	{ "a partition's cap on processors of a node: its jobs together", "",
	  "2 procs=8 cap=4 part=p0,p1", NULL,
	  "a nodes=n0 procs=3 cap=3 end=100; b nodes=n1 procs=1 cap=1 end=50",
	  "A procs=2 part=p1; B procs=2 part=p1; C procs=2 part=p1; D procs=4 part=p0; E part=p1",
	  "A:n0+n1 B:n1*2 D:n0*4 | C@10:n0+n1" },
	{ "no job gets more than the cap, and none a whole node", "", "2 procs=8 cap=4 part=p0,p1",
	  NULL, NULL,
	  "A procs=5 nodes=1 part=p1; B whole part=p1; C procs=6 part=p1; D whole part=p0",
	  "C:n0*4+n1*2 | D@10:n0" },
	{ "a DEDICATED QOS gets whole nodes", "QOSCFG[d] QFLAGS=DEDICATED\n", "2 procs=4", NULL,
	  NULL, "A procs=1; B procs=1 qos=d; C procs=1", "A:n0 B:n1 C:n0" },
	{ "licences: of the cluster, not of a node", "", "4 procs=1", NULL,
	  "a nodes=n3 procs=1 end=100 lic=1", "A lic=2; B lic=1 limit=20; C limit=200",
	  "A:n0 C:n1 | B@10:n0" },
	{ "licences are kept for a reservation", "RESERVATIONDEPTH 1\n", "4 procs=1", NULL,
	  "a nodes=n3 procs=1 end=100 lic=1", "A lic=3; B lic=1 limit=101; C lic=2 limit=100",
	  "C:n0 | A@100:n0" },
	{ "a --time-min job runs as long as there are licences", "RESERVATIONDEPTH 2\n",
	  "2 procs=1; 2 procs=1 part=p1", NULL, "a nodes=n3 procs=1 end=100 lic=1",
	  "A part=p1 lic=3 limit=10; B lic=1 limit=200 min=50; C part=p1 lic=3 limit=10",
	  "B:n0 | A@100:n2 C@110:n2" },
	{ "more licences than there are", "BACKFILLPOLICY NONE\n", "1 procs=1", NULL, NULL,
	  "A lic=4; B", "B:n0" },
	{ "whole nodes", "", "3 procs=4", NULL, "a nodes=n1 procs=1 end=100",
	  "A nodes=2 whole; B procs=3", "A:n0+n2 B:n1*3" },
	{ "tasks are spread over as many nodes as need be", "", "3 procs=4", NULL,
	  "a nodes=n0 procs=3 end=100", "A procs=8", "A:n0+n1*4+n2*3" },
	{ "a bounded number of nodes", "", "3 procs=4", NULL, "a nodes=n0 procs=3 end=100",
	  "A procs=8 nodes=1-2", "A:n1*4+n2*4" },
	{ "tasks a node at most", "", "3 procs=4", NULL, NULL, "A procs=5 each=2",
	  "A:n0*2+n1*2+n2" },
	{ "named and excluded nodes", "", "4 procs=1", NULL, NULL, "A nodes=2 need=n2; B not=n0,n1",
	  "A:n0+n2 B:n3" },
	{ "neighbours", "", "5 procs=1", NULL, "a nodes=n1 procs=1 end=100",
	  "A nodes=3 contiguous; B nodes=2 contiguous limit=1000", "A:n2+n3+n4 | B@10:n2+n3" },
	{ "threads: whole cores", "", "1 procs=8 unit=2", NULL, NULL,
	  "A procs=3; B procs=3; C procs=1", "A:n0*3 B:n0*3 | C@10:n0" },
	{ "--time-min: until the reservation begins", "", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100",
	  "A procs=4; B procs=2 limit=500 min=60; C limit=500 min=101", "B:n0*2 | A@100:n0*4" },
	{ "copies of an array, as many as fit", "", "1 procs=4", NULL, NULL,
	  "A procs=1 copies=9 limit=5; B procs=1", "A:n0 A:n0 A:n0 A:n0 | A@5:n0" },

	/* ---- partitions, claims, sharing ---- */
	{ "disjoint partitions do not wait for each other", "BACKFILLPOLICY NONE\n",
	  "1 procs=2 part=p0; 1 procs=2 part=p1", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=2 part=p0; B procs=2 part=p1", "B:n1*2" },
	{ "each pool has its depth", "", "1 procs=2 part=p0; 1 procs=2 part=p1", NULL,
	  "a nodes=n0 procs=2 end=100; b nodes=n1 procs=2 end=50",
	  "A procs=2 part=p0; B procs=2 part=p1", "| A@100:n0*2 B@50:n1*2" },
	{ "PriorityTier orders before priority", "", "1 procs=2 part=p0,p2", NULL, NULL,
	  "A procs=2 part=p0; B procs=2 part=p2", "B:n0*2 | A@10:n0*2" },
	{ "several partitions: the first that can", "", "1 procs=2 part=p0; 1 procs=2 part=p1",
	  NULL, "a nodes=n0 procs=2 end=100", "A procs=2 part=p0,p1", "A:n1*2" },
	{ "several partitions: a limit of one class is not the other's", "CLASSCFG[p0] MAXJOB=1\n",
	  "1 procs=4 part=p0; 1 procs=4 part=p1", NULL, "a nodes=n0 procs=1 end=100",
	  "A procs=2 part=p0,p1; B procs=2 part=p0", "A:n1*2" },
	{ "several partitions: considered in the class that has room", "CLASSCFG[p0] MAXIJOB=1\n",
	  "1 procs=2 part=p0; 1 procs=2 part=p1", NULL, NULL,
	  "A procs=2 part=p0; B procs=2 part=p0,p1; C part=p0", "A:n0*2 B:n1*2" },
	{ "one reservation however many partitions", "RESERVATIONDEPTH 5\n", "1 procs=2 part=p0,p1",
	  NULL, "a nodes=n0 procs=2 end=100", "A procs=2 part=p0,p1", "| A@100:n0*2" },
	{ "the other partition has its turn, and the nodes of the first one stay the job's", "",
	  "1 procs=2; 1 procs=2 part=p1", NULL, "a nodes=n1 procs=2 end=100",
	  "A procs=2 limit=60 part=p0,p1 away=5; B procs=2 limit=60", "| A@5:n0*2" },
	{ "it starts in the other one", "", "1 procs=2; 1 procs=2 part=p1", NULL, NULL,
	  "A procs=2 limit=60 part=p0,p1 away=5; B procs=2 limit=60", "A:n1*2 B:n0*2" },
	{ "a partition that has refused the job keeps nothing for it", "",
	  "1 procs=2; 1 procs=2 part=p1", NULL, "a nodes=n1 procs=2 end=100",
	  "A procs=2 limit=60 part=p0,p1 away; B procs=2 limit=60", "B:n0*2 | A@100:n1*2" },
	{ "claimed nodes are for jobs with access", "", "2 procs=2", "R nodes=n0 start=0 end=50",
	  NULL, "A procs=2 limit=60; B procs=2; C procs=2 claim=R", "A:n1*2 C:n0*2 | B@50:n0*2" },
	{ "a job that ends before a claim begins may run there", "", "1 procs=2",
	  "R nodes=n0 start=10 end=50", NULL, "A procs=1 limit=11; B procs=1 limit=10",
	  "B:n0 | A@50:n0" },
	{ "only inside", "", "2 procs=2", "R nodes=n1 start=20 end=50", NULL,
	  "A claim=R only limit=30", "| A@20:n1" },
	{ "of several claims all must be open", "", "1 procs=2",
	  "R nodes=n0 start=0 end=50; S nodes=n0 start=0 end=20", NULL, "A claim=R limit=30",
	  "| A@20:n0" },
	{ "NODEACCESSPOLICY SINGLEJOB", "NODEACCESSPOLICY SINGLEJOB\n", "2 procs=4", NULL, NULL,
	  "A procs=1; B procs=1; C procs=1", "A:n0 B:n1 | C@10:n0" },
	{ "NODEACCESSPOLICY SINGLETASK", "NODEACCESSPOLICY SINGLETASK\n", "3 procs=4", NULL, NULL,
	  "A procs=2; B procs=1", "A:n0+n1 B:n2" },
	{ "NODEACCESSPOLICY SINGLEUSER", "NODEACCESSPOLICY SINGLEUSER\n", "2 procs=4", NULL,
	  "a nodes=n0 procs=1 end=100 user=ann",
	  "A procs=3 user=bob; B procs=1 user=ann; C procs=2 user=eve limit=20",
	  "A:n1*3 B:n0 | C@10:n1*2" },
	{ "--exclusive=user excludes other users' jobs, and avoids their nodes", "", "2 procs=4",
	  NULL, "a nodes=n0 procs=1 end=100 user=ann; b nodes=n1 procs=1 end=50 user=bob sole",
	  "A procs=1 user=bob sole; B procs=1 user=eve; C user=eve sole limit=20",
	  "A:n1 B:n0 | C@50:n1" },
	{ "JOBNODEMATCHPOLICY EXACTNODE", "JOBNODEMATCHPOLICY EXACTNODE\n", "3 procs=2", NULL, NULL,
	  "A procs=4 nodes=2; B procs=2 nodes=2; C procs=6 nodes=2", "A:n0*2+n1*2 | B@10:n0+n1" },
	{ "EXACTNODE with a range takes the least number of nodes that holds the job",
	  "JOBNODEMATCHPOLICY EXACTNODE\n", "8 procs=4", NULL, NULL, "A procs=6 nodes=1-4",
	  "A:n0*4+n1*2" },
	{ "EXACTNODE with a range counts nodes by what is free now",
	  "JOBNODEMATCHPOLICY EXACTNODE\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "4 procs=4",
	  "a nodes=n0,n1 procs=3 end=50", NULL, "A procs=6 nodes=1-4", "A:n2*4+n3*2" },
	{ "EXACTNODE with a range takes more nodes where fewer do not hold the job",
	  "JOBNODEMATCHPOLICY EXACTNODE\n", "4 procs=4", "a nodes=n0,n1,n2,n3 procs=2 end=50", NULL,
	  "A procs=6 nodes=1-4", "A:n0*2+n1*2+n2*2" },
	{ "EXACTNODE: a job that no number of nodes of its range holds never starts",
	  "JOBNODEMATCHPOLICY EXACTNODE\n", "8 procs=4", NULL, NULL,
	  "A procs=17 nodes=1-4; B procs=16 nodes=1-4", "B:n0*4+n1*4+n2*4+n3*4" },
	{ "JOBNODEMATCHPOLICY EXACTPROC", "JOBNODEMATCHPOLICY EXACTPROC\n",
	  "1 procs=4; 1 procs=2; 1 procs=2", NULL, NULL, "A procs=4 nodes=2; B procs=4 nodes=1",
	  "A:n1*2+n2*2 B:n0*4" },
	{ "EXACTPROC takes as many nodes as the job fills", "JOBNODEMATCHPOLICY EXACTPROC\n",
	  "8 procs=4", NULL, NULL, "A procs=8 nodes=1-4; B procs=6 nodes=1-4; C procs=12",
	  "A:n0*4+n1*4 C:n2*4+n3*4+n4*4" },
	{ "EXACTPROC takes nodes of one size, the fewest first", "JOBNODEMATCHPOLICY EXACTPROC\n",
	  "2 procs=2; 2 procs=4; 1 procs=8", NULL, NULL, "A procs=8; B procs=8; C procs=4",
	  "A:n4*8 B:n2*4+n3*4 C:n0*2+n1*2" },
	{ "EXACTPROC waits for the whole node", "JOBNODEMATCHPOLICY EXACTPROC\n", "2 procs=4",
	  "a nodes=n0 procs=1 end=50", NULL, "A procs=8", "| A@50:n0*4+n1*4" },
	{ "EXACTNODE and EXACTPROC together", "JOBNODEMATCHPOLICY EXACTNODE EXACTPROC\n",
	  "4 procs=2; 2 procs=4", NULL, NULL, "A procs=8 nodes=4; B procs=8 nodes=1-2",
	  "A:n0*2+n1*2+n2*2+n3*2 B:n4*4+n5*4" },

	/* ---- backfill by the way ---- */
	{ "windows: short jobs of the wide one go before a long one of higher priority", "",
	  "1 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=3 limit=50; B procs=1 limit=200; C procs=2 limit=60", "C:n0*2 | A@100:n0*3" },
	{ "parameters of a partition of its own", "BACKFILLPOLICY[p1] BESTFIT\n",
	  "1 procs=4 part=p0,p1", NULL, NULL,
	  "A procs=5 part=p0; B procs=1 part=p1; C procs=4 part=p1", "B:n0 | C@10:n0*4" },
};

TEST_ROWS(plan, rule, rows, row)
{
	struct world w;

	world_make(&w, row->config, row->nodes, row->claims, row->running, row->queue, 0);
	world_expect(&w, row->name, row->planned);
	world_finish(&w);
}

/* Jobs that ask Slurm: "?" behind their nodes, of which Slurm is to take some. "...": the plan ends
 * there. */
static const struct row choices[] = {
	{ "every node on which the job may run", "", "4 procs=4", NULL,
	  "a nodes=n1 procs=3 end=100", "A procs=4 asks", "A:n0*4+n1+n2*4+n3*4? ..." },
	{ "no node on which it may not", "", "3 procs=4", "R nodes=n1 start=5 end=60", NULL,
	  "A procs=4 asks not=n0", "A:n2*4? ..." },
	{ "the least that it needs is not free", "", "2 procs=4", NULL,
	  "a nodes=n1 procs=3 end=100", "A procs=6 asks limit=50; B procs=1",
	  "B:n0 | A@100:n0*4+n1*2" },
	{ "others of the kind follow, as far as there is room", "", "2 procs=4", NULL, NULL,
	  "A procs=3 asks; B procs=4 asks; C procs=2 asks", "A:n0*3+n1*3? B:n0*4+n1*4? ..." },
	{ "of a range of nodes it may take all", "USERCFG[ann] MAXNODE=2\n", "4 procs=4", NULL,
	  NULL, "A nodes=1-4 procs=1 asks user=ann", "A:n0? ..." },
	{ "no more than it can take counts", "USERCFG[ann] MAXPROC=4\n", "8 procs=4", NULL, NULL,
	  "A procs=2 asks user=ann", "A:n0*2+n1*2+n2*2+n3*2+n4*2+n5*2+n6*2+n7*2? ..." },
	{ "nor more memory", "USERCFG[ann] MAXMEM=1500\n", "1 procs=4 mem=3000; 2 procs=4", NULL,
	  NULL, "A allmem asks user=ann", "A:n1? ..." },
	{ "everything else waits for the next plan", "", "3 procs=4", NULL, NULL,
	  "A procs=4; B procs=3 asks; C procs=1; D procs=1 asks", "A:n0*4 B:n1*3+n2*3? ..." },
	{ "behind a job reservation only what does not delay it", "", "2 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=8 limit=50; B procs=2 asks limit=100",
	  "B:n0*2+n1*2? ..." },
	{ "behind a job reservation nothing that would delay it", "", "2 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=8 limit=50; B procs=2 asks limit=101",
	  "| A@100:n0*4+n1*4" },
	{ "a busy job waits, and others start", "", "2 procs=4", NULL, "a nodes=n0 procs=2 end=100",
	  "A procs=2 asks busy=100; B procs=4 limit=90; C procs=2 limit=101",
	  "B:n0*2+n1*2 C:n1*2 | A@100:n0*2" },
	{ "a busy job holds up to its time what it is to get", "", "1 procs=4", NULL, NULL,
	  "A procs=4 asks busy=60; B procs=4 limit=60; C procs=4 limit=61", "B:n0*4 | A@60:n0*4" },
	{ "no other job starts where one has preempted",
	  "QOSCFG[high] QFLAGS=PREEMPTOR\nQOSCFG[low] QFLAGS=PREEMPTEE\n", "2 procs=10", NULL,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=9 end=100; "
	  "v nodes=n0 procs=2 end=100 qos=low",
	  "A procs=5 asks qos=high not=n1; B procs=1 limit=9; C procs=1 limit=9",
	  "B:n1 | A@0:n0*5 C@1:n0 !v" },
	{ "and a job that needs these nodes waits for a moment",
	  "QOSCFG[high] QFLAGS=PREEMPTOR\nQOSCFG[low] QFLAGS=PREEMPTEE\n", "1 procs=10", NULL,
	  "a nodes=n0 procs=4 end=100; v nodes=n0 procs=2 end=100 qos=low",
	  "A procs=5 asks qos=high; B procs=1 limit=9", "| A@0:n0*5 B@1:n0 !v" },
	{ "nothing is kept for a preemptor with a place of the plan's",
	  "QOSCFG[high] QFLAGS=PREEMPTOR\nQOSCFG[low] QFLAGS=PREEMPTEE\n", "1 procs=10", NULL,
	  "a nodes=n0 procs=4 end=100; v nodes=n0 procs=2 end=100 qos=low",
	  "A procs=5 qos=high; B procs=1 limit=9", "B:n0 | A@0:n0*5 !v" },
	{ "GPUs of the whole job that Slurm may deal unevenly", "", "2 procs=4 gpu=4", NULL, NULL,
	  "Z procs=1 gpu=1 need=n0; A nodes=2 gpu=4 gpus=7 uneven=1", "Z:n0 A:n0+n1? ..." },
	{ "all together, they are not free; its job reservation keeps its shares", "",
	  "2 procs=4 gpu=4", NULL, NULL,
	  "Z procs=1 gpu=1 need=n0; A nodes=2 gpu=4 gpus=8 uneven=1; B procs=1 gpu=1 limit=10; "
	  "C procs=1 gpu=1 limit=11; D procs=1 limit=11",
	  "Z:n0 B:n0 D:n0 | A@10:n0+n1" },
	{ "on processors of others", "", "1 procs=4", NULL, "a nodes=n0 procs=4 end=100",
	  "A nodes=1 asks shares; B procs=1; C nodes=1 asks shares", "A:n0? ..." },
	{ "on processors of others, before a job reservation begins", "", "2 procs=4", NULL,
	  "a nodes=n0,n1 procs=4 end=100", "A procs=8 limit=50; B nodes=1 asks shares limit=100",
	  "B:n0+n1? ..." },
	{ "on processors of others, not beyond that", "", "2 procs=4", NULL,
	  "a nodes=n0,n1 procs=4 end=100", "A procs=8 limit=50; B nodes=1 asks shares limit=101",
	  "| A@100:n0*4+n1*4" },
	{ "on processors of others, in no reservation", "", "2 procs=4",
	  "R nodes=n0 start=5 end=60", "a nodes=n0,n1 procs=4 end=100",
	  "B nodes=1 asks shares limit=100", "B:n1? ..." },
	{ "on processors of others, long before a reservation that comes back every day", "",
	  "2 procs=4", "R nodes=n1 start=500 end=600 gap=900", "a nodes=n0,n1 procs=4 end=100",
	  "B nodes=1 asks shares limit=60", "B:n0+n1? ..." },
	{ "on processors of others, behind one of its partition", "", "1 procs=4 part=p0,p1", NULL,
	  "a nodes=n0 procs=4 end=100",
	  "A nodes=1 asks shares busy=100 part=p1; B nodes=1 asks shares limit=101 part=p1",
	  "| A@100:n0" },
	{ "on processors of others, beside one of another partition", "", "1 procs=4 part=p0,p1",
	  NULL, "a nodes=n0 procs=4 end=100",
	  "A nodes=1 asks shares busy=100 part=p1; B nodes=1 asks shares limit=101 part=p0",
	  "B:n0? ..." },
	{ "on processors of others, beside those of two other partitions", "RESERVATIONDEPTH 2\n",
	  "1 procs=4 part=p0,p1,p2", NULL, "a nodes=n0 procs=4 end=100",
	  "A nodes=1 asks shares busy=100 part=p1; B nodes=1 asks shares busy=50 part=p2; "
	  "C nodes=1 asks shares limit=60 part=p1",
	  "C:n0? ..." },
	{ "on processors of others, for which a job of two partitions no longer waits", "",
	  "1 procs=4; 1 procs=4 part=p1", NULL, "a nodes=n0 procs=4 end=100",
	  "A procs=4 part=p0,p1; B nodes=1 asks shares limit=200", "A:n1*4 B:n0? ..." },
	{ "its job reservation keeps processors from others", "", "1 procs=4", NULL,
	  "a nodes=n0 procs=2 end=100", "A procs=4 asks shares busy=100; B procs=1 limit=101",
	  "| A@100:n0*4" },
	{ "a range of nodes, of which Slurm may give the most", "USERCFG[ann] MAXPROC=4\n",
	  "4 procs=4", NULL, NULL, "A nodes=1-4 asks user=ann; B nodes=1-4 asks user=ann",
	  "A:n0+n1+n2+n3? ..." },
	{ "as many as one plan leaves to Slurm", "", "2 procs=100", NULL, NULL, "A copies=66 asks",
	  NULL },
};

TEST_ROWS(plan, slurm_chooses, choices, row)
{
	struct world w;
	char *planned;

	world_make(&w, row->config, row->nodes, row->claims, row->running, row->queue, 0);
	w.slurm_chooses = true;
	planned = world_plan(&w);
	if (row->planned)
		EXPECT_TEXT(row->name, planned, row->planned);
	else
		cr_expect(w.decisions.start_count == 64 && w.decisions.incomplete, "%s: %u",
			  row->name, w.decisions.start_count);
	free(planned);
	world_finish(&w);
}

/* A planner that rested plans the same. Its earlier decisions stay valid while it rests. */
Test(plan, rested)
{
	struct world w;
	char *planned, *again;

	world_make(&w, "RESERVATIONDEPTH 2\n", "2 procs=4", "R nodes=n1 start=50 end=60",
		   "a nodes=n0 procs=3 end=100",
		   "A procs=5 nodes=2 limit=40; B procs=2; C procs=8 nodes=2; D procs=4", 0);
	maui_planner_rest(w.planner);
	planned = world_plan(&w);
	maui_planner_rest(w.planner);
	cr_expect(w.decisions.verdict_count == 4);
	cr_expect(world_verdict(&w, "C")->blocks != NULL);
	maui_planner_rest(w.planner);
	again = world_plan(&w);
	cr_expect(strcmp(again, planned) == 0, "'%s', not '%s'", again, planned);
	cr_expect(strchr(planned, '@') != NULL, "'%s'", planned);
	free(planned);
	free(again);
	world_finish(&w);
}

Test(plan, stopped)
{
	struct world w = { 0 };
	char *text;

	world_make(&w, "", "2 procs=4", "", "a nodes=n0 procs=3 end=100",
		   "A procs=5 nodes=2 limit=40; B procs=2", 0);
	w.stop = true;
	text = world_plan(&w);
	EXPECT_TEXT("text", text, "the plan was stopped");
	cr_expect(w.decisions.start_count == 0);
	free(text);
	w.stop = false; /* the planner can be used again */
	text = world_plan(&w);
	EXPECT_TEXT("text", text, "A:n0+n1*4 | B@40:n0+n1");
	free(text);
	world_finish(&w);
}

/* What a preemptor may have under hard limits alone is its own once its victims have gone. */
Test(plan, a_preemptor_over_its_soft_limit_starts)
{
	struct world w;
	char *planned;

	world_make(&w,
		   "QOSCFG[high] QFLAGS=PREEMPTOR\nQOSCFG[low] QFLAGS=PREEMPTEE\n"
		   "USERCFG[ann] MAXPROC=2,8\n",
		   "1 procs=4", NULL, "a nodes=n0 procs=4 end=100 user=bob qos=low",
		   "A procs=4 user=ann qos=high", 0);
	planned = world_plan(&w);
	cr_expect_str_eq(planned, "| A@0:n0*4 !a");
	free(planned);
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 0);
	w.now = 3;
	planned = world_plan(&w);
	cr_expect_str_eq(planned, "A:n0*4");
	free(planned);
	world_finish(&w);
}
