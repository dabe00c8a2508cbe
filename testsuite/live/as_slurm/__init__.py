# SPDX-License-Identifier: GPL-2.0-or-later
"""sched/maui starts all jobs that Slurm's own schedulers start: random requests under both.

shapes.py has the machines, draw.py the requests, judge.py both clusters and the comparison,
documented.py the differences that doc/slurm-compatibility.md names. `run` is for thousands
of requests by hand, ../test_as_slurm.py for some in each run of the live tests.
"""
