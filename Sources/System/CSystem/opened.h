#pragma once
#include <dlfcn.h>
#include <stddef.h>

/* Functions of a library that is opened when it is needed, and not linked. Each has the name and the
   type of the library's function, and calls it. They are hidden, so that the library itself, and
   other libraries that use it, find the originals. A row is X(result, name, (parameters),
   (arguments)). `fill` looks the functions up in a library that was opened; it returns the name of
   the first function that the library lacks. */
#define BA_OPENED(functions, fill)                                                   \
  functions(BA_POINTER) functions(BA_CALL)                                           \
  const char *fill(void *library) {                                                  \
    functions(BA_FIND)                                                               \
    return NULL;                                                                     \
  }

#define BA_POINTER(result, name, parameters, arguments) static __typeof__(name) *found_##name;
#define BA_CALL(result, name, parameters, arguments)                                 \
  __attribute__((visibility("hidden"))) result name parameters { return found_##name arguments; }
#define BA_FIND(result, name, parameters, arguments)                                 \
  found_##name = (__typeof__(name) *)dlsym(library, #name);                          \
  if (found_##name == NULL) return #name;
