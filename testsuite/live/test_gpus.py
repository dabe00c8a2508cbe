# SPDX-License-Identifier: GPL-2.0-or-later
"""GPUs in limits, priorities, fairshare and checkjob.

Rules: THR-1, PRIO-4, PRIO-5, FS-2.
"""

import json

import pytest
from cluster import wait_until
from starts import CFG, running, stays_pending, wait_reason
from test_requests import CONF, GRES

LIMITS = """
USERCFG[steve] MAXGPU=3,5
USERCFG[amy] MAXIGPU=2
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG + LIMITS, CONF, nodes=4, files={"gres.conf": GRES})


LINEAR = "SelectType=select/linear\nSelectTypeParameters=CR_Memory\n"
TYPED_CONF = CONF.replace("gpu:2", "gpu:old:2").replace("gpu:4", "gpu:new:4")
TYPED_GRES = GRES.replace("gpu[0-1]", "gpu[0-1] Type=old").replace("gpu[0-3]", "gpu[0-3] Type=new")
TYPED_CFG = CFG + "RESWEIGHT 1\nGRESWEIGHT 1000\nGRESCFG[gpu:new] WEIGHT=4\n"


@pytest.fixture(scope="module")
def typed(clusters):
    return clusters(TYPED_CFG, TYPED_CONF, nodes=4, files={"gres.conf": TYPED_GRES})


def checkjob(cluster, job):
    return json.loads(cluster.maui("checkjob", "--json", str(job)).stdout)["job"]


def test_soft_and_hard_limit(cluster):
    """In every form in which a job asks for GPUs; beyond the soft limit while nobody else waits."""
    first = cluster.sbatch("-t5", "-n1", "--gpus=2")
    running(cluster, first)
    second = cluster.sbatch("-t5", "-n2", "-N1", "--gpus-per-task=1")
    running(cluster, second)

    def has_two():
        said = checkjob(cluster, second)
        assert said.get("gres") == ["gpu:2"], said
        return True
    wait_until(has_two, "its GPUs")
    third = cluster.sbatch("-t5", "-n1", "-N1", "--gres=gpu:2")
    wait_reason(cluster, third, "MAXGPU USER steve")
    stays_pending(cluster, third)
    plain = cluster.sbatch("-t5", "-n1")
    running(cluster, plain)
    cluster.run("scancel", str(first))
    running(cluster, third)


# how many GPUs the job counts, waiting and running
COUNTS = [
    (1, ["-n1", "--gpus=1"]),
    (3, ["--gpus=3"]),
    (3, ["-N2", "--gpus=3"]),
    (2, ["-n4", "--ntasks-per-node=2", "--gpus=2"]),
    (2, ["-n2", "--gpus-per-task=1"]),
    (2, ["-N2", "--gpus-per-node=1"]),
    (4, ["-n1", "-pnew", "--exclusive"]),
    (8, ["-N2", "-pnew", "--exclusive", "--gpus-per-node=1"]),
]


@pytest.mark.parametrize("count,options", COUNTS, ids=[" ".join(row[1]) for row in COUNTS])
@pytest.mark.parametrize("kind", ["whole", "typed"])
def test_how_many_a_job_counts(request, kind, count, options):
    """As many as Slurm gives it, which are all of whole nodes."""
    cluster = request.getfixturevalue(kind)
    base = TYPED_CFG if kind == "typed" else CFG
    cluster.reconfigure(base + "USERCFG[steve] MAXGPU=%d\n" % (2 * count - 1))
    try:
        first, second = (cluster.sbatch("-t5", *options) for _ in range(2))
        running(cluster, first)
        wait_reason(cluster, second, "MAXGPU USER steve %d\\+%d/%d " % (count, count, 2 * count - 1))
        cluster.run("scancel", str(first))
        running(cluster, second)
    finally:
        cluster.cancel_all()
        cluster.reconfigure(TYPED_CFG if kind == "typed" else CFG + LIMITS)


def test_nodes_with_and_without_a_type(clusters):
    """Slurm lists what it gives by type, and what has no type beside it."""
    cluster = clusters(CFG + "USERCFG[steve] MAXGPU=6\n", CONF.replace("gpu:2", "gpu:old:2"), nodes=4,
                       files={"gres.conf": GRES.replace("gpu[0-1]", "gpu[0-1] Type=old")})
    for options, count in ((["-N4", "-n4", "--gpus-per-node=1"], 4),
                           (["-N2", "-n2", "-wn[1,3]", "--exclusive"], 6)):
        job = cluster.sbatch("-t5", *options)
        running(cluster, job)
        more = cluster.sbatch("-t5", "-N1", "--gres=gpu:3", "-pnew")
        wait_reason(cluster, more, r"MAXGPU USER steve %d\+3/6 " % count)
        cluster.cancel_all()


def test_jobs_of_linear_get_what_they_ask_for(clusters):
    """Whole nodes, but no GPUs beside those."""
    cluster = clusters(CFG + "USERCFG[steve] MAXGPU=3\n", LINEAR + CONF, nodes=4, files={"gres.conf": GRES})
    jobs = [cluster.sbatch("-t5", "-n1", "-pnew", *options) for options in ([], ["--gres=gpu:3"])]
    running(cluster, *jobs)


def test_memory_that_comes_with_gpus(cluster):
    """In place of the default by CPU, waiting and running."""
    cluster.reconfigure(CFG + "USERCFG[steve] MAXMEM=150\n")
    try:
        jobs = [cluster.sbatch("-t5", "-N1", "-n4", "--gpus=1", "--mem-per-gpu=50M") for _ in range(4)]
        running(cluster, *jobs[:3])
        wait_reason(cluster, jobs[3], r"MAXMEM USER steve 150\+50/150 ")
    finally:
        cluster.cancel_all()
        cluster.reconfigure(CFG + LIMITS)


def test_a_job_without_gpus_counts_none(cluster):
    jobs = [cluster.sbatch("-t5", "-n1") for _ in range(8)]
    running(cluster, *jobs)


def test_idle_limit(cluster):
    """Two GPUs of waiting jobs are considered."""
    cluster.drain()
    try:
        jobs = [cluster.sbatch("-t5", "-n1", "--gpus=1", user="amy") for _ in range(3)]
        wait_reason(cluster, jobs[2], "MAXIGPU USER amy")
    finally:
        cluster.undrain()
    running(cluster, *jobs)


def test_checkjob_says_how_many(cluster):
    job = cluster.sbatch("-t5", "-H", "-N2", "--gpus-per-node=2")
    wait_until(lambda: checkjob(cluster, job)["gpus"] == 4, "four GPUs")
    assert "4 GPUs" in cluster.maui("checkjob", str(job)).stdout


def test_metrics(cluster):
    """By name; what jobs hold, too. Slurm 26.05 gives one task that asks for --gpus=3 a node of two."""
    job = cluster.sbatch("-t5", "-n1", "-N1", "--gres=gpu:3")
    running(cluster, job)

    def look():
        said = cluster.maui("metrics").stdout
        assert 'slurm_maui_gres{gres="gpu"} 12\n' in said, said
        assert 'slurm_maui_gres_allocated{gres="gpu"} 3\n' in said, said
        return True
    wait_until(look, "12 GPUs, 3 allocated")


def test_commands_show_gpus(cluster):
    job = cluster.sbatch("-t5", "-n1", "-N1", "--gres=gpu:3")
    running(cluster, job)
    wait_until(lambda: "     3 of     12 gpu               (25.00%)\n" in cluster.run("showq").stdout,
               "GPUs in showq")
    assert "gpu" not in cluster.run("showq", "-u", "steve").stdout.split("Processors Active")[1].split("IDLE")[0]
    assert "Current Active/Total gpu:                 3/12  (25.00%)\n" in cluster.run("showstats").stdout
    assert "not in use: 9 of 12 gpu\n" in cluster.run("showstate").stdout
    page = cluster.maui("report", "-o", "-").stdout
    assert "<p>In use: 3 of 12 gpu.</p>" in page


def test_fits_says_that_slurm_decides(cluster):
    """GPUs that are shared out over unequal nodes."""
    assert cluster.maui("fits", "-t5:00", "-G", "1").stdout == "main: yes, the job starts at once\n"
    expected = "main: yes, the job starts at once, if Slurm finds a place for it\n"
    assert cluster.maui("fits", "-t5:00", "-G", "6").stdout == expected


def test_weights_by_name(cluster):
    """GRESCFG WEIGHT in the RES component; limits count GPUs as they are."""
    cluster.reconfigure(CFG + LIMITS + "RESWEIGHT 1\nGRESWEIGHT 1000\nGRESCFG[gpu] WEIGHT=2.5\n")
    try:
        few, many = (cluster.sbatch("-t5", "-H", "-n1", "--gpus=%d" % count) for count in (1, 3))
        cluster.drain()
        cluster.scontrol("release", "%d,%d" % (few, many))
        wait_until(lambda: cluster.row(many).jobsize - cluster.row(few).jobsize == 5000, "2 GPUs more")
        cluster.undrain()
        running(cluster, few, many)
    finally:
        cluster.undrain()
        cluster.reconfigure(CFG + LIMITS)


def test_weights_by_type(typed):
    """A waiting job that names no type counts with the weight of the name: 1 for a GPU."""
    jobs = [typed.sbatch("-t5", "-H", "-n1", "--gpus=" + gpus) for gpus in ("2", "old:2", "new:2")]
    typed.drain()
    typed.scontrol("release", ",".join(str(job) for job in jobs))

    def sizes():
        plain, old, new = (typed.row(job).jobsize for job in jobs)
        return plain == old and new - old == 6000
    wait_until(sizes, "four times as much by the new type")
    typed.undrain()
    running(typed, *jobs)


def test_priority(cluster):
    """GRESWEIGHT by count; PEWEIGHT by the larger share: 12 GPUs and 32 processors in all."""
    cluster.reconfigure(CFG + "RESWEIGHT 1\nGRESWEIGHT 1000\n")
    few, many = (cluster.sbatch("-t5", "-H", "-n1", "--gpus=%d" % count) for count in (1, 4))
    cluster.drain()
    try:
        cluster.scontrol("release", "%d,%d" % (few, many))
        wait_until(lambda: cluster.row(many).jobsize - cluster.row(few).jobsize == 3000, "3 GPUs more")
        cluster.reconfigure(CFG + "RESWEIGHT 1\nPEWEIGHT 300\n")
        wait_until(lambda: abs(cluster.row(many).jobsize - 300 * 32 * 4 / 12) <= 1, "4 of 12 GPUs")
    finally:
        cluster.undrain()
        cluster.reconfigure(CFG + LIMITS)
