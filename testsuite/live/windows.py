# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of standing reservations share: windows around now, mirrors, showres."""

import contextlib
import json
import os
import re
import time

from cluster import build_dir, epoch, parse_fields, wait_until
from starts import expand

# Alike but for features and gres; classes are Slurm's partitions.
CONF = """
SchedulerType=sched/maui
GresTypes=widget
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=largememory
NodeName=n3 CPUs=4 CoresPerSocket=4 RealMemory=4000 Gres=widget:2
NodeName=n4 CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=interactive Nodes=ALL MaxTime=INFINITE State=UP
"""

DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
HOUR = 3600


@contextlib.contextmanager
def noon():
    """A time zone in which it is about noon, so that an hour's window around now is within a day,
    and no day ends during the tests."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "NOON%+d" % (time.gmtime().tm_hour - 12)
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()


def clock(when):
    """Time of day as maui.cfg has it."""
    return time.strftime("%H:%M:%S", time.localtime(when))


def today(when=None):
    return DAYS[time.localtime(when).tm_wday]


def other_days():
    return ",".join(day for day in DAYS if day != today())


def daily(begin, end):
    """A window of today's, in epoch seconds."""
    return "PERIOD=DAY STARTTIME=%s ENDTIME=%s" % (clock(begin), clock(end))


def weekly(begin, end):
    """The same as one of this week."""
    day = (time.localtime(begin).tm_wday + 1) % 7  # Sunday is the first
    return "PERIOD=WEEK STARTTIME=%d:%s ENDTIME=%d:%s" % (day, clock(begin), day, clock(end))


class Mirror:
    """What scontrol says of a reservation."""

    def __init__(self, cluster, fields):
        self.fields, self.name = fields, fields["ReservationName"]
        self.start, self.end = epoch(fields["StartTime"]), epoch(fields["EndTime"])
        self.nodes = expand(cluster, fields["Nodes"])
        self.flags = fields["Flags"].split(",")

    def __repr__(self):
        return "%s %s %s" % (self.name, ",".join(self.nodes), self.fields)


def mirrors(cluster):
    """{name: Mirror} of all reservations that scontrol shows."""
    text = cluster.scontrol("show", "reservation", "-o").stdout
    shown = (Mirror(cluster, parse_fields(line)) for line in text.splitlines() if "=" in line)
    return {mirror.name: mirror for mirror in shown}


def mirror_name(rsv, when=None):
    """Of the instance of that day; 0: of an endless one."""
    return "maui.%s.%s" % (rsv, 0 if when == 0 else time.strftime("%Y%m%d", time.localtime(when)))


def wait_mirror(cluster, name, check=lambda mirror: True):
    """Until there is one of this name that check() likes."""
    def look():
        seen = mirrors(cluster)
        assert name in seen and check(seen[name]), seen
        return seen[name]
    return wait_until(look, "reservation " + name)


def wait_no_mirror(cluster, name):
    wait_until(lambda: name not in mirrors(cluster), "no reservation " + name)


def maui(cluster, *arguments, check=True):
    """One of our commands, in the cluster's environment."""
    return cluster.run(os.path.join(build_dir(), "maui"), *arguments, check=check)


def showres(cluster):
    """{name: row} of the last plan."""
    rows = json.loads(maui(cluster, "showres", "--json").stdout)["reservations"]
    return {row["name"]: row for row in rows}


def wait_showres(cluster, name, check=lambda row: True):
    def look():
        seen = showres(cluster)
        assert name in seen and check(seen[name]), seen
        return seen[name]
    return wait_until(look, "%s in showres" % name)


def made(cluster, mark):
    """Reservations that were made since, by slurmctld's log."""
    return re.findall(r"slurm-maui: created Slurm reservation (\S+)", cluster.log_since(mark))
