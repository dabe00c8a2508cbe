#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes own-plan.json: golden cases of whole iterations: backfill, reservations, placement,
preemption.

The expected values come from plan_oracle.py, the C code is not asked: two readings of one text.
For every case own-NAME the script also proves that the case notices when NAME is ignored.

usage: make-own-plan.py [--check] [FILE]    --check: compare with the file, do not write it
       make-own-plan.py --random N SEED FILE    N random cases, for a run of their own
       make-own-plan.py --shared FILE    compare the oracle with the cases of another file
"""

import copy
import json
import re
import sys

sys.dont_write_bytecode = True  # the source directory may be read-only, and stays clean
import own_file
from own_oracle import Config, without
from plan_jobs import busy, idle, node, nodes, random_case, shared_inputs
from plan_oracle import Plan, planned

CASES = []


# ---- making a case ----

def expected(text, inputs):
    return planned(Config(text), copy.deepcopy(inputs))


def add(name, text, now=0, **inputs):
    text = "\n".join(text) + "\n"
    inputs = copy.deepcopy(dict(inputs, now=now))
    case = {"id": "own-" + name, "feature": "plan", "config": text, "inputs": inputs,
            "expected": expected(text, inputs)}
    assert all(case["id"] != other["id"] for other in CASES), case["id"]
    if name == name.upper():
        left = without(text, name)
        assert left != text, "%s: nothing to leave out" % name
        assert expected(left, inputs) != case["expected"], "the case does not notice " + name
    CASES.append(case)


def add_each(name, parameter, values, more, **inputs):
    """A case for each value; `name` decides nothing but the id"""
    for value in values:
        add("plan-%s-%s" % (name, value.lower().replace(" ", "-")),
            ["%s %s" % (parameter, value)] + more, **inputs)


# ---- backfill ----

# 8 processors: 5 are free until the top job's reservation, 1 of them longer
def gap():
    return {"nodes": nodes(8), "running": [busy("r", 100, n00=1, n01=1, n02=1)]}


QUEUE = [idle("top", 7, 1000), idle("a", 2, 100), idle("b", 1, 40), idle("c", 4, 100),
         idle("d", 3, 60), idle("e", 1, 500), idle("f", 2, 90)]


def backfill():
    policies = ["FIRSTFIT", "BESTFIT", "GREEDY", "NONE", "PREEMPT"]
    add("BACKFILLPOLICY", ["BACKFILLPOLICY BESTFIT"], **gap(), idle=QUEUE)
    add_each("backfill", "BACKFILLPOLICY", policies + ["OFF"], [], **gap(), idle=QUEUE)
    add("BACKFILLDEPTH", ["BACKFILLDEPTH 1"], **gap(), idle=QUEUE)
    for policy in policies[:3]:
        add_each("depth-" + policy.lower(), "BACKFILLDEPTH", ["0", "1", "2", "3", "-1", "100"],
                 ["BACKFILLPOLICY " + policy], **gap(), idle=QUEUE)
    metrics = ["PROCS", "PROCSECONDS", "SECONDS", "NODES", "PE", "PESECONDS"]
    big = {"nodes": nodes(8, mem=1000), "running": [busy("r", 100, n00=1, n01=1, n02=1)]}
    jobs = [idle("top", 7, 1000), idle("a", 3, 50), idle("b", 2, 100, nodes=2),
            idle("c", 3, 90, nodes=3), idle("d", 1, 100), idle("e", 2, 95, mem=900),
            idle("f", 2, 60, nodes=2, mem=600)]
    add("BACKFILLMETRIC", ["BACKFILLPOLICY BESTFIT", "BACKFILLMETRIC SECONDS"], **big, idle=jobs)
    for policy in ["FIRSTFIT", "BESTFIT", "GREEDY"]:
        add_each("metric-" + policy.lower(), "BACKFILLMETRIC", metrics,
                 ["BACKFILLPOLICY " + policy], **big, idle=jobs)
    hard = [idle("top", 7, 1000), idle("a", 1, 50), idle("b", 3, 50), idle("c", 2, 50),
            idle("d", 2, 50)]
    add("BACKFILLMAXSCHEDULES", ["BACKFILLPOLICY GREEDY", "BACKFILLMAXSCHEDULES 1"],
        nodes=nodes(7), running=[busy("r", 100, n00=1, n01=1, n02=1)], idle=hard[:1] + [
            idle("x", 1, 50), idle("y", 2, 50), idle("z", 3, 50)])
    add_each("schedules", "BACKFILLMAXSCHEDULES", ["1", "0", "100", "10000"],
             ["BACKFILLPOLICY GREEDY"], **gap(), idle=hard)


def backfill_order():
    jobs = [idle("top", 9, 1000), idle("a", 1, 300), idle("b", 4, 100), idle("c", 2, 150),
            idle("d", 3, 120)]
    world = {"nodes": nodes(8), "running": [busy("r", 100, n00=1, n01=1, n02=1)]}
    add("BFPRIORITYPOLICY", ["BACKFILLPOLICY PREEMPT", "BFPRIORITYPOLICY DURATION"], **world,
        idle=[idle("top", 8, 1000)] + jobs[1:])
    for policy in ["PREEMPT", "FIRSTFIT"]:
        add_each("order-" + policy.lower(), "BFPRIORITYPOLICY", ["NONE", "DURATION", "HWDURATION"],
                 ["BACKFILLPOLICY " + policy], **world, idle=[idle("top", 8, 1000)] + jobs[1:])


def chunking():
    """A job of 6 processors waits for the processors of r; small jobs behind it must not take them"""
    world = {"nodes": nodes(8), "running": [busy("r", 100, n00=1, n01=1, n02=1)]}
    jobs = [idle("top", 8, 1000), idle("early", 1, 50), idle("big", 6, 50), idle("small", 1, 50),
            idle("large", 4, 50), idle("late", 1, 50)]
    on = ["BFCHUNKSIZE 4", "BFCHUNKDURATION 00:05:00"]
    add("BFCHUNKSIZE", on, **world, idle=jobs, chunk_block_until=300)
    add("BFCHUNKDURATION", on, **world, idle=jobs, chunk_block_until=300)
    for name, until, now in [("over", 60, 60), ("last-second", 61, 60), ("never", None, 0)]:
        add("plan-chunk-" + name, on, now, **world, idle=jobs, chunk_block_until=until)
    add_each("chunk-size", "BFCHUNKSIZE", ["0", "1", "2", "6", "7", "-1"], on[1:], **world,
             idle=jobs, chunk_block_until=300)
    for policy in ["BESTFIT", "GREEDY"]:
        add("plan-chunk-only-firstfit-" + policy.lower(), on + ["BACKFILLPOLICY " + policy],
            **world, idle=jobs, chunk_block_until=300)
    add("plan-chunk-big-by-time", on, **world, idle=jobs[:2] + [idle("long", 5, 5000)] + jobs[3:],
        chunk_block_until=300)
    add("plan-chunk-one-partition", ["BFCHUNKSIZE[debug] 4", "BFCHUNKDURATION[debug] 300"],
        **shared_nodes(8), idle=[idle("top", 8, 1000)] + [
            dict(job, **{"class": whom}, name=job["name"] + whom[0])
            for whom in ("debug", "batch") for job in jobs[2:4]], chunk_block_until=300)


def shared_nodes(count):
    """All nodes in two partitions: one pool, rules of its own for each"""
    return {"nodes": [dict(one, partitions=["batch", "debug"]) for one in nodes(count)],
            "running": [busy("r", 100, n00=1, n01=1, n02=1)]}


def by_partition():
    jobs = [idle("top", 8, 1000)] + [
        idle("%s%d" % (whom[0], procs), procs, 50, **{"class": whom})
        for whom in ("batch", "debug") for procs in (1, 3, 2)]
    for text in ["BACKFILLPOLICY[debug] NONE", "BACKFILLPOLICY[debug] BESTFIT",
                 "BACKFILLDEPTH[debug] 1", "BACKFILLPOLICY[batch] NONE",
                 "NODEALLOCATIONPOLICY[debug] FIRSTAVAILABLE"]:
        add("plan-partition-" + re.sub(r"\W+", "-", text.lower()), [text], **shared_nodes(8),
            idle=jobs)
    apart = {"nodes": nodes(4) + [dict(one, name="d" + one["name"][1:], partitions=["debug"])
                                  for one in nodes(4)],
             "running": [busy("r", 100, n00=1), busy("s", 200, d00=1)]}
    jobs = [idle("a", 4, 500), idle("b", 4, 500, **{"class": "debug"}), idle("c", 3, 300),
            idle("d", 3, 150, **{"class": "debug"}), idle("e", 1, 90),
            idle("f", 1, 900, **{"class": "debug"})]
    for text in ["RESERVATIONPOLICY[debug] NEVER", "BACKFILLPOLICY[debug] NONE",
                 "RESERVATIONDEPTH 2", "QUEUETIMEWEIGHT 1"]:
        add("plan-apart-" + re.sub(r"\W+", "-", text.lower()), [text], **apart, idle=jobs)


# ---- reservations ----

LINE = [idle("a", 4, 100), idle("b", 3, 200), idle("c", 4, 50), idle("d", 1, 400),
        idle("e", 2, 1000), idle("f", 1, 90)]


def pond(**changes):
    return dict({"nodes": nodes(4), "running": [busy("r", 100, n00=1), busy("s", 300, n01=1)]},
                **changes)


def reservations():
    add("RESERVATIONDEPTH", ["RESERVATIONDEPTH 3"], **pond(), idle=LINE)
    add_each("depth", "RESERVATIONDEPTH", ["0", "1", "2", "6", "-1", "1000"], [], **pond(),
             idle=LINE)
    add_each("policy", "RESERVATIONPOLICY", ["CURRENTHIGHEST", "HIGHEST", "NEVER"],
             ["RESERVATIONDEPTH 2"], **pond(), idle=LINE)
    reserved_jobs = [dict(job) for job in LINE]
    reserved_jobs[1]["job_rsv"] = {"start": 100, "places": {"n00": 1, "n02": 1, "n03": 1}}
    add("RESERVATIONPOLICY", ["RESERVATIONPOLICY HIGHEST"], **pond(), idle=reserved_jobs)
    add_each("job-rsv", "RESERVATIONPOLICY", ["CURRENTHIGHEST", "HIGHEST", "NEVER"],
             ["BACKFILLPOLICY FIRSTFIT"], **pond(), idle=reserved_jobs)
    add("plan-job-rsv-none", ["RESERVATIONPOLICY HIGHEST", "BACKFILLPOLICY NONE"], **pond(),
        idle=reserved_jobs)
    add("plan-job-rsv-slides", ["RESERVATIONPOLICY HIGHEST"], **pond(),
        idle=[idle("new", 1, 20),
              idle("old", 3, 50, job_rsv={"start": 300, "places": {"n00": 1, "n01": 1, "n02": 1}})])
    add("plan-job-rsv-is-broken", ["RESERVATIONPOLICY HIGHEST"], **pond(),
        idle=[idle("old", 3, 50, job_rsv={"start": 50, "places": {"n00": 1, "n02": 1,
                                                                  "n03": 1}})])
    for qos in ["NORESERVATION", "RESERVEALWAYS", "NOBF", "DEDICATED"]:
        add("plan-flag-" + qos.lower(), ["QOSCFG[q] FLAGS=" + qos], **pond(),
            idle=[dict(job, qos="q") if job["name"] in "ace" else job for job in LINE])


def stacks():
    jobs = [dict(job, qos="hi" if n % 2 else "lo") for n, job in enumerate(LINE)]
    jobs += [dict(idle("none", 4, 10))]
    text = ["RESERVATIONQOSLIST hi", "RESERVATIONDEPTH[1] 1", "RESERVATIONQOSLIST[1] lo"]
    add("RESERVATIONQOSLIST", text, **pond(), idle=jobs)
    for name, lines in [
            ("two", text), ("deep", text[:1] + ["RESERVATIONDEPTH[1] 2", text[2]]),
            ("first-match", ["RESERVATIONDEPTH[1] 5", "RESERVATIONQOSLIST[1] hi"]),
            ("depth-0-is-passed", ["RESERVATIONDEPTH 0", "RESERVATIONDEPTH[1] 1",
                                   "RESERVATIONQOSLIST[1] lo hi"]),
            ("without-qos", ["RESERVATIONQOSLIST hi lo"]),
            ("all", ["RESERVATIONQOSLIST lo ALL", "RESERVATIONDEPTH 2"]),
            ("second-has-no-depth", ["RESERVATIONQOSLIST hi", "RESERVATIONQOSLIST[3] lo"])]:
        add("plan-stack-" + name, lines, **pond(), idle=jobs)


def retries():
    """The start of a was refused: its nodes are kept, or others take them"""
    job_rsv = {"start": 950, "places": {"n00": 1, "n01": 1}}
    jobs = [idle("a", 2, 100, refused=True, job_rsv=job_rsv), idle("b", 2, 100), idle("c", 1, 50)]
    world = {"nodes": nodes(3)}
    add("RESERVATIONRETRYTIME", ["RESERVATIONRETRYTIME 1:00"], 1000, **world, idle=jobs)
    add_each("retry", "RESERVATIONRETRYTIME", ["0", "50", "51", "1:00:00"], [], now=1000, **world,
             idle=jobs)
    jobs[0]["job_rsv"] = dict(job_rsv, start=1000)
    add_each("retry-just-due", "RESERVATIONRETRYTIME", ["0", "1"], [], now=1000, **world, idle=jobs)


def thresholds():
    kinds = [("BYPASS", "bypass", ["0", "3", "4", "4.5"], {"bypass": 4}),
             ("QUEUETIME", "waited", ["0", "599", "600", "601"], {"waited": 600}),
             ("XFACTOR", "xfactor", ["0", "1", "2.9", "3", "3.1"], {"waited": 200})]
    for kind, name, values, changes in kinds:
        jobs = [dict(LINE[0], **changes)] + LINE[1:]
        for value in values:
            add("plan-threshold-%s-%s" % (name, value),
                ["RESERVATIONTHRESHOLDTYPE " + kind, "RESERVATIONTHRESHOLDVALUE " + value],
                **pond(), idle=jobs)
    jobs = [dict(LINE[0], waited=10)] + LINE[1:]
    text = ["RESERVATIONTHRESHOLDTYPE QUEUETIME", "RESERVATIONTHRESHOLDVALUE 600"]
    add("RESERVATIONTHRESHOLDTYPE", text, **pond(), idle=jobs)
    add("RESERVATIONTHRESHOLDVALUE", text, **pond(), idle=jobs)
    add("plan-threshold-value-alone", text[1:], **pond(), idle=jobs)
    add("plan-threshold-always", text + ["QOSCFG[q] FLAGS=RESERVEALWAYS"], **pond(),
        idle=[dict(job, qos="q") for job in jobs])


# ---- placement ----

def zoo():
    return [node("n00", 4, mem=4000, weight=5), node("n01", 8, mem=2000, load=7.5, speed=3),
            node("n02", 2, mem=8000, speed=2), node("n03", 4, mem=1000, load=3, speed=2),
            node("n04", 8, mem=8000, load=0.5), node("n05", 4, mem=4000, speed=3)]


ALLOCATIONS = ["FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE", "PRIORITY", "CPULOAD",
               "CONTIGUOUS", "MAXBALANCE", "FASTEST", "LOCAL"]
RANKS = ["NODECFG[n03] PRIORITY=7", "NODECFG[n01] PRIORITY=-2", "NODECFG[DEFAULT] PRIORITY=3"]


def allocation():
    animals = {"nodes": zoo(), "running": [busy("r", 500, n00=2, n04=4), busy("s", 200, n02=2)]}
    jobs = [idle("a", 2, 100), idle("b", 6, 300, nodes=2), idle("c", 1, 700, mem=3000),
            idle("d", 5, 50), idle("e", 20, 100), idle("f", 1, 60)]
    add("NODEALLOCATIONPOLICY", ["NODEALLOCATIONPOLICY MINRESOURCE"], **animals, idle=jobs)
    for policy in ALLOCATIONS:
        add("plan-allocate-" + policy.lower(), ["NODEALLOCATIONPOLICY " + policy] + RANKS,
            **animals, idle=jobs)
        add("plan-allocate-alike-" + policy.lower(), ["NODEALLOCATIONPOLICY " + policy],
            nodes=nodes(6, 2), running=[busy("r", 100, n01=1), busy("s", 50, n04=2)],
            idle=[idle("a", 3, 80), idle("b", 2, 40, nodes=2), idle("c", 7, 90), idle("d", 2, 45)])
    add("NODECFG", ["NODEALLOCATIONPOLICY PRIORITY"] + RANKS, **animals, idle=jobs)
    for name, ranks in [("default", RANKS[2:]), ("own", RANKS[:1]), ("negative", RANKS[1:2])]:
        add("plan-rank-" + name, ["NODEALLOCATIONPOLICY PRIORITY"] + ranks, **animals, idle=jobs)
    add("plan-rank-without-policy", RANKS, **animals, idle=jobs)


def access():
    people = [idle("a", 1, 100, user="amy"), idle("b", 1, 100, user="bob"),
              idle("c", 3, 100, user="amy"), idle("d", 2, 80, user="bob", nodes=2),
              idle("e", 1, 50, user="eve")]
    world = {"nodes": nodes(3, 4), "running": [busy("r", 90, user="bob", n00=1)]}
    policies = ["SHARED", "SINGLEUSER", "SINGLEJOB", "SINGLETASK"]
    add("NODEACCESSPOLICY", ["NODEACCESSPOLICY SINGLEUSER"], **world, idle=people)
    for policy in policies:
        for allocate in ["FIRSTAVAILABLE", "LASTAVAILABLE"]:
            add("plan-access-%s-%s" % (policy.lower(), allocate.lower()),
                ["NODEACCESSPOLICY " + policy, "NODEALLOCATIONPOLICY " + allocate], **world,
                idle=people)


def match():
    world = {"nodes": [node("n00", 2), node("n01", 4), node("n02", 4), node("n03", 8)]}
    jobs = [idle("a", 4, 100, nodes=2), idle("b", 4, 100, nodes=1), idle("c", 3, 100),
            idle("d", 9, 100, nodes=2), idle("e", 8, 60, nodes=2)]
    add("JOBNODEMATCHPOLICY", ["JOBNODEMATCHPOLICY EXACTNODE"], **world, idle=jobs)
    for words in ["EXACTNODE", "EXACTPROC", "EXACTNODE EXACTPROC", "NONE"]:
        for job in jobs:
            add("plan-match-%s-%s" % (words.lower().replace(" ", "-"), job["name"]),
                ["JOBNODEMATCHPOLICY " + words], **world, idle=[job])
        add("plan-match-%s-all" % words.lower().replace(" ", "-"),
            ["JOBNODEMATCHPOLICY " + words], **world, idle=jobs)
    world = {"nodes": nodes(6, 4) + [node("n06", 2), node("n07", 2)],
             "running": [busy("r", 90, n00=3, n01=2)]}
    jobs = [idle("a", 6, 100, nodes=1, nodes_max=4), idle("b", 8, 100, nodes=2, nodes_max=4),
            idle("c", 4, 60, nodes=1, nodes_max=2), idle("d", 17, 100, nodes=1, nodes_max=4),
            idle("e", 12, 100, nodes=1, nodes_max=5, procs_per_task=2)]
    for words in ["EXACTNODE", "EXACTPROC", "EXACTNODE EXACTPROC", "NONE"]:
        for allocate in ["FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE"]:
            add("plan-match-range-%s-%s" % (words.lower().replace(" ", "-"), allocate.lower()),
                ["JOBNODEMATCHPOLICY " + words, "NODEALLOCATIONPOLICY " + allocate], **world,
                idle=jobs)


def racks():
    """Two racks of 3 and 4 nodes, a node in neither; n04 and n05 are fast ones of both"""
    made = nodes(8, 2)
    for n, one in enumerate(made):
        rack = {True: "left", False: "right"}[n < 3] if n < 7 else ""
        one["switch"] = rack or "middle"
        one["features"] = ",".join(([rack] if rack else []) + (["fast"] if n in (1, 4, 5) else []))
    return {"nodes": made, "running": [busy("r", 100, n00=2), busy("s", 300, n06=1)]}


def node_sets():
    jobs = [idle("a", 3, 100, nodes=2), idle("b", 4, 80, nodes=2), idle("c", 1, 50),
            idle("d", 6, 200, nodes=3), idle("e", 16, 60), idle("f", 2, 90)]
    plain = ["NODEALLOCATIONPOLICY FIRSTAVAILABLE"]
    one = plain + ["NODESETPOLICY ONEOF", "NODESETATTRIBUTE FEATURE"]
    listed = one + ["NODESETLIST right,left"]
    hard = listed + ["NODESETDELAY 5:00"]
    waited = [dict(job, waited=100) for job in jobs]
    add("NODESETPOLICY", listed, **racks(), idle=jobs)
    add("NODESETATTRIBUTE", listed, **racks(), idle=jobs)
    add("NODESETLIST", listed, **racks(), idle=jobs)
    add("NODESETDELAY", hard, 1000, nodes=racks()["nodes"], idle=waited,
        running=[busy("r", 1100, n00=2), busy("s", 1150, n06=1)])
    add("NODESETPRIORITYTYPE", listed + ["NODESETPRIORITYTYPE WORSTFIT"], **racks(), idle=jobs)
    for policy in ["ONEOF", "FIRSTOF", "ANYOF", "NONE"]:
        for attribute in ["FEATURE", "NETWORK", "PROCSPEED"]:
            text = plain + ["NODESETPOLICY " + policy, "NODESETATTRIBUTE " + attribute]
            name = "plan-sets-%s-%s" % (policy.lower(), attribute.lower())
            add(name, text, **racks(), idle=jobs)
            add(name + "-listed", text + ["NODESETLIST left,right"], **racks(), idle=jobs)
            for delay in ["50", "100", "101", "150", "1:00:00"]:
                add("%s-delay-%s" % (name, delay.replace(":", "")),
                    text + ["NODESETLIST left,right", "NODESETDELAY " + delay], 1000,
                    nodes=racks()["nodes"], running=[busy("r", 1100, n00=2), busy("s", 1020, n06=1)],
                    idle=waited)
    add_each("sets", "NODESETPRIORITYTYPE", ["BESTFIT", "WORSTFIT", "BESTRESOURCE", "MINLOSS"], one,
             **racks(), idle=jobs)
    for allocate in ["LASTAVAILABLE", "MINRESOURCE", "CONTIGUOUS"]:
        add("plan-sets-allocate-" + allocate.lower(), ["NODEALLOCATIONPOLICY " + allocate] +
            one[1:], **racks(), idle=jobs)
    add("plan-sets-exactnode", one + ["JOBNODEMATCHPOLICY EXACTNODE"], **racks(), idle=jobs)
    add("plan-sets-too-small", hard, 1000, nodes=racks()["nodes"], running=[],
        idle=[idle("wide", 14, 100, waited=10), idle("narrow", 8, 100, waited=10)])
    add("plan-sets-unknown", one + ["NODESETLIST nowhere", "NODESETDELAY 5:00"], 1000,
        nodes=racks()["nodes"], running=[], idle=waited)


# ---- limits that change the order of things, preemption ----

def limits():
    jobs = [idle("a", 1, 100, user="amy"), idle("b", 1, 100, user="amy"),
            idle("c", 4, 100, user="bob"), idle("d", 1, 50, user="amy"),
            idle("e", 1, 80, user="bob")]
    for value in ["1", "2", "1,2", "1,3", "2,4", "3"]:
        add("plan-maxjob-" + value.replace(",", "-"), ["USERCFG[amy] MAXJOB=" + value], **pond(),
            idle=jobs)
    add("plan-maxjob-default", ["USERCFG[DEFAULT] MAXJOB=1,2"], **pond(), idle=jobs)


PREEMPT = ["QUEUETIMEWEIGHT 0", "QOSWEIGHT 1", "QOSCFG[top] FLAGS=PREEMPTOR PRIORITY=500",
           "QOSCFG[low] FLAGS=PREEMPTEE PRIORITY=10", "QOSCFG[mid] FLAGS=PREEMPTEE PRIORITY=50",
           "QOSCFG[firm] PRIORITY=20"]


def full():
    return {"nodes": nodes(4, 2, mem=1000),
            "running": [busy("r", 1000, start=10, mem=700, qos="low", n00=2),
                        busy("s", 1000, start=90, mem=700, qos="mid", n01=2),
                        busy("t", 1000, start=50, mem=100, qos="low", n02=1, n03=1),
                        busy("u", 1000, start=50, qos="firm", over_soft=True, n02=1, n03=1)]}


def preemption():
    one = idle("p", 2, 100, procs_per_task=2, qos="top", mem=500, priority=500)
    add("PREEMPTPOLICY", PREEMPT + ["PREEMPTPOLICY SUSPEND"], 100, **full(), idle=[one])
    for policy in ["REQUEUE", "SUSPEND", "CHECKPOINT", "OVERCOMMIT"]:
        for name, job in [("mem", one), ("procs", dict(one, mem=0)), ("wide", dict(one, procs=4)),
                          ("weak", dict(one, priority=50)),
                          ("spread", dict(one, procs_per_task=1)),
                          ("all", dict(one, procs=8, mem=0))]:
            add("plan-preempt-%s-%s" % (policy.lower(), name),
                PREEMPT + ["PREEMPTPOLICY " + policy], 100, **full(),
                idle=[job, idle("q", 1, 50, priority=3), idle("o", 2, 50, priority=2)])
    spv = PREEMPT + ["QOSCFG[top] FLAGS=PREEMPTOR,PREEMPTSPV PRIORITY=500"]
    for name, text in [("spv", spv), ("no-spv", PREEMPT)]:
        add("plan-preempt-" + name, text, 100, **full(), idle=[dict(one, procs=6, mem=0)])
    add("plan-preempt-not-asked", PREEMPT, 100, **full(), idle=[dict(one, qos="firm")])
    add("plan-preempt-by-backfill", PREEMPT + ["BACKFILLPOLICY PREEMPT"], 100, **full(),
        idle=[dict(one, qos="firm", mem=0), idle("q", 1, 50, priority=3)])


def never():
    """A job that no empty cluster could run blocks no other job"""
    for name, job in [("procs", idle("x", 99, 10)), ("nodes", idle("x", 5, 10, nodes=5)),
                      ("memory", idle("x", 1, 10, mem=1)),
                      ("a-node", idle("x", 2, 10, procs_per_task=2))]:
        for policy in ["FIRSTFIT", "NONE"]:
            add("plan-never-%s-%s" % (name, policy.lower()), ["BACKFILLPOLICY " + policy],
                **pond(), idle=[job] + LINE)
    uneven = {"nodes": [node("n00", 1), node("n01", 2), node("n02", 1)], "running": []}
    for policy in ["FIRSTFIT", "NONE"]:
        for procs in [4, 5, 6]:
            add("plan-never-total-%d-%s" % (procs, policy.lower()), ["BACKFILLPOLICY " + policy],
                **uneven, idle=[idle("x", procs, 10), idle("a", 1, 10)])
        add("plan-never-so-many-nodes-%s" % policy.lower(),
            ["JOBNODEMATCHPOLICY EXACTNODE", "BACKFILLPOLICY " + policy],
            **uneven, idle=[idle("x", 4, 10, nodes=2), idle("y", 4, 10, nodes=3),
                            idle("a", 1, 10)])


# ---- licences ----

def licences():
    """Two, of which a running job has one, and the first job needs both: so it is promised them.
    A job ends as that one begins, another one a second later; others find licences behind it."""
    for name, limit in [("until", 100), ("beyond", 101), ("long", 300)]:
        for policy in ["FIRSTFIT", "BESTFIT", "GREEDY", "NONE"]:
            add("plan-licences-%s-%s" % (name, policy.lower()),
                ["BACKFILLPOLICY " + policy, "RESERVATIONDEPTH 3"], nodes=nodes(4), licences=2,
                running=[busy("r", 100, n00=1, licences=1)],
                idle=[idle("both", 1, 50, licences=2), idle("one", 1, limit, licences=1),
                      idle("two", 2, 60, licences=2), idle("none", 1, limit)])
    add("plan-licences-never", [], nodes=nodes(4), licences=2, running=[],
        idle=[idle("x", 1, 50, licences=3), idle("a", 1, 50, licences=2)])


# ---- the file ----

def compare_shared(path):
    """The oracle against cases that others have worked out: starts, bypass, reservations"""
    with open(path, encoding="utf-8") as file:
        cases = [case for case in json.load(file)["cases"] if case["feature"] == "backfill"]
    wrong = 0
    for case in cases:
        plan = Plan(Config(case["config"]), shared_inputs(case["inputs"])).run()
        want = case["expected"]
        got = {"started": [one["job"] for one in plan.started], "bypass": plan.bypass,
               "reservations": [dict(one, procs=sum(one["places"].values()))
                                for one in plan.reserved]}
        for one in got["reservations"]:
            del one["places"]
        if any(got[key] != want[key] for key in got if key in want):
            print("%s: expected %s, got %s" % (case["id"], want, got))
            wrong += 1
    print("%d cases of others, %d read otherwise" % (len(cases), wrong))
    return 1 if wrong or not cases else 0


def add_random(rng, case):
    text, inputs = random_case(rng)
    add(case, text, **inputs)


def main():
    sections = [
        backfill, backfill_order, chunking, by_partition, reservations, stacks,
        retries, thresholds, allocation, access, match, node_sets, limits, preemption, never,
        licences]
    own_file.main("own-plan.json", CASES, sections, add_random, seed=823, repeat=60,
                  prefix="plan", shared=compare_shared)


if __name__ == "__main__":
    main()
