# SPDX-License-Identifier: GPL-2.0-or-later
"""Fixtures of the live tests.

`clusters` makes clusters that end with their module, `own_cluster` such as end with their test. A
module with one cluster for its tests names it by a fixture `whole`; each test gets it as `cluster`.
Tests marked `together` use own clusters only and mostly wait: those of a module run side by side
in threads, and each reports when its turn comes.
"""

import concurrent.futures
import glob
import os
import re
import shutil
import sys

import pytest

sys.dont_write_bytecode = True  # the source directory may be read-only, and stays clean

from cluster import Cluster  # noqa: E402

SIDE_BY_SIDE = 6
NODES_TITLE = "what slurmctld and slurmd log of nodes in "
NODE_LINE = re.compile(r"^\S+ (?!.*slurm-maui:).*(\bnodes? n|Nodes n|Spawning|respond|agent)")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than 20 seconds")
    config.addinivalue_line("markers", "together: runs beside the others of its module")


def pytest_addoption(parser):
    parser.addoption("--keep", action="store_true", help="leave the clusters as they are")
    parser.addoption("--long", action="store_true", help="the long forms of faults/")


def pytest_collection_modifyitems(items):
    reason = None
    if os.geteuid() != 0:
        reason = "needs root, as slurmd does"
    elif not shutil.which("slurmctld"):
        reason = "needs Slurm's packages"
    for item in items if reason else []:
        item.add_marker(pytest.mark.skip(reason=reason))


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

    def logs(self):
        """Of each cluster the end of slurmctld's log, and its threads, each with a title."""
        for cluster in dict.fromkeys(self.made):
            lines = [line for line in cluster.log_since().splitlines()
                     if "iteration:" not in line and "] debug:  sched" not in line]
            nodes = [line for line in lines if NODE_LINE.search(line)][-20:]
            for path in sorted(glob.glob(os.path.join(cluster.dir, "log", "n*.log"))):
                with open(path, encoding="utf-8", errors="replace") as file:
                    nodes += [os.path.basename(path) + ": " + line.rstrip("\n") for line in file][-3:]
            yield NODES_TITLE + cluster.dir, "\n".join(nodes)
            yield "slurmctld.log of " + cluster.dir, "\n".join(lines[-40:])
            yield "threads of its slurmctld, and where they wait", "\n".join(cluster.threads())
            for node in cluster.silent_nodes()[:2]:
                yield "threads of slurmd of %s, which does not answer" % node, "\n".join(cluster.threads(node))


@pytest.fixture(scope="module")
def clusters(request):
    """For fixtures that share a cluster among the tests of a module."""
    maker = Maker(request.config.getoption("--keep"))
    yield maker
    maker.finish()


@pytest.fixture
def cluster(whole):
    """The module's `whole` cluster, without jobs of other tests."""
    yield whole
    whole.cancel_all()


@pytest.fixture
def own_cluster(request):
    """For one test that needs a cluster of its own."""
    maker = Maker(request.config.getoption("--keep"))
    yield maker
    maker.finish()


class Side:
    """One test that runs in parallel with others."""

    def __init__(self, pool, item):
        self.item, self.logs = item, []
        self.maker = Maker(item.config.getoption("--keep"))
        self.future = pool.submit(self._run)

    def _run(self):
        parameters = self.item.callspec.params if hasattr(self.item, "callspec") else {}
        try:
            self.item.obj(own_cluster=self.maker, **parameters)
        except BaseException:
            self.logs = list(self.maker.logs())
            raise
        finally:
            self.maker.finish()


def is_together(item):
    return item.get_closest_marker("together") and not item.get_closest_marker("skip")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """The first test of a module that runs together starts them all."""
    if not is_together(pyfuncitem):
        return None
    module = pyfuncitem.getparent(pytest.Module)
    if not hasattr(module, "sides"):
        pool = concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE)
        module.sides = {item.nodeid: Side(pool, item) for item in pyfuncitem.session.items
                        if item.getparent(pytest.Module) is module and is_together(item)}
    module.sides[pyfuncitem.nodeid].future.result()
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows the end of its clusters' slurmctld logs."""
    outcome = yield
    report = outcome.get_result()
    if not report.failed:
        return
    maker = Maker(False)
    for value in list(getattr(item, "funcargs", {}).values()):
        maker.made += getattr(value, "made", []) if isinstance(value, Maker) else []
        maker.made += [value] if isinstance(value, Cluster) else []
    side = getattr(item.getparent(pytest.Module), "sides", {}).get(item.nodeid)
    report.sections += list(side.logs if side else maker.logs())


def pytest_terminal_summary(terminalreporter):
    """The first failure's nodes once more, where a reader of the last lines finds them."""
    for report in terminalreporter.stats.get("failed", [])[:1]:
        for title, text in report.sections:
            if title.startswith(NODES_TITLE):
                for line in text.splitlines():
                    terminalreporter.write_line("FAIL log: " + line)
