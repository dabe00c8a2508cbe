/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sha256.h - SHA-256 (FIPS 180-4) of bytes in memory, as lower-case hex digits */
#ifndef MAUI_BASE_SHA256_H
#define MAUI_BASE_SHA256_H

#include <stddef.h>

/* Bytes of the digits with the terminating NUL. */
#define MAUI_SHA256_HEX 65

void maui_sha256_hex(const void *data, size_t length, char ret[MAUI_SHA256_HEX]);

#endif
