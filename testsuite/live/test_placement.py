# SPDX-License-Identifier: GPL-2.0-or-later
"""Where jobs go: switches and blocks of topology.conf, and further requests of Slurm users.

Rules: BF-22, BF-23, BF-24, BF-25.
"""

import time

import pytest
from cluster import SLURM, wait_until
from starts import CFG, fill, nodes_of, running, stays_pending, wait_reason

CONF = """
SchedulerType=sched/maui
TopologyPlugin=topology/tree
NodeName=n[1-8] CPUs=2 CoresPerSocket=2 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
TREE = """
SwitchName=s0 Nodes=n[1-3]
SwitchName=s1 Nodes=n[4-6]
SwitchName=s2 Nodes=n[7-8]
SwitchName=top Switches=s[0-2]
"""
# n7 is a network of its own, no switch reaches n8
ODD = """
SwitchName=s0 Nodes=n[1-3]
SwitchName=s1 Nodes=n[4-6]
SwitchName=s2 Nodes=n7
SwitchName=top Switches=s[0-1]
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=8, files={"topology.conf": TREE})


@pytest.fixture
def cluster(whole):
    whole.reconfigure(CFG)
    yield whole
    whole.cancel_all()


def placed(cluster, *options):
    """The nodes of a new job of whole nodes, once it runs."""
    job = cluster.sbatch("-t5", "--exclusive", *options)
    running(cluster, job)
    return nodes_of(cluster, job)


# ---- topology/tree ----

def test_a_leaf_that_suffices(cluster):
    """Two jobs of three nodes, one of two: each on a leaf switch of its own."""
    fill(cluster, "n1", 5)
    assert placed(cluster, "-N3") == ["n4", "n5", "n6"]
    # both leaves have two idle nodes left; the first one of them is taken
    assert placed(cluster, "-N2") == ["n2", "n3"]
    assert placed(cluster, "-N2") == ["n7", "n8"]


def test_the_smallest_leaf_that_suffices(cluster):
    assert placed(cluster, "-N2") == ["n7", "n8"]


def test_few_leaves_for_a_large_job(cluster):
    """Six nodes need two leaves; the two nodes of the third stay idle."""
    assert placed(cluster, "-N6") == ["n%d" % i for i in range(1, 7)]


def test_a_policy_of_the_site_comes_first(cluster):
    cluster.reconfigure(CFG + "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n")
    fill(cluster, "n1", 5)
    assert placed(cluster, "-N3") == ["n2", "n3", "n4"]


def test_switches_waits_then_takes_what_there_is(cluster):
    """No leaf has three idle nodes. A job that asks for one waits its time, then starts on two."""
    fill(cluster, "n1,n4", 5)
    waits = cluster.sbatch("-t5", "--exclusive", "-N3", "--switches=1@0:12")
    long = cluster.sbatch("-t5", "--exclusive", "-N3", "--switches=1@5:00")
    submitted = cluster.job(waits).submit
    stays_pending(cluster, waits, long)
    running(cluster, waits)
    assert time.time() - submitted >= 11
    assert len(nodes_of(cluster, waits)) == 3
    stays_pending(cluster, long)


def test_switches_starts_when_a_leaf_is_idle(cluster):
    """One of the two blocking jobs ends: the job starts on that leaf at once."""
    blocks = [fill(cluster, node, 5) for node in ("n1", "n4")]
    job = cluster.sbatch("-t5", "--exclusive", "-N3", "--switches=1@10:00")
    stays_pending(cluster, job)
    cluster.run("scancel", str(blocks[1].id))
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n4", "n5", "n6"]


def test_contiguous(cluster):
    """Neighbours in the node table, on any switches."""
    fill(cluster, "n2", 5)
    assert placed(cluster, "-N4", "--contiguous") == ["n3", "n4", "n5", "n6"]
    waits = cluster.sbatch("-t5", "--exclusive", "-N3", "--contiguous")
    stays_pending(cluster, waits)  # n1, n7, n8 are idle


def test_spread_job(cluster):
    """A task on each of as many nodes as there are tasks."""
    job = cluster.sbatch("-t5", "-n5", "--spread-job")
    running(cluster, job)
    assert len(nodes_of(cluster, job)) == 5


def test_dots_in_names_of_switches(own_cluster):
    """Slurm's addresses are ambiguous then: jobs start, planned without switches, and the log says it
    once."""
    dots = "".join("SwitchName=rack.%d Nodes=%s\n" % (i, nodes)
                   for i, nodes in enumerate(("n[1-3]", "n[4-6]", "n[7-8]")))
    dotted = own_cluster(CFG, CONF, nodes=8,
                         files={"topology.conf": dots + "SwitchName=top Switches=rack.[0-2]\n"})
    placed(dotted, "-N6")
    dotted.cancel_all()
    placed(dotted, "-N2")
    assert dotted.log_since().count("jobs are planned without switches") == 1


@pytest.mark.skipif(SLURM < (25, 5), reason="Slurm 25.05 and later move nodes while they run")
def test_a_node_moves_to_another_switch(own_cluster):
    """scontrol update moves n1 to the leaf of n7 and n8: a job of three nodes fits there."""
    moving = own_cluster(CFG, CONF, nodes=8, files={"topology.conf": TREE})
    fill(moving, "n4", 5)
    job = moving.sbatch("-t5", "--exclusive", "-N3", "-wn7", "--switches=1@1:00:00")
    stays_pending(moving, job)
    moving.run("scontrol", "update", "nodename=n1", "topology=default:s2")
    running(moving, job)
    assert nodes_of(moving, job) == ["n1", "n7", "n8"]


# ---- topology/block ----

BLOCKS = """
BlockName=b0 Nodes=n[1-3]
BlockName=b1 Nodes=n[4-6]
BlockSizes=2
"""
blocks_only = pytest.mark.skipif(SLURM < (24, 11), reason="Slurm 24.11 and later count blocks")


@pytest.fixture(scope="module")
def with_blocks(clusters):
    """Two blocks of three nodes, counted by two; n7 and n8 are in none."""
    return clusters(CFG, CONF.replace("topology/tree", "topology/block"), nodes=8,
                    files={"topology.conf": BLOCKS})


@pytest.fixture
def blocks(with_blocks):
    with_blocks.reconfigure(CFG)
    yield with_blocks
    with_blocks.cancel_all()


def fill_n7(blocks):
    """Slurm refuses a job that names a node without a block; this one leaves out all but n7."""
    assert placed(blocks, "-N1", "-x", "n[1-6],n8") == ["n7"]


@blocks_only
def test_a_small_job_gets_one_block(blocks):
    """One node of each block is idle: a job of two nodes that are not n7 and n8 waits for a block."""
    fill(blocks, "n1,n2,n4,n5", 5)
    fill_n7(blocks)
    job = blocks.sbatch("-t5", "--exclusive", "-N2")
    wait_reason(blocks, job, "on 1 leaf switch")
    blocks.cancel_all()
    fill(blocks, "n1,n2", 5)
    assert placed(blocks, "-N2") == ["n7", "n8"]
    assert len(set(placed(blocks, "-N2")) & {"n4", "n5", "n6"}) == 2


@blocks_only
def test_a_large_job_gets_as_many_blocks_as_hold_it(blocks):
    """Blocks count as two nodes: three nodes may lie on two blocks."""
    for node in ("n1", "n4"):
        fill(blocks, node, 5)
    fill_n7(blocks)
    assert len(placed(blocks, "-N3")) == 3


@blocks_only
def test_no_job_lies_on_a_block_and_beside_it(blocks):
    """n6, n7 and n8 are idle: three nodes of two blocks are not."""
    fill(blocks, "n1,n2,n3,n4,n5", 5)
    stays_pending(blocks, blocks.sbatch("-t5", "--exclusive", "-N3"))
    assert placed(blocks, "-N2") == ["n7", "n8"]
    assert placed(blocks, "-N1") == ["n6"]


@blocks_only
def test_segments(blocks):
    """Four nodes in segments of two: two nodes of each block."""
    nodes = placed(blocks, "-N4", "--segment=2")
    assert len(set(nodes) & {"n1", "n2", "n3"}) == 2
    assert len(set(nodes) & {"n4", "n5", "n6"}) == 2


@blocks_only
def test_blocks_come_before_contiguous_and_spread(blocks):
    """Slurm looks at neither under topology/block."""
    fill(blocks, "n2", 5)
    fill(blocks, "n4,n5", 5)
    fill_n7(blocks)
    assert placed(blocks, "-N2", "--contiguous") == ["n1", "n3"]


# ---- node sets ----

SETS = CFG + "NODESETPOLICY ONEOF\nNODESETATTRIBUTE %s\nNODESETDELAY %s\n"


def test_a_set_by_switch_waits_and_then_takes_any_nodes(whole):
    """No leaf has three idle nodes: the job waits NODESETDELAY for one, with that reason; a job
    larger than every leaf does not wait."""
    whole.reconfigure(SETS % ("NETWORK", "12"))
    fill(whole, "n1,n4", 5)
    job = whole.sbatch("-t5", "--exclusive", "-N3")
    submitted = whole.job(job).submit
    wait_reason(whole, job, "in one node set")
    running(whole, job)
    assert time.time() - submitted >= 11
    whole.cancel_all()
    whole.reconfigure(SETS % ("NETWORK", "5:00"))
    fill(whole, "n1", 5)
    assert placed(whole, "-N2") in (["n2", "n3"], ["n7", "n8"])
    assert len(placed(whole, "-N5")) == 5
    whole.cancel_all()


def test_sets_by_feature(own_cluster):
    """Two racks of features: the smaller one that suffices, then the list's order, then both."""
    conf = CONF.replace("TopologyPlugin=topology/tree\n", "").replace(
        "NodeName=n[1-8] CPUs=2 CoresPerSocket=2 RealMemory=4000",
        "NodeName=n[1-5] CPUs=2 CoresPerSocket=2 RealMemory=4000 Features=big,ib\n"
        "NodeName=n[6-8] CPUs=2 CoresPerSocket=2 RealMemory=4000 Features=small,ib")
    lists = "NODESETLIST big,small\n"
    cluster = own_cluster(SETS % ("FEATURE", "5:00") + lists, conf, nodes=8)
    assert placed(cluster, "-N2")[0] in ("n6", "n7")
    waits = cluster.sbatch("-t5", "--exclusive", "-N6")  # no set could hold it
    running(cluster, waits)
    cluster.cancel_all()
    cluster.reconfigure((SETS % ("FEATURE", "0") + lists).replace("ONEOF", "FIRSTOF"))
    assert set(placed(cluster, "-N2")) < {"n1", "n2", "n3", "n4", "n5"}
    assert set(placed(cluster, "-N4")) & {"n6", "n7", "n8"}  # no delay: where none suffices, any


# ---- odd networks ----

def test_a_network_that_leaves_nodes_out(own_cluster):
    """Jobs start where Slurm can place them: on one network, never on a node without a switch.
    slurmctld itself refuses what no network can hold; since 26.05 such a job waits, and keeps
    nobody from starting."""
    cluster = own_cluster(CFG, CONF, nodes=8, files={"topology.conf": ODD})
    for options in (["-N1", "-w", "n8"], ["-N7"]):
        refused = cluster.run(*cluster.sbatch_command("--exclusive", *options), check=False)
        what = "node" if SLURM < (24, 11) else "topology"
        assert SLURM >= (26, 5) or \
            "Requested %s configuration is not available" % what in refused.stderr
    jobs = [cluster.sbatch("-t5", "--exclusive", "-N%d" % nodes) for nodes in (4, 2, 1)]
    running(cluster, *jobs)
    assert sorted(nodes_of(cluster, jobs[0]) + nodes_of(cluster, jobs[1])) == \
        ["n%d" % i for i in range(1, 7)]
    assert nodes_of(cluster, jobs[2]) == ["n7"]
    stays_pending(cluster, cluster.sbatch("-t5", "--exclusive", "-N1"))  # n8 is idle


def test_a_single_switch(own_cluster):
    cluster = own_cluster(CFG, CONF, nodes=8, files={"topology.conf": "SwitchName=s Nodes=n[1-8]"})
    assert len(placed(cluster, "-N5")) == 5
    assert len(placed(cluster, "-N3", "--switches=1")) == 3


def test_optional_topology(own_cluster):
    """TopologyParam=TopoOptional: only a job that asks for switches is placed by them."""
    cluster = own_cluster(CFG + "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n",
                          CONF + "TopologyParam=TopoOptional\n", nodes=8,
                          files={"topology.conf": ODD})
    assert placed(cluster, "-N1", "-w", "n8") == ["n8"]
    fill(cluster, "n1", 5)
    assert placed(cluster, "-N3", "--switches=1") == ["n4", "n5", "n6"]


# ---- the least loaded node ----

LLN = """
SchedulerType=sched/maui
SelectTypeParameters=CR_Core{more}
NodeName=n[1-3] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP{lln}
"""


@pytest.mark.parametrize("words", [{"more": ",CR_LLN", "lln": ""}, {"more": "", "lln": " LLN=YES"}])
def test_least_loaded(own_cluster, words):
    """Three jobs of one core: each on the node with the most idle cores."""
    cluster = own_cluster(CFG, LLN.format(**words), nodes=3)
    block = cluster.sbatch("-t5", "-n2", "-w", "n2")
    running(cluster, block)
    used = []
    for _ in range(4):
        job = cluster.sbatch("-t5", "-n1")
        running(cluster, job)
        used += nodes_of(cluster, job)
    assert sorted(used) == ["n1", "n1", "n3", "n3"]
    wait_until(lambda: len(cluster.squeue()) == 5, "five jobs")
