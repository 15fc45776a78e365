#pragma once
#include <qrencode.h>

/* Looks up the functions in the library; the name of the first function that it lacks. */
const char *_Nullable ba_qrencode_fill(void *_Nonnull library);
