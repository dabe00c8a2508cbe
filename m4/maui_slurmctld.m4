# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURMCTLD - is the Slurm source the one of the installed slurmctld?
#
# --with-slurmctld=PATH   the slurmctld that will load the plugins; default: PATH and the usual sbin
# --without-slurmctld     do not compare (a package built on a machine without one); the plugins
#                         compare once more when they are loaded, and refuse
#
# Sets SLURMCTLD and with_slurmctld. A plugin built for another version, the micro version included, reads garbage in
# slurmctld: so a difference is an error, and not being able to compare is one as well. A 32-bit or
# a cross build is refused: nobody has tested one.
# Defines MAUI_SLURMCTLD_SHA256, by which `maui preflight` tells this slurmctld from another build.
AC_DEFUN([MAUI_SLURMCTLD], [
	AC_ARG_WITH([slurmctld],
		[AS_HELP_STRING([--with-slurmctld=PATH], [slurmctld to compare the source's version with])],
		[], [with_slurmctld=yes])
	AS_IF([test "$maui_with_slurm" = yes], [MAUI_SLURMCTLD_MACHINE])
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
		maui_slurmctld_sha256=`sha256sum <"$SLURMCTLD" | $SED 's/ .*//'`
	])
	AS_IF([test "$maui_with_slurm" = yes],
		[AC_DEFINE_UNQUOTED([MAUI_SLURMCTLD_SHA256], ["$maui_slurmctld_sha256"],
			[SHA-256 of the slurmctld compared with, "" for none])])
	AC_SUBST([with_slurmctld])
])

AC_DEFUN([MAUI_SLURMCTLD_MACHINE], [
	AS_IF([test "$cross_compiling" = yes],
		[AC_MSG_ERROR([the plugins cannot be built for another machine ($host): build them where slurmctld $SLURM_VERSION runs, or pass --without-slurm])])
	AC_COMPUTE_INT([maui_pointer_size], [sizeof(void *)])
	AS_IF([test "$maui_pointer_size" != 8],
		[AC_MSG_ERROR([this compiler makes 32-bit code, and the plugins need a 64-bit slurmctld $SLURM_VERSION: leave -m32 out, or pass --without-slurm])])
])

# MAUI_SLURMCTLD_LAYOUT - has slurmctld the structures of this source?
#
# Another build of the same version may have changed them. slurmctld's symbol table tells the sizes
# of its global variables; a stripped one has this table as well, since plugins are linked with it.
AC_DEFUN([MAUI_SLURMCTLD_LAYOUT], [
	AC_CHECK_TOOL([READELF], [readelf])
	AS_IF([test -n "$SLURMCTLD" && test -n "$READELF"], [
		for maui_object in slurm_conf slurmctld_config slurmctld_diag_stats
		do
			AC_MSG_CHECKING([for the size of $maui_object])
			AC_COMPUTE_INT([maui_here], [sizeof($maui_object)], [[
				#include "config.h"
				#include "slurm/slurm_version.h"
				#include "src/slurmctld/slurmctld.h"
				]], [maui_here=unknown])
			maui_there=`"$READELF" --dyn-syms -W "$SLURMCTLD" 2>/dev/null | awk '$ 8 == "'$maui_object'" && $ 7 != "UND" { print $ 3; exit }'`
			AC_MSG_RESULT([$maui_here, ${maui_there:-unknown} in slurmctld])
			AS_IF([test -n "$maui_there" && test "$maui_here" != "$maui_there"],
				[AC_MSG_ERROR([$SLURMCTLD is another build of $maui_slurmctld_version than the source $SLURM_VERSION in $SLURM_SOURCE: $maui_object has $maui_there bytes there, $maui_here here])])
		done
	])
])
