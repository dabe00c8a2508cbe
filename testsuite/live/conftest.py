# SPDX-License-Identifier: GPL-2.0-or-later
"""Fixtures of the live tests: `clusters` makes clusters that end with their test module."""

import os
import shutil
import sys

import pytest

sys.dont_write_bytecode = True  # the source directory may be read-only, and stays clean

from cluster import Cluster  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than 20 seconds")


def pytest_collection_modifyitems(items):
    reason = None
    if os.geteuid() != 0:
        reason = "needs root, as slurmd does"
    elif not shutil.which("slurmctld"):
        reason = "needs Slurm's packages"
    for item in items if reason else []:
        item.add_marker(pytest.mark.skip(reason=reason))


def pytest_addoption(parser):
    parser.addoption("--keep", action="store_true", help="leave the clusters as they are")


class Maker:
    """Calls make clusters; finish() ends them all."""

    def __init__(self, keep):
        self.made, self.keep = [], keep

    def __call__(self, *arguments, up=True, **keywords):
        cluster = Cluster(*arguments, **keywords)
        self.made.append(cluster)
        if up:
            cluster.up()
        return cluster

    def finish(self):
        for cluster in reversed(self.made):
            if self.keep:
                print("kept:", cluster.dir)
            else:
                cluster.down()


@pytest.fixture(scope="module")
def clusters(request):
    """For fixtures that share a cluster among the tests of a module."""
    maker = Maker(request.config.getoption("--keep"))
    yield maker
    maker.finish()


@pytest.fixture
def own_cluster(request):
    """For one test that needs a cluster of its own."""
    maker = Maker(request.config.getoption("--keep"))
    yield maker
    maker.finish()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows what its clusters' slurmctld said last."""
    outcome = yield
    report = outcome.get_result()
    if not report.failed:
        return
    found = set()
    for value in list(getattr(item, "funcargs", {}).values()):
        found |= set(getattr(value, "made", [])) if isinstance(value, Maker) else set()
        found |= {value} if isinstance(value, Cluster) else set()
    for cluster in found:
        lines = [line for line in cluster.log_since().splitlines() if "cycle:" not in line]
        report.sections.append(("slurmctld.log of " + cluster.dir, "\n".join(lines[-40:])))
