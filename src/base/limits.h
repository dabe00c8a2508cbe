/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.h - every hard cap of the project, each with its reason
 *
 * Anything that a user or a file can make grow is bounded by memory or by a line here.
 * Maui's own compiled limits (4,096 jobs, 128 reservations, ...) do not exist.
 */
#ifndef MAUI_BASE_LIMITS_H
#define MAUI_BASE_LIMITS_H

#include <stdint.h> /* for INT64_C() */

/* A maui.cfg, or one file it includes: a hundred times the largest seen in the field. */
#define MAUI_CONFIG_MAX_BYTES (16u * 1024 * 1024)
/* All files of one configuration together: they are kept as one. */
#define MAUI_CONFIG_MAX_TOTAL_BYTES MAUI_CONFIG_MAX_BYTES
/* #INCLUDE appends, so depth is a count of files: stops a file that includes itself. */
#define MAUI_CONFIG_MAX_FILES 64
/* Reading a fifo, from open to end: whoever writes it must not be able to stop the daemon. */
#define MAUI_FILE_MAX_WAIT_MS 5000
/* Partitions with weights of their own: ten times the most partitions seen. */
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
/* Different choices of several reservations (--reservation=a,b) that one pass of backfill tells
 * apart: each costs a look at all of their nodes. */
#define MAUI_BACKFILL_CHOICES 16u
/* Credentials in one fairshare window: more users, accounts ... than any site has. */
#define MAUI_FS_MAX_NAMES 200000u
/* One FS.<epoch> file: as many names of the longest kind, escaped. */
#define MAUI_FS_FILE_MAX_BYTES (640u * 1024 * 1024)
/* The JSON state: about a million jobs. */
#define MAUI_STATE_MAX_BYTES (512u * 1024 * 1024)
/* Nesting of the JSON state: ours has 3 levels. */
#define MAUI_STATE_MAX_DEPTH 16
/* Fairshare windows: Maui had 24, later 32. Bounded for the time a percentage takes. */
#define MAUI_FS_MAX_DEPTH 1024
/* A credential name: slurmctld takes accounts of up to 1024 bytes. */
#define MAUI_NAME_MAX 1024
/* Names one host range may expand to: four times the largest machine. */
#define MAUI_HOSTEXPR_MAX_NAMES 65536
/* Length of one regular expression in it. */
#define MAUI_HOSTEXPR_MAX_PATTERN 1024
/* Repetition bound inside a pattern ({n,m}): it is written out that often. */
#define MAUI_HOSTEXPR_MAX_REPEAT 64
/* Steps of one pattern with its repetitions written out: a compiled one takes up to 64 KiB. */
#define MAUI_PATTERN_MAX_STEPS 4096
/* Nesting of its parentheses: PCRE2 recurses when it compiles. */
#define MAUI_PATTERN_MAX_NESTING 32
/* Steps of all patterns of one host expression: some megabytes. */
#define MAUI_HOSTEXPR_MAX_STEPS 65536
/* Steps taken to search one name, each way for itself, then all ways at once: together a
 * millisecond, three for the worst found, and over a hundred times what is common. */
#define MAUI_PATTERN_MAX_VISITS 4000
/* Memory for the ways that could still be tried, in KiB: more than so many steps leave. */
#define MAUI_PATTERN_MAX_HEAP_KIB 1024
/* Integers to follow all ways at once, six for each: on the stack. */
#define MAUI_PATTERN_MAX_WORKSPACE 1500
/* What all patterns of one host expression on all names may cost together, in units of 20 ns: some
 * seconds, and enough for 500 patterns on 10,000 nodes. */
#define MAUI_HOSTEXPR_MAX_VISITS 100000000

/* Connections to the query socket at a time, and of one user: one user cannot keep others out. Root
 * and SlurmUser may have as many as there are, and so many stay free for them. */
#define MAUI_QUERY_MAX_CONNECTIONS 128
#define MAUI_QUERY_MAX_PER_USER    16
#define MAUI_QUERY_KEPT_FREE       8
/* One request: a setres with lists of a thousand names. */
#define MAUI_QUERY_MAX_REQUEST (64u * 1024)
/* Nesting of a request: ours have 3 levels. */
#define MAUI_QUERY_MAX_DEPTH 8
/* One answer: a hundred thousand reservations, or a thousand with a thousand nodes each. */
#define MAUI_QUERY_MAX_ANSWER (64u * 1024 * 1024)
/* Reservations listed in one answer. */
#define MAUI_QUERY_MAX_ROWS 100000
/* Nodes listed in one answer. */
#define MAUI_QUERY_MAX_NODES 500000
/* Answers that nobody has taken yet, together: memory of slurmctld. */
#define MAUI_QUERY_MAX_PENDING (128u * 1024 * 1024)
/* A connection without a whole request, or with an answer of which nothing is taken, ends. */
#define MAUI_QUERY_IDLE_MS 5000
/* A connection ends, however busy. */
#define MAUI_QUERY_LIFE_MS 60000
/* A change waits for the scheduler: several iterations of a large machine. */
#define MAUI_QUERY_CHANGE_MS 20000
/* Changes that wait; the last MAUI_QUERY_KEPT_FREE places are root's and SlurmUser's. */
#define MAUI_QUERY_MAX_CHANGES 64
/* How long a command waits in all: a little longer than the server. */
#define MAUI_QUERY_CLIENT_MS 30000
/* Administrative reservations: what users make (RESCTLPOLICY ANY) is planned with. */
#define MAUI_ADMIN_MAX_RESERVATIONS 1000
#define MAUI_ADMIN_MAX_PER_USER     10
/* What the HOSTLIST of a setres may cost, in units of 20 ns: 50 ms, as much again when it is
 * planned with, and enough for ten patterns on 10,000 nodes. */
#define MAUI_ADMIN_MAX_VISITS 2500000
/* Names in one releaseres: each is looked for in everything that is shown. */
#define MAUI_ADMIN_MAX_NAMES 100
/* Name of one: it is part of a Slurm reservation's. */
#define MAUI_ADMIN_MAX_NAME 64

/* Maui's numbers (maui-3.3 manual, parameters appendix) */
#define MAUI_PRIORITY_MAX  1000000000          /* highest normal priority */
#define MAUI_SYSPRIO_MAX   1000                /* setspri p */
#define MAUI_TIME_INFINITY INT64_C(2140000000) /* INFINITY, in seconds */

#endif
