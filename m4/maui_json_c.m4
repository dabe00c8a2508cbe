# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_JSON_C - where is json-c, which reads and writes the state and all --json output?
#
# Always required. Sets JSON_C_CFLAGS and JSON_C_LIBS.
AC_DEFUN([MAUI_JSON_C], [
	PKG_CHECK_MODULES([JSON_C], [json-c >= 0.15], [],
		[AC_MSG_ERROR([json-c 0.15 or newer not found: install libjson-c-dev (json-c-devel)])])
])
