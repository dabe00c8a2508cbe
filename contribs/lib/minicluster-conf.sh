# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# minicluster: the files of a cluster. Sourced by contribs/minicluster, which
# sets dir, top and the options of `up`.

# A cluster owns one aligned slot of ports: slurmctld the first, nodes the rest.
readonly port_slot_size=100
readonly port_first=10000
readonly port_slots=220

# system_plugin_dir: where the installed slurmctld has its plugins.
system_plugin_dir() {
	local name lib=
	while read -r name _ lib _; do
		[[ $name != libslurmfull* ]] || break
	done < <(LD_TRACE_LOADED_OBJECTS=1 "$(type -P slurmctld)")
	[[ $name == libslurmfull* ]] || die "slurmctld is not linked to libslurmfull: where are its plugins?"
	printf '%s\n' "${lib%/*}"
}

# maui_plugin_dir: MAUI_PLUGIN_DIR, or what the source tree around us installed
# into its own build directory; nothing when the system's directory is to do.
maui_plugin_dir() {
	local inst=$top/build/inst/lib/slurm
	if [[ -n ${MAUI_PLUGIN_DIR-} ]]; then
		printf '%s\n' "$MAUI_PLUGIN_DIR"
	elif compgen -G "$inst/*_maui.so" >/dev/null; then
		printf '%s\n' "$inst"
	fi
}

# link_plugins: links in a directory that every user can read, as each command
# insists, while the plugins may be below a home that only root can. Only
# slurmctld loads them, and a restart loads newly installed plugins.
link_plugins() {
	local from dirs file
	local -A plugins=()
	mkdir -m 755 "$dir/plugins"
	IFS=: read -r -a dirs <<<"$(maui_plugin_dir)"
	for from in "${dirs[@]}"; do
		for file in "$from"/*.so; do
			[[ ! -e $file || -n ${plugins[${file##*/}]-} ]] ||
				plugins[${file##*/}]=$(cd -P -- "$from" && pwd)/${file##*/}
		done
	done
	((${#plugins[@]} == 0)) || ln -s "${plugins[@]}" "$dir/plugins/"
}

plugin_path() {
	printf '%s:%s\n' "$dir/plugins" "$(system_plugin_dir)"
}

# default_conf: every line has one key, so that --slurm-conf can replace it.
default_conf() {
	cat <<-END
	ClusterName=mini
	SlurmctldHost=localhost(127.0.0.1)
	SlurmctldPort=$port
	SlurmUser=root
	AuthType=auth/munge
	AuthInfo=socket=$dir/munge/socket
	CommunicationParameters=${ctld_comm-}
	PluginDir=$(plugin_path)
	PriorityType=priority/maui
	JobSubmitPlugins=maui
	SchedulerType=sched/backfill
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core_Memory
	StateSaveLocation=$dir/state
	SlurmdSpoolDir=$dir/spool/%n
	SlurmctldPidFile=$dir/run/slurmctld.own
	SlurmdPidFile=$dir/run/%n.own
	SlurmctldLogFile=$dir/log/slurmctld.log
	SlurmdLogFile=$dir/log/%n.log
	SlurmctldDebug=info
	SlurmdDebug=info
	DebugFlags=NO_CONF_HASH
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	SwitchType=switch/none
	MpiDefault=none
	MailProg=/bin/true
	ReturnToService=2
	SlurmdParameters=config_overrides
	PropagateResourceLimits=NONE
	KillWait=2
	DefMemPerCPU=$((memory_mb / cpus > 0 ? memory_mb / cpus : 1))
	NodeName=n[1-$nodes] CPUs=$cpus Sockets=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=$memory_mb State=UNKNOWN
	PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
}

# plain_lines FILE: no comments, no blank lines, continuations joined.
plain_lines() {
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$1" |
		sed -e 's/[[:space:]]*#.*//' -e 's/^[[:space:]]*//' -e '/^$/d'
}

# merge_conf BASE EXTRA: BASE without the keys that EXTRA has, then EXTRA.
merge_conf() {
	awk '
	{
		key = tolower($1)
		sub(/=.*/, "", key)
	}
	NR == FNR {
		extra[++n] = $0
		have[key] = 1
		next
	}
	!(key in have)
	END {
		for (i = 1; i <= n; i++)
			print extra[i]
	}' "$2" "$1"
}

# assign_ports: stdin to stdout; node lines without a port get one per node.
# Leaves the names of the nodes that want a slurmd in run/nodes.
assign_ports() {
	local line names next=$((port + 1)) shopt_was
	shopt_was=$(shopt -p nocasematch || true)
	shopt -s nocasematch
	: >"$dir/run/nodes"
	while IFS= read -r line; do
		if [[ $line =~ ^NodeName=([^[:space:]]+) && ${BASH_REMATCH[1]} != DEFAULT ]]; then
			mapfile -t names < <(expand_hosts "${BASH_REMATCH[1]}")
			((${#names[@]})) || die "$line: scontrol show hostnames cannot read the name"
			if [[ ! $line =~ [[:space:]]State=\"?(CLOUD|FUTURE) ]]; then
				printf '%s\n' "${names[@]}" >>"$dir/run/nodes"
			fi
			if [[ ! $line =~ [[:space:]]Port= ]]; then
				line+=" NodeHostname=localhost NodeAddr=127.0.0.1"
				line+=" Port=[$next-$((next + ${#names[@]} - 1))]"
				next=$((next + ${#names[@]}))
			fi
		fi
		printf '%s\n' "$line"
	done
	$shopt_was
}

# expand_hosts EXPR: one name a line. scontrol wants some slurm.conf to start.
expand_hosts() {
	if [[ $1 != *[[,]* ]]; then
		printf '%s\n' "$1"
		return
	fi
	printf 'ClusterName=x\nSlurmctldHost=x\n' >"$dir/run/hosts.conf"
	SLURM_CONF=$dir/run/hosts.conf scontrol show hostnames "$1"
	rm -f "$dir/run/hosts.conf"
}

# read_node_names: sets node_names to those that want a slurmd.
read_node_names() {
	node_names=()
	[[ ! -e $dir/run/nodes ]] || mapfile -t node_names <"$dir/run/nodes"
}

# conf_value KEY: sets value to the one in force, or to nothing.
conf_value() {
	local words word
	value=
	while read -r -a words; do
		for word in "${words[@]}"; do
			[[ ${word,,} != "${1,,}="* ]] || value=${word#*=}
		done
	done <"$dir/slurm.conf"
}

# give_to_slurm_user: what slurmctld writes, as it gives up root's rights.
give_to_slurm_user() {
	local value
	conf_value SlurmUser
	[[ $value != root ]] || return 0
	chown "$value" "$dir/state" "$dir/log" "$dir/run" || up_failed "no user $value"
	install -o "$value" -m 644 /dev/null "$dir/run/slurmctld.own"
}

# check_plugins: a clear word before slurmctld's fatal one.
check_plugins() {
	local path value want wanted=()
	conf_value PluginDir
	path=$value
	conf_value JobSubmitPlugins
	IFS=, read -r -a wanted <<<"$value"
	wanted=("${wanted[@]/#/job_submit/}")
	conf_value PriorityType
	wanted+=("$value")
	conf_value SchedulerType
	wanted+=("$value")
	for want in "${wanted[@]}"; do
		[[ $want == */maui ]] || continue
		find_plugin "$path" "${want/\//_}.so" ||
			die "${want/\//_}.so is not in ${MAUI_PLUGIN_DIR:-$top/build/inst/lib/slurm}" \
				"nor in $(system_plugin_dir); contribs/quickstart build makes it," \
				"MAUI_PLUGIN_DIR names another place"
	done
}

find_plugin() {
	local d dirs
	IFS=: read -r -a dirs <<<"$1"
	for d in "${dirs[@]}"; do
		[[ ! -e $d/$2 ]] || return 0
	done
	return 1
}

# write_slurm_conf: slurm.conf for slurmctld and all commands; slurmd.conf, which
# includes it, keeps slurmd to loopback (a client's srun must not read that line:
# it would bind to the address of the machine's own name).
write_slurm_conf() {
	local value
	default_conf >"$dir/run/default.conf"
	! has_dbd || dbd_conf_lines >>"$dir/run/default.conf"
	plain_lines - <<<"$given_conf" >"$dir/run/extra.conf"
	merge_conf "$dir/run/default.conf" "$dir/run/extra.conf" |
		sed "/^[A-Za-z]*=$/d" | assign_ports >"$dir/slurm.conf" || return 1
	rm "$dir/run/default.conf" "$dir/run/extra.conf"
	conf_value CommunicationParameters
	printf 'Include %s\n' "$dir/slurm.conf" >"$dir/slurmd.conf"
	[[ -z ${ctld_comm-} ]] ||
		printf 'CommunicationParameters=%s\n' "${value:+$value,}NoInAddrAny" >>"$dir/slurmd.conf"
	chmod 644 "$dir/slurm.conf" "$dir/slurmd.conf"
}

# write_cgroup_conf: nothing here uses cgroups, but slurmd looks for them, and
# ends in a container that has none, unless cgroup.conf turns them off.
write_cgroup_conf() {
	local said
	said=$(slurmd -V)
	if [[ $said =~ ([0-9]+)\.([0-9]+) ]] && ((${BASH_REMATCH[1]}${BASH_REMATCH[2]} >= 2311)); then
		printf 'CgroupPlugin=disabled\n'
	else
		printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n'
	fi >"$dir/cgroup.conf"
}

# copy_conf_files: the files of --conf, and the stand-ins for devices that they name.
copy_conf_files() {
	local file words word
	for file in "${conf_files[@]}"; do
		sed "s,%DEVICES,$dir/devices,g" "$file" >"$dir/${file##*/}"
		chmod 644 "$dir/${file##*/}"
		read -r -d '' -a words < <(plain_lines "$dir/${file##*/}") || true
		for word in "${words[@]}"; do
			[[ $word != [Ff]ile="$dir/devices/"* ]] || make_devices "${word#*=}"
		done
	done
}

# make_devices PATTERN: empty files named as File= of gres.conf says.
make_devices() {
	local path
	mkdir -p "$dir/devices"
	while read -r path; do
		[[ $path == "$dir/devices/"*/* || -e $path ]] || : >"$path"
	done < <(expand_hosts "$1")
}

write_maui_cfg() {
	if [[ -n $maui_cfg ]]; then
		cat "$maui_cfg" >"$dir/maui.cfg"
		return
	fi
	printf '%s\n' '# minimal: priority is minutes in the queue' \
		'QUEUETIMEWEIGHT  1' 'RMPOLLINTERVAL   00:00:05' >"$dir/maui.cfg"
}

make_munge_key() {
	(umask 077; head -c 128 /dev/urandom >"$dir/munge/key")
}

# pick_port_slot: a random slot in which no port is in use; sets port.
pick_port_slot() {
	local busy='' hex slot try
	while read -r hex; do
		busy+=" $(((16#$hex - port_first) / port_slot_size)) "
	done < <(awk 'FNR > 1 { n = split($2, a, ":"); if (!seen[a[n]]++) print a[n] }' \
		/proc/net/tcp /proc/net/tcp6 2>/dev/null)
	for ((try = 0; try < 500; try++)); do
		slot=$((RANDOM % port_slots))
		[[ $busy == *" $slot "* ]] && continue
		port=$((port_first + slot * port_slot_size))
		return 0
	done
	return 1
}
