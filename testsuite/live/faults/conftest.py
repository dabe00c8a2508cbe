# SPDX-License-Identifier: GPL-2.0-or-later
"""Each test of this directory has a short form, and with --long a long one."""


def pytest_generate_tests(metafunc):
    if "is_long" in metafunc.fixturenames:
        is_long = metafunc.config.getoption("--long")
        metafunc.parametrize("is_long", [is_long], ids=["long" if is_long else "short"])
