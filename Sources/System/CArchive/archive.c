#include "shim.h"
#include "../CSystem/opened.h"

/* The functions that we call. Each of them is called only after ba_archive_fill(). */
#define FUNCTIONS(X) \
  X(mode_t, archive_entry_filetype, (struct archive_entry *a), (a)) \
  X(void, archive_entry_free, (struct archive_entry *a), (a)) \
  X(la_int64_t, archive_entry_gid, (struct archive_entry *a), (a)) \
  X(const char *, archive_entry_hardlink, (struct archive_entry *a), (a)) \
  X(int, archive_entry_is_encrypted, (struct archive_entry *a), (a)) \
  X(time_t, archive_entry_mtime, (struct archive_entry *a), (a)) \
  X(int, archive_entry_mtime_is_set, (struct archive_entry *a), (a)) \
  X(long, archive_entry_mtime_nsec, (struct archive_entry *a), (a)) \
  X(struct archive_entry *, archive_entry_new, (void), ()) \
  X(const char *, archive_entry_pathname, (struct archive_entry *a), (a)) \
  X(mode_t, archive_entry_perm, (struct archive_entry *a), (a)) \
  X(void, archive_entry_set_filetype, (struct archive_entry *a, unsigned int b), (a, b)) \
  X(void, archive_entry_set_gid, (struct archive_entry *a, la_int64_t b), (a, b)) \
  X(void, archive_entry_set_mtime, (struct archive_entry *a, time_t b, long c), (a, b, c)) \
  X(void, archive_entry_set_nlink, (struct archive_entry *a, unsigned int b), (a, b)) \
  X(void, archive_entry_set_pathname, (struct archive_entry *a, const char *b), (a, b)) \
  X(void, archive_entry_set_perm, (struct archive_entry *a, mode_t b), (a, b)) \
  X(void, archive_entry_set_size, (struct archive_entry *a, la_int64_t b), (a, b)) \
  X(void, archive_entry_set_uid, (struct archive_entry *a, la_int64_t b), (a, b)) \
  X(la_int64_t, archive_entry_size, (struct archive_entry *a), (a)) \
  X(int, archive_entry_size_is_set, (struct archive_entry *a), (a)) \
  X(const char *, archive_entry_symlink, (struct archive_entry *a), (a)) \
  X(la_int64_t, archive_entry_uid, (struct archive_entry *a), (a)) \
  X(const char *, archive_error_string, (struct archive *a), (a)) \
  X(int, archive_filter_count, (struct archive *a), (a)) \
  X(int, archive_format, (struct archive *a), (a)) \
  X(int, archive_read_append_filter, (struct archive *a, int b), (a, b)) \
  X(la_ssize_t, archive_read_data, (struct archive *a, void *b, size_t c), (a, b, c)) \
  X(int, archive_read_data_block, (struct archive *a, const void **b, size_t *c, \
    la_int64_t *d), (a, b, c, d)) \
  X(int, archive_read_free, (struct archive *a), (a)) \
  X(int, archive_read_has_encrypted_entries, (struct archive *a), (a)) \
  X(la_int64_t, archive_read_header_position, (struct archive *a), (a)) \
  X(struct archive *, archive_read_new, (void), ()) \
  X(int, archive_read_next_header, (struct archive *a, struct archive_entry **b), (a, b)) \
  X(int, archive_read_open1, (struct archive *a), (a)) \
  X(int, archive_read_open_memory, (struct archive *a, const void *b, size_t c), (a, b, c)) \
  X(int, archive_read_set_callback_data, (struct archive *a, void *b), (a, b)) \
  X(int, archive_read_set_read_callback, (struct archive *a, archive_read_callback *b), (a, b)) \
  X(int, archive_read_set_seek_callback, (struct archive *a, archive_seek_callback *b), (a, b)) \
  X(int, archive_read_set_skip_callback, (struct archive *a, archive_skip_callback *b), (a, b)) \
  X(int, archive_read_support_filter_bzip2, (struct archive *a), (a)) \
  X(int, archive_read_support_filter_xz, (struct archive *a), (a)) \
  X(int, archive_read_support_filter_zstd, (struct archive *a), (a)) \
  X(int, archive_read_support_format_7zip, (struct archive *a), (a)) \
  X(int, archive_read_support_format_raw, (struct archive *a), (a)) \
  X(int, archive_read_support_format_tar, (struct archive *a), (a)) \
  X(int, archive_read_support_format_zip_seekable, (struct archive *a), (a)) \
  X(void, archive_set_error, (struct archive *a, int b, const char *c, ...), (a, b, "%s", c)) \
  X(int, archive_write_add_filter_bzip2, (struct archive *a), (a)) \
  X(int, archive_write_add_filter_gzip, (struct archive *a), (a)) \
  X(int, archive_write_add_filter_lz4, (struct archive *a), (a)) \
  X(int, archive_write_add_filter_xz, (struct archive *a), (a)) \
  X(int, archive_write_add_filter_zstd, (struct archive *a), (a)) \
  X(int, archive_write_close, (struct archive *a), (a)) \
  X(la_ssize_t, archive_write_data, (struct archive *a, const void *b, size_t c), (a, b, c)) \
  X(int, archive_write_fail, (struct archive *a), (a)) \
  X(int, archive_write_free, (struct archive *a), (a)) \
  X(int, archive_write_header, (struct archive *a, struct archive_entry *b), (a, b)) \
  X(struct archive *, archive_write_new, (void), ()) \
  X(int, archive_write_open2, (struct archive *a, void *b, archive_open_callback *c, \
    archive_write_callback *d, archive_close_callback *e, archive_free_callback *f), (a, b, c, \
    d, e, f)) \
  X(int, archive_write_set_bytes_in_last_block, (struct archive *a, int b), (a, b)) \
  X(int, archive_write_set_filter_option, (struct archive *a, const char *b, const char *c, \
    const char *d), (a, b, c, d)) \
  X(int, archive_write_set_format_7zip, (struct archive *a), (a)) \
  X(int, archive_write_set_format_cpio_newc, (struct archive *a), (a)) \
  X(int, archive_write_set_format_option, (struct archive *a, const char *b, const char *c, \
    const char *d), (a, b, c, d)) \
  X(int, archive_write_set_format_pax_restricted, (struct archive *a), (a)) \
  X(int, archive_write_set_format_zip, (struct archive *a), (a))

BA_OPENED(FUNCTIONS, ba_archive_fill)

void setArchiveError(struct archive *archive, int code, const char *text) {
  found_archive_set_error(archive, code, "%s", text);
}
