#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes own-rsv.json: golden cases of standing reservations that golden-shared.json does not
decide: when they exist, which jobs they admit, how each attribute is understood.

The expected values come from rsv_oracle.py, the C code is not asked. For every case own-NAME the
script also proves that the case notices when NAME is ignored.

usage: make-own-rsv.py [--check] [FILE]             compare with the file instead of writing it
       make-own-rsv.py --random N SEED FILE         N random cases, for a run of one's own
       make-own-rsv.py --shared golden-shared.json  the oracle against the cases of others
"""

import copy
import datetime
import json
import sys
import zoneinfo

sys.dont_write_bytecode = True  # the source directory may be read-only, and stays clean
import own_file
from own_oracle import without
from rsv_oracle import FEATURES

CASES = []
DENVER = "America/Denver"


def lines(text):
    return text if isinstance(text, str) else "\n".join(text) + "\n"


def prove(case, read_as):
    """own-NAME, own-SRCFG.ATTR: leaving it out must change what is expected"""
    name = case["id"][len("own-"):]
    if name != name.upper():
        return
    left = without(read_as, name)
    assert left != read_as, "%s: nothing to leave out" % case["id"]
    try:
        assert FEATURES[case["feature"]](left, case["inputs"]) != case["expected"], case["id"]
    except (StopIteration, IndexError):
        pass  # the reservation is gone altogether


def add(name, feature, text, inputs, read_as=None):
    """read_as: the same configuration in canonical spelling, where `text` is not"""
    text, read_as = lines(text), lines(text if read_as is None else read_as)
    case = {"id": "own-" + name, "feature": feature, "config": text,
            "inputs": copy.deepcopy(inputs), "expected": FEATURES[feature](read_as, inputs)}
    assert all(case["id"] != other["id"] for other in CASES), case["id"]
    prove(case, read_as)
    CASES.append(case)


def epoch(zone, *date):
    return int(datetime.datetime(*date, tzinfo=zoneinfo.ZoneInfo(zone)).timestamp())


# ---- access lists ----

def job(rsvs=(), **changes):
    one = {"user": "amy", "group": "phys", "account": "a1", "qos": "hi", "class": "batch",
           "wclimit": 3600}
    one.update(changes)
    return {"job": {k: v for k, v in one.items() if v is not None}, "reservations": list(rsvs)}


def access_attributes():
    for attr, name in [("USERLIST", "amy"), ("GROUPLIST", "phys"), ("ACCOUNTLIST", "a1"),
                       ("QOSLIST", "hi"), ("CLASSLIST", "batch")]:
        add("SRCFG." + attr, "acl", ["SRCFG[r] %s=nobody,%s-" % (attr, name)], job())
    add("SRCFG.JOBATTRLIST", "acl", ["SRCFG[r] JOBATTRLIST=PREEMPTEE"], job(preemptee=True))
    add("SRCFG.TIMELIMIT", "acl", ["SRCFG[r] TIMELIMIT=1:00:00"], job())
    add("SRCFG.TASKLIMIT", "acl", ["SRCFG[r] TASKLIMIT=4"], job(tasks=4))
    add("SRCFG.PROCLIMIT", "acl", ["SRCFG[r] PROCLIMIT=16"], job(procs=16))
    add("SRCFG.TIMELOGIC", "acl", ["SRCFG[r] TIMELIMIT=0:30:00 USERLIST=amy TIMELOGIC=AND"],
        job())
    add("SRCFG.FLAGS", "acl", ["SRCFG[r] USERLIST=amy FLAGS=BYNAME"], job())
    add("SRCFG", "acl", ["SRCFG[r] USERLIST=amy", "SRCFG[s] USERLIST=bob"], job())


def rules_of_not():
    for name, text, changes in [
            ("missing", "ACCOUNTLIST=!a2", {"account": None}),
            ("missing-or-user", "ACCOUNTLIST=!a2 USERLIST=amy", {"account": None}),
            ("missing-and-time", "ACCOUNTLIST=!a2 TIMELIMIT=1:00:00*", {"account": None}),
            ("missing-required", "ACCOUNTLIST=!a2* USERLIST=amy", {"account": None}),
            ("missing-another", "ACCOUNTLIST=!a2 GROUPLIST=!chem", {"account": None}),
            ("missing-behind-another", "ACCOUNTLIST=!a2 GROUPLIST=!phys", {"account": None}),
            ("missing-only-required", "ACCOUNTLIST=!a2*", {"account": None}),
            ("missing-class", "CLASSLIST=!batch", {"class": None}),
            ("only", "ACCOUNTLIST=!a2", {}), ("two", "ACCOUNTLIST=!a2,!a3", {}),
            ("two-hit", "ACCOUNTLIST=!a2,!a1", {}), ("behind", "ACCOUNTLIST=a1!", {}),
            ("required", "ACCOUNTLIST=*!a2", {}),
            ("required-and-no-match", "ACCOUNTLIST=*!a2 USERLIST=bob", {}), ("with-name", "USERLIST=!bob,amy-", {}),
            ("and-no-match", "ACCOUNTLIST=!a2 USERLIST=bob-", {}),
            ("deny-before-required", "ACCOUNTLIST=!a1 USERLIST=bob*", {}),
            ("case", "ACCOUNTLIST=!A1", {}), ("case-of-the-job", "ACCOUNTLIST=proj-", {"account": "PROJ"}),
            ("attribute", "JOBATTRLIST=!PREEMPTEE", {}),
            ("attribute-hit", "JOBATTRLIST=!PREEMPTEE USERLIST=amy", {"preemptee": True}),
            ("limit", "PROCLIMIT=!4", {"procs": 5}), ("limit-hit", "PROCLIMIT=!4", {"procs": 4}),
            ("required-match-and-not", "USERLIST=amy*- GROUPLIST=!chem", {})]:
        add("acl-not-" + name, "acl", ["SRCFG[r] " + text], job(**changes))
    for name, text, changes in [
            ("hit", "USERLIST=^amy", {}), ("other", "USERLIST=^bob", {}),
            ("hit-but-group", "USERLIST=^amy GROUPLIST=phys-", {}),
            ("behind", "USERLIST=amy^", {}), ("missing", "ACCOUNTLIST=^a2", {"account": None}),
            ("required-hit", "USERLIST=*^amy GROUPLIST=phys", {}),
            ("required-other", "USERLIST=*^bob GROUPLIST=phys", {}),
            ("and-not", "USERLIST=^amy,!bob", {}), ("not-and-xor", "USERLIST=!amy,^bob", {})]:
        add("acl-xor-" + name, "acl", ["SRCFG[r] " + text], job(**changes))


def rules_of_required():
    for name, text, changes in [
            ("two-in-one-list", "USERLIST=amy*,bob*", {}),
            ("two-lists", "USERLIST=amy* GROUPLIST=phys*", {}),
            ("two-lists-one-missed", "USERLIST=amy* GROUPLIST=chem*", {}),
            ("only", "USERLIST=amy*-", {}), ("only-time", "TIMELIMIT=1:00:00*=", {}),
            ("only-missed", "USERLIST=bob*", {}),
            ("matched-others-not", "USERLIST=amy* GROUPLIST=chem", {}),
            ("missing-credential", "ACCOUNTLIST=a1* USERLIST=amy", {"account": None}),
            ("before", "USERLIST=*amy", {}), ("all-marks", "USERLIST=-*amy=", {}),
            ("affinity-of-the-last", "USERLIST=amy+ TIMELIMIT=2:00:00*-", {}),
            ("affinity-of-the-last-list", "GROUPLIST=phys- USERLIST=amy=", {}),
            ("two-times", "TIMELIMIT=1:00:00*,2:00:00*", {"wclimit": 5400}),
            ("two-times-unmarked", "TIMELIMIT=1:00:00,2:00:00-", {"wclimit": 5400}),
            ("time-and-user", "TIMELIMIT=1:00:00- USERLIST=amy", {"wclimit": 5400}),
            ("time-forever", "TIMELIMIT=INFINITY*", {"wclimit": 10**9}),
            ("proc-limit", "PROCLIMIT=4* USERLIST=amy", {"procs": 5}),
            ("task-limit", "TASKLIMIT=4*", {"tasks": 4})]:
        add("acl-required-" + name, "acl", ["SRCFG[r] " + text], job(**changes))
    for n, text in enumerate(["PROCLIMIT=>=16", "PROCLIMIT=>=16*- USERLIST=amy", "PROCLIMIT=>16=",
                              "PROCLIMIT=<16", "PROCLIMIT===16-", "PROCLIMIT=<=16",
                              "PROCLIMIT=>=!16 USERLIST=amy", "TASKLIMIT=>15|<4", "TASKLIMIT===15",
                              "TIMELIMIT=<1:00:00 PROCLIMIT=>=99", "TIMELIMIT=<0:59:61*="]):
        for size in [15, 16, 17]:
            add("acl-compared-%d-%d" % (n, size), "acl", ["SRCFG[r] " + text],
                job(procs=size, tasks=size - 12, wclimit=3600 + 60 * (size == 17) - (size == 15)))
    for name, text in [
            ("user", "USERLIST=amy TIMELIMIT=1:00:00-"),
            ("three", "USERLIST=amy TIMELIMIT=2:00:00=,1:00:00-,1:00:00-,0:10:00"),
            ("covered", "USERLIST=amy TIMELIMIT=1:00:00-,2:00:00="),
            ("not", "USERLIST=!bob TIMELIMIT=1:00:00-"),
            ("no-name", "USERLIST=bob TIMELIMIT=2:00:00,1:00:00-")]:
        for length in [600, 3600, 3601, 7200]:
            add("acl-affinity-of-short-%s-%d" % (name, length), "acl", ["SRCFG[r] " + text],
                job(wclimit=length))
    add("acl-lines-append", "acl", ["SRCFG[r] USERLIST=bob", "SRCFG[r] GROUPLIST=phys=",
                                    "SRCFG[r] USERLIST=amy-"], job())


def rules_of_overlap():
    begin = 1700467200
    for name, start, wclimit in [("before", begin - 3600, 3600), ("after", begin + 7200, 3600),
                                 ("one-second", begin - 3600, 3601),
                                 ("until-the-limit", begin - 3600, 5400),
                                 ("beyond-the-limit", begin - 3600, 5401),
                                 ("around", begin - 3600, 10**6)]:
        for what, text in [("", "USERLIST=bob TIMELIMIT=0:30:00"), ("-empty", "HOSTLIST=n1"),
                           ("-byname", "USERLIST=amy FLAGS=BYNAME")]:
            add("acl-overlap-%s%s" % (name, what), "acl", ["SRCFG[r] " + text],
                job([{"name": "r", "start": begin, "end": begin + 7200}], start=start,
                    wclimit=wclimit))


def rules_of_names():
    text = ["SRCFG[sr] USERLIST=amy FLAGS=BYNAME", "SRCFG[sr.b] USERLIST=amy",
            "SRCFG[srx] USERLIST=bob"]
    for name in ["sr", "sr.0", "sr.12", "maui.sr.20261122", "sr.", "sr.x", "sr.b", "srx", "Sr",
                 "maui.sr", "sr.20261122", "maui.sr.12", "maui.sr.b.20261122", "nothing", "sr.1.2"]:
        add("acl-advres-" + name.replace(".", "-"), "acl", text, job(advres=name))


def rules_of_qos():
    text = ["QOSCFG[hi] FLAGS=%s", "SRCFG[a] USERLIST=amy", "SRCFG[b] TIMELIMIT=0:30:00 USERLIST=x",
            "SRCFG[c] USERLIST=amy- TIMELIMIT=0:10:00*", "SRCFG[d] GROUPLIST=phys="]
    for name, flags in [("ignsrmaxtime", "IGNSRMAXTIME"), ("usereserved", "USERESERVED"),
                        ("usereserved-one", "USERESERVED:d"), ("usereserved-other", "USERESERVED:b"),
                        ("both", "USERESERVED:c,IGNSRMAXTIME"), ("none", "NOBF")]:
        add("acl-qos-" + name, "acl", [text[0] % flags] + text[1:], job())
    add("acl-qos-usereserved-and-advres", "acl", [text[0] % "USERESERVED:d"] + text[1:],
        job(advres="a"))
    add("qos-usereserved", "config", ["QOSCFG[hi] FLAGS=NOBF,USERESERVED:sr1"],
        {"field": "use_reserved"})
    add("qos-usereserved-any", "config", ["QOSCFG[hi] FLAGS=USERESERVED,NOBF"],
        {"field": "use_reserved"})


# ---- when ----

def windows(name, text, *date, zone=DENVER, read_as=None):
    add(name, "sr_window", text, {"name": "w", "now": epoch(zone, *date), "TZ": zone}, read_as)


def window_attributes():
    wednesday = (2023, 11, 22, 12, 0)
    windows("SRCFG.STARTTIME", ["SRCFG[w] STARTTIME=14:00:00"], *wednesday)
    windows("SRCFG.ENDTIME", ["SRCFG[w] ENDTIME=17:00:00"], *wednesday)
    windows("SRCFG.DAYS", ["SRCFG[w] DAYS=MON,THU,SUN DEPTH=7"], *wednesday)
    windows("SRCFG.DEPTH", ["SRCFG[w] DEPTH=5"], *wednesday)
    windows("SRCFG.PERIOD", ["SRCFG[w] PERIOD=WEEK"], *wednesday)
    windows("SRCFG.WSTARTTIME", ["SRCFG[w] PERIOD=WEEK WSTARTTIME=4:00:00:00"], *wednesday)
    windows("SRCFG.DURATION", ["SRCFG[w] STARTTIME=9:00:00 DURATION=2:30:00"], *wednesday)
    windows("SRCFG.WENDTIME", ["SRCFG[w] PERIOD=WEEK WENDTIME=5:12:30:00"], *wednesday)


def rules_of_windows():
    wednesday = (2023, 11, 22, 12, 0)
    for name, text in [
            ("infinity", "PERIOD=INFINITY"), ("infinite", "PERIOD=INFINITE"),
            ("infinity-start", "PERIOD=INFINITY STARTTIME=20:00:00 DEPTH=9 DAYS=SUN"),
            ("start-after-end", "STARTTIME=20:00:00 ENDTIME=6:00:00"),
            ("start-is-end", "STARTTIME=9:00:00 ENDTIME=9:00:00"),
            ("week-start-after-end", "PERIOD=WEEK STARTTIME=5:00:00:00 ENDTIME=1:00:00:00"),
            ("end-zero", "STARTTIME=9:00:00 ENDTIME=0"),
            ("end-beyond", "STARTTIME=20:00:00 ENDTIME=30:00:00"),
            ("start-beyond", "STARTTIME=24:00:00 ENDTIME=30:00:00"),
            ("two-fields", "STARTTIME=10:30 ENDTIME=20:45"),
            ("depth-64", "STARTTIME=9:00:00 ENDTIME=17:00:00 DEPTH=64 DAYS=MON"),
            ("days-gaps", "DAYS=TUE,WED,FRI DEPTH=10"), ("days-all", "DAYS=ALL DEPTH=3"),
            ("days-lower", "DAYS=mon,Thu DEPTH=8"),
            ("week-depth", "PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00 DEPTH=60"),
            ("week-whole", "PERIOD=WEEK DEPTH=3"),
            ("week-days", "PERIOD=WEEK DAYS=SUN DEPTH=3"),
            ("week-end", "PERIOD=WEEK STARTTIME=6:00:00:00"),
            ("week-both", "PERIOD=WEEK STARTTIME=1:00:00 WSTARTTIME=2:00:00:00 ENDTIME=3:00:00:00"),
            ("day-with-week-times", "WSTARTTIME=1:00:00:00 WENDTIME=2:00:00:00"),
            ("last-wins", "STARTTIME=9:00:00 STARTTIME=10:00:00 ENDTIME=20:00:00"),
            ("over-24", "PERIOD=WEEK STARTTIME=30:00:00 ENDTIME=50:00:00")]:
        windows("window-" + name, ["SRCFG[w] " + text], *wednesday)
    for n, value in enumerate(["MONWEDFRI", "[MON,WED,FRI]", "Mon;Wed;Fri", "monWed+FRIDAY"]):
        windows("window-days-spelled-%d" % n, ["SRCFG[w] DEPTH=8 DAYS=" + value], *wednesday,
                read_as=["SRCFG[w] DEPTH=8 DAYS=MON,WED,FRI"])
    windows("window-period-days", ["SRCFG[w] PERIOD=DAYS DEPTH=3"], *wednesday,
            read_as=["SRCFG[w] PERIOD=DAY DEPTH=3"])
    for name, date in [("sunday", (2023, 11, 19, 0, 0)), ("saturday", (2023, 11, 25, 23, 59)),
                       ("over", (2023, 11, 24, 17, 0))]:
        windows("window-week-on-" + name,
                ["SRCFG[w] PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00"], *date)
    for old, new in [("SRSTARTTIME[w] 8:00:00\nSRENDTIME[w] 13:00:00\nSRDAYS[w] Mon Wed\n"
                      "SRDEPTH[w] 9\nSRTASKCOUNT[w] 1\n",
                      ["SRCFG[w] STARTTIME=8:00:00 ENDTIME=13:00:00 DAYS=MON,WED DEPTH=9"]),
                     ("SRPERIOD[w] WEEK\nSRWSTARTTIME[w] 1:08:00:00\nSRWENDTIME[w] 5:17:00:00\n"
                      "SRTASKCOUNT[w] 1\n",
                      ["SRCFG[w] PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00"])]:
        windows("alias-window-%d" % len(new[0]), old, *wednesday, read_as=new)


def rules_of_summer_time():
    spring, autumn = (2024, 3, 9, 12, 0), (2024, 11, 2, 12, 0)
    for name, text in [
            ("whole-day", "DEPTH=3"), ("in-the-gap", "STARTTIME=2:30:00 ENDTIME=5:00:00"),
            ("both-in-the-gap", "STARTTIME=2:15:00 ENDTIME=2:45:00"),
            ("end-in-the-gap", "STARTTIME=1:00:00 ENDTIME=2:30:00"),
            ("gap-to-its-end", "STARTTIME=2:30:00 ENDTIME=3:00:00"),
            ("until-the-gap", "STARTTIME=1:30:00 ENDTIME=2:00:00"),
            ("the-hour", "STARTTIME=1:00:00 ENDTIME=2:00:00"),
            ("inside-the-hour", "STARTTIME=1:15:00 ENDTIME=1:45:00"),
            ("from-the-hour", "STARTTIME=1:30:00 ENDTIME=9:00:00"),
            ("to-the-hour", "STARTTIME=0:30:00 ENDTIME=1:30:00"),
            ("week", "PERIOD=WEEK STARTTIME=2:30:00 ENDTIME=1:02:30:00"),
            ("week-over-it", "PERIOD=WEEK STARTTIME=0 ENDTIME=2:09:00:00"),
            ("week-whole", "PERIOD=WEEK DEPTH=3")]:
        windows("spring-" + name, ["SRCFG[w] " + text], *spring)
        windows("autumn-" + name, ["SRCFG[w] " + text], *autumn)
    for zone, date in [("America/Havana", (2024, 3, 9, 12, 0)), ("America/Havana", (2024, 11, 2, 12, 0)),
                       ("Europe/Dublin", (2024, 3, 30, 12, 0)), ("Europe/Dublin", (2024, 10, 26, 12, 0)),
                       ("Australia/Lord_Howe", (2024, 10, 5, 12, 0)),
                       ("Australia/Lord_Howe", (2024, 4, 6, 12, 0)), ("Asia/Kathmandu", (2024, 1, 1))]:
        for n, text in enumerate(["DEPTH=3", "STARTTIME=0:30:00 ENDTIME=2:15:00"]):
            windows("zone-%s-%d-%d" % (zone.split("/")[1].lower(), date[1], n),
                    ["SRCFG[w] " + text], *date, zone=zone)
    windows("autumn-now-in-the-second-hour", ["SRCFG[w] STARTTIME=1:00:00 ENDTIME=1:30:00"],
            2024, 11, 3, 2, 30)


# ---- what ----

def attributes():
    for attr, value in [("ACCESS", "SHARED"), ("CHARGEACCOUNT", "Jupiter"),
                        ("IDLETIME", "0:10:00"), ("NODEFEATURES", "wide,fddi"),
                        ("OWNER", "ACCOUNT:Jupiter"), ("PARTITION", "OLD"), ("PRIORITY", "-7"),
                        ("RESOURCES", "PROCS:2;MEM:512;DISK:10;SWAP:3"), ("TPN", "4"),
                        ("TRIGGER", "start+5:00:00:exec@/usr/local/domail.pl")]:
        add("SRCFG." + attr, "rsv", ["SRCFG[r] TASKCOUNT=9 %s=%s" % (attr, value)], {})
    add("SRCFG.HOSTLIST", "rsv", ["SRCFG[r] TASKCOUNT=9 HOSTLIST=node0[1-9],n7"], {})
    add("SRCFG.TASKCOUNT", "rsv", ["SRCFG[r] TASKCOUNT=9 HOSTLIST=n7"], {})
    for n, value in enumerate(["PROCS=2,MEM=512", "PROC:4+DISK:1", "MEM:100", "PROCS:-1",
                               "PROCS:-1;MEM:5", "PROCS:1|MEM:-1"]):
        add("rsv-resources-%d" % n, "rsv", ["SRCFG[r] TASKCOUNT=1 RESOURCES=" + value], {})
    for n, value in enumerate(["end;cancel", "create+60;submit@/a.sh", "minload+0:30:00@0.25;cancel",
                               "start;exec@/opt/exec/x", "start:exec@/a;b", "end+1:exec@/p@q"]):
        add("rsv-trigger-%d" % n, "rsv", ["SRCFG[r] TASKCOUNT=1 TRIGGER=" + value], {})
    add("rsv-triggers", "rsv", ["SRCFG[r] TASKCOUNT=1 TRIGGER=start;exec@/a",
                                "SRCFG[r] TRIGGER=end;exec@/b"], {})
    for kind in ["USER", "GROUP", "ACCOUNT", "QOS", "CLASS"]:
        add("rsv-owner-" + kind.lower(), "rsv", ["SRCFG[r] TASKCOUNT=1 OWNER=%s:Tom" % kind], {})
    for n, value in enumerate(["BYNAME,SPACEFLEX", "SINGLEUSE:FORCE|TIMEFLEX",
                               "OWNERPREEMPT,PREEMPTEE,BESTEFFORT",
                               "DEDICATEDNODE,DEDICATEDRESOURCE,STANDINGRES"]):
        add("rsv-flags-%d" % n, "rsv",
            ["SRCFG[r] TASKCOUNT=1 OWNER=USER:t FLAGS=" + value], {})
    for text in ["TASKCOUNT=3 HOSTLIST=ALL", "HOSTLIST=ALL", "TASKCOUNT=3 PARTITION=ALL",
                 "TASKCOUNT=3 PERIOD=WEEK", "TASKCOUNT=3 PERIOD=WEEK WENDTIME=5:00:00:00"]:
        add("rsv-" + text.lower().replace("=", "-").replace(" ", "-").replace(":", ""), "rsv",
            ["SRCFG[r] " + text], {})
    for number in range(3):
        add("rsv-order-%d" % number, "rsv",
            ["SRCFG[b] TASKCOUNT=1", "SRCFG[c] TASKCOUNT=2", "SRCFG[b] TPN=1", "SRCFG[a] TASKCOUNT=3",
             "SRCFG[c] TASKCOUNT=4 NODEFEATURES=x", "SRCFG[c] NODEFEATURES=y"], {"number": number})


def templates():
    """SRCFG[DEFAULT]: for each attribute that a reservation does not have itself, wherever it stands"""
    text = ["SRCFG[DEFAULT] TASKCOUNT=2 RESOURCES=PROCS:1 STARTTIME=8:00:00 DAYS=MON,TUE,WED PRIORITY=3",
            "SRCFG[a] PRIORITY=9 STARTTIME=10:00:00", "SRCFG[b] TASKCOUNT=5 TRIGGER=end;cancel",
            "SRCFG[DEFAULT] PARTITION=p ENDTIME=17:00:00 OWNER=USER:tom TRIGGER=start;exec@/a"]
    for number in range(2):
        add("template-%d" % number, "rsv", text, {"number": number})
    windows("template-window", ["SRCFG[w] ENDTIME=17:00:00", text[0].replace("[b]", "[w]")],
            2023, 11, 21, 12, 0)
    for name, lines_of in [
            ("list", ["SRCFG[DEFAULT] USERLIST=amy-", "SRCFG[r] GROUPLIST=chem"]),
            ("own-list", ["SRCFG[DEFAULT] USERLIST=amy", "SRCFG[r] USERLIST=bob"]),
            ("none", ["SRCFG[DEFAULT] USERLIST=amy", "SRCFG[r] USERLIST=[NONE] GROUPLIST=chem"]),
            ("before", ["SRCFG[DEFAULT] USERLIST=amy-", "SRCFG[r] GROUPLIST=phys="]),
            ("behind", ["SRCFG[r] GROUPLIST=phys=", "SRCFG[DEFAULT] USERLIST=amy-"]),
            ("flags", ["SRCFG[DEFAULT] FLAGS=BYNAME", "SRCFG[r] USERLIST=amy",
                       "SRCFG[s] USERLIST=amy FLAGS=SPACEFLEX"]),
            ("time", ["SRCFG[DEFAULT] TIMELIMIT=0:30:00 TIMELOGIC=AND", "SRCFG[r] USERLIST=amy",
                      "SRCFG[s] USERLIST=amy TIMELIMIT=1:00:00"])]:
        add("template-acl-" + name, "acl", lines_of, job())
    add("template-old", "acl", ["SRUSERLIST[DEFAULT] amy-", "SRCFG[r] GROUPLIST=chem"], job(),
        ["SRCFG[DEFAULT] USERLIST=amy-", "SRCFG[r] GROUPLIST=chem"])


# Older spellings: (lines as they stand in old files, the same today)
ALIASES = [
    ("SRACCESS[r] SHARED", "ACCESS=SHARED"), ("SRCHARGEACCOUNT[r] x", "CHARGEACCOUNT=x"),
    ("SRFEATURES[r] wide fddi", "NODEFEATURES=wide,fddi"), ("SRFLAGS[r] BYNAME", "FLAGS=BYNAME"),
    ("SRHOSTLIST[r] n1", "HOSTLIST=n1"), ("SRIDLETIME[r] 60", "IDLETIME=60"),
    ("SRPARTITION[r] p", "PARTITION=p"), ("SRPRIORITY[r] 5", "PRIORITY=5"),
    ("SRRESOURCES[r] PROCS=2;MEM=512", "RESOURCES=PROCS:2;MEM:512"), ("SRTPN[r] 2", "TPN=2"),
    ("SRCFG[r] FLAG=BYNAME", "FLAGS=BYNAME"), ("SRCFG[r] FEATURES=wide", "NODEFEATURES=wide"),
]


def aliases():
    for old, new in ALIASES:
        add("alias-" + old.split()[0].lower().replace("[r]", "") + "-" + new.split("=")[0].lower(),
            "rsv", ["SRCFG[r] TASKCOUNT=1", old], {}, ["SRCFG[r] TASKCOUNT=1", "SRCFG[r] " + new])
    for old, new in [("SRUSERLIST[r] bob amy-", "USERLIST=bob,amy-"),
                     ("SRGROUPLIST[r] phys=", "GROUPLIST=phys="),
                     ("SRACCOUNTLIST[r] a1 a2", "ACCOUNTLIST=a1,a2"),
                     ("SRCLASSLIST[r] batch", "CLASSLIST=batch"), ("SRQOSLIST[r] hi-", "QOSLIST=hi-"),
                     ("SRMAXTIME[r] 1:00:00", "TIMELIMIT=1:00:00"),
                     ("SRCFG[r] MAXTIME=1:00:00", "TIMELIMIT=1:00:00"),
                     ("SRMAXTIME[r] 0:10:00\nSRTIMELOGIC[r] AND\nSRUSERLIST[r] amy",
                      "TIMELIMIT=0:10:00 TIMELOGIC=AND USERLIST=amy"),
                     ("QOSLIST[r] normal= hi debug= low-", "QOSLIST=normal=,hi,debug=,low-"),
                     ("SRCFG[r] QOSLIST=normal= hi debug= low-", "QOSLIST=normal=,hi,debug=,low-"),
                     ("SRCFG[r] USERLIST=bob|amy-:cat", "USERLIST=bob,amy-,cat")]:
        name = old.split("\n")[0].split()
        add("alias-acl-%s-%d" % (name[0].lower().replace("[r]", ""), len(old)), "acl", [old], job(),
            ["SRCFG[r] " + new])
    add("alias-order", "acl", ["SRUSERLIST[s] amy", "srcfg[r] USERLIST=amy-", "SRCLASSLIST[q] batch="],
        job(), ["SRCFG[s] USERLIST=amy", "SRCFG[r] USERLIST=amy-", "SRCFG[q] CLASSLIST=batch="])


def parameters():
    add("RESDEPTH", "config", ["RESDEPTH 12"], {"field": "res_depth"})
    add("RESCTLPOLICY", "config", ["RESCTLPOLICY ANY"], {"field": "res_ctl"})
    for name, value, field in [("RESCTLMAXCOUNT", "4", "res_max_count"),
                               ("RESCTLMAXPROC", "64", "res_max_procs"),
                               ("RESCTLMAXPS", "360000", "res_max_ps"),
                               ("RESCTLMAXTIME", "4:00:00", "res_max_length"),
                               ("RESCTLMAXAHEAD", "2:00:00:00", "res_max_ahead")]:
        add(name, "config", ["%s %s" % (name, value)], {"field": field})
        add("default-" + field, "config", [], {"field": field})
    add("RESERVATIONMIRROR", "config", ["RESERVATIONMIRROR CURRENT"], {"field": "mirror"})
    add("REASONTEXT", "config", ["REASONTEXT SLURM"], {"field": "reason_style"})
    add("HETJOBS", "config", ["HETJOBS ON"], {"field": "het_jobs"})
    add("ENABLEMULTIREQJOBS", "config", ["ENABLEMULTIREQJOBS TRUE"], {"field": "multi_requests"})
    add("ADMIN1", "config", ["ADMIN1 root amy"], {"field": "admin1"})
    add("ADMIN2", "config", ["ADMIN2 bob,cat"], {"field": "admin2"})
    add("ADMIN3", "config", ["ADMIN3 ALL"], {"field": "admin3"})
    add("admincfg", "config", ["ADMINCFG[1] USERS=root,amy NAME=all"], {"field": "admin1"},
        ["ADMIN1 root amy"])
    add("admincfg-2", "config", ["ADMINCFG[2] USERS=bob"], {"field": "admin2"}, ["ADMIN2 bob"])
    add("QUERYSOCKET", "config", ["QUERYSOCKET /run/slurm/maui"], {"field": "query_socket"})
    add("alias-admins", "config", ["ADMINS tom"], {"field": "admin1"}, ["ADMIN1 tom"])
    for field in ["het_jobs", "multi_requests", "res_depth", "res_ctl", "mirror", "admin1", "admin2", "admin3", "query_socket",
                  "use_reserved"]:
        add("default-" + field, "config", [], {"field": field})


# ---- at random ----

def random_acl(rng):
    names = {"USERLIST": ["amy", "bob", "cat"], "GROUPLIST": ["phys", "chem"],
             "ACCOUNTLIST": ["a1", "a2", "A2"], "QOSLIST": ["hi", "lo"], "CLASSLIST": ["batch", "fast"],
             "JOBATTRLIST": ["PREEMPTEE"], "TIMELIMIT": ["0:30:00", "1:00:00", "2:00:00"],
             "TASKLIMIT": ["2", "4"], "PROCLIMIT": ["4", "16"]}
    attrs = []
    for attr in rng.sample(sorted(names), rng.randint(0, 4)):
        words = rng.sample(names[attr], rng.randint(1, len(names[attr])))
        marks = ["", "", "", "+", "-", "=", "*", "*-"] + \
            ([] if attr == "TIMELIMIT" else ["!", "^", "!*", "^*"])
        attrs.append("%s=%s" % (attr, ",".join(
            (lambda m, w: m + w if rng.random() < 0.2 else w + m)(rng.choice(marks), w)
            for w in words)))
    if rng.random() < 0.2:
        attrs.append("FLAGS=BYNAME")
    if rng.random() < 0.1:
        attrs.append("TIMELOGIC=AND")
    return " ".join(attrs)


def random_access(rng):
    text = ["SRCFG[r%d] TASKCOUNT=1 %s" % (n, random_acl(rng)) for n in range(rng.randint(1, 5))]
    if rng.random() < 0.3:
        text.append("QOSCFG[hi] FLAGS=" + rng.choice(["IGNSRMAXTIME", "USERESERVED",
                                                       "USERESERVED:r1"]))
    begin = 1700467200
    changes = {"user": rng.choice(["amy", "bob", "dan"]), "group": rng.choice(["phys", "chem", None]),
               "account": rng.choice(["a1", "a2", "a3", None]), "qos": rng.choice(["hi", "lo", None]),
               "class": rng.choice(["batch", "fast"]), "tasks": rng.randint(1, 5),
               "procs": rng.choice([1, 4, 5, 16, 17]), "preemptee": rng.random() < 0.5,
               "wclimit": rng.choice([600, 1800, 1801, 3600, 7200, 7201])}
    if rng.random() < 0.2:
        changes["advres"] = rng.choice(["r0", "r1.2", "maui.r0.20260101", "x"])
    rsvs = []
    if rng.random() < 0.4:
        changes["start"] = begin + rng.randint(-9000, 9000)
        rsvs = [{"name": "r0", "start": begin, "end": begin + 7200}]
    return "acl", text, job(rsvs, **changes)


def clock(rng, top):
    return "%d:%02d:%02d" % (rng.randint(0, top), rng.choice([0, 15, 30]), rng.choice([0, 0, 1]))


def random_window(rng):
    attrs = []
    if rng.random() < 0.3:
        attrs.append("PERIOD=WEEK")
        for attr in ["STARTTIME", "ENDTIME", "WSTARTTIME", "WENDTIME"]:
            if rng.random() < 0.4:
                attrs.append("%s=%d:%s" % (attr, rng.randint(0, 6), clock(rng, 23)))
    else:
        for attr in ["STARTTIME", "ENDTIME"]:
            if rng.random() < 0.7:
                attrs.append("%s=%s" % (attr, clock(rng, rng.choice([3, 24]))))
        if rng.random() < 0.5:
            attrs.append("DAYS=" + ",".join(rng.sample(
                ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], rng.randint(1, 6))))
    if rng.random() < 0.7:
        attrs.append("DEPTH=%d" % rng.choice([1, 3, 8, 30]))
    zone = rng.choice(["UTC", DENVER, DENVER, "America/Havana", "Europe/Dublin",
                       "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Chatham"])
    base = rng.choice([1710054000, 1730613600, 1711843200, 1729983600, 1700467200, 1728135000])
    return "sr_window", ["SRCFG[w] TASKCOUNT=1 " + " ".join(attrs)], \
        {"name": "w", "now": base + rng.randint(-5 * 86400, 2 * 86400), "TZ": zone}


def random_case(rng):
    return random_access(rng) if rng.random() < 0.5 else random_window(rng)


# ---- the file ----

def check_shared(path):
    """The oracle against the shared cases, which were computed independently"""
    with open(path, encoding="utf-8") as file:
        cases = [c for c in json.load(file)["cases"] if c["feature"] in ("acl", "sr_window")]
    wrong = 0
    for case in cases:
        got = FEATURES[case["feature"]](case["config"], case["inputs"])
        if case["feature"] == "acl":
            got = {"granted": got["granted"], "per_reservation": [
                {"reason" if k == "why" else k: v for k, v in one.items()}
                for one in got["per_reservation"]]}
        else:
            got = {"windows": [{k: v for k, v in one.items() if k != "day"}
                               for one in got["windows"]]}
        if got != case["expected"]:
            wrong += 1
            print("%s: expected %s, got %s" % (case["id"], case["expected"], got))
    print("%d cases, %d differ" % (len(cases), wrong))
    return 1 if wrong or not cases else 0


# ---- the file ----

def add_random(rng, case):
    add(case, *random_case(rng))


def main():
    sections = [
        access_attributes, rules_of_not, rules_of_required, rules_of_overlap,
        rules_of_names, rules_of_qos, window_attributes, rules_of_windows,
        rules_of_summer_time, attributes, templates, aliases, parameters]
    own_file.main("own-rsv.json", CASES, sections, add_random, seed=715, repeat=60,
                  prefix="rsv", shared=check_shared)


if __name__ == "__main__":
    main()
