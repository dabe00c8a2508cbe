# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
#
# minicluster: a MariaDB and a slurmdbd of the cluster's own (--slurmdbd). MariaDB
# has a socket below DIR and no TCP, and runs as the user that Debian's Slurm
# packages make. Sourced by contribs/minicluster, which sets dir and port.

readonly db_user=slurm
# The slot of ports has slurmctld first and up to 90 nodes after it.
readonly dbd_port_offset=99

has_dbd() {
	[[ -d $dir/db ]]
}

check_dbd_programs() {
	local prog
	for prog in mariadb-install-db mariadb mariadbd slurmdbd sacctmgr; do
		command -v "$prog" >/dev/null ||
			die "$prog not found (Debian: mariadb-server-core" \
			    "mariadb-client-core slurmdbd slurm-client)"
	done
	getent passwd "$db_user" >/dev/null || die "no user $db_user to run MariaDB as"
}

# mariadb_options: for the installation and for the server. Durability is for
# clusters that live longer; a small log file saves 100 MB each.
mariadb_options() {
	printf '%s\n' --no-defaults --user="$db_user" --datadir="$dir/db" \
		--innodb-log-file-size=16M --innodb-buffer-pool-size=32M \
		--innodb-flush-log-at-trx-commit=0 --innodb-lock-wait-timeout=900
}

# make_db: --force, because it would not begin where the machine's own name
# means nothing (no /etc/hosts); ours is spoken to by its socket.
make_db() {
	local options
	mapfile -t options < <(mariadb_options)
	install -d -m 700 -o "$db_user" "$dir/db"
	mariadb-install-db "${options[@]}" --force \
		--auth-root-authentication-method=socket --skip-test-db \
		>"$dir/log/mariadb-install-db.log" 2>&1 ||
		up_failed "mariadb-install-db: $(tail -n 3 "$dir/log/mariadb-install-db.log")"
}

dbd_conf_lines() {
	printf '%s\n' AccountingStorageType=accounting_storage/slurmdbd \
		AccountingStorageHost=127.0.0.1 \
		"AccountingStoragePass=socket=$dir/munge/socket" \
		"AccountingStoragePort=$((port + dbd_port_offset))"
}

# write_slurmdbd_conf: root's word counts in the database as on the machine;
# NoInAddrAny binds to loopback as it does for slurmd.
write_slurmdbd_conf() {
	(
		umask 077
		cat >"$dir/slurmdbd.conf" <<-END
		DbdHost=localhost
		DbdAddr=127.0.0.1
		DbdPort=$((port + dbd_port_offset))
		SlurmUser=root
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge/socket
		PluginDir=$(system_plugin_dir)
		PidFile=$dir/run/slurmdbd.own
		LogFile=$dir/log/slurmdbd.log
		DebugLevel=info
		StorageType=accounting_storage/mysql
		StorageHost=localhost
		StorageUser=root
		StorageLoc=slurm_acct
		END
		[[ -z ${ctld_comm-} ]] ||
			printf 'CommunicationParameters=NoInAddrAny\n' >>"$dir/slurmdbd.conf"
	)
}

# mariadbd takes the socket into use before it accepts anybody.
mariadbd_answers() {
	[[ -S $dir/db/socket ]] && mariadb --no-defaults --socket="$dir/db/socket" \
		--execute='SELECT 1' >/dev/null 2>&1
}

slurmdbd_answers() {
	SLURM_CONF=$dir/slurm.conf timeout 5 sacctmgr -n -P show cluster >/dev/null 2>"$dir/log/sacctmgr.err"
}

wait_mariadbd() {
	wait_for mariadbd mariadbd_answers
}

wait_slurmdbd() {
	wait_for slurmdbd slurmdbd_answers
}

# start_dbd: 1 when its port was taken.
start_dbd() {
	local value
	write_slurmdbd_conf
	rm -f "$dir"/log/slurmdbd.*
	launch slurmdbd
	if ! wait_slurmdbd; then
		port_was_taken slurmdbd || up_failed "$(why slurmdbd)"
		return 1
	fi
	conf_value ClusterName
	SLURM_CONF=$dir/slurm.conf sacctmgr -i add cluster "$value" \
		>"$dir/log/sacctmgr.log" 2>&1 || grep -q 'already exists' "$dir/log/sacctmgr.log" ||
		up_failed "sacctmgr: $(tail -n 3 "$dir/log/sacctmgr.log")"
}

# wait_registered: slurmctld has registered with slurmdbd, so that what sacctmgr
# changes from now on reaches it.
wait_registered() {
	local value
	conf_value SlurmctldPort
	while ((SECONDS < deadline)); do
		[[ $(SLURM_CONF=$dir/slurm.conf timeout 5 sacctmgr -n -P show cluster \
			format=ControlPort 2>/dev/null) != "$value" ]] || return 0
		pause 0.1
	done
	return 1
}
