# SPDX-License-Identifier: GPL-2.0-or-later
"""Random requests: what Slurm's own schedulers start, sched/maui starts, and of the same size.

as_slurm/run does the same by hand, for thousands of requests.
"""

import functools
import os
import random

import pytest

from as_slurm import trial
from as_slurm.documented import unknown_rows
from as_slurm.judge import Outcome
from as_slurm.shapes import SHAPES

# AS_SLURM_SEED repeats a run; without it every run draws others.
SEED = int(os.environ.get("AS_SLURM_SEED") or random.randrange(10 ** 6))
PER_SHAPE = 22


def test_each_known_difference_is_documented():
    assert not unknown_rows()


def test_counts_of_features_may_differ_in_the_queue_only():
    """Slurm judges them by the nodes that are free at that moment: alone, all are."""
    both = SHAPES["features"], ["--constraint=red*1&blue*1"], Outcome(refused=True), Outcome()
    assert trial.differs(*both)
    assert not trial.differs_in_queue(*both)


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", SHAPES)
def test_requests(own_cluster, name):
    seeds = trial.failed_seeds().get(name, []) + list(range(SEED, SEED + PER_SHAPE))
    found, _ = trial.try_shape(name, seeds, make=functools.partial(own_cluster, up=False))
    assert not found, "AS_SLURM_SEED=%d\n%s" % (SEED, "\n".join(map(str, found)))
