# SPDX-License-Identifier: GPL-2.0-or-later
"""A copy of the tree whose tests load the core as a shared library, so that a changed file costs one
compilation and one link."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
LIBRARY = "libmauimutant.so"
MADE = ("configure", "aclocal.m4", "autoconf.h.in", "maui_config.h.in", "Makefile.in", "lists.mk", "build-aux",
        "src/verbs/all.h", "src/verbs/names.h", "src/cmd/names.h")


class BuildError(Exception):
    pass


def run(command, log, **kwargs):
    with open(log, "a", encoding="utf-8") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              check=False, **kwargs)
    if done.returncode != 0:
        raise BuildError("%s: failed, see %s" % (" ".join(command)[:200], log))


def copy_file(source, target):
    """Only if it differs: make(1) goes by the times."""
    with open(source, "rb") as old:
        data = old.read()
    if os.path.exists(target):
        with open(target, "rb") as new:
            if new.read() == data:
                return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy2(source, target)


class Tree:
    """The copy, below one folder: source/, build/, and a library of the core for each job."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.source = os.path.join(self.folder, "source")
        self.build = os.path.join(self.folder, "build")
        self.log = os.path.join(self.folder, "build.log")
        self.variables = {}

    def copy_source(self):
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TOP,
                                check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
        names = [name for name in listed if name]
        for made in MADE:
            path = os.path.join(TOP, made)
            if os.path.isdir(path):
                names += [os.path.join(made, name) for name in os.listdir(path)]
            elif os.path.exists(path):
                names.append(made)
        for name in names:
            if os.path.isfile(os.path.join(TOP, name)):
                copy_file(os.path.join(TOP, name), os.path.join(self.source, name))

    def configure(self):
        if os.path.exists(os.path.join(self.build, "Makefile")):
            return
        os.makedirs(self.build, exist_ok=True)
        if not os.path.exists(os.path.join(self.source, "configure")):
            raise BuildError("no configure: run ./bootstrap first")
        run([os.path.join(self.source, "configure"), "--without-slurm", "CFLAGS=-O2 -g -w"], self.log,
            cwd=self.build)

    def make(self, *what):
        run(["make", "-k", "-C", self.build, "AUTOCONF=:", "AUTOMAKE=:", "ACLOCAL=:", "AUTOHEADER=:"] + list(what),
            self.log)

    def read_variables(self):
        names = ("CC", "DEFS", "DEFAULT_INCLUDES", "AM_CPPFLAGS", "libmauicore_la_CFLAGS", "libmauicore_la_SOURCES",
                 "libmauicore_la_LIBADD", "TESTS")
        rules = "include Makefile\nshow:\n" + "".join("\t@echo '%s=$(%s)'\n" % (name, name.replace(
            "EXEEXT", "")) for name in names)
        shown = subprocess.run(["make", "-s", "-f", "-", "show"], input=rules, cwd=self.build, text=True, check=True,
                               stdout=subprocess.PIPE).stdout
        for line in shown.splitlines():
            name, _, value = line.partition("=")
            self.variables[name] = value.split()

    def core_sources(self):
        """Paths of the C files of the core, from the top."""
        return [name for name in self.variables["libmauicore_la_SOURCES"] if name.endswith(".c")]

    def compile(self, source, target, flags):
        """Whether the file could be compiled."""
        v = self.variables
        command = (v["CC"] + v["DEFS"] + v["DEFAULT_INCLUDES"] + v["AM_CPPFLAGS"] + v["libmauicore_la_CFLAGS"]
                   + ["-O2", "-g", "-w", "-fPIC", "-fvisibility=default", "-fno-semantic-interposition"] + flags
                   + ["-c", source, "-o", target])
        return subprocess.run(command, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0

    def same_code(self, one, other):
        """Whether two objects of files of one name differ in nothing that runs."""
        code = []
        for path in (one, other):
            stripped = path + ".stripped"
            subprocess.run(["strip", "--strip-debug", "-o", stripped, path], check=True)
            with open(stripped, "rb") as file:
                code.append(file.read())
            os.unlink(stripped)
        return code[0] == code[1]

    def link(self, objects, target):
        command = self.variables["CC"] + ["-shared", "-o", target] + objects + [
            "-Wl,-soname," + LIBRARY] + [lib for lib in self.variables["libmauicore_la_LIBADD"]
                                         if not lib.endswith(".la")] + ["-lm", "-pthread"]
        done = subprocess.run(command, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 0:
            raise BuildError(done.stderr[-2000:])

    def object_of(self, source, kind="plain"):
        return os.path.join(self.folder, kind, source.replace("/", "-") + ".o")

    def build_library(self, kind, flags=(), more=()):
        """The unchanged core, and `more` objects; files newer than their objects are compiled."""
        os.makedirs(os.path.join(self.folder, kind), exist_ok=True)

        def build_one(source):
            target = self.object_of(source, kind)
            path = os.path.join(self.source, source)
            if (not os.path.exists(target) or os.path.getmtime(target) < self.newest_header
                    or os.path.getmtime(target) < os.path.getctime(path)):
                if not self.compile(path, target, list(flags)):
                    raise BuildError("%s: cannot be compiled" % source)
            return target

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(build_one, self.core_sources()))
        self.link(objects + list(more), os.path.join(self.folder, kind, LIBRARY))

    def find_newest_header(self):
        self.newest_header = max(os.path.getctime(os.path.join(where, name))
                                 for where, _, names in os.walk(os.path.join(self.source, "src"))
                                 for name in names if name.endswith((".h", ".inc")))

    def build_tests(self, tests):
        """Programs that find the core in the library before they look into the archives."""
        library = os.path.join(self.folder, "plain", LIBRARY)
        programs = [test for test in tests if not os.path.exists(os.path.join(self.source, test))]
        tools = ["maui", "maui-sim", "testsuite/cmd/query-server", "testsuite/golden/maui-golden",
                 "testsuite/golden/check-schema", "testsuite/report/make-page"]
        tools += ["testsuite/fuzz/" + name[:-2] for name in os.listdir(os.path.join(self.source, "testsuite/fuzz"))
                  if name.startswith("fuzz_") and name.endswith(".c") and name != "fuzz_main.c"]
        self.make("-j2", "LDFLAGS=-Wl,--no-as-needed -Wl," + library, *programs, *tools)

    def prepare(self):
        print("mutants: builds in %s" % self.folder, file=sys.stderr, flush=True)
        self.copy_source()
        self.configure()
        self.read_variables()
        self.make("-j2", "libmauicore.la")
        self.find_newest_header()
        self.build_library("plain")
