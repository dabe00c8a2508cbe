# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURM_HEADERS - where are Slurm's generated headers, config.h and slurm/slurm_version.h?
#
# --with-slurm-build=DIR   where Slurm's configure was run; default: the source, if it was run there
#
# When configure ran nowhere, build-aux/slurm-headers writes both into slurm-headers/ of our build
# directory. No struct of the headers used depends on config.h, and the plugins compare the sizes
# of slurmctld's records with their own when loaded.
#
# Sets SLURM_CPPFLAGS and with_slurm_build. Slurm's headers come with -isystem: they are not clean of warnings.
AC_DEFUN([MAUI_SLURM_HEADERS], [
	AC_ARG_WITH([slurm-build],
		[AS_HELP_STRING([--with-slurm-build=DIR],
			[where Slurm's own configure was run @<:@the source, or not needed@:>@])],
		[], [with_slurm_build=$SLURM_SOURCE])
	AS_IF([test "$maui_with_slurm" = yes], [
		AC_MSG_CHECKING([for Slurm's config.h and slurm_version.h])
		AS_IF([test -r "$with_slurm_build/config.h" && test -r "$with_slurm_build/slurm/slurm_version.h"], [
			maui_slurm_headers=`cd "$with_slurm_build" && pwd`
			AC_MSG_RESULT([$maui_slurm_headers])
		], [test "$with_slurm_build" != "$SLURM_SOURCE"], [
			AC_MSG_RESULT([no])
			AC_MSG_ERROR([no config.h and slurm/slurm_version.h in $with_slurm_build: run Slurm's configure there, or leave --with-slurm-build out])
		], [
			maui_slurm_headers=`pwd`/slurm-headers
			AC_MSG_RESULT([written to slurm-headers])
			"$srcdir/build-aux/slurm-headers" "$SLURM_SOURCE" "$maui_slurm_headers" ||
				AC_MSG_ERROR([cannot write Slurm's generated headers to $maui_slurm_headers])
		])
		SLURM_CPPFLAGS="-isystem $maui_slurm_headers -isystem $SLURM_SOURCE"

		AC_MSG_CHECKING([whether slurmctld.h compiles])
		maui_save_CPPFLAGS=$CPPFLAGS
		CPPFLAGS="$CPPFLAGS $SLURM_CPPFLAGS"
		AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
			#include "config.h"
			#include "slurm/slurm_version.h"
			#include "src/slurmctld/slurmctld.h"
			#ifndef NDEBUG
			#error "Slurm was configured with --enable-debug"
			#endif
			]])],
			[AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no])
			AC_MSG_ERROR([src/slurmctld/slurmctld.h of $SLURM_SOURCE does not compile, see config.log])])
		MAUI_SLURMCTLD_LAYOUT
		CPPFLAGS=$maui_save_CPPFLAGS
	])
	AC_SUBST([SLURM_CPPFLAGS])
	AC_SUBST([with_slurm_build])
])
