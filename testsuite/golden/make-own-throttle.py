#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes own-throttle.json: golden cases of throttling that golden-shared.json does not decide.

The expected values come from throttle_oracle.py, the C code is not asked: two readings of one text.
For every case own-NAME and own-CFG.ATTR the script also proves that the case notices when the
parameter, or the attribute in any family, is ignored.

usage: make-own-throttle.py [--check] [FILE]    --check: compare with the file, do not write it
       make-own-throttle.py --random N SEED FILE    N random cases, for a run of their own
"""

import copy
import re
import sys

sys.dont_write_bytecode = True  # the source directory may be read-only, and stays clean
import own_file
from own_oracle import FAMILIES, without
from throttle_jobs import ASKED, asks_for, FAMILY, idle, job, random_case, runs, SYSTEM
from throttle_oracle import ORDER, RESOURCES, throttling

CASES = []


# ---- making a case ----

def prove(case, more):
    """own-NAME, own-CFG.ATTR: leaving it out must change what is expected"""
    name = case["id"][len("own-"):]
    if name != name.upper():
        return
    names = [name]
    if name.startswith("CFG."):
        attr = re.escape(name[len("CFG."):])
        names = [family + "." + name[len("CFG."):] for family in FAMILIES
                 if re.search(r"^%s\b.*\s%s(\[\S*\])?=" % (family, attr), case["config"], re.M)]
        assert names, case["id"]
    for one in names:
        left = without(case["config"], one)
        assert left != case["config"], "%s: nothing to leave out" % case["id"]
        assert throttling(left, case["inputs"], more) != case["expected"], \
            "%s does not notice %s" % (case["id"], one)


def add(name, text, inputs, more=()):
    text = "\n".join(text) + "\n"
    case = {"id": "own-" + name, "feature": "throttling", "config": text,
            "inputs": copy.deepcopy(inputs), "expected": throttling(text, inputs, more)}
    assert all(case["id"] != other["id"] for other in CASES), case["id"]
    prove(case, more)
    CASES.append(case)


# ---- a case for each attribute and parameter: it fails when that is ignored ----

def tight(resource, less=1):
    """A limit that one such job keeps and two break"""
    return 2 * ASKED[resource] - less


def each_active_limit():
    for resource in RESOURCES:
        values = [tight(resource)] if resource == "JOB" else \
            [tight(resource, less) for less in (1, 2)]
        objects = [("%s[%s]" % (FAMILY[kind], job()[kind]) if kind != "system" else "SYSCFG")
                   for kind in ORDER + ["system"]]
        text = ["%s MAX%s=%d" % (who, resource, values[n % len(values)])
                for n, who in enumerate(objects)]
        add("CFG.MAX" + resource, text,
            runs(job("r", **asks_for(resource)), **asks_for(resource)))


def each_idle_limit():
    """For each kind two jobs that only share a credential of that kind, then one for the system"""
    for resource in RESOURCES:
        jobs, text = [], []
        for n, kind in enumerate(ORDER):
            for i in range(2):
                mine = {other: "%s%d%d" % (other, n, i) for other in ORDER}
                mine[kind] = "shared"
                jobs.append(job("i%d%d" % (n, i), **mine, **asks_for(resource)))
            text.append("%s[shared] MAXI%s=%d" % (FAMILY[kind], resource, tight(resource)))
        text.append("SYSCFG MAXI%s=%d" % (resource, ASKED[resource] * 5))
        jobs.append(job("last", **{kind: "z" + kind for kind in ORDER}, **asks_for(resource)))
        add("CFG.MAXI" + resource, text, idle(*jobs))


def each_override():
    for resource in RESOURCES:
        text = ["USERCFG[amy] MAX%s=%d" % (resource, ASKED[resource]),
                "QOSCFG[hi] OMAX%s=%d" % (resource, ASKED[resource] * 3)]
        add("CFG.OMAX" + resource, text,
            runs(job("r", **asks_for(resource)), **asks_for(resource)))
        text = ["GROUPCFG[phys] MAXI%s=%d" % (resource, ASKED[resource]),
                "QOSCFG[hi] OMAXI%s=%d" % (resource, ASKED[resource] * 2)]
        add("CFG.OMAXI" + resource, text,
            idle(*[job(name, **asks_for(resource)) for name in "abd"]))


def each_single_limit():
    for resource in RESOURCES[1:]:
        add("CFG.OMAXJ" + resource, ["QOSCFG[hi] OMAXJ%s=%d" % (resource, ASKED[resource] - 1)],
            runs(**asks_for(resource)), ["line"])
    add("CFG.MAXPROCPERJOB", ["CLASSCFG[batch] MAXPROCPERJOB=3"], runs(), ["line"])
    add("CFG.MAXNODEPERJOB", ["CLASSCFG[batch] MAXNODEPERJOB=1"], runs(), ["line"])
    add("CFG.MAX.WCLIMIT", ["CLASSCFG[batch] MAX.WCLIMIT=59:59"], runs(), ["line"])
    add("CFG.MINPROC", ["%s[%s] MINPROC=%d" % (FAMILY[kind], job()[kind], 5 + n)
                        for n, kind in enumerate(ORDER)], runs(), ["line"])
    for name, value in [("SYSTEMMAXPROCPERJOB", "3"), ("SYSTEMMAXPROCSECONDPERJOB", "14399"),
                        ("SYSTEMMAXJOBWALLTIME", "59:59")]:
        add(name, ["%s %s" % (name, value)], runs(), ["line"])
    for resource in ["JOB", "NODE", "PROC"]:
        add("CFG.MAX%sPERUSER" % resource,
            ["QOSCFG[hi] MAX%sPERUSER=%d" % (resource, tight(resource)),
             "CLASSCFG[batch] MAX%sPERUSER=%d" % (resource, tight(resource))], runs(job("r")))
    add("CFG.FLAGS", ["USERCFG[amy] MAXJOB=1", "QOSCFG[hi] FLAGS=IGNUSER"], runs(job("r")))


def older_names():
    """Counts with their switches: OFF takes the count back"""
    for stem, resource in [("MAXJOBPERACCOUNT", "JOB"), ("MAXJOBPERGROUP", "JOB"),
                           ("MAXJOBPERUSER", "JOB"), ("MAXNODEPERUSER", "NODE"),
                           ("MAXPEPERUSER", "PE"), ("MAXPROCPERACCOUNT", "PROC"),
                           ("MAXPROCPERGROUP", "PROC"), ("MAXPROCPERUSER", "PROC"),
                           ("MAXPROCSECONDPERACCOUNT", "PS"), ("MAXPROCSECONDPERGROUP", "PS"),
                           ("MAXPROCSECONDPERUSER", "PS")]:
        text = ["%sCOUNT %d" % (stem, tight(resource))]
        add("alias-%scount" % stem.lower(), text, runs(job("r")))
        add(stem + "POLICY", text + [stem + "POLICY OFF"], runs(job("r")))
        add("alias-%spolicy-on" % stem.lower(), [stem + "POLICY ON"] + text, runs(job("r")))
    for who in ["ACCOUNT", "GROUP", "USER"]:
        stem = "MAXJOBQUEUEDPER" + who
        add("alias-%scount" % stem.lower(), [stem + "COUNT 1"], idle(job("a"), job("b")))
        add(stem + "POLICY", [stem + "COUNT 1", stem + "POLICY OFF"], idle(job("a"), job("b")))
    add("alias-maxpsperuser", ["MAXPSPERUSER 14400,28799"], runs(job("r")))
    add("alias-maxwcperuser", ["MAXWCPERUSER 1:00:00,1:59:59"], runs(job("r")))


# ---- rules ----

def rules_of_levels():
    jobs = [job("r1"), job("r2")]
    for name, value in [("pair", "2,4"), ("one", "2"), ("soft-above-hard", "4,2"),
                        ("soft-missing", "0,2"), ("hard-unlimited", "2,-1"),
                        ("unlimited", "-1"), ("soft-unlimited", "-1,2"), ("zero", "0")]:
        add("throttle-level-" + name, ["USERCFG[amy] MAXJOB=" + value], runs(*jobs), ["line"])
    add("throttle-exactly-at-the-limit", ["USERCFG[amy] MAXPROC=12"], runs(*jobs), ["line"])
    add("throttle-one-above-the-limit", ["USERCFG[amy] MAXPROC=11"], runs(*jobs), ["line"])
    add("throttle-over-already-asks-for-nothing", ["USERCFG[amy] MAXMEM=700"],
        runs(*jobs, mem=0), ["line"])
    for name, text in [("default", ["USERCFG[DEFAULT] MAXJOB=2"]),
                       ("own", ["USERCFG[DEFAULT] MAXJOB=2", "USERCFG[amy] MAXJOB=3"]),
                       ("zero", ["USERCFG[DEFAULT] MAXJOB=2", "USERCFG[amy] MAXJOB=0"]),
                       ("masked", ["USERCFG[DEFAULT] MAXJOB=2", "USERCFG[amy] MAXJOB=-1"]),
                       ("attribute", ["USERCFG[DEFAULT] MAXJOB=2", "USERCFG[amy] MAXNODE=99"]),
                       ("both-levels", ["USERCFG[DEFAULT] MAXJOB=1,2", "USERCFG[amy] MAXJOB=4"]),
                       ("qos", ["QOSCFG[DEFAULT] MAXJOB=2"])]:
        add("throttle-default-" + name, text, runs(*jobs))
    add("throttle-default-is-each-one's", ["USERCFG[DEFAULT] MAXJOB=2"],
        runs(job("r1"), job("r2", user="bob"), job("r3", user="eve")))
    add("throttle-no-credential", ["ACCOUNTCFG[DEFAULT] MAXJOB=1", "QOSCFG[DEFAULT] MAXJOB=1",
                                   "CLASSCFG[DEFAULT] MAXJOB=1"],
        runs(job("r", account=None, qos=None, **{"class": None}), account=None, qos=None,
             **{"class": None}))
    add("throttle-all-at-once",
        ["USERCFG[amy] MAXJOB=1 MAXPROC=4 MAXNODE=2 MAXPS=14400 MAXPE=4 MAXWC=1:00:00 MAXMEM=400",
         "CLASSCFG[batch] MAXJOB[USER]=1", "SYSCFG MAXJOB=1 MAXJOB[GROUP]=1",
         "SYSTEMMAXPROCPERJOB 1"], runs(*jobs), ["line"])


def rules_of_counting():
    add("throttle-count-remaining", ["USERCFG[amy] MAXWC=2:00:00 MAXPS=28800"],
        runs(job("r", elapsed=3599)))
    add("throttle-count-overrun", ["USERCFG[amy] MAXWC=1:00:00 MAXPS=14400 MAXJOB=1"],
        runs(job("r", elapsed=4000)), ["when"])
    add("throttle-count-suspended",
        ["USERCFG[amy] MAXJOB=1 MAXPROC=4 MAXNODE=3 MAXPS=14400 MAXWC=1:00:00 MAXMEM=700"],
        runs(job("r", suspended=True, elapsed=600)), ["line", "when"])
    add("throttle-count-suspended-pe", ["USERCFG[amy] MAXPE=5"],
        runs(job("r", suspended=True, mem=1024)))
    for name, mem, tasks in [("below", 3000, 1), ("whole", 2048, 3)]:
        add("throttle-pe-of-memory-" + name, ["USERCFG[amy] MAXPE=3"],
            runs(job("r", mem=mem, tasks=tasks), mem=mem, tasks=tasks), ["line"])
    add("throttle-pe-is-cut-job-by-job", ["USERCFG[amy] MAXPE=3"],
        runs(*[job("r%d" % n, mem=3900, tasks=1) for n in range(3)], tasks=1, mem=3900))
    add("throttle-pe-does-not-lose-a-whole-one", ["USERCFG[amy] MAXPE=56"],
        {"job": job(tasks=29), "running": [job("r", tasks=29)],
         "system": {"procs": 100, "mem": 0, "swap": 0, "disk": 0}})
    add("throttle-pe-of-disk", ["USERCFG[amy] MAXPE=9"], runs(disk=100000))
    add("throttle-mem-is-of-all-tasks", ["ACCOUNTCFG[acc] MAXMEM=799"], runs(job("r")), ["line"])
    add("throttle-mem-of-a-job-without", ["ACCOUNTCFG[acc] MAXMEM=400"], runs(job("r"), mem=None))
    add("throttle-procs-per-task", ["USERCFG[amy] MAXPROC=15"],
        runs(job("r", procs_per_task=2), procs_per_task=2), ["line"])
    add("throttle-usage-suspended", ["USERCFG[amy] MAXPS=1"],
        {"mode": "usage", "system": SYSTEM,
         "running": [job("a"), job("b", suspended=True), job("d", elapsed=9999)]})


def rules_of_system():
    add("throttle-syscfg-counts-all", ["SYSCFG MAXPROC=11"],
        runs(job("a", user="bob", group="chem", account=None, qos=None, **{"class": "x"}),
             job("b", user="eve")), ["line"])
    add("throttle-syscfg-soft", ["SYSCFG MAXJOB=1,2"], runs(job("r")), ["line"])
    add("throttle-systemcfg", ["SYSCFG MAXJOB=1"], runs(job("r")))
    for resource in RESOURCES:
        add("throttle-syscfg-is-not-overridden-" + resource.lower(),
            ["SYSCFG MAX%s=%d" % (resource, ASKED[resource]),
             "QOSCFG[hi] OMAX%s=%d FLAGS=IGNALL,IGNSYSTEM" % (resource, ASKED[resource] * 9)],
            runs(job("r", **asks_for(resource)), **asks_for(resource)))
    add("throttle-syscfg-pair", ["SYSCFG MAXJOB[USER]=1 MAXPROC[QOS:hi]=7"],
        runs(job("r"), job("s", user="bob", qos=None)), ["line"])
    add("throttle-syscfg-idle", ["SYSCFG MAXIPROC=8"],
        idle(job("a"), job("b", user="bob"), job("d", user="eve"), job("e", tasks=1)))
    limits = ["SYSTEMMAXPROCPERJOB 3", "SYSTEMMAXPROCSECONDPERJOB 100",
              "SYSTEMMAXJOBWALLTIME 10:00"]
    for flag in ["IGNSYSMAXPROC", "IGNSYSMAXPS", "IGNSYSMAXTIME", "IGNSYSTEM", "IGNALL", "IGNUSER"]:
        add("throttle-systemmax-" + flag.lower(), limits + ["QOSCFG[hi] FLAGS=" + flag], runs())
    for name, text in [("at-the-limit", ["SYSTEMMAXPROCPERJOB 4", "SYSTEMMAXJOBWALLTIME 1:00:00",
                                         "SYSTEMMAXPROCSECONDPERJOB 14400"]),
                       ("none", ["SYSTEMMAXPROCPERJOB -1", "SYSTEMMAXJOBWALLTIME -1"]),
                       ("zero", ["SYSTEMMAXPROCPERJOB 0", "SYSTEMMAXPROCSECONDPERJOB 0"]),
                       ("infinite", ["SYSTEMMAXJOBWALLTIME INFINITY"])]:
        add("throttle-systemmax-" + name, text, runs(job("r")))
    add("throttle-systemmax-is-not-overridden", limits + ["QOSCFG[hi] OMAXJPROC=9 OMAXJPS=99999 "
                                                          "OMAXJWC=9:00:00"], runs())
    add("throttle-systemmax-when", limits, runs(), ["when"])


def rules_of_single_jobs():
    limits = ["CLASSCFG[batch] MAXPROCPERJOB=3 MAXNODEPERJOB=1 MAX.WCLIMIT=59:59"]
    add("throttle-single-class", limits, runs(), ["line"])
    add("throttle-single-class-default", ["CLASSCFG[DEFAULT] MAXPROCPERJOB=3",
                                          "CLASSCFG[batch] MAXNODEPERJOB=1"], runs())
    add("throttle-single-class-of-another", ["CLASSCFG[long] MAXPROCPERJOB=3"], runs())
    add("throttle-single-omaxj-instead", limits + ["QOSCFG[hi] OMAXJPROC=4 OMAXJWC=1:00:00"],
        runs())
    add("throttle-single-omaxj-instead-still-limits", limits + ["QOSCFG[hi] OMAXJNODE=1,2"],
        runs(), ["line"])
    add("throttle-single-omaxj-unlimited", limits + ["QOSCFG[hi] OMAXJPROC=-1"], runs())
    add("throttle-single-omaxj-levels", ["QOSCFG[hi] OMAXJPROC=3,5"], runs(), ["line"])
    add("throttle-single-omaxj-of-another", ["QOSCFG[lo] OMAXJPROC=3"], runs())
    add("throttle-single-omaxj-default", ["QOSCFG[DEFAULT] OMAXJMEM=399"], runs(), ["line"])
    add("throttle-single-omax-is-no-omaxj", limits + ["QOSCFG[hi] OMAXPROC=99"], runs())
    for flag in ["IGNALL", "IGNPROCPERUSER", "IGNUSER"]:
        add("throttle-single-" + flag.lower(), limits + ["QOSCFG[hi] FLAGS=" + flag,
                                                         "USERCFG[amy] MINPROC=9"], runs())
    add("throttle-single-whatever-runs", limits, runs(job("r"), job("s")))
    add("throttle-minproc", ["CLASSCFG[batch] MINPROC=5", "USERCFG[amy] MINPROC=4",
                             "QOSCFG[hi] MINPROC=-1"], runs(), ["line"])
    add("throttle-minproc-default", ["USERCFG[DEFAULT] MINPROC=5", "USERCFG[amy] MINPROC=0",
                                     "GROUPCFG[DEFAULT] MINPROC=8", "GROUPCFG[phys] MINPROC=1"],
        runs())
    for flag in ["IGNUSER", "IGNGROUP", "IGNACCOUNT", "IGNALL"]:
        add("throttle-minproc-" + flag.lower(),
            ["%s[%s] MINPROC=9" % (FAMILY[kind], job()[kind]) for kind in ORDER] +
            ["QOSCFG[hi] FLAGS=" + flag], runs())
    add("throttle-single-before-the-others", limits + ["USERCFG[amy] MAXJOB=1"], runs(job("r")),
        ["line"])
    add("throttle-single-idle", limits + ["USERCFG[amy] MAXIJOB=1"],
        idle(job("big"), job("a", tasks=1, nodes=1, wclimit=60),
             job("b", tasks=1, nodes=1, wclimit=60)))


def one_of_each(value=1):
    """A limit for every kind and a pair of each"""
    return ["%s[%s] MAXJOB=%d MAXJOB[USER]=%d" % (FAMILY[kind], job()[kind], value, value)
            for kind in ORDER] + ["SYSCFG MAXJOB=%d MAXJOB[USER]=%d" % (value, value)]


def rules_of_flags():
    for flag in ["IGNJOBPERUSER", "IGNPROCPERUSER", "IGNNODEPERUSER", "IGNPSPERUSER", "IGNUSER",
                 "IGNGROUP", "IGNACCOUNT", "IGNSYSTEM", "IGNALL", "IGNJOBQUEUEDPERUSER", "NOBF"]:
        add("throttle-flag-" + flag.lower(),
            one_of_each() + ["GROUPCFG[phys] MAXPROC=4 MAXNODE=2 MAXPS=100 MAXPE=4 MAXWC=60 "
                             "MAXMEM=400 MAXPROC[CLASS]=4", "QOSCFG[hi] FLAGS=" + flag],
            runs(job("r")))
        add("throttle-flag-idle-" + flag.lower(),
            ["USERCFG[amy] MAXIJOB=1 MAXIPROC=11", "CLASSCFG[batch] MAXIJOB[GROUP]=2",
             "QOSCFG[hi] FLAGS=" + flag], idle(job("a"), job("b"), job("d"), job("e")))
    add("throttle-flag-of-another-qos", one_of_each() + ["QOSCFG[lo] FLAGS=IGNALL"],
        runs(job("r")))
    add("throttle-flag-default", one_of_each() + ["QOSCFG[DEFAULT] FLAGS=IGNALL"],
        runs(job("r"), job("s", qos="lo"), qos="lo"))
    add("throttle-flags-several", one_of_each() + ["QOSCFG[hi] FLAGS=IGNUSER:IGNGROUP,NOBF|"
                                                   "IGNACCOUNT"], runs(job("r")))
    add("throttle-flag-jobs-still-count", ["USERCFG[amy] MAXJOB=1", "QOSCFG[hi] FLAGS=IGNALL",
                                           "CLASSCFG[batch] MAXJOB[USER]=1"],
        runs(job("r"), qos="lo"), ["line"])


def rules_of_overrides():
    add("throttle-omax-only-replaces", ["QOSCFG[hi] OMAXJOB=1"], runs(job("r")))
    add("throttle-omax-not-the-unlimited", ["USERCFG[DEFAULT] MAXJOB=1", "USERCFG[amy] MAXJOB=-1",
                                            "QOSCFG[hi] OMAXJOB=1"], runs(job("r")))
    add("throttle-omax-replaces-default", ["USERCFG[DEFAULT] MAXJOB=1", "QOSCFG[hi] OMAXJOB=2"],
        runs(job("r")))
    add("throttle-omax-may-be-lower", one_of_each(9) + ["QOSCFG[hi] OMAXJOB=1"], runs(job("r")))
    add("throttle-omax-pairs", ["CLASSCFG[batch] MAXJOB[USER]=1 MAXPROC[GROUP:phys]=4",
                                "QOSCFG[hi] OMAXJOB=2 OMAXPROC=7"], runs(job("r")), ["line"])
    add("throttle-omax-pairs-of-the-qos", ["QOSCFG[hi] MAXJOB[USER]=1 OMAXJOB=9"],
        runs(job("r")), ["line"])
    add("throttle-omax-not-the-qos's-own", ["QOSCFG[hi] MAXJOB=1 OMAXJOB=9"], runs(job("r")),
        ["line"])
    add("throttle-omax-all", one_of_each() + ["QOSCFG[hi] OMAXJOB=2"], runs(job("r")))
    add("throttle-omax-unlimited", one_of_each() + ["QOSCFG[hi] OMAXJOB=-1"], runs(job("r")))
    add("throttle-omax-levels", ["USERCFG[amy] MAXJOB=1,2", "QOSCFG[hi] OMAXJOB=2,3"],
        runs(job("r"), job("s")), ["line"])
    add("throttle-omax-one-for-both-levels", ["USERCFG[amy] MAXJOB=1,9", "QOSCFG[hi] OMAXJOB=2"],
        runs(job("r"), job("s")), ["line"])
    add("throttle-omax-level-by-level", ["USERCFG[amy] MAXJOB=1,-1", "QOSCFG[hi] OMAXJOB=2,2"],
        runs(job("r"), job("s")), ["line"])
    add("throttle-omax-of-default-qos", ["USERCFG[amy] MAXJOB=1", "QOSCFG[DEFAULT] OMAXJOB=2"],
        runs(job("r", qos="lo"), qos="lo"))
    add("throttle-omax-without-qos", ["USERCFG[amy] MAXJOB=1", "QOSCFG[DEFAULT] OMAXJOB=2"],
        runs(job("r", qos=None), qos=None))
    add("throttle-omax-use-is-each-credential's", ["USERCFG[DEFAULT] MAXNODE=3",
                                                   "CLASSCFG[DEFAULT] MAXNODE=3",
                                                   "QOSCFG[hi] OMAXNODE=5"],
        runs(job("r"), job("s", user="bob")), ["line"])
    add("throttle-omaxi-pairs", ["CLASSCFG[batch] MAXIJOB[USER]=1", "QOSCFG[hi] OMAXIJOB=2"],
        idle(job("a"), job("b"), job("d"), job("e", qos="lo")))
    add("throttle-omaxi-not-the-qos's-own", ["QOSCFG[hi] MAXIJOB=1 OMAXIJOB=9"],
        idle(job("a"), job("b")))
    add("throttle-omaxi-soft-does-not-count", ["USERCFG[amy] MAXIJOB=1", "QOSCFG[hi] OMAXIJOB=1,2"],
        idle(job("a"), job("b"), job("d")))
    add("throttle-omaxi-is-no-omax", ["USERCFG[amy] MAXJOB=1", "QOSCFG[hi] OMAXIJOB=9"],
        runs(job("r")))


def rules_of_pairs():
    specific = ["CLASSCFG[batch] MAXJOB[USER]=1 MAXJOB[USER:bob]=3 MAXJOB[USER:eve]=-1"]
    for who in ["amy", "bob", "eve"]:
        add("throttle-pair-specific-" + who, specific,
            runs(*[job("r%d" % n, user=who) for n in range(3)], user=who), ["line"])
    add("throttle-pair-specific-only", ["CLASSCFG[batch] MAXJOB[USER:bob]=1"], runs(job("r")))
    add("throttle-pair-other-attribute", ["CLASSCFG[batch] MAXJOB[USER:amy]=9 MAXPROC[USER]=4"],
        runs(job("r")))
    add("throttle-pair-default", ["CLASSCFG[DEFAULT] MAXJOB[USER]=1", "CLASSCFG[batch] MAXJOB=9"],
        runs(job("r")), ["line"])
    add("throttle-pair-own-before-default", ["CLASSCFG[DEFAULT] MAXJOB[USER]=1",
                                             "CLASSCFG[batch] MAXJOB[USER]=2"], runs(job("r")))
    add("throttle-pair-default-specific-before-own-general",
        ["CLASSCFG[DEFAULT] MAXJOB[USER:amy]=1", "CLASSCFG[batch] MAXJOB[USER]=2"], runs(job("r")))
    add("throttle-pair-counts-both-only", ["CLASSCFG[batch] MAXJOB[USER]=1"],
        runs(job("r", user="bob"), job("s", **{"class": "long"})))
    add("throttle-pair-beside-plain", ["CLASSCFG[batch] MAXJOB=2 MAXJOB[USER]=1"],
        runs(job("r"), job("s", user="bob")))
    for kind in ORDER:
        for second in ORDER:
            add("throttle-pair-%s-%s" % (kind, second),
                ["%s[%s] MAXPROC[%s]=7" % (FAMILY[kind], job()[kind], second.upper())],
                runs(job("r"), job("s", **{second: "other"}), job("t", **{kind: "other"})),
                ["line"])
    add("throttle-pair-levels", ["CLASSCFG[batch] MAXJOB[USER]=1,2"], runs(job("r")), ["line"])
    add("throttle-pair-without-the-credential", ["CLASSCFG[batch] MAXJOB[QOS]=1"],
        runs(job("r", qos=None), qos=None))
    add("throttle-pair-idle", ["CLASSCFG[batch] MAXIJOB[USER]=1 MAXIPROC[GROUP:phys]=9"],
        idle(job("a"), job("b"), job("d", user="bob"), job("e", user="eve"),
             job("f", user="eve", group="chem")))


def rules_of_idle():
    add("throttle-idle-soft-does-not-count", ["USERCFG[amy] MAXIJOB=1,2"],
        idle(job("a"), job("b"), job("d")))
    add("throttle-idle-soft-above-hard", ["USERCFG[amy] MAXIJOB=2,1"], idle(job("a"), job("b")))
    add("throttle-idle-active-first", ["USERCFG[amy] MAXJOB=1", "USERCFG[amy] MAXIJOB=1"],
        idle(job("a", user="bob"), job("b"), job("d"), running=[job("r")]))
    add("throttle-idle-active-at-the-hard-level", ["USERCFG[amy] MAXJOB=1,2"],
        idle(job("a"), running=[job("r")]))
    add("throttle-idle-active-does-not-count-idle", ["USERCFG[amy] MAXJOB=2"],
        idle(job("a"), job("b"), job("d"), running=[job("r")]))
    add("throttle-idle-running-is-not-idle", ["USERCFG[amy] MAXIJOB=2"],
        idle(job("a"), job("b"), job("d"), running=[job("r")]))
    add("throttle-idle-passes-the-big-one", ["USERCFG[amy] MAXIPROC=8"],
        idle(job("a"), job("big", tasks=8), job("b"), job("d", tasks=1)))
    add("throttle-idle-held", ["USERCFG[amy] MAXIJOB=1"],
        idle(job("a", held=True), job("b"), job("d")))
    add("throttle-idle-reserved-counts", ["USERCFG[amy] MAXIJOB=1"],
        idle(job("a", reserved=True), job("b")))
    add("throttle-idle-reserved", ["USERCFG[amy] MAXIJOB=1 MAXJOB=1", "USERCFG[bob] MAXIJOB=1"],
        idle(job("a", reserved=True), job("b"), job("d", user="bob"), job("e", user="bob"),
             running=[job("r")]))


def rules_of_time():
    four = [job("a", wclimit=1000, elapsed=100), job("b", wclimit=2000, elapsed=200),
            job("d", wclimit=4000, elapsed=400, tasks=8), job("e", user="bob", wclimit=500)]
    for name, text in [("free", ["USERCFG[amy] MAXJOB=9"]), ("jobs", ["USERCFG[amy] MAXJOB=1,2"]),
                       ("procs", ["USERCFG[amy] MAXPROC=12,16"]),
                       ("never", ["USERCFG[amy] MAXPROC=3"]),
                       ("wc", ["USERCFG[amy] MAXWC=1:30:00,2:00:00"]),
                       ("ps", ["USERCFG[amy] MAXPS=20000,40000"]),
                       ("pair", ["CLASSCFG[batch] MAXJOB[USER]=1,3"]),
                       ("system", ["SYSCFG MAXJOB=1,4"]),
                       ("several", ["USERCFG[amy] MAXJOB=3", "SYSCFG MAXPS=33333,44444",
                                    "GROUPCFG[phys] MAXMEM=1300"])]:
        add("throttle-when-" + name, text, runs(*four), ["when"])
    add("throttle-when-suspended", ["USERCFG[amy] MAXJOB=1,2", "USERCFG[amy] MAXWC=1:10:00"],
        runs(job("r", suspended=True, wclimit=700), job("s", wclimit=900)), ["when"])
    add("throttle-when-suspended-never", ["USERCFG[amy] MAXJOB=1"],
        runs(job("r", suspended=True)), ["when"])
    add("throttle-when-ends-together", ["USERCFG[amy] MAXJOB=1"],
        runs(*[job("r%d" % n, wclimit=300) for n in range(4)]), ["when"])


# ---- the file ----

def add_random(rng, case):
    add(case, *random_case(rng))


def main():
    sections = [
        each_active_limit, each_idle_limit, each_override, each_single_limit,
        older_names, rules_of_levels, rules_of_counting, rules_of_system,
        rules_of_single_jobs, rules_of_flags, rules_of_overrides, rules_of_pairs,
        rules_of_idle, rules_of_time]
    own_file.main("own-throttle.json", CASES, sections, add_random, seed=622, repeat=40,
                  prefix="throttle")


if __name__ == "__main__":
    main()
