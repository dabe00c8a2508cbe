# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_CC_FLAG(VARIABLE, FLAG...)
#
# Appends to VARIABLE each FLAG of the list that the compiler takes. The flags before it are in force
# while one is tried: gcc refuses -Wformat-security without -Wformat. The program has a header of the
# C library, which warns of a _FORTIFY_SOURCE that the compiler cannot serve.
AC_DEFUN([MAUI_CC_FLAG], [
	m4_foreach_w([maui_flag], [$2], [
		AS_VAR_PUSHDEF([maui_cache], [maui_cv_cc_flag_]maui_flag)
		AC_CACHE_CHECK([whether $CC takes maui_flag], [maui_cache], [
			maui_save_CFLAGS=$CFLAGS
			# -Werror, since clang only warns about a flag that it does not know
			CFLAGS="$CFLAGS $$1 -Werror maui_flag"
			AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <stdlib.h>]])],
				[AS_VAR_SET([maui_cache], [yes])], [AS_VAR_SET([maui_cache], [no])])
			CFLAGS=$maui_save_CFLAGS
		])
		AS_VAR_IF([maui_cache], [yes], [$1="$$1 maui_flag"])
		AS_VAR_POPDEF([maui_cache])
	])
])
