# SPDX-License-Identifier: GPL-2.0-or-later
"""What one scheduling iteration decides: Maui's manual (5.2, 5.3, 8.2, 8.4) with
doc/rules, written down a second time, not from the C code. Slow and plain: what is free is
summed again from the list of occupations each time it is asked for.

planned(Config(text), inputs) returns what a golden case expects; README.md beside this file has
the inputs. Placing, backfill order and preemption are in plan_rules.py, node sets in plan_sets.py.
"""

import math

from own_oracle import seconds
from plan_rules import PREEMPTION, backfill_order, metric, node_order, share_out, stretch_of
from plan_sets import NodeSets

END = math.inf
WORDS = {"BACKFILLPOLICY": "FIRSTFIT", "BACKFILLMETRIC": "PROCS", "BFPRIORITYPOLICY": "NONE",
         "RESERVATIONPOLICY": "CURRENTHIGHEST", "RESERVATIONTHRESHOLDTYPE": "NONE",
         "NODEALLOCATIONPOLICY": "LASTAVAILABLE", "NODEACCESSPOLICY": "SHARED",
         "PREEMPTPOLICY": "REQUEUE", "BACKFILLMAXSCHEDULES": "10000", "JOBNODEMATCHPOLICY": ""}
FALSE = ("FALSE", "OFF", "NO", "0")


class Plan:
    """One iteration: what is taken of which node when, and what was decided so far."""

    def __init__(self, config, inputs):
        self.config, self.inputs, self.now = config, inputs, inputs["now"]
        self.nodes = inputs["nodes"]
        self.sets = NodeSets(config, self.nodes)
        self.taken = []  # {node, procs, mem, user, sole, start, end, whose}
        self.started, self.reserved, self.gone, self.bypass = [], [], [], {}
        self.blocked, self.left = {}, {}
        self.window = None
        self.queue = [dict(job, place=n, state="waiting", limited=False)
                      for n, job in enumerate(inputs["idle"])]

    # ---- the configuration ----

    def word(self, name, job=None):
        plain = self.config.plain
        own = plain.get((name, partition_of(job))) if job else None
        word = (own or plain.get((name, None)) or WORDS[name]).upper()
        return "NONE" if name == "BACKFILLPOLICY" and word in FALSE else word

    def number(self, name, job):
        return seconds(self.config.get(name, partition_of(job)))

    def flags(self, who):
        return (self.config.attr_or_default("qos", who.get("qos"), "FLAGS") or "").split(",")

    # ---- nodes ----

    def take(self, job, name, procs, start, end, whose):
        self.taken.append({"node": name, "start": start, "end": end, "whose": whose,
                           "procs": procs, "mem": job.get("mem", 0), "user": user_of(job)})

    def take_licences(self, job, start, end, whose):
        """Of the cluster, so on no node"""
        if job.get("licences"):
            self.take(job, None, 0, start, end, whose)
            self.taken[-1].update(mem=0, licences=job["licences"])

    def has_licences(self, job, start, end):
        have = self.inputs.get("licences", 0)
        return all(job.get("licences", 0) <= have - sum(
            one.get("licences", 0) for one in self.taken if one["start"] <= when < one["end"])
                   for when in self.moments(start, end)) if job.get("licences") else True

    def hold(self, job, places, start, end, whose=None):
        self.take_licences(job, start, end, whose)
        for node in self.nodes:
            tasks = places.get(node["name"], 0)
            if tasks > 0:
                self.take(job, node["name"], node["procs"] if self.whole(job) else
                          tasks * job.get("procs_per_task", 1), start, end, whose)

    def drop(self, whose):
        self.taken = [one for one in self.taken if one["whose"] != whose]

    def on(self, node, when):
        return [one for one in self.taken
                if one["node"] == node["name"] and one["start"] <= when < one["end"]]

    def moments(self, start, end):
        """The beginning, and whenever anything changes before the end"""
        times = {one[what] for one in self.taken for what in ("start", "end")}
        return sorted({start} | {time for time in times if start < time < end})

    def whole(self, job):
        return self.word("NODEACCESSPOLICY") in ("SINGLEJOB", "SINGLETASK") or \
            "DEDICATED" in self.flags(job)

    def free_procs(self, node, start, end):
        return max(0, min(node["procs"] - sum(one["procs"] for one in self.on(node, when))
                          for when in self.moments(start, end)))

    def tasks_at(self, job, node, when):
        others = self.on(node, when)
        procs = node["procs"] - sum(one["procs"] for one in others)
        mem = node.get("mem", 0) - sum(one["mem"] for one in others)
        if mem < job.get("mem", 0) or (self.whole(job) and procs < node["procs"]):
            return 0
        if self.word("NODEACCESSPOLICY") == "SINGLEUSER" and \
                any(one["user"] != user_of(job) for one in others):
            return 0
        one_task = self.word("NODEACCESSPOLICY") == "SINGLETASK"
        most = job["procs"] // job.get("procs_per_task", 1) - (job.get("nodes", 1) - 1)
        return min(max(0, procs) // job.get("procs_per_task", 1), 1 if one_task else most)

    def serves(self, job, node):
        return partition_of(job) in node.get("partitions", ["batch"])

    def forms(self, job):
        """(least nodes, most nodes, processors of each node or None): JOBNODEMATCHPOLICY in the order
        of preference"""
        words = self.word("JOBNODEMATCHPOLICY").split()
        least, most = job.get("nodes", 1), job.get("nodes_max", END)
        ranged = "EXACTNODE" in words and job.get("nodes_max", 0) > least
        if "EXACTNODE" in words and "nodes" in job and not ranged:
            most = least
        if "EXACTPROC" in words:
            for procs in sorted({node["procs"] for node in self.nodes}, reverse=True):
                if job["procs"] % procs == 0 and procs % job.get("procs_per_task", 1) == 0 and \
                        least <= job["procs"] // procs <= most:
                    yield job["procs"] // procs, job["procs"] // procs, procs
        elif ranged:
            for count in range(least, most + 1):
                yield count, count, None
        else:
            yield least, most, None

    def tasks(self, job, node, start, end):
        if not self.serves(job, node):
            return 0
        tasks = min(self.tasks_at(job, node, when) for when in self.moments(start, end))
        if self.window is not None:  # no more than it has in all of the window
            have = self.free_procs(node, self.now, self.window)
            if self.whole(job):
                return tasks if have >= node["procs"] else 0
            tasks = min(tasks, have // job.get("procs_per_task", 1))
        return tasks

    def until(self, job, node, start, least):
        """End of the node's free interval"""
        return next((when for when in self.moments(start, END)
                     if self.tasks_at(job, node, when) < least), END)

    def least(self, job, tasks, most):
        """What a node must take for the others, all empty, to be able to take the rest"""
        kept, self.taken = self.taken, []
        empty = [self.tasks_at(job, node, self.now) for node in self.nodes
                 if self.serves(job, node)]
        self.taken = kept
        empty = [one for one in empty if one > 0]
        return max([1] + [tasks - (min(most, len(empty)) - 1) * max(empty)] if empty else [1])

    def place(self, job, start, length):
        """{node: tasks} or None"""
        if job.get("refused") and start <= self.now:
            return None
        if not self.has_licences(job, start, start + length):
            return None
        for inside in self.sets.choices(self, job, start, length):
            for form in self.forms(job):
                places = self.place_as(job, start, length, form, inside)
                if places:
                    return places
        return None

    def place_as(self, job, start, length, form, inside):
        fewest, most, procs = form
        tasks = job["procs"] // job.get("procs_per_task", 1)
        takes_now = [self.tasks(job, node, start, start + length)
                     if inside is None or node["name"] in inside else 0 for node in self.nodes]
        least = self.least(job, tasks, most)
        if procs:
            least = procs // job.get("procs_per_task", 1)
        elif job.get("nodes_max") and fewest == most:
            least = max([1, tasks - (most - 1) * max(takes_now)])
        offers = [{"node": n, "tasks": takes, "until": self.until(job, n, start, least),
                   "index": i}
                  for i, n in enumerate(self.nodes)
                  for takes in [takes_now[i]]
                  if takes >= least and procs in (None, n["procs"])]
        policy = self.word("NODEALLOCATIONPOLICY", job)
        special = stretch_of(policy, offers, tasks, fewest, most)
        if special:
            return special
        for by_size in (False, True):  # the number of nodes is bounded: large ones do
            order = sorted(offers, key=lambda o: node_order(self.config, policy, o, by_size))
            chosen = share_out(order, tasks, fewest, most)
            if chosen:
                return chosen
        return None

    def possible(self, job):
        """Whether an empty cluster could run it"""
        kept, self.taken, window, self.window = self.taken, [], self.window, None
        found = self.place(dict(job, refused=False, waited=END), self.now, job["wclimit"])
        self.taken, self.window = kept, window
        return found is not None

    def earliest(self, job, start):
        ends = {one["end"] for one in self.taken if start < one["end"] < END}
        for when in sorted({start} | ends | {max(start, self.sets.until(self, job))}):
            places = self.place(job, when, job["wclimit"])
            if places:
                return when, places
        return None, None

    # ---- limits and access ----

    def pool(self, job):
        """Partitions that share nodes compete"""
        names, size = {partition_of(job)}, 0
        while size != len(names):
            size = len(names)
            for node in self.nodes:
                if names & set(node.get("partitions", ["batch"])):
                    names |= set(node.get("partitions", ["batch"]))
        return min(names)

    def allowed(self, job, level):
        """MAXJOB=[soft,]hard of its user, the one limit that these cases have"""
        text = self.config.attr_or_default("user", job.get("user"), "MAXJOB")
        if not text:
            return True
        limits = [int(part) for part in text.split(",")]
        running = [one for one in self.inputs.get("running", [])
                   if one.get("user") == job["user"]]
        begun = [one for one in self.queue if one.get("user") == job["user"] and
                 (one["state"] == "started" or one.get("vacates"))]
        return len(running) + len(begun) < limits[0 if level == "soft" else -1]

    def stack(self, job):
        names = {0} | {int(index) for name, index in self.config.plain
                       if name in ("RESERVATIONDEPTH", "RESERVATIONQOSLIST") and index}
        for number in sorted(names):
            index = str(number) if number else None
            depth = int(self.config.plain.get(("RESERVATIONDEPTH", index),
                                              "1" if number == 0 else "0"))
            whom = self.config.plain.get(("RESERVATIONQOSLIST", index), "ALL").split()
            if depth > 0 and ("ALL" in whom or job.get("qos") in whom):
                return number, depth
        return None, 0

    def depth_left(self, job):
        number, depth = self.stack(job)
        return depth - self.left.get((self.pool(job), number), 0)

    def beyond_threshold(self, job):
        waited = job.get("waited", 0)
        value = {"NONE": END, "BYPASS": job.get("bypass", 0) + self.bypass.get(job["name"], 0),
                 "QUEUETIME": waited, "XFACTOR": 1 + waited / job["wclimit"]}
        return value[self.word("RESERVATIONTHRESHOLDTYPE", job)] > \
            float(self.config.get("RESERVATIONTHRESHOLDVALUE", partition_of(job)))

    def may_reserve(self, job):
        flags = self.flags(job)
        if self.word("BACKFILLPOLICY", job) in ("NONE", "PREEMPT") or \
                self.word("RESERVATIONPOLICY", job) == "NEVER" or "NORESERVATION" in flags:
            return False
        return "RESERVEALWAYS" in flags or \
            (self.depth_left(job) > 0 and self.beyond_threshold(job))

    # ---- deciding ----

    def start(self, job, places, out_of_order):
        job["state"] = "started"
        self.hold(job, places, self.now, self.now + job["wclimit"])
        self.started.append({"job": job["name"], "places": places})
        for other in self.queue[:job["place"]] if out_of_order else []:
            if other["state"] in ("waiting", "reserved", "held") and not other["limited"] and \
                    self.pool(other) == self.pool(job):
                self.bypass[other["name"]] = self.bypass.get(other["name"], 0) + 1

    def reserve(self, job, start, places, shown=None):
        job["state"] = "reserved"
        self.hold(job, places, max(start, self.now), max(start, self.now) + job["wclimit"])
        begin = start if shown is None else shown
        self.reserved.append({"job": job["name"], "start": begin,
                              "end": max(start, self.now) + job["wclimit"], "places": places})
        if "RESERVEALWAYS" not in self.flags(job) and self.depth_left(job) > 0:
            key = (self.pool(job), self.stack(job)[0])
            self.left[key] = self.left.get(key, 0) + 1

    def due(self, job):
        job_rsv = job.get("job_rsv")
        return job_rsv and job_rsv["start"] <= self.now and \
            self.now - job_rsv["start"] < self.number("RESERVATIONRETRYTIME", job)

    def keep_job_rsvs(self):
        """Under HIGHEST a job keeps its job reservation until its turn comes"""
        for job in sorted((job for job in self.queue if job.get("job_rsv")),
                          key=lambda job: (job["job_rsv"]["start"], job["place"])):
            if self.word("BACKFILLPOLICY", job) in ("NONE", "PREEMPT") or not (
                    self.word("RESERVATIONPOLICY", job) == "HIGHEST" or self.due(job)):
                continue
            begin = max(job["job_rsv"]["start"], self.now)
            places = job["job_rsv"]["places"]
            if all(self.tasks(job, node, begin, begin + job["wclimit"]) >= places[node["name"]]
                   for node in self.nodes if node["name"] in places) and \
                    self.has_licences(job, begin, begin + job["wclimit"]):
                job["state"] = "held"
                self.hold(job, places, begin, begin + job["wclimit"], job["name"])

    def visit_held(self, job, level):
        self.drop(job["name"])
        places = self.place(job, self.now, job["wclimit"]) if self.allowed(job, level) else None
        if places:
            self.start(job, places, self.blocked.get(self.pool(job)))
            return
        self.blocked[self.pool(job)] = True
        if self.due(job):
            self.reserve(job, self.now, job["job_rsv"]["places"], job["job_rsv"]["start"])
        else:
            when, places = self.earliest(job, self.now)
            if places:
                self.reserve(job, when, places)

    def visit(self, job):
        blocked = self.blocked.get(self.pool(job), False)
        if (blocked and not self.may_reserve(job)) or job.get("refused") or \
                not self.possible(job):
            return
        places = self.place(job, self.now, job["wclimit"])
        if places:
            self.start(job, places, blocked)
        elif not PREEMPTION.preempt(self, job):
            self.blocked[self.pool(job)] = True
            when, places = self.earliest(job, self.now) if self.may_reserve(job) else (None, None)
            if places:
                self.reserve(job, when, places)

    def walk(self, level):
        for job in self.queue:
            if job["state"] == "held":
                self.visit_held(job, level)
            elif job["state"] == "waiting" and (level == "soft" or job["limited"]):
                job["limited"] = not self.allowed(job, level)
                if not job["limited"]:
                    self.visit(job)

    # ---- backfill ----

    def windows(self, pool):
        """Ends of the windows of a pool: whenever less is free for so long than for shorter"""
        ends = [when for when in self.moments(self.now, END)[1:]
                if self.free_in(pool, when) > self.free_in(pool, when + 1)]
        return ends + [END] if self.free_in(pool, END) > 0 else ends

    def pool_of_node(self, node):
        return self.pool({"class": node.get("partitions", ["batch"])[0]})

    def rules(self, job):
        return [self.word(name, job) for name in ("BACKFILLPOLICY", "BACKFILLMETRIC",
                                                  "BFPRIORITYPOLICY")] + \
            [self.number(name, job) for name in ("BACKFILLDEPTH", "BFCHUNKSIZE",
                                                 "BFCHUNKDURATION")]

    def fits_window(self, job, free, end):
        return job["state"] == "waiting" and job["procs"] <= free and \
            self.now + job["wclimit"] <= end

    def free_in(self, pool, end):
        return sum(self.free_procs(n, self.now, end) for n in self.nodes
                   if self.pool_of_node(n) == pool)

    def try_start(self, job, level, pool, end):
        if job["state"] != "waiting" or job["procs"] > self.free_in(pool, end):
            return False
        job["limited"] = not self.allowed(job, level)
        if job["limited"]:
            return False
        places = self.place(job, self.now, job["wclimit"])
        if places:
            self.start(job, places, True)
        return bool(places)

    def backfill_window(self, group, level, pool, end):
        policy, order, depth = self.rules(group[0])[0], self.rules(group[0])[2], \
            self.rules(group[0])[3]
        self.window = end
        free = self.free_in(pool, end)
        candidates = [job for job in group if self.fits_window(job, free, end) and
                      not job.get("refused")]
        candidates = candidates[:depth] if depth > 0 else candidates
        chunk = self.chunk_size(group[0]) if policy == "FIRSTFIT" else 0
        if chunk:
            self.walk_chunked(group, candidates, chunk, level, pool, end)
        else:
            by_metric = metric(self, self.rules(group[0])[1])
            tries = int(self.word("BACKFILLMAXSCHEDULES"))
            for turn in backfill_order(policy, order, candidates, free, by_metric, tries):
                if not all([self.try_start(job, level, pool, end) for job in turn]) and \
                        policy == "GREEDY":
                    for job in sorted(candidates, key=lambda j: (-by_metric(j), j["place"])):
                        self.try_start(job, level, pool, end)
        self.window = None

    def chunk_size(self, job):
        until = self.inputs.get("chunk_block_until")
        size = self.number("BFCHUNKSIZE", job)
        return size if size > 0 and self.number("BFCHUNKDURATION", job) > 0 and \
            until is not None and self.now < until else 0

    def walk_chunked(self, group, candidates, chunk, level, pool, end):
        """Behind a large job that finds too few processors small ones have to wait"""
        waiting = False
        for job in group:
            if job["state"] != "waiting" or job.get("refused"):
                continue
            if job["procs"] >= chunk and job["procs"] > self.free_in(pool, end):
                waiting = True
            elif job in candidates and not (waiting and job["procs"] < chunk):
                self.try_start(job, level, pool, end)

    def backfill(self, level):
        seen = []
        for first in self.queue:
            if first["state"] != "waiting" or first["place"] in seen:
                continue
            pool, rules = self.pool(first), self.rules(first)
            group = [job for job in self.queue[first["place"]:]
                     if job["state"] == "waiting" and job["place"] not in seen and
                     self.pool(job) == pool and self.rules(job) == rules]
            if rules[0] == "NONE":
                continue
            seen += [job["place"] for job in group]
            for job in group:
                if "NOBF" not in self.flags(job):
                    job["limited"] = not self.allowed(job, level)
            group = [job for job in group if "NOBF" not in self.flags(job) and
                     not job["limited"]]
            for end in self.windows(pool) if group else []:
                self.backfill_window(group, level, pool, end)

    def run(self):
        for job in self.inputs.get("running", []):
            self.take_licences(job, self.now, max(job["end"], self.now + 1), job["name"])
            for name, procs in job["places"].items():
                self.take(job, name, procs, self.now, max(job["end"], self.now + 1), job["name"])
        for node in self.nodes:
            if node.get("avail") is not None:
                self.take({"user": None}, node["name"], node["procs"], self.now + node["avail"],
                          END, None)
        if self.inputs.get("backfill_only"):
            self.backfill("soft")
        else:
            self.keep_job_rsvs()
            for level in ("soft", "hard"):  # the second time if soft limits kept a job out
                if level == "soft" or any(job["limited"] for job in self.queue):
                    self.walk(level)
                    self.backfill(level)
        return self


def partition_of(job):
    return job.get("class", "batch")


def user_of(job):
    return job.get("user", "user")


def planned(config, inputs):
    plan = Plan(config, inputs).run()
    return {"started": plan.started, "reservations": plan.reserved,
            "preempted": sorted(plan.gone), "bypass": plan.bypass}
