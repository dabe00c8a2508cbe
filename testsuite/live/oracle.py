# SPDX-License-Identifier: GPL-2.0-or-later
"""What squeue and sprio must show of a job, from maui.cfg and what scontrol tells of the job.

The formulas are those of the golden cases' oracle (testsuite/golden/own_oracle.py), which were
written from the manual and not from the C code; here they meet Slurm's words.
"""

import math
import os
import sys

from cluster import TOP

sys.path.insert(0, os.path.join(TOP, "testsuite", "golden"))
from own_oracle import Config, priority, seconds  # noqa: E402

NEGATIVE_OFFSET = 1_000_000_001


def inputs_at(config, job, totals, now, *, partition=None, qos=None, stamp=None, percents=None,
              active=(0, 0), factor=0):
    """The oracle's view of a job at one moment.

    stamp: from when its waiting counts (its submit time). percents: fairshare usage by kind of
    credential, for those with a target that has usage to compare with. active: processors and jobs
    that its user runs. factor: the partition's PriorityJobFactor.
    """
    running = job.state in ("RUNNING", "SUSPENDED")
    waited = (job.start if running else now) - (job.submit if stamp is None else stamp)
    limit = job.limit or seconds(config.get("SYSTEMDEFAULTJOBWALLTIME"))
    return {"job": {"user": job.user, "group": job.group, "account": job.account, "qos": qos,
                    "class": partition or job.partitions[0], "tasks": job.procs,
                    "procs_per_task": 1, "nodes": job.nodes, "mem": job.memory / job.procs,
                    "disk": job.disk / job.procs, "wclimit": limit, "effqtime": max(0, waited),
                    "elapsed": now - job.start if running else 0,
                    "state": "running" if running else "idle", "class_priority": factor},
            "system": totals, "user_usage": {"procs": active[0], "jobs": active[1]},
            "fs_percent": percents or {}}


def published(config, inputs, nice=0):
    """(priority, {component: column}) as Slurm must show them."""
    result = priority(config, inputs)
    value = math.trunc(result["priority"])
    if config.get("ENABLENEGJOBPRIORITY", inputs["job"]["class"]).upper() in ("1", "TRUE", "ON"):
        value += NEGATIVE_OFFSET
    else:
        value = max(2, value)
    return max(1, value - nice), {name: math.trunc(c) for name, c in result["components"].items()}


def check_row(row, config, job, totals, now, slack=3, **facts):
    """Asserts that the row is right for one single second of the last `slack` ones. It was
    calculated at a whole second that the row does not have."""
    tried = []
    for at in range(now, now - slack - 1, -1):
        number, columns = published(config, inputs_at(config, job, totals, at, **facts), job.nice)
        if (number, columns) == (row.priority, row.components):
            assert row.total == row.priority, row
            return at
        tried.append("%d: %d = %s" % (at, number, columns))
    raise AssertionError("%s is not any of %s" % (row, "; ".join(tried)))


__all__ = ["Config", "check_row", "inputs_at", "published"]
