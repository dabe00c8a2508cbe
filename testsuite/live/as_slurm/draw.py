# SPDX-License-Identifier: GPL-2.0-or-later
"""Random requests: options of sbatch that ask for resources, for a shape and a seed.

The same shape, seed and release of Slurm always give the same request. A request is a list of
options, each a word of its own, so that any of them can be left out to make a failure smaller.
"""

import random

from cluster import SLURM

# slurmctld ends at such a job, under any scheduler
SPREAD_OF_GPUS_CRASHES = (24, 11) <= SLURM < (25, 5)


def chance(rng, percent):
    return rng.randrange(100) < percent


def nodes(rng, shape):
    most = shape.nodes + chance(rng, 8)  # now and then one more than there are
    first = rng.randint(1, most)
    kind = rng.randrange(10)
    if kind < 6:
        return ["-N%d" % first]
    if kind < 9 or SLURM < (23, 2):
        return ["-N%d-%d" % (first, rng.randint(first, most))]
    sizes = sorted({rng.randint(1, most) for _ in range(3)})
    return ["-N%s" % ",".join(map(str, sizes))]


def tasks(rng, shape):
    chosen = []
    if chance(rng, 70):
        chosen.append("-n%d" % rng.choice((1, 1, 2, 2, 3, 4, 5, shape.cpus, shape.cpus * 2)))
    if chance(rng, 30):
        chosen.append("-c%d" % rng.choice((1, 1, 2, 2, 3, shape.cpus)))
    if chance(rng, 20):
        chosen.append("--ntasks-per-node=%d" % rng.choice((1, 1, 2, 2, 3, 4)))
    if chance(rng, 8):
        chosen.append("--ntasks-per-socket=%d" % rng.randint(1, 2))
    if chance(rng, 6):
        chosen.append("--ntasks-per-core=%d" % rng.randint(1, 2))
    if chance(rng, 6):
        chosen.append(rng.choice(("--overcommit", "--mincpus=%d" % rng.randint(1, shape.cpus))))
    return chosen


def layout(rng, shape):
    chosen = []
    if chance(rng, 40):
        chosen.append("--sockets-per-node=%d" % rng.randint(1, shape.sockets))
    if chance(rng, 40):
        chosen.append("--cores-per-socket=%d" % rng.randint(1, shape.cores))
    if chance(rng, 40):
        chosen.append("--threads-per-core=%d" % rng.randint(1, shape.threads))
    if not chosen:
        chosen.append("--hint=" + rng.choice(("compute_bound", "memory_bound", "multithread",
                                              "nomultithread")))
    return chosen


def memory(rng, shape):
    kind = rng.randrange(10)
    if kind < 5:
        return ["--mem=%d" % rng.choice((1, 100, 600, 600, 1000, 2500, shape.memory, shape.memory + 1))]
    if kind < 6:
        return ["--mem=0"]
    return ["--mem-per-cpu=%d" % rng.choice((1, 100, 513, 1000, 2000))]


def typed(rng, shape, count):
    if shape.types and chance(rng, 60):
        return "%s:%d" % (rng.choice(shape.types), count)
    return str(count)


def gpus(rng, shape):
    most = shape.gpus
    kind = rng.randrange(10)
    if kind < 3:
        chosen = ["--gpus=" + typed(rng, shape, rng.choice((1, 2, 2, 3, 4, most + 1, most * 2 + 1)))]
    elif kind < 5:
        chosen = ["--gpus-per-node=" + typed(rng, shape, rng.choice((1, 1, 2, most)))]
    elif kind < 6:
        chosen = ["--gpus-per-task=" + typed(rng, shape, rng.randint(1, 2))]
    elif kind < 7:
        chosen = ["--gpus-per-socket=" + typed(rng, shape, rng.randint(1, 2)),
                  "--sockets-per-node=%d" % rng.randint(1, shape.sockets)]
    elif kind < 9 or not shape.types:
        chosen = ["--gres=gpu:" + typed(rng, shape, rng.choice((1, 1, 2, most)))]
    else:
        chosen = ["--gres=gpu:%s:1,gpu:%s:1" % shape.types[:2]]
    if chance(rng, 25):
        chosen.append("--gpus-per-node=" + typed(rng, shape, rng.randint(1, 2)))
    if chance(rng, 25):
        chosen.append("--gpus-per-task=" + typed(rng, shape, 1))
    if chance(rng, 25):
        chosen.append("--ntasks-per-gpu=%d" % rng.randint(1, 2))
    if chance(rng, 20):
        chosen.append("--cpus-per-gpu=%d" % rng.randint(1, 4))
    if chance(rng, 30):
        chosen.append("--mem-per-gpu=%d" % rng.choice((10, 300, 513, 2000)))
    if chance(rng, 10):
        chosen.append("--gres-flags=" + rng.choice(("enforce-binding", "disable-binding")))
    return chosen


def feature_words(rng, shape):
    one, two, three = rng.sample(shape.features, 3)
    return rng.choice((one, one, "%s&%s" % (one, two), "%s|%s" % (one, two),
                       "[%s|%s]" % (one, two), "[%s*1&%s*1]" % (one, two), "%s*2" % one,
                       "%s*1&%s*1" % (one, two), "(%s|%s)&%s" % (one, two, three), "none"))


def features(rng, shape):
    if not chance(rng, 35):
        return ["--constraint=" + feature_words(rng, shape)]
    one, two = rng.sample(shape.features, 2)
    return ["--prefer=" + rng.choice((one, "%s&%s" % (one, two), "%s|%s" % (one, two)))]


def sharing(rng, shape):
    del shape
    return [rng.choice(("--exclusive", "--exclusive", "--exclusive=user", "--oversubscribe"))]


def licences(rng, shape):
    one, two = shape.licences
    kinds = ["%s:%d" % (one, rng.randint(1, 5)), two, "%s:2,%s:1" % (one, two)]
    if SLURM >= (25, 5):
        kinds.append("%s:%d|%s:%d" % (one, rng.randint(1, 5), two, rng.randint(1, 3)))
    return ["--licenses=" + rng.choice(kinds)]


def specialised(rng, shape):
    return ["%s=%d" % (rng.choice(("--core-spec", "--thread-spec")),
                       rng.randint(0, shape.cpus // shape.threads - 1))]


def places(rng, shape):
    hosts = ["n%d" % (1 + i) for i in range(shape.nodes)]
    chosen = ",".join(sorted(rng.sample(hosts, rng.randint(1, len(hosts) - 1))))
    return [rng.choice(("--nodelist=" + chosen, "--exclude=" + chosen, "--contiguous"))]


def spread(rng, shape):
    del shape
    kinds = ["--distribution=" + how for how in ("block", "cyclic", "plane=2", "block:cyclic",
                                                 "cyclic:block", "block,Pack", "cyclic,NoPack")]
    return [rng.choice(kinds + ["--spread-job", "--use-min-nodes", "--tmp=2000", "--tmp=500"])]


def times(rng, shape):
    """What does not change where an idle cluster would have the job."""
    del shape
    return [rng.choice(("--time-min=1", "--deadline=now+2hours", "--switches=1", "--nice=5"))]


def partitions(rng, shape):
    chosen = rng.sample(shape.partitions, 2 if chance(rng, 30) else 1)
    return ["--partition=" + ",".join(chosen)]


def name_of(option):
    """--nodes of --nodes=2, -N of -N2."""
    return option.split("=")[0] if option.startswith("--") else option[:2]


def sensible(chosen):
    """Without what sbatch refuses together: most requests shall come to a scheduler."""
    named = {name_of(option): option for option in chosen}
    memory_forms = [name for name in named if name.startswith("--mem")]
    for name in memory_forms[:-1]:
        del named[name]
    if "--ntasks-per-gpu" in named:
        for name in ("--ntasks-per-node", "--gpus-per-task", "--cpus-per-gpu"):
            named.pop(name, None)
    if "--gpus-per-task" in named and "-n" not in named:
        named["-n"] = "-n2"
    if "--cpus-per-gpu" in named:
        named.pop("-c", None)
    return list(named.values())


def request(shape, seed):
    """The options of one request."""
    rng = random.Random("%s %d" % (shape.name, seed))
    families = [(45, nodes), (65, tasks), (12, layout), (35, memory), (8, sharing), (8, places),
                (8, spread)]
    if shape.gpus:  # few of the others, or hardly any request can be met
        families = [(percent * 2 // 3, family) for percent, family in families] + [(85, gpus)]
    if shape.features:
        families.append((75, features))
    if shape.specialised:
        families.append((20, specialised))
    if len(shape.partitions) > 1:
        families.append((60, partitions))
    chosen = []
    for percent, family in families:
        if chance(rng, percent):
            chosen += family(rng, shape)
    if chance(rng, 8):
        chosen += licences(rng, shape)
    if chance(rng, 10):
        chosen += times(rng, shape)
    if not chance(rng, 5):
        chosen = sensible(chosen)
    # of two options with one name sbatch takes the last
    named = {name_of(option): option for option in chosen}
    if shape.gpus and SPREAD_OF_GPUS_CRASHES:
        named.pop("--spread-job", None)
    return list(named.values()) or ["-n1"]
