// A mock of the declarations of <fcntl.h> that the generated code uses.
#pragma once

#define O_RDONLY 0
#define O_CLOEXEC 0x1000000
#ifdef __cplusplus
extern "C"
#endif
int open(const char *path, int flags, ...);
