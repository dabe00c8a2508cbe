# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SANITIZE - is everything built with ASan and UBSan?
#
# --enable-sanitize   of the plugins for tests only: a slurmctld that loads them has to be started with
#                     the libraries of the sanitizers (testsuite/live/run --sanitize)
#
# Sets SANITIZE_CFLAGS (compile and link) and the conditional SANITIZE.
AC_DEFUN([MAUI_SANITIZE], [
	AC_ARG_ENABLE([sanitize],
		[AS_HELP_STRING([--enable-sanitize], [build with ASan and UBSan, for tests])],
		[], [enable_sanitize=no])
	# the fuzzers are worth little without them
	AS_IF([test "$enable_fuzz" = yes], [enable_sanitize=yes])
	AS_IF([test "$enable_sanitize" = yes], [
		AS_IF([test "$enable_fuzz" = yes && test "$maui_with_slurm" = yes],
			[AC_MSG_ERROR([--enable-fuzz is for what needs no Slurm: pass --without-slurm])])
		# clang counts NULL + 0 as an overflow of a pointer: the place in an empty list, never read
		SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize=pointer-overflow"
		SANITIZE_CFLAGS="$SANITIZE_CFLAGS -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
		SANITIZE_CFLAGS="$SANITIZE_CFLAGS -DMAUI_SANITIZE"
		MAUI_SANITIZE_LINKS([$SANITIZE_CFLAGS], [ASan and UBSan])
	])
	AC_SUBST([SANITIZE_CFLAGS])
	AM_CONDITIONAL([SANITIZE], [test "$enable_sanitize" = yes])
])

# MAUI_SANITIZE_LINKS(FLAGS, WHAT) - an error when a program with FLAGS does not link
AC_DEFUN([MAUI_SANITIZE_LINKS], [
	AC_MSG_CHECKING([whether $CC links with $2])
	maui_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $1"
	AC_LINK_IFELSE([AC_LANG_SOURCE([m4_default([$3], [int main(void) { return 0; }])])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		AC_MSG_ERROR([$CC does not link with $2, see config.log])])
	CFLAGS=$maui_save_CFLAGS
])
