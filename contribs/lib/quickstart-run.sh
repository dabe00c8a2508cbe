# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
#
# quickstart: runs steps one after the other, with progress and a log for each.
#
# A table of steps is an array of "NAME|WHAT IT DOES|COMMAND". COMMAND is a
# function (or program) without arguments; its output goes to build/logs/NAME.log,
# and what it writes to file descriptor 3 to our own output.

say() {
	printf 'quickstart: %s\n' "$*"
}

die() {
	printf 'quickstart: %s\n' "$*" >&2
	exit 1
}

need_root() {
	((EUID == 0)) || die "needs root: $1"
}

# show_dots: prints a dot every five seconds, so that a long step shows progress.
# read, not sleep: a sleep would survive the kill and keep our output open.
show_dots() {
	local fd
	exec {fd}<> <(:)
	while :; do
		read -r -t 5 -u "$fd" || true
		printf '.'
	done
}

# run_step NUMBER TOTAL "NAME|TEXT|COMMAND": prints one line about it; returns the
# command's exit status.
run_step() {
	local name text command dots rc=0 start=$SECONDS
	IFS='|' read -r name text command <<<"$3"
	printf '[%d/%d] %s ' "$1" "$2" "$text"
	show_dots &
	dots=$!
	trap 'kill $dots 2>/dev/null; exit 130' INT TERM HUP
	set +e
	(
		set -e
		$command
	) 3>&1 >"$logs/$name.log" 2>&1 </dev/null
	rc=$?
	set -e
	trap - INT TERM HUP
	kill "$dots" 2>/dev/null
	wait "$dots" 2>/dev/null || true
	if ((rc == 0)); then
		printf ' ok, %d s\n' $((SECONDS - start))
		grep -a '^not available:' "$logs/$name.log" || true
	else
		printf ' FAILED, %d s\n' $((SECONDS - start))
	fi
	return $rc
}

show_log() {
	printf -- '--- the end of %s:\n' "$logs/$1.log"
	tail -n 30 "$logs/$1.log"
	printf -- '---\n'
}

# run_steps TABLE: runs the steps and exits at the first failure.
run_steps() {
	local -n table=$1
	local i step
	for i in "${!table[@]}"; do
		step=${table[i]}
		run_step $((i + 1)) ${#table[@]} "$step" || {
			show_log "${step%%|*}"
			die "failed: $(cut -d'|' -f2 <<<"$step"); the log is $logs/${step%%|*}.log"
		}
	done
}
