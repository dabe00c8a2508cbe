# SPDX-License-Identifier: GPL-2.0-or-later
#
# report.awk submitted samples starts: which job ran when, and why. Used by demo/run.
#   submitted   JOBID NAME USER ACCOUNT CLASS QOS NODES TASKS
#   samples     JOBID PRIORITY SERV CRED FS RES TARG USAGE SITE, last line counts
#   starts      TIME JOBID started|backfilled, in order
# WHY is the component that differs most from the mean of the jobs that still waited.
# "before N" marks a job that started while job N of higher priority waited, because
# job N did not fit into the free nodes.

BEGIN {
	parts = split("SERV CRED FS RES TARG", part_name, " ")
}

FILENAME ~ /submitted$/ {
	about[$1] = sprintf("%-7s %-6s %-8s %-8s %-6s %2dx%-2d", $2, $3, $4, $5, $6, $7, $8 / $7)
	next
}

FILENAME ~ /samples$/ {
	job = $1 + 0
	prio[job] = $2
	for (c = 1; c <= parts; c++)
		part[job, c] = $(c + 2)
	next
}

{
	at[++n] = substr($1, 1, 8)
	started[n] = $2
	by[n] = $3
}

END {
	printf "%-8s %4s %-7s %-6s %-8s %-8s %-6s %5s %8s  ", "TIME", "JOB", "NAME", "USER", \
		"ACCOUNT", "CLASS", "QOS", "NxCPU", "PRIORITY"
	for (c = 1; c <= parts; c++)
		printf " %5s", part_name[c]
	printf "  WHY\n"
	for (i = 1; i <= n; i++)
		print line(i)
}

function line(i,    c, job, text, passed) {
	job = started[i]
	text = sprintf("%-8s %4d %s", at[i], job, about[job])
	if (!(job in prio))
		return text "  the machine was free"
	text = text sprintf(" %8d =", prio[job])
	for (c = 1; c <= parts; c++)
		text = text sprintf(" %5d", part[job, c])
	text = text "  " set_apart(i)
	passed = passed_by(i)
	return passed ? text (by[i] == "backfilled" ? "; backfilled" : ";") " before" passed : text
}

# set_apart: "FS -178", compared with the jobs that were started later.
function set_apart(i,    c, j, sum, others, diff, best, text) {
	for (c = 1; c <= parts; c++) {
		sum = others = 0
		for (j = i + 1; j <= n; j++)
			if ((started[j] in prio) && at[j] != at[i]) {
				sum += part[started[j], c]
				others++
			}
		if (!others)
			return "the last"
		diff = part[started[i], c] - sum / others
		if (diff * diff > best * best) {
			best = diff
			text = sprintf("%s %+d", part_name[c], diff)
		}
	}
	return text
}

function passed_by(i,    j, list) {
	for (j = i + 1; j <= n; j++)
		if ((started[j] in prio) && prio[started[j]] > prio[started[i]] && at[j] != at[i])
			list = list " " started[j]
	return list
}
