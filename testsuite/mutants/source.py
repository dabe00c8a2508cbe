# SPDX-License-Identifier: GPL-2.0-or-later
"""The changes of one character or statement that a C file may be given.

C is read as tokens, without comments, texts and lines of the preprocessor: house style has one
statement a line at least, blanks around operators of two sides and none behind a pointer's star.
"""
import re

TOKEN = re.compile(r"""[A-Za-z_]\w*|0[xX][0-9a-fA-F]+\w*|\d+\.\d*(?:[eE][-+]?\d+)?\w*|\d+\w*
    |->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|\S""", re.X)
HIDDEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
    |^[ \t]*\#(?:\\\n|[^\n])*""", re.X | re.S | re.M)

RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
             "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",), "+=": ("-=",), "-=": ("+=",),
              "*=": ("/=",), "/=": ("*=",)}
BOOLEANS = {"&&": ("||",), "||": ("&&",), "true": ("false",), "false": ("true",), "!": ("",)}
KEYWORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "break",
            "continue", "sizeof", "struct", "enum", "union", "static", "const", "extern", "typedef", "int",
            "unsigned", "long", "char", "void", "double", "float", "bool", "short", "inline", "volatile",
            "_Static_assert"}
KINDS = ("relation", "arithmetic", "boolean", "constant", "statement", "return")


class Mutant:
    """One change of one file: text[start:end] becomes `new`."""

    def __init__(self, path, text, kind, function, start, end, new):
        self.path, self.kind, self.function = path, kind, function
        self.start, self.end, self.new = start, end, new
        self.line = text.count("\n", 0, start) + 1
        self.old = text[start:end]
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        self.before = " ".join(text[first:last].split())
        self.after = " ".join((text[first:start] + new + text[end:last]).split())

    def __str__(self):
        return "%s:%d: %s(): %s: `%s` -> `%s`" % (self.path, self.line, self.function, self.kind, self.before,
                                                  self.after)

    def key(self):
        """Stays the same when lines above move."""
        return "%s: %s(): `%s` -> `%s`" % (self.path, self.function, self.before, self.after)

    def apply(self, text):
        return text[:self.start] + self.new + text[self.end:]


class Token:
    def __init__(self, match):
        self.text, self.start, self.end = match.group(), match.start(), match.end()
        self.function = None

    def is_name(self):
        return (self.text[0].isalpha() or self.text[0] == "_") and self.text not in KEYWORDS

    def is_value(self):
        return self.is_name() or self.text[0].isdigit() or self.text in (")", "]")


def blank(match):
    """As long, with the same lines; a text is a value, so that what stands before it is an operator."""
    text = re.sub(r"[^\n]", " ", match.group())
    return "0" * len(text) if match.group()[0] in "\"'" and len(text) > 1 else text


def tokens_of(text):
    """The tokens within functions, each with the name of its function."""
    tokens, depth, function, inside = [], 0, None, []
    for match in TOKEN.finditer(HIDDEN.sub(blank, text)):
        token = Token(match)
        if token.text == "{":
            if depth == 0:
                function = function_before(tokens)
            depth += 1
        elif token.text == "}":
            depth -= 1
        tokens.append(token)
        if depth > 0 and function:
            token.function = function
            inside.append(token)
    return inside


def function_before(tokens):
    """The name of the function whose body begins behind these tokens; None: a struct or a table."""
    if not tokens or tokens[-1].text != ")":
        return None
    depth = 0
    for at in range(len(tokens) - 1, 0, -1):
        depth += (tokens[at].text == ")") - (tokens[at].text == "(")
        if depth == 0:
            return tokens[at - 1].text
    return None


def has_two_sides(text, tokens, at):
    """Whether the operator stands between values: no sign, address or pointer."""
    token = tokens[at]
    return (at > 0 and tokens[at - 1].is_value() and text[token.start - 1].isspace()
            and text[token.end].isspace())


def operator_changes(text, tokens, at):
    token = tokens[at]
    if token.text in RELATIONS:
        return [("relation", new) for new in RELATIONS[token.text]]
    if token.text in ARITHMETIC and (token.text[-1] == "=" or has_two_sides(text, tokens, at)):
        return [("arithmetic", new) for new in ARITHMETIC[token.text]]
    if token.text in BOOLEANS:
        return [("boolean", new) for new in BOOLEANS[token.text]]
    if token.text.isdigit() and text[token.start].isdigit():
        number = int(token.text)
        if number == 1 and tokens[at - 1].text == "-":
            return [("constant", "0")]  # any other number below 0 is the same failure
        return [("constant", str(number + 1))] + ([("constant", str(number - 1))] if number > 0 else [])
    return []


def statement_end(tokens, at):
    """Where the statement that begins here ends with its semicolon; None: it has a body."""
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end].text in "([{") - (tokens[end].text in ")]}")
        if depth < 0:
            return None
        if tokens[end].text == ";" and depth == 0:
            return end
    return None


def control_end(tokens, at):
    """Behind the parenthesis of an if, for, while or switch at `at`."""
    depth = 0
    for end in range(at + 1, len(tokens)):
        depth += (tokens[end].text == "(") - (tokens[end].text == ")")
        if depth == 0:
            return end + 1
    return len(tokens)


def statement_starts(tokens):
    """The indices at which statements begin."""
    starts, depth = set(), 0
    for at, token in enumerate(tokens[:-1]):
        depth += (token.text in "([") - (token.text in ")]")
        if depth == 0 and token.text in ("{", "}", ";", "else"):
            starts.add(at + 1)
        if token.text in ("if", "for", "while"):
            starts.add(control_end(tokens, at))
        if token.text == ":" and depth == 0 and at > 1 and "case" in (tokens[at - 2].text, tokens[at - 3].text):
            starts.add(at + 1)
    return sorted(start for start in starts if start < len(tokens))


def is_declaration(text, tokens, at):
    first, second = tokens[at], tokens[at + 1]
    if second.text == "*":
        return text[first.end] == " " and text[second.end] != " "
    return second.is_name() or second.text in KEYWORDS


def statement_changes(text, tokens):
    """Yields (kind, start, end, new) for statements that are taken out, and values that are returned."""
    for at in statement_starts(tokens):
        end = statement_end(tokens, at)
        first = tokens[at].text
        if end is None or end == at:
            continue
        start, stop = tokens[at].start, tokens[end].start
        if first == "return" and end > at + 1:
            value = text[tokens[at + 1].start:stop]
            if value in ("0", "1", "true", "false"):
                continue  # a constant or a boolean already
            for new in ("0", "1"):
                yield tokens[at], "return", tokens[at + 1].start, stop, new
        elif first in ("continue", "break") or first in ("*", "++", "--", "("):
            yield tokens[at], "statement", start, stop, ""
        elif tokens[at].is_name() and not is_declaration(text, tokens, at) and first != "va_end":
            yield tokens[at], "statement", start, stop, ""


def mutants_of(path, text):
    """Every change of the file."""
    tokens = tokens_of(text)
    found = []
    for at, token in enumerate(tokens):
        for kind, new in operator_changes(text, tokens, at):
            found.append(Mutant(path, text, kind, token.function, token.start, token.end, new))
    for token, kind, start, end, new in statement_changes(text, tokens):
        found.append(Mutant(path, text, kind, token.function, start, end, new))
    return found
