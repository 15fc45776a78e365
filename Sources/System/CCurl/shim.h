#pragma once
/* The checks of curl's own macros stand in the way of a table of functions. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* The functions that we call. Nothing is linked with libcurl: they are looked up in the library when
   it is needed, and have the types that its header declares. */
typedef struct {
  __typeof__(curl_global_init) *_Nullable global_init;
  __typeof__(curl_version_info) *_Nullable version_info;
  __typeof__(curl_easy_init) *_Nullable easy_init;
  __typeof__(curl_easy_cleanup) *_Nullable easy_cleanup;
  __typeof__(curl_easy_setopt) *_Nullable easy_setopt;
  __typeof__(curl_easy_getinfo) *_Nullable easy_getinfo;
  __typeof__(curl_easy_strerror) *_Nullable easy_strerror;
  __typeof__(curl_slist_append) *_Nullable slist_append;
  __typeof__(curl_slist_free_all) *_Nullable slist_free_all;
  __typeof__(curl_multi_init) *_Nullable multi_init;
  __typeof__(curl_multi_cleanup) *_Nullable multi_cleanup;
  __typeof__(curl_multi_add_handle) *_Nullable multi_add_handle;
  __typeof__(curl_multi_remove_handle) *_Nullable multi_remove_handle;
  __typeof__(curl_multi_perform) *_Nullable multi_perform;
  __typeof__(curl_multi_poll) *_Nullable multi_poll;
  __typeof__(curl_multi_info_read) *_Nullable multi_info_read;
  __typeof__(curl_url) *_Nullable url;
  __typeof__(curl_url_cleanup) *_Nullable url_cleanup;
  __typeof__(curl_url_set) *_Nullable url_set;
  __typeof__(curl_url_get) *_Nullable url_get;
  __typeof__(curl_free) *_Nullable free;
  __typeof__(curl_getdate) *_Nullable getdate;
} ba_curl;

/* Fills the table from a library that was opened; the name of the first function that it lacks. */
static inline const char *_Nullable ba_curl_fill(ba_curl *_Nonnull curl, void *_Nonnull library) {
#define BA_CURL_FIND(name)                                                    \
  curl->name = (__typeof__(curl->name))dlsym(library, "curl_" #name);         \
  if (curl->name == NULL) return "curl_" #name;
  BA_CURL_FIND(global_init)
  BA_CURL_FIND(version_info)
  BA_CURL_FIND(easy_init)
  BA_CURL_FIND(easy_cleanup)
  BA_CURL_FIND(easy_setopt)
  BA_CURL_FIND(easy_getinfo)
  BA_CURL_FIND(easy_strerror)
  BA_CURL_FIND(slist_append)
  BA_CURL_FIND(slist_free_all)
  BA_CURL_FIND(multi_init)
  BA_CURL_FIND(multi_cleanup)
  BA_CURL_FIND(multi_add_handle)
  BA_CURL_FIND(multi_remove_handle)
  BA_CURL_FIND(multi_perform)
  BA_CURL_FIND(multi_poll)
  BA_CURL_FIND(multi_info_read)
  BA_CURL_FIND(url)
  BA_CURL_FIND(url_cleanup)
  BA_CURL_FIND(url_set)
  BA_CURL_FIND(url_get)
  BA_CURL_FIND(free)
  BA_CURL_FIND(getdate)
#undef BA_CURL_FIND
  return NULL;
}

/* What takes any number of arguments, one function for each kind of value. */
static inline CURLcode ba_curl_set_long(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                        CURLoption option, long value) {
  return curl->easy_setopt(handle, option, value);
}
static inline CURLcode ba_curl_set_size(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                        CURLoption option, curl_off_t value) {
  return curl->easy_setopt(handle, option, value);
}
static inline CURLcode ba_curl_set_text(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                        CURLoption option, const char *_Nullable value) {
  return curl->easy_setopt(handle, option, value);
}
static inline CURLcode ba_curl_set_pointer(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                           CURLoption option, void *_Nullable value) {
  return curl->easy_setopt(handle, option, value);
}
/* The library copies the bytes. */
static inline CURLcode ba_curl_set_blob(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                        CURLoption option, const void *_Nonnull bytes,
                                        size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl->easy_setopt(handle, option, &blob);
}
typedef size_t (*ba_curl_mover)(char *_Nullable bytes, size_t size, size_t count,
                                void *_Nullable user);
static inline CURLcode ba_curl_set_mover(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                         CURLoption option, ba_curl_mover _Nonnull function) {
  return curl->easy_setopt(handle, option, function);
}
typedef int (*ba_curl_seeker)(void *_Nullable user, curl_off_t offset, int origin);
static inline CURLcode ba_curl_set_seeker(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                          ba_curl_seeker _Nonnull function) {
  return curl->easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}
/* Called before a request is sent, after the TLS handshake. */
typedef int (*ba_curl_starter)(void *_Nullable user, char *_Nullable remote, char *_Nullable local,
                               int remote_port, int local_port);
static inline CURLcode ba_curl_set_starter(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                           void *_Nonnull user, ba_curl_starter _Nonnull function) {
  CURLcode code = curl->easy_setopt(handle, CURLOPT_CERTINFO, 1L);
  if (code == CURLE_OK) code = curl->easy_setopt(handle, CURLOPT_PREREQDATA, user);
  if (code == CURLE_OK) code = curl->easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
  return code;
}
/* Whether the certificate of the server has alternative names; true without a new handshake. */
static inline bool ba_curl_has_names(const ba_curl *_Nonnull curl, CURL *_Nonnull handle) {
  struct curl_certinfo *info = NULL;
  if (curl->easy_getinfo(handle, CURLINFO_CERTINFO, &info) != CURLE_OK || info == NULL ||
      info->num_of_certs == 0) {
    return true;
  }
  for (struct curl_slist *line = info->certinfo[0]; line != NULL; line = line->next) {
    if (strstr(line->data, "Subject Alternative Name") != NULL) return true;
  }
  return false;
}
static inline long ba_curl_get_long(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                    CURLINFO info) {
  long value = 0;
  return curl->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t ba_curl_get_size(const ba_curl *_Nonnull curl, CURL *_Nonnull handle,
                                          CURLINFO info) {
  curl_off_t value = 0;
  return curl->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
static inline const char *_Nullable ba_curl_get_text(const ba_curl *_Nonnull curl,
                                                     CURL *_Nonnull handle, CURLINFO info) {
  char *value = NULL;
  return curl->easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

/* A transfer that has ended; null while none has. */
static inline CURL *_Nullable ba_curl_next_ended(const ba_curl *_Nonnull curl,
                                                 CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl->multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
