# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations over time: the test moves slurmctld's clock to begins, ends and midnights,
and at each step scontrol, showres and maui.cfg have to agree."""

import datetime
import shutil
import zoneinfo

import pytest
from rsvclock import LOOK_S, Diary, Shifted, edges, local, read_srcfg

pytestmark = [pytest.mark.together, pytest.mark.slow]

WEEK = """
RMPOLLINTERVAL 1
SRCFG[biz]     PERIOD=DAY DAYS=Mon,Tue,Wed,Thu,Fri STARTTIME=9:00:00 ENDTIME=17:00:00 DEPTH=3
SRCFG[biz]     HOSTLIST=n1 USERLIST=steve
SRCFG[service] PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=1:12:00:00 HOSTLIST=n2 USERLIST=bob
SRCFG[weekend] PERIOD=WEEK STARTTIME=5:18:00:00 ENDTIME=7:00:00:00 DEPTH=1 HOSTLIST=n1 USERLIST=john
SRCFG[own]     PERIOD=INFINITY HOSTLIST=n4 USERLIST=bob
SRCFG[pool]    PERIOD=DAY DEPTH=3 TASKCOUNT=2 RESOURCES=PROCS:2 HOSTLIST=n3,n4 GROUPLIST=chem
SRCFG[night]   PERIOD=DAY STARTTIME=20:00:00 ENDTIME=24:00:00 TASKCOUNT=1 HOSTLIST=n[1-2]
SRCFG[night]  USERLIST=amy
SRCFG[dawn]    PERIOD=DAY STARTTIME=0:00:00 ENDTIME=6:00:00 TASKCOUNT=1 HOSTLIST=n[1-2] USERLIST=amy
"""

CHANGE = """
RMPOLLINTERVAL 1
SRCFG[all]    PERIOD=DAY HOSTLIST=n1 USERLIST=steve
SRCFG[nine]   PERIOD=DAY STARTTIME=9:00:00 ENDTIME=17:00:00 HOSTLIST=n2 USERLIST=steve
SRCFG[twice]  PERIOD=DAY STARTTIME=1:30:00 ENDTIME=2:00:00 HOSTLIST=n2 USERLIST=steve
SRCFG[gap]    PERIOD=DAY STARTTIME=2:30:00 ENDTIME=5:00:00 HOSTLIST=n2 USERLIST=steve
SRCFG[sunday] PERIOD=WEEK STARTTIME=0:09:00:00 ENDTIME=1:00:00:00 HOSTLIST=n4 USERLIST=bob
SRCFG[night]  PERIOD=DAY STARTTIME=20:00:00 ENDTIME=24:00:00 TASKCOUNT=1 HOSTLIST=n[3-4]
SRCFG[night]  USERLIST=amy
SRCFG[dawn]   PERIOD=DAY STARTTIME=0:00:00 ENDTIME=6:00:00 TASKCOUNT=1 HOSTLIST=n[3-4] USERLIST=amy
"""


def at(zone, text):
    """Epoch seconds of a local time."""
    wall = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M")
    return int(wall.replace(tzinfo=zoneinfo.ZoneInfo(zone)).timestamp())


def steps(cfg, zone, first, last, hours=()):
    """Moments just before and just after each begin, end and midnight, and some between."""
    zone = zoneinfo.ZoneInfo(zone)
    moments = set()
    for edge in edges(read_srcfg(cfg), zone, first, last):
        moments |= {edge - LOOK_S, edge + 1}
    day = datetime.datetime.fromtimestamp(first, zone).date()
    while local(zone, day, 0) < last:
        moments |= {local(zone, day, hour * 3600) for hour in hours}
        day += datetime.timedelta(days=1)
    return sorted(moment for moment in moments if first < moment < last)


def walk(own_cluster, cfg, zone, first, last, hours=()):
    diary = Diary(Shifted(own_cluster, cfg, zone, at(zone, first)))
    diary.look(at(zone, first))
    for moment in steps(cfg, zone, at(zone, first), at(zone, last), hours):
        diary.go(moment)
    return diary


def check_history(diary):
    """Each mirror was made once and was not changed until its end."""
    assert diary.complaints() == []
    assert diary.made() == {name: 1 for name in diary.nodes}
    pairs = diary.adjoin("night", "dawn")
    assert pairs
    for night, dawn in pairs:
        assert diary.nodes[night] == diary.nodes[dawn], (night, dawn)


def test_a_week(own_cluster):
    """From a Saturday evening to a Sunday morning, half an hour off UTC's hours."""
    diary = walk(own_cluster, WEEK, "Asia/Kolkata", "2031-06-07 21:00", "2031-06-15 07:00", [13])
    check_history(diary)
    assert diary.steps >= 60
    biz = {name for name in diary.nodes if name.startswith("maui.biz.")}
    assert biz == {"maui.biz.203106%02d" % day for day in (9, 10, 11, 12, 13, 16, 17)}
    assert len(diary.adjoin("pool", "pool")) == 10


def test_clocks_go_forward(own_cluster):
    """Sunday has 23 hours, and no half past two."""
    diary = walk(own_cluster, CHANGE, "America/Denver", "2031-03-08 18:00", "2031-03-10 10:00", [4])
    check_history(diary)
    assert len(diary.adjoin("all", "all")) == 3
    lengths = {name: window.end - window.start for name, window in diary.windows.items()
               if name.endswith(".20310309")}
    assert lengths == {"maui.all.20310309": 23 * 3600, "maui.nine.20310309": 8 * 3600,
                       "maui.twice.20310309": 1800, "maui.gap.20310309": 5400,
                       "maui.sunday.20310309": 15 * 3600, "maui.night.20310309": 4 * 3600,
                       "maui.dawn.20310309": 5 * 3600}


def test_clocks_go_back(own_cluster):
    """Sunday has 25 hours, and half past one comes twice."""
    diary = walk(own_cluster, CHANGE, "America/Denver", "2031-11-01 18:00", "2031-11-03 10:00", [4])
    check_history(diary)
    assert len(diary.adjoin("all", "all")) == 3
    lengths = {name: window.end - window.start for name, window in diary.windows.items()
               if name.endswith(".20311102")}
    assert lengths == {"maui.all.20311102": 25 * 3600, "maui.nine.20311102": 8 * 3600,
                       "maui.twice.20311102": 5400, "maui.gap.20311102": 9000,
                       "maui.sunday.20311102": 15 * 3600, "maui.night.20311102": 4 * 3600,
                       "maui.dawn.20311102": 7 * 3600}


def away(diary, zone, stopped, started, kill=False):
    """Stops slurmctld at one moment and starts it at another."""
    diary.go(at(zone, stopped))
    diary.shifted.stop(kill)
    diary.shifted.start(at(zone, started))
    diary.look(at(zone, started))


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
def test_restarts(own_cluster, kill):
    """Inside a window, across its end, across midnight, across a whole day, and across a begin."""
    zone = "America/Denver"
    diary = Diary(Shifted(own_cluster, WEEK, zone, at(zone, "2031-06-10 08:00")))
    diary.look(at(zone, "2031-06-10 08:00"))
    first = dict(diary.nodes)
    away(diary, zone, "2031-06-10 10:00", "2031-06-10 10:20", kill)
    away(diary, zone, "2031-06-10 10:30", "2031-06-10 16:55", kill)
    assert diary.nodes == first, "nothing is new in the middle of the day"
    away(diary, zone, "2031-06-10 16:56", "2031-06-10 17:05", kill)
    away(diary, zone, "2031-06-10 23:30", "2031-06-11 00:30", kill)
    away(diary, zone, "2031-06-11 19:50", "2031-06-11 20:10", kill)
    away(diary, zone, "2031-06-11 20:30", "2031-06-13 10:00", kill)
    assert diary.complaints() == []
    assert diary.made() == {name: 1 for name in diary.nodes}


def test_the_state_is_lost_before_the_end(own_cluster):
    """A mirror that ended before the next start, but is in slurmctld's file, blocks no job."""
    zone = "America/Denver"
    diary = Diary(Shifted(own_cluster, WEEK, zone, at(zone, "2031-06-10 10:00")))
    diary.look(at(zone, "2031-06-10 10:00"))
    diary.shifted.stop(kill=True)
    shutil.rmtree(diary.shifted.cluster.state)
    diary.shifted.start(at(zone, "2031-06-10 17:05"))
    cluster = diary.shifted.cluster
    cluster.wait_log(r"adopted Slurm reservation maui\.night\.\d+: it shows SRCFG\[night\]")
    cluster.wait_cycle()
    assert "Recovered state of reservation maui.biz.20310610" in cluster.log_since()
    assert diary.complaints() == []


def test_jumps(own_cluster):
    """The clock jumps by days and weeks, and back, as after a sleep or a change of the date."""
    zone = "Europe/Berlin"
    diary = Diary(Shifted(own_cluster, WEEK, zone, at(zone, "2031-06-10 12:00")))
    diary.look(at(zone, "2031-06-10 12:00"))
    diary.leap_back(at(zone, "2031-06-10 11:00"))  # to before all began
    diary.leap(at(zone, "2031-06-13 13:00"))
    diary.leap(at(zone, "2031-07-23 10:00"))  # the endless one is renewed
    before = dict(diary.nodes), dict(diary.starts)
    diary.go(at(zone, "2031-07-23 16:00"))
    diary.go(at(zone, "2031-07-23 10:30"))
    assert (diary.nodes, diary.starts) == before, "nothing is another"
    assert diary.made() == {name: 1 for name in diary.nodes}
    diary.go(at(zone, "2031-07-24 00:10"))
    diary.leap_back(at(zone, "2031-07-23 23:50"))
    diary.go(at(zone, "2031-07-24 00:10"))
