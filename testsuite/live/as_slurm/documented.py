# SPDX-License-Identifier: GPL-2.0-or-later
"""The differences that doc/slurm-compatibility.md documents, each as narrow as possible.

A row names the feature as the document does; holds(shape, options, stock, ours) says whether
a difference between both outcomes is this one.
"""

import dataclasses
import os
import re
import typing

from cluster import TOP

DOCUMENT = os.path.join(TOP, "doc", "slurm-compatibility.md")


@dataclasses.dataclass(frozen=True)
class Row:
    """A documented difference."""
    feature: str
    holds: typing.Callable
    queue_only: bool = False  # it comes of what other jobs have taken: alone there is none


def takes_whole_nodes(options):
    return any(option.startswith("--exclusive") or option == "--mem=0" or
               re.match("--partition=.*whole", option) for option in options)


def other_whole_nodes(shape, options, stock, ours):
    """Maui chooses which nodes, and of unequal ones each is another amount."""
    return (not shape.is_equal and takes_whole_nodes(options) and stock.started and ours.started and
            dict(ours.amounts)["nodes"] == dict(stock.amounts)["nodes"])


def without(outcome, names):
    return {name: amount for name, amount in outcome.amounts if name not in names}


def memory_by_node(shape, options):
    """--mem, or a partition with DefMemPerNode."""
    named = {name for o in options if o.startswith("--partition=") for name in o[12:].split(",")}
    return any(o.startswith("--mem=") for o in options) or any(
        re.search("^PartitionName=%s .*DefMemPerNode" % name, shape.conf, re.M) for name in named)


def other_number_of_nodes(shape, options, stock, ours):
    """-n5 alone: Maui chooses which nodes, and unequal ones hold other numbers of tasks. Memory may
    be for each node."""
    names_nodes = any(re.match(r"-N|--ntasks-per-node", option) for option in options)
    asks_tasks = any(re.match(r"-n\d", option) for option in options)
    by_node = {"nodes", *(("mem",) if memory_by_node(shape, options) else ())}
    return (not shape.is_equal and asks_tasks and not names_nodes and stock.started and
            ours.started and without(ours, by_node) == without(stock, by_node))


def one_node_has_all(shape, options, stock, ours):
    """--gpus=4 with -N1, or -n1 alone: Slurm tries a node with fewer GPUs, and only that."""
    return (not shape.is_equal and any(re.match(r"-N1(-1)?$|-n1$", option) for option in options) and
            any(option.startswith("--gpus=") for option in options) and
            not stock.refused and not stock.started and ours.started)


def has_all_gpus(shape, options, stock, ours):
    """--gpus=3: both start, Slurm's with fewer."""
    asked = [int(m[1]) for m in (re.match(r"--gpus=(?:\w+:)?(\d+)$", o) for o in options) if m]
    return (not shape.is_equal and asked and stock.started and ours.started and
            int(dict(stock.amounts).get("gpu", 0)) < asked[-1] == int(dict(ours.amounts).get("gpu", 0)))


def whole_node_has_memory(shape, options, stock, ours):
    """--mem-per-cpu with --exclusive: Slurm tries the node of the lowest Weight, and only that."""
    return (not shape.is_equal and takes_whole_nodes(options) and
            any(option.startswith("--mem-per-cpu=") for option in options) and
            not stock.refused and not stock.started and ours.started)


def has_counts(options):
    """Features of the set of nodes, not of each: a*2, or [a|b]."""
    return any(re.match(r"--constraint=.*(\w\*\d|\[.*\|)", option) for option in options)


def counts_features(shape, options, stock, ours):
    """--constraint=a*1&b*1 on nodes of which some are taken: one of both is refused at submission, or
    Slurm's schedulers give it up later, which ours does not."""
    del shape
    for_good = "BadConstraints" in stock.text
    return has_counts(options) and (stock.refused != ours.refused or for_good)


def names_several_partitions(options):
    return any(re.match("--partition=.*,", option) for option in options)


def spreads_by_weight(shape, options, stock, ours):
    """--spread-job: Slurm takes one more node of each Weight, and one beside --nodelist, even if the
    job needs none; with -N1 the sum is too much, and the job never starts, or in the next partition."""
    named = any(option.startswith("--nodelist") for option in options)
    if ("--spread-job" not in options or not (named or not shape.is_equal) or not ours.started or
            stock.refused):
        return False
    return (not stock.started or
            int(dict(ours.amounts)["nodes"]) < int(dict(stock.amounts)["nodes"]) or
            (names_several_partitions(options) and without(stock, {"mem"}) == without(ours, {"mem"})))


ROWS = (
    Row('counts of features (`--constraint="a*1&b*1"`)', counts_features, queue_only=True),
    Row("`--spread-job`", spreads_by_weight),
    Row("`--gpus=4 -N1` on nodes of which some have fewer GPUs", one_node_has_all),
    Row("`--gpus=3` on nodes of which some have fewer GPUs", has_all_gpus),
    Row("`--mem-per-cpu` with `--exclusive` on unequal nodes", whole_node_has_memory),
    Row("`-n5` without `-N` on unequal nodes", other_number_of_nodes),
    Row("whole nodes (`--exclusive`, `--mem=0`) of unequal nodes", other_whole_nodes),
)


def documented(shape, options, stock, ours, queued=False):
    """The row that the difference belongs to, or None. queued: among other jobs, not alone on an idle
    cluster."""
    for row in ROWS:
        if (queued or not row.queue_only) and row.holds(shape, options, stock, ours):
            return row
    return None


def unknown_rows():
    """Features of ROWS that the document does not have."""
    with open(DOCUMENT, encoding="utf-8") as source:
        names = re.findall(r"^\* \*\*(.+?)\*\*:", source.read(), re.DOTALL | re.MULTILINE)
    features = {" ".join(name.split()) for name in names}
    return [row.feature for row in ROWS if row.feature not in features]
