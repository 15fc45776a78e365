#pragma once
#include <archive.h>
#include <archive_entry.h>

/* archive_set_error is variadic, which Swift cannot call. */
static inline void setArchiveError(struct archive *archive, int code, const char *text) {
  archive_set_error(archive, code, "%s", text);
}
