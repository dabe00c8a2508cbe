# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs and limits of which make-own-throttle.py makes cases: plain ones and random ones."""

from own_oracle import CFG
from throttle_oracle import COUNTED, ORDER, RESOURCES

SYSTEM = {"procs": 64, "mem": 131072, "swap": 262144, "disk": 2000000}
FAMILY = {kind: CFG[kind] for kind in ORDER}
FAMILY["system"] = "SYSCFG"

# What the job of runs() asks for
ASKED = {"JOB": 1, "PROC": 4, "NODE": 2, "PS": 14400, "PE": 4, "WC": 3600, "MEM": 400,
         **dict.fromkeys(COUNTED, 4)}


def job(name="c", **changes):
    made = {"name": name, "user": "amy", "group": "phys", "account": "acc", "qos": "hi",
            "class": "batch", "tasks": 4, "nodes": 2, "wclimit": 3600, "mem": 100}
    made.update(changes)
    return {key: value for key, value in made.items() if value is not None}


def asks_for(resource):
    """Further members of a job that asks for the resource"""
    return {COUNTED[resource]: ASKED[resource]} if resource in COUNTED else {}


def runs(*jobs, **candidate):
    return {"job": job(**candidate), "running": list(jobs), "system": SYSTEM}


def idle(*jobs, running=()):
    return {"mode": "idle_select", "idle_in_priority_order": list(jobs), "running": list(running),
            "system": SYSTEM}


# ---- random cases ----

def random_text(rng):
    text = []
    for _ in range(rng.randint(1, 7)):
        kind = rng.choice(ORDER + ["system"])
        who = "SYSCFG" if kind == "system" else "%s[%s]" % (
            FAMILY[kind], rng.choice(["DEFAULT", kind + "0", kind + "1"]))
        prefix = rng.choice(["MAX", "MAX", "MAX", "MAXI"])
        if kind == "qos" and rng.random() < 0.5:
            prefix = "O" + prefix
        resource = rng.choice([name for name in RESOURCES if name not in COUNTED])
        sub = ""
        if not prefix.startswith("O") and rng.random() < 0.4:
            second = rng.choice(ORDER)
            sub = "[%s%s]" % (second.upper(), rng.choice(["", ":%s0" % second]))
        top = ASKED[resource] * 6
        value = rng.choice([str(rng.randint(0, top)), "-1", "%d,%d" % (
            rng.randint(0, top), rng.randint(1, top)), "%d,-1" % rng.randint(1, top)])
        text.append("%s %s%s%s=%s" % (who, prefix, resource, sub, value))
    if rng.random() < 0.4:
        text.append("QOSCFG[%s] FLAGS=%s" % (rng.choice(["DEFAULT", "qos0", "qos1"]), ":".join(
            rng.sample(["IGNJOBPERUSER", "IGNPROCPERUSER", "IGNNODEPERUSER", "IGNPSPERUSER",
                        "IGNJOBQUEUEDPERUSER", "IGNUSER", "IGNGROUP", "IGNACCOUNT", "IGNALL",
                        "IGNSYSTEM", "IGNSYSMAXPS"], 2))))
    extra = ["SYSTEMMAXPROCPERJOB 7", "SYSTEMMAXJOBWALLTIME 9000",
             "CLASSCFG[class0] MAXPROCPERJOB=5", "CLASSCFG[DEFAULT] MAX.WCLIMIT=2:00:00",
             "QOSCFG[qos0] OMAXJPS=20000,50000", "QOSCFG[qos0] OMAXJPROC=3,6",
             "GROUPCFG[group0] MINPROC=3"]
    return text + [line for line in extra if rng.random() < 0.15]


def random_job(rng, name, state):
    creds = {kind: rng.choice([kind + "0", kind + "0", kind + "1", kind + "2"]) for kind in ORDER}
    for kind in ["account", "qos", "class"]:
        if rng.random() < 0.15:
            creds[kind] = None
    made = job(name, tasks=rng.randint(1, 8), nodes=rng.randint(1, 4),
               wclimit=rng.choice([600, 1800, 3600, 7200, 10000]),
               mem=rng.choice([0, 100, 2500, 5000]), **creds)
    if state == "running":
        made["elapsed"] = rng.choice([0, 60, 599, 1800, 9000])
        if rng.random() < 0.1:
            made["suspended"] = True
    if state == "idle" and rng.random() < 0.1:
        made[rng.choice(["held", "reserved"])] = True
    return made


def random_case(rng):
    """(lines of a maui.cfg, inputs, what is compared in addition)"""
    text = random_text(rng)
    running = [random_job(rng, "r%d" % n, "running") for n in range(rng.randint(0, 7))]
    if rng.random() < 0.3:
        return text, idle(*[random_job(rng, "i%d" % n, "idle") for n in range(8)],
                          running=running), []
    return text, {"job": random_job(rng, "c", "waiting"), "running": running,
                  "system": SYSTEM}, ["line", "when"]
