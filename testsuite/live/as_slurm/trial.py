# SPDX-License-Identifier: GPL-2.0-or-later
"""A trial: requests of one shape alone and in a queue under both, and a report of what differs."""

import collections
import dataclasses
import os
import shlex

from as_slurm import draw
from as_slurm.documented import documented
from as_slurm.judge import Pair, without_numbers
from as_slurm.shapes import SHAPES
from cluster import Cluster

HERE = os.path.dirname(os.path.abspath(__file__))
FAILED = os.path.join(HERE, "failed-seeds")
REDUCED_OF_A_KIND = 1


@dataclasses.dataclass
class Difference:
    """A request on which both do not agree."""
    shape: str
    seed: int
    options: list
    stock: object
    ours: object
    queued: bool = False
    reduced: list = None

    @property
    def kind(self):
        """What one cause has in common: the options left, and which way round they differ."""
        return "%s: %s, %s" % (without_numbers(self.reduced or self.options), word(self.stock),
                               word(self.ours))

    def __str__(self):
        lines = ["%s, seed %d%s: sbatch %s" % (self.shape, self.seed,
                                               ", in the queue" if self.queued else "",
                                               shlex.join(self.options))]
        if self.reduced and self.reduced != self.options:
            lines.append("  smaller:   sbatch " + shlex.join(self.reduced))
        lines += ["  Slurm:     %s" % self.stock, "  ours:      %s" % self.ours]
        return "\n".join(lines)


def word(outcome):
    return "refused" if outcome.refused else "started" if outcome.started else "not started"


def differs(shape, options, stock, ours, queued=False):
    return stock != ours and not documented(shape, options, stock, ours, queued)


def differs_in_queue(shape, options, stock, ours):
    """What a job gets in a queue depends on what is free when it starts: whether it starts does not."""
    return word(stock) != word(ours) and differs(shape, options, stock, ours, queued=True)


def failed_seeds():
    """{shape: [seed, ...]} of requests that once failed."""
    seeds = {}
    with open(FAILED, encoding="ascii") as source:
        for line in source:
            words = line.split("#")[0].split()
            if words:
                seeds.setdefault(words[0], []).append(int(words[1]))
    return seeds


def reduce(pair, difference, known):
    """Sets the smaller request, once for each kind that the whole requests have."""
    before = without_numbers(difference.options)
    if difference.queued or known.get(before, 0) >= REDUCED_OF_A_KIND:
        return
    known[before] = known.get(before, 0) + 1
    difference.reduced = pair.reduce(difference.options, differs)
    if difference.reduced != difference.options:
        difference.stock, difference.ours = pair.compare(difference.reduced)


def try_shape(name, seeds, smaller=True, queue=True, make=Cluster):
    """(differences, counts of outcomes under Slurm and of documented ones) of the requests with
    these seeds."""
    shape, found, known, counts = SHAPES[name], [], {}, collections.Counter()
    requests = [draw.request(shape, seed) for seed in seeds]
    with Pair(shape, make) as pair:
        alone = pair.alone(requests)
        for seed, options, (stock, ours) in zip(seeds, requests, alone):
            counts[word(stock)] += 1
            counts["documented"] += stock != ours and bool(documented(shape, options, stock, ours))
            if differs(shape, options, stock, ours):
                found.append(Difference(name, seed, options, stock, ours))
        bad = {difference.seed for difference in found}
        for seed, options, (by_itself, _), (stock, ours) in zip(
                seeds, requests, alone, pair.queue(requests) if queue else ()):
            if stock.started and word(by_itself) == "not started":
                continue  # Slurm starts it only while other jobs hold certain nodes
            if ours.started and word(stock) == "not started":
                counts["sooner"] += 1  # by Slurm's own select_nodes(), so Slurm may start it, later
            elif differs_in_queue(shape, options, stock, ours) and seed not in bad:
                found.append(Difference(name, seed, options, stock, ours, queued=True))
        for difference in found if smaller else ():
            reduce(pair, difference, known)
    return found, counts
