# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SMARTCOLS - where is libsmartcols, which prints the command's tables?
#
# Always required. Sets SMARTCOLS_CFLAGS and SMARTCOLS_LIBS.
AC_DEFUN([MAUI_SMARTCOLS], [
	PKG_CHECK_MODULES([SMARTCOLS], [smartcols >= 2.33], [],
		[AC_MSG_ERROR([libsmartcols not found: install libsmartcols-dev (libsmartcols-devel)])])
])
