# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURMCTLD - is the Slurm source the one of the installed slurmctld?
#
# --with-slurmctld=PATH   the slurmctld that will load the plugins; default: PATH and the usual sbin
# --without-slurmctld     do not compare (a package built on a machine without one); the plugins
#                         compare once more when they are loaded, and refuse
#
# Sets SLURMCTLD and with_slurmctld. A plugin built for another version, the micro version included, reads garbage in
# slurmctld: so a difference is an error, and not being able to compare is one as well.
AC_DEFUN([MAUI_SLURMCTLD], [
	AC_ARG_WITH([slurmctld],
		[AS_HELP_STRING([--with-slurmctld=PATH], [slurmctld to compare the source's version with])],
		[], [with_slurmctld=yes])
	AS_IF([test "$maui_with_slurm" = yes && test "$with_slurmctld" != no], [
		AS_IF([test "$with_slurmctld" != yes], [SLURMCTLD=$with_slurmctld])
		AC_PATH_PROG([SLURMCTLD], [slurmctld], [],
			[$PATH$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/usr/local/sbin$PATH_SEPARATOR/opt/slurm/sbin])
		AS_IF([test -z "$SLURMCTLD"],
			[AC_MSG_ERROR([slurmctld not found: pass --with-slurmctld=PATH, or --without-slurmctld to leave its version unchecked])])

		AC_MSG_CHECKING([the version of $SLURMCTLD])
		# prints "slurm 24.11.5", in Debian "slurm-wlm 22.05.8"
		maui_slurmctld_version=`"$SLURMCTLD" -V 2>/dev/null | $SED -n 's/^slurm[[^ ]]* //p'`
		AC_MSG_RESULT([${maui_slurmctld_version:-unknown}])
		AS_IF([test -z "$maui_slurmctld_version"],
			[AC_MSG_ERROR([$SLURMCTLD is no slurmctld: its -V prints no version (--with-slurmctld=PATH)])])
		AS_IF([test "$maui_slurmctld_version" != "$SLURM_VERSION"],
			[AC_MSG_ERROR([the Slurm source in $SLURM_SOURCE is version $SLURM_VERSION, but $SLURMCTLD is version $maui_slurmctld_version])])
	])
	AC_SUBST([with_slurmctld])
])
