# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURM_SOURCE - are plugins built, and from which Slurm source?
#
# --with-slurm-source=DIR   source of the exact slurmctld; it is read, never written or configured
# --without-slurm           core, tools and tests only
#
# Sets SLURM_SOURCE (absolute), SLURM_VERSION (from META, "22.05.8") and the conditional WITH_SLURM.
# Defines MAUI_SLURM_VERSION. Neither option given: an error, since a build that leaves the plugins
# out must be asked for.
AC_DEFUN([MAUI_SLURM_SOURCE], [
	AC_ARG_WITH([slurm],
		[AS_HELP_STRING([--without-slurm], [build core, tools and tests only, no plugin])])
	AC_ARG_WITH([slurm-source],
		[AS_HELP_STRING([--with-slurm-source=DIR],
			[source of the very slurmctld that will load the plugins])],
		[], [with_slurm_source=no])

	AC_MSG_CHECKING([for the Slurm source])
	AS_CASE(["$with_slurm,$with_slurm_source"],
		[no,no], [
			maui_with_slurm=no
			AC_MSG_RESULT([not wanted, no plugin is built])
		],
		[no,*], [
			AC_MSG_RESULT([contradiction])
			AC_MSG_ERROR([--without-slurm and --with-slurm-source exclude each other])
		],
		[*,no|*,yes|*,], [
			AC_MSG_RESULT([not given])
			AC_MSG_ERROR([pass --with-slurm-source=DIR (the source of your slurmctld), or --without-slurm to build no plugin])
		],
		[
			maui_with_slurm=yes
			AS_IF([test ! -r "$with_slurm_source/META" || test ! -r "$with_slurm_source/src/slurmctld/slurmctld.h"], [
				AC_MSG_RESULT([no])
				AC_MSG_ERROR([$with_slurm_source is not a Slurm source: META or src/slurmctld/slurmctld.h is missing])
			])
			SLURM_SOURCE=`cd "$with_slurm_source" && pwd`
			# the line "  Version:	22.05.8"
			SLURM_VERSION=`$SED -n 's/^[[[:space:]]]*Version:[[[:space:]]]*//p' "$SLURM_SOURCE/META"`
			AS_IF([test -z "$SLURM_VERSION"], [
				AC_MSG_RESULT([no])
				AC_MSG_ERROR([$SLURM_SOURCE/META names no Version])
			])
			AC_MSG_RESULT([$SLURM_SOURCE, version $SLURM_VERSION])
			AC_DEFINE_UNQUOTED([MAUI_SLURM_VERSION], ["$SLURM_VERSION"],
				[Version of the Slurm source built against])
		])
	AC_SUBST([SLURM_SOURCE])
	AC_SUBST([SLURM_VERSION])
	AM_CONDITIONAL([WITH_SLURM], [test "$maui_with_slurm" = yes])
])
