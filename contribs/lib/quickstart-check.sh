# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034
#
# quickstart check: the parts of the test suite, and the sum of their counts.
#
# Each part prints a line "N passed, M failed[, K skipped]" at its end and exits
# non-zero on a failure. A part that exits non-zero without a failed test, or prints
# no count, counts as one failure.

check_steps=(
	"check-lint|lint: format, cppcheck, gcc -fanalyzer, shell, spelling, manual, python|check_lint"
	"check-make|make check: units, golden cases, fuzz replay, house rules|check_make"
	"check-golden|golden cases, one by one|check_golden"
	"check-sanitizer|make check with ASan and UBSan|check_sanitizer"
	"check-fuzz|fuzzers, a few seconds each|check_fuzz"
	"check-headers|plugins without a warning, for this Slurm and a newer one|check_headers"
	"check-dist|make distcheck: the tarball has everything and installs cleanly|check_dist"
	"check-minicluster|minicluster: side by side, bad input, leaves nothing|check_minicluster"
	"check-live|live tests on a real slurmctld, on Debian 12, and most of them on Debian 13|check_live"
	"check-live-sanitizer|live tests with a slurmctld under ASan and UBSan|check_live_sanitizer"
)

readonly fuzz_seconds=10
# files of live tests side by side: most of their time is waiting
readonly live_jobs=2

# run_checks: runs all parts, also after a failure, and prints the sum.
run_checks() {
	local i step name counts passed=0 failed=0 skipped=0 rc
	for i in "${!check_steps[@]}"; do
		step=${check_steps[i]}
		name=${step%%|*}
		rc=0
		run_step $((i + 1)) ${#check_steps[@]} "$step" || rc=$?
		read -r -a counts <<<"$(step_counts "$logs/$name.log" "$rc")"
		printf '      %d passed, %d failed, %d skipped\n' "${counts[@]}"
		grep -aE '^UNSTEADY: ' "$logs/$name.log" || true
		((counts[1] == 0)) || {
			show_failed "$name"
			show_log "$name"
		}
		passed=$((passed + counts[0]))
		failed=$((failed + counts[1]))
		skipped=$((skipped + counts[2]))
	done
	((failed == 0)) || say "the logs are in $logs"
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	((failed == 0))
}

# show_failed NAME: which tests failed, and why, in the words of the programs that ran them.
show_failed() {
	printf -- '--- failed, of %s:\n' "$logs/$1.log"
	grep -aE -e '^(not ok|FAIL|ERROR|XPASS|E   )' -e '^==[0-9]+== ?ERROR: |^SUMMARY: |^ +#[0-9]+ 0x' \
		-e 'runtime error: |: does not hold: ' "$logs/$1.log" | head -n 200 || true
}

# step_counts LOG RC: "PASSED FAILED SKIPPED" of the last counted line in LOG.
step_counts() {
	local line passed=0 failed=0 skipped=0
	local form='^([A-Za-z-]+: )?([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'
	line=$(grep -aE "$form" "$1" | tail -n 1) || true
	if [[ $line =~ $form ]]; then
		passed=${BASH_REMATCH[2]}
		failed=${BASH_REMATCH[3]}
		skipped=${BASH_REMATCH[5]:-0}
		(($2 == 0 || failed > 0)) || failed=1
	else
		failed=1
	fi
	printf '%d %d %d\n' "$passed" "$failed" "$skipped"
}

# automake_check DIR: make check there, its summary as our counted line.
automake_check() {
	local rc=0 out=$logs/automake.$$
	make -C "$1" -j "$(jobs)" check >"$out" 2>&1 || rc=$?
	cat "$out"
	failed_logs "$1" "$out"
	awk '
	/^# (PASS|XFAIL):/ { pass += $3 }
	/^# SKIP:/ { skip += $3 }
	/^# (FAIL|XPASS|ERROR):/ { fail += $3 }
	END { printf "%d passed, %d failed, %d skipped\n", pass, fail, skip }' "$out"
	rm -f "$out"
	return $rc
}

# failed_logs DIR OUT: prints the end of the log of each test that failed in OUT.
failed_logs() {
	local name
	sed -n -E 's/^(FAIL|ERROR|XPASS): ([^ ]+).*/\2/p' "$2" | while read -r name; do
		printf -- '--- %s\n' "$1/$name.log"
		tail -n 25 "$1/$name.log" 2>/dev/null || true
	done
}

check_lint() {
	"$top/contribs/lint"
}

# check_make: benchmarks are only built.
check_make() {
	make -C "$build" -j "$(jobs)" benches && automake_check "$build"
}

check_golden() {
	"$build/testsuite/golden/maui-golden" "$top"/testsuite/golden/*.json
}

# sanitizer_tree: one tree for the tests and the fuzzers, of clang where there is one: each compiles all
# code again. -O1 halves the time of the compiler.
sanitizer_tree() {
	local with=(--enable-sanitize)
	! can_fuzz || with=(--enable-fuzz CC=clang)
	configure_in "$build/sanitizer" --without-slurm "${with[@]}" --enable-werror CFLAGS="-O1 -g1"
}

check_sanitizer() {
	sanitizer_tree
	automake_check "$build/sanitizer"
}

# check_fuzz: coverage-guided, from the corpus of the tree; needs clang.
check_fuzz() {
	local source name passed=0 failed=0
	if ! can_fuzz; then
		printf 'no clang with libFuzzer here (Debian: clang libclang-rt-dev)\n'
		printf '0 passed, 0 failed, 1 skipped\n'
		return
	fi
	sanitizer_tree
	for source in "$top"/testsuite/fuzz/fuzz_*.c; do
		name=$(basename "$source" .c)
		[[ $name != fuzz_main ]] || continue
		if fuzz_one "$name"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			show_found "$name"
		fi
	done
	printf '%d passed, %d failed\n' "$passed" "$failed"
	((failed == 0))
}

# show_found NAME: the inputs that a fuzzer fell over, for `base64 -d`; often the log is all that
# is left of a run
show_found() {
	local found
	printf 'FAIL: %s\n' "$1"
	for found in "$build/sanitizer/found/$1"-*; do
		[[ ! -e $found ]] || printf 'FAIL: %s: %s\n' "${found##*/}" "$(base64 -w 0 "$found")"
	done
}

can_fuzz() {
	command -v clang >/dev/null &&
		printf '%s\n' 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);' \
			'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
		clang -fsanitize=fuzzer,address,undefined -x c - -o "$build/can_fuzz" 2>/dev/null
}

# fuzz_one NAME: an input that takes ten seconds of processor time (the first one: twenty) hangs, see
# testsuite/fuzz/fuzz.h. By the clock, which goes on while the machine is suspended, it has a quarter
# of an hour.
fuzz_one() {
	local tree=$build/sanitizer
	local new=$tree/new/$1 corpus=$top/testsuite/fuzz/corpus/${1#fuzz_}
	mkdir -p "$new" "$tree/found"
	make -C "$tree" -j "$(jobs)" "testsuite/fuzz/$1" &&
		(
			ulimit -St $((fuzz_seconds + 10))
			"$tree/testsuite/fuzz/$1" -max_total_time="$fuzz_seconds" -timeout=900 \
				-artifact_prefix="$tree/found/$1-" "$new" "$corpus"
		)
}

# check_headers: -Werror against the installed Slurm and against a newer one.
check_headers() {
	local source passed=0 failed=0 skipped=0 count
	for source in "$(matching_source)" "$(newer_source)"; do
		if [[ ! -r $source/META ]]; then
			printf '%s: not available, see %s/newer.log\n' "$source" "$logs"
			skipped=$((skipped + 1))
			continue
		fi
		sed -n 's/^ *Version:/Slurm/p' "$source/META"
		count=$("$top/testsuite/house/check-headers" "$source") || true
		printf '%s\n' "$count"
		[[ $count =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || return 1
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
	done
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	((failed == 0 && passed > 0))
}

# check_dist: one test. Its `make check` runs nothing: check_make has run the same tests, and
# house/dist-complete compares the tarball's files with the checkout's.
check_dist() {
	if make -C "$build" -j "$(jobs)" distcheck check_PROGRAMS= TESTS=; then
		printf '1 passed, 0 failed\n'
	else
		printf '0 passed, 1 failed\n'
		return 1
	fi
}

check_minicluster() {
	"$top/testsuite/contribs/test-minicluster"
}

# check_live: on this machine's Slurm and, on Debian 12, beside it on Debian 13's.
check_live() {
	local log=$logs/check-live-$newer_suite.log rc=0
	if [[ $(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) != bookworm ]]; then
		live_here
		return
	fi
	live_on_newer_suite >"$log" &
	live_here || rc=1
	wait $! || rc=1
	cat "$log"
	add_counts "$logs/check-live.log"
	return $rc
}

# These ask commands about a plan, or whether the plan keeps Maui's rules; neither a new slurmctld nor
# Slurm's own words are in them. as_slurm is tried by thousands of requests on each release, by hand.
readonly same_on_each_release=(accuracy checkjob doc_reservations fits report rsv_admin rsv_owner
	sched_rules share showq statistics trial whatif)
readonly run_once=("${same_on_each_release[@]}" as_slurm)

# files_for_newer_suite: the files of live tests that run on both, below the top of the tree.
files_for_newer_suite() {
	local name left_out=()
	for name in "${run_once[@]}"; do
		left_out+=(-e "testsuite/live/test_$name.py")
	done
	(
		cd "$top" || exit 1
		git -c safe.directory="$top" ls-files 'testsuite/live/test_*.py' 2>/dev/null ||
			printf '%s\n' testsuite/live/test_*.py
	) | grep -vxF "${left_out[@]}"
}

live_on_newer_suite() {
	local files
	mapfile -t files < <(files_for_newer_suite)
	"$top/testsuite/live/debian" "$newer_suite" --jobs "$live_jobs" "${files[@]}" 2>&1 |
		show_files "$newer_suite: "
}

# Files of live tests that ask slurmctld for most kinds of things.
readonly sanitized=(checkjob fits gpus job_changes requests rsv_parts sched_policy sched_refused)

# check_live_sanitizer: gcc, whose runtime is a library that slurmctld can load first.
check_live_sanitizer() {
	local tree=$build/live-sanitizer
	local files=("${sanitized[@]/#/$top/testsuite/live/test_}")
	configure_in "$tree" --prefix="$tree/inst" --with-slurm-plugindir="$tree/inst/lib/slurm" \
		--with-slurm-source="$(matching_source)" --enable-sanitize CC=gcc CFLAGS="-O1 -g1"
	make -C "$tree" -j "$(jobs)" && make -C "$tree" install || return
	"$top/testsuite/live/run" --build "$tree" --jobs "$live_jobs" --sanitize \
		"${files[@]/%/.py}" | show_files 'sanitized: '
}

live_here() {
	"$top/testsuite/live/run" --build "$build" --jobs "$live_jobs" | show_files ''
}

# show_files PREFIX: a step of half an hour says which files of tests are done.
show_files() {
	tee >(sed -u -n "s/^test_[a-z_]*\.py: /\n  $1&/p" >&3)
}

# add_counts LOG: the sum of all counted lines in LOG.
add_counts() {
	awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { pass += $1; fail += $3; skip += $5 }
	END { printf "%d passed, %d failed, %d skipped\n", pass, fail, skip }' "$1"
}
