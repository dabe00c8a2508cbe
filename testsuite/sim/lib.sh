# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - what the tests of maui-sim share; to be sourced
#
# Sets $sim (the program), $here (this directory), $work (a directory that goes when the test ends)
# and $traces (the names of the traces).
# shellcheck shell=bash disable=SC2034

set -euo pipefail

here=${top_srcdir:?run by make check}/testsuite/sim
sim=${top_builddir:?run by make check}/maui-sim
traces='KTH-SP2-1996-2.1-cln lublin_256 SDSC-SP2-1998-4.2-cln HPC2N-2002-2.1-cln'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# needs_gzip: without zlib maui-sim reads no gzipped trace, and says so
needs_gzip() {
	if "$sim" --quiet --trace "$here/traces/lublin_256.swf.gz" --config /dev/null 2>&1 |
		grep -q 'Operation not supported'; then
		echo 'SKIP: built without zlib' >&2
		exit 77
	fi
}

# config NAME LINE...: writes $work/NAME
config() {
	local name=$1
	shift
	printf '%s\n' "$@" > "$work/$name"
}

# trace_of NAME: path of a trace
trace_of() {
	echo "$here/traces/$1.swf.gz"
}
