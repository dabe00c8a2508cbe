# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# minicluster: the processes of a cluster. No "| grep -q" in here: it ends its
# writer with SIGPIPE, which pipefail takes for a failure. Sourced by contribs/minicluster, which
# sets dir and deadline (in SECONDS).

readonly stop_wait_ds=80	# tenths of a second that SIGTERM is given

# find_namespace: sets in_uts, set_name and ctld_comm, which launch and slurm.conf need. Daemons run
# in a UTS namespace where the machine is called localhost: that is
# the name which Slurm's No*InAddrAny resolves to find the address to bind to; a
# machine without an /etc/hosts gets its number as its name. Without the right to
# a namespace (a bare container) they listen on all addresses.
find_namespace() {
	local host_name=localhost address
	read -r address _ < <(getent -s files ahostsv4 localhost) || true
	[[ ${address-} == 127.* ]] || host_name=127.0.0.1
	if unshare --uts hostname "$host_name" 2>/dev/null; then
		in_uts=(unshare --uts)
		set_name="hostname $host_name;"
		ctld_comm=NoCtldInAddrAny
	else
		in_uts=()
		set_name=''
		ctld_comm=''
	fi
}

# A descriptor that nothing ever comes from: pause SECONDS without a process.
exec {silence}<> <(:)
pause() {
	read -r -t "$1" -u "$silence" || true
}

readonly nss_lib=libnss_wrapper.so

# have_nss_wrapper: the loader only warns of a library that it cannot find.
have_nss_wrapper() {
	[[ -z $(LD_PRELOAD=$nss_lib /bin/true 2>&1) ]]
}

# daemon_command NAME: sets command.
daemon_command() {
	case $1 in
	munged)
		command=(munged --foreground --key-file="$dir/munge/key"
			--socket="$dir/munge/socket" --pid-file="$dir/run/munged.own"
			--seed-file="$dir/munge/seed" --num-threads=4) ;;
	mariadbd)
		mapfile -t command < <(mariadb_options)
		command=(mariadbd "${command[@]}" --skip-networking
			--socket="$dir/db/socket" --pid-file="$dir/db/mariadbd.own") ;;
	slurmdbd)
		# Slurm has no parameter for the socket, MariaDB's library has this.
		command=(env SLURM_CONF="$dir/slurm.conf"
			MYSQL_UNIX_PORT="$dir/db/socket" slurmdbd -D) ;;
	slurmctld)
		command=(slurmctld -D -f "$dir/slurm.conf") ;;
	*)
		command=(slurmd -D -N "$1" -f "$dir/slurmd.conf") ;;
	esac
}

# launch NAME: in a session of its own, with no inherited descriptor, no SLURM_*
# of the caller, and MINICLUSTER_DIR as the mark by which `down` finds it.
launch() {
	local -a command
	daemon_command "$1"
	[[ -n $ctld_comm || $1 != slurmctld ]] ||
		printf 'minicluster: no right to a namespace: listening on all addresses\n' >&2
	[[ ! -s $dir/log/$1.err ]] || cat "$dir/log/$1.err" >>"$dir/log/$1.err.old"
	become_daemon "$1" </dev/null >"$dir/log/$1.err" 2>&1 &
	printf '%d\n' $! >"$dir/run/$1.pid"
	# Before its exec the child does not bear the mark yet.
	until is_marked $! || ! kill -0 $! 2>/dev/null; do
		pause 0.02
	done
	disown $! 2>/dev/null || true	# no "Killed" message from this shell
}

# become_daemon NAME: the child's part of launch; does not return.
become_daemon() {
	local fd
	# shellcheck disable=SC2086	# names of variables, each a word
	unset ${!SLURM*} ${!SBATCH*}
	export MINICLUSTER_DIR=$dir
	if [[ -e $dir/run/passwd ]]; then
		export LD_PRELOAD="$nss_lib${LD_PRELOAD:+:$LD_PRELOAD}"
		export NSS_WRAPPER_PASSWD="$dir/run/passwd" NSS_WRAPPER_GROUP="$dir/run/group"
	fi
	# a sanitizer's library has to come first
	[[ $1 != slurmctld || -z ${MINICLUSTER_PRELOAD-} ]] ||
		export LD_PRELOAD="$MINICLUSTER_PRELOAD${LD_PRELOAD:+:$LD_PRELOAD}"
	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		((fd <= 2)) || eval "exec $fd>&-"
	done
	cd /
	umask 022
	# shellcheck disable=SC2016
	exec setsid "${in_uts[@]}" sh -c "$set_name"'exec "$@"' launch "${command[@]}"
}

# The next functions are asked ten times a second: they start no process.

# is_marked PID: one of our daemons, its environment says.
is_marked() {
	local -a environ=()
	{ mapfile -d '' -t environ <"/proc/$1/environ"; } 2>/dev/null || return 1
	local IFS=$'\n'
	[[ $'\n'${environ[*]}$'\n' == *$'\nMINICLUSTER_DIR='"$dir"$'\n'* ]]
}

# find_daemon NAME: sets daemon to its pid when it is alive and still ours.
find_daemon() {
	local try
	daemon=
	{ read -r daemon <"$dir/run/$1.pid"; } 2>/dev/null || return 1
	# A process in the middle of an exec shows an empty environment for an instant.
	for try in 1 2 3; do
		is_alive "$daemon" || return 1
		! is_marked "$daemon" || return 0
		((try == 3)) || pause 0.05
	done
	return 1
}

# is_alive PID: there, and no zombie.
is_alive() {
	local stat
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	stat=${stat##*) }
	[[ $stat == [^Z]* ]]
}

# stop_daemon NAME SIGNAL: SIGKILL follows a signal that does nothing for half a minute; a
# slurmctld that is killed cannot save its state.
stop_daemon() {
	local pid i daemon
	find_daemon "$1" || return 0
	pid=$daemon
	kill -s "$2" "$pid" 2>/dev/null || true
	for ((i = 0; i < 300; i++)); do
		find_daemon "$1" || return 0
		pause 0.1
	done
	echo "minicluster: $1 did not end within 30 s of SIG$2: killed" >&2
	kill -s KILL "$pid" 2>/dev/null || true
	pause 0.3
	! find_daemon "$1"
}

# Errors that every first start of Debian's Slurm 22.05 logs.
readonly noise='mpi/pmix|state file|NOTE: Trying backup|more than once|xcpuinfo_hwloc|Domain socket'

# why NAME: the last error lines that the daemon left since its launch.
why() {
	local text
	text=$(grep -iE 'error|fatal|cannot|failed' "$dir/log/$1.err" | grep -vE "$noise" |
		tail -n 8) || true
	[[ -n $text ]] || text=$(tail -n 8 "$dir/log/$1.err" 2>/dev/null) || true
	if ! find_daemon "$1"; then
		printf '%s ended; its last lines:\n%s\n' "$1" "$text"
	elif [[ $1 == slurmdbd && -s $dir/log/sacctmgr.err ]]; then
		printf 'sacctmgr cannot ask slurmdbd:\n%s\n' "$(tail -n 8 "$dir/log/sacctmgr.err")"
	else
		printf '%s does not answer in time; its last lines:\n%s\n' "$1" "$text"
	fi
}

# wait_for NAME PROBE: until PROBE succeeds, the daemon ends, or the deadline.
wait_for() {
	while ((SECONDS < deadline)); do
		! "$2" || return 0
		find_daemon "$1" || return 1
		pause 0.1
	done
	return 1
}

munged_answers() {
	[[ -S $dir/munge/socket ]] && munge -n -S "$dir/munge/socket" >/dev/null 2>&1
}

# A look for the listening socket comes first: scontrol would try for 10 seconds.
slurmctld_answers() {
	local hex value
	conf_value SlurmctldPort
	printf -v hex '%04X' "$value"
	grep -qE "^ *[0-9]+: [0-9A-F]+:$hex [0-9A-F]+:0000 0A" /proc/net/tcp /proc/net/tcp6 \
		2>/dev/null || return 1
	SLURM_CONF=$dir/slurm.conf timeout 5 scontrol ping 2>/dev/null | grep 'is UP' >/dev/null
}

wait_munged() {
	wait_for munged munged_answers
}

wait_slurmctld() {
	wait_for slurmctld slurmctld_answers
}

port_was_taken() {
	grep -q 'Address already in use' "$dir/log/$1.err"
}

# nodes_in_state REGEX NAME...: sets pending to the NAMEs in such a state; a node that is not listed
# is in state "missing".
nodes_in_state() {
	local bad=$1 node what
	local -A state=()
	shift
	while read -r node what; do
		state[$node]=$what
	done < <(SLURM_CONF=$dir/slurm.conf timeout 5 sinfo -a -h -N -o '%N %T' 2>/dev/null)
	pending=()
	for node; do
		[[ ! ${state[$node]-missing} =~ $bad ]] || pending+=("$node")
	done
}

# wait_nodes NAME...: until those of them that are nodes have registered; sets node_failure when it
# returns 1.
wait_nodes() {
	local name wanted=() pending=()
	for name; do
		case $name in
		munged | mariadbd | slurmdbd | slurmctld) ;;
		*)	wanted+=("$name") ;;
		esac
	done
	while ((SECONDS < deadline)); do
		nodes_in_state '[*]$|unknown|future|missing' "${wanted[@]}"
		((${#pending[@]})) || break
		all_run slurmctld "${pending[@]}" || return 1
		pause 0.2
	done
	((${#pending[@]})) || nodes_in_state 'inval' "${wanted[@]}"
	((${#pending[@]})) || return 0
	node_failure="nodes not ready: ${pending[*]}"$'\n'$(node_reasons)
	return 1
}

# all_run NAMES...: sets node_failure when it returns 1.
all_run() {
	local name
	for name; do
		! find_daemon "$name" || continue
		node_failure=$(why "$name")
		return 1
	done
}

node_reasons() {
	SLURM_CONF=$dir/slurm.conf timeout 5 sinfo -h -R 2>/dev/null || true
	grep -i error "$dir/log/slurmctld.err" | grep -vE "$noise" | tail -n 5 || true
}

# cluster_pids: daemons by their mark; slurmstepd (whose environment is
# overwritten by its title) by the files it has open below DIR; job processes by
# the slurm.conf that slurmstepd gave them; srun and salloc, which would wait for
# a slurmctld that is gone; and all descendants of these. Never
# this script or what called it, whose shell may well have that SLURM_CONF.
cluster_pids() {
	local pid
	possible_pids | while read -r pid; do
		if is_of_cluster "$pid"; then
			printf '%d\n' "$pid"
		fi
	done | with_descendants | grep -vxF -f <(own_family) || true
}

# possible_pids: those worth a closer look. A look takes several processes, and a machine may have
# thousands of others.
possible_pids() {
	{
		grep -lsF -e "$dir" /proc/[0-9]*/environ || true
		grep -lsF -e slurmstepd /proc/[0-9]*/cmdline || true
	} | sed -E 's,^/proc/([0-9]+)/.*,\1,' | sort -u
}

is_of_cluster() {
	local environ
	! is_marked "$1" || return 0
	environ=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/environ") || true
	if [[ $'\n'$environ$'\n' == *$'\nSLURM_CONF='"$dir"/slurm*.conf$'\n'* ]]; then
		[[ $'\n'$environ == *$'\nSLURMD_NODENAME='* ]] && return 0
		case $(cat "/proc/$1/comm" 2>/dev/null) in
		srun | salloc | sattach) return 0 ;;
		esac
	fi
	[[ $(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline") == *slurmstepd* ]] &&
		find "/proc/$1/fd" -lname "$dir/*" 2>/dev/null | grep . >/dev/null
}

# with_descendants: pids on stdin, all pids below them on stdout as well.
with_descendants() {
	{
		sed 's/^/root /'
		cat /proc/[0-9]*/stat 2>/dev/null || true
	} | awk '
	$1 == "root" { mark[$2] = 1; next }
	{
		pid = $1
		sub(/.*\) /, "")	# the command name may hold anything
		if ($1 != "Z")
			parent[pid] = $2
	}
	END {
		do {
			more = 0
			for (p in parent)
				if (!(p in mark) && (parent[p] in mark)) {
					mark[p] = 1
					more = 1
				}
		} while (more)
		for (p in mark)
			if (p in parent && p > 1)
				print p
	}'
}

own_family() {
	local pid=$BASHPID stat
	while ((pid > 1)); do
		printf '%d\n' "$pid"
		{ read -r stat <"/proc/$pid/stat"; } 2>/dev/null || break
		read -r _ pid _ <<<"${stat##*) }"
	done
	printf '%d\n' $$
}

# kill_cluster GRACE_DS: SIGTERM to the daemons, so that fini() of the plugins
# runs, and after that many tenths of a second SIGKILL to whatever is left, until
# a whole scan of /proc finds nothing.
kill_cluster() {
	local i pid pids
	each_daemon kill || true
	for ((i = 0; i < $1; i++)); do
		any_daemon || break
		pause 0.1
	done
	for ((i = 0; i < 30; i++)); do
		pids=$(cluster_pids)
		[[ -n $pids ]] || return 0
		for pid in $pids; do
			kill -s KILL "$pid" 2>/dev/null || true
		done
		pause 0.1
	done
	return 1
}

any_daemon() {
	! each_daemon false
}

# each_daemon COMMAND: COMMAND PID for each daemon that runs; 1 when one fails.
each_daemon() {
	local file name daemon rc=0
	for file in "$dir"/run/*.pid; do
		name=${file##*/}
		if [[ -e $file ]] && find_daemon "${name%.pid}"; then
			"$1" "$daemon" 2>/dev/null || rc=1
		fi
	done
	return $rc
}
