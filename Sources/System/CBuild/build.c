#include "build.h"

// Only a C target can get texts from Package.swift: it is the only file that is compiled again for a new commit.
const char *build_commit(void) { return BUILD_COMMIT; }
const char *build_toolchain(void) { return BUILD_TOOLCHAIN; }
const char *build_repository(void) { return BUILD_REPOSITORY; }
