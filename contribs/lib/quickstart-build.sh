# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034
#
# quickstart: from the packages to the installed plugins, all below build/.

build_steps=(
	"packages|Debian packages|install_build_packages"
	"source|source of the installed slurmctld|fetch_matching"
	"bootstrap|bootstrap|do_bootstrap"
	"configure|configure|do_configure"
	"make|make|do_make"
	"install|make install into build/inst|do_install"
)
# Before the build: configure looks for Criterion.
test_package_steps=(
	"packages-check|Debian packages for the tests|install_check_packages"
)
fetch_steps=(
	"newer|source of a newer Slurm, for the header check|fetch_newer"
)

jobs() {
	nproc 2>/dev/null || printf '1\n'
}

do_bootstrap() {
	if [[ -x $top/configure && $top/configure -nt $top/configure.ac ]]; then
		"$top/build-aux/file-lists"	# make runs automake again if they have changed
		printf 'configure is there\n'
		return
	fi
	"$top/bootstrap"
}

# configure_in DIR ARG...: runs configure in DIR unless it ran there with the same
# arguments and packages.
configure_in() {
	local dir=$1 stamp
	shift
	stamp=$(printf '%s\n' "$top" "$*"
		dpkg-query -W -f '${Package} ${Version}\n' "${build_packages[@]}" \
			"${test_packages[@]}" 2>/dev/null) || true
	if [[ -x $dir/config.status && $(cat "$dir/quickstart.stamp" 2>/dev/null) == "$stamp" ]]; then
		printf '%s is configured\n' "$dir"
		return
	fi
	mkdir -p "$dir"
	cd "$dir" || return
	"$top/configure" "$@"
	printf '%s\n' "$stamp" >quickstart.stamp
}

do_configure() {
	configure_in "$build" --prefix="$inst" --with-slurm-plugindir="$inst/lib/slurm" \
		--with-slurm-source="$(matching_source)" ${slurm_source:+--enable-untested-slurm} \
		"${check_flags[@]}"
}

do_make() {
	make -C "$build" -j "$(jobs)"
}

do_install() {
	make -C "$build" install
}
