# SPDX-License-Identifier: GPL-2.0-or-later
#
# report.awk submitted samples starts: who ran when, and why. Used by demo/run.
#   submitted   JOBID NAME USER ACCOUNT CLASS QOS NODES TASKS
#   samples     JOBID PRIORITY SERV CRED FS RES TARG USAGE SITE, last line counts
#   starts      TIME JOBID main|backfill, in order
# A job that was started while one of higher priority waited is marked with that
# one: it did not fit into what was free.

FILENAME ~ /submitted$/ {
	about[$1] = sprintf("%-7s %-6s %-8s %-8s %-6s %2dx%-2d", $2, $3, $4, $5, $6, $7, $8 / $7)
	next
}

FILENAME ~ /samples$/ {
	job = $1 + 0
	prio[job] = $2
	parts[job] = sprintf("%6d %6d %6d %6d %6d", $3, $4, $5, $6, $7)
	next
}

{
	at[++n] = substr($1, 1, 8)
	started[n] = $2
	by[n] = $3
}

END {
	printf "%-8s %4s %-7s %-6s %-8s %-8s %-6s %5s %8s   %6s %6s %6s %6s %6s\n", "TIME", "JOB", \
		"NAME", "USER", "ACCOUNT", "CLASS", "QOS", "NxCPU", "PRIORITY", "SERV", "CRED", \
		"FS", "RES", "TARG"
	for (i = 1; i <= n; i++)
		print line(i)
}

function line(i,    job, text, passed) {
	job = started[i]
	text = sprintf("%-8s %4d %s", at[i], job, about[job])
	if (!(job in prio))
		return text "  the machine was free"
	text = text sprintf(" %8d = %s", prio[job], parts[job])
	passed = passed_by(i)
	if (by[i] == "backfill")
		text = text "  backfilled"
	return passed ? text "  before" passed : text
}

function passed_by(i,    j, list) {
	for (j = i + 1; j <= n; j++)
		if ((started[j] in prio) && prio[started[j]] > prio[started[i]] && at[j] != at[i])
			list = list " " started[j]
	return list
}
