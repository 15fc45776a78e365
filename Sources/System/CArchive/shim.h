#pragma once
#include <archive.h>
#include <archive_entry.h>

/* Looks up the functions in the library; the name of the first function that it lacks. */
const char *_Nullable ba_archive_fill(void *_Nonnull library);

/* archive_set_error is variadic, which Swift cannot call. */
void setArchiveError(struct archive *_Nullable archive, int code, const char *_Nonnull text);
