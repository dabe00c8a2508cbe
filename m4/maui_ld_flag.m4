# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_LD_FLAG(VARIABLE, FLAG)
#
# Appends FLAG to VARIABLE when the linker takes it. FLAG may hold commas, so one at a time.
AC_DEFUN([MAUI_LD_FLAG], [
	AS_VAR_PUSHDEF([maui_cache], [maui_cv_ld_flag_$2])
	AC_CACHE_CHECK([whether the linker takes $2], [maui_cache], [
		maui_save_LDFLAGS=$LDFLAGS
		LDFLAGS="$LDFLAGS $2"
		AC_LINK_IFELSE([AC_LANG_PROGRAM()],
			[AS_VAR_SET([maui_cache], [yes])], [AS_VAR_SET([maui_cache], [no])])
		LDFLAGS=$maui_save_LDFLAGS
	])
	AS_VAR_IF([maui_cache], [yes], [$1="$$1 $2"])
	AS_VAR_POPDEF([maui_cache])
])
