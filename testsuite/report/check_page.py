# SPDX-License-Identifier: GPL-2.0-or-later
"""check_page - reads a page as XML and looks for what a reader would trip over

The width of a text is estimated here once more, from the widths of DejaVu Sans, and not taken from
the program under test.
"""
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
HTML = "{http://www.w3.org/1999/xhtml}"

# Advance widths of DejaVu Sans in units of 1/2048 em, by the characters that have them
WIDTHS = {569: "ijl'", 651: " .,:;|/\\", 690: "I", 799: "()[]", 821: "!ft\"-", 842: "r",
          1303: "_0123456789abdeghknopqsuvxyzc$?*{}~^", 1716: "#+=<>w", 1401: "ABEFJKLPSTVXYZ",
          1640: "CDGHNOQRU", 2048: "mMW@%&"}
EM = {char: width / 2048 for width, chars in WIDTHS.items() for char in chars}


def text_width(text, font):
    """A little less than a browser would need for wide scripts, exact for ASCII."""
    return sum(EM.get(char, 0.64 if ord(char) < 0x1100 else 1.0) for char in text) * font


class Label:
    def __init__(self, text, left, right, top, bottom, box):
        self.text, self.box = text, box
        self.left, self.right, self.top, self.bottom = left, right, top, bottom

    def meets(self, other):
        return (self.left < other.right and other.left < self.right
                and self.top < other.bottom and other.top < self.bottom)


def labels_of(picture):
    """Each text of a picture with its place: texts stand in an inner svg that clips them."""
    found = []
    for inner in picture.iter(SVG + "svg"):
        if inner is picture:
            continue
        assert inner.get("overflow") == "hidden", ET.tostring(inner)
        x, y, width, height = (int(inner.get(key)) for key in ("x", "y", "width", "height"))
        (text,) = inner
        assert text.tag == SVG + "text"
        font = int(text.get("font-size", picture.get("font-size")))
        shown = text.text or ""
        wide, base = text_width(shown, font), y + int(text.get("y"))
        left = x + int(text.get("x"))
        left -= {None: 0, "middle": wide / 2, "end": wide}[text.get("text-anchor")]
        found.append(Label(shown, left, left + wide, base - 0.75 * font, base + 0.2 * font,
                           (x, y, x + width, y + height)))
    return found


def check_labels(picture):
    labels = labels_of(picture)
    width, height = (int(part) for part in picture.get("viewBox").split()[2:])
    for label in labels:
        left, top, right, bottom = label.box
        assert left - 0.5 <= label.left and label.right <= right + 0.5, (
            "wider than its box: %r" % label.text)
        assert top <= label.top + 1 and label.bottom <= bottom + 1, (
            "higher than its box: %r" % label.text)
        assert 0 <= left and right <= width and 0 <= top and bottom <= height, (
            "outside of the picture: %r" % label.text)
    labels.sort(key=lambda label: label.left)
    for index, label in enumerate(labels):
        for other in labels[index + 1:]:
            if other.left >= label.right:
                break
            assert not label.meets(other), "over each other: %r, %r" % (label.text, other.text)
    return labels


def check_coordinates(picture):
    for element in picture.iter():
        for key in ("x", "y", "width", "height", "x1", "x2", "y1", "y2"):
            if element.get(key) is not None:
                assert re.fullmatch("[0-9]+", element.get(key)), ET.tostring(element)
        if element.tag == SVG + "rect":
            assert int(element.get("width")) > 0 and int(element.get("height")) > 0


def check_items(picture, answer):
    """Every item that a row has, once, unless it is among the jobs that share a lane."""
    schedule = answer["schedule"]
    used = {box[0] for row in schedule["rows"] for box in row["boxes"]}
    groups = [group for group in picture.iter(SVG + "g") if group.get("data-id") is not None]
    several = [group for group in groups if "several" in group.get("class").split()]
    more = sum(int(group.find(SVG + "title").text.split()[0]) for group in several)
    assert len(groups) - len(several) + more == len(used), (len(groups), more, len(used))
    for group in groups:
        assert group.find(SVG + "title").text.strip()
        assert group.find(SVG + "rect") is not None


def check_boxes(picture):
    """Boxes of jobs never lie over each other."""
    front = []
    for group in picture.iter(SVG + "g"):
        kind = (group.get("class") or "").split()
        if group.get("data-id") is None or set(kind) & {"system", "user", "standing", "slurm"}:
            continue
        front += [tuple(int(rect.get(key)) for key in ("x", "y", "width", "height"))
                  for rect in group.findall(SVG + "rect")]
    front.sort()
    for index, (x, y, width, height) in enumerate(front):
        for other in front[index + 1:]:
            if other[0] >= x + width:
                break
            assert other[1] >= y + height or y >= other[1] + other[3], (front[index], other)


def check(text, answer):
    """All checks of a page; returns its labels."""
    root = ET.fromstring(text)
    assert root.tag == HTML + "html"
    assert not list(root.iter(HTML + "script")) and "<script" not in text
    for element in root.iter():
        for key in element.keys():
            assert not key.startswith("on") and key not in ("href", "src"), (element.tag, key)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    labels = []
    for picture in root.iter(SVG + "svg"):
        if picture.get("role") != "img":
            continue
        assert picture.find(SVG + "title").text and picture.find(SVG + "desc").text
        check_coordinates(picture)
        labels += check_labels(picture)
        if picture.get("id") == "schedule-1":
            check_items(picture, answer)
            check_boxes(picture)
    return labels
