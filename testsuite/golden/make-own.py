#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes own.json: golden cases for what golden-shared.json does not decide.

The expected numbers come from own_oracle.py, the C code is not asked: two readings of one text.
For every case own-NAME the script also proves that the case notices when NAME is ignored.

usage: make-own.py [--check] [FILE]     --check: compare with the file instead of writing it
"""

import copy
import re
import sys

sys.dont_write_bytecode = True  # the source directory may be read-only, and stays clean
import own_file
from own_oracle import (CFG, COMPONENTS, FAMILIES, FEATURES, KINDS, QUANTITIES, Config, raw_values,
                        without)

# ---- the cases ----

CASES = []


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float("%.12g" % value) if isinstance(value, float) else value


def evaluate(feature, text, inputs):
    return rounded(FEATURES[feature](Config(text), inputs))


def prove(case, read_as):
    """own-NAME, own-CFG.ATTR: leaving it out must change what is expected"""
    name = case["id"][len("own-"):]
    if name != name.upper():
        return
    names = [name]
    if name.startswith("CFG."):
        attr = name[len("CFG."):]
        names = [family + "." + attr for family in FAMILIES
                 if re.search(family + r"\S*\s.*\b" + attr + "=", case["config"])]
    for one in names:
        left = without(read_as, one)
        assert left != read_as, "%s: nothing to leave out" % case["id"]
        assert evaluate(case["feature"], left, case["inputs"]) != case["expected"], \
            "%s does not notice %s" % (case["id"], one)


def add(name, feature, text, inputs, read_as=None):
    """read_as: the same configuration in canonical spelling, where `text` is not"""
    text = text if isinstance(text, str) else "\n".join(text) + "\n"
    read_as = text if read_as is None else "\n".join(read_as) + "\n"
    case = {"id": "own-" + name, "feature": feature, "config": text,
            "inputs": copy.deepcopy(inputs), "expected": evaluate(feature, read_as, inputs)}
    assert all(case["id"] != other["id"] for other in CASES), case["id"]
    prove(case, read_as)
    CASES.append(case)


def inputs_of(fs=None, usage=None, system=None, **changes):
    """A job with a bit of everything; None takes an entry away."""
    job = {"user": "amy", "group": "phys", "account": "acc1", "qos": "hi", "class": "batch",
           "tasks": 4, "procs_per_task": 2, "nodes": 3, "mem": 512, "swap": 256, "disk": 100,
           "wclimit": 7200, "effqtime": 5400, "bypass": 5}
    job.update(changes)
    return {"job": {k: v for k, v in job.items() if v is not None},
            "system": system or {"procs": 64, "mem": 131072, "swap": 262144, "disk": 2000000},
            "fs_percent": fs or {}, "user_usage": usage or {}}


FS_PERCENT = {"user": 20.0, "group": 12.5, "account": 31.0, "qos": 44.0, "class": 8.0}
FS_TARGETS = ["FSPOLICY DEDICATEDPS", "USERCFG[amy] FSTARGET=50", "GROUPCFG[phys] FSTARGET=40",
              "ACCOUNTCFG[acc1] FSTARGET=60+", "QOSCFG[hi] FSTARGET=70",
              "CLASSCFG[batch] FSTARGET=30"]
PRIORITIES = ["USERCFG[amy] PRIORITY=150", "GROUPCFG[phys] PRIORITY=70",
              "ACCOUNTCFG[acc1] PRIORITY=33", "QOSCFG[hi] PRIORITY=1000",
              "CLASSCFG[batch] PRIORITY=500"]
QOS_TARGETS = ["QOSCFG[hi] QTTARGET=5410 XFTARGET=2.0"]
PRELUDE = {"serv": [], "targ": QOS_TARGETS, "cred": PRIORITIES, "fs": FS_TARGETS, "res": [],
           "usage": []}


def rich_inputs():
    quantities = dict.fromkeys(QUANTITIES.values(), 3)
    return inputs_of(FS_PERCENT, {"procs": 24, "jobs": 3}, spviolation=True, state="running",
                     elapsed=1800, gpu=1, **quantities)


def weights_and_caps():
    for component, (weight, cap, subs) in COMPONENTS.items():
        inputs = rich_inputs()
        raw = raw_values(Config("\n".join(PRELUDE[component])), inputs)
        some = ["%sWEIGHT %s" % (sub, 2 + n) for n, sub in enumerate(subs)]
        total = sum((2 + n) * raw[sub] for n, sub in enumerate(subs))
        for sub in subs:
            assert raw[sub] > 0, sub
            add(sub + "WEIGHT", "priority", PRELUDE[component] + [sub + "WEIGHT 3.5"], inputs)
            add(sub + "CAP", "priority", PRELUDE[component] +
                [sub + "WEIGHT 3", "%sCAP %s" % (sub, repr(round(raw[sub] * 0.75, 6)))], inputs)
        add(weight, "priority", PRELUDE[component] + some + [weight + " 2.5"], inputs)
        add(cap, "priority", PRELUDE[component] + some +
            ["%s 3" % weight, "%s %s" % (cap, repr(round(total * 0.5, 6)))], inputs)


def honoured_parameters():
    low = ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "USERCFG[amy] PRIORITY=-500"]
    add("ENABLENEGJOBPRIORITY", "priority", low + ["ENABLENEGJOBPRIORITY TRUE"], inputs_of())
    add("REJECTNEGPRIOJOBS", "priority", low + ["REJECTNEGPRIOJOBS TRUE"], inputs_of())
    add("XFMINWCLIMIT", "priority", ["XFACTORWEIGHT 100", "XFMINWCLIMIT 0:10:00"],
        inputs_of(wclimit=60))
    add("FSPOLICY", "priority", ["FSPOLICY DEDICATEDPS%", "FSUSERWEIGHT 100",
                                 "USERCFG[amy] FSTARGET=25"], inputs_of(FS_PERCENT))
    add("FSINTERVAL", "fairshare", ["FSPOLICY DEDICATEDPS", "FSINTERVAL 6:00:00"],
        {"now": 1792345678})
    windows = {"cred": "user", "name": "amy",
               "windows": [60.0, 5.0, 10.0, 50.0, 7.0, 9.0, 1.0, 4.0],
               "totals": [110.0, 125.0, 100.0, 150.0, 90.0, 80.0, 70.0, 60.0],
               "request_proc_seconds": 3600}
    add("FSDEPTH", "fairshare", ["FSPOLICY DEDICATEDPS", "FSDEPTH 3"], windows)
    add("FSDECAY", "fairshare", ["FSPOLICY DEDICATEDPS", "FSDECAY 0.625"], windows)
    add("RMPOLLINTERVAL", "config", ["RMPOLLINTERVAL 00:00:45"], {"field": "poll_interval_s"})
    add("SYSTEMDEFAULTJOBWALLTIME", "config", ["SYSTEMDEFAULTJOBWALLTIME 1:30:00"],
        {"field": "default_walltime_s"})
    add("CFG.DEFAULT.WCLIMIT", "config", ["CLASSCFG[batch] DEFAULT.WCLIMIT=0:45:00"],
        {"field": "class_walltime_s"})
    for name, value, field in [("DEFERTIME", "00:20:00", "defer_time_s"),
                               ("DEFERCOUNT", "3", "defer_count"),
                               ("DEFERSTARTCOUNT", "2", "defer_start_count"),
                               ("JOBMAXSTARTTIME", "00:10:00", "max_start_s"),
                               ("SERVERMODE", "TEST", "server_mode")]:
        add(name, "config", ["%s %s" % (name, value)], {"field": field})
        add(name.lower() + "-default", "config", "", {"field": field})
    add("defertime-off", "config", ["DEFERTIME 0"], {"field": "defer_time_s"})
    add("servermode-lowercase", "config", ["SERVERMODE test"], {"field": "server_mode"})
    held = {"submit": 1000, "iterations": [{"now": 2000, "held": True}], "now": 2600}
    add("JOBPRIOACCRUALPOLICY", "accrual", ["JOBPRIOACCRUALPOLICY ALWAYS"], held)
    add("USESYSTEMQUEUETIME", "accrual", ["USESYSTEMQUEUETIME ON"], held)


def honoured_attributes():
    weights = ["%sWEIGHT %d" % (kind.upper(), 1 + n) for n, kind in enumerate(KINDS)]
    add("CFG.PRIORITY", "priority", weights + PRIORITIES, inputs_of())
    weights = ["FS%sWEIGHT %d" % (kind.upper(), 1 + n) for n, kind in enumerate(KINDS)]
    add("CFG.FSTARGET", "priority", weights + FS_TARGETS, inputs_of(FS_PERCENT))
    add("CFG.CLASSWEIGHT", "priority", ["CLASSWEIGHT 2", "CLASSCFG[batch] PRIORITY=500",
                                        "GROUPCFG[phys] CLASSWEIGHT=7"], inputs_of())
    add("CFG.QTWEIGHT", "priority", ["QUEUETIMEWEIGHT 2", "QOSCFG[hi] QTWEIGHT=5"], inputs_of())
    add("CFG.XFWEIGHT", "priority", ["XFACTORWEIGHT 2", "QOSCFG[hi] XFWEIGHT=5.5"], inputs_of())
    add("CFG.QTTARGET", "priority", ["TARGETQUEUETIMEWEIGHT 1000", "QOSCFG[hi] QTTARGET=5405"],
        inputs_of())
    add("CFG.XFTARGET", "priority", ["TARGETXFACTORWEIGHT 1000", "QOSCFG[hi] XFTARGET=2.25"],
        inputs_of())
    one_each = [("user", "u1"), ("group", "g1"), ("account", "a1"), ("class", "c1")]
    text = ["%s[%s] QDEF=q%s" % (CFG[kind], name, kind) for kind, name in one_each]
    nobody = {"user": "u0", "group": "g0", "account": "a0", "class": "c0"}
    add("CFG.QDEF", "qos", text + ["SYSCFG QDEF=qsystem"],
        {"jobs": [dict(nobody, **{kind: name}) for kind, name in one_each] + [nobody]})
    text = ["%s[%s] QLIST=q%s,other%s" % (CFG[kind], name, kind, kind) for kind, name in one_each]
    everyone = dict(one_each)
    add("CFG.QLIST", "qos", text + ["SYSCFG QLIST=qsystem"],
        {"jobs": [dict(everyone, requested="q" + what)
                  for what in ["user", "group", "account", "class", "system", "nothing"]]})


# Older spellings of what is honoured: (line as it stands in old files, the same today)
ALIASES = [
    ("AFSWEIGHT 3", "FSACCOUNTWEIGHT 3"), ("GFSWEIGHT 3", "FSGROUPWEIGHT 3"),
    ("UFSWEIGHT 3", "FSUSERWEIGHT 3"), ("CONSUMEDWEIGHT 3", "USAGECONSUMEDWEIGHT 3"),
    ("REMAININGWEIGHT 3", "USAGEREMAININGWEIGHT 3"), ("PERCENTWEIGHT 3", "USAGEPERCENTWEIGHT 3"),
    ("MEMORYWEIGHT 3", "MEMWEIGHT 3"), ("TARGWEIGHT 3", "TARGETWEIGHT 3"),
    ("SERVICETARGETWEIGHT 3", "TARGETWEIGHT 3"), ("SERVICEWCAP 30", "SERVICECAP 30"),
    ("DIRECTSPECWEIGHT 3", "CREDWEIGHT 3"),
    ("QUEUETIMETARGETWEIGHT 3", "TARGETQUEUETIMEWEIGHT 3"),
    ("XFACTORTARGETWEIGHT 3", "TARGETXFACTORWEIGHT 3"),
    ("CONSUMEDCAP 9", "USAGECONSUMEDCAP 9"), ("REMAININGCAP 9", "USAGEREMAININGCAP 9"),
    ("PERCENTCAP 9", "USAGEPERCENTCAP 9"), ("MEMORYCAP 9", "MEMCAP 9"),
    ("QOSPRIORITY[hi] 77", "QOSCFG[hi] PRIORITY=77"),
    ("QOSQTWEIGHT[hi] 7", "QOSCFG[hi] QTWEIGHT=7"),
    ("QOSXFWEIGHT[hi] 7", "QOSCFG[hi] XFWEIGHT=7"),
    ("QOSQTTARGET[hi] 1:30:07", "QOSCFG[hi] QTTARGET=1:30:07"),
    ("QOSTARGETQT[hi] 1:30:07", "QOSCFG[hi] QTTARGET=1:30:07"),
    ("QOSXFTARGET[hi] 1.875", "QOSCFG[hi] XFTARGET=1.875"),
    ("QOSTARGETXF[hi] 1.875", "QOSCFG[hi] XFTARGET=1.875"),
    ("ACCTCFG[acc1] PRIORITY=5", "ACCOUNTCFG[acc1] PRIORITY=5"),
]


def aliases():
    base = PRIORITIES + FS_TARGETS + QOS_TARGETS
    weights = {"TARGETQUEUETIME": 1, "TARGETXFACTOR": 1, "USER": 1, "ACCOUNT": 1, "QOS": 1,
               "FSUSER": 1, "FSACCOUNT": 1, "FSGROUP": 1, "MEM": 1, "USAGECONSUMED": 1,
               "USAGEREMAINING": 1, "USAGEPERCENT": 1}
    for old, new in ALIASES:
        name = re.match(r"\w+", old)[0]
        base_now = base + ["%sWEIGHT %d" % item for item in weights.items()
                           if not new.startswith(item[0] + "WEIGHT ")]
        add("alias-" + name.lower(), "priority", base_now + [old], rich_inputs(),
            base_now + [new])
        assert evaluate("priority", "\n".join(base_now), rich_inputs()) != \
            CASES[-1]["expected"], old
    qos_jobs = {"jobs": [{"user": "u1", "group": "g1"},
                         {"user": "u1", "group": "g1", "requested": "lo"},
                         {"user": "u1", "group": "g1", "requested": "top"}]}
    add("alias-systemcfg", "qos", ["SYSTEMCFG QDEF=std QLIST=lo"], qos_jobs,
        ["SYSCFG QDEF=std QLIST=lo"])
    for word, now in [("PSDEDICATED", "DEDICATEDPS"), ("PSDEDICATED%", "DEDICATEDPS%"),
                      ("PSUTILIZED", "UTILIZEDPS"), ("psdedicated", "DEDICATEDPS"),
                      ("TRUE", "DEDICATEDPS"), ("OFF", "NONE"), ("DEDICATEDPES", "DEDICATEDPES")]:
        tag = word.replace("%", "-ratio") if word != word.lower() else "lowercase"
        add("fspolicy-" + tag.lower(), "config", ["FSPOLICY " + word], {"field": "fs_policy"},
            ["FSPOLICY " + now])


def rules_of_priority():
    add("pe-disk", "priority", ["PEWEIGHT 1", "QUEUETIMEWEIGHT 0"], inputs_of(disk=250000))
    add("pe-gpu", "priority", ["PEWEIGHT 1", "QUEUETIMEWEIGHT 0"],
        inputs_of(gpu=2, system={"procs": 64, "mem": 131072, "gpu": 16}))
    weights = ["GRESCFG[gpu] WEIGHT=2", "GRESCFG[gpu:a100] WEIGHT=5", "GRESCFG[fpga] WEIGHT=0.5"]
    mixed = {"gpu:a100": 2, "gpu:v100": 1, "fpga": 3, "shard": 7}
    add("GRESCFG", "priority", ["GRESWEIGHT 3", "QUEUETIMEWEIGHT 0"] + weights,
        inputs_of(gpu=1, gres=mixed))
    add("pe-gres", "priority", ["PEWEIGHT 1", "QUEUETIMEWEIGHT 0"] + weights,
        inputs_of(gpu=1, gres=mixed, system={"procs": 64, "mem": 131072, "gpu": 4, "gres": {
            "gpu:a100": 16, "gpu:v100": 12, "fpga": 20, "shard": 1000}}))
    add("pe-swap", "priority", ["PEWEIGHT 1", "QUEUETIMEWEIGHT 0"], inputs_of(swap=65536))
    add("pe-skips-unknown-totals", "priority", ["PEWEIGHT 1", "QUEUETIMEWEIGHT 0"],
        inputs_of(disk=250000, system={"procs": 64, "mem": 131072, "swap": 0, "disk": 0}))
    low = ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "USERCFG[amy] PRIORITY=-500"]
    negative = low + ["ENABLENEGJOBPRIORITY TRUE"]
    add("cap-is-no-floor", "priority", negative + ["USERCAP 100"], inputs_of())
    add("cap-negative-is-none", "priority", ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "USERCAP -600",
                                             "USERCFG[amy] PRIORITY=500"], inputs_of())
    add("component-cap-is-no-floor", "priority", negative + ["CREDCAP 100"], inputs_of())
    add("component-cap-negative-is-none", "priority",
        ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "CREDCAP -1", "USERCFG[amy] PRIORITY=500"],
        inputs_of())
    add("fs-sub-cap-negative-value", "priority",
        FS_TARGETS + ["FSUSERWEIGHT 10", "FSUSERCAP 5", "ENABLENEGJOBPRIORITY TRUE"],
        inputs_of(dict(FS_PERCENT, user=90.0)))
    add("weight-minus-one", "priority", ["QUEUETIMEWEIGHT -1", "ENABLENEGJOBPRIORITY TRUE"],
        inputs_of())
    add("weight-percent-is-ignored", "priority", ["QUEUETIMEWEIGHT 50%"], inputs_of(),
        ["QUEUETIMEWEIGHT 1"])
    add("time-two-fields-xfmin", "priority", ["XFACTORWEIGHT 100", "XFMINWCLIMIT 10:30"],
        inputs_of(wclimit=60))
    add("time-two-fields-poll", "config", ["RMPOLLINTERVAL 1:30"], {"field": "poll_interval_s"})
    add("time-two-fields-fsinterval", "fairshare", ["FSPOLICY DEDICATEDPS", "FSINTERVAL 30:00"],
        {"now": 1792345678})
    add("xfmin-default-none", "priority", ["XFACTORWEIGHT 100"], inputs_of(wclimit=30))
    user = ["UPROCWEIGHT -2", "UJOBWEIGHT 5", "UPROCCAP 20", "ENABLENEGJOBPRIORITY TRUE"]
    add("uproc-ujob", "priority", user, inputs_of(usage={"procs": 24, "jobs": 3}))
    add("uproc-ujob-nothing-running", "priority", user, inputs_of())
    add("spviolation-yes", "priority", ["SPVIOLATIONWEIGHT -60", "ENABLENEGJOBPRIORITY TRUE"],
        inputs_of(spviolation=True))
    add("spviolation-no", "priority", ["SPVIOLATIONWEIGHT -60"], inputs_of())
    usage = ["USAGECONSUMEDWEIGHT 1", "USAGEREMAININGWEIGHT 1", "USAGEEXECUTIONTIMEWEIGHT 1",
             "USAGEPERCENTWEIGHT 100"]
    add("usage-idle", "priority", usage, inputs_of())
    add("usage-idle-elapsed-left-over", "priority", usage, inputs_of(elapsed=900))
    add("usage-percent-overrun", "priority", ["USAGEPERCENTWEIGHT 10"],
        inputs_of(state="running", elapsed=9000))


def rules_of_targets():
    weight = ["TARGETQUEUETIMEWEIGHT 1000", "QUEUETIMEWEIGHT 0"]
    for name, target, waited in [("seconds", "600", 590), ("clock", "1:00:00", 3590),
                                 ("two-fields", "10:00", 590), ("missed", "600", 700),
                                 ("reached", "600", 600), ("far", "600", 0)]:
        add("qttarget-" + name, "priority", weight + ["QOSCFG[hi] QTTARGET=" + target],
            inputs_of(effqtime=waited))
    add("qttarget-none", "priority", weight, inputs_of())
    add("qttarget-of-another-qos", "priority", weight + ["QOSCFG[lo] QTTARGET=600"], inputs_of())
    add("xftarget-before-cap", "priority",
        ["TARGETXFACTORWEIGHT 100", "XFACTORWEIGHT 1", "XFACTORCAP 1.25",
         "QOSCFG[hi] XFTARGET=2.25"],
        inputs_of())
    add("xftarget-with-xfmin", "priority",
        ["TARGETXFACTORWEIGHT 100", "XFMINWCLIMIT 1:00:00", "QOSCFG[hi] XFTARGET=2.75"],
        inputs_of(wclimit=60))


def rules_of_credentials():
    weights = ["%sWEIGHT 1" % kind.upper() for kind in KINDS] + ["ENABLENEGJOBPRIORITY TRUE"]
    defaults = ["%s[DEFAULT] PRIORITY=%d" % (CFG[kind], 100 * 10 ** n)
                for n, kind in enumerate(KINDS)]
    add("priority-default-all-but-qos", "priority", weights + defaults, inputs_of())
    add("priority-zero-does-not-mask-default", "priority",
        weights + defaults + ["USERCFG[amy] PRIORITY=0", "QOSCFG[hi] PRIORITY=0"], inputs_of())
    add("priority-negative-masks-default", "priority",
        weights + defaults + ["USERCFG[amy] PRIORITY=-3"], inputs_of())
    add("priority-default-needs-a-credential", "priority", weights + defaults,
        inputs_of(account=None, qos=None))
    add("priority-names-are-case-sensitive", "priority", weights + ["USERCFG[AMY] PRIORITY=7"],
        inputs_of())
    fallback = weights + ["CLASSCFG[DEFAULT] PRIORITY=5"]
    add("class-fallback-before-default", "priority", fallback, inputs_of(class_priority=40))
    add("class-priority-before-fallback", "priority", fallback + ["CLASSCFG[batch] PRIORITY=8"],
        inputs_of(class_priority=40))
    group = ["CLASSWEIGHT 2", "CLASSCFG[batch] PRIORITY=500"]
    add("group-classweight-zero", "priority", group + ["GROUPCFG[phys] CLASSWEIGHT=0"], inputs_of())
    add("group-classweight-of-another", "priority", group + ["GROUPCFG[chem] CLASSWEIGHT=9"],
        inputs_of())
    add("group-classweight-without-classweight", "priority",
        ["CLASSCFG[batch] PRIORITY=500", "GROUPCFG[phys] CLASSWEIGHT=1.5"], inputs_of())
    add("fstarget-default", "priority",
        ["FSPOLICY DEDICATEDPS", "FSUSERWEIGHT 10", "USERCFG[DEFAULT] FSTARGET=35"],
        inputs_of(FS_PERCENT))
    add("fs-without-usage-of-the-credential", "priority",
        FS_TARGETS + ["FSUSERWEIGHT 10", "FSGROUPWEIGHT 10"], inputs_of({"group": 12.5}))


def rules_of_clipping():
    low = ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "USERCFG[amy] PRIORITY=-500"]
    both = low + ["REJECTNEGPRIOJOBS TRUE", "ENABLENEGJOBPRIORITY TRUE"]
    add("reject-wins-over-enable", "priority", both, inputs_of())
    small = ["QUEUETIMEWEIGHT 1", "REJECTNEGPRIOJOBS TRUE"]
    add("reject-keeps-between-0-and-1", "priority", small, inputs_of(effqtime=30))
    add("reject-keeps-0", "priority", small, inputs_of(effqtime=0))
    add("clip-between-0-and-1", "priority", ["QUEUETIMEWEIGHT 1"], inputs_of(effqtime=30))
    add("sysprio-relative-after-clip", "priority", low, inputs_of(sysprio_relative=50))
    add("sysprio-relative-not-clipped-again", "priority", low, inputs_of(sysprio_relative=-100))
    huge = ["PSWEIGHT 100000"]
    add("ceiling", "priority", huge, inputs_of())
    add("sysprio-relative-after-ceiling", "priority", huge, inputs_of(sysprio_relative=500))
    add("sysprio-above-all", "priority", huge, inputs_of(sysprio=7))


def rules_of_partitions():
    text = ["QUEUETIMEWEIGHT[batch] 5", "QUEUETIMEWEIGHT 2", "PROCWEIGHT 3", "RESCAP[debug] 4"]
    for name in ["batch", "debug", "other"]:
        add("partition-" + name, "priority", text, inputs_of(**{"class": name}))
    add("partition-zero-is-all", "priority", ["QUEUETIMEWEIGHT[0] 4", "QUEUETIMEWEIGHT[batch] 5"],
        inputs_of(**{"class": "other"}))
    add("partition-none", "priority", text, inputs_of(**{"class": None}))
    low = ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "USERCFG[amy] PRIORITY=-500"]
    add("partition-enableneg", "priority", low + ["ENABLENEGJOBPRIORITY[batch] TRUE"], inputs_of())
    add("partition-enableneg-elsewhere", "priority", low + ["ENABLENEGJOBPRIORITY[debug] TRUE"],
        inputs_of())
    add("partition-xfmin", "priority", ["XFACTORWEIGHT 100", "XFMINWCLIMIT[batch] 600"],
        inputs_of(wclimit=60))


def rules_of_fairshare_caps():
    def usage(used, total, cred="user"):
        return {"cred": cred, "name": "amy", "windows": [used], "totals": [total],
                "request_proc_seconds": 3600}
    policy = ["FSPOLICY DEDICATEDPS"]
    for name, target, used, total in [
            ("relative-at", "25%", 250.0, 1000.0), ("relative-below", "25%", 249.0, 1000.0),
            ("relative-above", "25%", 251.0, 1000.0),
            ("relative-nothing-delivered", "25%", 0.0, 0.0),
            ("absolute-at", "5000^", 5000.0, 9000.0), ("absolute-below", "5000^", 4999.0, 9000.0),
            ("absolute-above", "5000^", 5001.0, 9000.0),
            ("ceiling-is-no-cap", "25-", 900.0, 1000.0),
            ("floor-is-no-cap", "25+", 900.0, 1000.0)]:
        add("fscap-" + name, "fairshare", policy + ["USERCFG[amy] FSTARGET=" + target],
            usage(used, total))
    add("fscap-default", "fairshare", policy + ["USERCFG[DEFAULT] FSTARGET=25%"],
        usage(250.0, 1000.0))
    add("fscap-own-before-default", "fairshare",
        policy + ["USERCFG[DEFAULT] FSTARGET=25%", "USERCFG[amy] FSTARGET=30%"],
        usage(250.0, 1000.0))
    for name, tree in [
            ("fstree", ["FSTREE[top] SHARES=100 MEMBERLIST=user:amy@30,user:bob@10"]),
            ("fstree-shares", ["FSTREE[top] MEMBERLIST=user:amy,user:bob",
                               "FSTREE[user:amy] SHARES=3", "FSTREE[user:bob] SHARES=1"])]:
        add(name, "fairshare", policy + tree, usage(250.0, 1000.0),
            policy + ["USERCFG[amy] FSTARGET=75"])
    add("CFG.FSCAP", "fairshare", policy + ["USERCFG[amy] FSTARGET=50 FSCAP=25%"],
        usage(250.0, 1000.0))
    add("fscap-beside-a-target", "fairshare", policy + ["USERCFG[amy] FSTARGET=50 FSCAP=25"],
        usage(249.0, 1000.0))
    add("fscap-of-proc-seconds", "fairshare", policy + ["USERCFG[amy] FSCAP=250^"],
        usage(250.0, 9000.0))
    for kind in KINDS:
        add("fscap-" + kind, "fairshare", policy + ["%s[amy] FSTARGET=10%%" % CFG[kind]],
            usage(100.0, 1000.0, kind))


def rules_of_accrual():
    def steps(*iterations, now=9000):
        return {"submit": 1000, "iterations": list(iterations), "now": now}
    queue, full = ["JOBPRIOACCRUALPOLICY QUEUEPOLICY"], ["JOBPRIOACCRUALPOLICY FULLPOLICY"]
    add("accrual-free", "accrual", queue, steps({"now": 2000}, {"now": 3000}))
    for what in ["held", "dependent", "limit", "class_disabled", "rejected", "fs_capped",
                 "active_limit"]:
        events = steps({"now": 2000, what: True}, {"now": 4000, what: True}, {"now": 5000})
        tag = what.replace("_", "-")
        add("accrual-queuepolicy-" + tag, "accrual", queue, events)
        add("accrual-fullpolicy-" + tag, "accrual", full, events)
        add("accrual-always-" + tag, "accrual", ["JOBPRIOACCRUALPOLICY ALWAYS"], events)
    add("accrual-default-is-queuepolicy", "accrual", "", steps({"now": 4000, "held": True}))
    add("accrual-blocked-now-is-zero", "accrual", queue, steps({"now": 9000, "held": True}))
    add("accrual-usesystemqueuetime-off", "accrual", ["USESYSTEMQUEUETIME OFF"],
        steps({"now": 4000, "held": True}))
    add("accrual-usesystemqueuetime-superseded", "accrual", full + ["USESYSTEMQUEUETIME ON"],
        steps({"now": 4000, "held": True}))
    blocked = [{"now": now, "limit": True} for now in (1330, 1360, 1390, 1420)]
    free = [{"now": now} for now in range(1030, 1301, 30)]
    add("accrual-pauses-behind-a-limit", "accrual", queue,
        steps(*free, *blocked, {"now": 1480}, now=1480))
    add("accrual-stands-still-while-blocked", "accrual", queue, steps(*free, *blocked, now=1420))
    add("accrual-pauses-twice", "accrual", full,
        steps({"now": 1100}, {"now": 1150, "held": True}, {"now": 1250},
              {"now": 1260, "class_disabled": True}, {"now": 1270}, now=1270))
    add("accrual-submit-in-the-future", "accrual", queue, steps(now=500))


def rules_of_qos():
    job = {"user": "u1", "group": "g1", "account": "a1", "class": "c1"}

    def asks(*names):
        return {"jobs": [dict(job, requested=name) for name in names]}
    add("qos-no-lists-anything-goes", "qos", ["QOSCFG[hi] PRIORITY=1"], asks("hi", "lo"))
    add("qos-lists-of-others", "qos", ["USERCFG[u2] QLIST=hi", "GROUPCFG[g1] QDEF=lo"],
        asks("hi", "lo", "nosuch"))
    add("qos-and-alone", "qos", ["GROUPCFG[g1] QLIST=b,c&"], asks("a", "b", "c"))
    add("qos-nothing-asked-nothing-given", "qos", ["QOSCFG[hi] PRIORITY=1"], {"jobs": [job]})
    add("qos-default-order", "qos",
        ["SYSCFG QDEF=s", "CLASSCFG[c1] QDEF=c", "ACCOUNTCFG[a1] QDEF=a",
         "GROUPCFG[g1] QDEF=g", "USERCFG[u1] QDEF=u"],
        {"jobs": [job, dict(job, user="u0"), dict(job, user="u0", group="g0"),
                  dict(job, user="u0", group="g0", account="a0"),
                  dict(job, user="u0", group="g0", account="a0", **{"class": "c0"})]})
    add("qos-default-is-in-its-list", "qos", ["USERCFG[u1] QDEF=std QLIST=lo"],
        asks("std", "lo", "hi"))
    add("qos-and", "qos", ["USERCFG[u1] QLIST=a:b&", "GROUPCFG[g1] QLIST=b:c"], asks("a", "b", "c"))
    add("qos-only", "qos", ["USERCFG[u1] QLIST=a", "GROUPCFG[g1] QLIST=x:y^"], asks("a", "x", "y"))
    add("qos-only-precedence", "qos", ["GROUPCFG[g1] QLIST=x^", "USERCFG[u1] QLIST=a^"],
        asks("a", "x"))
    add("qos-separators", "qos", ["USERCFG[u1] QLIST=a,b|c:d"], asks("a", "b", "c", "d", "e"))
    add("qos-list-of-default", "qos", ["USERCFG[DEFAULT] QLIST=lo", "USERCFG[u2] QLIST=hi"],
        {"jobs": [dict(job, requested="lo"), dict(job, requested="hi"),
                  dict(job, user="u2", requested="lo"), dict(job, user="u2", requested="hi")]})


def rules_of_grammar():
    inputs = inputs_of()
    canonical = ["QUEUETIMEWEIGHT 7", "PROCWEIGHT 3"]
    for name, text in [
            ("lower-case", "queuetimeweight 7\nProcWeight 3\n"),
            ("equals", "QUEUETIMEWEIGHT=7\nPROCWEIGHT = 3\n"),
            ("comments",
             "# QUEUETIMEWEIGHT 9\nQUEUETIMEWEIGHT 7 # PROCWEIGHT 9\n\nPROCWEIGHT 3#x\n"),
            ("tabs-and-blanks", "\t QUEUETIMEWEIGHT\t\t7  \n  PROCWEIGHT 3\t\n"),
            ("last-wins", "QUEUETIMEWEIGHT 9\nPROCWEIGHT 3\nQUEUETIMEWEIGHT 7\n"),
            ("no-newline-at-the-end", "QUEUETIMEWEIGHT 7\nPROCWEIGHT 3"),
            ("crlf", "QUEUETIMEWEIGHT 7\r\nPROCWEIGHT 3\r\n"),
            ("continuation", "QUEUETIMEWEIGHT \\\n 7\nPROCWEIGHT 3\n"),
            ("unknown-names", "FSINTERVALL 3\nQUEUETIMEWEIGHT 7\nNOSUCHTHING x\nPROCWEIGHT 3\n")]:
        add("grammar-" + name, "priority", text, inputs, canonical)
    canonical = ["USERWEIGHT 1", "USERCFG[amy] PRIORITY=70 FSTARGET=50", "FSUSERWEIGHT 2",
                 "FSPOLICY DEDICATEDPS"]
    for name, lines in [
            ("merge", ["USERCFG[amy] PRIORITY=70", "USERCFG[amy] FSTARGET=50"]),
            ("replace", ["USERCFG[amy] PRIORITY=9 FSTARGET=50", "USERCFG[amy] PRIORITY=70"]),
            ("continuation", ["USERCFG[amy] PRIORITY=70 \\", "\tFSTARGET=50"]),
            ("unknown-attribute", ["USERCFG[amy] PRIORITY=70 NOSUCH=3 FSTARGET=50"])]:
        add("cfg-" + name, "priority", canonical[:1] + lines + canonical[2:],
            inputs_of(FS_PERCENT), canonical)
    low = ["USERWEIGHT 1", "QUEUETIMEWEIGHT 0", "USERCFG[amy] PRIORITY=-500"]
    for word, meant in [("1", "TRUE"), ("true", "TRUE"), ("On", "TRUE"), ("yes", "TRUE"),
                        ("0", "FALSE"), ("off", "FALSE"), ("No", "FALSE"), ("maybe", "FALSE")]:
        add("boolean-" + word.lower(), "priority", low + ["ENABLENEGJOBPRIORITY " + word],
            inputs_of(), low + ["ENABLENEGJOBPRIORITY " + meant])


def main():
    sections = [
        weights_and_caps, honoured_parameters, honoured_attributes, aliases,
        rules_of_priority, rules_of_targets, rules_of_credentials,
        rules_of_clipping, rules_of_partitions, rules_of_fairshare_caps,
        rules_of_accrual, rules_of_qos, rules_of_grammar]
    own_file.main("own.json", CASES, sections)


if __name__ == "__main__":
    main()
