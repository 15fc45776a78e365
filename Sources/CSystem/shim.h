// What glibc shows only to GNU sources, which Swift's Glibc module leaves out.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// As <dirent.h> declares it under _GNU_SOURCE.
ssize_t getdents64(int descriptor, void *_Nonnull buffer, size_t size);
