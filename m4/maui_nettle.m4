# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_NETTLE - where is nettle, which makes the hashes that bind an answer to its request?
#
# Always required. Sets NETTLE_CFLAGS and NETTLE_LIBS.
AC_DEFUN([MAUI_NETTLE], [
	PKG_CHECK_MODULES([NETTLE], [nettle >= 3.3], [],
		[AC_MSG_ERROR([nettle 3.3 or newer not found: install nettle-dev (nettle-devel)])])
])
