/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.h - every hard cap of the project, with its reason
 *
 * What a user or a file can make grow is bounded by memory or by a line here. Maui's compiled
 * limits (4,096 jobs, 128 reservations, ...) do not exist.
 */
#ifndef MAUI_BASE_LIMITS_H
#define MAUI_BASE_LIMITS_H

#include <stdint.h> /* for INT64_C() */

/* A line of a trace, of accounting records or of slurm.conf, continuations included. */
#define MAUI_LINE_MAX_BYTES (16u * 1024 * 1024)
/* A maui.cfg, or one file it includes: a hundred times the largest seen in the field. */
#define MAUI_CONFIG_MAX_BYTES (16u * 1024 * 1024)
/* All files of one configuration together: they are stored as one. */
#define MAUI_CONFIG_MAX_TOTAL_BYTES MAUI_CONFIG_MAX_BYTES
/* #INCLUDE appends, so depth is a count of files: stops a file that includes itself. */
#define MAUI_CONFIG_MAX_FILES   64
#define MAUI_CONFIG_MAX_CHANGES 100 /* by changeparam, until the next reconfigure */
/* Reading a fifo from open to end: the writer must not be able to block slurmctld. */
#define MAUI_FILE_MAX_WAIT_MS 5000
/* Partitions with their own weights: ten times the most partitions seen. */
#define MAUI_CONFIG_MAX_PARTITIONS 4096
/* A list written with blanks in it, which is joined word by word: a thousand names. */
#define MAUI_CONFIG_MAX_LIST (64u * 1024)
/* Diagnostics kept of one configuration; more are counted, not kept. */
#define MAUI_DIAG_MAX 1000
/* Bytes of one diagnostic, its end included: a value quoted in it may be the whole file. */
#define MAUI_DIAG_MAX_TEXT 1024
/* DEPTH of a standing reservation: two months of days, a year of weeks. Each scheduling cycle
 * places every instance. */
#define MAUI_RSV_MAX_DEPTH 64
/* Instances of all standing reservations together: 150 reservations with the greatest DEPTH, which
 * take a fraction of a second in each scheduling cycle. */
#define MAUI_RSV_MAX_INSTANCES 10000
/* Different lists of reservations (--reservation=a,b) that one backfill pass distinguishes: each
 * costs a walk over all of their nodes. */
#define MAUI_BACKFILL_CHOICES 16u
/* Windows of free processors in one answer: a picture of 80 columns has fewer steps. */
#define MAUI_FITS_WINDOWS 100u
/* Partitions and reservations in one answer about what is free. */
#define MAUI_FITS_PARTITIONS   64u
#define MAUI_FITS_RESERVATIONS 64u
/* Partitions and reservations that checkjob tries for one job. */
#define MAUI_HELP_TRIES 16u
/* Dependencies of one job that a simulation can look at. */
#define MAUI_DEPENDENCIES_MAX 64u
/* Waiting tasks of one array, and of all arrays together, that are listed for a saved plan. An
 * array with more counts as having all tasks from its first to its last one. */
#define MAUI_TASKS_LISTED     10000u
#define MAUI_TASKS_LISTED_ALL 250000u
/* Jobs that checkjob names as users of a limit. */
#define MAUI_HELP_JOBS 10u
/* Parts of the time in that picture. */
#define MAUI_FITS_PARTS 200u
/* Users whom the server knows only from their questions and who have no name: a machine with
 * subordinate uids has thousands. So many are remembered, and so many are looked up in one cycle,
 * which waits for the name service. */
#define MAUI_NAMES_MAX_STRANGERS     1000u
#define MAUI_NAMES_STRANGERS_A_CYCLE 8u
/* Ids of jobs that the name service did not know: so many are looked up again in one cycle. */
#define MAUI_NAMES_NAMELESS_A_CYCLE 64u

/* A fairshare window and the statistics have every class, every user and group with a name, and
 * every name of maui.cfg. Other accounts and QOS, and ids without a name, are what jobs claim: so
 * many of each user, of all users without a name as of one, and none above so many names in all.
 * Statistics are copied for commands whenever a job has ended. */
#define MAUI_CLAIMS_OF_A_USER     1000u
#define MAUI_FS_MAX_NAMES         200000u
#define MAUI_STATISTICS_MAX_NAMES 10000u
/* One FS.<epoch> file: as many names of the longest kind, escaped. */
#define MAUI_FS_FILE_MAX_BYTES (640u * 1024 * 1024)
/* The JSON state: about a million jobs. */
#define MAUI_STATE_MAX_BYTES (512u * 1024 * 1024)
/* Nesting of the JSON state: ours has 3 levels. */
#define MAUI_STATE_MAX_DEPTH 16
/* Fairshare windows: Maui had 24, later 32. The cap bounds the time of computing a percentage. */
#define MAUI_FS_MAX_DEPTH 1024
/* A credential name: slurmctld takes accounts of up to 1024 bytes. */
#define MAUI_NAME_MAX 1024
/* Names one host range may expand to: four times the largest machine. */
#define MAUI_HOSTEXPR_MAX_NAMES 65536
/* Length of a regular expression in a host expression. */
#define MAUI_HOSTEXPR_MAX_PATTERN 1024
/* Repetition bound in a pattern ({n,m}): the pattern is expanded that often. */
#define MAUI_HOSTEXPR_MAX_REPEAT 64
/* Steps of an expanded pattern: compiled it takes up to 64 KiB. */
#define MAUI_PATTERN_MAX_STEPS 4096
/* Nesting of parentheses in a pattern: PCRE2 recurses when it compiles. */
#define MAUI_PATTERN_MAX_NESTING 32
/* Steps of all patterns of one host expression: some megabytes. */
#define MAUI_HOSTEXPR_MAX_STEPS 65536
/* Steps to search one name, first by backtracking, then by following all ways at once: together
 * a millisecond, three for the worst pattern found, and a hundred times the common cost. */
#define MAUI_PATTERN_MAX_VISITS 4000
/* Memory of backtracking, in KiB: more than MAUI_PATTERN_MAX_VISITS need. */
#define MAUI_PATTERN_MAX_HEAP_KIB 1024
/* Integers on the stack for following all ways at once, six for each way. */
#define MAUI_PATTERN_MAX_WORKSPACE 1500
/* Cost of matching all patterns of a host expression with all names, in units of 20 ns: some
 * seconds, and enough for 500 patterns on 10,000 nodes. */
#define MAUI_HOSTEXPR_MAX_VISITS 100000000

/* Connections to the query socket, and of one user, so that one user cannot block others. Root
 * and SlurmUser have no limit of their own, and so many connections stay free for them. */
#define MAUI_QUERY_MAX_CONNECTIONS 128
#define MAUI_QUERY_MAX_PER_USER    16
#define MAUI_QUERY_KEPT_FREE       8
/* Connections of other hosts over TCP, and those of one address before their users are known, so
 * that one host cannot block others. */
#define MAUI_QUERY_MAX_REMOTE      64
#define MAUI_QUERY_MAX_PER_ADDRESS 16
/* Addresses of slurmctld's host at which login nodes are answered: IPv4 and IPv6 of four networks.
 * The log names an address beyond them. */
#define MAUI_REMOTE_MAX_ADDRESSES 8
/* How long a MUNGE credential of a request or an answer holds: clocks may differ by as much. */
#define MAUI_QUERY_CREDENTIAL_TTL_S 60
/* One request: a setres with lists of a thousand names. */
#define MAUI_QUERY_MAX_REQUEST (64u * 1024)
/* Nesting of a request: ours have 3 levels. */
#define MAUI_QUERY_MAX_DEPTH 8
/* Values of a request, itself included. 64 KiB may have 20,000 objects, which take 15 MB; ours have
 * a few hundred values. */
#define MAUI_QUERY_MAX_VALUES 2000
/* Values of a line with a challenge, a credential or a seal: ours have three. */
#define MAUI_QUERY_MAX_TEXTS 20
/* One answer: a hundred thousand reservations, or a thousand with a thousand nodes each. */
#define MAUI_QUERY_MAX_ANSWER (64u * 1024 * 1024)
/* Values of an answer, and lists and objects among them: without these bounds 64 MiB of "{}," took
 * 18 GB of a command's memory, with them 2 GB, as the longest answers to real questions do. Most of
 * ours have at least 8 bytes a value and 34 a list or object; showq of 100,000 jobs has 2.2 million
 * values in 100,000 objects, diagnose -p 2.6 million in 400,000. slurmctld sends no answer with
 * more, because commands would not read it. */
#define MAUI_QUERY_MAX_ANSWER_VALUES  (MAUI_QUERY_MAX_ANSWER / 8)
#define MAUI_QUERY_MAX_ANSWER_PARENTS (MAUI_QUERY_MAX_ANSWER / 32)
/* Reservations listed in one answer. */
#define MAUI_QUERY_MAX_ROWS 100000
/* Jobs listed in one answer: twice the longest queues seen. */
#define MAUI_QUERY_MAX_JOBS 200000
/* Jobs of one answer for which an earliest start is searched, apart from those with an estimate of
 * the cycle: a millisecond each on 10,000 nodes. */
#define MAUI_QUERY_MAX_SEARCHES 100
/* Job reservations of which showq tells the nodes. */
#define MAUI_QUERY_MAX_KEPT 10
/* Active jobs that showstate lists, the largest: each has a letter or a digit on the map. */
#define MAUI_STATE_MAX_JOBS 62
/* Nodes listed in one answer. */
#define MAUI_QUERY_MAX_NODES 500000
/* Rows of the schedule in a report: what a person can still read on one page. More nodes are folded
 * into rows of equal nodes. */
#define MAUI_REPORT_MAX_ROWS 200
/* Boxes of that schedule: a page of at most 5 MB. */
#define MAUI_REPORT_MAX_BOXES 8000
/* Each job of a queue is compared with each name that a question has. */
#define MAUI_QUERY_MAX_WANTED 200u
/* Credentials of which a report has the usage, those with the largest one. */
#define MAUI_REPORT_MAX_SHARES 200
/* Waiting jobs of which a report has the priority and the reason. */
#define MAUI_REPORT_MAX_JOBS 50
/* Waiting jobs of which a report counts the nodes by reason: each costs some milliseconds. */
#define MAUI_REPORT_MAX_WHY 5
/* How far a report looks ahead: a year. */
#define MAUI_REPORT_MAX_HORIZON_S 31536000
/* Memory of slurmctld for all answers that clients have not read yet. */
#define MAUI_QUERY_MAX_PENDING (128u * 1024 * 1024)
/* An answer that always has a place in this memory: nearly all to changes are shorter. */
#define MAUI_QUERY_SMALL_ANSWER (64u * 1024)
/* A connection ends after so long without a complete request, or when the client reads nothing
 * of an answer. */
#define MAUI_QUERY_IDLE_MS 5000
/* When all places are taken, a connection without a complete request for so long gives its place
 * up: commands send theirs at once. So does one over TCP that does not say whose it is. */
#define MAUI_QUERY_SILENT_MS 100
/* A connection ends after so long even when it is busy. */
#define MAUI_QUERY_LIFE_MS 60000
/* A change waits for the scheduler: several iterations of a large machine. */
#define MAUI_QUERY_CHANGE_MS 20000
/* Changes that wait for the scheduler; the last MAUI_QUERY_KEPT_FREE places are for root and
 * SlurmUser. */
#define MAUI_QUERY_MAX_CHANGES 64
/* How long a command waits in all: a little longer than slurmctld does. */
#define MAUI_QUERY_CLIENT_MS 30000
/* How long it looks for a job that may be newer than the plan: a cycle begins within two seconds of
 * a submission. */
#define MAUI_QUERY_NEW_JOB_MS 3000
/* Bytes of a job's name that commands show. */
#define MAUI_JOB_NAME_SHOWN 64
/* Administrative reservations: users can make them (RESCTLPOLICY ANY), and each costs planning
 * time. */
#define MAUI_ADMIN_MAX_RESERVATIONS 1000
/* A number in a trace, in accounting records or in slurm.conf (base/number.h): 2^40 seconds are
 * 35,000 years, as many megabytes an exabyte. */
#define MAUI_NUMBER_MAX (INT64_C(1) << 40)
/* Cost of the HOSTLIST of a setres, in units of 20 ns: 50 ms, once more when planned, and enough
 * for ten patterns on 10,000 nodes. */
#define MAUI_ADMIN_MAX_VISITS 2500000
/* Bytes of the features that a request names: they are compared with each class of nodes. */
#define MAUI_REQUEST_MAX_FEATURES 1024
/* Names in one releaseres: each is searched for among all reservations. */
#define MAUI_ADMIN_MAX_NAMES 100
/* Name of an administrative reservation, which is part of a Slurm reservation's name. */
#define MAUI_ADMIN_MAX_NAME 64

/* Maui's numbers (maui-3.3 manual, parameters appendix) */
#define MAUI_PRIORITY_MAX 1000000000 /* highest normal priority */
/* the highest that is published: all jobs above it rank the same */
#define MAUI_PUBLISHED_MAX INT64_C(4000000000)
#define MAUI_SYSPRIO_MAX   1000                /* setspri p */
#define MAUI_TIME_INFINITY INT64_C(2140000000) /* INFINITY, in seconds */

#endif
