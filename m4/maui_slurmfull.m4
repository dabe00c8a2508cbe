# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURMFULL - can programs be linked with slurmctld's own library?
#
# libslurmfull.so has Slurm's internal protocol, which the test suite's stand-in for slurmd speaks.
# It is the one that slurmctld itself is linked with; without it those programs are not built.
#
# Sets SLURMFULL_LIBS and the conditionals HAVE_SLURMFULL and WITH_WORLD. After MAUI_SLURMCTLD.
AC_DEFUN([MAUI_SLURMFULL], [
	AC_REQUIRE([MAUI_SANITIZE])
	SLURMFULL_LIBS=
	AS_IF([test -n "$SLURMCTLD"], [
		AC_MSG_CHECKING([for the libslurmfull.so of $SLURMCTLD])
		# a line of it: "	libslurmfull.so => /usr/lib/slurm/libslurmfull.so (0x00007f0000000000)"
		maui_slurmfull=`ldd "$SLURMCTLD" 2>/dev/null | $SED -n 's,^[[^ ]]*libslurmfull[[^ ]]* => \(/[[^ ]]*\) .*,\1,p'`
		AS_IF([test -n "$maui_slurmfull"], [
			SLURMFULL_LIBS="$maui_slurmfull -Wl,-rpath,`dirname "$maui_slurmfull"`"
			maui_save_LIBS=$LIBS
			LIBS="$SLURMFULL_LIBS $LIBS"
			AC_LINK_IFELSE([AC_LANG_CALL([], [slurm_accept_msg_conn])], [], [SLURMFULL_LIBS=])
			LIBS=$maui_save_LIBS
		])
		AS_IF([test -n "$SLURMFULL_LIBS"],
			[AC_MSG_RESULT([$maui_slurmfull])],
			[AC_MSG_RESULT([no, benchmarks on a real slurmctld are not built])])
	])
	AC_SUBST([SLURMFULL_LIBS])
	AM_CONDITIONAL([HAVE_SLURMFULL], [test -n "$SLURMFULL_LIBS"])
	dnl testsuite/world simulates slurmctld with the records of this release; its own malloc() and
	dnl a sanitizer's do not go together
	AM_CONDITIONAL([WITH_WORLD], [test -n "$SLURMFULL_LIBS" && test -z "$SANITIZE_CFLAGS" &&
		case $SLURM_VERSION in 22.05.*) :;; *) false;; esac])
])
