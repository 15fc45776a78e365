// What glibc shows only to GNU sources, which Swift's Glibc module leaves out.
#pragma once
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/xattr.h>

// As <dirent.h> declares it under _GNU_SOURCE.
ssize_t getdents64(int descriptor, void *_Nonnull buffer, size_t size);

// As <stdio.h>, <unistd.h> and <fcntl.h> declare them under _GNU_SOURCE.
int renameat2(int from_folder, const char *_Nonnull from, int to_folder, const char *_Nonnull to,
              unsigned int flags);
int syncfs(int descriptor);

// As <sys/mman.h> declares it under _GNU_SOURCE, and its MFD_CLOEXEC.
int memfd_create(const char *_Nonnull name, unsigned int flags);
enum { memory_file_closed = 1 };
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);

// As <unistd.h> and <sys/mman.h> declare them under _GNU_SOURCE.
int pipe2(int *_Nonnull ends, int flags);
int memfd_create(const char *_Nonnull name, unsigned int flags);

// As <sys/socket.h> declares it under _GNU_SOURCE.
int accept4(int descriptor, struct sockaddr *_Nullable address, socklen_t *_Nullable size,
            int flags);

// As <string.h> declares it under _GNU_SOURCE.
void *_Nullable memmem(const void *_Nonnull bytes, size_t count, const void *_Nonnull word,
                       size_t length);

// O_PATH of <fcntl.h> under _GNU_SOURCE.
enum { path_flag = 010000000 };

// O_DIRECT of <fcntl.h> under _GNU_SOURCE.
#if defined(__aarch64__) || defined(__arm__)
enum { direct_flag = 0200000 };
#elif defined(__powerpc__)
enum { direct_flag = 0400000 };
#else
enum { direct_flag = 040000 };
#endif

// SEEK_DATA and SEEK_HOLE of <unistd.h> under _GNU_SOURCE.
enum { seek_data = 3, seek_hole = 4 };

// Where the stack began, as the dynamic linker keeps it: there the kernel put the number of words on the
// command line, and the words behind it.
extern void *_Nonnull __libc_stack_end;
static inline long first_word_count(void) { return *(const long *)__libc_stack_end; }
static inline const char *_Nullable first_word(long index) {
  return ((const char *const *)__libc_stack_end + 1)[index];
}
