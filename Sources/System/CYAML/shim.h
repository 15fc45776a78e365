#pragma once
#include <dlfcn.h>
#include <yaml.h>

/* The functions that we call. Nothing is linked with libyaml: they are looked up in the library when
   it is needed, and have the types that its header declares. */
typedef struct {
  __typeof__(yaml_parser_initialize) *_Nullable parser_initialize;
  __typeof__(yaml_parser_delete) *_Nullable parser_delete;
  __typeof__(yaml_parser_set_encoding) *_Nullable parser_set_encoding;
  __typeof__(yaml_parser_set_input_string) *_Nullable parser_set_input_string;
  __typeof__(yaml_parser_parse) *_Nullable parser_parse;
  __typeof__(yaml_event_delete) *_Nullable event_delete;
} ba_yaml;

/* Fills the table from a library that was opened; the name of the first function that it lacks. */
static inline const char *_Nullable ba_yaml_fill(ba_yaml *_Nonnull yaml, void *_Nonnull library) {
#define BA_YAML_FIND(name)                                                    \
  yaml->name = (__typeof__(yaml->name))dlsym(library, "yaml_" #name);         \
  if (yaml->name == NULL) return "yaml_" #name;
  BA_YAML_FIND(parser_initialize)
  BA_YAML_FIND(parser_delete)
  BA_YAML_FIND(parser_set_encoding)
  BA_YAML_FIND(parser_set_input_string)
  BA_YAML_FIND(parser_parse)
  BA_YAML_FIND(event_delete)
#undef BA_YAML_FIND
  return NULL;
}
