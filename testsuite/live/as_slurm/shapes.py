# SPDX-License-Identifier: GPL-2.0-or-later
"""Small machines on which the requests are tried, and the words that requests can use on each."""

import dataclasses

CLUSTER = """
Licenses=lic:4,tool:2
DefMemPerCPU=100
"""


@dataclasses.dataclass(frozen=True)
class Shape:
    """A machine: slurm.conf's nodes and partitions, gres.conf, and what a request can name."""
    name: str
    conf: str
    nodes: int
    cpus: int  # of the largest node
    memory: int  # MB of the largest node
    sockets: int = 1
    cores: int = 4  # of a socket
    threads: int = 1
    gres_conf: str = ""
    gpus: int = 0  # of the node with most
    types: tuple = ()
    features: tuple = ()
    partitions: tuple = ("main",)
    specialised: bool = False  # -S and --thread-spec are allowed
    licences: tuple = ("lic", "tool")

    @property
    def is_equal(self):
        """Whether all nodes are alike, so that what a job gets does not depend on which it gets."""
        return self.conf.count("NodeName=") == 1

    @property
    def slurm_conf(self):
        return CLUSTER + self.conf


def main_partition(extra=""):
    return "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP %s\n" % extra


SHARED = main_partition() + """\
PartitionName=force Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
PartitionName=whole Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
PartitionName=share Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=YES:2
PartitionName=part Nodes=n[1-2] MaxTime=INFINITE State=UP
"""
LIMITED = main_partition() + """\
PartitionName=few Nodes=ALL MaxTime=10 State=UP MaxNodes=2 MaxCPUsPerNode=2
PartitionName=many Nodes=ALL MaxTime=INFINITE State=UP MinNodes=2
PartitionName=lean Nodes=ALL MaxTime=INFINITE State=UP MaxMemPerNode=2000 DefMemPerNode=500
"""
THREADS = "NodeName=n[1-3] Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=8000 TmpDisk=1000\n"
UNEQUAL = """\
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=2000 TmpDisk=1000 Weight=2
NodeName=n3 CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=8000 TmpDisk=4000 Weight=9
NodeName=n4 CPUs=2 CoresPerSocket=2 RealMemory=1000 Weight=1
"""

SHAPES = {shape.name: shape for shape in (
    Shape("twins", "NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000\n" + SHARED,
          nodes=4, cpus=4, memory=4000, partitions=("main", "force", "whole", "share", "part")),
    Shape("unequal", UNEQUAL + LIMITED, nodes=4, cpus=8, memory=8000, sockets=2,
          partitions=("main", "few", "many", "lean")),
    Shape("threads", "AllowSpecResourcesUsage=YES\n" + THREADS + main_partition(),
          nodes=3, cpus=8, memory=8000, sockets=2, cores=2, threads=2, specialised=True),
    Shape("cpus", "SelectTypeParameters=CR_CPU_Memory\n" + THREADS + main_partition(),
          nodes=3, cpus=8, memory=8000, sockets=2, cores=2, threads=2),
    Shape("sockets", "SelectTypeParameters=CR_Socket\n" + THREADS + main_partition(),
          nodes=3, cpus=8, memory=8000, sockets=2, cores=2, threads=2),
    Shape("cores", "SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE\n" +
          THREADS + main_partition("OverSubscribe=FORCE:2"),
          nodes=3, cpus=8, memory=8000, sockets=2, cores=2, threads=2),
    Shape("gpus", """\
GresTypes=gpu
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=1024 Gres=gpu:2
NodeName=n3 CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=8000 Gres=gpu:4
NodeName=n4 CPUs=4 CoresPerSocket=4 RealMemory=4000
""" + main_partition(), nodes=4, cpus=8, memory=8000, sockets=2, gpus=4, gres_conf="""\
NodeName=n[1-2] Name=gpu File=%DEVICES/gpu[0-1]
NodeName=n3 Name=gpu File=%DEVICES/gpu[0-1] Cores=0-3
NodeName=n3 Name=gpu File=%DEVICES/gpu[2-3] Cores=4-7
"""),
    Shape("typed", """\
GresTypes=gpu
NodeName=n1 Sockets=2 CoresPerSocket=2 RealMemory=4000 Gres=gpu:a:2
NodeName=n2 Sockets=2 CoresPerSocket=2 RealMemory=4000 Gres=gpu:b:2
NodeName=n3 Sockets=2 CoresPerSocket=2 RealMemory=4000 Gres=gpu:a:1,gpu:b:1
NodeName=n4 Sockets=2 CoresPerSocket=2 RealMemory=8000 Gres=gpu:a:4
""" + main_partition(), nodes=4, cpus=4, memory=8000, sockets=2, cores=2, gpus=4,
          types=("a", "b"), gres_conf="""\
NodeName=n1 Name=gpu Type=a File=%DEVICES/gpu0 Cores=0-1
NodeName=n1 Name=gpu Type=a File=%DEVICES/gpu1 Cores=2-3
NodeName=n2 Name=gpu Type=b File=%DEVICES/gpu[0-1]
NodeName=n3 Name=gpu Type=a File=%DEVICES/gpu0 Cores=0-1
NodeName=n3 Name=gpu Type=b File=%DEVICES/gpu1 Cores=2-3
NodeName=n4 Name=gpu Type=a File=%DEVICES/gpu[0-1] Cores=0-1
NodeName=n4 Name=gpu Type=a File=%DEVICES/gpu[2-3] Cores=2-3
"""),
    Shape("features", "SelectTypeParameters=CR_Core\n" + """\
NodeName=n1 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=red,rack1
NodeName=n2 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=red,fast,rack1
NodeName=n3 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=blue,fast,rack2
NodeName=n4 CPUs=8 CoresPerSocket=8 RealMemory=4000 Features=blue,rack2
""" + main_partition(), nodes=4, cpus=8, memory=4000,
          features=("red", "blue", "fast", "rack1", "rack2")),
)}
