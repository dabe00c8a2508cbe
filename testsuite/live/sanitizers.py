# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that --sanitize of live/run leaves out."""

import os

import pytest


def skip_with_sanitizers(reason):
    if "asan" in os.environ.get("MINICLUSTER_PRELOAD", ""):
        pytest.skip("with sanitizers " + reason)
