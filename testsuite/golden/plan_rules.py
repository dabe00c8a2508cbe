# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules of plan_oracle.py: which node first, which job first, which job is preempted."""

import itertools

# ---- nodes (manual 5.2) ----


def node_order(config, policy, offer, by_size):
    """What offers are sorted by"""
    node = offer["node"]
    rank = config.plain.get(("NODECFG", node["name"]), config.plain.get(("NODECFG", "DEFAULT"),
                                                                       "PRIORITY=0"))
    first = {"LASTAVAILABLE": (offer["until"],),
             "MINRESOURCE": (node["procs"], node.get("mem", 0)),
             "PRIORITY": (-float(rank.split("=")[1]),),
             "CPULOAD": (node.get("load", 0) - node["procs"],),
             "FASTEST": (-node.get("speed", 1),),
             "MAXBALANCE": (node.get("speed", 1),)}.get(policy, ())
    return (-offer["tasks"] if by_size else 0,) + first + (node.get("weight", 1), offer["index"])


def share_out(order, tasks, fewest, most):
    """As many tasks to each in turn as it takes, one kept for each node still to come"""
    places, left = {}, tasks
    for offer in order:
        if (left <= 0 and len(places) >= fewest) or len(places) >= most:
            break
        kept = max(0, fewest - len(places) - 1)
        places[offer["node"]["name"]] = min(offer["tasks"], left - kept)
        left -= places[offer["node"]["name"]]
    return places if left <= 0 and len(places) >= fewest else None


def stretch_of(policy, offers, tasks, fewest, most):
    """CONTIGUOUS, MAXBALANCE: nodes that belong together; None: none do"""
    if policy == "CONTIGUOUS":
        runs = []
        for offer in offers:
            if runs and runs[-1][-1]["index"] + 1 == offer["index"]:
                runs[-1].append(offer)
            else:
                runs.append([offer])
        for run in sorted(runs, key=len):
            for first in range(len(run)):
                found = share_out(run[first:], tasks, fewest, most)
                if found:
                    return found
    if policy == "MAXBALANCE":
        best = None
        for group in groups_by_speed(offers):
            found = share_out(group, tasks, fewest, most)
            spread = group[-1]["node"].get("speed", 1) - group[0]["node"].get("speed", 1)
            if found and (best is None or spread < best[0]):
                best = (spread, found)
        return best and best[1]
    return None


def groups_by_speed(offers):
    """Every stretch of the nodes in the order of speed: early ones first, long ones first"""
    order = sorted(offers, key=lambda o: (o["node"].get("speed", 1),
                                          o["node"].get("weight", 1), o["index"]))
    for last in range(len(order)):
        for first in range(last + 1):
            yield order[first:last + 1]


# ---- jobs (manual 8.2) ----

def equivalents(plan, job):
    total = sum(node["procs"] for node in plan.nodes)
    memory = sum(node.get("mem", 0) for node in plan.nodes)
    asked = job.get("mem", 0) * job.get("nodes", 1)
    return total * max(job["procs"] / total, asked / memory if memory and asked else 0)


def metric(plan, name):
    return {"PROCS": lambda job: job["procs"],
            "PROCSECONDS": lambda job: job["procs"] * job["wclimit"],
            "SECONDS": lambda job: job["wclimit"],
            "NODES": lambda job: job.get("nodes", 1),
            "PE": lambda job: equivalents(plan, job),
            "PESECONDS": lambda job: equivalents(plan, job) * job["wclimit"]}[name]


def best_set(candidates, free, by_metric, tries):
    """The set with the largest sum; of equal ones that with the earlier job at the first
    difference. With a single try the one that comes first."""
    best, most = [], -1
    for wanted in itertools.product([True, False], repeat=len(candidates)):
        chosen = [job for job, take in zip(candidates, wanted) if take]
        if sum(job["procs"] for job in chosen) > free:
            continue
        total = sum(by_metric(job) for job in chosen)
        if total > most + 1e-9:
            best, most = chosen, total
        if tries <= 1:
            break
    return best


def backfill_order(policy, order, candidates, free, by_metric, tries):
    """Lists of jobs to be started one after the other"""
    if policy == "BESTFIT":
        return [[job] for job in sorted(candidates, key=lambda j: (-by_metric(j), j["place"]))]
    if policy == "GREEDY":
        return [best_set(candidates, free, by_metric, tries)]
    if policy == "PREEMPT":
        first = {"NONE": lambda job: 0, "DURATION": lambda job: job["wclimit"],
                 "HWDURATION": lambda job: job["wclimit"] * job["procs"]}[order]
        return [[job] for job in sorted(candidates, key=lambda j: (first(j), j["place"]))]
    return [[job] for job in candidates]


# ---- preemption (manual 8.4) ----

class Preemption:
    """Who goes for a job that cannot start"""

    def priority(self, plan, job):
        weight = plan.config.number("QOSWEIGHT")
        own = plan.config.attr("qos", job.get("qos"), "PRIORITY") or "0"
        return max(1, int(weight * int(own)))

    def victims(self, plan, job):
        spv = "PREEMPTSPV" in plan.flags(job)
        found = []
        for other in plan.inputs.get("running", []):
            preemptible = "PREEMPTEE" in plan.flags(other) or (spv and other.get("over_soft"))
            if preemptible and other["name"] not in plan.gone and other["end"] > plan.now and \
                    any(plan.serves(job, node) for node in plan.nodes
                        if node["name"] in other["places"]) and \
                    self.priority(plan, other) < job["priority"]:
                found.append(other)
        index = [other["name"] for other in plan.inputs.get("running", [])].index
        return sorted(found, key=lambda other: (self.priority(plan, other),
                                                -other.get("start", 0), -index(other["name"])))

    def give(self, plan, other):
        """A suspended job keeps its memory"""
        if plan.word("PREEMPTPOLICY") == "SUSPEND":
            for one in plan.taken:
                if one["whose"] == other["name"]:
                    one["procs"] = 0
        else:
            plan.drop(other["name"])

    def preempt(self, plan, job):
        if "PREEMPTOR" not in plan.flags(job) and \
                plan.word("BACKFILLPOLICY", job) != "PREEMPT":
            return False
        victims, before = self.victims(plan, job), [dict(one) for one in plan.taken]
        gone = list(victims)
        for other in reversed(victims):  # the highest stay when they can
            fewer = [one for one in gone if one is not other]
            plan.taken = [dict(one) for one in before]
            for one in fewer:
                self.give(plan, one)
            if plan.place(job, plan.now, job["wclimit"]):
                gone = fewer
        plan.taken = [dict(one) for one in before]
        for one in gone:
            self.give(plan, one)
        places = plan.place(job, plan.now, job["wclimit"])
        if not gone or not places:
            plan.taken = before
            return False
        plan.gone += [one["name"] for one in gone]
        job["state"], job["vacates"] = "reserved", True
        plan.hold(job, places, plan.now, plan.now + job["wclimit"])
        plan.reserved.append({"job": job["name"], "start": plan.now,
                              "end": plan.now + job["wclimit"], "places": places})
        return True


PREEMPTION = Preemption()
