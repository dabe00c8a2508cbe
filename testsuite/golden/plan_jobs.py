# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes and jobs of which make-own-plan.py makes cases: plain ones and random ones."""

import json
import random


def node(name, procs=1, **more):
    return dict({"name": name, "procs": procs}, **more)


def nodes(count, procs=1, **more):
    return [node("n%02d" % n, procs, **more) for n in range(count)]


def busy(name, end, start=None, mem=None, qos=None, user=None, over_soft=None, licences=None,
         **places):
    made = {"name": name, "end": end, "start": start, "mem": mem, "qos": qos, "user": user,
            "over_soft": over_soft, "licences": licences, "places": places}
    return {key: value for key, value in made.items() if value is not None}


def idle(name, procs, wclimit, **more):
    return dict({"name": name, "procs": procs, "wclimit": wclimit}, **more)


def shared_inputs(inputs):
    """Cases of the feature "backfill" as an iteration over nodes"""
    made = {"now": inputs["now"], "chunk_block_until": inputs.get("chunk_block_until"),
            "backfill_only": "idle_nodes" in inputs}
    if made["backfill_only"]:
        made["nodes"] = [dict(one) for one in inputs["idle_nodes"]]
        made["idle"] = inputs["jobs"]
    else:
        made["nodes"] = [node("pool", inputs["procs"])]
        made["running"] = [busy(job["name"], job["end"], pool=job["procs"])
                           for job in inputs["running"]]
        made["idle"] = inputs["idle"]
    return made


# ---- random cases ----

CHOICES = [
    ("BACKFILLPOLICY", ["FIRSTFIT", "BESTFIT", "GREEDY", "NONE", "PREEMPT"]),
    ("BACKFILLMETRIC", ["PROCS", "PROCSECONDS", "SECONDS", "NODES"]),
    ("BACKFILLDEPTH", ["1", "2", "3"]),
    ("BFPRIORITYPOLICY", ["NONE", "DURATION", "HWDURATION"]),
    ("RESERVATIONPOLICY", ["CURRENTHIGHEST", "HIGHEST", "NEVER"]),
    ("RESERVATIONDEPTH", ["0", "1", "2", "4"]),
    ("RESERVATIONTHRESHOLDTYPE", ["NONE", "BYPASS", "QUEUETIME", "XFACTOR"]),
    ("RESERVATIONTHRESHOLDVALUE", ["1", "2", "300"]),
    ("NODEALLOCATIONPOLICY", ["FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE", "PRIORITY",
                              "CPULOAD", "CONTIGUOUS", "FASTEST"]),
    ("NODEACCESSPOLICY", ["SHARED", "SINGLEUSER", "SINGLEJOB", "SINGLETASK"]),
    ("JOBNODEMATCHPOLICY", ["NONE", "EXACTNODE"]),
]


def random_text(rng):
    text = ["%s %s" % (name, rng.choice(words)) for name, words in CHOICES if rng.random() < 0.3]
    if rng.random() < 0.3:
        text += ["BFCHUNKSIZE %d" % rng.randint(2, 5), "BFCHUNKDURATION 100"]
    if rng.random() < 0.3:
        text.append("NODECFG[n0%d] PRIORITY=%d" % (rng.randint(0, 3), rng.randint(-3, 3)))
    if rng.random() < 0.3:
        text += ["RESERVATIONQOSLIST hi", "RESERVATIONDEPTH[2] %d" % rng.randint(0, 2),
                 "RESERVATIONQOSLIST[2] lo"]
    if rng.random() < 0.2:
        text.append("QOSCFG[lo] FLAGS=" + rng.choice(["NOBF", "NORESERVATION", "RESERVEALWAYS",
                                                      "DEDICATED"]))
    if rng.random() < 0.3:
        text += ["NODESETPOLICY " + rng.choice(["ONEOF", "FIRSTOF", "ANYOF"]),
                 "NODESETATTRIBUTE " + rng.choice(["FEATURE", "NETWORK"]),
                 "NODESETDELAY %d" % rng.choice([0, 0, 150, 520])]
        text += rng.choice([[], ["NODESETLIST b,a"], ["NODESETLIST a"]])
        text += rng.choice([[], ["NODESETPRIORITYTYPE WORSTFIT"]])
    return text


def random_running(rng, cluster, free):
    jobs = []
    for n in range(rng.randint(0, 4)):
        places = {}
        for one in rng.sample(cluster, rng.randint(1, 2)):
            have = free[one["name"]]
            if have > 0:
                places[one["name"]] = rng.randint(1, have)
                free[one["name"]] -= places[one["name"]]
        if places:
            jobs.append(busy("r%d" % n, rng.choice([1050, 1100, 1200, 1400]),
                             user=rng.choice(["amy", "bob"]), **places))
    return jobs


def add_licences(inputs):
    """To a third of the cases, by numbers of their own: the others stay what they were"""
    rng = random.Random(json.dumps(inputs, sort_keys=True))
    if rng.random() < 0.67:
        return
    inputs["licences"] = left = rng.randint(1, 4)
    for job in inputs["running"]:
        taken = rng.randint(0, min(2, left))
        if taken > 0:
            job["licences"] = taken
            left -= taken
    for job in inputs["idle"]:
        if rng.random() < 0.6:
            job["licences"] = rng.choice([1, 1, 2, 3])


def random_case(rng):
    """(lines of a maui.cfg, inputs)"""
    cluster = [node("n%02d" % n, rng.choice([1, 2, 2, 4]), mem=rng.choice([500, 1000]),
                    weight=rng.choice([1, 1, 2]), load=rng.choice([0, 0.5, 1.5]),
                    speed=rng.choice([1, 1, 2]),
                    features=rng.choice(["", "a", "b", "a,b"])) for n in range(rng.randint(2, 6))]
    running = random_running(rng, cluster, {one["name"]: one["procs"] for one in cluster})
    jobs = []
    for n in range(rng.randint(2, 8)):
        job = idle("j%d" % n, rng.randint(1, 6), rng.choice([20, 50, 100, 150, 400, 1000]),
                   user=rng.choice(["amy", "bob"]), waited=rng.choice([0, 100, 500]))
        if rng.random() < 0.3:
            job["nodes"] = rng.randint(1, min(3, job["procs"]))
        if rng.random() < 0.3:
            job["mem"] = rng.choice([300, 600])
        if rng.random() < 0.5:
            job["qos"] = rng.choice(["hi", "lo"])
        if rng.random() < 0.2:
            job["bypass"] = rng.randint(0, 4)
        jobs.append(job)
    inputs = {"nodes": cluster, "running": running, "idle": jobs, "now": 1000}
    if rng.random() < 0.5:
        inputs["chunk_block_until"] = rng.choice([1000, 1080])
    text = random_text(rng)
    add_licences(inputs)
    if "NODESETATTRIBUTE NETWORK" in text:
        for one in cluster:
            one["switch"] = rng.choice(["a", "b", "c"])
        if not any(line.startswith("NODEALLOCATION") for line in text):
            text.append("NODEALLOCATIONPOLICY LASTAVAILABLE")  # SLURM would look at switches
    return text, inputs
