/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_check_rsv.c - diagnostics of SRCFG lines with another effect than intended
 *
 * Rules: RSV-3, RSV-33, RSV-37, ACL-15.
 */
#include "config/check/known_names.h"
#include "config/check/reservation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "model/snapshot.h"
#include "parsed.h"
#include "rows.h"

struct row {
	const char *name, *text;
	bool good;
	const char *said; /* all of it */
};

#define SAYS(position, severity, text) "maui.cfg:" position ": " severity ": " text "\n"
#define WARN(position, text)           SAYS(position, "warning", text)
#define ERROR(position, text)          SAYS(position, "error", text)
#define NOBODY                                                                             \
	" admits no job: it has no USERLIST, GROUPLIST, ACCOUNTLIST, QOSLIST, CLASSLIST, " \
	"JOBATTRLIST, TIMELIMIT, TASKLIMIT or PROCLIMIT"
#define ON "SRCFG[a] TASKCOUNT=8 USERLIST=u "
#define FLAGS_ARE                                                                            \
	"FLAGS must be one of BESTEFFORT, BYNAME, DEDICATEDNODE, DEDICATEDRESOURCE, FORCE, " \
	"OWNERPREEMPT, PREEMPTEE, SINGLEUSE, SPACEFLEX, STANDINGRES, TIMEFLEX, got '"
#define DAYS_ARE "DAYS must be one of ALL, MON, TUE, WED, THU, FRI, SAT, SUN, got '"
#define X16      "xxxxxxxxxxxxxxxx"
#define X64      X16 X16 X16 X16
#define TWO(attr, text, meant)                                                             \
	"SRCFG[a] " attr ": " text " is read as minutes and seconds, as the manual says: " \
	"write " meant "; for the hours and minutes that Maui 3.x read write " text ":00"
#define FORM "<event>[+<offset>][@<threshold>];<action>[@<data>]"

static const struct row rows[] = {
	{ "clean", ON "STARTTIME=9:00:00 ENDTIME=17:00:00", true, "" },
	{ "clean, without an end", "SRCFG[a] HOSTLIST=n[1-9] USERLIST=u PERIOD=INFINITY", true,
	  "" },
	{ "clean, all day", ON "ENDTIME=24:00:00", true, "" },
	{ "clean, all week", ON "PERIOD=WEEK ENDTIME=7:00:00:00", true, "" },
	/* nodes and tasks */
	{ "a list for a name", "SRCFG[a,b] TASKCOUNT=8 USERLIST=u\n", true,
	  WARN("1:12", "SRCFG[a,b] names one object; write a line for each of several")
		  WARN("1:12",
		       "SRCFG[a,b] cannot be asked for by name: --reservation and ADVRES take no "
		       "name with ',' in it") },
	{ "a separator in a name", "SRCFG[a;b] TASKCOUNT=8 USERLIST=u FLAGS=BYNAME\n", true,
	  WARN("1:12", "SRCFG[a;b] cannot be asked for by name: --reservation and ADVRES take no "
		       "name with ';' in it, so BYNAME admits no job") },
	{ "a path for a name", "SRCFG[a/b] TASKCOUNT=8 USERLIST=u\n", false,
	  ERROR("1:12", "SRCFG[a/b] is not a valid reservation name: it contains '/'") },
	{ "the longest name", "SRCFG[" X64 "] TASKCOUNT=8 USERLIST=u\n", true, "" },
	{ "a long name", "SRCFG[" X64 "y] TASKCOUNT=8 USERLIST=u\n", false,
	  ERROR("1:74",
		"SRCFG[" X64 "y] is not a valid reservation name: it has 65 bytes, more than "
		"64") },
	{ "an instance's name",
	  "SRCFG[b.] TASKCOUNT=8 USERLIST=u\n" ON "\nSRCFG[b.x] TASKCOUNT=1 "
	  "USERLIST=u\nSRCFG[a.07] TASKCOUNT=1 USERLIST=u",
	  false,
	  ERROR("4:13",
		"SRCFG[a.07] is not a valid reservation name: it ends in a dot and a number, "
		"as the names of instances do") },
	{ "an older line's name", "SRTASKCOUNT[0] 8\nSRUSERLIST[0] u\nSRNAME[0] a\n", true,
	  WARN("3:1", "SRNAME[0] is not supported, ignoring: the reservation is called by its "
		      "index, not by this name, in commands, in --reservation and in squeue; write "
		      "the name as the index of all its lines") },
	{ "no TASKCOUNT and no HOSTLIST", "SRCFG[a] USERLIST=u\n", false,
	  ERROR("1:10", "SRCFG[a] reserves nothing: it needs TASKCOUNT, HOSTLIST or both") },
	{ "no TASKCOUNT and no HOSTLIST, on a later line",
	  "FSDEPTH 3\nSRCFG[a] DEPTH=3\nSRCFG[a] USERLIST=u\n", false,
	  ERROR("2:10", "SRCFG[a] reserves nothing: it needs TASKCOUNT, HOSTLIST or both") },
	{ "no tasks", "SRCFG[a] TASKCOUNT=0 USERLIST=u\n", false,
	  ERROR("1:10", "SRCFG[a] reserves nothing: it needs TASKCOUNT, HOSTLIST or both") },
	{ "too many tasks, reported once", "SRCFG[a] TASKCOUNT=99999999999 USERLIST=u\n", false,
	  ERROR("1:10", "TASKCOUNT must be between 0 and 2147483647, got '99999999999'") },
	{ "too many tasks for all, reported once",
	  "SRCFG[DEFAULT] TASKCOUNT=-1\n"
	  "SRCFG[a] USERLIST=u\n",
	  false, ERROR("1:16", "TASKCOUNT must be between 0 and 2147483647, got '-1'") },
	{ "TASKCOUNT is not a number, reported once",
	  "SRCFG[a] USERLIST=u\nSRCFG[a] TASKCOUNT=5x\n", false,
	  ERROR("2:10", "TASKCOUNT needs a whole number, got '5x'") },
	{ "empty HOSTLIST, reported once", "SRCFG[a] HOSTLIST= USERLIST=u\n", false,
	  ERROR("1:10", "HOSTLIST has no value") },
	{ "the printed default", "SRCFG[a] HOSTLIST=[ALL] USERLIST=u\n", false,
	  ERROR("1:10", "SRCFG[a] reserves nothing: it needs TASKCOUNT, HOSTLIST or both") },
	{ "all hosts", "SRCFG[a] HOSTLIST=ALL USERLIST=u\n", true, "" },
	{ "negative TASKCOUNT", "SRCFG[a] HOSTLIST=n USERLIST=u TASKCOUNT=-1\n", false,
	  ERROR("1:32", "TASKCOUNT must be between 0 and 2147483647, got '-1'") },
	{ "a task without resources", ON "RESOURCES=PROCS:0", false,
	  ERROR("1:33", "RESOURCES: a task needs at least one resource") },
	{ "a negative task", ON "RESOURCES=PROCS:-2", false,
	  ERROR("1:33",
		"RESOURCES: 'PROCS:-2' needs PROCS:<number> from 0 to 2147483647, -1 for all") },
	{ "resources without a number", ON "RESOURCES=PROCS", false,
	  ERROR("1:33",
		"RESOURCES: 'PROCS' needs PROCS:<number> from 0 to 2147483647, -1 for all") },
	{ "resources with a unit", ON "RESOURCES=PROCS:1;MEM:2GB", false,
	  ERROR("1:33",
		"RESOURCES: 'MEM:2GB' needs MEM:<number> from 0 to 2147483647, -1 for all") },
	{ "unknown resource", ON "RESOURCES=PROCS:1;GPUS:2", false,
	  ERROR("1:33",
		"RESOURCES: 'GPUS' is not a resource of a task: use PROCS, MEM, DISK or SWAP") },
	{ "too many processors of a task", ON "RESOURCES=PROCS:2147483648", false,
	  ERROR("1:33",
		"RESOURCES: 'PROCS:2147483648' needs PROCS:<number> from 0 to 2147483647, -1 "
		"for all") },
	{ "swap", ON "RESOURCES=PROCS:1;SWAP:5", true,
	  WARN("1:33", "SRCFG[a] RESOURCES: Slurm has no swap: SWAP counts as 0") },
	{ "minload without processors", ON "RESOURCES=MEM:30 TRIGGER=minload@0.5;cancel", true,
	  WARN("1:50",
	       "SRCFG[a] TRIGGER: minload never fires: it compares reserved processors, and "
	       "RESOURCES has none") },
	{ "processors of whole nodes, other events",
	  ON "RESOURCES=MEM:30 TRIGGER=minload@0.5;cancel FLAGS=DEDICATEDNODE\n"
	     "SRCFG[b] TASKCOUNT=8 USERLIST=u RESOURCES=MEM:30 TRIGGER=start;cancel\n"
	     "SRCFG[c] TASKCOUNT=8 USERLIST=u RESOURCES=PROCS:1 TRIGGER=minload@0.5;cancel",
	  true, "" },
	{ "TPN of whole nodes", ON "TPN=4", true,
	  WARN("1:33",
	       "SRCFG[a] gets no nodes: a task is a whole node, and none holds TPN=4 of them; "
	       "set RESOURCES") },
	{ "TPN above TASKCOUNT", ON "RESOURCES=PROCS:1 TPN=9", true,
	  WARN("1:51", "SRCFG[a] gets no nodes: TPN=9 is more than TASKCOUNT=8") },
	{ "TPN equal to TASKCOUNT", ON "RESOURCES=PROCS:1 TPN=8", true, "" },
	{ "a broken pattern", "SRCFG[a] HOSTLIST=n(1 USERLIST=u\n", false, NULL },
	/* access lists */
	{ "empty list", "SRCFG[a] TASKCOUNT=1\n", true, WARN("1:10", "SRCFG[a]" NOBODY) },
	{ "ALL in an access list", "SRCFG[a] TASKCOUNT=1 GROUPLIST=ALL\n", true,
	  WARN("1:22", "SRCFG[a] admits no job: GROUPLIST is empty") WARN(
		  "1:32",
		  "GROUPLIST: 'ALL' in Maui means 'not set', so no job is admitted; list names, ignoring") },
	{ "[NONE] in an access list", "SRCFG[a] TASKCOUNT=1 QOSLIST=[NONE] USERLIST=u\n", true,
	  "" },
	{ "a blank in a list", "SRCFG[a] TASKCOUNT=1 USERLIST=u v\n", true,
	  WARN("1:33", "blank inside the list of USERLIST: 'v' is read as a further entry") },
	{ "marks without a name", "SRCFG[a] TASKCOUNT=1 USERLIST=u,*,v\n", true,
	  WARN("1:33", "USERLIST: '' is an entry without a name, ignoring") },
	{ "unknown job attribute", "SRCFG[a] TASKCOUNT=1 JOBATTRLIST=PREEMPTEE,FAST\n", true,
	  WARN("1:44",
	       "JOBATTRLIST: 'FAST' is not a job attribute: only PREEMPTEE is known, ignoring") },
	{ "marks alone", "SRCFG[a] TASKCOUNT=1 USERLIST=! QOSLIST=NONE\n", true,
	  WARN("1:22", "SRCFG[a] admits no job: USERLIST is empty")
		  WARN("1:31", "USERLIST: '' is an entry without a name, ignoring") },
	{ "names in brackets", "SRCFG[a] TASKCOUNT=1 CLASSLIST=![batch:1]-,[fast] QOSLIST=[x,y]\n",
	  true, "" },
	{ "a name in single quotes", "SRCFG[a] TASKCOUNT=1 USERLIST='bob,ann' HOSTLIST='n1'\n",
	  true, "" },
	{ "single quotes and a blank", "SRCFG[a] TASKCOUNT=1 USERLIST='bob, &ann'\n", true,
	  WARN("1:22",
	       "SRCFG[a] USERLIST: '&ann' is read as one name with '&' in it, which is not a "
	       "mark of Maui: a required entry has a *") },
	{ "a wrong word in single quotes", ON "FLAGS='BYNAME,WALKING'", true,
	  WARN("1:47", FLAGS_ARE "WALKING', ignoring") },
	{ "one single quote", "SRCFG[a] TASKCOUNT=1 USERLIST=v,'bob\n", true,
	  WARN("1:33",
	       "SRCFG[a] USERLIST: ''bob' is read as one name with ''' in it: separate names by "
	       ", | or :") },
	{ "names that are several", "SRCFG[a] TASKCOUNT=1 USERLIST=u,bob;ann- GROUPLIST=&g\n", true,
	  WARN("1:33",
	       "SRCFG[a] USERLIST: 'bob;ann' is read as one name with ';' in it: separate names "
	       "by , | or :")
		  WARN("1:52",
		       "SRCFG[a] GROUPLIST: '&g' is read as one name with '&' in it, which is "
		       "not a mark of Maui: a required entry has a *") },
	{ "two owners", ON "OWNER=USER:ann:bob", true,
	  WARN("1:44",
	       "SRCFG[a] OWNER: 'ann:bob' is read as one name with ':' in it: OWNER takes one name") },
	{ "a bracket alone", "SRCFG[a] TASKCOUNT=1 CLASSLIST=[batch\n", true,
	  WARN("1:32",
	       "SRCFG[a] CLASSLIST: '[batch' is read as one name with '[' in it: separate names "
	       "by , | or :") },
	{ "several wrong entries", "SRCFG[a] TASKCOUNT=1 USERLIST=*,u,ALL:v,!\n", true,
	  WARN("1:31", "USERLIST: '' is an entry without a name, ignoring") WARN(
		  "1:35",
		  "USERLIST: 'ALL' in Maui means 'not set', so no job is admitted; list names, ignoring")
		  WARN("1:41", "USERLIST: '' is an entry without a name, ignoring") },
	{ "TIMELIMIT is not a time", "SRCFG[a] TASKCOUNT=1 TIMELIMIT=soon\n", false,
	  ERROR("1:22", "TIMELIMIT: 'soon' is not a time: expected [[[DD:]HH:]MM:]SS or "
			"INFINITY") },
	{ "negated TIMELIMIT", "SRCFG[a] TASKCOUNT=1 TIMELIMIT=1:00:00!\n", true,
	  WARN("1:32", "TIMELIMIT: ! and ^ mean nothing for '1:00:00', ignoring") },
	{ "no limit, with a mark", "SRCFG[a] TASKCOUNT=1 USERLIST=u TIMELIMIT=-1*\n", true, "" },
	{ "a negative TIMELIMIT", "SRCFG[a] TASKCOUNT=1 TIMELIMIT=-2*\n", false,
	  ERROR("1:22", "TIMELIMIT: '-2*' is below 0; the mark - stands behind the limit") },
	{ "a negative PROCLIMIT", "SRCFG[a] TASKCOUNT=1 PROCLIMIT=-3\n", false,
	  ERROR("1:22", "PROCLIMIT: '-3' is below 0; the mark - stands behind the limit") },
	{ "a TIMELIMIT of 0", "SRCFG[a] TASKCOUNT=1 TIMELIMIT=0*\n", true,
	  WARN("1:22", "SRCFG[a] TIMELIMIT admits no job: none is as short as 0 seconds") },
	{ "a limit of two fields", "SRCFG[a] TASKCOUNT=1 TIMELIMIT=1:00*\n", true, NULL },
	{ "PROCLIMIT is not a number", "SRCFG[a] TASKCOUNT=1 USERLIST=u PROCLIMIT=4>\n", false,
	  ERROR("1:33", "PROCLIMIT needs a whole number, got '4>'") },
	{ "a comparison without a number", "SRCFG[a] TASKCOUNT=1 USERLIST=u PROCLIMIT=>=\n", false,
	  ERROR("1:33", "PROCLIMIT needs a whole number, got ''") },
	{ "limits with > and ==", "SRCFG[a] TASKCOUNT=1 PROCLIMIT=>4 TASKLIMIT===3*\n", true, "" },
	{ "TIMELIMIT with >=", "SRCFG[a] TASKCOUNT=1 USERLIST=u TIMELIMIT=>=1:00:00\n", false,
	  ERROR("1:33", "TIMELIMIT is a maximum: '1:00:00' can have only < or <= before it") },
	{ "PROCLIMIT with <=", "SRCFG[a] TASKCOUNT=1 PROCLIMIT=<=4\n", true, "" },
	{ "time logic without a time", ON "TIMELOGIC=AND", true,
	  WARN("1:33", "SRCFG[a] TIMELOGIC has no effect: there is no TIMELIMIT") },
	/* owners, flags */
	{ "owner without a name", ON "OWNER=USER:", false,
	  ERROR("1:33", "OWNER has no name: write USER:<name>") },
	{ "owner without a kind", ON "OWNER=tom", false,
	  ERROR("1:33", "OWNER needs USER, GROUP, ACCOUNT, QOS or CLASS with :<name>, got 'tom'") },
	{ "owner of an unknown kind", ON "OWNER=ROBOT:tom", false,
	  ERROR("1:33", "OWNER needs USER, GROUP, ACCOUNT, QOS or CLASS with :<name>, got "
			"'ROBOT:tom'") },
	{ "unknown flag", ON "FLAGS=BYNAME,FLYING", true,
	  WARN("1:46", "FLAGS must be one of BESTEFFORT, BYNAME, DEDICATEDNODE, DEDICATEDRESOURCE, "
		       "FORCE, OWNERPREEMPT, PREEMPTEE, SINGLEUSE, SPACEFLEX, STANDINGRES, "
		       "TIMEFLEX, got 'FLYING', ignoring") },
	{ "unknown flags, each where it stands", ON "FLAGS=WALKING,BYNAME|FLYING:WALKING\n", true,
	  WARN("1:39", FLAGS_ARE "WALKING', ignoring") WARN("1:54", FLAGS_ARE "FLYING', ignoring")
		  WARN("1:61", FLAGS_ARE "WALKING', ignoring") },
	{ "unknown flags behind a blank", ON "FLAGS= WALKING,FLYING", true,
	  WARN("1:40", FLAGS_ARE "WALKING', ignoring")
		  WARN("1:48", FLAGS_ARE "FLYING', ignoring") },
	{ "unknown flags on a further line", ON "\\\nFLAGS=WALKING", true,
	  WARN("2:7", FLAGS_ARE "WALKING', ignoring") },
	{ "OWNERPREEMPT without OWNER", ON "FLAGS=OWNERPREEMPT", true,
	  WARN("1:33", "SRCFG[a] OWNERPREEMPT has no effect: there is no OWNER") },
	{ "unknown access", ON "ACCESS=OPEN", true,
	  WARN("1:33", "ACCESS must be one of DEDICATED, SHARED, got 'OPEN', ignoring") },
	{ "unknown period", ON "PERIOD=MONTH", true,
	  WARN("1:33", "PERIOD must be one of DAY, WEEK, INFINITY, got 'MONTH', ignoring") },
	{ "unknown period and access, later",
	  ON "PERIOD=WEEK ACCESS=SHARED\nSRCFG[a] PERIOD=MONTH ACCESS=OPEN", true,
	  WARN("2:10", "PERIOD must be one of DAY, WEEK, INFINITY, got 'MONTH', ignoring")
		  WARN("2:23", "ACCESS must be one of DEDICATED, SHARED, got 'OPEN', ignoring") },
	/* administrators */
	{ "administrators separated by a semicolon", "ADMIN1 root;ann,bob\n", true,
	  WARN("1:8", "ADMIN1: 'root;ann' contains ';'; separate names by , | or :") },
	{ "administrators replaced by a later line",
	  "ADMIN1 root,ann\nADMIN2 root\nADMIN1 bob\nADMIN2 root\n", true,
	  WARN("3:1",
	       "ADMIN1 replaces the list of maui.cfg:1 (root,ann); write all names on one line") },
	{ "an attribute twice in a line", "SRCFG[a] HOSTLIST=n1 HOSTLIST=n2 USERLIST=ann\n", true,
	  SAYS("1:10", "note",
	       "SRCFG[a] HOSTLIST: n1 has no effect: the same line sets it again") },
	{ "and in another line", ON "\nSRCFG[a] TASKCOUNT=8 USERLIST=v TASKCOUNT=9\n", true,
	  SAYS("2:10", "note",
	       "SRCFG[a] TASKCOUNT: 8 has no effect: the same line sets it again") },
	{ "administrators", "ADMIN1 root ann\nADMINS root,ann\nADMIN3 x-y_z.1@d|u\n", true, NULL },
	/* times */
	{ "a window over midnight", ON "STARTTIME=20:00:00 ENDTIME=6:00:00", true,
	  WARN("1:33",
	       "SRCFG[a] never begins: STARTTIME 20:00:00 is not before ENDTIME 6:00:00; for "
	       "a window over the end of the day write two reservations, one until its end "
	       "and one from its beginning") },
	{ "STARTTIME equal to ENDTIME", ON "ENDTIME=6:00:00 STARTTIME=6:00:00", true,
	  WARN("1:49",
	       "SRCFG[a] never begins: STARTTIME 6:00:00 is not before ENDTIME 6:00:00; for "
	       "a window over the end of the day write two reservations, one until its end "
	       "and one from its beginning") },
	{ "hours that are seconds", ON "STARTTIME=8 ENDTIME=17", true,
	  WARN("1:33",
	       "SRCFG[a] STARTTIME: 8 is read as seconds (0:00:08): for hours write 8:00:00")
		  WARN("1:45", "SRCFG[a] ENDTIME: 17 is read as seconds (0:00:17): for hours write "
			       "17:00:00") },
	{ "a time of day without a colon", ON "STARTTIME=0 ENDTIME=1730", true,
	  WARN("1:45", "SRCFG[a] ENDTIME: 1730 is read as seconds (0:28:50): for a time of the day "
		       "write hours:minutes:seconds, as 17:30:00") },
	{ "seconds that are meant", ON "STARTTIME=0 ENDTIME=28800 IDLETIME=30", true, "" },
	{ "two fields", ON "STARTTIME=8:00 ENDTIME=8:30", true,
	  WARN("1:33", TWO("STARTTIME", "8:00", "0:08:00"))
		  WARN("1:48", TWO("ENDTIME", "8:30", "0:08:30")) },
	{ "two fields in full", ON "ENDTIME=17:00", true,
	  WARN("1:33", TWO("ENDTIME", "17:00", "0:17:00")) },
	{ "a window of seconds", ON "STARTTIME=0:08:00 ENDTIME=0:08:30", true,
	  WARN("1:51", "SRCFG[a] lasts 30 s, from 0:08:00: for times of the day write "
		       "hours:minutes:seconds, as 17:30:00") },
	{ "a window of a minute", ON "STARTTIME=0:08:00 ENDTIME=0:09:00", true, "" },
	{ "a window over the end of the week",
	  ON "PERIOD=WEEK WSTARTTIME=5:17:00:00 WENDTIME=1:08:00:00", true,
	  WARN("1:45", "SRCFG[a] never begins: WSTARTTIME 5:17:00:00 is not before WENDTIME "
		       "1:08:00:00; for a window over the end of the week write two "
		       "reservations, one until its end and one from its beginning") },
	{ "STARTTIME beyond the day", ON "STARTTIME=1:00:00:00", true,
	  WARN("1:33", "SRCFG[a] never begins: STARTTIME 1:00:00:00 is not within a day") },
	{ "ENDTIME beyond the day", ON "STARTTIME=20:00:00 ENDTIME=30:00:00", true,
	  WARN("1:52", "SRCFG[a] ends with the day: ENDTIME 1:06:00:00 lies beyond; for a window "
		       "over its end write two reservations") },
	{ "DEPTH=0", ON "DEPTH=0", false,
	  ERROR("1:33", "DEPTH must be between 1 and 64, got '0'") },
	{ "DEPTH=0 in DEFAULT", ON "\nSRCFG[b] TASKCOUNT=1 USERLIST=u\nSRCFG[DEFAULT] DEPTH=0",
	  false, ERROR("3:16", "DEPTH must be between 1 and 64, got '0'") },
	{ "TASKCOUNT in DEFAULT", "SRCFG[b] USERLIST=u\nSRCFG[DEFAULT] TASKCOUNT=1", true, "" },
	{ "the greatest depth", ON "DEPTH=64", true, "" },
	{ "a depth above the greatest", ON "DEPTH=65", false,
	  ERROR("1:33", "DEPTH must be between 1 and 64, got '65'") },
	{ "negative STARTTIME", ON "STARTTIME=-1", false,
	  ERROR("1:33", "STARTTIME must be between 0 and 2140000000, got '-1'") },
	{ "days as a range", ON "DAYS=MON-FRI", false,
	  ERROR("1:33", "DAYS names no day: write MON,TUE,..., each by itself, or ALL, got "
			"'MON-FRI'") },
	{ "less than nothing", ON "TIMELIMIT=<0", false,
	  ERROR("1:33", "TIMELIMIT: no time is below 0") },
	{ "separators of days alone", ON "DAYS=,", false,
	  ERROR("1:33", "DAYS names no day: write MON,TUE,..., each by itself, or ALL, got ','") },
	{ "days as a range, and more", ON "DAYS=MON-FRI DEPTH=3", false,
	  ERROR("1:33", "DAYS names no day: write MON,TUE,..., each by itself, or ALL, got "
			"'MON-FRI'") },
	{ "days without separators", ON "DAYS=[MONTUE;Sunday] DEPTH=7", true, "" },
	{ "no days without separators", ON "DAYS=MONDIE", false,
	  ERROR("1:33", "DAYS names no day: write MON,TUE,..., each by itself, or ALL, got "
			"'MONDIE'") },
	{ "days, some of them", ON "DAYS=MON,Fryday,Sunday DEPTH=7", true,
	  WARN("1:42", DAYS_ARE "Fryday', ignoring") },
	{ "several unknown days", ON "DAYS=[Mon;FOO][MONTUE]Workdays|BAR DEPTH=7", true,
	  WARN("1:43", DAYS_ARE "FOO', ignoring") WARN("1:55", DAYS_ARE "Workdays', ignoring")
		  WARN("1:64", DAYS_ARE "BAR', ignoring") },
	{ "DEPTH does not reach the next day of DAYS", ON "DAYS=SUN", true,
	  SAYS("1:33", "note",
	       "SRCFG[a] DEPTH=2 counts days, and from one of DAYS to the next are up to 7: on some "
	       "days no instance is planned yet, and jobs may run into it; DEPTH=8 always has the "
	       "next one") },
	{ "DEPTH reaches it on some days", ON "DAYS=TUE,THU DEPTH=4", true,
	  SAYS("1:46", "note",
	       "SRCFG[a] DEPTH=4 counts days, and from one of DAYS to the next are up to 5: on some "
	       "days no instance is planned yet, and jobs may run into it; DEPTH=6 always has the "
	       "next one") },
	{ "DEPTH reaches it", ON "DAYS=TUE,THU DEPTH=5", true, "" },
	{ "weekends", ON "DAYS=MON,TUE,WED,THU,FRI", true, "" },
	{ "DAYS with PERIOD=WEEK", ON "PERIOD=WEEK DAYS=MON", true,
	  WARN("1:45", "SRCFG[a] DAYS has no effect: PERIOD is not DAY") },
	{ "ENDTIME with PERIOD=INFINITY", ON "PERIOD=INFINITY ENDTIME=6:00:00", true,
	  WARN("1:49", "SRCFG[a] ENDTIME has no effect: PERIOD=INFINITY has no start and no end") },
	{ "WSTARTTIME with PERIOD=DAY", ON "WSTARTTIME=1:08:00:00", true,
	  WARN("1:33", "SRCFG[a] WSTARTTIME has no effect: PERIOD is not WEEK") },
	{ "two starts", ON "PERIOD=WEEK STARTTIME=1:00:00 WSTARTTIME=1:08:00:00", true,
	  WARN("1:45", "SRCFG[a] STARTTIME has no effect: WSTARTTIME is set as well") },
	{ "a later line corrects the value",
	  ON "STARTTIME=20:00:00 ENDTIME=6:00:00\nSRCFG[a] ENDTIME=22:00:00", true,
	  SAYS("1:52", "note", "SRCFG[a] ENDTIME: 6:00:00 has no effect: line 2 sets it again") },
	/* USERESERVED */
	{ "USERESERVED of an unknown reservation", "QOSCFG[q] FLAGS=NOBF,USERESERVED:biz\n", true,
	  WARN("1:11",
	       "USERESERVED:biz names a reservation that no SRCFG defines; jobs of this QOS wait "
	       "until setres makes a reservation of that name") },
	{ "USERESERVED of an unknown reservation, in DEFAULT",
	  "QOSCFG[DEFAULT] FLAGS=USERESERVED:biz\nQOSCFG[q] MAXJOB=1\n", true, NULL },
	{ "USERESERVED without a name replaces it",
	  "QOSCFG[q] FLAGS=USERESERVED:biz\nQOSCFG[q] FLAGS=USERESERVED\n", true,
	  SAYS("1:11", "note",
	       "QOSCFG[q] FLAGS: USERESERVED:biz has no effect: line 2 sets it again") },
	{ "USERESERVED of a reservation", ON "\nQOSCFG[q] FLAGS=USERESERVED:a\n", true, "" },
	{ "USERESERVED of an instance", ON "\nQOSCFG[q] FLAGS=USERESERVED:a.1\n", true, "" },
	{ "USERESERVED of a mirror", ON "\nQOSCFG[q] FLAGS=USERESERVED:maui.a.20261122\n", true,
	  "" },
	{ "USERESERVED of a longer name", ON "\nQOSCFG[q] FLAGS=USERESERVED:ab\n", true,
	  WARN("2:11",
	       "USERESERVED:ab names a reservation that no SRCFG defines; jobs of this QOS wait "
	       "until setres makes a reservation of that name") },
	/* triggers */
	{ "trigger", ON "TRIGGER=start+5:00:00:exec@/usr/local/domail.pl", true, "" },
	{ "trigger without an action", ON "TRIGGER=start", false,
	  ERROR("1:33",
		"TRIGGER names no cancel, exec or submit: it needs " FORM ", got 'start'") },
	{ "trigger of an unknown event", ON "TRIGGER=lunch;cancel", false,
	  ERROR("1:33", "TRIGGER: 'lunch' is not an event: use create, start, end or minload") },
	{ "trigger with a broken offset", ON "TRIGGER=start+soon;cancel", false,
	  ERROR("1:33", "TRIGGER: offset: 'soon' is not a time: expected [[[DD:]HH:]MM:]SS or "
			"INFINITY") },
	{ "trigger without end", ON "TRIGGER=start+INFINITY;cancel", false,
	  ERROR("1:33", "TRIGGER: 'INFINITY' is not an offset: write [[HH:]MM:]SS") },
	{ "load without a threshold", ON "TRIGGER=minload+60;cancel", false,
	  ERROR("1:33", "TRIGGER: minload needs @<threshold>, from 0 to 1") },
	{ "load in percent", ON "TRIGGER=minload@50;cancel", false,
	  ERROR("1:33", "TRIGGER: '50' is not a threshold from 0 to 1") },
	{ "threshold of a start", ON "TRIGGER=start@0.5;cancel", false,
	  ERROR("1:33", "TRIGGER: only minload has a threshold, got '@0.5'") },
	{ "program by its name", ON "TRIGGER=start;exec@domail.pl", false,
	  ERROR("1:33", "TRIGGER: exec needs an absolute path: exec@/<path>") },
	{ "submit without a program", ON "TRIGGER=start;submit", false,
	  ERROR("1:33", "TRIGGER: submit needs an absolute path: submit@/<path>") },
	{ "cancel with data", ON "TRIGGER=end;cancel@/x", false,
	  ERROR("1:33", "TRIGGER: cancel takes no '@/x'") },
};

/* Where `said` is NULL the words are another module's. */
TEST_ROWS(check_rsv, said, rows, row)
{
	struct parsed p = parse(row->text);

	cr_expect((p.config != NULL) == row->good, "%s: %s", row->name, p.said);
	if (row->said)
		cr_expect(strcmp(p.said, row->said) == 0, "%s: expected\n%sgot\n%s", row->name,
			  row->said, p.said);
	else
		cr_expect(p.diags.count == 1, "%s: %s", row->name, p.said);
	parsed_finish(&p);
}

/* Maui prints lists in brackets, with a count behind each name. */
Test(check_rsv, brackets)
{
	struct maui_config *config =
		PARSE_GOOD("SRCFG[a] HOSTLIST=n1 CLASSLIST=[batch:1]-,![fast][x,y]\n"
			   "SRCFG[a] NODEFEATURES=[bigmem],[fast][ib:2]\n"
			   "SRCFG[b] HOSTLIST=n1 USERLIST=[NONE] NODEFEATURES=[NONE]\n");
	static const char *const classes[] = { "batch", "fast", "x", "y" };
	static const char *const features[] = { "bigmem", "fast", "ib" };
	const struct maui_rsv *rsv = &config->rsvs[0];

	cr_assert(rsv->acl.count == 4 && rsv->features.count == 3, "%zu %zu", rsv->acl.count,
		  rsv->features.count);
	for (size_t i = 0; i < 4; i++)
		cr_expect_str_eq(rsv->acl.list[i].name, classes[i]);
	for (size_t i = 0; i < 3; i++)
		cr_expect_str_eq(rsv->features.list[i], features[i]);
	cr_expect(rsv->acl.list[0].affinity == MAUI_AFFINITY_NEGATIVE && rsv->acl.list[1].deny);
	cr_expect(config->rsvs[1].acl.count == 0 && config->rsvs[1].features.count == 0);
	maui_config_unref(config);
}

/* ---- on nodes ---- */

/* RESERVATIONS with `deep` as the first one's DEPTH and 64 as that of all others. */
static char *write_deep(int reservations, int deep)
{
	char *text = malloc((size_t)reservations * 64), *end = text;

	for (int i = 0; i < reservations; i++)
		end += sprintf(end, "SRCFG[r%d] HOSTLIST=n USERLIST=u DEPTH=%d\n", i,
			       i == 0 ? deep : 64);
	return text;
}

/* 16 + 156 x 64 = 10,000. */
Test(check_rsv, ten_thousand_instances_are_the_most)
{
	char *most = write_deep(157, 16), *more = write_deep(157, 17);
	struct maui_config *config = PARSE_GOOD(most);
	struct parsed p = parse(more);

	cr_expect_not_null(config);
	cr_expect_null(p.config);
	cr_expect_str_eq(
		p.said, "maui.cfg:2:33: error: SRCFG[r1] DEPTH=64: the 157 reservations together "
			"have 10001 instances, and 10000 are the most; lower the DEPTH of this one "
			"or of others\n");
	maui_config_unref(config);
	parsed_finish(&p);
	free(most);
	free(more);
}

/* The error is placed at the DEPTH of SRCFG[DEFAULT] if only DEFAULT sets it. */
Test(check_rsv, instances_of_default_depth)
{
	struct maui_strbuf text = { 0 };
	struct parsed p;

	for (int i = 0; i < 157; i++)
		maui_strbuf_addf(&text, "SRCFG[r%d] HOSTLIST=n USERLIST=u\n", i);
	maui_strbuf_addf(&text, "SRCFG[r0] PERIOD=INFINITY\nSRCFG[DEFAULT] DEPTH=64\n");
	p = parse(text.text);
	cr_expect_not_null(p.config);
	cr_expect_str_eq(p.said, ""); /* 1 + 156 x 64: INFINITY is one instance */
	parsed_finish(&p);
	maui_strbuf_addf(&text, "SRCFG[r157] HOSTLIST=n USERLIST=u\n");
	p = parse(text.text);
	cr_expect(strstr(p.said, "maui.cfg:159:16: error: SRCFG[r1] DEPTH=64: the 158 reservations "
				 "together have 10049 instances"),
		  "%s", p.said);
	parsed_finish(&p);
	maui_strbuf_finish(&text);
}

static bool is_unknown(const void *context, int kind, const char *name)
{
	(void)context;
	(void)kind;
	(void)name;
	return true;
}

/* As many unknown names as a directory has users: the first thousand are reported, the others only
 * counted. */
Test(check_rsv, very_many_names)
{
	enum { NAMES = 50000 };
	char *text = malloc(NAMES * 12 + 64), *end = text;
	struct maui_diags diags = { 0 };
	struct maui_config *config;

	end += sprintf(end, "SRCFG[a] HOSTLIST=n USERLIST=first");
	for (int i = 0; i < NAMES; i++)
		end += sprintf(end, ",user%d", i);
	config = PARSE_GOOD(text);
	maui_config_check_known(config, is_unknown, NULL, &diags);
	cr_expect(diags.seen[MAUI_WARNING] == NAMES + 1 && diags.count == MAUI_DIAG_MAX);
	cr_expect(strstr(diags.list[7].text, "'user6' is not a user") && diags.list[7].line == 1 &&
			  diags.list[7].column == 21,
		  "%s", diags.list[7].text);
	maui_diags_finish(&diags);
	maui_config_unref(config);
	free(text);
}

Test(check_rsv, a_name_that_a_slurm_reservation_has_too)
{
	static const char *const slurm[] = { "night", "maint", "biz.0" };
	struct maui_diags diags = { 0 };
	struct maui_config *config = PARSE_GOOD("SRCFG[biz] HOSTLIST=n USERLIST=a\n"
						"SRCFG[night] HOSTLIST=n USERLIST=a\n"
						"SRCFG[night] PERIOD=DAY\n");

	maui_config_check_namesakes(config, slurm, 3, &diags);
	cr_assert(diags.count == 1, "%zu", diags.count);
	cr_expect_str_eq(diags.list[0].text,
			 "SRCFG[night]: Slurm has a reservation night, too: "
			 "--reservation=night means Slurm's; jobs name an instance of this "
			 "one, such as night.0");
	cr_expect(diags.list[0].line == 2 && diags.list[0].kind == MAUI_FAMILY_SR);
	maui_diags_finish(&diags);
	maui_config_unref(config);
}

static const struct maui_check_node nodes[] = {
	{ "n1", 16, 32000, 100, "wide,fddi", "batch" },
	{ "n2", 16, 32000, 100, "wide", "batch,old" },
	{ "n3", 4, 4000, 0, NULL, NULL },
	{ "login", 2, 4000, 0, "fddi", "old" },
};

struct on_nodes {
	const char *name, *attrs, *said;
};

#define PARTIAL(position, wanted, usable, hold)                                           \
	WARN(position, "SRCFG[a] stays partial: TASKCOUNT is " wanted ", and the " usable \
		       " nodes that could hold such tasks have room for " hold)
#define EMPTY(wanted, why) \
	WARN("1:21", "SRCFG[a] gets no nodes: TASKCOUNT is " wanted ", and no " why)
#define UNSERVED(position, why) \
	WARN(position, "SRCFG[a] NODEFEATURES: no node" why ": nothing is reserved")
#define NO_NODE(item, what) WARN("1:21", "SRCFG[a] HOSTLIST: '" item "' matches no node: " what)

static const struct on_nodes cases[] = {
	{ "fits", "TASKCOUNT=4", "" },
	{ "too many nodes", "TASKCOUNT=5", PARTIAL("1:21", "5", "4", "4") },
	{ "fits by processors", "TASKCOUNT=38 RESOURCES=PROCS:1", "" },
	{ "too many processors", "TASKCOUNT=39 RESOURCES=PROCS:1",
	  PARTIAL("1:21", "39", "4", "38") },
	{ "by memory", "TASKCOUNT=99 RESOURCES=PROCS:1;MEM:4000",
	  PARTIAL("1:21", "99", "4", "18") },
	{ "by disk", "TASKCOUNT=99 RESOURCES=PROCS:1;DISK:50", PARTIAL("1:21", "99", "2", "4") },
	{ "MEM:-1 is all memory of a node", "TASKCOUNT=5 RESOURCES=PROCS:1;MEM:-1",
	  PARTIAL("1:21", "5", "4", "4") },
	{ "a task too large for every node", "TASKCOUNT=1 RESOURCES=PROCS:17",
	  EMPTY("1", "node has PROCS 17 (CPUs: 16 at most)") },
	{ "too large in several ways", "TASKCOUNT=2 RESOURCES=PROCS:2;MEM:99999;DISK:101",
	  EMPTY("2",
		"node has MEM 99999 (RealMemory: 32000 at most), nor DISK 101 (TmpDisk: 100 at "
		"most)") },
	{ "a task too large for the eligible nodes",
	  "TASKCOUNT=1 RESOURCES=DISK:100 NODEFEATURES=fddi "
	  "PARTITION=old",
	  EMPTY("1", "such node has DISK 100 (TmpDisk: 0 at most)") },
	{ "a shell's pattern", "HOSTLIST=login,n* USERLIST=u",
	  WARN("1:36", "SRCFG[a] HOSTLIST: 'n*' is a regular expression, not a shell pattern: it "
		       "matches 4 nodes") },
	{ "a part of names, in quotes", "HOSTLIST='login,n' USERLIST=u",
	  WARN("1:37", "SRCFG[a] HOSTLIST: 'n' is only part of a node name: it matches 4 "
		       "nodes") },
	{ "a range of too many", "HOSTLIST=n[1-14] USERLIST=u",
	  WARN("1:30", "SRCFG[a] HOSTLIST: no node n[4-14]: the others are reserved") },
	{ "TPN too large for every node", "TASKCOUNT=9 RESOURCES=PROCS:4 TPN=5",
	  EMPTY("9", "node has PROCS 4 for each of TPN=5 tasks (CPUs: 16 at most)") },
	{ "a task of memory only", "TASKCOUNT=99 RESOURCES=MEM:16000",
	  PARTIAL("1:21", "99", "2", "4") },
	{ "TPN", "TASKCOUNT=9 RESOURCES=PROCS:4 TPN=2", PARTIAL("1:21", "9", "2", "8") },
	{ "features", "TASKCOUNT=2 NODEFEATURES=wide,fddi",
	  WARN("1:21", "SRCFG[a] stays partial: TASKCOUNT is 2, and the 1 node that could hold "
		       "such tasks has room for 1") },
	{ "partition", "TASKCOUNT=3 PARTITION=old", PARTIAL("1:21", "3", "2", "2") },
	{ "a partition's name in another", "TASKCOUNT=1 PARTITION=ol", "" },
	{ "a feature that no node has", "TASKCOUNT=1 NODEFEATURES=wide,nosuch,nor",
	  UNSERVED("1:33", " has 'nosuch'") UNSERVED("1:33", " has 'nor'") },
	{ "a feature of other nodes", "HOSTLIST=login NODEFEATURES=wide,fddi PARTITION=old",
	  UNSERVED("1:36", " has all of them") },
	{ "a feature of another partition", "TASKCOUNT=1 NODEFEATURES=wider PARTITION=old",
	  UNSERVED("1:33", " of its PARTITION has 'wider'") },
	{ "a feature in brackets", "TASKCOUNT=2 NODEFEATURES=[wide]", "" },
	{ "a negated feature", "TASKCOUNT=2 NODEFEATURES=!wide", "" },
	{ "hosts", "HOSTLIST=n[1-3]", "" },
	{ "unknown host", "HOSTLIST=n1,m7", NO_NODE("m7", "the others are reserved") },
	{ "only unknown hosts", "HOSTLIST=m7", NO_NODE("m7", "nothing is reserved") },
	{ "unknown hosts, tasks", "HOSTLIST=m7 TASKCOUNT=2", NO_NODE("m7", "nothing is reserved") },
	{ "unknown hosts, more tasks than any node holds", "HOSTLIST=m7 TASKCOUNT=99",
	  NO_NODE("m7", "nothing is reserved") },
	{ "more tasks than listed hosts", "HOSTLIST=n1 TASKCOUNT=4", "" },
};

TEST_ROWS(check_rsv, on_nodes, cases, row)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	char text[256], said[1024] = "";

	snprintf(text, sizeof(text), "SRCFG[a] USERLIST=u %s\n", row->attrs);
	config = PARSE_GOOD(text);
	maui_config_check_nodes(config, nodes, sizeof(nodes) / sizeof(nodes[0]), false, &diags);
	for (size_t i = 0; i < diags.count; i++) {
		maui_diag_format(&diags.list[i], said + strlen(said), sizeof(said) - strlen(said));
		strcat(said, "\n");
	}
	cr_expect(strcmp(said, row->said) == 0, "%s: expected\n%sgot\n%s", row->name, row->said,
		  said);
	maui_diags_finish(&diags);
	maui_config_unref(config);
}

/* Of a snapshot's nodes amounts, features and partitions count. */
Test(check_rsv, on_a_snapshot)
{
	static const char text[] = "SRCFG[a] USERLIST=u HOSTLIST=n1,m7\n"
				   "SRCFG[b] USERLIST=u TASKCOUNT=3 RESOURCES=PROCS:1;MEM:1000\n"
				   "SRCFG[c] USERLIST=u TASKCOUNT=2 PARTITION=old\n"
				   "SRCFG[d] USERLIST=u TASKCOUNT=2 NODEFEATURES=big\n"
				   "SRCFG[e] USERLIST=u TASKCOUNT=3 RESOURCES=PROCS:2\n"
				   "SRCFG[f] USERLIST=u TASKCOUNT=2\n";
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const struct maui_partition partitions[] = { { .name = "new" }, { .name = "old" } };
	const uint32_t both[] = { 0, 1 };
	const int64_t have[] = { 4, 2000, 0 };
	struct maui_node node = { .have = have, .partitions = both, .unit = 1 };
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_diags diags = { 0 };

	for (int i = 0; i < 2; i++)
		maui_snapshot_add_partition(s, &partitions[i]);
	node.name = "n1";
	node.partition_count = 2;
	node.features = "big";
	maui_snapshot_add_node(s, &node);
	node.id = 1;
	node.name = "n2";
	node.partition_count = 1;
	node.features = NULL;
	node.usable_from_s = MAUI_NEVER; /* down: it comes back */
	maui_snapshot_add_node(s, &node);
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	maui_config_check_snapshot(config, s, false, &diags);
	cr_expect(diags.count == 3, "%zu", diags.count);
	cr_expect_str_eq(diags.list[0].text, "SRCFG[a] HOSTLIST: 'm7' matches no node: the "
					     "others are reserved");
	cr_expect_str_eq(diags.list[1].text, "SRCFG[c] stays partial: TASKCOUNT is 2, and the 1 "
					     "node that could hold such tasks has room for 1");
	cr_expect_str_eq(diags.list[2].text, "SRCFG[d] stays partial: TASKCOUNT is 2, and the 1 "
					     "node that could hold such tasks has room for 1");
	cr_expect(diags.list[2].line == 4 && diags.list[2].column == 21);
	maui_diags_finish(&diags);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
}

/* NODECFG, also without a reservation. */
Test(check_rsv, nodes_of_nodecfg)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const int64_t have[] = { 4, 2000, 0 };
	struct maui_node node = { .name = "n1", .have = have, .unit = 1 };
	struct maui_config *config =
		PARSE_GOOD("NODEALLOCATIONPOLICY PRIORITY\n"
			   "NODECFG[n[1-3],login] PRIORITY=1 SPEED=2\n"
			   "NODECFG[DEFAULT] PRIORITY=1\nNODECFG[n1] PRIORITY=1\n");
	struct maui_diags diags = { 0 };

	maui_snapshot_add_node(s, &node);
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	maui_config_check_snapshot(config, s, false, &diags);
	cr_assert(diags.count == 1, "%zu", diags.count);
	cr_expect_str_eq(diags.list[0].text, "NODECFG[n[1-3],login]: no node n[2-3],login");
	cr_expect(diags.list[0].line == 2);
	maui_diags_finish(&diags);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
}

/* The name service knows user amy and group amys only, the database account acme and QOS high. */
static bool is_not_known(const void *context, int kind, const char *name)
{
	static const char *const known[] = { [MAUI_CRED_USER] = "amy",
					     [MAUI_CRED_GROUP] = "amys",
					     [MAUI_CRED_ACCOUNT] = "acme",
					     [MAUI_CRED_QOS] = "high" };

	return kind == MAUI_CRED_CLASS ? maui_snapshot_find_partition(context, name) < 0 :
					 strcmp(name, known[kind]) != 0;
}

#define NO_JOB(place, entry, kind) \
	WARN(place, "SRCFG" entry " is not a " kind ": no job matches this entry")

Test(check_rsv, names)
{
	static const char text[] = "SRCFG[a] HOSTLIST=n1 CLASSLIST=batch,!olds-\n"
				   "SRCFG[a] CLASSLIST=new USERLIST=*amy:bob,1007 GROUPLIST=amys\n"
				   "SRCFG[b] HOSTLIST=n1 PARTITION=nope\n"
				   "SRCFG[b] GROUPLIST=amy PARTITION=batch\n"
				   "SRCFG[c] HOSTLIST=n1 CLASSLIST=BATCH PARTITION=new\n"
				   "SRCFG[DEFAULT] USERLIST=eve\n";
	static const char *const said[] = {
		NO_JOB("1:22", "[a] CLASSLIST: 'olds'", "Slurm partition"),
		NO_JOB("2:10", "[a] CLASSLIST: 'new'", "Slurm partition"),
		NO_JOB("2:24", "[a] USERLIST: 'bob'", "user of this machine"),
		NO_JOB("4:10", "[b] GROUPLIST: 'amy'", "group of this machine"),
		WARN("4:24", "SRCFG[b] PARTITION: 'batch' is a partition without nodes: "
			     "nothing is reserved"),
		NO_JOB("5:22", "[c] CLASSLIST: 'BATCH'", "Slurm partition"),
		WARN("5:38", "SRCFG[c] PARTITION: 'new' is not a Slurm partition: "
			     "nothing is reserved"),
		NO_JOB("6:16", "[b] USERLIST: 'eve'", "user of this machine"),
		NO_JOB("6:16", "[c] USERLIST: 'eve'", "user of this machine"),
	};
	const struct maui_partition partitions[] = { { .name = "batch" }, { .name = "old" } };
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_diags diags = { 0 };
	char got[2048] = "", wanted[2048] = "";

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		strcat(wanted, said[i]);
	for (int i = 0; i < 2; i++)
		maui_snapshot_add_partition(s, &partitions[i]);
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	maui_config_check_empty_partitions(config, s, &diags);
	maui_config_check_known(config, is_not_known, s, &diags);
	maui_diags_sort(&diags);
	for (size_t i = 0; i < diags.count; i++) {
		maui_diag_format(&diags.list[i], got + strlen(got), sizeof(got) - strlen(got));
		strcat(got, "\n");
	}
	cr_expect_str_eq(got, wanted);
	maui_diags_finish(&diags);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
}

/* Each kind of object that a line of its own may set up; one warning for all lines of an object. */
Test(check_rsv, objects)
{
	static const char text[] =
		"CLASSCFG[batch] PRIORITY=1\nCLASSCFG[new] PRIORITY=1\nCLASSCFG[DEFAULT] PRIORITY=2\n"
		"USERCFG[amy] PRIORITY=1\nUSERCFG[bob] PRIORITY=1 MAXJOB=3\nUSERCFG[bob] MAXPROC=4\n"
		"USERCFG[1007] PRIORITY=1\nGROUPCFG[amys] PRIORITY=1\nGROUPCFG[bobs] PRIORITY=1\n"
		"ACCOUNTCFG[acme] PRIORITY=1\nACCOUNTCFG[ajax] PRIORITY=1\nQOSCFG[high] PRIORITY=1\n"
		"QOSCFG[low] PRIORITY=1\nNODECFG[n7] PRIORITY=1\nBACKFILLPOLICY[nope] NONE\n"
		"ADMIN1 amy,eve\nUSERCFG[amy] QDEF=own QLIST=asked\n";
	static const char said[] = WARN("2:15", "CLASSCFG[new]: 'new' is not a Slurm partition")
		WARN("5:14", "USERCFG[bob]: 'bob' is not a user of this machine")
			WARN("9:16", "GROUPCFG[bobs]: 'bobs' is not a group of this machine")
				WARN("11:18",
				     "ACCOUNTCFG[ajax]: 'ajax' is not an account in Slurm's "
				     "database") WARN("13:13", "QOSCFG[low]: 'low' is not a QOS in "
							       "Slurm's database")
					WARN("15:1", "BACKFILLPOLICY[nope]: 'nope' is not "
						     "a Slurm partition")
						WARN("16:12", "ADMIN1: 'eve' is not a user "
							      "of this machine");
	const struct maui_partition batch = { .name = "batch" };
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_diags diags = { 0 };
	char got[2048] = "";

	maui_snapshot_add_partition(s, &batch);
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	maui_config_check_known(config, is_not_known, s, &diags);
	maui_diags_sort(&diags);
	for (size_t i = 0; i < diags.count; i++) {
		maui_diag_format(&diags.list[i], got + strlen(got), sizeof(got) - strlen(got));
		strcat(got, "\n");
	}
	cr_expect_str_eq(got, said);
	cr_expect(maui_config_gives_qos(config, "own", false));
	cr_expect(maui_config_gives_qos(config, "asked", true));
	cr_expect(!maui_config_gives_qos(config, "asked", false));
	cr_expect(!maui_config_gives_qos(config, "low", true));
	maui_diags_finish(&diags);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
}

/* The warning appears once, with or without the note. */
Test(check_rsv, nothing_matched)
{
	struct maui_config *config = PARSE_GOOD("SRCFG[a] USERLIST=u HOSTLIST=m1:m2\n");
	struct maui_diags diags = { 0 };

	maui_config_check_nodes(config, nodes, sizeof(nodes) / sizeof(nodes[0]), true, &diags);
	cr_expect(diags.count == 1 && diags.list[0].severity == MAUI_WARNING, "%zu", diags.count);
	maui_diags_finish(&diags);
	maui_config_unref(config);
}

Test(check_rsv, what_matched)
{
	struct maui_config *config = PARSE_GOOD("SRCFG[a] USERLIST=u HOSTLIST=^n[13]$,login\n");
	struct maui_diags diags = { 0 };

	maui_config_check_nodes(config, nodes, sizeof(nodes) / sizeof(nodes[0]), true, &diags);
	cr_assert(diags.count == 1 && diags.list[0].severity == MAUI_NOTE);
	cr_expect_str_eq(diags.list[0].text, "SRCFG[a] HOSTLIST means 3 nodes: n1,n3,login");
	maui_diags_finish(&diags);
	maui_config_check_nodes(config, NULL, 0, true, &diags);
	maui_diags_finish(&diags);
	maui_config_unref(config);
}
