# SPDX-License-Identifier: GPL-2.0-or-later
"""versus_report - the text, JSON and picture of the runs that `versus` kept

Each figure is the median of the runs that are there; how many these are stands in the JSON.
"""

import collections
import json
import math
import re
import statistics

NAMES = ["backfill", "tuned", "maui"]
TITLES = {"backfill": "sched/backfill", "tuned": "sched/backfill, tuned", "maui": "sched/maui"}
# key, what it is, unit
FIGURES = [
    ("cycle_ms_p50", "cycle, p50", "ms"), ("cycle_ms_p99", "cycle, p99", "ms"),
    ("considered_p50", "jobs considered in a cycle", ""),
    ("hold_ms_p50", "lock hold, p50", "ms"), ("hold_ms_p99", "lock hold, p99", "ms"),
    ("hold_ms_max", "lock hold, longest", "ms"), ("held_share", "time with locks held", "%"),
    ("starts_s", "starts a second", ""),
    ("idle_to_start_ms_p50", "idle to start, p50", "ms"),
    ("idle_to_start_ms_p99", "idle to start, p99", "ms"),
    ("submits_s", "submits a second", ""),
    ("squeue_ms_p50", "squeue, p50", "ms"), ("squeue_ms_p99", "squeue, p99", "ms"),
    ("sbatch_ms_p50", "sbatch, p50", "ms"), ("sbatch_ms_p99", "sbatch, p99", "ms"),
    ("memory_mb", "memory", "MB"), ("utilisation", "utilisation", "%"),
    ("slowdown", "mean bounded slowdown", ""),
]
# What README.md quotes: row, key, its sentence
README = [
    ("1000x1000", "hold_ms_p99", "99 of 100 holds of slurmctld's locks by the scheduler take at most {} ms"),
    ("1000x1000", "idle_to_start_ms_p50", "a node that becomes idle has its next job after {} ms"),
    ("1000x1000", "squeue_ms_p99", "99 of 100 squeue take at most {} ms"),
    ("burst", "starts_s", "{} of 3,000 one-core jobs start in a second"),
]
COLOURS = {"backfill": "#8a8a8a", "tuned": "#c08a2b", "maui": "#2b6cb0"}


def read(directory):
    """row: scheduler: list of the figures of its runs"""
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in sorted(directory.glob("*.*.*.json")):
        row, name, run = path.stem.rsplit(".", 2)
        if name in NAMES and run.isdigit():
            rows[row][name].append(json.loads(path.read_text()))
    return rows


def size_of(row):
    """Sorts 1000x1000 before 1000x10000, words last."""
    return tuple(map(int, row.split("x"))) if "x" in row else (math.inf, row)


def medians(rows):
    """row: figure: scheduler: median and number of the runs"""
    found = {}
    for row in sorted(rows, key=size_of):
        found[row] = {}
        for key, _, _ in FIGURES:
            of = {name: [run[key] for run in rows[row][name] if key in run] for name in NAMES}
            cells = {name: {"median": statistics.median(values), "runs": len(values)}
                     for name, values in of.items() if values}
            if cells:
                found[row][key] = cells
    return found


def digits(value):
    """Three digits that count, no more."""
    if value >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def cell(cells, name):
    return digits(cells[name]["median"]) if name in cells else "-"


def text_of(found):
    lines = [f"{'':28}" + "".join(f"{TITLES[name]:>23}" for name in NAMES)]
    for row, figures in found.items():
        lines.append(row)
        for key, title, unit in FIGURES:
            if key in figures:
                label = f"  {title}{f' ({unit})' if unit else ''}"
                lines.append(f"{label:28}" + "".join(f"{cell(figures[key], name):>23}" for name in NAMES))
    return "\n".join(lines + readme_of(found)) + "\n"


def readme_of(found):
    """The four sentences of README.md, as far as their rows have run; maui's figure first."""
    lines = []
    for row, key, sentence in README:
        cells = found.get(row, {}).get(key, {})
        if "maui" in cells:
            others = ", ".join(f"{TITLES[name]} {cell(cells, name)}" for name in NAMES[:2])
            lines.append(f"README: {row}: {sentence.format(cell(cells, 'maui'))} ({others})")
    return ["", *lines] if lines else []


def points_of(found, pattern, key):
    """scheduler: (thousands, value) of the rows that match"""
    series = collections.defaultdict(list)
    for row, figures in found.items():
        match = re.fullmatch(pattern, row)
        for name, value in figures.get(key, {}).items() if match else ():
            if value["median"] > 0:
                series[name].append((int(match[1]) / 1000, value["median"]))
    return series


def panel(series, left, title, unit):
    """One diagram, both axes logarithmic: 1 to 50 thousand, 0.1 to 100,000."""
    width, height, top = 300, 220, 50

    def at(thousands, value):
        return (left + width * math.log(thousands, 50),
                top + height * (5 - math.log10(min(max(value, 0.1), 1e5))) / 6)

    parts = [f'<text x="{left}" y="{top - 16}" font-weight="bold">{title}</text>']
    for power in range(-1, 6):
        y = at(1, 10 ** power)[1]
        parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="#ddd"/><text x="{left - 6}" '
                     f'y="{y + 4:.1f}" text-anchor="end">{10 ** power:g}</text>')
    for thousands in (1, 2, 5, 10, 20, 50):
        x = at(thousands, 1)[0]
        parts.append(f'<text x="{x:.1f}" y="{top + height + 18}" text-anchor="middle">{thousands}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 36}" text-anchor="middle">{unit}</text>')
    for name in NAMES:
        places = [at(*point) for point in sorted(series.get(name, []))]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[name]}"/>' for x, y in places]
    return parts


def svg_of(found):
    """How the cycle and the longest lock hold grow with jobs and with nodes."""
    jobs, nodes = r"1000x(\d+)", r"(\d+)x1000"
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 660" role="img" '
             'font-family="sans-serif" font-size="12">',
             "<title>How a cycle and its lock holds grow with jobs and nodes</title>",
             '<rect width="780" height="660" fill="#fff"/>']
    for index, (pattern, key, title, unit) in enumerate([
            (jobs, "cycle_ms_p50", "cycle (ms), 1,000 nodes", "thousand jobs"),
            (nodes, "cycle_ms_p50", "cycle (ms), 1,000 jobs", "thousand nodes"),
            (jobs, "hold_ms_max", "longest lock hold (ms), 1,000 nodes", "thousand jobs"),
            (nodes, "hold_ms_max", "longest lock hold (ms), 1,000 jobs", "thousand nodes")]):
        parts.append(f'<g transform="translate(0 {310 * (index // 2)})">')
        parts += panel(points_of(found, pattern, key), 70 + 370 * (index % 2), title, unit)
        parts.append("</g>")
    for index, name in enumerate(NAMES):
        parts.append(f'<text x="{70 + 200 * index}" y="645" fill="{COLOURS[name]}">{TITLES[name]}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def write(directory):
    """Writes versus.txt, versus.json and versus.svg; returns the text."""
    found = medians(read(directory))
    text = text_of(found)
    (directory / "versus.txt").write_text(text)
    (directory / "versus.json").write_text(json.dumps(found, indent=1) + "\n")
    (directory / "versus.svg").write_text(svg_of(found))
    return text
