# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# lib.sh - what the tests of commands have in common; a test sources it first
#
# The test gets a directory of its own, $tmp, and `maui` under each of its names in $bin. The
# programs are those of $top_builddir, or of the command line: MAUI [QUERY_SERVER [MAUI_SIM]]. Its last line is
# run_tests: each function test_X is one behaviour, and has failed if it returns other than 0. What
# it printed is then shown, and the command that it ended with. The test closes with "N passed, M
# failed" and exits 1 on a failure.
#
# UPDATE=1 in the environment: `same` writes testsuite/cmd/expected instead of comparing with it.
set -uo pipefail
export LC_ALL=C TZ=UTC
unset SLURM_CONF MAUI_SOCKET COLUMNS

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034	# for the tests
top=$(cd "$here/../.." && pwd)
maui=$(readlink -f "${1:-${top_builddir:-.}/maui}")
query_server=$(readlink -f "${2:-${top_builddir:-.}/testsuite/cmd/query-server}")
# shellcheck disable=SC2034	# for the tests
maui_sim=$(readlink -f "${3:-${top_builddir:-.}/maui-sim}")
root=$(mktemp -d /tmp/maui-test.XXXXXX)
bin=$root/bin tmp=$root/tmp
server=
as=() # what comes before the arguments of `expect`
trap 'end_server; rm -rf "$root"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$root"
mkdir "$bin" "$tmp"
# alone: the commands that are links to maui
alone() {
	sed -n 's/^MAUI_COMMAND(\([a-z]*\),.*/\1/p' "$top"/src/cmd/cmd_*.c
}

for name in maui $(alone) mcredctl mdiag mjobctl mrsvctl mshow; do
	ln -s "$maui" "$bin/$name"
done
cd "$tmp" || exit 1

# begin_server [MODE [UID]]: a slurmctld that answers (query-server.c), until the test ends; UID: as if
# this user asked, and not the one who runs the test
begin_server() {
	local ready
	mkfifo "$root/to-server" "$root/from-server"
	"$query_server" "$tmp/q/socket" "$@" < "$root/to-server" > "$root/from-server" 2> "$root/server.err" &
	server=$!
	exec 7> "$root/to-server" 8< "$root/from-server"
	export MAUI_SOCKET=$tmp/q/socket
	read -r -t 60 ready <&8
	[ "$ready" = ready ] || { cat "$root/server.err"; return 1; }
}

# The server ends at the end of its input
end_server() {
	[ -n "$server" ] || return 0
	exec 7>&- 8<&-
	wait "$server"
	server=
	rm -f "$root/to-server" "$root/from-server"
	unset MAUI_SOCKET SLURM_CONF
}

# one_line: a single line in err, and out is empty
one_line() {
	says err "$1" || return 1
	[ "$(wc -l < err)" -eq 1 ] && [ ! -s out ] && return 0
	cat out err
	return 1
}

# expect STATUS [COMMAND] ARG...: output in `out` and `err`
expect() {
	local expected=$1 rc=0
	shift
	set -- "${as[@]}" "$@"
	"$bin/$1" "${@:2}" > out 2> err || rc=$?
	[ $rc -eq "$expected" ] || { echo "exit $rc instead of $expected: $*"; cat out err; return 1; }
}

# plain: without what differs from one run to another; a test may have its own
plain() {
	sed 's/"version":"[^"]*"/"version":"0"/'
}

# same NAME: out equals expected/NAME, and err is empty
same() {
	[ ! -s err ] || { cat err; return 1; }
	plain < out > out.plain
	[ -z "${UPDATE-}" ] || cp out.plain "$here/expected/$1"
	diff -u "$here/expected/$1" out.plain || {
		echo "not as in testsuite/cmd/expected/$1; if the new text is right: UPDATE=1 make check TESTS=..."
		return 1
	}
}

# says FILE TEXT / silent FILE TEXT
says() {
	grep -qF -- "$2" "$1" || { echo "no '$2' in $1:"; cat "$1"; return 1; }
}

silent() {
	! grep -F -- "$2" "$1" || { echo "'$2' in $1"; return 1; }
}

# before: what each test begins with; a test may have its own
before() { :; }

# run_test NAME: of a chain of commands it is the last one that was begun which failed
run_test() {
	local rc=0 last=
	declare -ft "$1"
	# shellcheck disable=SC2154	# the shell's
	trap '[[ ${FUNCNAME[0]-} != test_* || $BASH_COMMAND == return* ]] ||
		last="line $LINENO: $BASH_COMMAND"' DEBUG
	before && "$1" || rc=$?
	trap - DEBUG
	end_server
	[ $rc -eq 0 ] || echo "ended with $last"
	return $rc
}

run_tests() {
	local name why passed=0 failed=0
	for name in $(declare -F | sed -n 's/^declare -f[a-z]* \(test_\)/\1/p'); do
		if why=$(run_test "$name" 2>&1); then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			printf '%s:\n%s\n' "$name" "$why"
		fi
	done
	echo "$passed passed, $failed failed"
	[ $failed -eq 0 ] && [ $passed -gt 0 ]
}
