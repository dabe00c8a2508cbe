# SPDX-License-Identifier: GPL-2.0-or-later
"""answers - made-up answers to the verb `report`, as doc/query.md describes them

few: the clusters of a small site; many: 300 nodes in rows of equal nodes; shared: many jobs on a
node; hostile: names that try to break out; empty: nothing runs or waits.
"""
import random

NOW = 1795428000  # Monday 2026-11-23 10:00:00 UTC
HOUR = 3600


class Report:
    def __init__(self, cluster="demo", horizon=24 * HOUR):
        self.items, self.rows = [], []
        self.all = {"cluster": cluster, "time": NOW, "schedule": {
            "horizon": horizon, "node_count": 0, "step": 0, "items": self.items, "rows": self.rows},
            "fairshare": None, "utilisation": [], "queue": {}, "reasons": {}, "waiting": [],
            "why_not": []}

    def node(self, name, count=1):
        self.rows.append({"nodes": name, "node_count": count, "boxes": []})
        self.all["schedule"]["node_count"] += count

    def item(self, kind, name, start, end, rows, user=None, account=None, procs=0):
        """`start` and `end` in hours from now; end None: never."""
        horizon = self.all["schedule"]["horizon"]
        item = {"kind": kind, "id": name, "start": NOW + int(start * HOUR),
                "end": None if end is None else NOW + int(end * HOUR),
                "nodes": sum(self.rows[row]["node_count"] for row in rows), "procs": procs}
        if user is not None:
            item["user"] = user
        if account is not None:
            item["account"] = account
        index = len(self.items)
        self.items.append(item)
        until = horizon if end is None else min(horizon, int(end * HOUR))
        for row in rows:
            self.rows[row]["boxes"].append([index, max(0, int(start * HOUR)), until])

    def queue(self, **states):
        for state, (jobs, procs) in states.items():
            self.all["queue"][state] = {"jobs": jobs, "procs": procs}

    def waiting(self, number, user, priority, reason, clipped=None, added=0, **components):
        job = {"id": number, "user": user, "account": "physics", "partition": "main", "nodes": 2,
               "procs": 8, "limit": 3600, "priority": priority, "reason": reason,
               "expected_start": None}
        if components:
            job["components"] = components
            job["system_priority_added"] = added
        if clipped is not None:
            job["clipped"] = clipped
        self.all["waiting"].append(job)

    def fairshare(self, windows, credentials):
        """credentials: (kind, name, percent of each window, target with its kind or None)."""
        weights = [0.8 ** age for age in range(windows)]
        share = {"policy": "DEDICATEDPS", "total": 1000 * sum(weights), "credentials": [],
                 "windows": [{"start": NOW - HOUR * age, "end": NOW - HOUR * (age - 1),
                              "weight": weight, "total": 1000}
                             for age, weight in enumerate(weights)]}
        for kind, name, used, target in credentials:
            used = [10 * part for part in (used * windows)[:windows]]
            effective = sum(map(lambda pair: pair[0] * pair[1], zip(used, weights)))
            percent = 100 * effective / share["total"]
            kinds = {"target": lambda off: abs(off) > 5, "floor": lambda off: off < 0,
                     "ceiling": lambda off: off > 0}
            off_target = bool(target) and kinds.get(target[0], lambda off: False)(percent - target[1])
            share["credentials"].append({
                "kind": kind, "name": name, "used": used, "effective": effective,
                "percent": percent, "points": 0, "held": False, "off_target": off_target,
                "target": target and {"kind": target[0], "suffix": "", "value": target[1]},
                "forecast": target and percent > target[1] and {
                    "above": True, "at_present_rate": None, "running_nothing": NOW + 30 * HOUR}
                or None})
        self.all["fairshare"] = share

    def utilisation(self, procs=192):
        """A day of spans, two hours of it unknown."""
        spans = self.all["utilisation"] = []
        for number in range(144):
            if 30 <= number < 42:
                continue
            used = procs * (60 + 35 * ((number * 7) % 13) / 13) / 100
            reserved = min(procs - used, 24.0 if number > 100 else 0)
            start = NOW - (144 - number) * 600
            spans.append({"start": start, "end": start + 600, "procs": procs, "down": 0,
                          "used": used, "reserved": reserved, "idle": procs - used - reserved,
                          "running": 40, "waiting": 20 + (number * 11) % 30})

    def partition(self, name, gres, *shares):
        row = dict(zip(("used", "reserved", "idle", "down"), shares), partition=name, gres=gres)
        self.all.setdefault("partitions", []).append(row)

    def estimate(self, partition, ahead, jobs, *errors):
        row = dict(zip(("p10", "p50", "p90"), errors), estimate="first", ahead=ahead, jobs=jobs)
        if partition:
            row["partition"] = partition
        self.all.setdefault("estimates", []).append(row)

    def why(self, number, wanted, reason, **nodes):
        self.all["why_not"].append({"id": number, "reason": reason, "wanted": wanted, "nodes": {
            name.replace("_", " "): count for name, count in nodes.items()}})


def few():
    r = Report()
    for n in range(1, 13):
        r.node("n%02d" % n)
    r.item("running", "4021", -2, 5, range(0, 4), "alice", "physics", 64)
    r.item("running", "4017", -1, 9, range(4, 6), "bob", "chemistry", 32)
    r.item("running", "4030", -0.5, 3, [6], "carol", "physics", 16)
    r.item("suspended", "4012", -9, 2, [7], "erin", "biology", 16)
    r.item("reserved", "4044", 9, 15, range(0, 6), "dan", "physics", 96)
    r.item("down", "down1", 0, None, [11])
    r.item("system", "maui.SYSTEM.20261123", 18, 22, range(0, 12))
    r.item("user", "maui.steve.20261123", 4, 8, [6, 7])
    r.item("standing", "maui.gpu-day.20261123", 8, 18, range(8, 11))
    r.item("slurm", "maintenance", 22, None, range(8, 12))
    r.item("free", "window1", 0, 8, range(8, 11), procs=48)
    r.queue(running=(3, 112), starting=(0, 0), suspended=(1, 16), reserved=(1, 96),
            eligible=(2, 24), blocked=(1, 4))
    r.all["reasons"] = {"resources": {"jobs": 1, "procs": 96}, "jobs of higher priority come first": {"jobs": 2, "procs": 24},
                        "limit": {"jobs": 1, "procs": 4}}
    r.waiting(4044, "dan", 4520, "resources", CRED=500, FS=1320, SERV=2100, RES=600)
    r.waiting(4051, "bob", 2664, "jobs of higher priority come first", CRED=500, FS=-800, SERV=2900, RES=64)
    r.waiting(4060, "amy", 1316, "jobs of higher priority come first", CRED=100, FS=900, SERV=300, RES=16)
    r.waiting(4071, "eve", 101, "jobs of higher priority come first", 1, 100, CRED=100, FS=-300)
    r.fairshare(7, [("user", "alice", [22, 31, 18, 12], ("target", 25)),
                    ("user", "bob", [38.5], ("target", 25)),
                    ("user", "carol", [2, 8], ("floor", 10)),
                    ("user", "dan", [0], ("target", 20)),
                    ("account", "physics", [49, 50, 48, 51], ("ceiling", 50)),
                    ("account", "chemistry", [41], ("absolute_cap", 1500)),
                    ("qos", "normal", [97], None)])
    r.utilisation()
    r.partition("batch", None, 128, 16, 40, 8)
    r.partition("batch", "gpu:a100", 6, 0, 2, 0)
    r.estimate(None, 3600, 52, -900, 30, 1800)
    r.estimate("batch", None, 12, -7200, 0, 3600)
    r.why(4044, 6, "resources", free=3, busy=8, state=1)
    r.why(4051, 2, "jobs of higher priority come first", free=1, busy=6, reserved_for_a_job=4, state=1)
    return r.all


def many(seed=7):
    random.seed(seed)
    r = Report("large")
    at, job = 1, 5000
    while at <= 300:
        count = min(random.choice([1, 2, 2, 4, 8, 16]), 301 - at)
        name = "n[%03d-%03d]" % (at, at + count - 1) if count > 1 else "n%03d" % at
        r.node(name, count)
        at += count
    for row in range(len(r.rows)):
        end = random.choice([1, 2.5, 4, 7, 11, 20, 30])
        job += 1
        r.item("running", str(job), -1, end, [row], "user%d" % (job % 17), "physics",
               16 * r.rows[row]["node_count"])
        if end < 20 and row % 3:
            r.item("reserved", str(job + 2000), end, end + 6, [row], "user%d" % (job % 13))
    r.queue(running=(len(r.rows), 4800), reserved=(9, 600), eligible=(812, 20000), blocked=(40, 400))
    r.all["reasons"] = {"resources": {"jobs": 9, "procs": 600},
                        "jobs of higher priority come first": {"jobs": 803, "procs": 19400},
                        "limit": {"jobs": 12, "procs": 400}, "held": {"jobs": 40, "procs": 400},
                        "waits for another job": {"jobs": 19, "procs": 400}}
    for i in range(50):
        r.waiting(7000 + i, "user%d" % (i % 17), 9000 - 170 * i, "jobs of higher priority come first", CRED=500 + i,
                  FS=2000 - 120 * i, SERV=4000 - 60 * i, RES=2500 - i, TARG=10 * i)
    for i in range(5):
        r.why(7000 + i, 2 ** i, "resources", free=i, busy=250 - i, reserved_for_a_job=40,
              features=8, state=2)
    return r.all


def rows(count):
    """A row for each of `count` nodes, each with a job and then another one."""
    random.seed(count)
    r = Report("rows")
    for n in range(count):
        r.node("node%04d" % n)
    for n in range(count):
        end = 1 + random.randrange(20)
        r.item("running", str(n + 1), -1, end, [n], "ann", procs=4)
        r.item("reserved", str(n + 10001), end, end + 2, [n], "bob", procs=4)
    r.queue(running=(count, 4 * count), reserved=(count, 4 * count))
    r.all["reasons"] = {"resources": {"jobs": count, "procs": 4 * count}}
    return r.all


def shared():
    r = Report("shared")
    for n in range(4):
        r.node("n%d" % n)
    job = 0
    for n, jobs in enumerate([2, 3, 9, 40]):
        for _ in range(jobs):
            job += 1
            r.item("running", str(job), -1, 1 + job * 7 % 20, [n], "ann", "bio", 1)
    r.item("standing", "maui.biz.20261123", 1, 23, range(4))
    r.queue(running=(job, job))
    return r.all


def ending():
    """Jobs that end within minutes, one behind the other, share a lane."""
    r = Report("ending")
    for n in range(3):
        r.node("n%d" % n)
        for part in range(4):
            r.item("running", "%d" % (10 * n + part), part / 20, (part + 1) / 20, [n], "ann")
        r.item("reserved", "%d" % (100 + n), 4 / 20, 5, [n], "bob")
    r.queue(running=(12, 12))
    return r.all


HOSTILE = ["<script>alert(1)</script>", "\"><svg onload='x'>", "a&b;&amp;", "]]>", "x" * 200,
           "W" * 200, "line\nfeed\ttab\u0007bell\u001b[31m", "\u202egnp.exe", "\u4e2d\u6587" * 40,
           "\U0001f600" * 50, "--><!--", "{{7*7}}", "'", "\u0000nul", "\ufeffbom", "\ufdfd" * 9]


def hostile():
    r = Report("<b>cluster</b>\u0000")
    for n, name in enumerate(HOSTILE):
        r.node(name)
        r.item("running", name, -1, 1 + n, [n], name, name, 3)
    for n, name in enumerate(HOSTILE):
        r.item("standing", name, 2 + n, 23, [n])
        r.waiting(n, name, 1000 + n, name, CRED=10, FS=-5 * n, SERV=1e308)
        r.all["reasons"][name] = {"jobs": 1, "procs": 1}
        r.partition(name, name, 1, 2, 3, 4)
        r.estimate(name, 600, 1, 1, 2, 3)
    r.all["why_not"].append({"id": 1, "reason": HOSTILE[0], "wanted": 1,
                             "nodes": {name: 3 for name in HOSTILE}})
    r.fairshare(60, [("user", name, [9], ("target", 5 if name < "M" else 400))
                     for name in HOSTILE])
    r.queue(running=(len(HOSTILE), 48))
    return r.all


def empty():
    r = Report("idle")
    for n in range(2):
        r.node("n%d" % n)
    r.item("free", "window1", 0, None, [0, 1], procs=8)
    return r.all


ANSWERS = {"few": few, "many": many, "shared": shared, "hostile": hostile, "empty": empty, "ending": ending,
           "rows-200": lambda: rows(200), "rows-61": lambda: rows(61),
           "nothing": lambda: {"cluster": None, "time": NOW}}
