# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_PCRE2 - where is PCRE2, which compiles and searches the regular expressions?
#
# Always required; 10.30 is the first with a limit of memory. Sets PCRE2_CFLAGS and PCRE2_LIBS.
AC_DEFUN([MAUI_PCRE2], [
	PKG_CHECK_MODULES([PCRE2], [libpcre2-8 >= 10.30], [],
		[AC_MSG_ERROR([PCRE2 10.30 or newer not found: install libpcre2-dev (pcre2-devel)])])
])
