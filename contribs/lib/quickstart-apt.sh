# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
#
# quickstart: Debian's packages, and Slurm's source from the mirror that the
# machine uses. The machine's apt configuration is read, never written.

build_packages=(
	autoconf automake dpkg-dev gcc libc6-dev libjson-c-dev libmunge-dev nettle-dev libpcre2-dev
	libsmartcols-dev libtool make pkg-config zlib1g-dev
	munge slurmctld slurmd slurm-client libnss-wrapper
)
# `check` needs the others: for the tests (the core packages of MariaDB have the programs and no
# service, prometheus has promtool), and for fuzzers, lint, another Debian, and a browser that measures pages.
test_packages=(
	libcriterion-dev python3 python3-pytest
	mariadb-server-core mariadb-client-core slurmdbd faketime tzdata
	prometheus mount iproute2
)
check_packages=(
	chromium-headless-shell git lua5.4 mmdebstrap
	clang libclang-rt-dev
	clang-format codespell cppcheck mandoc python3-pyflakes shellcheck
)
# The Debian of the second Slurm that the plugins must compile for, and that the live tests run on.
readonly newer_suite=trixie

installed_version() {
	dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2>/dev/null |
		sed -n 's/^installed //p'
}

# missing_packages NAME...
missing_packages() {
	local name
	for name; do
		[[ -n $(installed_version "$name") ]] || printf '%s ' "$name"
	done
}

apt_get() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 \
		-o Dpkg::Use-Pty=0 "$@"
}

# install_packages NAME...: installs missing packages without starting their daemons.
# A machine with a policy-rc.d keeps it; others get one during the installation, and one that a
# killed run left goes.
install_packages() {
	local missing guard=/usr/sbin/policy-rc.d mark='# slurm-maui quickstart, while it installs'
	! grep -qsxF "$mark" "$guard" || rm -f "$guard"
	missing=$(missing_packages "$@")
	if [[ -z $missing ]]; then
		printf 'nothing is missing\n'
		return
	fi
	printf 'missing: %s\n' "$missing"
	command -v apt-get >/dev/null || die "no apt-get: install by hand: $missing"
	need_root "apt-get has to install $missing"
	apt_get update
	if [[ ! -e $guard ]]; then
		trap 'rm -f /usr/sbin/policy-rc.d' EXIT
		printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$guard"
		chmod 755 "$guard"
	fi
	# shellcheck disable=SC2086
	apt_get install --no-install-recommends $missing
}

install_build_packages() {
	install_packages "${build_packages[@]}"
}

install_check_packages() {
	install_packages "${test_packages[@]}" "${check_packages[@]}"
}

# announce_packages NAME...: says which packages will be installed.
announce_packages() {
	local missing
	missing=$(missing_packages "$@")
	[[ -n $missing ]] || return 0
	say "installs from Debian, with what they depend on:"
	printf '%s\n' "$missing" | fold -s -w 76 | sed 's/^/    /; s/ *$//'
}

# slurm_origins: "URI SUITE" of each archive that offers slurmctld.
slurm_origins() {
	apt-cache policy slurmctld |
		sed -n 's|^ *-\{0,1\}[0-9][0-9]* \([^ ]*[:/][^ ]*\) \([^ ]*\)/[^ /]* .*Packages$|\1 \2|p' |
		sed 's|/* | |' | sort -u
}

# The machine's source files of either format.
apt_source_files() {
	local list parts
	eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
	[[ ! -f $list ]] || printf '%s\n' "$list"
	find "$parts" -maxdepth 1 -type f -name "*.$1" 2>/dev/null | LC_ALL=C sort
}

# deb_src_lines ORIGINS SUITE: one-line entries of ORIGINS as deb-src, of SUITE
# instead of their own when that is given (then no security or updates suite).
deb_src_lines() {
	awk -v origins="$1" -v other="$2" '
	BEGIN {
		n = split(origins, o, "\n")
		for (i = 1; i <= n; i++)
			offers[o[i]] = 1
	}
	$1 != "deb" { next }
	{
		sub(/[ \t]#.*/, "")
		options = ""
		if (match($0, /\[[^]]*\]/)) {
			options = substr($0, RSTART, RLENGTH)
			$0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
			gsub(/arch[+-]?=[^] ]*/, "", options)
			options = options " "
		}
		uri = $2
		sub(/\/+$/, "", uri)
		suite = $3
		if (!((uri " " suite) in offers) || (other && suite ~ /-/))
			next
		line = "deb-src " options $2 " " (other ? other : suite)
		for (i = 4; i <= NF; i++)
			line = line " " $i
		if (!seen[line]++)
			print line
	}'
}

# deb_src_stanzas ORIGINS SUITE: the same for deb822 entries.
deb_src_stanzas() {
	awk -v origins="$1" -v other="$2" '
	BEGIN {
		n = split(origins, o, "\n")
		for (i = 1; i <= n; i++)
			offers[o[i]] = 1
	}
	function value(s) { sub(/^[^:]*:[ \t]*/, "", s); return s }
	function flush_stanza(    nu, ns, i, j, u, s, uri, plain, uris, list) {
		nu = split(f["uris"], u, " ")
		ns = split(f["suites"], s, " ")
		for (i = 1; i <= nu; i++)
			for (j = 1; j <= ns; j++) {
				plain = u[i]
				sub(/\/+$/, "", plain)
				if (!((plain " " s[j]) in offers) || (other && s[j] ~ /-/))
					continue
				uri[u[i]] = 1
				list = list " " (other ? other : s[j])
			}
		for (i = 1; i <= nu; i++)
			if (u[i] in uri)
				uris = uris " " u[i]
		if (uris && f["types"] ~ /deb/ && tolower(f["enabled"]) !~ /^(no|false|0|off|without|disable)$/)
			printf "Types: deb-src\nURIs:%s\nSuites:%s\n%s\n", uris, list, rest
		split("", f)
		rest = ""
		key = ""
	}
	/^#/ { next }
	/^[ \t]*$/ { flush_stanza(); next }
	/^[ \t]/ {
		if (key in own)
			f[key] = f[key] " " $0
		else
			rest = rest $0 "\n"
		next
	}
	BEGIN { split("types uris suites enabled architectures", a, " "); for (i in a) own[a[i]] = 1 }
	{
		key = tolower($0)
		sub(/:.*/, "", key)
		if (key in own)
			f[key] = value($0)
		else
			rest = rest $0 "\n"
	}
	END { flush_stanza() }'
}

# private_apt DIR ARG...: apt-get with sources and lists of its own below DIR.
private_apt() {
	local dir=$1
	shift
	apt_get -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$dir/sources" \
		-o "Dir::State::lists=$dir/lists" -o Dir::Cache::pkgcache= \
		-o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root \
		-o Acquire::Languages=none -o APT::Update::Error-Mode=any "$@"
}

# write_deb_src DIR SUITE: the private sources; fails when there are none.
write_deb_src() {
	local dir=$1 other=$2 origins file
	origins=$(slurm_origins)
	if [[ -z $origins ]]; then
		need_root "apt-get update"
		apt_get update
		origins=$(slurm_origins)
	fi
	[[ -n $origins ]] || die "no apt source of this machine offers slurmctld"
	mkdir -p "$dir/sources" "$dir/lists/partial"
	while read -r file; do
		deb_src_lines "$origins" "$other" <"$file"
	done < <(apt_source_files list) >"$dir/sources/slurm.list"
	while read -r file; do
		deb_src_stanzas "$origins" "$other" <"$file"
		printf '\n'
	done < <(apt_source_files sources) >"$dir/sources/slurm.sources"
	grep -v '^$' "$dir"/sources/*
	[[ -n $(cat "$dir"/sources/*) ]]
}

# with_private_apt COMMAND ARG...: runs COMMAND with a private apt directory and
# removes the directory.
with_private_apt() {
	private_dir=$build/apt.$$
	rm -rf "$private_dir"
	mkdir -p "$private_dir"
	trap 'rm -rf "$private_dir"' EXIT
	"$@"
}

# fetch_matching: the source of exactly the installed slurmctld.
fetch_matching() {
	local version dest
	version=$(installed_version slurmctld)
	dest=$(matching_source)
	if [[ -r $dest/META ]]; then
		printf '%s is there\n' "$dest"
		return
	fi
	with_private_apt do_fetch_matching "$version" "$dest"
}

matching_source() {
	[[ -z $slurm_source ]] || {
		printf '%s\n' "$slurm_source"
		return
	}
	printf '%s/slurm-wlm_%s\n' "$source_dir" "$(installed_version slurmctld)"
}

do_fetch_matching() {
	write_deb_src "$private_dir" '' || die "no deb-src can be derived from this machine's apt sources"
	private_apt "$private_dir" update
	cd "$private_dir" || return
	if private_apt "$private_dir" source "slurm-wlm=$1"; then
		keep_source slurm-wlm-*/ "$2"
	else
		printf 'Debian has patches that the mirror lacks: tries the tarball alone\n'
		fetch_tarball "$1" "$2" ||
			die "the mirror does not serve the source of the installed slurmctld $1;" \
				"bring it up to date: apt-get install slurmctld slurmd slurm-client"
	fi
}

# fetch_tarball VERSION DEST: Slurm's tarball without Debian's patches, from a mirror that lacks
# them. Whether it fits the installed slurmctld is up to the check of layouts at load.
fetch_tarball() {
	# Chained: errexit is off in what stands before a "||".
	private_apt "$private_dir" source --tar-only "slurm-wlm${1:+=$1}" &&
		mkdir tarball &&
		tar -xf slurm-wlm_*.orig.tar.* -C tarball --strip-components=1 &&
		keep_source tarball "$2"
}

keep_source() {
	[[ -r $1/META ]] || die "no META in the fetched source"
	rm -rf "$2"
	mkdir -p "$(dirname "$2")"
	mv "$1" "$2"
}

newer_source() {
	printf '%s/newer\n' "$source_dir"
}

# fetch_newer: fetches the source of a newer Slurm for the header check. When the
# mirror has none, the header check is skipped.
fetch_newer() {
	local dest
	dest=$(newer_source)
	if [[ -r $dest/META ]]; then
		printf '%s is there\n' "$dest"
		return
	fi
	(with_private_apt do_fetch_newer "$dest") ||
		printf 'not available: the source of slurm-wlm in %s\n' "$newer_suite"
}

do_fetch_newer() {
	# Chained: errexit is off in what stands before a "||".
	write_deb_src "$private_dir" "$newer_suite" &&
		private_apt "$private_dir" update &&
		cd "$private_dir" &&
		fetch_tarball '' "$1"
}
