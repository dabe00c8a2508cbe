# SPDX-License-Identifier: GPL-2.0-or-later
"""A slurmctld whose clock the test moves, and what maui.cfg says of the reservations of a moment.

The expectation is computed from the text of maui.cfg by zoneinfo and datetime; it shares nothing
with the plugin. Nodes are slurmctld's choice where maui.cfg gives a TASKCOUNT: about those there
are rules, which Diary checks.
"""

import contextlib
import datetime
import glob
import json
import os
import re
import shutil
import time
import zoneinfo

from cluster import build_dir, parse_fields, wait_until
from sanitizers import skip_with_sanitizers

DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]
LIBRARY = "/usr/lib/*/faketime/libfaketimeMT.so.1"
CONF = """
SchedulerType=sched/maui
SlurmdTimeout=0
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
PROCS = 4  # of each node
YEAR_S = 365 * 86400
LOOK_S = 120  # more than a look may take


# ---- what maui.cfg says ----

def seconds(text):
    """[[[days:]hours:]minutes:]seconds; two fields are hours and minutes."""
    fields = [int(field) for field in text.split(":")]
    fields = fields + [0] if len(fields) == 2 else fields
    days, hours, minutes, rest = [0] * (4 - len(fields)) + fields
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest


def read_srcfg(text):
    """{name: {attribute: value}} in the order of maui.cfg."""
    rsvs = {}
    for line in text.splitlines():
        match = re.match(r"SRCFG\[(\w+)\](.*)", line)
        if match:
            pairs = (word.split("=", 1) for word in match.group(2).split())
            rsvs.setdefault(match.group(1), {}).update(pairs)
    return rsvs


def local(zone, date, wall_s):
    """When the clocks of `zone` show so many seconds after that date's midnight: the first time
    when they do so twice, and what the clock from before the change calls so when they never do."""
    wall = datetime.datetime.combine(date, datetime.time()) + datetime.timedelta(seconds=wall_s)
    return int(wall.replace(tzinfo=zone, fold=0).timestamp())


class Window:
    """One period of a reservation."""

    def __init__(self, rsv, ordinal, day, start, end):
        self.rsv, self.start, self.end = rsv, start, end
        self.ordinal = "%s.%d" % (rsv, ordinal)
        self.stable = "maui.%s.%s" % (rsv, day.strftime("%Y%m%d") if day else "0")

    def overlaps(self, other):
        return self.start < (other.end or 1 << 62) and other.start < (self.end or 1 << 62)


def period_of(srcfg, zone, now):
    """The day on which the current period begins, and how many days it has."""
    today = datetime.datetime.fromtimestamp(now, zone).date()
    if srcfg["PERIOD"] == "DAY":
        return today, 1
    return today - datetime.timedelta(days=(today.weekday() + 1) % 7), 7


def windows(rsvs, zone, now):
    """Every instance that must exist at `now`, {stable name: Window}."""
    found = []
    for name, srcfg in rsvs.items():
        if srcfg["PERIOD"] == "INFINITY":
            found.append(Window(name, 0, None, 0, None))
            continue
        first, length = period_of(srcfg, zone, now)
        begin = seconds(srcfg.get("STARTTIME", "0"))
        end = seconds(srcfg.get("ENDTIME", "0")) or length * 86400
        for i in range(int(srcfg.get("DEPTH", 2))):
            day = first + datetime.timedelta(days=i * length)
            window = Window(name, i, day, local(zone, day, begin), local(zone, day, end))
            listed = srcfg.get("DAYS", ",".join(DAYS)).upper()
            if window.end > now and (length > 1 or DAYS[day.weekday()] in listed):
                found.append(window)
    return {window.stable: window for window in found}


def edges(rsvs, zone, first, last):
    """Moments from first to last at which an instance begins or ends, and each midnight."""
    found, now = set(), first
    while now < last:
        date = datetime.datetime.fromtimestamp(now, zone).date()
        found.add(local(zone, date, 0))
        for window in windows(rsvs, zone, local(zone, date, 0)).values():
            found |= {window.start, window.end}
        now += 3600
    return sorted(moment for moment in found if moment and first <= moment <= last)


# ---- the cluster ----

class Clock:
    """The clock of one slurmctld; every other program uses the machine's clock."""

    def __init__(self, directory, zone):
        skip_with_sanitizers("slurmctld does not start with libfaketime")
        found = glob.glob(LIBRARY)
        assert found, "no %s (Debian: faketime)" % LIBRARY
        self.file = os.path.join(directory, "clock")
        self.bin = os.path.join(directory, "bin")
        self._write_program(found[0], zone)

    def _write_program(self, library, zone):
        """Starts slurmctld with the other clock. Waits use the monotonic clock, which is
        unchanged. Every read of the clock reads the file, so a new time counts at once."""
        os.mkdir(self.bin)
        program = os.path.join(self.bin, "slurmctld")
        with open(program, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\n"
                      'exec env LD_PRELOAD="$LD_PRELOAD:%s" FAKETIME_TIMESTAMP_FILE="%s" '
                      "FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 TZ=%s \\\n\t%s \"$@\"\n"
                      % (library, self.file, zone, shutil.which("slurmctld")))
        os.chmod(program, 0o755)

    def set(self, moment):
        """Sets the clock to `moment`; it runs on from there."""
        with open(self.file + ".new", "w", encoding="ascii") as out:
            out.write("%+d\n" % (int(moment) - int(time.time())))
        os.rename(self.file + ".new", self.file)

    def start(self, cluster):
        """Starts the cluster's slurmctld with this clock."""
        plain = dict(cluster.environment)
        cluster.environment["PATH"] = "%s:%s" % (self.bin, plain["PATH"])
        try:
            cluster.start()
        finally:
            cluster.environment = plain


def forget_shared_memory(pid):
    """Removes what libfaketime leaves of a killed process: a later process with the same id would
    wait for its semaphore without end."""
    for path in ("/dev/shm/faketime_shm_%d" % pid, "/dev/shm/sem.faketime_sem_%d" % pid):
        with contextlib.suppress(OSError):
            os.unlink(path)


class Shifted:
    """A cluster whose slurmctld has another clock and time zone than the machine."""

    def __init__(self, own_cluster, cfg, zone, moment):
        self.cfg, self.zone = cfg, zoneinfo.ZoneInfo(zone)
        self.cluster = own_cluster("RMPOLLINTERVAL 1\n", CONF, nodes=4)
        self.clock = Clock(self.cluster.dir, zone)
        self.maui = os.path.join(build_dir(), "maui")
        assert os.access(self.maui, os.X_OK), self.maui + " (MAUI_BUILD_DIR names the build tree)"
        # a cluster that has no past by the machine's clock
        self.cluster.stop()
        shutil.rmtree(os.path.join(self.cluster.dir, "state"))
        os.mkdir(os.path.join(self.cluster.dir, "state"), 0o700)
        self.cluster.write_maui_cfg(cfg)
        self.cluster.inside.update(TZ=zone, SLURM_TIME_FORMAT="%s")
        self.start(moment)
        wait_until(self._nodes_are_up, "the nodes up")

    def _nodes_are_up(self):
        states = self.cluster.run("sinfo", "-h", "-N", "-o", "%T").stdout.split()
        assert states == ["idle"] * 4 or set(states) <= {"idle", "reserved"}, states
        return True

    def start(self, moment):
        self.clock.set(moment)
        self.born = moment
        self.clock.start(self.cluster)

    def _mirrors_are_saved(self):
        """slurmctld saves its reservations some seconds late: a reservation that a crash lost is
        made again."""
        shown = self.cluster.run("scontrol", "-o", "show", "reservation").stdout
        with open(os.path.join(self.cluster.dir, "state", "resv_state"), "rb") as file:
            saved = file.read()
        return all(name.encode() in saved for name in re.findall(r"ReservationName=(\S+)", shown))

    def stop(self, kill=False):
        if kill:
            wait_until(self._mirrors_are_saved, "reservations saved by slurmctld")
        pid = self.cluster.daemon_pid()
        self.cluster.stop(kill)
        forget_shared_memory(pid)

    def expand(self, text):
        """n[1-2,4] as a set of names."""
        names = set()
        for run in re.sub(r"^n\[?|\]$", "", text).split(","):
            first, _, last = run.partition("-")
            names |= {"n%d" % i for i in range(int(first), int(last or first) + 1)}
        return names

    def showres(self):
        """The moment of the plan, and {stable name: row}; a row has its nodes as {name: procs}."""
        result = json.loads(self.cluster.run(self.maui, "showres", "-n", "--json").stdout)
        rows = {}
        for row in result["reservations"]:
            assert row["stable_name"] not in rows, "twice: %s" % row
            row["on"] = {name: run["procs"] for run in row["nodes"] for name in run["names"]}
            rows[row["stable_name"]] = row
        return result["meta"]["time"], rows

    def mirrors(self):
        """{name: (start, end, nodes)} of scontrol's."""
        text = self.cluster.scontrol("show", "reservation", "-o").stdout
        lines = [parse_fields(line) for line in text.splitlines() if "ReservationName=" in line]
        assert len({line["ReservationName"] for line in lines}) == len(lines), text
        return {line["ReservationName"]: (int(line["StartTime"]), int(line["EndTime"]),
                                          self.expand(line["Nodes"])) for line in lines}


class Diary:
    """Watches a Shifted cluster step by step, and remembers what showres and scontrol said."""

    def __init__(self, shifted):
        self.shifted, self.rsvs = shifted, read_srcfg(shifted.cfg)
        self.nodes = {}    # {stable name: nodes}, of all that there ever were
        self.windows = {}  # {stable name: Window}, the same
        self.starts = {}   # {stable name: start by scontrol}
        self.gone = set()
        self.steps = 0

    def go(self, moment):
        """Sets the clock, and waits until showres and scontrol agree about the time after it."""
        self.shifted.clock.set(moment)
        self.look(moment)

    def leap(self, moment):
        """Skips begins that no plan saw: instances in force by then were made at `moment`."""
        self.shifted.born = moment
        self.go(moment)

    def leap_back(self, moment):
        """Sets the clock back: an ended instance may be in force again, and is made again; a
        future one does not exist."""
        self.gone, self.starts = set(), {}
        self.leap(moment)

    def look(self, moment):
        seen = wait_until(lambda: self._agreed(moment),
                          "agreement at %s" % datetime.datetime.fromtimestamp(
                              moment, self.shifted.zone).strftime("%a %F %T %Z"))
        self._remember(*seen)
        self.steps += 1

    # ---- one look ----

    def _agreed(self, moment):
        now, rows = self.shifted.showres()
        assert moment <= now < moment + LOOK_S, "no plan since"
        expected = windows(self.rsvs, self.shifted.zone, now)
        assert set(rows) == set(expected), (sorted(rows), sorted(expected))
        mirrors = self.shifted.mirrors()
        assert set(mirrors) == set(expected), (sorted(mirrors), now)
        for name, window in expected.items():
            self._check_row(rows[name], window, now)
            self._check_mirror(mirrors[name], rows[name], window, now)
        return now, expected, rows, mirrors

    def _check_row(self, row, window, now):
        srcfg = self.rsvs[window.rsv]
        assert row["name"] == window.ordinal, row
        assert row["mirror"] == window.stable, row
        assert row["type"] == "Standing" and row["missing_tasks"] == 0, row
        if window.end is None:
            assert row["end"] is None, row
            assert row["start"] <= now, row
        else:
            assert (row["start"], row["end"]) == (window.start, window.end), (row, window.start)
        if "TASKCOUNT" not in srcfg:
            assert set(row["on"]) == set(srcfg["HOSTLIST"].split(",")), row
            return
        procs = int(srcfg.get("RESOURCES", "PROCS:%d" % PROCS).split(":")[1])
        assert sum(row["on"].values()) == int(srcfg["TASKCOUNT"]) * procs, row

    def _check_mirror(self, mirror, row, window, now):
        start, end, nodes = mirror
        assert nodes == set(row["on"]), (mirror, row)
        if window.end is None:
            # a year, renewed monthly; less than a day more after a leap back
            assert now + YEAR_S - 30 * 86400 <= end < now + YEAR_S + 86400, mirror
        else:
            assert end == window.end, (mirror, window.end)
        if window.start >= self.shifted.born:
            assert start == window.start, (mirror, window.start)
        else:  # of one that should have begun before slurmctld did, it says when it was made
            assert window.start <= start <= now, (mirror, window.start, now)

    # ---- what is true from look to look; a failure here is final ----

    def _remember(self, now, expected, rows, mirrors):
        for name, window in expected.items():
            assert name not in self.gone, name + " is back"
            nodes = set(rows[name]["on"])
            assert self.nodes.setdefault(name, nodes) == nodes, name + " has moved"
            start = mirrors[name][0]
            assert self.starts.setdefault(name, start) == start, name + " was made again"
            self.windows.setdefault(name, window)
        self.gone |= {name for name, window in self.windows.items()
                      if window.end is not None and window.end <= now}
        self._nothing_twice(expected, rows)

    @staticmethod
    def _nothing_twice(expected, rows):
        """No node is reserved twice at a time."""
        for name, window in expected.items():
            others = [other for other in expected if expected[other].overlaps(window)]
            for node in rows[name]["on"]:
                used = sum(rows[other]["on"].get(node, 0) for other in others
                           if expected[other].start <= window.start)
                assert used <= PROCS, (node, [(other, rows[other]["on"]) for other in others])

    # ---- when all is done ----

    def adjoin(self, first, second):
        """[(name, name)] of all instances seen, where the second begins as the first ends."""
        return [(a, b) for a in self.windows for b in self.windows
                if (self.windows[a].rsv, self.windows[b].rsv) == (first, second)
                and self.windows[a].end == self.windows[b].start]

    def made(self):
        """How often slurmctld's log says that a mirror was created, {stable name: times}."""
        names = re.findall(r"slurm-maui: created Slurm reservation (\S+)",
                           self.shifted.cluster.log_since())
        return {name: names.count(name) for name in names}

    def complaints(self):
        bad = r"error: slurm-maui|slurm-maui: .*restored|deleted Slurm|as slurm-maui creates|" \
            "left alone"
        return [line for line in self.shifted.cluster.log_since().splitlines()
                if re.search(bad, line)]
